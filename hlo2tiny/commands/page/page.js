// Draws the graph of a program: folds it by scopes, searches it, and colours it by what its ops cost.
"use strict";
const { title, nodes, scopes, details, operands, lines } = JSON.parse(document.querySelector("#data").textContent);
const [NAME, SCOPE, TYPE, PLACE, FLOPS, BYTES, SECONDS, ERROR, DETAILS, INPUTS] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
const [LABEL, KIND, ATTRIBUTES] = [0, 1, 2], STACKED = 2; // of details and of scopes
const MEASURES = { flops: FLOPS, bytes: BYTES, time: SECONDS, error: ERROR };
const MOST_HITS = 100, FEW = 60, MOST_READ = 20;
const LARGE = 3; // a drawing this many times as large as the window is shown in part, so that it stays readable
const HELP = {
  "how to use": "Boxes with thick borders are scopes: click one to unfold it, and the name on its frame to fold it again."
    + " A stack of boxes is a number of identical layers. Drag to move, turn the wheel to zoom; the minimap moves, too."
    + " Point at a box to see what it is, and click it to pin that here.",
  colour: "By kind of op; or from pale yellow (little or nothing) to red (the most in the drawing).",
  link: "The page's address records what is unfolded, the colours and the op that was clicked.",
};
// Hue and saturation of each kind of op.
const KINDS = {
  argument: [215, 25], result: [215, 25], product: [265, 75], elementwise: [205, 80], "data movement": [42, 85],
  reduction: [145, 55], "control flow": [330, 70], collective: [0, 80], "custom call": [300, 60], other: [0, 0],
};
const MOST_TOGETHER = 300; // the layout of more boxes within frames takes many seconds
const EDGE = 8, TOP = 24, TITLE = 18; // the space within a frame, and above its boxes for its name
const find = (id) => document.querySelector(id);
const open = new Set();
let found = new Set(), view = { x: 0, y: 0, width: 1, height: 1 }, shown = new Map(), places = new Map();
let kept = "", moved = false; // the box that was clicked, and whether the pointer moved since it was pressed

const around = (scope) => (scope < 0 ? [] : [...around(scopes[scope][1]), scope]);
const chains = scopes.map((_, scope) => around(scope));
const inside = scopes.map(() => []); // the nodes of each scope, those of the scopes inside it too
nodes.forEach((node, number) => node[SCOPE] >= 0 && chains[node[SCOPE]].forEach((scope) => inside[scope].push(number)));

// What stands for a node: its outermost scope that is folded, as "s" and its number, or the node itself.
function drawn(number) {
  const folded = nodes[number][SCOPE] < 0 ? undefined : chains[nodes[number][SCOPE]].find((scope) => !open.has(scope));
  return folded === undefined ? `n${number}` : `s${folded}`;
}

function members(id) {
  const number = Number(id.slice(1));
  return id[0] === "s" ? inside[number] : [number];
}

// The sum of a measure over nodes, or the largest error; null if it is not known.
function measure(id, column) {
  const known = members(id).map((number) => nodes[number][column]).filter((value) => value !== null);
  if (!known.length) return null;
  return column === ERROR ? Math.max(...known) : known.reduce((a, b) => a + b, 0);
}

function element(name, attributes, parent, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  parent.append(made);
  return made;
}

const short = (text, most = 44) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

// The shapes in a list of types: 4×16 f32.
const shapes = (types) =>
  [...types.matchAll(/tensor<((?:[\d?]+x)*)([^<>,]+)/g)].map(([, sizes, element]) => `${sizes.slice(0, -1).replaceAll("x", "×")} ${element}`.trim());

// What a box says: a name, and in smaller letters a shape or how many ops there are.
function label(id) {
  const number = Number(id.slice(1));
  if (id[0] !== "n") {
    const [name, , layers] = scopes[number];
    const count = inside[number].length === 1 ? "1 node" : `${inside[number].length} nodes`;
    return [short(name), layers ? `${layers} layers, ${count}` : count];
  }
  const node = nodes[number], all = shapes(node[TYPE]);
  return [short(details[node[DETAILS]][LABEL] || node[NAME]), all.length > 1 ? `${all.length} results` : short(all[0] ?? "")];
}

// The open scopes around a box, the outermost first, as "c" and their numbers, and the box itself.
function path(id) {
  const scope = id[0] === "n" ? nodes[id.slice(1)][SCOPE] : scopes[id.slice(1)][1];
  return [...(scope < 0 ? [] : chains[scope]).map((outer) => `c${outer}`), id];
}

