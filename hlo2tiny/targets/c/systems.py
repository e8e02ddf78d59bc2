"""Compiling a program for other systems: the table of systems, and libraries and executables for each of them.

Code for x86-64 is compiled several times, and chooses the variant that the processor runs best when it is loaded.
Objects are compiled by zig's clang without headers of the system; zig's linkers and C libraries do the rest.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import field
from pathlib import Path

from ...errors import InputError, UnsupportedOp
from ...ir import error_at
from ...machine import zig
from ...machine.compiler import FLAGS
from ...plan.plan import Lapack, Plan
from ...records import dataclass
from . import windows
from .linking import this_machine
from .templates import OWN_FUNCTIONS
from .writing import WEIGHTS, Files

KINDS = ("c", "library", "executable")
OPTIONS: tuple[str, ...] = (
    "-O3",
    "-fPIC",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-fno-strict-aliasing",
    "-fno-ident",
)
OPTIONS += ("-fvisibility=hidden", "-ffunction-sections", "-std=gnu11", "-nostdinc")
# In these files, a product and a sum may be rounded once.
CONTRACTED = frozenset({"product.c", "gemm.c", "convolve.c"})
# What is compiled once for each variant, and the names that other files know it by.
VARIED = frozenset(f"{kind}.c" for kind in ("program", "gemm", *OWN_FUNCTIONS))
# The options of each variant for x86-64; model.c chooses between them.
_AVX512 = ("-march=x86-64-v4", "-mprefer-vector-width=512")
VARIANTS = {
    "baseline": ("-march=x86-64",),
    "avx2": ("-march=x86-64-v3",),
    "avx512": _AVX512,
    "avx512bf16": (*_AVX512, "-mavx512bf16", "-mavx512vnni", "-mamx-tile", "-mamx-bf16", "-mamx-int8"),
}
# The last one is only for programs with these products: of bf16 numbers, and of bytes in tiles.
NARROW = (b"#define oproduct", b"#define uproduct", b"#define pproduct")
NAMES = (
    "model_code",
    "run_plan",
    *(f"model_{letter}{kind}" for kind in ("gemm", *OWN_FUNCTIONS) for letter in "sdihbpfqoucz"),
)
# The functions of Android's C library that programs call, for linking without Android's development kit.
ANDROID = (
    "malloc free getenv open close lseek mmap munmap sysconf getpid pthread_create pthread_join pthread_attr_init"
    " pthread_attr_setstacksize pthread_sigmask clock_gettime sem_init sem_post sem_wait sem_destroy memcpy memset"
    " memmove memcmp syscall getrusage __cxa_finalize __cxa_atexit"
).split()
# The functions of the mathematical library that kernels may call.
ANDROID_MATHEMATICS = tuple(
    f"{name}{end}" for name in "exp2 log2 sin sqrt trunc floor ceil rint fma".split() for end in ("", "f")
)


@dataclass(frozen=True)
class System:
    """A row of the table.

    Attributes:
        triple: the system's name for clang.
        linked: its name for `zig cc`, which links shared libraries.
        static: its name for `zig cc` where executables need no shared library; the same if None.
        processors: options for its processors; the variants of x86-64 if empty.
        shared: the name of a shared library.
        options: for linking the shared library.
        executable: the name of an executable, or None if the system's users do not run any.
        bits: of a pointer.
        compiler: where there is no operating system, what the Makefile compiles with; see bare.py.
    """

    triple: str
    linked: str
    static: str | None = None
    processors: tuple[str, ...] = ()
    shared: str = "libmodel.so"
    options: tuple[str, ...] = ()
    executable: str | None = "model"
    bits: int = 64
    compiler: str = ""


LINUX = ("-Wl,-soname,libmodel.so", "-lpthread")
APPLE = ("-Wl,-install_name,@rpath/libmodel.dylib",)
# The targets that are not systems: a folder for browsers, which targets/web writes, and C for NVIDIA's GPUs.
WEB, CUDA = "web", "cuda"
SYSTEMS: Mapping[str, System] = {
    "x86_64-linux": System("x86_64-linux-gnu", "x86_64-linux-gnu.2.17", "x86_64-linux-musl", (), options=LINUX),
    "aarch64-linux": System(
        "aarch64-linux-gnu", "aarch64-linux-gnu.2.17", "aarch64-linux-musl", ("-march=armv8-a",), options=LINUX
    ),
    "x86_64-windows": System(
        "x86_64-w64-windows-gnu", "x86_64-windows-gnu", shared="model.dll", executable="model.exe"
    ),
    "aarch64-macos": System(
        "arm64-apple-macosx11.0", "aarch64-macos.11.0", None, ("-mcpu=apple-m1",), "libmodel.dylib", APPLE
    ),
    "x86_64-macos": System("x86_64-apple-macosx10.15", "x86_64-macos.10.15", None, (), "libmodel.dylib", APPLE),
    "aarch64-ios": System(
        "arm64-apple-ios13.0", "aarch64-ios.13.0", None, ("-mcpu=apple-a12",), "libmodel.dylib", APPLE, executable=None
    ),
    # From Android 10 on, which has thread-local variables.
    "aarch64-android": System(
        "aarch64-linux-android29", "", "aarch64-linux-musl", ("-march=armv8-a", "-mno-outline-atomics")
    ),
    "wasm32-wasi": System(
        "wasm32-wasi", "wasm32-wasi", None, ("-msimd128", "-mbulk-memory"), "libmodel.wasm",
        ("-mexec-model=reactor", "-Wl,--export-dynamic", "-Wl,--export=malloc", "-Wl,--export=free"), "model.wasm", 32
    ),
    "bare-arm": System(
        "thumbv7m-none-eabi", "", None, ("-mcpu=cortex-m3", "-mthumb"), "", (), None, 32, "arm-none-eabi-gcc"
    ),
    "bare-riscv32": System(
        "riscv32-unknown-elf", "", None, ("-march=rv32imac", "-mabi=ilp32"), "", (), None, 32, "riscv64-unknown-elf-gcc"
    ),
}  # fmt: skip


def system_of(name: str) -> System | None:
    """A row of the table; None for `native`, this machine.

    Raises:
        InputError: there is no such target.
    """
    if name == "native":
        return None
    if name not in SYSTEMS:
        raise InputError(
            f"there is no target {name!r:.60}; the targets are native, {WEB}, {CUDA}, {', '.join(SYSTEMS)}"
        )
    return SYSTEMS[name]


def is_bare(name: str) -> bool:
    """Whether a target is a processor without an operating system."""
    return name in SYSTEMS and SYSTEMS[name].compiler != ""


def emitted_kinds(name: str, text: str | None) -> tuple[str, ...]:
    """What to write for a target: what --emit lists, or C for this machine and all that other systems can use.

    Raises:
        InputError: there is no such target, or no such kind.
    """
    if name == WEB:
        if text is not None:
            raise InputError(f"--emit is for libraries and executables: {WEB} writes a folder for browsers")
        return ()
    if name == CUDA:
        if text not in (None, "c"):
            raise InputError(f"--emit {text!r:.40}: {CUDA} writes c, which make builds on the system that will run it")
        return ("c",)
    system = system_of(name)
    if text is None:
        if system is None or system.compiler:
            return KINDS[: 1 if system is None else 2]
        return KINDS[1:] if system.executable else ("library",)
    kinds = tuple(dict.fromkeys(kind.strip() for kind in text.split(",")))
    for kind in kinds:
        if kind not in KINDS:
            raise InputError(f"--emit {kind!r:.40}: expected some of {', '.join(KINDS)}, separated by commas")
    return kinds


def expect_supported(name: str, plan: Plan, kinds: Sequence[str]) -> None:
    """Refuse what a target lacks.

    Raises:
        InputError: it has no executables, or the program needs more memory than it can address.
        UnsupportedOp: it has no LAPACK.
    """
    system = system_of(name)
    if "executable" in kinds and system is not None and system.executable is None:
        raise InputError(f"{name} has no executables: its apps contain the library, so use --emit library")
    for step in (step for block in plan.blocks() for step in block.steps if isinstance(step, Lapack)):
        if kinds != ("c",):
            message = f"calls LAPACK, which {name} lacks; use --emit c, and link the C with a library that has it"
            raise error_at(step.op, message, UnsupportedOp)


def expect_addressable(name: str, size: int) -> None:
    """Refuse a program whose weights, arguments, results and working memory do not fit into a target's memory."""
    system = system_of(name)
    if system is not None and size >= 1 << system.bits:
        raise InputError(f"the program needs {size:,} bytes of memory, but {name} has at most {1 << system.bits:,}")


