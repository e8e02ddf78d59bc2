// hlo2tiny.js, written by hlo2tiny compile: loads and runs the program of a folder. It has no dependencies.

/** What went wrong, and what to do about it. */
export class ModelError extends Error {
  name = "ModelError";
}

const ARRAYS = {
  bool: Uint8Array, int8: Int8Array, uint8: Uint8Array, int16: Int16Array, uint16: Uint16Array, int32: Int32Array,
  uint32: Uint32Array, int64: BigInt64Array, uint64: BigUint64Array, float32: Float32Array, float64: Float64Array,
  complex64: Float32Array, complex128: Float64Array, float16: Uint16Array, bfloat16: Uint16Array,
};
const up = (size, multiple) => Math.ceil(size / multiple) * multiple;
const product = (shape) => shape.reduce((a, b) => a * b, 1);
const text = (type) => `${type.dtype}[${type.shape.join(", ")}]`;
const bytesOf = (array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
const pause = () => new Promise((done) => setTimeout(done));
const GONE = "the model was disposed of; load it again";

/** The class of arrays that hold a dtype. Narrow floats are their bits, complex numbers are pairs. */
function arrayOf(type) {
  return ARRAYS[type.dtype] ?? Uint8Array;
}

/** A result, in the memory of the page or of the device. */
export class Tensor {
  constructor(type, source) {
    [this.dtype, this.shape, this.type, this.source] = [type.dtype, type.shape, type, source];
  }
  /** The numbers, in row-major order. */
  async data() {
    if (!this.source) throw new ModelError(`this ${text(this)} was disposed of, or given to a call that donates it`);
    const bytes = await this.source.read();
    const Array = arrayOf(this.type);
    return new Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / Array.BYTES_PER_ELEMENT);
  }
  /** Frees the memory. */
  dispose() {
    this.source?.dispose();
    this.source = undefined;
  }
}

// ---------------------------------------------------------------- loading