// The boxes to draw, and from which to which there are edges with which tensors.
function collect() {
  const ids = new Set(nodes.map((_, number) => drawn(number))), edges = new Map();
  operands.forEach((read, number) => {
    const id = drawn(number);
    for (const [type, sources] of read) {
      for (const input of Array.isArray(sources) ? sources : []) {
        const source = drawn(input), key = `${source} ${id}`;
        if (source === id) continue;
        if (!edges.has(key)) edges.set(key, { source, id, tensors: new Map() });
        edges.get(key).tensors.set(`${input} ${type}`, shapes(type)[0] ?? type);
      }
    }
  });
  return [ids, [...edges.values()]];
}

// What an edge says: a shape, how many tensors have that shape, or how many tensors there are.
function caption(tensors) {
  const different = new Set(tensors.values()), [first] = different;
  if (different.size > 1) return `${tensors.size} tensors`;
  return tensors.size > 1 ? `${tensors.size} of ${short(first)}` : short(first);
}

const newGraph = (options) =>
  new dagre.graphlib.Graph(options).setGraph({ nodesep: 14, ranksep: 24, edgesep: 10 }).setDefaultEdgeLabel(() => ({}));
const isStack = (id) => id[0] === "s" && scopes[id.slice(1)][STACKED] > 0;
const sizes = (id) => ({
  width: 34 + 6.8 * label(id)[0].length + 6 * label(id)[1].length + (isStack(id) ? 8 : 0),
  height: isStack(id) ? 32 : 24,
});
const captioned = (text) => ({ text, width: 6 * text.length + 8, height: 14, labelpos: "c" });

// Where all boxes, frames and edges are: edges go around what they do not read.
function layoutTogether(ids, edges) {
  const graph = newGraph({ compound: true });
  for (const id of ids) {
    graph.setNode(id, sizes(id));
    path(id).reduce((frame, inner) => {
      if (!graph.hasNode(inner)) graph.setNode(inner, {});
      if (frame) graph.setParent(inner, frame);
      return inner;
    }, "");
  }
  for (const { source, id, tensors } of edges) graph.setEdge(source, id, captioned(caption(tensors)));
  dagre.layout(graph);
  const order = graph.nodes().sort((a, b) => path(a).length - path(b).length);
  // Below the top of each frame everything moves down, so that there is room for its name.
  const tops = [...new Set(order.filter((id) => id[0] === "c").map((id) => graph.node(id).y - graph.node(id).height / 2))];
  const lower = (y) => y + TITLE * tops.filter((top) => top < y - 0.01).length;
  const boxes = new Map();
  for (const id of order) {
    const { x, y, width, height } = graph.node(id);
    const [top, bottom] = id[0] === "c" ? [lower(y - height / 2), lower(y + height / 2)] : [lower(y) - height / 2, lower(y) + height / 2];
    boxes.set(id, { x, y: (top + bottom) / 2, width, height: bottom - top });
  }
  const lines = graph.edges().map((edge) => {
    const { points, text, x, y } = graph.edge(edge), line = points.map((point) => [point.x, lower(point.y)]);
    // It begins and ends at boxes, however far these have moved.
    for (const [at, id] of [[0, edge.v], [line.length - 1, edge.w]]) line[at][1] = boxes.get(id).y + points[at].y - graph.node(id).y;
    return { line, text, at: [x, lower(y)] };
  });
  const { width, height } = graph.graph();
  return { boxes, lines, size: { width, height: lower(height) } };
}

