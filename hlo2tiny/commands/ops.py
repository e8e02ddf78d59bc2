"""What the rows say about each op, as a page in Markdown: `hlo2tiny ops --table`, docs/ops.md."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping

from ..derivatives import DERIVATIVES
from ..derivatives.tape import CONSTANT
from ..ops import OPS, Definition, Trait
from ..ops.attributes import Kind
from ..ops.definition import FOREIGN
from ..rules import RULES
from ..rules.control import CONTROL
from ..specialise.dynamic import DYNAMIC
from ..verify.problems import support_table
from ..verify.refused import REFUSED
from . import conformance
from .terminal import show

# The structure of a module; nothing of it runs.
PARTS = {"builtin.module", "func.func", "sdy.mesh"}
HEADINGS = {"stablehlo": "StableHLO", "chlo": "CHLO", "sdy": "Shardy"}

PAGE = """# Ops

The parsers, the printers and verification are made from this table, which has one row for each op. `hlo2tiny ops
--table` prints it. [Conformance](conformance.md) shows how each op was tested, [Add an op](extend/op.md) how a row is
written.

- **types**: a letter for each operand and each result. Those with the same letter have the same element type: `T`
  including the scales of quantized types, `Q` without them, `X` the types that these express, `R` the real type of
  complex numbers, or real numbers, `C` the real type of complex numbers only; `E` pairs each operand with a result.
  `B` is i1, `S` i32, `L` i64, `U` ui32, `I` any integer, `D` an integer or an index, `A` anything but an index, `.`
  anything. `*` stands for any number of them.
- **kinds**: what the first operand (the result, if there is none) may hold: `b` booleans, `i` integers, `s` signed
  and `u` unsigned ones, `f` floats, `c` complex numbers.
- **attributes**: with their kind; then the default, if they may be left out, and the version that added or removed
  them.
- **form**: the pretty form, if there is one other than `op %a, %b : type`. `%` stands for the operands, `$name` for
  an attribute.
- **traits**: what other stages rely on.
- **runs as**: *kernels*, which its rule makes; a *step* of its own, native on the CPU where LAPACK or a Fourier
  transform computes it, and otherwise on the host; *control flow* of the plan; its *static* form, once shapes are
  known; nothing, if it is *folded* or *removed* before the program runs. An op that is *refused* needs something that a
  file does not contain.
- **gradient**: whether the op has a derivative; *zero* if its result is constant or changes only in steps.
"""

OTHERS = """## Other dialects

The ops of mhlo, StableHLO's predecessor, are read as ops of StableHLO and CHLO. The following ops have no row, but they
run, or are folded first: {run}.

The following ops are read, so that `inspect` and `convert` work, but they do not run: {read}.
"""


def page() -> str:
    """The page of the documentation: a table for each dialect."""
    sections = [PAGE]
    for dialect in dict.fromkeys(name.partition(".")[0] for name in OPS):
        sections.append(f"## {HEADINGS.get(dialect, dialect)}\n")
        sections.append("| op | types | kinds | attributes | form | traits | runs as | gradient |")
        sections.append("|---|---|---|---|---|---|---|---|")
        rows = (row for name, row in sorted(OPS.items()) if name.partition(".")[0] == dialect)
        sections += [f"| {' | '.join(map(escape, cells(row)))} |" for row in rows]
        sections.append("")
    run = [name for name, state in support_table() if state == "yes" and name not in OPS and name[0] != "@"]
    read = [name for name in sorted(FOREIGN.keys() - {*run} - PARTS) if not name.startswith("mhlo.")]
    sections.append(OTHERS.format(run=", ".join(map(code, run)), read=", ".join(map(code, read))))
    return "\n".join(sections)


def code(text: str) -> str:
    return f"`{text}`"


def cells(row: Definition) -> list[str]:
    attributes = [*describe(row.attributes), *(f"{text}, in old files" for text in describe(row.former))]
    traits = [trait.name.lower() for trait in row.traits if trait.name]
    form = "" if row.form == "%" else code(row.form)
    return [code(row.name), code(row.elements), row.kinds, "<br>".join(attributes), form, ", ".join(traits), *fate(row)]


def describe(attributes: Mapping[str, Kind]) -> list[str]:
    """A line for each attribute."""
    lines = []
    for name, kind in attributes.items():
        parts = [f"{code(name)}: {kind.text}"]
        if not kind.required:
            parts.append("optional" if kind.default is None else f"default {default_text(kind.default)}")
        parts += [f"since {kind.since}"] if kind.since else []
        parts += [f"until {kind.until}"] if kind.until else []
        lines.append(", ".join(parts))
    return lines


def default_text(value: object) -> str:
    """A default as MLIR writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    return '""' if value == "" else "[]" if value == () else str(value)


def fate(row: Definition) -> tuple[str, str]:
    """What an op runs as, and whether it has a gradient."""
    name = row.name
    alike = row.same_as if row.traits & Trait.BROADCASTING else name
    gradient = (
        "yes"
        if alike in DERIVATIVES or row.traits & (Trait.CALL | Trait.WRAPPER)
        else "zero"
        if alike in CONSTANT
        else "no"
    )
    if name in REFUSED:
        return "refused", ""
    if name in RULES:
        return "step" if RULES[name].host else "kernels", gradient
    if row.traits & Trait.WRAPPING:
        return "removed", ""
    if name in CONTROL:
        return "control flow", gradient
    if name in DYNAMIC:
        return "static", ""
    return ("its target", "") if row.traits & Trait.CUSTOM else ("removed", "")


def escape(text: str) -> str:
    """A cell of a table, in which bars separate cells."""
    return text.replace("|", "\\|")


def run(options: argparse.Namespace) -> int:
    if options.conformance:
        show(conformance.table(conformance.load()))
        return 0
    if options.table:
        show(page())
        return 0
    table = support_table()
    for name, state in table:
        show(f"{state:8}{name}")
    specified = [state for name, state in table if name.startswith(("stablehlo.", "chlo."))]
    counts = Counter(specified)
    show(f"{counts['yes']} of {len(specified)} ops of StableHLO and CHLO run, {counts['refused']} are refused by name")
    return 0
