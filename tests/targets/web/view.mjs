// node view.mjs PAGE SCREENSHOT: uses a page of `hlo2tiny view` in Chromium, from the file itself; prints findings.
import { pathToFileURL } from "node:url";
import { launch, openPage } from "./drive.mjs";

const [path, screenshot] = process.argv.slice(2);
const browser = await launch();
const page = await openPage(browser, { viewport: { width: 1300, height: 900 } });
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
    scopes: [...document.querySelectorAll(".title title")].map((name) => name.textContent),
    captions: [...document.querySelectorAll(".caption")].map((text) => text.textContent),
    stacks: [...document.querySelectorAll(".stack")].map((group) => group.querySelectorAll("rect").length),
    fills: [...document.querySelectorAll(".node rect:last-of-type")].map((rect) => rect.style.fill),
    edges: document.querySelectorAll(".edge").length,
  }));
// How many boxes and frames lie across the border of a frame.
const crossing = () =>
  page.evaluate(() => {
    const corners = (shape) => (({ x, y, width, height }) => [x, y, x + width, y + height])(shape.getBBox());
    const frames = [...document.querySelectorAll(".open > rect")].map(corners);
    const boxes = [...document.querySelectorAll(".node > rect")].map(corners).concat(frames);
    const titles = [...document.querySelectorAll(".title > rect")].map(corners);
    const captions = [...document.querySelectorAll(".caption")].map((text) => corners(text));
    const contains = (a, b) => a[0] <= b[0] && a[1] <= b[1] && a[2] >= b[2] && a[3] >= b[3];
    const apart = (a, b) => a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1];
    const crosses = (a) => boxes.filter((b) => !apart(a, b) && !contains(a, b) && !contains(b, a)).length;
    const sum = (list) => list.reduce((a, b) => a + b, 0);
    const covers = (a) => boxes.filter((b) => !apart(a, b) && !contains(b, a)).length + titles.filter((b) => b !== a && !apart(a, b)).length;
    const nodes = [...document.querySelectorAll(".node > rect")].map(corners);
    return { frames: sum(frames.map(crosses)), titles: sum(titles.map(covers)), captions: sum(captions.map((a) => nodes.filter((b) => !apart(a, b)).length)) };
  });
const first = await state();
await page.click("#fold");
const folded = await state();
folded.map = await page.evaluate(() => document.querySelector("#map").style.visibility);
await page.click(".folded");
const unfolded = await state();
unfolded.crossing = await crossing();
const opened = Date.now();
while (await page.locator(".folded").count()) await page.click("#unfold");
const whole = await state();
whole.milliseconds = Date.now() - opened;
whole.crossing = await crossing();
// A click on the small map moves the view.
const viewBox = () => page.evaluate(() => document.querySelector("#graph").getAttribute("viewBox"));
const before = await viewBox();
whole.map = await page.evaluate(() => document.querySelector("#map").style.visibility);
if (whole.map === "visible") await page.locator("#map").click({ position: { x: 100, y: 120 } });
whole.moved = (await viewBox()) !== before;
const colours = {};
for (const name of await page.locator("#colour option").allTextContents()) {
  await page.selectOption("#colour", name);
  colours[name] = new Set((await state()).fills).size;
}
await page.selectOption("#colour", "kind");
const legend = await page.locator("#legend li").allTextContents();
await page.click("#fold");
await page.fill("#search", "convolution");
const hits = await page.locator("#hits li").allTextContents();
let revealed = "";
if (hits.length) {
  await page.locator("#hits li").first().click();
  revealed = await page.textContent("#details");
}
const link = page.url(), revealedState = await state();
const again = await openPage(browser, { viewport: { width: 1300, height: 900 }, colorScheme: "dark" });
await again.goto(link);
await again.waitForFunction(() => /drawn/.test(document.querySelector("#status").textContent));
const coloursOf = (tab) => tab.evaluate(() => [".node text", "body"].map((name) => getComputedStyle(document.querySelector(name))).map((style, i) => (i ? style.backgroundColor : style.fill)));
const linked = {
  same: JSON.stringify(await again.evaluate(() => [...document.querySelectorAll(".node text")].map((text) => text.textContent))) === JSON.stringify(revealedState.nodes),
  kept: await again.evaluate(() => document.querySelectorAll(".kept").length),
  details: await again.textContent("#details"),
  dark: await coloursOf(again),
};
await again.click("#theme");
linked.light = await coloursOf(again);
const found = await page.locator(".found text").allTextContents();
await page.screenshot({ path: screenshot });
console.log(JSON.stringify({ milliseconds, first, folded, unfolded, whole, colours, legend, hits, revealed, found, linked, errors, requests }));
await browser.close();