// The same for many boxes: the inside of each open scope is laid out by itself, and is one box in what is around it.
function layoutApart(ids, edges) {
  const levels = new Map(); // the graph inside each frame; "" is outside of all
  function add(id, size) {
    const frame = path(id).at(-2) ?? "";
    if (!levels.has(frame)) {
      levels.set(frame, newGraph());
      if (frame) add(frame, {});
    }
    levels.get(frame).setNode(id, size);
  }
  for (const id of ids) add(id, sizes(id));
  const placed = edges.map(({ source, id, tensors }) => {
    const [from, to] = [path(source), path(id)], depth = to.findIndex((step, i) => step !== from[i]);
    const frame = depth ? to[depth - 1] : "", ends = [from[depth], to[depth]];
    const level = levels.get(frame), all = level.edge(...ends)?.all ?? new Map();
    tensors.forEach((shape, name) => all.set(name, shape));
    level.setEdge(...ends, { ...captioned(caption(all)), all }); // edges between the same two frames share a caption
    return { source, id, frame, ends };
  });
  const deep = (frame) => (frame ? path(frame).length : 0);
  const order = [...levels.keys()].sort((a, b) => deep(a) - deep(b));
  for (const frame of [...order].reverse()) {
    const graph = levels.get(frame);
    dagre.layout(graph, graph.nodeCount() > MOST_TOGETHER ? { ranker: "longest-path" } : {});
    const { width, height } = graph.graph();
    if (frame) add(frame, { width: Math.max(width, sizes(frame).width) + 2 * EDGE, height: height + EDGE + TOP });
  }
  const boxes = new Map(), corners = new Map([["", [0, 0]]]);
  for (const frame of order) {
    const graph = levels.get(frame), box = boxes.get(frame);
    if (box) corners.set(frame, [box.x - graph.graph().width / 2, box.y - box.height / 2 + TOP]);
    const [left, top] = corners.get(frame);
    for (const id of graph.nodes()) {
      const { x, y, width, height } = graph.node(id);
      boxes.set(id, { x: x + left, y: y + top, width, height });
    }
  }
  const captions = new Set();
  const lines = placed.map(({ source, id, frame, ends }) => {
    const [left, top] = corners.get(frame), [from, to] = [boxes.get(source), boxes.get(id)];
    const edge = levels.get(frame).edge(...ends), line = edge.points.map(({ x, y }) => [x + left, y + top]);
    if (ends[0] !== source) line.unshift([from.x, from.y + from.height / 2]); // it begins inside of a frame
    if (ends[1] !== id) line.push([to.x, to.y - to.height / 2]);
    const text = captions.has(edge) ? "" : edge.text;
    captions.add(edge);
    return { line, text, at: [edge.x + left, edge.y + top] };
  });
  return { boxes, lines, size: levels.get("").graph() };
}

function draw(fit) {
  const svg = find("#graph");
  const [ids, edges] = collect();
  const { boxes, lines, size } = (ids.size > MOST_TOGETHER ? layoutApart : layoutTogether)(ids, edges);
  svg.replaceChildren();
  shown = new Map();
  places = boxes;
  for (const [id, { x, y, width, height }] of boxes) {
    if (id[0] !== "c") continue;
    const group = element("g", { class: "open", "data-scope": id.slice(1) }, svg);
    element("rect", { x: x - width / 2, y: y - height / 2, width, height }, group);
  }
  for (const { line } of lines) {
    const points = line.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
    element("polyline", { class: "edge", points }, svg);
  }
  for (const { text, at: [x, y] } of lines) {
    if (text) element("text", { class: "caption", x, y: y + 4, "text-anchor": "middle" }, svg, text);
  }
  // Names of frames, over the edges that pass.
  for (const [id, { x, y, width, height }] of boxes) {
    if (id[0] !== "c") continue;
    const scope = Number(id.slice(1)), name = short(scopes[scope][0], Math.max(2, Math.floor((width - 32) / 6.5)));
    const group = element("g", { class: "title" }, svg);
    const [left, top] = [x - width / 2 + 3, y - height / 2 + 2];
    element("rect", { x: left, y: top, width: Math.min(width - 6, 22 + 6.5 * name.length), height: TITLE - 2 }, group);
    element("text", { x: left + 4, y: top + 12 }, group, `− ${name}`);
    element("title", {}, group, scopes[scope][0]);
    group.addEventListener("click", () => fold(scope));
  }
  for (const [id, { x, y, width, height }] of boxes) {
    if (id[0] === "c") continue;
    const stacked = isStack(id) ? 8 : 0, [name, small] = label(id);
    const group = element("g", { class: ["node", id[0] === "s" && "folded", stacked && "stack"].filter(Boolean).join(" "), "data-id": id }, svg);
    for (let back = stacked; back >= 0; back -= 4) { // the boxes of a stack, from the last
      element("rect", { x: x - width / 2 + back, y: y - height / 2 + stacked - back, width: width - stacked, height: height - stacked }, group);
    }
    const text = element("text", { x: x - stacked / 2, y: y + stacked / 2 + 4, "text-anchor": "middle" }, group, name);
    if (small) element("tspan", { dx: 6 }, text, ` ${small}`);
    group.addEventListener("click", () => moved || (id[0] === "s" ? unfold([Number(id.slice(1))], id) : keep(id)));
    group.addEventListener("mouseenter", () => kept || describe(id));
    shown.set(id, group);
  }
  if (fit) lookAtAll(size);
  look();
  paint();
  find("#status").textContent = `${shown.size} of ${nodes.length} nodes drawn`;
}

