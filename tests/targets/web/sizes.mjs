// node sizes.mjs JOBS.json: calls programs with open dimensions, and prints a line of JSON for each job.
// A job is {folder, options, where: "node", "dawn" (as in drive.mjs) or "chromium", runs: [{inputs: [[dtype, shape, file]], results: [files to write]}]}.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { launch, openDawn, openPage, serve } from "./drive.mjs";

/** In node or in a page: calls a program again and again, and returns the results, or the error, of each call. */
async function call([base, { folder, runtime, options, runs }]) {
  const { load } = await import(`${runtime ?? base + folder}/hlo2tiny.js`);
  const model = await load(base + folder, options);
  const gpu = globalThis.GPUDevice?.prototype, create = gpu?.createComputePipelineAsync;
  let pipelines = 0;
  if (gpu) gpu.createComputePipelineAsync = function (...given) { pipelines++; return create.apply(this, given); };
  const types = { float32: Float32Array, int32: Int32Array };
  const answers = [];
  for (const { inputs } of runs) {
    const begun = pipelines;
    try {
      const given = await Promise.all(inputs.map(async ([dtype, shape, file]) => ({ data: new types[dtype](await (await fetch(base + file)).arrayBuffer()), shape })));
      const found = await model.run(given);
      const tensors = [];
      const gather = (x) => (x === null ? 0 : typeof x.data === "function" ? tensors.push(x) : Object.values(x).forEach(gather));
      gather(found);
      const arrays = await Promise.all(tensors.map((tensor) => tensor.data()));
      answers.push({ shapes: tensors.map((x) => x.shape), pipelines: pipelines - begun, results: arrays.map((x) => [...new Uint8Array(x.buffer, x.byteOffset, x.byteLength)]) });
    } catch (error) {
      answers.push({ error: `${error.name}: ${error.message}` });
    }
  }
  const { sizes, threads, inputs } = model;
  model.dispose();
  return { sizes, threads, inputs, answers };
}

const [server, base] = await serve();
let browser, page;
for (const job of JSON.parse(readFileSync(process.argv[2]))) {
  let answer;
  if (job.where === "dawn" && !globalThis.GPUQueue) await openDawn(process.env.NODE_MODULES);
  if (job.where !== "chromium") answer = await call([base, { ...job, runtime: pathToFileURL(job.folder).href }]);
  else {
    browser ??= await launch();
    page ??= await openPage(browser);
    if (page.url() === "about:blank") await page.goto(base);
    answer = await page.evaluate(`(${call})(${JSON.stringify([base, job])})`);
  }
  answer.answers.forEach(({ results }, i) => results?.forEach((bytes, j) => writeFileSync(job.runs[i].results[j], Uint8Array.from(bytes))));
  answer.answers = answer.answers.map(({ results, ...rest }) => rest);
  console.log(JSON.stringify(answer));
}
await browser?.close();
server.close();
process.exit(0);
