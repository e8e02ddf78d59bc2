// Runs a WASI command: node wasi.mjs FILE ARGUMENT…, in the current folder.
import { readFile } from "node:fs/promises";
import { argv, exit } from "node:process";
import { WASI } from "node:wasi";

const wasi = new WASI({ version: "preview1", args: argv.slice(2), preopens: { ".": "." }, returnOnExit: true });
const { instance } = await WebAssembly.instantiate(await readFile(argv[2]), wasi.getImportObject());
exit(wasi.start(instance));
