"""A program as a folder of C: the code that the native executor runs, its weights, and what both need."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

import numpy as np

from ...errors import UnsupportedOp
from ...ir import error_at
from ...ir.sizes import largest
from ...plan.memory import ALIGNMENT
from ...plan.plan import Host, Plan
from ...templates import c_comment, c_string, fill
from ..handlers import Handler
from .interface import Parameter, declared, encode, interface_parts, interface_tables, interface_texts, parameters_of
from .linked import FAILED, FAILURE, calls_text, link_options, make_variable
from .source import CSource, entry_name, library_of
from .specialised import Programs, choices_text, choosing_text, open_parts, open_tables
from .templates import OWN_FUNCTIONS, TYPES_TEXT, handlers_text, read_code, template
from .weights import Weights
from .writing import WEIGHTS, Files, first_line

# A program's functions are called from its own files only, and it has no Python to ask about signals.
HIDDEN = "#define EXPORTED\n#define STANDALONE\n"
# What model.c needs to know of program.c, which may be compiled several times, for different processors.
CODE_STRUCT = """struct model_code {
  int (*run[PLANS])(char **in, char **out, char *const *constants, char *arena,
                    int (*host)(void *, long, char **, char **), void *call, void *const *library,
                    void (*parallel)(void (*)(void *const *, long, long), void *const *, long), void *const *python);
  void *const *library;
};
"""
OPEN_CODE_STRUCT = CODE_STRUCT.replace("*python);", "*python, const int64 *sizes);")
# How much of the list of sizes is in the header.
MOST_CHOICES = 2000
# The bytes that gemm.c uses at most.
GEMM_MEMORY = 5 << 20
# Clang's bit cast, for gcc.
BIT_CAST = """#ifndef __clang__
#define __builtin_bit_cast(T, x) ({ __auto_type from = (x); T to; __builtin_memcpy(&to, &from, sizeof to); to; })
#endif
"""


def expect_no_host(plan: Plan, handlers: Container[str] = ()) -> None:
    """Refuse a plan with steps that run in Python: custom calls that no compiled handler carries out.

    Raises:
        UnsupportedOp: the plan has such a step.
    """
    for step in (step for block in plan.blocks() for step in block.steps if isinstance(step, Host)):
        if step.name[1:] in handlers:
            continue
        subject = f"{step.name[1:]} " if step.name.startswith("@") else ""
        cure = "compute this part outside the exported function, or use hlo2tiny run"
        message = f"{subject}runs in Python, which a program in C cannot call; {cure}"
        raise error_at(step.op, message, UnsupportedOp)


def folder_files(
    programs: Programs,
    sizes: Sequence[str],
    constants: Sequence[np.ndarray],
    embed: bool,
    handlers: Mapping[str, Handler] = {},
) -> Files:
    """The files of a program in C by name, with its Makefile and its weights, which model.c contains if `embed`.

    Args:
        programs: the program for each choice of its open sizes, all of which share their text and the constants.
        sizes: the names of these sizes.
        handlers: the compiled handlers that carry out its custom calls.
    """
    weights = Weights(constants)
    library = library_of(*(program.plan for program in programs))
    own = own_texts(library)
    gemm = any(name.startswith("cblas_") for name in library)
    sources = ["program", "model", "threads", *own, *["gemm"] * gemm]
    inputs, outputs = (
        [*map(declared, zip(*side))] for side in ([p.inputs for p in programs], [p.outputs for p in programs])
    )
    pairs = set.intersection(*(set(program.plan.donated.items()) for program in programs))
    donated = {result: n for result, n in programs[0].plan.donated.items() if (result, n) in pairs}
    parameters = parameters_of(inputs, outputs, donated, sizes)
    source = programs[0].source
    calls = source.calls
    sources += ["handlers", "calls"] if calls else []
    about = f"   sizes: {c_comment(choices_text(programs, sizes), MOST_CHOICES)}\n" if sizes else ""
    opens = programs[-1].plan.is_open
    grows = (
        "" if programs[-1].is_bounded else " The context's working memory grows if these need more than those before."
    )
    more = (
        fill(template(f"{'open' if opens else 'sizes'}.h"), {"COUNT": str(len(sizes)), "GROWS": grows}) if sizes else ""
    )
    more, failed = (more + FAILURE.format(count=len(calls)), FAILED) if calls else (more, "")
    texts = interface_texts(parameters, inputs, outputs, donated, about, more, failed, opens) | {
        "program.c": program_text(source, [*library, *["call_handler"] * bool(calls)], len(programs)),
        "model.c": model_text(programs, sizes, weights, parameters, gemm, embed),
        "threads.c": HIDDEN
        + TYPES_TEXT
        + "".join(map(read_code, ("clock.c", "threading.c", "semaphores.c", "threads.c"))),
        "Makefile": fill(
            template("Makefile"),
            {
                "OWN_OBJECTS": " ".join(f"{name}.o" for name in sources),
                "HANDLERS": make_variable(link_options(handlers)) if calls else "",
            },
        ),
    }
    if calls:
        texts |= {"handlers.c": HIDDEN + handlers_text("model"), "calls.c": calls_text(calls, handlers)}
    texts |= {f"{kind}.c": text for kind, text in own.items()}
    if gemm:
        texts["gemm.c"] = template("gemm.c")
    return files_of(texts, weights)


def files_of(texts: Mapping[str, str], weights: Weights) -> Files:
    """The files of a folder, given its texts."""
    files: dict[str, Iterable[bytes | memoryview]] = {}
    files |= {name: [f"{first_line(name)}\n{text}".encode()] for name, text in texts.items()}
    if weights.constants:
        files[WEIGHTS] = weights.parts()
    return files


# ---------------------------------------------------------------- text


def program_text(source: CSource, library: Sequence[str] = (), plans: int = 1) -> str:
    """The kernels, the driver and the table of library functions as one file, which exports `model_code` alone."""
    kernels = (kernel.text(static=True) for kernel in source.kernels.values())
    table = library_table(library) if library else ["static void *const *const library = 0;"]
    runs = ", ".join(map(entry_name, range(plans)))
    struct = OPEN_CODE_STRUCT if source.is_open else CODE_STRUCT
    code = [f"enum {{ PLANS = {plans} }};", struct, *table]
    code.append(f"const struct model_code model_code = {{{{{runs}}}, library}};\n")
    return "".join([HIDDEN, BIT_CAST, source.functions, *kernels, source.driver, "\n", "\n".join(code)])


def own_texts(library: Sequence[str]) -> dict[str, str]:
    """Our own functions of each kind that a program calls, with names that no other library has."""
    own = {kind: [name for name in library if name.endswith(kind)] for kind in OWN_FUNCTIONS}
    texts = {kind: OWN_FUNCTIONS[kind]([name[0] for name in names]) for kind, names in own.items() if names}
    defined = {kind: (f"#define {name} model_{name}\n" for name in own[kind]) for kind in texts}
    return {kind: "".join([HIDDEN, *defined[kind], text]) for kind, text in texts.items()}


# ---------------------------------------------------------------- tables


def model_text(
    programs: Programs,
    sizes: Sequence[str],
    weights: Weights,
    parameters: Sequence[Parameter],
    gemm: bool,
    embed: bool,
) -> str:
    """The tables of a program, in the template of the functions that are the same for all programs."""
    opens, grows = programs[-1].plan.is_open, not programs[-1].is_bounded
    arenas = [] if opens and grows else [align_size(largest(program.source.arena)) for program in programs]
    arena = max([ALIGNMENT, *arenas])
    copies, copied = 0, list[str]()
    for plan, program in enumerate(programs):
        end = 0
        for result, n in copied_results(program.plan, program.source).items():
            copied.append(f"{{{plan}, {n}, {result}, {end}}}")
            end += align_size(program.outputs[result].size)
        copies = max(copies, end)
    arrays = [] if opens else [(program.inputs, program.outputs) for program in programs]
    tables = interface_tables(weights, arrays, embed)
    infos = ", ".join(f"&info{plan or ''}" for plan in range(len(programs)))
    if sizes:
        tables.append(choosing_text([program.sizes for program in programs]))
    if opens:
        tables += open_tables(programs[-1], sizes)
    else:
        tables.append(f"static const struct model_info *const infos[] = {{{infos}}};")
    if sizes and not opens:
        names_of_sizes = ", ".join(c_string(encode(size)) for size in sizes)
        message = encode(f"there is no code for these sizes; there is for {choices_text(programs, sizes)}")
        tables += [
            f"static const char *const size_names[] = {{{names_of_sizes}}};",
            f"static const char no_sizes[] = {c_string(message)};",
        ]
    tables += [
        "/* Donated inputs whose results are computed elsewhere and then copied: the input, the result, and where. */",
        f"enum {{ RESULTS = {max(1, len(programs[0].outputs))}, COPIED = {len(copied)} }};",
        f"static const struct {{ size_t plan, input, result, place; }} copied[] = {{{', '.join(copied) or '{0}'}}};",
        "/* The sizes of a run's working memory, of that of gemm.c, and of the results that are copied. */",
        f"static const size_t arena_size = {arena}, library_size = {GEMM_MEMORY * gemm}, copies_size = {copies};",
        "#define USE_LIBRARY_MEMORY(memory) " + ("model_library_memory = memory" if gemm else "(void)0"),
        *["_Thread_local char *model_library_memory;"] * gemm,
        "#ifdef MODEL_LEVELS",
        "extern const struct model_code model_code_baseline, model_code_avx2, model_code_avx512;",
        "extern const struct model_code model_code_avx512bf16;",
        "#else",
        "extern const struct model_code model_code;",
        "#endif",
    ]
    listed = ", ".join(p.name for p in parameters if p.is_size)
    run = f"model_run_for(context, (const int64_t[]){{{listed}}}, inputs, outputs)" if listed else None
    code = f"enum {{ PLANS = {len(programs)} }};\n{OPEN_CODE_STRUCT if opens else CODE_STRUCT}"
    parts = {"CODE_STRUCT": code, "TYPES": TYPES_TEXT, "TABLES": "\n".join(tables)}
    parts["RUN"] = run or "model_run_arrays(context, inputs, outputs)"
    parts |= open_parts(programs) if opens else STATIC_PARTS | {"SIZES_CODE": template("sizes.c")}
    return fill(template("model.c"), parts | interface_parts(parameters))


# The parts of model.c that are others where sizes are open.
STATIC_PARTS = dict.fromkeys(("FIELDS", "FREE", "SIZES_GIVEN", "GROW", "SIZES", "OTHERWISE"), "")
STATIC_PARTS |= {"INFO": "infos[plan]", "ARENA": "context->arena", "DESCRIBED": "&info"}
STATIC_PARTS |= {"FIRST": "run(context, 0, inputs, outputs)"}
STATIC_PARTS |= {"NO_SIZES": "#ifdef MODEL_SIZES\n    case MODEL_NO_SIZES: return no_sizes;\n#endif\n"}


def copied_results(plan: Plan, source: CSource) -> dict[int, int]:
    """Results in the memory of a donated input that are computed elsewhere and then copied, and that input."""
    return {result: n for result, n in plan.donated.items() if result not in source.in_place}


def align_size(size: int) -> int:
    return -(-size // ALIGNMENT) * ALIGNMENT


def library_table(library: Sequence[str]) -> Iterator[str]:
    """The table of library functions; the macros CBLAS and LAPACK can change their names."""
    yield from ("#ifdef MODEL_BLAS", "#ifndef CBLAS", "#define CBLAS(name) cblas_##name", "#endif")
    yield from ("#ifndef LAPACK", "#define LAPACK(name) name##_", "#endif")
    yield from ("#else", "#define CBLAS(name) model_##name")
    if any(name.endswith("_") for name in library):
        yield '#error "this program calls LAPACK: make BLAS=-lopenblas, or link another library that has it"'
    yield "#endif"
    functions = list(map(function_text, library))
    yield f"void {', '.join(f'{function}(void)' for function in functions)};"
    yield f"static void *const library[] = {{{', '.join(f'(void *){function}' for function in functions)}}};"


def function_text(name: str) -> str:
    if name.endswith("_"):
        return f"LAPACK({name[:-1]})"
    return f"CBLAS({name.removeprefix('cblas_')})" if name.startswith("cblas_") else f"model_{name}"
