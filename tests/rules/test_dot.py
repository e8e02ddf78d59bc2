"""Matrix products, against numpy.einsum."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from .cases import case, new_tests
from .mlir import Call
from .numbers import (
    FLOATS,
    INTEGERS,
    bf16,
    boolean,
    c64,
    c128,
    f32,
    f64,
    i8,
    i32,
    is_floating,
    random,
    seeds,
    type_of,
    u8,
    u32,
)

LETTERS = "abcdefgh"


def product(a: np.ndarray, b: np.ndarray, formula: str, out: np.dtype) -> np.ndarray:
    if a.dtype == boolean:
        return np.einsum(formula, a.astype(i32), b.astype(i32)) > 0
    if a.dtype.kind == "c":
        return np.einsum(formula, a, b).astype(out)
    work = f64 if is_floating(a.dtype) else np.dtype(np.int64)
    return np.einsum(formula, a.astype(work), b.astype(work)).astype(out)


def dotted(a: str, b: str, dtype: np.dtype, seed: int = 0, out: np.dtype | None = None, size: int = 0) -> Call:
    """Operands named by letters as in einsum: A in both operands is a batch dimension, x and y are contracted."""
    sizes = {"A": 2, "B": 3, "x": size or 3, "y": 2, "m": 2, "n": 4, "k": 1, "z": 0}
    whole = [random(seed + i, [sizes[d] for d in dims], dtype) for i, dims in enumerate((a, b))]
    if is_floating(dtype) or dtype.kind == "c":
        whole = [np.round(x.astype(dtype if dtype.kind == "c" else f64)).astype(dtype) for x in whole]
    batch, contracted = ([d for d in a if d in b and d.isupper() == upper] for upper in (True, False))
    free = [d for d in a if d not in b] + [d for d in b if d not in a]
    formula = f"{a},{b}->{''.join(batch + free)}"
    numbers = {
        "lhs_batching_dimensions": [a.index(d) for d in batch],
        "rhs_batching_dimensions": [b.index(d) for d in batch],
        "lhs_contracting_dimensions": [a.index(d) for d in contracted],
        "rhs_contracting_dimensions": [b.index(d) for d in contracted],
    }
    text = f"#stablehlo.dot<{', '.join(f'{n} = {v}' for n, v in numbers.items())}>"
    return Call(whole, {"dot_dimension_numbers": text}, result=lambda a, b, **_: product(a, b, formula, out or dtype))


FORMS = [
    ("mx", "xn"),
    ("x", "x"),
    ("Amx", "Axn"),
    ("xAm", "nxA"),
    ("mxy", "yxn"),
    ("m", "n"),
    ("mBxA", "AxBn"),
    ("", "n"),
]
WRONG = (random(0, (2, 3), f32), random(0, (4, 2), f32))
NUMBERS = "#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>"

HIGHEST = "[#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>]"


def numbers(**dimensions: list[int]) -> str:
    return f"#stablehlo.dot<{', '.join(f'{n}_dimensions = {v}' for n, v in dimensions.items())}>"


def wrong(message: str, **dimensions: list[int]) -> tuple[Call, str]:
    return Call([ROWS, ROWS], {"dot_dimension_numbers": numbers(**dimensions)}, "tensor<f32>"), message


# Twelve bits, so that bf16, f16 and tf32 round them, and f32 holds their products.
EIGHTHS = np.round(random(3, (3, 1), f32, -4000, 4000)) / 8


def rounded_to(precision: str, x: np.ndarray) -> np.ndarray:
    if precision == "tf32":  # bits below 10 of the significand are rounded off
        bits = x.view(u32)
        return ((bits + 0xFFF + ((bits >> 13) & 1)) & np.uint32(0xFFFFE000)).view(f32).astype(f64)
    return x.astype({"bf16": bf16, "f16": np.float16, "f32": f32, "f64": f64}[precision]).astype(f64)


def by_algorithm(lhs: str, rhs: str, total: str, wrong: bool = False, operations: int = 1, **others: Any) -> Call:
    """A product of numbers that the algorithm rounds."""
    counts = {"lhs_component_count": 1, "rhs_component_count": 1} | others
    precision = {"precision_config": counts.pop("precision_config")} if "precision_config" in others else {}
    text = f"lhs_precision_type = {lhs}, rhs_precision_type = {rhs}, accumulation_type = {total}, {fields(counts)}"
    text += f", num_primitive_operations = {operations}, allow_imprecise_accumulation = false"
    attributes = {"dot_dimension_numbers": NUMBERS, "algorithm": f"#stablehlo.dot_algorithm<{text}>"}

    def result(a: np.ndarray, b: np.ndarray, **_: Any) -> np.ndarray:
        if operations == 1:
            a, b = rounded_to(lhs, a), rounded_to(rhs, b)
        exact = a.astype(f64) @ b.astype(f64)
        return rounded_to(total, exact if total == "f64" else exact.astype(f32)).astype(f32)

    return Call([EIGHTHS, EIGHTHS.T], attributes | precision, "tensor<3x3xf32>" * wrong, result)


def extremes(dtype: np.dtype, out: np.dtype) -> Call:
    """Sums that leave the type, and wrap."""
    limits = np.array([np.iinfo(dtype).min, np.iinfo(dtype).max, 1, 2], dtype)
    operands = [np.stack([limits, limits[::-1]]), np.stack([limits, np.flip(limits)], 1)]
    columns = {"lhs_contracting_dimensions": [1], "rhs_contracting_dimensions": [0]}

    def result(a: np.ndarray, b: np.ndarray, **_: Any) -> np.ndarray:
        bits = np.array(a.astype(object) @ b.astype(object)) & (2 ** (8 * out.itemsize) - 1)
        return np.array(bits.astype(f"u{out.itemsize}")).view(out)

    return Call(operands, {"dot_dimension_numbers": f"#stablehlo.dot<{fields(columns)}>"}, result=result)


def fields(values: dict[str, list[int]]) -> str:
    return ", ".join(f"{n} = {v}" for n, v in values.items())


def len_of_sum(call: Call) -> int:
    contracted = (
        call.attributes["dot_dimension_numbers"].partition("lhs_contracting_dimensions = [")[2].partition("]")[0]
    )
    return int(np.prod([call.operands[0].shape[int(d)] for d in contracted.split(",") if d]))


ALGORITHMS = [("bf16", "f32"), ("bf16", "bf16"), ("f16", "f16"), ("f16", "f32"), ("tf32", "f32"), ("f32", "f32")]
ALGORITHMS += [("f64", "f64")]
ROWS = random(0, (2, 3), f32)
NEGATIVE_ZERO = [np.array([[-0.0, -0.0]], f32), np.array([[1], [2]], f32)]
case(
    "stablehlo.dot_general",
    draw=st.builds(
        lambda seed, form, dtype: dotted(*form, dtype, seed),
        seeds,
        st.sampled_from(FORMS),
        st.sampled_from([f32, f64, i32, bf16, i8]),
    ),
    ref=None,
    examples=[
        *(dotted("Amx", "Axn", dtype) for dtype in (*FLOATS, *INTEGERS, c64, c128, boolean)),
        *(dotted(a, b, f32) for a, b in FORMS),
        *(extremes(dtype, dtype) for dtype in INTEGERS),
        # The result's type may be wider than the operands', or narrower.
        dotted("mx", "xn", i8, out=i32),
        dotted("mx", "xn", u8, out=i32),
        extremes(i8, i32),
        extremes(u8, u32),
        extremes(i32, i8),
        dotted("mx", "xn", bf16, out=f32),
        dotted("mx", "xn", f64, out=f32),
        dotted("mx", "xn", f32, out=bf16),
        # The sum starts from +0.
        Call(NEGATIVE_ZERO, {"dot_dimension_numbers": NUMBERS}, result=lambda a, b, **_: a @ b + 0),
        Call(
            [x[:, :1] if x.shape[0] == 1 else x[:1] for x in NEGATIVE_ZERO],
            {"dot_dimension_numbers": NUMBERS, "precision_config": HIGHEST},
            result=lambda a, b, **_: a @ b + 0,
        ),
        dotted("mz", "zn", f32),
        dotted("mz", "zn", boolean),
        dotted("zx", "xn", f32),
        *(by_algorithm(p, p, total) for p, total in ALGORITHMS),
        *(by_algorithm("bf16", "bf16", "f32", operations=count) for count in (3, 6, 9)),
    ],
    errors=[
        (by_algorithm("f32", "f32", "f32", wrong=True, operations=0), "C24"),
        (by_algorithm("f32", "f32", "f32", wrong=True, lhs_component_count=0), "C22"),
        (by_algorithm("f32", "f32", "f32", wrong=True, rhs_component_count=0), "C23"),
        (by_algorithm("i32", "f32", "f32", wrong=True), "not supported by any hardware"),
        (by_algorithm("bf16", "f32", "f32", wrong=True), "not supported by any hardware"),
        (by_algorithm("bf16", "bf16", "f32", wrong=True, operations=4), "not supported by any hardware"),
        (by_algorithm("f32", "f32", "f32", wrong=True, precision_config=HIGHEST), "C21"),
        (Call(WRONG, {"dot_dimension_numbers": NUMBERS}, "tensor<2x2xf32>"), "C10"),
        (Call(WRONG, {}, "tensor<2x2xf32>"), "lacks the attribute 'dot_dimension_numbers'"),
        wrong("C1", lhs_batching=[0]),
        wrong("C2", lhs_contracting=[0]),
        wrong("C3", lhs_contracting=[0, 0], rhs_contracting=[0, 1]),
        wrong("C4", lhs_contracting=[0, 1], rhs_contracting=[0, 0]),
        wrong("C5", lhs_batching=[2], rhs_batching=[0]),
        wrong("C8", lhs_contracting=[0], rhs_contracting=[-1]),
        wrong("C9", lhs_batching=[0], rhs_batching=[1]),
        (
            Call(
                [ROWS, ROWS.T],
                {
                    "dot_dimension_numbers": NUMBERS,
                    "precision_config": f"[{', '.join(['#stablehlo<precision HIGH>'] * 3)}]",
                },
                "tensor<2x2xf32>",
            ),
            "C11",
        ),
    ],
    disagree={
        "xla": (
            "drops the +0 that a sum starts from, and algorithms",
            lambda c: len_of_sum(c) < 2 or "algorithm" in c.attributes,
        ),
        "interpreter": (
            "ends at an empty sum, and knows no algorithms",
            lambda c: not len_of_sum(c) or "algorithm" in c.attributes,
        ),
    },
)


def simple(a: tuple[int, ...], b: tuple[int, ...], dtype: np.dtype, seed: int = 0) -> Call:
    whole: list[Any] = [np.round(random(seed + i, s, dtype).astype(f64)).astype(dtype) for i, s in enumerate((a, b))]
    return Call(whole, result=lambda a, b: np.asarray(np.dot(a.astype(f64), b.astype(f64))).astype(dtype))


case(
    "stablehlo.dot",
    draw=st.builds(
        lambda seed, m, k, n: simple((m, k), (k, n), f32, seed),
        seeds,
        st.integers(0, 4),
        st.integers(0, 3),
        st.integers(0, 3),
    ),
    ref=None,
    examples=[
        simple((3,), (3,), f32),
        simple((2, 3), (3,), bf16),
        simple((3,), (3, 2), f64),
        simple((2, 3), (3, 4), f32),
    ],
    errors=[
        (Call(WRONG, results="tensor<2x2xf32>"), "C10"),
        (Call([ROWS, np.zeros((), f32)], results="tensor<2x3xf32>"), "a vector or a matrix"),
    ],
    disagree={
        "interpreter": "has no dot",
        "xla": ("adds no zero to the only product, which may be -0", lambda call: call.operands[0].shape[-1] == 1),
    },
)


def einsum(formula: str, *shapes: tuple[int, ...], dtype: np.dtype = f32) -> Call:
    operands: list[Any] = [np.round(random(i, s, dtype).astype(f64)).astype(dtype) for i, s in enumerate(shapes)]
    if not is_floating(dtype):
        operands = [random(i, s, dtype) for i, s in enumerate(shapes)]
    work = dtype if dtype.kind == "c" else f64 if is_floating(dtype) else np.dtype(np.int64)

    def result(*xs: np.ndarray, **_: Any) -> np.ndarray:
        found = np.einsum(formula, *(x.astype(i32 if dtype == boolean else work) for x in xs))
        return np.asarray(found > 0 if dtype == boolean else found.astype(dtype))

    return Call(operands, {"einsum_config": f'"{formula}"'}, result=result)


def mistaken(formula: str, *shapes: tuple[int, ...]) -> Call:
    return Call([np.zeros(s, f32) for s in shapes], {"einsum_config": f'"{formula}"'}, "tensor<2xf32>")


NO_EINSUM = dict.fromkeys(("xla", "interpreter"), "takes no einsum")
case(
    "stablehlo.einsum",
    ref=None,
    examples=[
        *(einsum("ab,bc->ac", (2, 3), (3, 4), dtype=dtype) for dtype in (*FLOATS, *INTEGERS, boolean)),
        einsum("ab,cb->ca", (2, 3), (4, 3)),
        einsum("bmk,bkn->bmn", (2, 3, 4), (2, 4, 5)),
        einsum("bmk,bkn->nbm", (2, 3, 4), (2, 4, 5)),
        einsum("ab,ab->", (2, 3), (2, 3)),
        einsum("ab,ab->ba", (2, 3), (2, 3)),
        einsum("a,b->ab", (2,), (3,)),
        einsum(",ab->ba", (), (2, 3)),
        # A label of one operand alone is summed over; a repeated one is a diagonal.
        einsum("abx,bcy->ac", (2, 3, 2), (3, 4, 5)),
        einsum("aab,bc->ac", (3, 3, 2), (2, 4)),
        einsum("aba,b->a", (3, 2, 3), (2,)),
        einsum("...ab,...bc->...ac", (2, 5, 3, 4), (2, 5, 4, 2)),
        einsum("...ab,...bc->...ac", (2, 1, 3, 4), (5, 4, 2)),
        einsum("...ab,bc->...ac", (2, 3, 4), (4, 2)),
        einsum("...a,a->a...", (2, 3), (3,)),
        einsum("ab,bc->ac", (2, 0), (0, 4)),
        einsum("ax,bc->ac", (2, 0), (3, 4)),
        einsum("ab,bc->ac", (0, 3), (3, 4)),
        # Without ->, the result has the labels that occur once; dimensions of size 1 are broadcast. XLA does both.
        einsum("ab,bc", (2, 3), (3, 4)),
        einsum("cb,ba", (2, 3), (3, 4)),
        einsum("ab,AB", (2, 3), (4, 5)),
        einsum("ab,ab", (2, 3), (2, 3)),
        einsum("b...,bc", (3, 5), (3, 4)),
        einsum("...ab,...bc", (2, 5, 3, 4), (5, 4, 2)),
        einsum("ab,b->ab", (2, 3), (1,)),
        einsum("a,ab->b", (1,), (2, 3)),
        einsum("...a,ca...->...ca", (2,), (2, 1)),
    ],
    errors=[
        (mistaken("ab,bc", (2, 3), (3, 4)), "the result has the shape"),
        (mistaken("aa,ab->b", (3, 1), (3, 2)), "label 'a' for dimensions of 3 and 1"),
        (mistaken("ab->ab", (2, 3), (3, 4)), "expected 2 terms"),
        (mistaken("ab,bc->ad", (2, 3), (3, 4)), "one that no operand has"),
        (mistaken("ab,bc->aa", (2, 3), (3, 4)), "repeats"),
        (mistaken("abd,bc->a", (2, 3), (3, 4)), "rank 2"),
        (mistaken("ab,bc->a", (2, 3), (4, 4)), "label 'b' for dimensions of 3 and 4"),
        (mistaken("aa,bc->a", (2, 3), (4, 4)), "label 'a' for dimensions of 2 and 3"),
    ],
    disagree=NO_EINSUM,
)

case(
    "stablehlo.unary_einsum",
    ref=None,
    examples=[
        *(einsum("ab->a", (3, 4), dtype=dtype) for dtype in (*FLOATS, *INTEGERS, boolean)),
        einsum("ab->ba", (3, 4)),
        einsum("ab->", (3, 4)),
        einsum("abc->cb", (3, 4, 2)),
        einsum("aa->a", (3, 3)),
        einsum("aa->", (3, 3)),
        einsum("aaa->a", (3, 3, 3)),
        einsum("abab->ba", (2, 3, 2, 3)),
        einsum("...a->...", (2, 3, 4)),
        einsum("a...->...a", (2, 3, 4)),
        einsum("->", ()),
        einsum("ab->a", (3, 0)),
        einsum("aa->a", (0, 0)),
        Call([random(1, (2, 3), c64)], {"einsum_config": '"ab->ba"'}, result=lambda x, **_: x.T),
    ],
    errors=[(mistaken("ab,c->a", (2, 3)), "expected 1 term"), (mistaken("a->a", (2, 3)), "rank 2")],
    disagree=NO_EINSUM,
)


# ---------------------------------------------------------------- ragged_dot

RAGGED: dict[str, tuple[str, str, str, str]] = {
    "free": ("Amx", "gAxn", "Ag", "Amn"),
    "contracting": ("Amx", "Axn", "Ag", "gAmn"),
    "batch": ("Amx", "Axn", "g", "Amn"),
    "free, without batch": ("mx", "gxn", "g", "mn"),
    "contracting, without batch": ("mx", "xn", "g", "gmn"),
    "free, in another order": ("xmA", "nxAg", "Ag", "Amn"),
    "contracting, the second": ("yAmx", "xyAn", "Ayg", "gAmn"),
    "free, the second": ("kmx", "gxn", "kg", "kmn"),
}
SIZES = {"A": 2, "m": 5, "x": 4, "y": 2, "n": 3, "g": 3, "k": 2}


def ragged(form: str, group_sizes: Any, dtype: np.dtype = f32, broken: tuple[str, Any] | None = None) -> Call:
    """A ragged product; `group_sizes` is one row of sizes, or rows for the outer dimensions."""
    a, b, sizes, result = RAGGED[form]
    axis = a.index({"f": "m", "c": "x", "b": "A"}[form[0]])
    operands: list[Any] = [random(i, [SIZES[d] for d in dims], dtype) for i, dims in enumerate((a, b))]
    if is_floating(dtype):
        operands = [np.round(x.astype(f64)).astype(dtype) for x in operands]
    given = np.asarray(group_sizes, i32)
    contracted = [d for d in a if d in b and d != "A"]
    contracted.sort(key="yx".index)
    dimensions = {
        "lhs_batching_dimensions": [a.index("A")] if "A" in a else [],
        "rhs_batching_dimensions": [b.index("A")] if "A" in a else [],
        "lhs_contracting_dimensions": [a.index(d) for d in contracted],
        "rhs_contracting_dimensions": [b.index(d) for d in contracted],
        "lhs_ragged_dimensions": [axis],
        "rhs_group_dimensions": [b.index("g")] if "g" in b else [],
    }
    dimensions |= dict([broken] if broken else [])

    def reference(x: np.ndarray, y: np.ndarray, row: np.ndarray, **_: Any) -> np.ndarray:
        rows = np.broadcast_to(row, [SIZES[d] for d in sizes[:-1]] + [SIZES["g"]]) if row.ndim == 1 else row
        ends = np.cumsum(rows, -1)
        place = np.arange(SIZES[a[axis]])[:, None]
        member = (place < ends[..., None, :]) & (place >= (ends - rows)[..., None, :])
        work = f64 if is_floating(dtype) else np.dtype(np.int64)
        if form == "batch":
            return np.einsum(f"{a},{b}->{result}", x.astype(work), y.astype(work)).astype(dtype)
        formula = f"{sizes[:-1]}{a[axis]}g,{a},{b}->{result}"
        return np.einsum(formula, member.astype(work), x.astype(work), y.astype(work)).astype(dtype)

    # The declared type of a wrong call does not matter.
    declared = type_of(np.zeros([SIZES[d] for d in result], dtype)) if broken else ""
    text = f"#chlo.ragged_dot<{', '.join(f'{n} = {v}' for n, v in dimensions.items())}>"
    return Call([*operands, given], {"ragged_dot_dimension_numbers": text}, declared, reference)


def infinite() -> Call:
    """What stands in another group's part does not matter, infinite or not."""
    call = ragged("free, without batch", [2, 0, 3])
    rhs = np.array(call.operands[1])
    rhs[1] = np.inf
    return Call([call.operands[0], rhs, call.operands[2]], call.attributes, result=lambda x, y, s, **_: finite(x, y, s))


