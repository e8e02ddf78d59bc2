// node web.mjs JOBS.json: times programs and their contenders, see web.py; prints a line of JSON for each turn.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { launch, openDawn, serve } from "../targets/web/drive.mjs";

const { jobs, places, calls, rounds, dawn, modules } = JSON.parse(readFileSync(process.argv[2]));

/** In a page or in node: times one contender. */
async function time({ base, job, contender, device, threads, calls, modules }) {
  const bytes = async (path) => (await fetch(base + path)).arrayBuffer();
  const types = { float32: Float32Array, int32: Int32Array, uint32: Uint32Array };
  const inputs = await Promise.all(job.inputs.map(async ({ path, dtype, shape }) => ({ data: new types[dtype](await bytes(path)), dtype, shape })));
  let task = 0;
  const observer = globalThis.document && new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) task = Math.max(task, duration);
  });
  observer?.observe({ type: "longtask" });
  const begun = performance.now();
  // A call with what lies in the page, and one of a chain, whose arrays stay on the GPU, up to the last numbers.
  let call, chain;
  if (contender === "hlo2tiny") {
    const { load } = await import(`${modules.here ?? base}${job.folder}/hlo2tiny.js`);
    const model = await load(base + job.folder, { device, threads });
    const one = (results) => (typeof results.data === "function" ? results : Object.values(results)[0]);
    call = async () => one(await model.run(inputs)).data();
    chain = async (count) => {
      let x = inputs[0];
      for (let i = 0; i < count; i++) x = one(await model.run([x], { keep: true }));
      return x.data();
    };
  } else if (contender === "onnxruntime-web") {
    const at = `${modules.at}/onnxruntime-web/dist/`;
    const ort = await import(`${at}ort.${device === "wasm" ? "wasm" : "webgpu"}.min.mjs`);
    Object.assign(ort.env.wasm, { numThreads: threads, ...(modules.binary ? {} : { wasmPaths: at }) });
    ort.env.logLevel = "error";
    // node fetches no files.
    if (modules.binary) ort.env.wasm.wasmBinary = await bytes(modules.binary);
    const model = new Uint8Array(await bytes(job.onnx));
    const session = await ort.InferenceSession.create(model, { executionProviders: [device] });
    const given = (job.onnx_inputs ?? inputs).map((x, i) => new ort.Tensor(inputs[i].dtype, inputs[i].data, x.shape));
    const feed = (tensors) => Object.fromEntries(session.inputNames.map((name, i) => [name, tensors[i]]));
    const [output] = session.outputNames;
    call = async () => (await session.run(feed(given)))[output].data;
    if (job.chained && device === "webgpu") {
      const resident = await ort.InferenceSession.create(model, { executionProviders: [device], preferredOutputLocation: "gpu-buffer" });
      chain = async (count) => {
        let x = given[0];
        for (let i = 0; i < count; i++) x = (await resident.run(feed([x])))[output];
        return x.getData();
      };
    }
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
    const given = () => numpy.array(inputs[0].data.slice()).reshape([size, size]);
    call = async () => products(given(), weights.ref).data();
    chain = async (count) => {
      let x = given();
      for (let i = 0; i < count; i++) x = products(x, weights.ref);
      return x.data();
    };
  }
  const loaded = performance.now();
  await new Promise((done) => setTimeout(done, 60)); // the observer hears of tasks later
  observer?.disconnect();
  const again = performance.now();
  const numbers = await call();
  const first = loaded - begun + performance.now() - again, taken = [];
  for (let i = 0; i < calls; i++) {
    const start = performance.now();
    await call();
    taken.push(performance.now() - start);
  }
  taken.sort((a, b) => a - b);
  let each;
  if (job.chained && chain) {
    await chain(2);
    const start = performance.now();
    await chain(4);
    const between = performance.now();
    await chain(4 + calls);
    each = (performance.now() - between - (between - start)) / calls;
  }
  // What the numbers are, for a comparison: some of them.
  const some = Array.from({ length: 64 }, (_, i) => Number(numbers[Math.floor((i * numbers.length) / 64)]));
  return { first, fastest: taken[0], median: taken[taken.length >> 1], each, task, some };
}

const [server, base] = await serve();
let browser;
if (dawn) await openDawn(modules);
else browser = await launch();
for (const job of jobs) {
  for (const [device, threads] of places) {
    let reference;
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
          const { some, ...times } = found;
          reference ??= some;
          const largest = Math.max(...reference.map(Math.abs)), apart = Math.max(...some.map((x, i) => Math.abs(x - reference[i]))) / largest;
          console.log(JSON.stringify({ ...head, ...times, apart }));
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
