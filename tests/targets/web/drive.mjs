// node drive.mjs JOBS.json: runs compiled programs in node or in Chromium, and prints a line of JSON for each job.
// A job is {folder, where: "node" (or what else runs this script), "dawn", which is node with a GPU, or "chromium", options, inputs: [files], results: [files to write], calls}.
import { createServer } from "node:http";
import { createReadStream, existsSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { pathToFileURL } from "node:url";

export const ARGUMENTS = [
  "--headless", "--no-sandbox", "--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--enable-features=Vulkan,WebGPU",
  "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
];
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".json": "application/json", ".wasm": "application/wasm" };

/** Serves files by their absolute paths; the page may share memory between threads. */
export function serve() {
  const server = createServer((request, answer) => {
    const path = decodeURIComponent(request.url.split("?")[0]);
    const headers = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };
    if (path === "/") return answer.writeHead(200, { ...headers, "content-type": "text/html" }).end("<!doctype html><title>tests</title>");
    if (!existsSync(path)) return answer.writeHead(404).end();
    answer.writeHead(200, { ...headers, "content-type": TYPES[extname(path)] ?? "application/octet-stream" });
    createReadStream(path).pipe(answer);
  });
  server.keepAliveTimeout = 0; // a program that blocks this thread must not cost its connections
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done([server, `http://127.0.0.1:${server.address().port}`])));
}

export async function launch() {
  const { chromium } = await import(pathToFileURL(join(process.env.NODE_MODULES, "playwright-core/index.mjs")));
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ARGUMENTS });
}

export async function openPage(browser, options = {}) {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(0); // browsers.py ends what takes too long
  return page;
}

/** Gives node the GPU that Vulkan finds, as browsers have one. */
export async function openDawn(modules) {
  const { create, globals } = await import(pathToFileURL(join(modules, "webgpu/index.js")));
  Object.assign(globalThis, globals);
  const navigator = { gpu: create([]), hardwareConcurrency: 1, userAgent: "node", platform: "node" };
  Object.defineProperty(globalThis, "navigator", { value: navigator, configurable: true });
  // Dawn for node does not read memory that threads share, which onnxruntime-web's is.
  const write = GPUQueue.prototype.writeBuffer;
  GPUQueue.prototype.writeBuffer = function (buffer, at, data, ...rest) {
    return write.call(this, buffer, at, data.buffer instanceof SharedArrayBuffer ? data.slice() : data, ...rest);
  };
}

/** In node or in a page: calls a program, and returns its results as arrays of bytes. */
export async function call([base, { folder, options = {}, inputs, calls = 1 }]) {
  const { load } = await import(`${options.runtime ?? base + folder}/hlo2tiny.js`);
  let halves = 0; // shaders that need shader-f16
  const gpu = globalThis.GPUDevice?.prototype, create = gpu?.createShaderModule;
  if (gpu) gpu.createShaderModule = function (text) { halves += text.code.includes("enable f16"); return create.call(this, text); };
  const begun = performance.now();
  const model = await load(base + folder, options);
  const loaded = performance.now();
  if (gpu) gpu.createShaderModule = create;
  const bytes = await Promise.all(inputs.map(async (file) => (await fetch(base + file)).arrayBuffer()));
  const types = { bool: Uint8Array, int8: Int8Array, uint8: Uint8Array, int16: Int16Array, uint16: Uint16Array, float16: Uint16Array, bfloat16: Uint16Array, int32: Int32Array, uint32: Uint32Array, int64: BigInt64Array, uint64: BigUint64Array, float32: Float32Array, float64: Float64Array, complex64: Float32Array, complex128: Float64Array };
  const arrays = model.inputs.map((type, i) => {
    const narrow = type.size === type.shape.reduce((a, b) => a * b, 1) ? Uint8Array : Uint16Array;
    return { data: new (types[type.dtype] ?? narrow)(bytes[i]), shape: type.shape };
  });
  const times = [];
  let results;
  for (let i = 0; i < calls; i++) {
    const start = performance.now();
    const found = await model.run(arrays);
    results = [];
    const gather = (x) => (x === null ? 0 : typeof x.data === "function" ? results.push(x) : Object.values(x).forEach(gather));
    gather(found);
    results = await Promise.all(results.map((tensor) => tensor.data()));
    times.push(performance.now() - start);
  }
  const { device, threads, reasons } = model;
  const order = model.order;
  model.dispose();
  const plain = results.map((x) => [...new Uint8Array(x.buffer, x.byteOffset, x.byteLength)]);
  return { device, threads, reasons, order, halves, load: loaded - begun, times, results: plain };
}

if (process.argv[1]?.endsWith("drive.mjs")) {
  const jobs = JSON.parse(readFileSync(process.argv[2]));
  const [server, base] = await serve();
  let browser, page;
  for (const job of jobs) {
    let answer;
    try {
      if (job.where === "dawn" && !globalThis.GPUQueue) await openDawn(process.env.NODE_MODULES);
      if (job.where !== "chromium") answer = await call([base, { ...job, options: { ...job.options, runtime: pathToFileURL(job.folder).href } }]);
      else {
        browser ??= await launch();
        page ??= await openPage(browser);
        if (page.url() === "about:blank") await page.goto(base);
        answer = await page.evaluate(`(${call})(${JSON.stringify([base, job])})`);
      }
      answer.results.forEach((bytes, i) => writeFileSync(job.results[i], Uint8Array.from(bytes)));
      delete answer.results;
    } catch (error) {
      answer = { error: `${error.message}` };
    }
    console.log(JSON.stringify({ folder: job.folder, ...answer }));
  }
  await browser?.close();
  server.close();
  process.exit(0); // Dawn would keep node waiting
}