def finite(x: np.ndarray, y: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    group = np.searchsorted(np.cumsum(sizes), np.arange(len(x)), side="right")
    return np.stack([row @ y[g] for row, g in zip(x, group)]).astype(f32)


case(
    "chlo.ragged_dot",
    ref=None,
    examples=[
        ragged("free", [[1, 3, 1], [0, 2, 2]]),
        ragged("free", [2, 2, 1]),
        ragged("contracting", [[1, 2, 1], [0, 0, 3]]),
        ragged("contracting", [2, 0, 2]),
        ragged("batch", [1, 1, 0]),
        ragged("free, without batch", [0, 5, 0]),
        # Rows after the last group are zero.
        ragged("free, without batch", [1, 1, 1]),
        ragged("contracting, without batch", [4, 0, 0]),
        ragged("free, in another order", [[1, 3, 1], [0, 2, 2]]),
        ragged("contracting, the second", [[[1, 3, 0], [0, 2, 2]], [[4, 0, 0], [1, 1, 1]]]),
        ragged("free, the second", [[1, 3, 1], [0, 2, 2]]),
        *(ragged(form, [1, 2, 1], dtype) for form in ("free", "contracting") for dtype in (f64, bf16, i32, i8, u8)),
        infinite(),
    ],
    errors=[
        (ragged("free", [1, 2, 1], broken=("lhs_ragged_dimensions", [])), "expected one dimension of lhs"),
        (ragged("free", [1, 2, 1], broken=("lhs_ragged_dimensions", [3])), "expected one dimension of lhs"),
        (ragged("free", [1, 2, 1], broken=("rhs_group_dimensions", [])), "expected one free dimension of rhs"),
        (ragged("contracting", [1, 2, 1], broken=("rhs_group_dimensions", [2])), "expected none"),
        (ragged("free", [1, 2], broken=("lhs_ragged_dimensions", [1])), "expected 2, the number of groups"),
        (ragged("free", [[1, 2, 1]] * 3, broken=("lhs_ragged_dimensions", [1])), "expected the shape .2, 3"),
    ],
    disagree={"xla": "takes no ragged_dot on the CPU"},
)

test_drawn, test_examples, test_errors = new_tests()
