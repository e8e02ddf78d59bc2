"""nvrtc by its C functions; as a script, a process that compiles for another one, which cannot be forked.

The threads of a process wait for each other inside nvrtc. This imports nothing of the package: a process starts in
30 ms.
"""

from __future__ import annotations

import ctypes
import json
import sys
from collections.abc import Sequence

# The bytes of a size.
SIZE = 8


def compile(library: str, text: str, flags: Sequence[str], kind: str) -> tuple[bool, bytes]:
    """Compile a file. Returns whether nvrtc takes it, and the code, "CUBIN" or "PTX", or else what it complains of."""
    nvrtc, program, size = ctypes.CDLL(library), ctypes.c_void_p(), ctypes.c_size_t()
    given = (ctypes.c_char_p * len(flags))(*(flag.encode() for flag in flags))
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), text.encode(), b"kernels.cu", 0, None, None)
    is_taken = not nvrtc.nvrtcCompileProgram(program, len(flags), given)
    found = kind if is_taken else "ProgramLog"
    getattr(nvrtc, f"nvrtcGet{found}Size")(program, ctypes.byref(size))
    result = ctypes.create_string_buffer(size.value)
    getattr(nvrtc, f"nvrtcGet{found}")(program, result)
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return is_taken, result.raw


def serve() -> None:
    """Compile what the lines of standard input ask for, and write the size of each code, 0 if there is none, and it."""
    for line in sys.stdin.buffer:
        is_taken, code = compile(*json.loads(line))
        sys.stdout.buffer.write(len(code).to_bytes(SIZE, "little") + code if is_taken else bytes(SIZE))
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    serve()