def largest_number(name: str) -> int:
    """What a `long`, in which C computes places and sizes, holds on a target; on those with 64 bits a part of it."""
    system = system_of(name)
    has_32_bits = system is not None and (system.bits == 32 or "windows" in system.triple)
    return 1 << (31 if has_32_bits else 61)


@dataclass
class SystemBuild:
    """The objects of a program for one system, in a temporary folder."""

    name: str
    folder: Path
    handlers: Sequence[str] = ()  # what links the libraries of handlers
    system: System | None = field(init=False)

    def __post_init__(self) -> None:
        self.system = system_of(self.name)

    @property
    def machine(self) -> tuple[str, ...]:
        if self.system is None:
            return this_machine()
        return (f"--target={self.system.triple}", *self.system.processors)

    @property
    def has_variants(self) -> bool:
        return self.system is not None and not self.system.processors

    def object(self, file: str, variant: str = "", *options: str) -> Path:
        target = self.folder / f"{Path(file).stem}{variant and '-'}{variant}.o"
        contracted = ("-ffp-contract=fast",) if file in CONTRACTED else ()
        flags = (*self.machine, *OPTIONS, "-isystem", str(zig.headers()), *FLAGS, *contracted, *options)
        zig.run("clang", [*flags, "-c", self.folder / file, "-o", target])
        return target

    def objects(self, files: Files) -> list[Path]:
        sources = [name for name in files if name.endswith(".c") and name != "main.c"]
        if self.system is not None and self.system.bits == 32:
            sources.remove("threads.c")
        narrow = any(name in bytes(part) for part in files.get("product.c", ()) for name in NARROW)
        variants = list(VARIANTS.items()) if narrow else list(VARIANTS.items())[:-1]
        jobs: list[Callable[[], Path]] = []
        for source in sources:
            if self.has_variants and source in VARIED:
                for variant, options in variants:
                    renamed = [f"-D{name}={name}_{variant}" for name in NAMES]
                    jobs.append(lambda s=source, v=variant, o=(*options, *renamed): self.object(s, v, *o))  # type: ignore[misc]
            else:
                options = (f"-DMODEL_LEVELS={len(variants)}",) if self.has_variants else ()
                jobs.append(lambda s=source, o=options: self.object(s, "", *o))  # type: ignore[misc]
        with ThreadPoolExecutor() as pool:
            return [job.result() for job in [pool.submit(job) for job in jobs]]

    def libraries(self, objects: Sequence[Path]) -> list[str]:
        """Build the shared and the static library, and return the names of their files."""
        archive = self.folder / "libmodel.a"
        zig.run("ar", ["rcs", archive, *objects])
        if self.system is None:
            name = {"darwin": "libmodel.dylib", "win32": "model.dll"}.get(sys.platform, "libmodel.so")
            return [self.link_file(name, objects, "-shared", *self.handlers), archive.name]
        if self.name == "aarch64-android":
            return [self.android(objects), archive.name]
        if self.name == "x86_64-windows":
            options = ("-shared", f"-Wl,--out-implib,{self.folder / 'model.lib'}", *windows.OPTIONS)
            made = self.link_file("model.dll", [*objects, *windows.runtime(self.folder)], *options)
            return [made, "model.lib", archive.name]
        shared = () if self.system.bits == 32 else ("-shared",)
        return [self.link_file(self.system.shared, objects, *shared, *self.system.options), archive.name]

    def link_file(self, name: str, objects: Sequence[Path], *options: str, triple: str = "") -> str:
        target = [f"--target={triple or self.system.linked}"] if self.system is not None else []
        # iOS has macOS's functions, and zig describes only macOS's libraries.
        libc = zig.apple_libraries(self.folder / "ios", "ios") if self.name == "aarch64-ios" else None
        zig.run("cc", [*target, "-O2", "-s", *objects, *options, "-o", self.folder / name], libc=libc)
        return name

    def android(self, objects: Sequence[Path]) -> str:
        """Link with stubs for the functions of Android's libraries."""
        stubs = []
        for library, names in (("libc", ANDROID), ("libm", ANDROID_MATHEMATICS)):
            text = "".join(f"void {name}(void) {{}}\n" for name in names)
            compiled = self.folder / f"{library}.o"
            zig.run(
                "clang",
                [*self.machine, "-fPIC", "-ffreestanding", "-w", "-fno-builtin", "-x", "c", "-c", "-", "-o", compiled],
                text,
            )
            stubs.append(self.folder / f"{library}.so")
            zig.run("ld.lld", ["-shared", "-soname", f"{library}.so", compiled, "-o", stubs[-1]])
        options = ["-shared", "-soname", "libmodel.so", "--no-undefined", "--gc-sections", "-s", "--as-needed"]
        # Android's newest devices have pages of 16 kB.
        zig.run("ld.lld", [*options, "-z", "max-page-size=16384", *objects, *stubs, "-o", self.folder / "libmodel.so"])
        return "libmodel.so"

    def executable(self, objects: Sequence[Path]) -> str:
        """Build the executable, which is static where the system has static executables."""
        if self.system is None:
            name, libraries = ("model.exe", []) if sys.platform == "win32" else ("model", ["-lm", "-pthread"])
            return self.link_file(name, [*objects, self.folder / "main.c"], *libraries, *self.handlers)
        triple = self.system.static or self.system.linked
        static = ("-static",) if "musl" in triple else ()
        if self.name == "aarch64-android":  # a static executable for Linux runs there, too
            twin = SystemBuild("aarch64-linux", self.folder)
            objects = [twin.object(Path(o).stem + ".c") for o in objects]
        options: tuple[str, ...] = ("-std=gnu11", "-Wl,--gc-sections", *static)
        assert self.system.executable is not None
        if self.name == "x86_64-windows":
            main = self.folder / "main.o"
            zig.run("cc", [f"--target={triple}", "-O2", "-std=gnu11", "-c", self.folder / "main.c", "-o", main])
            options = ("-Wl,--subsystem,console", "-Wl,-e,mainCRTStartup", *windows.OPTIONS)
            return self.link_file(
                "model.exe", [main, *objects, *windows.runtime(self.folder, executable=True)], *options
            )
        return self.link_file(self.system.executable, [self.folder / "main.c", *objects], *options, triple=triple)


def compiled_files(name: str, kinds: Sequence[str], files: Files, embed: bool, handlers: Sequence[str]) -> Files:
    """The files that `hlo2tiny compile` writes for a target, given those of the program in C.

    Raises:
        InputError: zig is not installed.
        UnsupportedOp: the C does not compile.
    """
    if "c" in kinds:
        kept = dict(files)
    else:
        kept = {n: parts for n, parts in files.items() if n in ("model.h", "model.hpp") or (n == WEIGHTS and not embed)}
    if set(kinds) == {"c"}:
        return kept
    with tempfile.TemporaryDirectory(prefix="hlo2tiny-") as folder:
        build = SystemBuild(name, Path(folder), handlers)
        for n, parts in files.items():
            if n != WEIGHTS or embed:
                with (build.folder / n).open("wb") as file:
                    file.writelines(parts)
        objects = build.objects(files)
        names = build.libraries(objects) if "library" in kinds else []
        if "executable" in kinds:
            names.append(build.executable(objects))
        return kept | {n: [(build.folder / n).read_bytes()] for n in names}