// Shows the whole drawing, if it can be read then, not larger than it is; else its top.
function lookAtAll({ width = 1, height = 1 }) {
  const { clientWidth, clientHeight } = find("#graph");
  view = { x: -60, y: -60, width: width + 120, height: height + 120 };
  const scale = Math.max(view.width / clientWidth, view.height / clientHeight);
  if (scale < 1) {
    view = { x: (width - clientWidth) / 2, y: (height - clientHeight) / 2, width: clientWidth, height: clientHeight };
  } else if (scale > LARGE) {
    const first = [...shown.values()].map((group) => group.getBBox()).reduce((a, b) => (b.y < a.y ? b : a));
    lookAt(first, first.height / 2 - clientHeight / 2 + 60);
  }
}

// Moves a box into the middle, or this much above it.
function lookAt(box, above = 0) {
  const { clientWidth, clientHeight } = find("#graph");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  view = { x: x - clientWidth / 2, y: y - clientHeight / 2 - above, width: clientWidth, height: clientHeight };
}

function look() {
  find("#graph").setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
  drawMap();
}

// How the small map shows the drawing: its scale, and where its corner is.
function mapped() {
  const { width, height } = find("#map"), all = [...places.values()];
  const [right, bottom] = all.reduce(([x, y], box) => [Math.max(x, box.x + box.width / 2), Math.max(y, box.y + box.height / 2)], [1, 1]);
  const scale = Math.min(width / right, height / bottom);
  return { scale, left: (width - right * scale) / 2, top: (height - bottom * scale) / 2 };
}

function drawMap() {
  const map = find("#map"), context = map.getContext("2d"), { scale, left, top } = mapped();
  const style = getComputedStyle(map), known = new Map();
  const colour = (rect) => known.get(rect.style.fill) ?? (known.set(rect.style.fill, getComputedStyle(rect).fill), known.get(rect.style.fill));
  context.clearRect(0, 0, map.width, map.height);
  context.strokeStyle = style.borderTopColor;
  for (const [id, box] of places) {
    const corner = [left + (box.x - box.width / 2) * scale, top + (box.y - box.height / 2) * scale];
    const size = [Math.max(1, box.width * scale), Math.max(1, box.height * scale)];
    if (id[0] === "c") context.strokeRect(...corner, ...size);
    else {
      context.fillStyle = colour(shown.get(id).querySelector("rect:last-of-type"));
      context.fillRect(...corner, ...size);
    }
  }
  const { clientWidth, clientHeight } = find("#graph"), wide = Math.max(view.width / clientWidth, view.height / clientHeight);
  const [width, height] = [clientWidth * wide, clientHeight * wide]; // all that the window shows
  const [x, y] = [view.x + (view.width - width) / 2, view.y + (view.height - height) / 2];
  const hides = x > 0 || y > 0 || (x + width) * scale < map.width - 2 * left || (y + height) * scale < map.height - 2 * top;
  map.style.visibility = hides ? "visible" : "hidden"; // a map of a drawing that is fully shown would only cover it
  context.strokeStyle = style.color;
  context.lineWidth = 1.5;
  context.strokeRect(left + x * scale, top + y * scale, width * scale, height * scale);
  context.lineWidth = 1;
}

// Records what is unfolded, the colours and the op that was clicked in the page's address.
function saveLink() {
  const parts = new URLSearchParams({ open: [...open].sort((a, b) => a - b).join("."), colour: find("#colour").value });
  if (kept) parts.set("node", kept.slice(1));
  history.replaceState(null, "", `#${parts}`);
}

// Does what the address says; returns whether it says anything.
function followLink() {
  const parts = new URLSearchParams(location.hash.slice(1));
  if (!parts.has("open")) return false;
  open.clear();
  parts.get("open").split(".").filter((text) => /^\d+$/.test(text) && scopes[text]).forEach((text) => open.add(Number(text)));
  const colour = parts.get("colour"), node = parts.get("node");
  if ([...find("#colour").options].some((option) => option.value === colour)) find("#colour").value = colour;
  kept = /^\d+$/.test(node ?? "") && nodes[node] ? `n${node}` : "";
  if (kept) reveal(Number(node));
  else draw(true);
  return true;
}

