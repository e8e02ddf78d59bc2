// hlo2tiny.d.ts, written by hlo2tiny compile: the types of hlo2tiny.js.

export type TypedArray =
  | Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array | BigInt64Array | BigUint64Array
  | Float32Array | Float64Array;

/** An array of a program: `dtype` as in numpy (`float32`), `size` in bytes; open dimensions are texts, as in the model. */
export interface ArrayType {
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly (number | string)[];
  readonly size: number | string;
}

/** A result. It can be an argument of the next call of the same model, without leaving the device. */
export class Tensor {
  readonly dtype: string;
  readonly shape: readonly number[];
  /** The numbers, in row-major order. Narrow floats are their bits, complex numbers pairs, booleans bytes. */
  data(): Promise<TypedArray>;
  /** Frees the memory; the tensor cannot be used after that. */
  dispose(): void;
}

/** One array: all its numbers in order, or with a shape, which is then checked. */
export type Value =
  | Tensor | TypedArray | number | bigint | boolean | readonly number[]
  | { readonly data: TypedArray; readonly shape: readonly number[] };

/** Arrays in the structure that the exported function takes: lists and objects of them. */
export type Structure = Value | null | readonly Structure[] | { readonly [key: string]: Structure };

/** Tensors in the structure that the exported function returns. */
export type Results = any;

export interface LoadOptions {
  /** "auto" takes WebGPU where a GPU offers it and the program fits, and WebAssembly elsewhere. */
  device?: "auto" | "webgpu" | "wasm";
  /** Load and run in a worker, so that the page never waits. Unless it is false, WebAssembly leaves a page for a worker. */
  worker?: boolean;
  /** The most threads for WebAssembly, including the caller's; more than one needs a page that is cross-origin
  isolated. */ threads?: number;
  /** Called as the weights arrive, with bytes. */
  onProgress?: (progress: { loaded: number; total: number }) => void;
  /** Cancels loading; `load` then throws an AbortError. */
  signal?: AbortSignal;
  /** The page's own device, whose limits must suffice. */
  gpuDevice?: any;
}

export interface RunOptions {
  /** Leave the results on the device, until `data` is called or they are passed to the next call. */
  keep?: boolean;
}

export interface Model {
  /** Runs the program: arguments in order, or one object of them by name. */
  (...given: Structure[]): Promise<Results>;
  /** The same with options: the arguments as a list, an object by name, or the only one. */
  run(given: Structure, options?: RunOptions): Promise<Results>;
  readonly inputs: readonly ArrayType[];
  readonly outputs: readonly ArrayType[];
  /** The open dimensions, whose sizes calls take from the shapes of their arguments, and the largest that each may be. */
  readonly sizes: readonly { readonly name: string; readonly most: number }[];
  /** The inputs and results for sizes of all open dimensions, by name. */
  typesFor(sizes: { readonly [name: string]: number }): { readonly inputs: readonly ArrayType[]; readonly outputs: readonly ArrayType[] };
  readonly device: "webgpu" | "wasm";
  readonly threads: number;
  /** Why "auto" did not choose WebGPU. */
  readonly reasons: readonly string[];
  /** Frees all memory. */
  dispose(): void;
}

/** What went wrong, and what to do about it: with the location in the model if there is one. */
export class ModelError extends Error {}

/**
 * Loads the program of a folder that `hlo2tiny compile --target web` wrote.
 *
 * @param url the folder's address; relative to the page.
 * @throws ModelError the folder is damaged or incomplete, or the device cannot run the program.
 */
export function load(url: string | URL, options?: LoadOptions): Promise<Model>;
