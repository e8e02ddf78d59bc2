"""Programs without an operating system: on boards that qemu emulates, and the same C on this machine."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from hlo2tiny.cli import main
from hlo2tiny.machine import zig
from hlo2tiny.targets.c.bare import MEANING, OPTIMISE
from hlo2tiny.targets.c.systems import SYSTEMS

BOARD = Path(__file__).with_name("board.c")
# Where code and constants begin, where static memory does, and where the stack ends.
SCRIPT = """SECTIONS {{
  . = {code};
  .text : {{ KEEP(*(.first)) *(.text*) *(.rodata*) *(.srodata*) }}
  {memory}
  .data : {{ *(.data*) *(.sdata*) }}
  .bss : {{ *(.bss*) *(.sbss*) *(COMMON) }}
  . = ALIGN(16);
  stack_begin = .;
  . = . + 65536;
  stack_end = .;
  /DISCARD/ : {{ *(.ARM.*) *(.eh_frame*) }}
}}
"""


@dataclass(frozen=True)
class Board:
    """A machine of qemu's.

    Attributes:
        target: of `hlo2tiny compile`.
        emulator: the command that runs the machine.
        linked: its name for `zig cc`.
        processor: options that compile for it; None: the library is linked as it was compiled.
    """

    target: str
    emulator: tuple[str, ...]
    linked: tuple[str, ...]
    processor: tuple[str, ...] | None = None
    code: str = "0"
    memory: str = ". = 0x20000000;"


M3 = ("-target", "thumb-freestanding-eabi", "-mcpu=cortex_m3")
M7 = ("-target", "thumb-freestanding-eabihf", "-mcpu=cortex_m7")
BOARDS: Mapping[str, Board] = {
    "cortex-m3": Board("bare-arm", ("qemu-system-arm", "-M", "mps2-an385"), M3),
    "cortex-m7": Board(
        "bare-arm",
        ("qemu-system-arm", "-M", "mps2-an500"),
        M7,
        ("--target=thumbv7em-none-eabihf", "-mcpu=cortex-m7", "-mfloat-abi=hard"),
    ),
    "riscv32": Board(
        "bare-riscv32",
        ("qemu-system-riscv32", "-M", "virt", "-bios", "none"),
        ("-target", "riscv32-freestanding-none", "-mcpu=generic_rv32+m+a+c"),
        code="0x80000000",
        memory="",
    ),
}


def compiled(model: Path, folder: Path, target: str, *options: str) -> Path:
    assert main(["compile", str(model), "-o", str(folder), "--target", target, *options]) == 0
    return folder


def write_test(folder: Path, inputs: Sequence[np.ndarray], like: Sequence[np.ndarray]) -> None:
    """Write the arrays that board.c passes."""
    lines, arguments = [], []
    for i, array in enumerate(inputs):
        data = array.tobytes()
        words = np.frombuffer(data + bytes(-len(data) % 8), "<u8").tolist()
        lines.append(f"static const uint64_t in{i}[] = {{{', '.join(map('{}ull'.format, words)) or '0'}}};")
        arguments.append(f"(const void *)in{i}")
    for i, array in enumerate(like):
        lines.append(f"static uint64_t out{i}[{array.nbytes // 8 + 1}];")
        arguments.append(f"(void *)out{i}")
    lines.append(f"#define ARGUMENTS {', '.join(arguments)}\n#define RESULTS {len(like)}")
    pointers = ", ".join(f"(const unsigned char *)out{i}" for i in range(len(like)))
    lines.append(f"static const unsigned char *const results[] = {{{pointers}}};")
    lines.append(f"static const long sizes[] = {{{', '.join(str(array.nbytes) for array in like)}}};\n")
    (folder / "tested.h").write_text("\n".join(lines))
    shutil.copy(BOARD, folder / "board.c")


def run_here(compiler: str, folder: Path, inputs: Sequence[np.ndarray], like: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The results of a program's C, compiled for this machine with the options of the Makefile."""
    write_test(folder, inputs, like)
    files = [*folder.glob("*.c")]
    subprocess.run([*compiler.split(), *MEANING, "-O2", "-w", *files, "-o", folder / "here"], check=True)
    return read(subprocess.run([folder / "here"], capture_output=True, text=True, check=True).stdout, like)


def run_on(
    board: Board, folder: Path, inputs: Sequence[np.ndarray], like: Sequence[np.ndarray]
) -> tuple[list[np.ndarray], int]:
    """The results on a board, and how many bytes of the stack the run has used."""
    if not shutil.which(board.emulator[0]):
        pytest.skip(f"no emulator: {board.emulator[0]}")
    write_test(folder, inputs, like)
    script, program = folder / "board.ld", folder / "board.elf"
    script.write_text(SCRIPT.format(code=board.code, memory=board.memory))
    system = SYSTEMS[board.target]
    compiled = (f"--target={system.triple}", *system.processors) if board.processor is None else board.processor
    options = [*compiled, *OPTIMISE, *MEANING, "-ffreestanding", "-isystem", zig.headers(), "-nostdinc"]
    sources = [folder / "board.c", *([] if board.processor is None else folder.glob("[mw]*.c"))]
    objects = [source.with_suffix(".o") for source in sources]
    for source, target in zip(sources, objects):
        zig.run("clang", [*options, "-c", source, "-o", target])
    library = [folder / "libmodel.a"] if board.processor is None else []
    linking = ["-nostdlib", "-rtlib=compiler-rt", "-Wl,-e,0", "-T", script]
    zig.run("cc", [*board.linked, *linking, *objects, *library, "-o", program])
    command = [*board.emulator, "-display", "none", "-semihosting", "-kernel", program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr
    printed = done.stdout or done.stderr
    *lines, used = printed.split("\n")[:-1]
    return read("\n".join(lines), like), int(used, 16)


def read(printed: str, like: Sequence[np.ndarray]) -> list[np.ndarray]:
    lines = printed.strip("\n").split("\n")
    assert len(lines) == len(like), printed
    return [np.frombuffer(bytes.fromhex(line), array.dtype).reshape(array.shape) for line, array in zip(lines, like)]


def stack_bound(said: str) -> int:
    found = re.search(r"stack at most ([\d,]+)", said)
    assert found is not None
    return int(found[1].replace(",", ""))
