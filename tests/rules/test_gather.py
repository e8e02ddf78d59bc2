"""Reading and writing at indices known at run time: reads clamp, writes out of bounds are dropped, in order."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from .bodies import binary, mixed, second
from .cases import case, new_tests
from .mlir import Body, Call
from .numbers import (
    COMPLEXES,
    ELEMENT,
    F8,
    FLOATS,
    INTEGERS,
    TINY,
    bf16,
    boolean,
    c64,
    c128,
    f32,
    i4,
    i8,
    i16,
    i32,
    i64,
    random,
    seeds,
    special,
    type_of,
    u8,
    u16,
    u32,
    u64,
)

EVERY = (boolean, *INTEGERS, *TINY, *FLOATS, *F8.values(), *COMPLEXES)


def has_six_bits(call: Call) -> bool:
    return any(ELEMENT[x.dtype].startswith("f6") for x in call.operands)


FAR = [-(2**31), -1, 0, 1, 2, 3, 2**31 - 1]
far = st.sampled_from(FAR)


def starts(*values: int, dtype: np.dtype = i32) -> list[np.ndarray]:
    return [np.asarray(v, dtype) for v in values]


def clamped(start: Any, size: int, length: int) -> int:
    return min(max(int(start), 0), size - length)


def part(x: np.ndarray, *at: np.ndarray, slice_sizes: tuple[int, ...]) -> np.ndarray:
    first = [clamped(a, s, n) for a, s, n in zip(at, x.shape, slice_sizes)]
    return x[tuple(slice(f, f + n) for f, n in zip(first, slice_sizes))].copy()


SIGNED_INDICES = {
    "interpreter": ("takes an index of 255 for -1", lambda call: "u" in {x.dtype.kind for x in call.operands[1:]})
}
case(
    "stablehlo.dynamic_slice",
    draw=st.builds(
        lambda seed, dtype, i, j: Call([random(seed, (3, 4), dtype), *starts(i, j)], {"slice_sizes": (2, 1)}),
        seeds,
        st.sampled_from([f32, bf16, c64, u8, i4]),
        far,
        far,
    ),
    ref=part,
    examples=[
        *(Call([random(1, (4,), f32), *starts(i)], {"slice_sizes": (2,)}) for i in FAR),
        Call([random(1, (4,), f32), *starts(2**62, dtype=i64)], {"slice_sizes": (2,)}),
        Call([random(1, (4,), f32), *starts(255, dtype=u8)], {"slice_sizes": (2,)}),
        Call([random(1, (4,), f32), *starts(-128, dtype=i8)], {"slice_sizes": (4,)}),
        Call([random(1, (), f32)], {"slice_sizes": ()}),
        Call([random(1, (3,), f32), *starts(1)], {"slice_sizes": (0,)}),
    ],
    disagree=SIGNED_INDICES,
)


def updated(x: np.ndarray, new: np.ndarray, *at: np.ndarray) -> np.ndarray:
    first = [clamped(a, s, n) for a, s, n in zip(at, x.shape, new.shape)]
    result = x.copy()
    result[tuple(slice(f, f + n) for f, n in zip(first, new.shape))] = new
    return result


case(
    "stablehlo.dynamic_update_slice",
    draw=st.builds(
        lambda seed, dtype, i, j: Call([random(seed, (3, 4), dtype), random(seed + 1, (2, 1), dtype), *starts(i, j)]),
        seeds,
        st.sampled_from([f32, bf16, c64, u8]),
        far,
        far,
    ),
    ref=updated,
    examples=[
        *(Call([random(1, (4,), f32), random(2, (2,), f32), *starts(i)]) for i in FAR),
        Call([random(1, (), f32), random(2, (), f32)]),
        Call([random(1, (3,), f32), random(2, (0,), f32), *starts(1)]),
    ],
)

ROWS = "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1"


def rows(x: np.ndarray, at: np.ndarray) -> Call:
    """x[at], rows by clamped indices."""
    return Call(
        [x, at],
        {
            "dimension_numbers": f"#stablehlo.gather<{ROWS}>",
            "slice_sizes": (1, x.shape[1]),
            "indices_are_sorted": False,
        },
        result=lambda x, at, **_: x[np.clip(at.astype(object), 0, x.shape[0] - 1).astype(int)],
    )


def patches(x: np.ndarray, at: np.ndarray) -> Call:
    """x[:, i:i+2, j:j+2] for each pair (i, j) along the first axis of `at`."""
    text = "offset_dims = [0, 2, 3], start_index_map = [1, 2], index_vector_dim = 0"

    def result(x: np.ndarray, at: np.ndarray, **_: Any) -> np.ndarray:
        corners = [[clamped(i, s, 2) for i, s in zip(pair, x.shape[1:])] for pair in at.T]
        return np.stack([x[:, i : i + 2, j : j + 2] for i, j in corners], 1)

    return Call(
        [x, at], {"dimension_numbers": f"#stablehlo.gather<{text}>", "slice_sizes": (x.shape[0], 2, 2)}, result=result
    )


def batched(x: np.ndarray, at: np.ndarray) -> Call:
    """x[b, at[b, n]]."""
    text = "operand_batching_dims = [0], start_indices_batching_dims = [0], collapsed_slice_dims = [1], "
    text += "start_index_map = [1], index_vector_dim = 2"
    return Call(
        [x, at],
        {"dimension_numbers": f"#stablehlo.gather<{text}>", "slice_sizes": (1, 1)},
        result=lambda x, at, **_: np.take_along_axis(x, np.clip(at, 0, x.shape[1] - 1), 1),
    )


def general(
    x: np.ndarray, at: np.ndarray, slices: tuple[int, ...], along: tuple[int, ...], vector: int, collapsed: list[int]
) -> Call:
    """A slice for each index vector, after the batch dimensions; its start is clamped."""
    rank = at.ndim - (vector < at.ndim) + x.ndim - len(collapsed)
    text = f"offset_dims = {list(range(rank - x.ndim + len(collapsed), rank))}, collapsed_slice_dims = {collapsed}, "
    text += f"start_index_map = {list(along)}, index_vector_dim = {vector}"

    def result(x: np.ndarray, at: np.ndarray, **_: Any) -> np.ndarray:
        vectors = np.moveaxis(at, vector, -1) if vector < at.ndim else at[..., None]
        whole = np.zeros((*vectors.shape[:-1], *(n for d, n in enumerate(slices) if d not in collapsed)), x.dtype)
        for batch in np.ndindex(vectors.shape[:-1]):
            starts = [0] * x.ndim
            for d, i in zip(along, vectors[batch]):
                starts[d] = clamped(i, x.shape[d], slices[d])
            window = x[tuple(slice(s, s + n) for s, n in zip(starts, slices))]
            whole[batch] = window.reshape(whole.shape[len(batch) :])
        return whole

    return Call([x, at], {"dimension_numbers": f"#stablehlo.gather<{text}>", "slice_sizes": slices}, result=result)


def wrong(change: str, by: str, results: str = "tensor<2x2xf32>", **attributes: Any) -> Call:
    """rows() with one thing changed."""
    good = rows(np.zeros((3, 2), f32), np.zeros((2, 1), i32))
    numbers = good.attributes["dimension_numbers"]
    assert change in numbers
    return Call(
        good.operands, {**good.attributes, "dimension_numbers": numbers.replace(change, by), **attributes}, results
    )


indices = st.lists(far, min_size=1, max_size=4)
case(
    "stablehlo.gather",
    draw=st.builds(
        lambda seed, dtype, at: rows(random(seed, (3, 2), dtype), np.array(at, i32)),
        seeds,
        st.sampled_from([f32, bf16, c64, u8, i4]),
        indices,
    ),
    ref=None,
    examples=[
        rows(random(1, (3, 2), f32), np.array(FAR, i32)),
        rows(random(1, (3, 2), f32), np.array([2**62, -(2**62), 1], i64)),
        rows(random(1, (3, 2), f32), np.array([255, 1], u8)),
        rows(random(1, (3, 2), f32), np.zeros((0,), i32)),
        patches(random(1, (2, 4, 5), f32), np.array([[0, 2, 9, -5], [1, 3, 9, 0]], i32)),
        batched(random(1, (2, 4), f32), np.array([[3, 0, 9], [1, 1, -2]], i32)),
        # A slice larger than one element starts no later than where it still fits.
        general(random(1, (4, 5), f32), np.array([[3, 4], [-1, 9], [1, 1]], i32), (2, 3), (0, 1), 1, []),
        general(random(1, (4, 5), f32), np.array([[3, 4], [-1, 9], [1, 1]], i32), (2, 3), (1, 0), 1, []),
        general(random(1, (4, 5), f32), np.array([3, 9, -9], i32), (1, 2), (1,), 1, [0]),
        # One index alone, of rank 0 or as a vector; an operand of rank 0.
        *(general(random(1, (4,), f32), np.array(i, i32), (1,), (0,), 0, [0]) for i in FAR),
        general(random(1, (4,), f32), np.array([2], i32), (1,), (0,), 0, [0]),
        general(random(1, (), f32), np.zeros((3, 0), i32), (), (), 1, []),
        general(random(1, (), f32), np.zeros((0,), i32), (), (), 0, []),
        # Empty: the indices, the slices, the operand where no slice reads it.
        general(random(1, (4,), f32), np.zeros((2, 0, 1), i32), (2,), (0,), 2, []),
        general(random(1, (4, 3), f32), np.array([[1], [9]], i32), (1, 0), (0,), 1, [0]),
        general(random(1, (4, 0), f32), np.array([[1], [9]], i32), (1, 0), (0,), 1, [0]),
        general(random(1, (0, 3), f32), np.array([[1], [9]], i32), (0, 3), (0,), 1, []),
        *(general(random(1, (4,), d), np.array([3, 0, 9], i32), (1,), (0,), 1, [0]) for d in EVERY),
        *(general(random(1, (5,), f32), special(d), (2,), (0,), 1, []) for d in (i8, u8, i16, u16, i32, u32, i64, u64)),
    ],
    disagree={
        "interpreter": (
            "has no f6, and takes an index of 255 for -1",
            lambda call: has_six_bits(call) or "u" in {x.dtype.kind for x in call.operands[1:]},
        ),
        "xla": ("has no f6", has_six_bits),
    },
    errors=[
        (wrong("offset_dims = [1]", "offset_dims = [0, 1]"), "C1"),
        (wrong("offset_dims = [1]", "offset_dims = [2]"), "C5"),
        (wrong("collapsed_slice_dims = [0]", "collapsed_slice_dims = [1]", slice_sizes=(1, 2)), "C9"),
        (wrong("index_map = [0]", "index_map = [2]"), "C19"),
        (wrong("index_map = [0]", "index_map = [0, 1]"), "an index vector has 1 component"),
        (wrong("vector_dim = 1", "vector_dim = 3"), "index_vector_dim"),
        *((wrong("offset", "offset", slice_sizes=sizes), "C2[01]") for sizes in ((1, 3), (1, -1), (1,))),
    ],
)


def scattered(x: np.ndarray, at: np.ndarray, new: np.ndarray, body: Body) -> Call:
    """x[at] = body(x[at], new), one row after another."""
    text = (
        "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1"
    )

    def result(x: np.ndarray, at: np.ndarray, new: np.ndarray, update_computation: Any, **_: Any) -> np.ndarray:
        y = x.copy()
        for n, i in enumerate(at):
            for j in range(x.shape[1] if 0 <= i < x.shape[0] else 0):
                (y[i, j],) = update_computation(np.asarray(y[i, j]), np.asarray(new[n, j]))
        return y

    attributes = {
        "scatter_dimension_numbers": f"#stablehlo.scatter<{text}>",
        "indices_are_sorted": False,
        "unique_indices": False,
        "update_computation": body,
    }
    return Call([x, at, new], attributes, result=result)


def scattering(
    xs: list[np.ndarray],
    at: np.ndarray,
    news: list[np.ndarray],
    body: Body,
    along: tuple[int, ...] = (0,),
    vector: int = 1,
    inserted: tuple[int, ...] = (0,),
    window: tuple[int, ...] = (),
    batching: str = "",
) -> Call:
    """Updates one after the other; a window that is not whole inside is dropped, as XLA does."""
    text = f"update_window_dims = {list(window)}, inserted_window_dims = {list(inserted)}, {batching}"
    text += f"scatter_dims_to_operand_dims = {list(along)}, index_vector_dim = {vector}"
    count, batched = len(xs), (0,) if batching else ()

    def result(*operands: np.ndarray, update_computation: Any, **_: Any) -> list[np.ndarray]:
        results = [np.array(x, kind) for x, kind in zip(operands, kinds(operands, update_computation))]
        at, news = operands[count], operands[count + 1 :]
        vectors = np.moveaxis(at, vector, -1) if vector < at.ndim else at[..., None]
        free = [d for d in range(results[0].ndim) if d not in (*inserted, *batched)]
        sizes = dict(zip(free, (news[0].shape[d] for d in window)))
        highest = {d: results[0].shape[d] - sizes.get(d, 1) for d in along}
        for place in np.ndindex(news[0].shape):
            batch = tuple(i for d, i in enumerate(place) if d not in window)
            index = [0] * results[0].ndim
            for d, i in [*zip(along, vectors[batch]), *zip(free, (place[d] for d in window)), *zip(batched, batch)]:
                index[d] += int(i)
            if all(0 <= i <= highest[d] for d, i in zip(along, vectors[batch])):
                where = tuple(index)
                old, new = [r[where] for r in results], [np.asarray(n[place], r.dtype) for n, r in zip(news, results)]
                for r, value in zip(results, update_computation(*(np.asarray(o) for o in old), *new)):
                    r[where] = value
        return results

    attributes = {"scatter_dimension_numbers": f"#stablehlo.scatter<{text}>", "update_computation": body}
    return Call([*xs, at, *news], attributes, result=result)


def is_widened(call: Call) -> bool:
    body = call.attributes["update_computation"].function
    return kinds(tuple(call.operands), body)[0] != call.operands[0].dtype


def kinds(operands: tuple[np.ndarray, ...], body: Any) -> list[np.dtype]:
    """The result types: those of the body, which may be wider than the operands'."""
    count = len(operands) // 2
    values = [x.reshape(-1)[:1].reshape(()) if x.size else np.zeros((), x.dtype) for x in operands[:count]]
    wide = getattr(body, "dtypes", [v.dtype for v in values])
    return list(wide)


