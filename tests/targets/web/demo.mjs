// node demo.mjs NAME FOLDER SCREENSHOTS: uses a demonstration in Chromium, as WebAssembly and on WebGPU; prints findings.
import { launch, openPage, serve } from "./drive.mjs";

const [name, folder, screenshots] = process.argv.slice(2);
const [server, base] = await serve();
const browser = await launch();

const uses = {
  async text(page) {
    await page.waitForFunction(() => !document.querySelector("#write").disabled);
    await page.locator("#heat").fill("1");
    await page.click("#write");
    await page.waitForFunction(() => document.querySelector("#text").textContent.length > 60);
    await page.click("#write");
    await page.waitForFunction(() => document.querySelector("#write").textContent === "Write");
    const text = (await page.textContent("#text")).slice(0, 60);
    return { text, read: await page.evaluate(() => globalThis.read) };
  },
  async digits(page) {
    await page.waitForFunction(() => !document.querySelector("#train").disabled);
    await page.click("#train");
    await page.waitForFunction(() => globalThis.demo.losses().length >= 60);
    await page.click("#train");
    const box = await page.locator("#draw").boundingBox();
    await page.mouse.move(box.x + 90, box.y + 30);
    await page.mouse.down();
    await page.mouse.move(box.x + 90, box.y + 160, { steps: 5 });
    await page.mouse.up();
    await page.waitForFunction(() => /\d/.test(document.querySelector("#answer").textContent));
    return page.evaluate(() => ({ losses: globalThis.demo.losses(), rights: globalThis.demo.rights() }));
  },
};

const found = [];
for (const device of ["wasm", "webgpu"]) {
  const page = await openPage(browser, { viewport: { width: 1040, height: 760 } });
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.addInitScript(() => {
    let seed = 1;
    Math.random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
    globalThis.read = []; // the sizes of what leaves the GPU
    const { mapAsync } = GPUBuffer.prototype;
    GPUBuffer.prototype.mapAsync = function (...rest) {
      globalThis.read.push(this.size);
      return mapAsync.apply(this, rest);
    };
  });
  await page.goto(`${base}${folder}/${name}/index.html?device=${device}`);
  found.push({ ...(await uses[name](page)), status: await page.textContent("#status"), errors });
  await page.screenshot({ path: `${screenshots}/${name}-${device}.png` });
  await page.close();
}
console.log(JSON.stringify(found));
await browser.close();
server.close();
