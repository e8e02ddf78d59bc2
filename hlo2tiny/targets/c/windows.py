"""Links code for Windows with Windows' own libraries: zig would build mingw's C runtime first, for minutes."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from pathlib import Path

from ...machine import zig

# Options for `zig cc`: what `runtime` makes and the compiler's own functions are all that is linked besides the code.
OPTIONS = ("-nostdlib", "-rtlib=compiler-rt")
# The functions that code may call, and the system's libraries that have them.
FUNCTIONS = {
    "kernel32": (
        "CloseHandle CreateFileMappingW CreateFileW CreateSemaphoreA CreateThread GetActiveProcessorCount GetFileSizeEx"
        " MapViewOfFile MultiByteToWideChar QueryPerformanceCounter QueryPerformanceFrequency ReleaseSemaphore"
        " UnmapViewOfFile WaitForSingleObject AcquireSRWLockExclusive InitializeConditionVariable InitializeSRWLock"
        " ReleaseSRWLockExclusive SleepConditionVariableSRW WakeAllConditionVariable"
    ),
    "ucrtbase": (
        "__acrt_iob_func __p___argc __p___argv __stdio_common_vfprintf __stdio_common_vsprintf _configure_narrow_argv"
        " _initialize_narrow_environment _set_app_type _time64 _timespec64_get atol calloc exit fclose ferror fgetc"
        " fopen fputc fputs fread free fseek fwrite getenv ldexp malloc memcmp memcpy memmove memset putchar puts"
        " rint rintf strchr strcmp strcspn strlen strncmp strspn strstr strtoul strtoull"
    ),
}
# The names of processors for llvm-dlltool.
MACHINES = {"x86_64": "i386:x86-64", "aarch64": "arm64"}


def runtime(
    folder: Path, processor: str = "x86_64", executable: bool = False, functions: Mapping[str, str] = FUNCTIONS
) -> list[Path]:
    """Write what a library or an executable is linked with besides its own code."""
    made = [folder / "windows.o"]
    text = resources.files(__package__).joinpath("windows.c").read_text(encoding="utf-8")
    defined = ["-DEXECUTABLE"] if executable else []
    options = [f"--target={processor}-w64-windows-gnu", "-O2", "-w", *defined, "-x", "c"]
    zig.run("clang", [*options, "-c", "-", "-o", made[0]], text)
    for library, names in functions.items():
        described = folder / f"{library}.def"
        described.write_text("\n".join([f"LIBRARY {library}.dll", "EXPORTS", *names.split(), ""]))
        made.append(folder / f"{library}.lib")
        zig.run("dlltool", ["-m", MACHINES[processor], "-d", described, "-l", made[-1]])
    return made
