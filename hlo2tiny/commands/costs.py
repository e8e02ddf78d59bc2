"""`hlo2tiny inspect --cost`: what a program costs, by scope of the model and by op, as text."""

from __future__ import annotations

from collections.abc import Sequence

from ..cost import CostRow, ProgramCost
from ..errors import count_text, printable_name
from .terminal import one_line

LEAST_SHARE = 1000  # scopes with less than this part of the operations and of the bytes are left out
MOST_ROWS = 40
PREFIXES = ("", "k", "M", "G", "T", "P", "E", "Z", "Y", "R", "Q")  # 10**3, 10**6, …
HEADINGS = f"{'flops':>10}{'bytes':>10}{'flops/B':>9}{'memory':>10}{'iterations':>12}  "


def cost_text(cost: ProgramCost) -> str:
    """The totals, the scopes as a tree, and the ops that take most."""
    total = f"{amount(cost.flops)}flop, {amount(cost.bytes)}B read and written, {ratio(cost)} flop per byte"
    lines = [f"a call: {total}, {amount(cost.peak_memory)}B of memory at its peak"]
    if cost.open_loops:
        lines.append(f"{count_text(cost.open_loops, 'loop')} of unknown trip count: one iteration is counted")
    for name, count in sorted(cost.uncounted.items()):
        lines.append(f"ops whose operations are unknown and not counted: {count} {printable_name(name)}")
    scopes = [row for row in cost.scopes if is_large(row, cost)]
    lines += [f"{HEADINGS}scope", *(row_text(row, row.name, len(row.scope)) for row in scopes)]
    if len(scopes) < len(cost.scopes):
        lines.append(f"{'':47}  {count_text(len(cost.scopes) - len(scopes), 'smaller scope')}")
    ops = sorted(cost.ops, key=lambda row: (-row.flops, -row.bytes))
    lines += [f"{HEADINGS}op", *(row_text(row, f"{row.name}  {row.place}") for row in ops[:MOST_ROWS])]
    if len(ops) > MOST_ROWS:
        lines.append(rest_text(ops[MOST_ROWS:]))
    return "\n".join(lines)


def is_large(row: CostRow, cost: ProgramCost) -> bool:
    return row.flops * LEAST_SHARE >= cost.flops > 0 or row.bytes * LEAST_SHARE >= cost.bytes > 0


def rest_text(rows: Sequence[CostRow]) -> str:
    flops, moved = (amount(sum(getattr(row, name) for row in rows)) for name in ("flops", "bytes"))
    return f"{flops:>10}{moved:>10}{'':27}  {len(rows)} more"


def row_text(row: CostRow, name: str, depth: int = 0) -> str:
    cells = f"{amount(row.flops):>10}{amount(row.bytes):>10}{ratio(row):>9}{amount(row.peak_memory):>10}"
    return f"{cells}{amount(row.iterations).strip():>12}  {'  ' * depth}{one_line(name)}".rstrip()


def ratio(row: CostRow | ProgramCost) -> str:
    return f"{row.intensity:.2f}" if row.bytes else ""


def amount(number: int) -> str:
    """A number with a prefix such as M: 12.3 M. Calls of calls may double it endlessly."""
    if number >= 10**36:
        return "over 1e36 "
    power = min((len(str(number)) - 1) // 3, len(PREFIXES) - 1)
    value = number / 1000**power
    return f"{number} " if not power else f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f} {PREFIXES[power]}"