def wider(dtype: np.dtype) -> Body:
    """Sums in a type that may be wider than the operands'."""
    body = binary("stablehlo.add", dtype, np.add)

    def function(a: Any, b: Any) -> Any:
        return body.function(np.asarray(a, dtype), np.asarray(b, dtype))

    function.dtypes = [dtype]  # type: ignore[attr-defined]
    return Body(body.text, function)


def swapping(first: np.dtype, other: np.dtype) -> Body:
    """Of two pairs (old, new), the sum of the first; the second keeps the new value where the first is not larger."""
    a, b = (type_of(np.zeros((), d)) for d in (first, other))
    how = "<{comparison_direction = #stablehlo<comparison_direction LT>}>"
    text = f"""{{ ^bb0(%a: {a}, %c: {b}, %b: {a}, %d: {b}): %s = "stablehlo.add"(%a, %b) : ({a}, {a}) -> {a}
 %p = "stablehlo.compare"(%a, %b) {how} : ({a}, {a}) -> tensor<i1>
 %t = "stablehlo.select"(%p, %d, %c) : (tensor<i1>, {b}, {b}) -> {b} "stablehlo.return"(%s, %t) : ({a}, {b}) -> () }}"""
    return Body(text.replace("\n", ""), lambda a, c, b, d: (np.asarray(a + b, first), d if a < b else c))