const kindFill = ([hue, much]) => `light-dark(hsl(${hue} ${much}% 88%), hsl(${hue} ${0.6 * much}% 28%))`;

function paint() {
  const choice = find("#colour").value, column = MEASURES[choice], kinds = new Map();
  const values = new Map([...shown.keys()].map((id) => [id, column === undefined ? null : measure(id, column)]));
  const most = Math.max(0, ...[...values.values()].filter((value) => value !== null));
  for (const [id, group] of shown) {
    const part = values.get(id) === null || !most ? null : values.get(id) / most;
    let fill = "";
    if (part !== null) {
      const [hue, much] = [60 - 60 * part, Math.sqrt(part)];
      fill = `light-dark(hsl(${hue} 90% ${96 - 40 * much}%), hsl(${hue} ${20 + 60 * much}% ${20 + 22 * much}%))`;
    } else if (choice === "kind" && id[0] === "n") {
      const kind = details[nodes[id.slice(1)][DETAILS]][KIND];
      fill = kindFill(KINDS[kind]);
      kinds.set(kind, fill);
    }
    for (const rect of group.querySelectorAll("rect")) rect.style.fill = fill;
    group.classList.toggle("found", members(id).some((number) => found.has(number)));
    group.classList.toggle("kept", id === kept);
  }
  find("#legend").replaceChildren(
    ...Object.keys(KINDS).filter((kind) => kinds.has(kind)).map((kind) => {
      const row = Object.assign(document.createElement("li"), { textContent: kind });
      row.style.setProperty("--fill", kinds.get(kind));
      return row;
    }),
  );
  drawMap();
  saveLink();
}

function fold(scope) {
  for (const inner of [...open]) if (chains[inner].includes(scope)) open.delete(inner);
  draw(true);
}

function unfold(list) {
  list.forEach((scope) => open.add(scope));
  draw(true);
  if (list.length !== 1) return;
  // In a large drawing, what was unfolded is shown.
  const { clientWidth, clientHeight } = find("#graph");
  const { width, height } = find("#graph").getBBox();
  if (Math.max(width / clientWidth, height / clientHeight) <= LARGE) return;
  lookAt(shown.get(drawn(inside[list[0]][0])).getBBox());
  look();
}

// Pins the details of a box in the margin; without a box, of none.
function keep(id) {
  kept = id;
  if (id) describe(id);
  else list(Object.entries(HELP));
  paint();
}

function describe(id) {
  const number = Number(id.slice(1)), rows = [];
  const node = id[0] === "n" ? nodes[number] : undefined;
  rows.push(["name", node ? node[NAME] : scopes[number][0]]);
  if (node) rows.push(["type", node[TYPE]], ["place", node[PLACE]]);
  else rows.push(["nodes", String(inside[number].length)]);
  for (const [name, column] of Object.entries(MEASURES)) {
    const value = measure(id, column);
    if (value !== null) rows.push([name, column === SECONDS ? `${(value * 1e6).toPrecision(3)} µs` : value.toLocaleString("en")]);
  }
  if (node) {
    rows.push(...details[node[DETAILS]][ATTRIBUTES].map(([name, text]) => [`attribute ${name}`, text]));
    operands[number].slice(0, MOST_READ).forEach(([type, sources], i) => {
      const names = Array.isArray(sources) ? sources.map((input) => details[nodes[input][DETAILS]][LABEL] || nodes[input][NAME]) : [];
      rows.push([`operand ${i}`, Array.isArray(sources) ? `${names.join(" or ")} : ${type}` : sources]);
    });
    if (operands[number].length > MOST_READ) rows.push(["", `${operands[number].length - MOST_READ} more operands`]);
    const [line, ...frames] = lines[number];
    if (frames.length) rows.push(["source", frames.join("\n")]);
    if (line) rows.push(["line of the file", `${title}:${line}`]);
  }
  list(rows.filter(([, text]) => text));
}

function list(rows) {
  find("#details").replaceChildren(
    ...rows.flatMap(([name, text]) => [["dt", name], ["dd", text]]).map(([tag, textContent]) => Object.assign(document.createElement(tag), { textContent })),
  );
}

