// Draws the graph of a program: folds it by scopes, searches it, and colours it by what its ops cost.
"use strict";
const { title, nodes, scopes } = JSON.parse(document.querySelector("#data").textContent);
const [NAME, SCOPE, TYPE, PLACE, FLOPS, BYTES, SECONDS, ERROR, INPUTS] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const MEASURES = { flops: FLOPS, bytes: BYTES, time: SECONDS, error: ERROR };
const MOST_HITS = 100, FEW = 60, MOST_READ = 20;
const LARGE = 3; // a drawing so many times as large as the window is shown in part, so that one can read it
const HELP = {
  "how to use": "Boxes with thick borders are scopes: click one to unfold it, and the name on its frame to fold it again."
    + " Drag to move, turn the wheel to zoom. Point at a box to see what it is.",
  colour: "From pale yellow, little or nothing, to red, the most of what is drawn. White: not known.",
};
const MOST_TOGETHER = 300; // the layout of more boxes within frames takes many seconds
const EDGE = 8, TOP = 20; // the space within a frame, and above its boxes for its name
const find = (id) => document.querySelector(id);
const open = new Set();
let found = new Set(), view = { x: 0, y: 0, width: 1, height: 1 }, shown = new Map();

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

const short = (text) => (text.length > 44 ? `${text.slice(0, 43)}…` : text);
const label = (id) =>
  id[0] === "n" ? short(nodes[id.slice(1)][NAME]) : `${short(scopes[id.slice(1)][0])} (${inside[id.slice(1)].length})`;

// The open scopes around a box, the outermost first, as "c" and their numbers, and the box itself.
function path(id) {
  const scope = id[0] === "n" ? nodes[id.slice(1)][SCOPE] : scopes[id.slice(1)][1];
  return [...(scope < 0 ? [] : chains[scope]).map((outer) => `c${outer}`), id];
}

// The boxes to draw, and from which to which there are edges.
function collect() {
  const ids = new Set(nodes.map((_, number) => drawn(number))), edges = new Map();
  nodes.forEach((node, number) => {
    const id = drawn(number);
    for (const input of node[INPUTS]) {
      const source = drawn(input);
      if (source !== id) edges.set(`${source} ${id}`, [source, id]);
    }
  });
  return [ids, [...edges.values()]];
}

const newGraph = (options) =>
  new dagre.graphlib.Graph(options).setGraph({ nodesep: 12, ranksep: 28 }).setDefaultEdgeLabel(() => ({}));
const sizes = (id) => ({ width: 20 + 7 * label(id).length, height: 24 });

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
  for (const edge of edges) graph.setEdge(...edge);
  dagre.layout(graph);
  const order = graph.nodes().sort((a, b) => path(a).length - path(b).length);
  const lines = graph.edges().map((edge) => graph.edge(edge).points.map(({ x, y }) => [x, y]));
  return { boxes: new Map(order.map((id) => [id, graph.node(id)])), lines, size: graph.graph() };
}