def pairs(first: np.dtype, other: np.dtype) -> Body:
    """Of two pairs (old, new) both sums."""
    a, b = (type_of(np.zeros((), d)) for d in (first, other))
    text = f"""{{ ^bb0(%a: {a}, %c: {b}, %b: {a}, %d: {b}): %s = "stablehlo.add"(%a, %b) : ({a}, {a}) -> {a}
 %t = "stablehlo.add"(%c, %d) : ({b}, {b}) -> {b} "stablehlo.return"(%s, %t) : ({a}, {b}) -> () }}"""
    return Body(text.replace("\n", ""), lambda a, c, b, d: (np.asarray(a + b, first), np.asarray(c + d, other)))


def cornered(at: np.ndarray, body: Body) -> Call:
    """Windows of two by two, whose first elements are at these indices of three by four."""
    x, new = whole(1, (3, 4), f32), whole(2, (len(at), 2, 2), f32)
    return scattering([x], at, [new], body, (0, 1), 1, (), (1, 2))


def numbers_of(call: Call) -> str:
    return str(call.attributes["scatter_dimension_numbers"])


DUPLICATES = [1, 1, -1, 0, 3, 1, 2**31 - 1, -(2**31)]


def misplaced(change: str, by: str, new: np.ndarray | None = None) -> Call:
    """A scatter with one thing changed."""
    good = each(f32, second(f32), [1, 2])
    text = good.attributes["scatter_dimension_numbers"]
    assert change in text
    new = good.operands[2] if new is None else new
    changed = {**good.attributes, "scatter_dimension_numbers": text.replace(change, by) if change else text}
    return Call([*good.operands[:2], new], changed, "tensor<3x2xf32>")


