"""A plan as text, for `hlo2tiny inspect --plan`."""

from __future__ import annotations

from collections import Counter

from ..dtypes import type_text
from .plan import Block, Call, Case, Convolution, Fourier, Gemm, Host, Kernels, Plan, While


def plan_text(plan: Plan) -> str:
    """One line for a step: the buffers it writes, what it is, the buffers it reads."""
    lines = ["main:", *block_lines(plan.main, "  ")]
    for name, block in plan.functions.items():
        lines += [f"@{name}:", *block_lines(block, "  ")]
    return "\n".join(lines)


def block_lines(block: Block, indent: str) -> list[str]:
    lines = [f"{indent}%{i}: {type_text(block.types[i])} = input" for i in range(block.inputs)]
    lines += [f"{indent}%{i}: {type_text(block.types[i])} = constant, {a.nbytes} bytes" for i, a in block.constants]
    for step in block.steps:
        lines += step_lines(block, step, indent)
    return [*lines, f"{indent}return {numbers(block.outputs)}"]


def step_lines(block: Block, step: object, indent: str) -> list[str]:
    match step:
        case Kernels():
            ops = Counter(op.name.split(".")[-1] for op in step.ops)
            what = ", ".join(f"{name} {count}" if count > 1 else name for name, count in ops.most_common())
            return [f"{indent}{written(block, step.outputs)} = region({numbers(step.inputs)}) {step.key[:8]}: {what}"]
        case While():
            head = f"{indent}{written(block, step.outputs)} = while({numbers(step.carries)}; {numbers(step.captures)})"
            inner = [f"{indent}condition:", *block_lines(step.condition, indent + "  ")]
            return [head, *inner, f"{indent}body:", *block_lines(step.body, indent + "  ")]
        case Case():
            lines = [f"{indent}{written(block, step.outputs)} = case %{step.index}({numbers(step.captures)})"]
            for number, branch in enumerate(step.branches):
                lines += [f"{indent}branch {number}:", *block_lines(branch, indent + "  ")]
            return lines
        case Call():
            return [f"{indent}{written(block, step.outputs)} = call @{step.name}({numbers(step.inputs)})"]
        case Host():
            return [f"{indent}{written(block, step.outputs)} = host {step.name}({numbers(step.inputs)})"]
        case Gemm():
            p = step.product
            batch = f"{'x'.join(map(str, p.batch))} of " if p.batch else ""
            marks = ["ᵀ" if x.transposed else "" for x in (p.a, p.b)]
            what = f"{p.letter}gemm({', '.join(f'%{n}{mark}' for n, mark in zip(step.inputs, marks))})"
            return [f"{indent}{written(block, step.outputs)} = {what}: {batch}{p.m}x{p.k}x{p.n}, {p.flops:,} flops"]
        case Convolution():
            w = step.windows
            kind = ("read", "copied", "across")[w.kind]
            what = (
                f"convolution({numbers(step.inputs)}): {w.groups} of {w.rows}x{w.depth}x{w.features} {kind}, parts of "
            )
            parts = f"{w.part_rows}x{w.part_depth}x{w.part_features}"
            return [f"{indent}{written(block, step.outputs)} = {what}{parts}, {w.flops:,} flops"]
        case Fourier():
            t = step.transform
            turns = ", ".join(f"{v.count} of {v.length}" + f" by {v.size}" * (v.size != v.length) for v in t.lines)
            what = f"{'inverse ' if t.inverse else ''}fourier({numbers(step.inputs)}): {turns}, {t.flops:,} flops"
            return [f"{indent}{written(block, step.outputs)} = {what}"]
    raise TypeError(step)


def numbers(buffers: tuple[int, ...]) -> str:
    return ", ".join(f"%{b}" for b in buffers)


def written(block: Block, buffers: tuple[int, ...]) -> str:
    return ", ".join(f"%{b}: {type_text(block.types[b])}" for b in buffers)