function search() {
  const wanted = find("#search").value.trim().toLowerCase();
  const names = (node) => (node[SCOPE] < 0 ? [] : chains[node[SCOPE]].map((scope) => scopes[scope][0]));
  const matches = (node) => [node[NAME], node[TYPE], node[PLACE], ...names(node)].join(" ").toLowerCase().includes(wanted);
  const hits = wanted ? [...nodes.keys()].filter((number) => matches(nodes[number])) : [];
  found = new Set(hits);
  find("#count").textContent = wanted ? `${hits.length} found${hits.length > MOST_HITS ? `, the first ${MOST_HITS}` : ""}` : "";
  find("#hits").replaceChildren(
    ...hits.slice(0, MOST_HITS).map((number) => {
      const row = document.createElement("li");
      row.textContent = `${nodes[number][NAME]} ${nodes[number][TYPE]} ${nodes[number][PLACE]}`;
      row.addEventListener("click", () => reveal(number));
      return row;
    }),
  );
  paint();
}

// Unfolds what is around a node, and moves the node into the middle.
function reveal(number) {
  if (nodes[number][SCOPE] >= 0) chains[nodes[number][SCOPE]].forEach((scope) => open.add(scope));
  draw(false);
  lookAt(shown.get(`n${number}`).getBBox());
  look();
  keep(`n${number}`);
}

// Starts with as many levels open as leave few nodes; stacks stay folded.
function begin() {
  for (;;) {
    const ids = new Set(nodes.map((_, number) => drawn(number)));
    const folded = [...ids].filter((id) => id[0] === "s" && !isStack(id)).map((id) => Number(id.slice(1)));
    if (!folded.length) return;
    folded.forEach((scope) => open.add(scope));
    if (new Set(nodes.map((_, number) => drawn(number))).size > FEW) {
      if (ids.size > 1) folded.forEach((scope) => open.delete(scope));
      return;
    }
  }
}

find("#title").textContent = document.title = title;
for (const name of ["kind", "none", ...Object.keys(MEASURES)]) {
  if (!(name in MEASURES) || nodes.some((node) => node[MEASURES[name]] !== null)) {
    find("#colour").append(Object.assign(document.createElement("option"), { value: name, textContent: name }));
  }
}
find("#colour").value = nodes.some((node) => node[SECONDS] !== null) ? "time" : "kind";
find("#colour").addEventListener("change", paint);
find("#search").addEventListener("input", search);
find("#fold").addEventListener("click", () => (open.clear(), draw(true)));
find("#unfold").addEventListener("click", () =>
  unfold([...shown.keys()].filter((id) => id[0] === "s").map((id) => Number(id.slice(1)))),
);
find("#graph").addEventListener("wheel", (event) => {
  event.preventDefault();
  const { left, top, width, height } = find("#graph").getBoundingClientRect();
  const scale = event.deltaY > 0 ? 1.2 : 1 / 1.2;
  view.x += (view.width * (1 - scale) * (event.clientX - left)) / width;
  view.y += (view.height * (1 - scale) * (event.clientY - top)) / height;
  view.width *= scale;
  view.height *= scale;
  look();
});
find("#graph").addEventListener("pointerdown", () => (moved = false));
find("#graph").addEventListener("click", (event) => !moved && event.target === find("#graph") && keep(""));
find("#graph").addEventListener("pointermove", (event) => {
  if (event.buttons !== 1 || !(event.movementX || event.movementY)) return;
  moved = true;
  const { width, height } = find("#graph").getBoundingClientRect();
  const scale = Math.max(view.width / width, view.height / height);
  view.x -= event.movementX * scale;
  view.y -= event.movementY * scale;
  look();
});
for (const name of ["pointerdown", "pointermove"]) {
  find("#map").addEventListener(name, (event) => {
    if (event.buttons !== 1) return;
    const { scale, left, top } = mapped();
    view.x = (event.offsetX - left) / scale - view.width / 2;
    view.y = (event.offsetY - top) / scale - view.height / 2;
    look();
  });
}
const dark = matchMedia("(prefers-color-scheme: dark)");
find("#theme").addEventListener("click", () => {
  const root = document.documentElement.style, now = root.colorScheme || (dark.matches ? "dark" : "light");
  root.colorScheme = now === "dark" ? "light" : "dark";
  drawMap();
});
dark.addEventListener("change", drawMap);
addEventListener("hashchange", followLink);
list(Object.entries(HELP));
if (!followLink()) {
  begin();
  draw(true);
}