// The same for many boxes: the inside of each open scope is laid out alone, and is one box of what is around it.
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
  const placed = edges.map(([source, id]) => {
    const [from, to] = [path(source), path(id)], depth = to.findIndex((step, i) => step !== from[i]);
    const frame = depth ? to[depth - 1] : "", ends = [from[depth], to[depth]];
    levels.get(frame).setEdge(...ends);
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
  const lines = placed.map(({ source, id, frame, ends }) => {
    const [left, top] = corners.get(frame), [from, to] = [boxes.get(source), boxes.get(id)];
    const points = levels.get(frame).edge(...ends).points.map(({ x, y }) => [x + left, y + top]);
    if (ends[0] !== source) points.unshift([from.x, from.y + from.height / 2]); // it begins inside of a frame
    if (ends[1] !== id) points.push([to.x, to.y - to.height / 2]);
    return points;
  });
  return { boxes, lines, size: levels.get("").graph() };
}

function draw(fit) {
  const svg = find("#graph");
  const [ids, edges] = collect();
  const { boxes, lines, size } = (ids.size > MOST_TOGETHER ? layoutApart : layoutTogether)(ids, edges);
  svg.replaceChildren();
  shown = new Map();
  for (const [id, { x, y, width, height }] of boxes) {
    if (id[0] !== "c") continue;
    const scope = Number(id.slice(1)), [left, top] = [x - width / 2, y - height / 2];
    const group = element("g", { class: "open", "data-scope": scope }, svg);
    element("rect", { x: left, y: top, width, height }, group);
    element("text", { x: left + 4, y: top + 13 }, group, `− ${scopes[scope][0]}`);
    group.lastChild.addEventListener("click", () => fold(scope));
  }
  for (const line of lines) {
    const points = line.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
    element("polyline", { class: "edge", points }, svg);
  }
  for (const [id, { x, y, width, height }] of boxes) {
    if (id[0] === "c") continue;
    const group = element("g", { class: id[0] === "s" ? "node folded" : "node", "data-id": id }, svg);
    element("rect", { x: x - width / 2, y: y - height / 2, width, height }, group);
    element("text", { x, y: y + 4, "text-anchor": "middle" }, group, label(id));
    group.addEventListener("click", () => (id[0] === "s" ? unfold([Number(id.slice(1))], id) : describe(id)));
    group.addEventListener("mouseenter", () => describe(id));
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

// Moves a box into the middle, or so much above it.
function lookAt(box, above = 0) {
  const { clientWidth, clientHeight } = find("#graph");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  view = { x: x - clientWidth / 2, y: y - clientHeight / 2 - above, width: clientWidth, height: clientHeight };
}

const look = () => find("#graph").setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);

function paint() {
  const column = MEASURES[find("#colour").value];
  const values = new Map([...shown.keys()].map((id) => [id, column === undefined ? null : measure(id, column)]));
  const most = Math.max(0, ...[...values.values()].filter((value) => value !== null));
  for (const [id, group] of shown) {
    const part = values.get(id) === null || !most ? null : values.get(id) / most;
    group.firstChild.style.fill = part === null ? "" : `hsl(${60 - 60 * part}, 90%, ${96 - 40 * Math.sqrt(part)}%)`;
    group.classList.toggle("found", members(id).some((number) => found.has(number)));
  }
}

function fold(scope) {
  for (const inner of [...open]) if (chains[inner].includes(scope)) open.delete(inner);
  draw(true);
}

function unfold(list) {
  list.forEach((scope) => open.add(scope));
  draw(true);
  if (list.length !== 1) return;
  // Of a large drawing, what was unfolded is shown.
  const { clientWidth, clientHeight } = find("#graph");
  const { width, height } = find("#graph").getBBox();
  if (Math.max(width / clientWidth, height / clientHeight) <= LARGE) return;
  lookAt(shown.get(drawn(inside[list[0]][0])).getBBox());
  look();
}

function describe(id) {
  const number = Number(id.slice(1));
  const node = id[0] === "n" ? nodes[number] : undefined;
  const rows = { name: node ? node[NAME] : scopes[number][0] };
  if (node) Object.assign(rows, { type: node[TYPE], place: node[PLACE] });
  else rows.ops = String(inside[number].length);
  for (const [name, column] of Object.entries(MEASURES)) {
    const value = measure(id, column);
    if (value !== null) rows[name] = column === SECONDS ? `${(value * 1e6).toPrecision(3)} µs` : value.toLocaleString("en");
  }
  if (node && node[INPUTS].length) {
    const names = node[INPUTS].slice(0, MOST_READ).map((input) => `${nodes[input][NAME]} ${nodes[input][TYPE]}`);
    rows.reads = names.join(", ") + (node[INPUTS].length > MOST_READ ? ", …" : "");
  }
  list(rows);
}

function list(rows) {
  const details = find("#details");
  details.replaceChildren();
  for (const [name, text] of Object.entries(rows)) {
    details.append(Object.assign(document.createElement("dt"), { textContent: name }));
    details.append(Object.assign(document.createElement("dd"), { textContent: text }));
  }
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

// Unfolds what is around a node, and moves it into the middle.
function reveal(number) {
  if (nodes[number][SCOPE] >= 0) chains[nodes[number][SCOPE]].forEach((scope) => open.add(scope));
  draw(false);
  lookAt(shown.get(`n${number}`).getBBox());
  look();
  describe(`n${number}`);
}

// Begins with as many levels open as leave few nodes.
function begin() {
  for (;;) {
    const ids = new Set(nodes.map((_, number) => drawn(number)));
    const folded = [...ids].filter((id) => id[0] === "s").map((id) => Number(id.slice(1)));
    if (!folded.length) return;
    folded.forEach((scope) => open.add(scope));
    if (new Set(nodes.map((_, number) => drawn(number))).size > FEW) {
      if (ids.size > 1) folded.forEach((scope) => open.delete(scope));
      return;
    }
  }
}

find("#title").textContent = document.title = title;
for (const name of ["none", ...Object.keys(MEASURES)]) {
  if (name === "none" || nodes.some((node) => node[MEASURES[name]] !== null)) {
    find("#colour").append(Object.assign(document.createElement("option"), { value: name, textContent: name }));
  }
}
find("#colour").value = nodes.some((node) => node[SECONDS] !== null) ? "time" : "flops";
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
find("#graph").addEventListener("pointermove", (event) => {
  if (event.buttons !== 1) return;
  const { width, height } = find("#graph").getBoundingClientRect();
  const scale = Math.max(view.width / width, view.height / height);
  view.x -= event.movementX * scale;
  view.y -= event.movementY * scale;
  look();
});
list(HELP);
begin();
draw(true);