/** Loads the program of a folder. */
export async function load(url, options) {
  options ??= {};
  const base = new URL(`${url}`.replace(/\/*$/, "/"), globalThis.location?.href ?? import.meta.url);
  return modelOf(...(await (options.worker ? inWorker : open)(base, options)));
}

/** Whether this is a page that can start a worker of this script, so that WebAssembly need not stop it. */
const canLeavePage = () => globalThis.document && globalThis.Worker && new URL(import.meta.url).origin === location.origin;

async function open(base, options) {
  const { device = "auto", onProgress, signal } = options;
  if (!["auto", "webgpu", "wasm"].includes(device)) {
    throw new ModelError(`device is ${JSON.stringify(device)}, expected "auto", "webgpu" or "wasm"`);
  }
  if (options.gpuDevice && !options.gpuDevice.queue) throw new ModelError("gpuDevice is not a GPUDevice");
  const get = (name) => fetched(new URL(name, base), signal);
  const program = await (await get("program.json")).json().catch(() => undefined);
  if (!program?.wasm) {
    throw new ModelError(`${new URL("program.json", base)} is not a program; is this the folder that hlo2tiny compile wrote?`);
  }
  const stream = (into) => readWeights(program.weights, get, into, onProgress);
  const tries = device === "auto" ? ["webgpu", "wasm"] : [device];
  const reasons = [];
  for (const name of tries) {
    const engine = name === "webgpu" ? new GpuEngine() : new WasmEngine();
    try {
      if (program[name].refused) throw new ModelError(program[name].refused);
      if (name === "wasm" && options.worker === undefined && canLeavePage()) {
        const [, found] = await inWorker(base, { ...options, device: name, gpuDevice: undefined });
        return [program, found, reasons];
      }
      await engine.open(program, get, stream, options, base);
      return [program, engine, reasons];
    } catch (error) {
      engine.dispose();
      if (error.name === "AbortError" || tries.at(-1) === name) throw error;
      reasons.push(error.message);
    }
  }
}

async function fetched(url, signal) {
  let response;
  try {
    response = await fetch(url, { signal });
  } catch (cause) {
    if (signal?.aborted) throw new DOMException(`loading ${url} was aborted`, "AbortError");
    throw new ModelError(`${url} cannot be fetched: ${cause.message}`, { cause });
  }
  if (!response.ok) throw new ModelError(`${url} cannot be fetched: the server returned ${response.status}`);
  return response;
}

/** Reads the file of weights as it arrives; `into(begin, bytes)` takes each piece. */
async function readWeights(weights, get, into, onProgress) {
  if (!weights) return;
  const response = await get("weights.safetensors");
  const { size, header, identity } = weights;
  const head = new Uint8Array(header);
  let at = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch((cause) => {
      if (cause.name === "AbortError") throw new DOMException(`loading ${response.url} was aborted`, "AbortError");
      throw new ModelError(`${response.url} broke off after ${at} of ${size} bytes: ${cause.message}; load it again`, { cause });
    });
    if (done) break;
    if (at < header) {
      head.set(value.subarray(0, header - at), at);
      if (at + value.length >= header && !new TextDecoder().decode(head).includes(identity)) {
        throw new ModelError(`${response.url} has the weights of another program; copy the whole folder again`);
      }
    }
    into(at, value);
    at += value.length;
    onProgress?.({ loaded: at, total: size });
  }
  if (at !== size) {
    throw new ModelError(`${response.url} has ${at} bytes, expected ${size}; the file is damaged, copy the folder again`);
  }
}

/** A function of the chunks of a file that copies constants, given as [begin, size, target], to `place(target)`. */
function router(constants, place) {
  const rows = constants.map(([begin, size, ...target]) => [begin, size, place(...target)]).sort((a, b) => a[0] - b[0]);
  let first = 0;
  return (at, chunk) => {
    const end = at + chunk.length;
    while (first < rows.length && rows[first][0] + rows[first][1] <= at) first++;
    for (let i = first; i < rows.length && rows[i][0] < end; i++) {
      const [begin, size, target] = rows[i];
      const from = Math.max(at, begin), to = Math.min(end, begin + size);
      if (from < to) target.set(chunk.subarray(from - at, to - at), from - begin);
    }
  };
}

// ---------------------------------------------------------------- calls

function modelOf(program, engine, reasons) {
  let last = Promise.resolve(), disposed = false;
  const names = (type) => ({ ...type, size: textOfSize(type.size, program.sizes), shape: type.shape.map((size) => textOfSize(size, program.sizes)) });
  const inputs = program.inputs.map(names), outputs = program.outputs.map(names);
  const run = (given, options) => {
    const keep = options?.keep ?? false;
    const iteration = last.then(async () => {
      if (disposed) throw new ModelError(GONE);
      const [values, sizes, types] = valuesOf(program, given);
      // Anything that is not on this engine's device, for example a result of another model, comes from the page.
      const there = (x) => x.source.engine === engine && !x.source.bytes;
      const sources = await Promise.all(values.map(async (x) => (!isTensor(x) ? x : there(x) ? x.source : bytesOf(await x.data()))));
      // From now on, what the program updates in place is the result's.
      for (const i of Object.values(program.donated)) if (isTensor(values[i])) values[i].source = undefined;
      const results = await engine.run(sources, keep, sizes).catch((error) => {
        throw disposed ? new ModelError(GONE) : error;
      });
      const tensors = results.map((source, i) => new Tensor(types.outputs[i], source));
      return built(program.results, tensors);
    });
    last = iteration.catch(() => {});
    return iteration;
  };
  const model = (...given) => run(given);
  return Object.assign(model, {
    run, inputs, outputs, sizes: program.sizes.map(([name, most]) => ({ name, most })), device: engine.device, threads: engine.threads ?? 1, reasons,
    typesFor: (sizes) => withSizes({ inputs: program.inputs, outputs: program.outputs }, program.sizes.map(([name]) => sizes[name])),
    dispose() {
      disposed = true;
      engine.dispose();
    },
  });
}

/** Each folder has a runtime of its own, whose tensors are of another class. */
const isTensor = (x) => x instanceof Tensor || typeof x?.data === "function";
const isArray = (x) =>
  isTensor(x) || ArrayBuffer.isView(x) || ["number", "bigint", "boolean"].includes(typeof x) ||
  (typeof x === "object" && x !== null && "data" in x && "shape" in x) ||
  (Array.isArray(x) && isNumbers(x));
const isNumbers = (x) => (Array.isArray(x) ? x.length > 0 && isNumbers(x[0]) : ["number", "bigint", "boolean"].includes(typeof x));

/**
 * The value of each input, from the arguments of a call: in order, by name, or in the structure of the model; the sizes
 * of open dimensions; and the types of inputs and outputs for these.
 */
function valuesOf(program, given = []) {
  const { inputs, parts } = program;
  const values = new Array(inputs.length);
  const signature = `the program takes (${parts.map((p) => p[0]).join(", ")})`;
  const flat = Array.isArray(given) && given.length === inputs.length && given.every(isArray);
  if (flat) given.forEach((x, i) => (values[i] = x));
  else if (isArray(given)) collect(given, parts[0]?.[1], values, parts[0]?.[0] ?? "the argument");
  else if (Array.isArray(given) && !(given.length === 1 && isNamed(given[0], parts, inputs))) {
    const positional = parts.filter(([, , keyword]) => !keyword);
    const fits = given.length === 0 || given.length === parts.length || given.length === positional.length || parts.length !== 1;
    const passed = fits ? given : [given];
    if (passed.length > parts.length) {
      throw new ModelError(`${passed.length} arguments were given; ${signature}`);
    }
    passed.forEach((x, i) => collect(x, parts[i][1], values, parts[i][0] || `argument ${i}`));
  } else if (typeof given !== "object" || given === null) {
    throw new ModelError(`${described(given)} was given; ${signature}`);
  } else {
    for (const [name, x] of Object.entries(Array.isArray(given) ? given[0] : given)) {
      const part = parts.find((p) => p[0] === name), input = inputs.findIndex((i) => i.name === name);
      if (part) collect(x, part[1], values, name);
      else if (input >= 0) values[input] = x;
      else throw new ModelError(`there is no argument ${name}; ${signature}`);
    }
  }
  const sizes = sizesOf(program, values), types = withSizes({ inputs, outputs: program.outputs }, sizes);
  return [Array.from(values, (x, i) => checked(x, types.inputs[i], inputs[i].name || i)), sizes, types];
}

// ---- open dimensions: in what depends on their sizes, sizes[0] stands for the first of these

/** A part of a program for these sizes: texts that depend on them become numbers, or texts with numbers. */
function withSizes(part, sizes) {
  if (!sizes.length || part === null) return part;
  if (Array.isArray(part)) return part.map((each) => withSizes(each, sizes));
  if (typeof part === "object") return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, withSizes(each, sizes)]));
  if (typeof part !== "string" || !part.includes("sizes[")) return part;
  // A number that depends on sizes has a mark, so that only sums of such are computed.
  let text = part.replace(/sizes\[(\d+)\]/g, (_, i) => `#${sizes[i]}`), before;
  const sum = (whole, terms, divisor = 1) => {
    if (!whole.includes("#")) return whole;
    const total = terms.replaceAll("#", "").split(" + ").reduce((a, term) => a + product(term.split("*")), 0);
    return `#${Math.floor(total / divisor)}`;
  };
  do [before, text] = [text, text.replace(/(?<![\w>])\(([#\d*+ -]+)(?:\/(\d+))?\)/g, sum)];
  while (text !== before);
  text = text.replaceAll("#", "");
  return Number.isNaN(Number(text)) ? text : Number(text);
}

/** A size for people: b, 2*b. */
const textOfSize = (size, sizes) =>
  typeof size === "number" ? size : size.replace(/sizes\[(\d+)\]/g, (_, i) => sizes[i][0]).replace(/^\((.*)\)$/, "$1");

/** The shape of an argument, as far as it is known without a type. */
function shapeOf(x) {
  if (Array.isArray(x)) return [x.length, ...(shapeOf(x[0]) ?? [])];
  return typeof x === "object" && !ArrayBuffer.isView(x) ? x?.shape : typeof x === "object" ? undefined : [];
}

/** The sizes of open dimensions, from the arguments. */
function sizesOf({ inputs, sizes, checks }, values) {
  const found = sizes.map(() => undefined);
  // What is known: products of sizes, and their values.
  const facts = inputs.flatMap(({ shape, dtype }, i) => {
    const x = values[i], given = shapeOf(x), flat = x?.data ?? x;
    if (given && !(given.length === 1 && shape.length > 1 && Array.isArray(x))) return given.length < shape.length ? [] : shape.map((size, d) => [[size], given[d]]);
    return flat?.length === undefined ? [] : [[dtype.startsWith("complex") ? [...shape, 2] : shape, flat.length]];
  });
  for (let again = true; again; ) {
    again = false;
    for (const [terms, value] of facts) {
      const open = new Set([...`${terms}`.matchAll(/sizes\[(\d+)\]/g)].map(([, i]) => +i).filter((i) => found[i] === undefined));
      if (open.size !== 1) continue;
      const [i] = open, at = (size) => product(withSizes(terms, Object.assign([...found], { [i]: size }))), least = at(0);
      const size = (value - least) / (at(1) - least); // a fact that is not linear says nothing, as it is checked later
      if (!Number.isInteger(size)) continue;
      found[i] = size;
      again = true;
    }
  }
  sizes.forEach(([name, most], i) => {
    if (found[i] === undefined) throw new ModelError(`the arguments do not say how large ${name} is; pass { data, shape }`);
    if (found[i] < 1 || found[i] > most) throw new ModelError(`${name} is ${found[i]}; it has to be from 1 to ${most}`);
  });
  const holds = { "<": (a, b) => a < b, "<=": (a, b) => a <= b, "==": (a, b) => a === b, "!=": (a, b) => a !== b, ">": (a, b) => a > b, ">=": (a, b) => a >= b };
  const isTrue = ([left, relation, right]) => holds[relation](withSizes(left, found), withSizes(right, found));
  for (const [conditions, message] of checks) if (!conditions.some(isTrue)) throw new ModelError(message);
  return found;
}

function isNamed(x, parts, inputs) {
  if (typeof x !== "object" || x === null || isArray(x) || Array.isArray(x)) return false;
  const names = Object.keys(x), known = new Set([...parts.map((p) => p[0]), ...inputs.map((i) => i.name)]);
  return names.length > 0 && names.every((name) => known.has(name));
}

/** Puts the leaves of a value into `values`. A structure is the number of an input, a list, an object, or null. */
function collect(value, tree, values, path) {
  if (typeof tree === "number") values[tree] = value;
  else if (Array.isArray(tree)) {
    if (!Array.isArray(value) || value.length !== tree.length) {
      throw new ModelError(`${path} is ${described(value)}, expected a list of ${tree.length}`);
    }
    tree.forEach((child, i) => collect(value[i], child, values, `${path}[${i}]`));
  } else if (tree !== null && typeof tree === "object") {
    for (const [key, child] of Object.entries(tree)) {
      if (value === null || typeof value !== "object" || !(key in value)) {
        throw new ModelError(`${path}: there is no ${key} in ${described(value)}`);
      }
      collect(value[key], child, values, `${path}.${key}`);
    }
  }
}

const described = (x) =>
  Array.isArray(x) ? `a list of ${x.length}` : typeof x === "string" ? "text" : ArrayBuffer.isView(x) ? x.constructor.name : x === null ? "null" : typeof x;

/** Results in the structure of the model. */
function built(tree, tensors) {
  if (typeof tree === "number") return tensors[tree];
  if (Array.isArray(tree)) return tree.map((child) => built(child, tensors));
  if (tree === null || typeof tree !== "object") return null;
  return Object.fromEntries(Object.entries(tree).map(([key, child]) => [key, built(child, tensors)]));
}

/** An argument as bytes, or a Tensor. */
function checked(x, type, name) {
  if (x === undefined) throw new ModelError(`argument ${name}: ${text(type)} is missing`);
  if (isTensor(x)) {
    if (!x.source) throw new ModelError(`argument ${name} was disposed of, or given to a call that donates it`);
    if (x.dtype !== type.dtype || `${x.shape}` !== `${type.shape}`) {
      throw new ModelError(`argument ${name} is ${text(x)}, expected ${text(type)}`);
    }
    return x;
  }
  const Array_ = arrayOf(type);
  let { data, shape } = x !== null && typeof x === "object" && "data" in x ? x : { data: x };
  if (shape && `${shape}` !== `${type.shape}`) {
    throw new ModelError(`argument ${name} has the shape [${shape}], expected ${text(type)}`);
  }
  if (!ArrayBuffer.isView(data)) data = arrayFrom(data, type, name);
  const sameBits = data instanceof Array_ || (type.dtype === "float16" && data.constructor.name === "Float16Array");
  if (!sameBits) throw new ModelError(`argument ${name} is ${data.constructor.name}, expected ${Array_.name} for ${text(type)}`);
  if (data.byteLength !== type.size) {
    throw new ModelError(`argument ${name} has ${data.length} elements, expected ${type.size / Array_.BYTES_PER_ELEMENT} for ${text(type)}`);
  }
  return type.dtype === "bool" ? Uint8Array.from(data, (v) => (v ? 1 : 0)) : bytesOf(data);
}

/** An array of a number or of lists of numbers, which have the type's shape if they are nested. */
function arrayFrom(data, type, name) {
  const fits = (x, [size, ...rest]) =>
    size === undefined ? !Array.isArray(x) : Array.isArray(x) && x.length === size && x.every((child) => fits(child, rest));
  const shape = type.dtype.startsWith("complex") ? [...type.shape, 2] : type.shape;
  if (Array.isArray(data?.[0]) && !fits(data, shape)) {
    throw new ModelError(`argument ${name} has lists whose shape is not that of ${text(type)}`);
  }
  const numbers = [data].flat(Infinity), array = new (arrayOf(type))(numbers.length);
  const isBig = array instanceof BigInt64Array || array instanceof BigUint64Array;
  const isExact = type.dtype !== "bool" && !(array instanceof Float32Array || array instanceof Float64Array);
  numbers.forEach((x, i) => {
    const at = Array.isArray(data) ? `argument ${name}, number ${i},` : `argument ${name}`;
    if (!isNumbers(x)) throw new ModelError(`${at} is ${described(x)}, expected a number for ${text(type)}`);
    if (isExact && typeof x === "number" && !Number.isInteger(x)) throw new ModelError(`${at} is ${x}, expected an integer for ${text(type)}`);
    array[i] = isBig ? BigInt(x) : Number(x);
    if (isExact && array[i] != x) throw new ModelError(`${at} is ${x}, which ${type.dtype} cannot hold`);
  });
  return array;
}

// ---------------------------------------------------------------- WebAssembly

// A module whose function says whether relaxed SIMD rounds a product and a sum once: (1 + 2⁻¹²)² - (1 + 2⁻¹¹) is not 0 then.
const FUSED = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 127, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0, 10, 30, 1, 28, 0,
  67, 0, 8, 128, 63, 253, 19, 67, 0, 8, 128, 63, 253, 19, 67, 0, 16, 128, 191, 253, 19, 253, 133, 2, 253, 83, 11];
function isFused() {
  const bytes = new Uint8Array(FUSED);
  return WebAssembly.validate(bytes) && new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports.f() === 1;
}

const PAGE = 1 << 16;
const noMemory = (size, cause) =>
  new ModelError(`this browser does not give the program ${size.toLocaleString("en")} bytes of memory: ${cause.message}`, { cause });

class WasmEngine {
  device = "wasm";

  async open(program, get, stream, { threads }, base) {
    const engine = this, { wasm } = program;
    const most = Math.min(threads ?? globalThis.navigator?.hardwareConcurrency ?? 1, wasm.threads);
    const shared = globalThis.crossOriginIsolated && globalThis.Worker && most > 1;
    const name = `model${isFused() ? "-relaxed" : ""}${shared ? "-threads" : ""}.wasm`;
    const response = await get(name);
    const isWasm = response.headers.get("content-type") === "application/wasm";
    const compiling = isWasm ? WebAssembly.compileStreaming(response) : response.arrayBuffer().then((b) => WebAssembly.compile(b));
    const failed = (cause) => {
      throw new ModelError(`${new URL(name, base)} cannot be run in this browser: ${cause.message}`, { cause });
    };
    const module = await compiling.catch(failed);
    const imports = {};
    try {
      if (shared) {
        const pages = wasm.files[name];
        const maximum = Math.min(pages + Math.ceil(wasm.most / PAGE) + 1, 4 ** 8);
        imports.env = { memory: new WebAssembly.Memory({ initial: pages, maximum, shared: true }) };
      }
      engine.instance = await WebAssembly.instantiate(module, imports);
    } catch (cause) {
      throw noMemory(wasm.least, cause);
    }
    const { memory, held } = engine.instance.exports;
    engine.room = imports.env?.memory ?? memory;
    engine.base = held() >>> 0;
    engine.program = program;
    engine.kept = []; // weak references to the results that are still in this memory
    engine.grow(wasm.least);
    engine.threads = shared ? most : 1;
    engine.workers = [];
    for (let i = 1; i < engine.threads; i++) {
      const worker = new Worker(new URL("./hlo2tiny.js", import.meta.url), { type: "module", name: "hlo2tiny" });
      worker.postMessage({ module, memory: imports.env.memory, number: i });
      engine.workers.push(worker);
    }
    await stream(router(wasm.constants, (place) => engine.memory.subarray(engine.base + place)));
  }

  /** Makes the memory for arguments, results, constants and the arena as large as it needs to be. */
  grow(size) {
    try {
      const missing = this.base + size - this.room.buffer.byteLength;
      if (missing > 0) this.room.grow(Math.ceil(missing / PAGE));
    } catch (cause) {
      throw noMemory(size, cause);
    }
    this.memory = new Uint8Array(this.room.buffer);
  }

  /** Lays the memory out for some sizes of open dimensions. */
  layOut(sizes) {
    if (this.laid?.key === `${sizes}`) return;
    this.keepResults();
    const { exports } = this.instance, { layouts, constants } = this.program.wasm;
    if (sizes.length) new BigInt64Array(this.room.buffer, exports.sizes(), sizes.length).set(sizes.map(BigInt));
    this.laid = { key: `${sizes}`, ...withSizes({ ...layouts[exports.plan()], types: this.program.outputs }, sizes) };
    this.grow(this.laid.size);
    const { buffer } = this.memory, places = [...this.laid.inputs, ...this.laid.outputs, ...constants.map((each) => each[2]), this.laid.arena];
    new Uint32Array(buffer, exports.places(), places.length).set(places.map((place) => this.base + place));
  }

  /** Results of the last run, which this one overwrites, move out of the way unless it consumes them. */
  keepResults(consumed = new Set()) {
    for (const reference of this.kept) {
      const source = reference.deref();
      if (source && !source.disposed && !consumed.has(source)) source.bytes ??= source.copy();
    }
  }

  async run(values, keep, sizes) {
    if (!this.memory) throw new ModelError(GONE);
    this.layOut(sizes);
    const { memory, base, laid } = this;
    this.keepResults(new Set(Object.values(this.program.donated).map((i) => values[i])));
    const arrays = values.map((x, i) => {
      if (x instanceof Uint8Array) return x;
      const inPlace = !x.bytes && x.place === base + laid.inputs[i];
      return inPlace ? undefined : x.bytes ?? x.copy();
    });
    arrays.forEach((bytes, i) => bytes && memory.set(bytes, base + laid.inputs[i]));
    try {
      if (this.instance.exports.run()) throw new Error("the program stopped");
    } catch (cause) {
      throw new ModelError(`the program failed: ${cause.message}`, { cause });
    }
    this.kept = [];
    return laid.types.map((type, i) => {
      const source = new WasmSource(this, base + laid.outputs[i], type.size);
      if (keep) this.kept.push(new WeakRef(source));
      else source.bytes = source.copy();
      return source;
    });
  }

  dispose() {
    this.workers?.forEach((worker) => worker.terminate());
    this.memory = this.instance = this.room = undefined;
  }
}

/** A result in the program's memory, until the next run moves it to `bytes`. */
class WasmSource {
  constructor(engine, place, size) {
    [this.engine, this.place, this.size] = [engine, place, size];
  }
  copy() {
    if (!this.engine.memory) throw new ModelError(GONE);
    return new Uint8Array(this.engine.memory.subarray(this.place, this.place + this.size));
  }
  async read() {
    return this.bytes ?? this.copy();
  }
  dispose() {
    this.disposed = true;
    this.bytes = undefined;
  }
}

// ---------------------------------------------------------------- WebGPU

const MOST = ["maxStorageBuffersPerShaderStage", "maxStorageBufferBindingSize", "maxBufferSize", "maxComputeWorkgroupStorageSize", "maxComputeInvocationsPerWorkgroup"];
// How many dispatches are submitted together, and after how many milliseconds the page's own tasks get a turn.
const TOGETHER = 1024, PAUSE = 20, ITERATIONS = 64;
// For how many sizes of open dimensions pipelines are kept; and the most groups along a dimension.
const KEPT = 16, GROUPS = 65535;

// Shaders that read numbers of 16 bits have another text for adapters with this feature.
const HALF = "shader-f16";

const lostText = ({ lost }) => `the GPU device was lost: ${lost}; load the model again`;

class GpuEngine {
  device = "webgpu";

  async open(program, get, stream, { gpuDevice, device: asked }) {
    const engine = this, { webgpu } = program;
    engine.program = program;
    engine.own = !gpuDevice;
    engine.gpu = gpuDevice ?? (await engine.request(asked === "webgpu"));
    const { gpu } = engine, open = program.sizes.length > 0;
    engine.versions = new Map();
    engine.pipelines = new Map();
    if (!open) engine.expectLimits(webgpu);
    gpu.lost.then(({ message }) => (engine.lost = message.replace(/\.$/, "") || "its process ended"));
    const { STORAGE, COPY_SRC, COPY_DST, INDIRECT } = GPUBufferUsage;
    engine.usage = STORAGE | COPY_SRC | COPY_DST;
    engine.pool = new Map();
    engine.forgotten = new FinalizationRegistry((buffer) => engine.give(buffer));
    const fixed = (size, extra = 0) => gpu.createBuffer({ size: Math.max(size, 256), usage: engine.usage | extra });
    const { inputs, outputs } = program;
    engine.memories = [open ? undefined : fixed(webgpu.arena), fixed(webgpu.gates, INDIRECT), ...[...inputs, ...outputs].map(() => undefined)].map((buffer) => ({ buffer, at: 0 }));
    engine.first = 2;
    engine.last = 2 + inputs.length + outputs.length;
    engine.ids = new WeakMap();
    engine.staging = gpu.createBuffer({ size: 256, usage: GPUBufferUsage.MAP_READ | COPY_DST });
    // Constants share buffers of the largest size that the device has. They are written there as they arrive.
    const buffers = [];
    for (const [, size] of webgpu.constants) {
      const held = up(Math.max(size, 1), 256);
      if (!buffers.length || buffers.at(-1).size + held > gpu.limits.maxBufferSize) buffers.push({ size: 0 });
      engine.memories.push({ group: buffers.at(-1), at: buffers.at(-1).size });
      buffers.at(-1).size += held;
    }
    try {
      for (const group of buffers) {
        group.buffer = gpu.createBuffer({ size: group.size, usage: STORAGE | COPY_SRC, mappedAtCreation: true });
        group.bytes = new Uint8Array(group.buffer.getMappedRange());
      }
    } catch (cause) {
      throw new ModelError(`this GPU has no memory for the weights: ${cause.message}`, { cause });
    }
    const places = webgpu.constants.map(([begin, size], i) => [begin, size, i]);
    const place = (i) => {
      const { group, at } = engine.memories[engine.last + i];
      return group.bytes.subarray(at, at + up(Math.max(webgpu.constants[i][1], 1), 256));
    };
    await Promise.all([open ? undefined : engine.forSizes([]), stream(router(places, place))]);
    for (const group of buffers) {
      group.bytes = undefined;
      group.buffer.unmap();
    }
    for (const memory of engine.memories.slice(engine.last)) memory.buffer = memory.group.buffer;
  }

  async request(wanted) {
    const adapter = await globalThis.navigator?.gpu?.requestAdapter({ powerPreference: "high-performance" });
    if (!adapter) throw new ModelError('this browser has no WebGPU adapter; use device: "wasm"');
    if (!wanted && (adapter.info?.isFallbackAdapter ?? adapter.isFallbackAdapter)) {
      throw new ModelError("the only WebGPU adapter computes on the processor");
    }
    const requiredLimits = Object.fromEntries(MOST.map((limit) => [limit, adapter.limits[limit]]));
    return adapter.requestDevice({ requiredLimits, requiredFeatures: [HALF].filter((name) => adapter.features.has(name)) });
  }

  expectLimits({ bindings, places, arena }) {
    const largest = places.reduce((most, [, , size]) => Math.max(most, size), 0);
    const needs = { maxStorageBuffersPerShaderStage: bindings, maxStorageBufferBindingSize: largest, maxBufferSize: Math.max(arena, largest) };
    for (const [limit, need] of Object.entries(needs)) {
      if (need > this.gpu.limits[limit]) {
        throw new ModelError(`the program needs ${limit} ${need.toLocaleString("en")}; this GPU has ${this.gpu.limits[limit].toLocaleString("en")}. Use device: "wasm"`);
      }
    }
  }

  /** The program for some sizes, with its pipelines, which are kept. */
  async forSizes(sizes) {
    const key = `${sizes}`, { versions, pipelines, program: { inputs, outputs, webgpu } } = this;
    if (!versions.has(key)) {
      const version = withSizes({ inputs, outputs, ...webgpu }, sizes);
      if (sizes.length) this.expectLimits(version);
      for (const shader of version.shaders) if (!pipelines.has(shader[0])) pipelines.set(shader[0], this.pipeline(shader));
      try {
        version.pipelines = await Promise.all(version.shaders.map(([text]) => pipelines.get(text)));
      } catch (error) {
        pipelines.clear();
        throw error;
      }
      versions.set(key, version);
      if (versions.size > KEPT) {
        versions.delete(versions.keys().next().value);
        const used = new Set([...versions.values()].flatMap(({ shaders }) => shaders.map(([text]) => text)));
        for (const text of pipelines.keys()) if (!used.has(text)) pipelines.delete(text);
      }
    }
    const version = versions.get(key);
    versions.delete(key); // so that the last ones are the newest
    versions.set(key, version);
    return version;
  }

  async pipeline([plain, origin, access, half]) {
    const { gpu } = this, code = half && gpu.features.has(HALF) ? half : plain;
    const entries = [...access].map((kind, binding) => ({ binding, visibility: GPUShaderStage.COMPUTE, buffer: { type: kind === "r" ? "read-only-storage" : "storage" } }));
    const layout = gpu.createBindGroupLayout({ entries });
    const module = gpu.createShaderModule({ code });
    try {
      const compute = { module, entryPoint: "main" };
      const pipeline = await gpu.createComputePipelineAsync({ layout: gpu.createPipelineLayout({ bindGroupLayouts: [layout] }), compute });
      return { pipeline, layout };
    } catch (cause) {
      const { messages } = await module.getCompilationInfo();
      const reason = messages.find((m) => m.type === "error")?.message ?? cause.message;
      throw new ModelError(`this GPU rejects the shader of ${origin}: ${reason}. Use device: "wasm", and report it`, { cause });
    }
  }

  take(size) {
    size = up(Math.max(size, 256), 256);
    return this.pool.get(size)?.pop() ?? this.gpu.createBuffer({ size, usage: this.usage });
  }

  give(buffer) {
    if (!this.pool.has(buffer.size)) this.pool.set(buffer.size, []);
    this.pool.get(buffer.size).push(buffer);
  }

  async run(values, keep, sizes) {
    if (this.lost) throw new ModelError(lostText(this));
    const { gpu, memories, first, program: { donated } } = this, { inputs, outputs, arena, commands } = (this.current = await this.forSizes(sizes));
    const own = [], taken = new Set(Object.values(donated));
    gpu.pushErrorScope("out-of-memory");
    gpu.pushErrorScope("validation");
    if (sizes.length && !(memories[0].buffer?.size >= arena)) {
      memories[0].buffer?.destroy();
      const size = Math.min(2 ** Math.ceil(Math.log2(Math.max(arena, 256))), gpu.limits.maxBufferSize); // for somewhat larger sizes, too
      memories[0].buffer = gpu.createBuffer({ size, usage: this.usage });
      this.arenas = (this.arenas ?? 0) + 1; // what was bound to the last one is bound again
    }
    this.encoder = gpu.createCommandEncoder();
    values.forEach((x, i) => {
      const given = !(x instanceof Uint8Array);
      if (given && !(taken.has(i) && values.indexOf(x) !== values.lastIndexOf(x))) {
        memories[first + i].buffer = x.buffer;
        return;
      }
      const buffer = (memories[first + i].buffer = this.take(inputs[i].size));
      if (!taken.has(i)) own.push(buffer);
      if (given) this.encoder.copyBufferToBuffer(x.buffer, 0, buffer, 0, buffer.size);
      else {
        const whole = x.byteLength & ~3;
        if (whole) gpu.queue.writeBuffer(buffer, 0, x, 0, whole);
        if (whole < x.byteLength) {
          const rest = new Uint8Array(4);
          rest.set(x.subarray(whole));
          gpu.queue.writeBuffer(buffer, whole, rest);
        }
      }
    });
    outputs.forEach((type, i) => {
      memories[first + inputs.length + i].buffer = i in donated ? memories[first + donated[i]].buffer : this.take(type.size);
    });
    this.begun = performance.now();
    this.count = 0;
    await this.runAll(commands);
    const results = outputs.map((type, i) => new GpuSource(this, memories[first + inputs.length + i].buffer, type.size));
    const reads = keep ? [] : results.map((source) => source.staged(this.copies()));
    this.submit();
    for (const i of taken) if (!(values[i] instanceof Uint8Array)) this.forgotten.unregister(values[i]);
    own.forEach((buffer) => this.give(buffer));
    const errors = await Promise.all([gpu.popErrorScope(), gpu.popErrorScope()]);
    const error = errors.find(Boolean);
    if (error) throw new ModelError(`the GPU refused a command: ${error.message}`);
    if (!keep) {
      for (const [i, read] of reads.entries()) results[i].bytes = await read();
      results.forEach((source) => source.release());
    }
    return results;
  }

  copies() {
    this.pass?.end();
    this.pass = undefined;
    return (this.encoder ??= this.gpu.createCommandEncoder());
  }

  submit() {
    this.pass?.end();
    if (this.encoder) this.gpu.queue.submit([this.encoder.finish()]);
    this.encoder = this.pass = undefined;
    this.count = 0;
  }

  /** Bindings for the places of a command; those that depend on arguments and results are kept for a few calls. */
  bound(command, layout) {
    const { memories, current: { places } } = this;
    command.bound ??= new Map();
    let key = `${this.arenas} `;
    for (const n of command[2]) {
      const [memory] = places[n];
      if (memory >= this.first && memory < this.last) {
        const { buffer } = memories[memory];
        if (!this.ids.has(buffer)) this.ids.set(buffer, (this.names = (this.names ?? 0) + 1));
        key += `${this.ids.get(buffer)} `;
      }
    }
    if (!command.bound.has(key)) {
      if (command.bound.size > 7) command.bound.delete(command.bound.keys().next().value);
      const entries = command[2].map((n, binding) => {
        const [memory, offset, size] = places[n], { buffer, at } = memories[memory];
        return { binding, resource: { buffer, offset: at + offset, size: size || buffer.size } };
      });
      command.bound.set(key, this.gpu.createBindGroup({ layout, entries }));
    }
    return command.bound.get(key);
  }

  async runAll(commands) {
    const { places, pipelines } = this.current;
    for (const command of commands) {
      switch (command[0]) {
        case "run":
        case "gated": {
          const { pipeline, layout } = pipelines[command[1]];
          const bindings = this.bound(command, layout);
          this.pass ??= (this.encoder ??= this.gpu.createCommandEncoder()).beginComputePass();
          this.pass.setPipeline(pipeline);
          this.pass.setBindGroup(0, bindings);
          if (command[0] === "run") {
            const [x, y, z] = command.slice(3), rows = Math.ceil(x / GROUPS) || 1; // more than one only where shaders expect it
            this.pass.dispatchWorkgroups(Math.ceil(x / rows), y * rows, z);
          }
          else this.pass.dispatchWorkgroupsIndirect(this.memories[1].buffer, command[3]);
          if (++this.count >= TOGETHER) {
            this.submit();
            await this.rest();
          }
          break;
        }
        case "copy": {
          const [[from, a], [to, b]] = [places[command[1]], places[command[2]]], { memories } = this;
          this.copies().copyBufferToBuffer(memories[from].buffer, memories[from].at + a, memories[to].buffer, memories[to].at + b, command[3]);
          break;
        }
        case "repeat":
          for (let iteration = 0; iteration < command[1]; iteration++) await this.runAll(command[2 + (iteration % 2)]);
          break;
        case "loop":
          await this.loop(command);
          break;
        case "until":
          await this.until(command);
          break;
        case "choose":
          await this.runAll(command[3][await this.chosen(command)]);
      }
    }
  }

  /** Lets the page's own tasks run, and waits for the GPU so that it does not fall far behind. */
  async rest() {
    this.submissions = (this.submissions ?? 0) + 1;
    if (this.submissions % 16 === 0) await this.gpu.queue.onSubmittedWorkDone();
    else if (performance.now() - this.begun > PAUSE) await pause();
    else return;
    this.begun = performance.now();
  }

  async map(buffer) {
    await buffer.mapAsync(GPUMapMode.READ).catch(async (cause) => {
      await Promise.race([this.gpu.lost, pause()]);
      throw new ModelError(this.lost ? lostText(this) : `the GPU did not give a result: ${cause.message}`, { cause });
    });
  }

  async words(memory, offset) {
    const { buffer, at } = this.memories[memory];
    this.copies().copyBufferToBuffer(buffer, at + offset, this.staging, 0, 8);
    this.submit();
    await this.map(this.staging);
    const words = new Uint32Array(this.staging.getMappedRange(0, 8).slice(0));
    this.staging.unmap();
    return words;
  }

  /** A loop on the GPU: many iterations are submitted at once, and those after its end do nothing. */
  async loop(command) {
    const [, offset, begin, even, odd, end] = command;
    await this.runAll(begin);
    for (let iteration = 0, next = (command.iterations ?? 7) + 1; ; next = ITERATIONS) {
      for (const last = iteration + next; iteration < last; iteration++) await this.runAll(iteration % 2 ? odd : even);
      const [open, iterations] = await this.words(1, offset);
      command.iterations = iterations;
      if (!open) break;
    }
    await this.runAll(end);
  }

  async until([, place, even, evenBody, odd, oddBody, end]) {
    const [memory, offset] = this.current.places[place];
    for (let iteration = 0; ; iteration++) {
      await this.runAll(iteration % 2 ? odd : even);
      if (!((await this.words(memory, offset))[0] & 255)) return iteration % 2 ? this.runAll(end) : undefined;
      await this.runAll(iteration % 2 ? oddBody : evenBody);
    }
  }

  async chosen([, place, boolean, branches]) {
    const [memory, offset] = this.current.places[place];
    const [word] = await this.words(memory, offset);
    return boolean ? Number(!(word & 255)) : Math.min(word, branches.length - 1);
  }

  dispose() {
    if (this.own) this.gpu?.destroy();
    else for (const { buffer, group } of this.memories ?? []) (buffer ?? group?.buffer)?.destroy();
  }
}

/** A result on the GPU. */
class GpuSource {
  constructor(engine, buffer, size) {
    [this.engine, this.buffer, this.size] = [engine, buffer, size];
    engine.forgotten.register(this, buffer, this);
  }
  staged(encoder) {
    const size = up(Math.max(this.size, 4), 4);
    const staging = this.engine.gpu.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
    encoder.copyBufferToBuffer(this.buffer, 0, staging, 0, size);
    return async () => {
      await this.engine.map(staging);
      const bytes = new Uint8Array(staging.getMappedRange().slice(0, this.size));
      staging.destroy();
      return bytes;
    };
  }
  async read() {
    if (this.bytes) return this.bytes;
    if (this.engine.lost) throw new ModelError(lostText(this.engine));
    const { gpu } = this.engine, encoder = gpu.createCommandEncoder(), read = this.staged(encoder);
    gpu.queue.submit([encoder.finish()]);
    return read();
  }
  release() {
    this.engine.forgotten.unregister(this);
    if (this.buffer) this.engine.give(this.buffer);
    this.buffer = undefined;
  }
  dispose() {
    this.release();
    this.bytes = undefined;
  }
}

// ---------------------------------------------------------------- workers

/** The same engine in a worker: values go there and results come back by number. */
async function inWorker(base, { onProgress, signal, gpuDevice, worker: _, ...options }) {
  if (gpuDevice) throw new ModelError("a GPUDevice belongs to its page: pass gpuDevice or worker, not both");
  const worker = new Worker(new URL("./hlo2tiny.js", import.meta.url), { type: "module", name: "hlo2tiny" });
  const waiting = new Map();
  let count = 0, ended = "";
  const call = (method, ...args) =>
    new Promise((resolve, reject) => {
      if (ended) return reject(new ModelError(ended));
      waiting.set(++count, { resolve, reject });
      worker.postMessage({ id: count, method, args });
    });
  worker.onmessage = ({ data: { id, progress, result, error } }) => {
    if (progress) return onProgress?.(progress);
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (!error) return resolve(result);
    reject(error.name === "AbortError" ? new DOMException(error.message, error.name) : new ModelError(error.message));
  };
  const end = (reason) => {
    ended = reason;
    worker.terminate();
    for (const { reject } of waiting.values()) reject(new ModelError(reason));
    waiting.clear();
  };
  worker.onerror = ({ message }) => end(`the worker failed: ${message ?? "its script cannot be loaded (pass worker: false if the page may start no workers)"}; load the model again`);
  signal?.addEventListener("abort", () => worker.postMessage({ method: "abort" }));
  if (signal?.aborted) worker.postMessage({ method: "abort" });
  const forgotten = new FinalizationRegistry((number) => worker.postMessage({ method: "dispose", args: [number] }));
  const [program, facts, reasons] = await call("open", base.href, options)
    .then((opened) => {
      if (signal?.aborted) throw new DOMException(`loading ${base.href} was aborted`, "AbortError"); // too late for the worker
      return opened;
    })
    .catch((error) => {
      end(error.message);
      throw error;
    });
  const engine = {
    ...facts,
    async run(values, keep, sizes) {
      const passed = values.map((x) => (x instanceof Uint8Array ? { bytes: x } : { number: x.number, bytes: x.bytes }));
      return (await call("run", passed, keep, sizes)).map(({ number, bytes }) => {
        const source = {
          engine, number, bytes,
          read: async () => source.bytes ?? call("read", number),
          dispose: () => number && worker.postMessage({ method: "dispose", args: [number] }),
        };
        if (number) forgotten.register(source, number);
        return source;
      });
    },
    dispose: () => end(GONE),
  };
  return [program, engine, reasons];
}

/** What a worker does: help with the loops of a program, or run programs for a page. */
function serve() {
  const aborted = new AbortController(), held = new Map();
  let engine, count = 0;
  const methods = {
    async open(href, options) {
      const onProgress = (progress) => postMessage({ progress });
      const [program, found, reasons] = await open(new URL(href), { ...options, onProgress, signal: aborted.signal });
      engine = found;
      return [program, { device: engine.device, threads: engine.threads }, reasons];
    },
    async run(passed, keep, sizes) {
      const values = passed.map(({ number, bytes }) => bytes ?? held.get(number));
      const sources = await engine.run(values, keep, sizes);
      return Promise.all(sources.map(async (source) => {
        if (!keep) return { bytes: await source.read() };
        held.set(++count, source);
        return { number: count };
      }));
    },
    read: (number) => held.get(number).read(),
    dispose(number) {
      held.get(number)?.dispose();
      held.delete(number);
    },
    abort: () => aborted.abort(),
  };
  globalThis.onmessage = async ({ data }) => {
    if (data.module) {
      const { exports } = await WebAssembly.instantiate(data.module, { env: { memory: data.memory } });
      exports.__stack_pointer.value = exports.stack(data.number);
      return exports.work();
    }
    try {
      const result = await methods[data.method](...(data.args ?? []));
      if (data.id) postMessage({ id: data.id, result });
    } catch (error) {
      if (data.id) postMessage({ id: data.id, error: { name: error.name, message: error.message } });
    }
  };
}

if (globalThis.WorkerGlobalScope && globalThis.name === "hlo2tiny") serve();