DUPLICATED = np.array([[1], [1], [-1], [0], [3], [1]], i32)
CORNERS = np.array([[0, 1], [2, 3], [-1, 0], [1, 1]], i32)


def whole(seed: int, shape: Any, dtype: np.dtype) -> np.ndarray:
    return np.asarray(np.round(random(seed, shape, dtype))).astype(dtype)


def each(dtype: np.dtype, body: Body, at: list[int] = DUPLICATES, seed: int = 0) -> Call:
    whole = [
        np.round(random(seed + i, s, dtype)) if dtype.kind in "fc" else random(seed + i, s, dtype)
        for i, s in enumerate([(3, 2), (len(at), 2)])
    ]
    return scattered(whole[0], np.array(at, i32), whole[1], body)


case(
    "stablehlo.scatter",
    draw=st.builds(
        lambda seed, dtype, at, replace: each(
            dtype, second(dtype) if replace else binary("stablehlo.add", dtype, np.add), at, seed
        ),
        seeds,
        st.sampled_from([f32, bf16, u8, c64]),
        indices,
        st.booleans(),
    ),
    ref=None,
    examples=[
        each(f32, second(f32)),
        each(f32, binary("stablehlo.add", f32, np.add)),
        each(i32, mixed(i32)),
        each(u8, binary("stablehlo.multiply", u8, np.multiply)),
        each(i32, binary("stablehlo.maximum", i32, np.maximum)),
        each(c64, second(c64)),
        each(f32, second(f32), []),
        each(c64, binary("stablehlo.multiply", c64, np.multiply)),
        *(each(d, second(d)) for d in EVERY),
        # The last of equal indices stays, or each is added to what the one before left.
        scattering([random(1, (3,), f32)], DUPLICATED, [special(f32)[-6:]], second(f32)),
        scattering([random(1, (3,), i32)], DUPLICATED, [random(2, (6,), i32)], mixed(i32)),
        scattering([random(1, (3,), f32)], DUPLICATED[:, 0], [random(2, (6,), f32)], second(f32)),
        *(
            scattering([whole(1, (3,), f32)], special(d), [whole(2, special(d).shape, f32)], second(f32))
            for d in (i8, u8, i16, u16, i32, u32, i64, u64)
        ),
        # Several operands at once.
        scattering(
            [random(1, (3,), i32), whole(2, (3,), c64)],
            DUPLICATED,
            [random(3, (6,), i32), whole(4, (6,), c64)],
            swapping(i32, c64),
        ),
        # One index, of rank 0 or as a vector, with windows; an operand of rank 0.
        scattering([whole(1, (3, 2), f32)], np.array(1, i32), [whole(2, (2,), f32)], second(f32), (0,), 0, (0,), (0,)),
        scattering(
            [whole(1, (3, 2), f32)], np.array([1], i32), [whole(2, (2,), f32)], second(f32), (0,), 0, (0,), (0,)
        ),
        scattering([whole(1, (), f32)], np.zeros((0,), i32), [whole(2, (), f32)], second(f32), (), 0, ()),
        scattering([whole(1, (), i32)], np.zeros((3, 0), i32), [whole(2, (3,), i32)], mixed(i32), (), 1, ()),
        # Windows smaller than the operand; indices along the second dimension, or both in the other order.
        scattering([whole(1, (3, 4), f32)], DUPLICATED, [whole(2, (6, 2), f32)], wider(f32), (0,), 1, (0,), (1,)),
        scattering([whole(1, (3, 4), f32)], DUPLICATED, [whole(2, (3, 6), f32)], wider(f32), (1,), 1, (1,), (0,)),
        scattering([whole(1, (3, 4), f32)], CORNERS, [whole(2, (4,), f32)], wider(f32), (1, 0), 1, (0, 1)),
        # Empty: operand, indices, windows.
        scattering([whole(1, (0,), f32)], DUPLICATED, [whole(2, (6,), f32)], second(f32)),
        scattering([whole(1, (3, 0), f32)], DUPLICATED, [whole(2, (6, 0), f32)], second(f32), (0,), 1, (0,), (1,)),
        scattering([whole(1, (3, 2), f32)], DUPLICATED, [whole(2, (6, 0), f32)], second(f32), (0,), 1, (0,), (1,)),
        # The operand's first dimension is a batch.
        scattering(
            [whole(1, (2, 3), f32)],
            np.array([[[0], [2], [2]], [[1], [3], [-1]]], i32),
            [whole(2, (2, 3), f32)],
            wider(f32),
            (1,),
            2,
            (1,),
            (),
            "input_batching_dims = [0], scatter_indices_batching_dims = [0], ",
        ),
        # The body may be of a wider type.
        scattering([random(1, (3,), i8)], DUPLICATED, [random(2, (6,), i8)], wider(i32)),
        scattering([whole(1, (3,), bf16)], DUPLICATED, [whole(2, (6,), bf16)], wider(f32)),
        scattering([whole(1, (3,), c64)], DUPLICATED, [whole(2, (6,), c64)], wider(c128)),
        # Windows that are partly out of bounds, in one dimension or several.
        *(cornered(at, body) for at in (CORNERS, CORNERS[::-1]) for body in (wider(f32), second(f32))),
        *(cornered(np.array(at, d), wider(f32)) for at, d in (([[2, 1], [1, 2]], u8), ([[255, 0], [0, 3]], u8))),
        cornered(np.array([[2**63 - 1, 0], [-(2**63), 1], [1, -1]], i64), wider(f32)),
        scattering([whole(1, (3, 4), f32)], DUPLICATED, [whole(2, (6, 2, 4), f32)], wider(f32), (0,), 1, (), (1, 2)),
        scattering([whole(1, (3, 4), f32)], DUPLICATED, [whole(2, (6, 3, 2), f32)], wider(f32), (1,), 1, (), (1, 2)),
        scattering(
            [whole(1, (3, 4), c64), whole(5, (3, 4), i32)],
            CORNERS,
            [whole(2, (4, 2, 1), c64), whole(6, (4, 2, 1), i32)],
            pairs(c64, i32),
            (0, 1),
            1,
            (),
            (1, 2),
        ),
        scattering(
            [whole(1, (2, 5), f32)],
            np.array([[[0], [2], [4]], [[3], [-1], [1]]], i32),
            [whole(2, (2, 3, 2), f32)],
            wider(f32),
            (1,),
            2,
            (),
            (2,),
            "input_batching_dims = [0], scatter_indices_batching_dims = [0], ",
        ),
    ],
    disagree={
        "interpreter": (
            "has no f6 and no wider bodies, and writes the part of a window that is in bounds",
            lambda call: has_six_bits(call) or is_widened(call) or "inserted_window_dims = []" in numbers_of(call),
        ),
        "xla": (
            "has besides no several updates of a scalar",
            lambda call: (
                has_six_bits(call)
                or is_widened(call)
                or (call.operands[0].shape == () and call.operands[-1].shape != ())
            ),
        ),
    },
    errors=[
        (misplaced("inserted_window_dims = [0]", "inserted_window_dims = []"), "C2"),
        (misplaced("index_vector_dim = 1", "index_vector_dim = 3"), "index_vector_dim"),
        (misplaced("operand_dims = [0]", "operand_dims = [2]"), "C21"),
        (misplaced("operand_dims = [0]", "operand_dims = []"), "an index vector has 1 component"),
        (misplaced("", "", np.zeros((3, 2), f32)), "C4"),
        (misplaced("", "", np.zeros((2, 3), f32)), "C4"),
    ],
)

test_drawn, test_examples, test_errors = new_tests()
