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
const MOST_FRAMED = 300; // the layout of more nodes within frames takes many seconds
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
  id[0] === "s" ? `${short(scopes[id.slice(1)][0])} (${members(id).length})` : short(nodes[id.slice(1)][NAME]);

function layout() {
  const ids = new Set(nodes.map((_, number) => drawn(number)));
  const isFramed = ids.size <= MOST_FRAMED;
  const graph = new dagre.graphlib.Graph({ compound: isFramed }).setGraph({ nodesep: 12, ranksep: 28 });
  graph.setDefaultEdgeLabel(() => ({}));
  // Puts a node into the frame of the open scope around it, and this one into that of the next.
  function place(id) {
    if (graph.hasNode(id)) return;
    graph.setNode(id, id[0] === "c" ? {} : { width: 20 + 7 * label(id).length, height: 24 });
    const scope = id[0] === "n" ? nodes[id.slice(1)][SCOPE] : scopes[id.slice(1)][1];
    if (scope < 0 || !isFramed) return;
    place(`c${scope}`);
    graph.setParent(id, `c${scope}`);
  }
  nodes.forEach((node, number) => {
    const id = drawn(number);
    place(id);
    for (const input of node[INPUTS]) {
      const source = drawn(input);
      if (source !== id) {
        place(source);
        graph.setEdge(source, id);
      }
    }
  });
  dagre.layout(graph, !isFramed ? { ranker: "longest-path" } : {});
  return graph;
}

function draw(fit) {
  const svg = find("#graph");
  const graph = layout();
  svg.replaceChildren();
  shown = new Map();
  const clusters = graph.nodes().filter((id) => id[0] === "c").map((id) => Number(id.slice(1)));
  for (const scope of clusters.sort((a, b) => chains[a].length - chains[b].length)) {
    const { x, y, width, height } = graph.node(`c${scope}`);
    const [left, top] = [x - width / 2, y - height / 2];
    const group = element("g", { class: "open", "data-scope": scope }, svg);
    element("rect", { x: left, y: top, width, height }, group);
    element("text", { x: left + 4, y: top + 13 }, group, `− ${scopes[scope][0]}`);
    group.lastChild.addEventListener("click", () => fold(scope));
  }
  for (const edge of graph.edges()) {
    const points = graph.edge(edge).points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
    element("polyline", { class: "edge", points }, svg);
  }
  for (const id of graph.nodes().filter((id) => id[0] !== "c")) {
    const { x, y, width, height } = graph.node(id);
    const group = element("g", { class: id[0] === "s" ? "node folded" : "node", "data-id": id }, svg);
    element("rect", { x: x - width / 2, y: y - height / 2, width, height }, group);
    element("text", { x, y: y + 4, "text-anchor": "middle" }, group, label(id));
    group.addEventListener("click", () => (id[0] === "s" ? unfold([Number(id.slice(1))], id) : describe(id)));
    group.addEventListener("mouseenter", () => describe(id));
    shown.set(id, group);
  }
  if (fit) lookAtAll(graph.graph());
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
