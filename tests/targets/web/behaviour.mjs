// node behaviour.mjs FOLDER…: what calls of the runtime do in Chromium; prints an object of findings.
import { cpSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { launch, openPage, serve } from "./drive.mjs";

const [state, weights, cut, other, strange, screenshot] = process.argv.slice(2);
const [server, base] = await serve();
const browser = await launch();
const page = await openPage(browser);
await page.goto(base);
cpSync(weights, cut, { recursive: true });
truncateSync(`${cut}/weights.safetensors`, 100000);
cpSync(weights, other, { recursive: true });
const program = JSON.parse(readFileSync(`${other}/program.json`));
program.weights.identity = "0".repeat(64);
writeFileSync(`${other}/program.json`, JSON.stringify(program));

mkdirSync(strange);
writeFileSync(`${strange}/program.json`, "{}");

const found = await page.evaluate(async ([base, state, weights, cut, other, strange]) => {
  const { load, ModelError } = await import(`${base}${state}/hlo2tiny.js`);
  const elsewhere = await import(`${base}${weights}/hlo2tiny.js`);
  const found = { calls: {} };
  const failing = async (work) => {
    try {
      await work();
      return "nothing was thrown";
    } catch (error) {
      return `${error instanceof ModelError ? "ModelError" : error.name}: ${error.message}`;
    }
  };
  for (const options of [{ device: "wasm", worker: false }, { device: "webgpu" }, { device: "wasm" }, { device: "webgpu", worker: true }]) {
    const model = await load(base + state, options);
    const numbers = async (tensor) => [...(await tensor.data())];
    const w = new Float32Array([1, 2, 3]), x = new Float32Array([10, 20, 30]);
    // state(params = {w, b}, x) gives ({w: w + x, b: b + 1}, sum of w).
    const calls = (found.calls[`${options.device} ${options.worker ?? options.device === "wasm"}`] = {});
    const [next, sum] = await model({ w, b: 5 }, x);
    calls.structure = [await numbers(next.w), await numbers(next.b), await numbers(sum)];
    const named = await model({ params: { b: [5], w: { data: w, shape: [3] } }, x });
    calls.named = [await numbers(named[0].w), await numbers(named[1])];
    const flat = await model.run([5, w, x]);
    calls.flat = [await numbers(flat[0].w)];
    let kept = [{ w, b: 0 }];
    const old = [];
    for (let i = 0; i < 10; i++) {
      kept = await model.run([kept[0], x], { keep: true });
      old.push(kept[0].w);
    }
    calls.kept = [await numbers(kept[0].w), await numbers(kept[0].b), await numbers(kept[1])];
    calls.old = [await numbers(old[0]), await numbers(old[4])];
    const together = await Promise.all([1, 2, 3].map((b) => model({ w, b }, x)));
    calls.together = await Promise.all(together.map(async ([{ b }]) => (await numbers(b))[0]));
    calls.inputs = model.inputs.map(({ name, dtype, shape }) => [name, dtype, shape]);
    calls.shape = await failing(() => model({ w: new Float32Array(4), b: 1 }, x));
    calls.dtype = await failing(() => model({ w: new Int32Array(3), b: 1 }, x));
    calls.missing = await failing(() => model({ b: 1 }, x));
    calls.many = await failing(() => model({ w, b: 1 }, x, x));
    calls.unknown = await failing(() => model.run({ y: x }));
    calls.nothing = await failing(() => model());
    calls.none = await failing(() => model({ w: null, b: 1 }, x));
    calls.text = await failing(() => model({ w: [1, "2", 3], b: 1 }, x));
    calls.fraction = await failing(() => model({ w, b: 1.5 }, x));
    calls.range = await failing(() => model({ w, b: 2 ** 31 }, x));
    calls.nested = await failing(() => model({ w: [[1, 2, 3]], b: 1 }, x));
    kept[0].w.dispose();
    calls.disposed = await failing(() => model({ w: kept[0].w, b: 1 }, x));
    // Results are arguments, also of another model, whose runtime is that of another folder.
    const other = await elsewhere.load(base + state, options);
    await other({ w: x, b: 0 }, x);
    const [given] = await model({ w, b: 5 }, x), [held] = await model.run([{ w, b: 7 }, x], { keep: true });
    calls.passed = [];
    for (const params of [given, held]) {
      for (const each of [model, other]) calls.passed.push((await Promise.all(Object.values((await each(params, x))[0]).map(numbers))).flat());
    }
    const [last] = await model.run([{ w, b: 1 }, x], { keep: true }), pending = model({ w, b: 1 }, x);
    model.dispose();
    calls.ended = [await failing(() => pending), await failing(() => model({ w, b: 1 }, x))];
    calls.lost = await failing(() => last.w.data());
    other.dispose();
  }
  const seen = [];
  const model = await load(base + weights, { device: "wasm", onProgress: (progress) => seen.push(progress) });
  found.progress = [seen.length > 0, seen.at(-1).loaded === seen.at(-1).total, seen.at(-1).total];
  model.dispose();
  found.cut = await failing(() => load(base + cut, { device: "wasm" }));
  found.other = await failing(() => load(base + other, { device: "webgpu" }));
  found.strange = await failing(() => load(base + strange));
  found.absent = await failing(() => load(`${base}/nowhere`));
  found.aborted = await failing(() => load(base + weights, { device: "wasm", signal: AbortSignal.abort() }));
  found.late = await failing(() => {
    const control = new AbortController();
    return load(base + weights, { device: "wasm", worker: true, signal: control.signal, onProgress: () => control.abort() });
  });
  found.device = await failing(() => load(base + state, { device: "cuda" }));
  const adapter = await navigator.gpu.requestAdapter(), gpuDevice = await adapter.requestDevice();
  const own = await load(base + state, { device: "webgpu", gpuDevice });
  found.own = [...(await (await own({ w: new Float32Array(3), b: 1 }, new Float32Array(3)))[0].b.data())];
  // Weights that do not fit one buffer of the GPU lie in several, and one that fits none is refused.
  const made = [], { createBuffer } = gpuDevice, x = new Float32Array(256).fill(0.1);
  const limited = (maxBufferSize) => {
    Object.defineProperty(gpuDevice, "limits", { value: { maxBufferSize, maxStorageBuffersPerShaderStage: 8, maxStorageBufferBindingSize: 1e9 }, configurable: true });
    return load(base + weights, { device: "webgpu", gpuDevice });
  };
  gpuDevice.createBuffer = (descriptor) => {
    if (descriptor.mappedAtCreation) made.push(descriptor.size);
    return createBuffer.call(gpuDevice, descriptor);
  };
  const split = await (await (await limited(600000))(x)).data();
  const whole = await (await (await load(base + weights, { device: "wasm" }))(x)).data();
  found.split = [made.length, split.every((v, i) => Math.abs(v - whole[i]) < 1e-5)];
  found.small = await failing(() => limited(500000));
  const cut_off = own({ w: new Float32Array(3), b: 1 }, new Float32Array(3));
  await new Promise((done) => setTimeout(done));
  gpuDevice.destroy();
  found.cut_off = await failing(() => cut_off);
  await gpuDevice.lost;
  found.lost = await failing(() => own({ w: new Float32Array(3), b: 1 }, new Float32Array(3)));
  // One thread of WebAssembly starts no worker but the one that it runs in.
  const { Worker } = globalThis, started = [];
  globalThis.Worker = class extends Worker {
    constructor(...given) {
      super(...given);
      started.push(given);
    }
  };
  found.workers = [];
  for (const options of [{ worker: false }, {}, { worker: true }]) {
    const begun = started.length, auto = await load(base + state, { threads: 1, ...options });
    found.workers.push(started.length - begun);
    found.auto = [auto.device, auto.reasons];
    auto.dispose();
  }
  return found;
}, [base, state, weights, cut, other, strange]);

for (const scheme of ["light", "dark"]) {
  await page.emulateMedia({ colorScheme: scheme });
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(`${base}${weights}/index.html`);
  await page.waitForFunction(() => !document.querySelector("#run").disabled);
  await page.click("#run");
  await page.waitForFunction(() => document.querySelector("#times").textContent);
  found[scheme] = [await page.textContent("#name"), await page.textContent("#error"), await page.locator("#outputs .row").count(), errors];
  await page.screenshot({ path: `${screenshot}-${scheme}.png`, fullPage: true });
}
console.log(JSON.stringify(found));
await browser.close();
server.close();
