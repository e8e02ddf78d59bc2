// node web.mjs JOBS.json: times programs and their contenders, see web.py; prints a line of JSON for each turn.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { launch, serve } from "../targets/web/drive.mjs";

const { jobs, places, calls, rounds, dawn, modules } = JSON.parse(readFileSync(process.argv[2]));

/** In a page or in node: times one contender. */
async function time({ base, job, contender, device, threads, calls, modules }) {
  const bytes = async (path) => (await fetch(base + path)).arrayBuffer();
  const inputs = await Promise.all(job.inputs.map(bytes));
  let task = 0;
  const observer = globalThis.document && new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) task = Math.max(task, duration);
  });
  observer?.observe({ type: "longtask" });
  const begun = performance.now();
  let call;
  if (contender === "hlo2tiny") {
    const { load } = await import(`${modules.here ?? base}${job.folder}/hlo2tiny.js`);
    const model = await load(base + job.folder, { device, threads });
    const types = { float32: Float32Array, int32: Int32Array, uint32: Uint32Array };
    const values = model.inputs.map((type, i) => new types[type.dtype](inputs[i]));
    call = async () => {
      const results = await model.run(values);
      return (typeof results.data === "function" ? results : Object.values(results)[0]).data();
    };
  } else if (contender === "onnxruntime-web") {
    const at = `${modules.at}/onnxruntime-web/dist/`;
    const ort = await import(`${at}ort.${device === "wasm" ? "wasm" : "webgpu"}.min.mjs`);
    Object.assign(ort.env.wasm, { numThreads: threads, ...(modules.binary ? {} : { wasmPaths: at }) });
    ort.env.logLevel = "error";
    // node fetches no files.
    if (modules.binary) ort.env.wasm.wasmBinary = await bytes(modules.binary);
    const session = await ort.InferenceSession.create(new Uint8Array(await bytes(job.onnx)), { executionProviders: [device] });
    const [name] = session.inputNames, [output] = session.outputNames;
    const shape = job.size ? [job.size, job.size] : [512, 1, 28, 28];
    call = async () => (await session.run({ [name]: new ort.Tensor("float32", new Float32Array(inputs[0]), shape) }))[output].data;
  } else {
    const { init, defaultDevice, jit, numpy } = await import(`${modules.at}/@jax-js/jax/dist/index.js`);
    await init();
    defaultDevice(device);
    const { size, times } = job;
    const weights = numpy.array(new Float32Array(await bytes(job.weights))).reshape([size, size]);
    const products = jit((x, w) => {
      for (let i = 0; i < times; i++) x = numpy.matmul(x, w.ref);
      return x;
    });
    call = async () => products(numpy.array(new Float32Array(inputs[0])).reshape([size, size]), weights.ref).data();
  }
  const loaded = performance.now();
  await new Promise((done) => setTimeout(done, 60)); // the observer hears of tasks later
  observer?.disconnect();
  const again = performance.now();
  await call();
  const first = loaded - begun + performance.now() - again, taken = [];
  for (let i = 0; i < calls; i++) {
    const start = performance.now();
    await call();
    taken.push(performance.now() - start);
  }
  taken.sort((a, b) => a - b);
  return { first, fastest: taken[0], median: taken[taken.length >> 1], task };
}

const [server, base] = await serve();
let browser;
if (dawn) {
  const { create, globals } = await import(pathToFileURL(join(modules, "webgpu/index.js")));
  Object.assign(globalThis, globals);
  Object.defineProperty(globalThis, "navigator", { value: { gpu: create([]), hardwareConcurrency: 1, userAgent: "node", platform: "node" }, configurable: true });
} else browser = await launch();
for (const job of jobs) {
  for (const [device, threads] of places) {
    const contenders = ["hlo2tiny", ...(job.onnx ? ["onnxruntime-web"] : []), ...(job.weights && threads === 1 ? ["jax-js"] : [])];
    for (let round = 0; round < rounds; round++) {
      for (const contender of contenders) {
        const given = { base, job, contender, device, threads, calls };
        const head = { name: job.name, device, threads, contender };
        try {
          let found;
          if (dawn) found = await time({ ...given, modules: { at: pathToFileURL(modules).href, here: "file://", binary: `${modules}/onnxruntime-web/dist/ort-wasm-simd-threaded.asyncify.wasm` } });
          else {
            const page = await browser.newPage();
            await page.goto(base);
            found = await page.evaluate(`(${time})(${JSON.stringify({ ...given, modules: { at: base + modules } })})`);
            await page.close();
          }
          console.log(JSON.stringify({ ...head, ...found }));
        } catch (error) {
          console.log(JSON.stringify({ ...head, error: error.message.split("\n")[0] }));
        }
      }
    }
  }
}
await browser?.close();
server.close();
process.exit(0);
