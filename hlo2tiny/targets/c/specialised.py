"""A program in C for one choice of its open sizes, or for all of them: its parts of model.c."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...ir.dtypes import static_shape
from ...ir.sizes import is_open, largest
from ...plan.plan import Plan
from ...records import dataclass
from ...templates import c_string, fill
from .interface import Tensors, encode
from .source import CSource
from .templates import template


@dataclass(frozen=True)
class Specialised:
    """A program in C for one choice of its open sizes, or for all.

    Attributes:
        checks: the constraints on sizes that stay open, as conditions in C, with a message for each.
        is_bounded: whether the arena is allocated for the largest of these, so that runs allocate nothing.
    """

    sizes: tuple[int, ...]
    plan: Plan
    source: CSource
    inputs: Tensors
    outputs: Tensors
    checks: Sequence[tuple[str, str]] = ()
    is_bounded: bool = False


Programs = Sequence[Specialised]


def choices_text(programs: Programs, sizes: Sequence[str]) -> str:
    """The sizes that a program has code for: b = 1, 64, or for several sizes (b, t) = (1, 16), (64, 128)."""
    *others, last = programs
    if last.plan.is_open:
        text = ", ".join(f"{name} from 1 to {largest(size)}" for name, size in zip(sizes, last.sizes))
        pairs = ([(n, s) for n, s in zip(sizes, program.sizes) if not is_open(s)] for program in others)
        own = "; ".join(", ".join(f"{name} = {size}" for name, size in listed) for listed in pairs)
        return f"{text}; with code of their own: {own}" if own else text
    if len(sizes) == 1:
        return f"{sizes[0]} = {', '.join(str(program.sizes[0]) for program in programs)}"
    return f"({', '.join(sizes)}) = {', '.join(str(program.sizes) for program in programs)}"


def choosing_text(choices: Sequence[Sequence[int]]) -> str:
    """The function `plan_for`, which says where the program runs which of its plans is for some sizes."""
    numbers = ", ".join("-1" if is_open(size) else str(size) for sizes in choices for size in sizes)
    return fill(template("choices.c"), {"CHOICES": numbers})


GROW = """
  const size_t needed = @ARENA@;
  if (needed > context->grown_size) {
    free(context->grown);
    context->grown = malloc(needed + ALIGNMENT);
    context->grown_size = context->grown ? needed : 0;
    if (!context->grown) return __atomic_store_n(&context->busy, 0, __ATOMIC_RELEASE), MODEL_NO_MEMORY;
  }
  char *const arena = (char *)(((uintptr_t)context->grown + ALIGNMENT - 1) & -(uintptr_t)ALIGNMENT);"""
COPY_SIZES = """
  int64 own[MODEL_SIZES];
  for (size_t i = 0; i < MODEL_SIZES; i++) own[i] = sizes[i];"""


def open_parts(programs: Programs) -> dict[str, str]:
    """The parts of model.c where sizes are open; the last program is for all of them."""
    program = programs[-1]
    ones = f"(const int64_t[]){{{', '.join('1' for _ in program.sizes)}}}"
    parts = {"SIZES_GIVEN": ", const int64_t *sizes", "INFO": "described(sizes)", "SIZES": ", own", "NO_SIZES": ""}
    parts |= {"FIRST": f"model_run_for(context, {ones}, inputs, outputs)", "DESCRIBED": f"described({ones})"}
    count = "(int)(sizeof broken / sizeof *broken)"
    known = f"code >= MODEL_NO_SIZES && code < MODEL_NO_SIZES + {count}"
    parts["OTHERWISE"] = f"{known} ? broken[code - MODEL_NO_SIZES] : "
    checks = (f"  if (!({condition})) return MODEL_NO_SIZES + {i};" for i, (condition, _) in enumerate(program.checks))
    parts["SIZES_CODE"] = fill(template("open.c"), {"CHECKS": "\n".join(checks)})
    if program.is_bounded:
        return parts | {"FIELDS": "", "FREE": "", "GROW": COPY_SIZES, "ARENA": "context->arena"}
    arenas = "".join(f"plan == {i} ? {p.source.arena} : " for i, p in enumerate(programs[:-1]))
    grow = fill(GROW, {"ARENA": f"(size_t)({arenas}{program.source.arena})"})
    fields = "\n  char *grown; /* the working memory, allocated apart */\n  size_t grown_size;"
    return parts | {"FIELDS": fields, "FREE": "\n  free(context->grown);", "GROW": COPY_SIZES + grow, "ARENA": "arena"}


def open_tables(program: Specialised, sizes: Sequence[str]) -> Iterator[str]:
    """What model.c knows of open sizes: their names and limits, what may be wrong, and the arrays for each."""
    names = ", ".join(c_string(encode(name)) for name in sizes)
    yield f"static const char *const size_names[] = {{{names}}};"
    yield f"static const int64_t most_sizes[] = {{{', '.join(str(largest(size)) for size in program.sizes)}}};"
    messages = ", ".join(c_string(encode(message)) for _, message in program.checks)
    yield f"static const char *const broken[] = {{{messages}}};"
    tensors = *program.inputs, *program.outputs
    counts = len(program.inputs), len(program.outputs)
    numbers = [size for tensor in tensors for size in static_shape(tensor.type)]
    yield "static const struct model_info *described(const int64_t *sizes) {"
    yield f"  static _Thread_local size_t shapes[{max(1, len(numbers))}];"
    yield f"  static _Thread_local struct model_tensor tensors[{max(1, len(tensors))}];"
    yield "  static _Thread_local struct model_info info;"
    yield from (f"  shapes[{i}] = {size};" for i, size in enumerate(numbers))
    at = 0
    for i, t in enumerate(tensors):
        rank = len(t.type.shape)
        fields = f"{t.element_size}, {rank}, shapes + {at}, {t.size}"
        name, dtype = c_string(encode(t.name)), c_string(t.dtype.encode())
        yield f"  tensors[{i}] = (struct model_tensor){{{name}, {dtype}, {fields}}};"
        at += rank
    yield f"  info = (struct model_info){{{counts[0]}, {counts[1]}, tensors, tensors + {counts[0]}}};"
    yield "  return &info;"
    yield "}"
