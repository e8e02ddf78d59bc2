// node view.mjs PAGE SCREENSHOT: uses a page of `hlo2tiny view` in Chromium, from the file itself; prints findings.
import { pathToFileURL } from "node:url";
import { launch } from "./drive.mjs";

const [path, screenshot] = process.argv.slice(2);
const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1300, height: 900 } });
const errors = [], requests = [];
page.on("pageerror", (error) => errors.push(error.message));
page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
page.on("request", (request) => requests.push(request.url()));
const begun = Date.now();
await page.goto(pathToFileURL(path).href);
await page.waitForFunction(() => /drawn/.test(document.querySelector("#status").textContent));
const milliseconds = Date.now() - begun;

const state = () =>
  page.evaluate(() => ({
    nodes: [...document.querySelectorAll(".node text")].map((text) => text.textContent),
    scopes: [...document.querySelectorAll(".open text")].map((text) => text.textContent.slice(2)),
    fills: [...document.querySelectorAll(".node rect")].map((rect) => rect.style.fill),
    edges: document.querySelectorAll(".edge").length,
  }));
// How many boxes and frames lie across the border of a frame.
const crossing = () =>
  page.evaluate(() => {
    const place = (rect) => ["x", "y", "width", "height"].map((name) => Number(rect.getAttribute(name)));
    const corners = (rect) => (([x, y, width, height]) => [x, y, x + width, y + height])(place(rect));
    const frames = [...document.querySelectorAll(".open > rect")].map(corners);
    const boxes = [...document.querySelectorAll(".node > rect")].map(corners).concat(frames);
    const contains = (a, b) => a[0] <= b[0] && a[1] <= b[1] && a[2] >= b[2] && a[3] >= b[3];
    const apart = (a, b) => a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1];
    const crosses = (a) => boxes.filter((b) => !apart(a, b) && !contains(a, b) && !contains(b, a)).length;
    return frames.map(crosses).reduce((a, b) => a + b, 0);
  });
const first = await state();
await page.click("#fold");
const folded = await state();
await page.click(".folded");
const unfolded = await state();
const opened = Date.now();
while (await page.locator(".folded").count()) await page.click("#unfold");
const whole = await state();
whole.milliseconds = Date.now() - opened;
whole.crossing = await crossing();
const colours = {};
for (const name of await page.locator("#colour option").allTextContents()) {
  await page.selectOption("#colour", name);
  colours[name] = new Set((await state()).fills).size;
}
await page.click("#fold");
await page.fill("#search", "convolution");
const hits = await page.locator("#hits li").allTextContents();
let revealed = "";
if (hits.length) {
  await page.locator("#hits li").first().click();
  revealed = await page.textContent("#details");
}
const found = await page.locator(".found text").allTextContents();
await page.screenshot({ path: screenshot });
console.log(JSON.stringify({ milliseconds, first, folded, unfolded, whole, colours, hits, revealed, found, errors, requests }));
await browser.close();
