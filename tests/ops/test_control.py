"""Constraints of control flow, tuples, tokens and calls, and of quantization."""

from __future__ import annotations

import pytest

from .cases import Row, expect_refusal, expect_valid, names

S, N, P = "tensor<f32>", "tensor<i32>", "tensor<i1>"
QUANTIZED = "tensor<2x!quant.uniform<i8:f32, 0.5>>"


def branch(type: str = S, arguments: str = "") -> str:
    return f"""{{
    {f"^bb0({arguments}):" if arguments else ""}
    %c = "stablehlo.constant"() <{{value = dense<1> : {type}}}> : () -> {type}
    "stablehlo.return"(%c) : ({type}) -> ()
  }}""".replace("dense<1> : tensor<f32>", "dense<1.0> : tensor<f32>")


def loop(cond: str = f"%p: {S}", body: str = f"%q: {S}", returned: str = P, given: str = S, result: str = S) -> str:
    number = "1.0" if given == S else "1"
    return f"""\"stablehlo.while"(%x) ({{
  ^bb0({cond}):
    %c = "stablehlo.constant"() <{{value = dense<true> : {returned}}}> : () -> {returned}
    "stablehlo.return"(%c) : ({returned}) -> ()
  }}, {{
  ^bb0({body}):
    %d = "stablehlo.constant"() <{{value = dense<{number}> : {given}}}> : () -> {given}
    "stablehlo.return"(%d) : ({given}) -> ()
  }}) : ({S}) -> {result}"""


def case(index: str, *branches: str, result: str = S) -> str:
    return f'"stablehlo.case"(%i) ({", ".join(branches)}) : ({index}) -> {result}'


def condition(pred: str, *branches: str, result: str = S) -> str:
    return f'"stablehlo.if"(%p) ({", ".join(branches)}) : ({pred}) -> {result}'


def layouts(*orders: list[int]) -> str:
    return f"[{', '.join(f'dense<{order}> : tensor<{len(order)}xindex>' for order in orders)}]"


def call(attributes: str, type: str = "tensor<2x3xf32>", result: str = "") -> str:
    return (
        f'"stablehlo.custom_call"(%x) <{{call_target_name = "Sharding", {attributes}}}> : ({type}) -> {result or type}'
    )


def laid_out(operands: str, results: str = layouts([1, 0]), type: str = "tensor<2x3xf32>", result: str = "") -> str:
    return call(f"operand_layouts = {operands}, result_layouts = {results}", type, result)


def aliased(index: int, places: list[int], result: str = "") -> str:
    fields = f"output_tuple_indices = {places}, operand_index = {index}, operand_tuple_indices = []"
    return call(f"output_operand_aliases = [#stablehlo.output_operand_alias<{fields}>]", result=result)


CALL = "stablehlo.custom_call"
ONE_EACH = "expected one for each, or none at all"
CALLS: list[Row] = [
    (CALL, call(f"operand_layouts = {layouts([1, 0])}"), f"has 0 layouts for 1 result, {ONE_EACH}"),
    (CALL, call(f"result_layouts = {layouts([1, 0])}"), f"has 0 layouts for 1 operand, {ONE_EACH}"),
    (CALL, laid_out(layouts([1, 0], [1, 0])), f"has 2 layouts for 1 operand, {ONE_EACH}"),
    (CALL, laid_out(layouts([1, 0]), layouts([1, 0], [0, 1])), f"has 2 layouts for 1 result, {ONE_EACH}"),
    *(
        (
            CALL,
            laid_out(layouts(order)),
            f"operand 0 is tensor<2x3xf32>, whose layout is {order}, expected an order of its 2 dimensions",
        )
        for order in ([0], [1, 1], [1, 2], [0, 1, 2], [-1, 0])
    ),
    (CALL, laid_out(layouts([1, 0]), layouts([0])), "result 0 is tensor<2x3xf32>, whose layout is [0]"),
    (
        CALL,
        laid_out(layouts([0]), layouts([0]), "!stablehlo.token"),
        "operand 0 is !stablehlo.token, whose layout is [0], expected an order of its 0 dimensions",
    ),
    (CALL, aliased(1, []), "has an alias of operand 1, but 1 operand"),
    (CALL, aliased(0, [0]), "has an alias of operand 0, tensor<2x3xf32>, for the result None, expected equal types"),
    (CALL, aliased(0, [], "tensor<3xf32>"), "has an alias of operand 0, tensor<2x3xf32>, for the result tensor<3xf32>"),
    (CALL, call("api_version = 9 : i32"), "api_version is 9, expected 0 to 4"),
    (CALL, call("api_version = -1 : i32"), "api_version is -1, expected 0 to 4"),
    (CALL, call("backend_config = {}"), "backend_config is {}, expected a string: api_version is 1"),
    (
        CALL,
        call('api_version = 4 : i32, backend_config = "a"'),
        "backend_config is 'a', expected a dictionary: api_version is 4",
    ),
]

ROWS: list[Row] = [
    *CALLS,
    *(
        (
            "stablehlo.case",
            case(f"tensor<{index}>", branch(), branch()),
            f"index is tensor<{index}>, expected tensor<i32> (I1)",
        )
        for index in ("i8", "i16", "i64", "ui8", "ui32", "ui64", "i1", "f32")
    ),
    ("stablehlo.case", case("i32", branch()), "index is i32, expected tensor<i32> (I1)"),
    ("stablehlo.case", case("tensor<1xi32>", branch()), "index is tensor<1xi32>, expected tensor<i32> (I1)"),
    (
        "stablehlo.case",
        '"stablehlo.case"(%i) : (tensor<i32>) -> tensor<f32>',
        "has no branches, expected at least one region",
    ),
    ("stablehlo.case", case(N, branch(arguments=f"%a: {S}")), "branch 0 takes 1 argument, expected none (C2)"),
    (
        "stablehlo.case",
        case(N, branch(), branch(N)),
        "branch 1 returns (tensor<i32>), but the declared results are (tensor<f32>) (C3, C4)",
    ),
    *(
        (
            "stablehlo.if",
            condition(f"tensor<{pred}>", branch(), branch()),
            f"pred is tensor<{pred}>, expected tensor<i1> (I1)",
        )
        for pred in ("i32", "i8", "ui8", "f32")
    ),
    ("stablehlo.if", condition("tensor<1xi1>", branch(), branch()), "pred is tensor<1xi1>, expected tensor<i1> (I1)"),
    ("stablehlo.if", condition(P, branch()), "has 1 region, expected 2"),
    (
        "stablehlo.if",
        condition(P, branch(), branch(N)),
        "branch 1 returns (tensor<i32>), but the declared results are (tensor<f32>) (C3, C4)",
    ),
    (
        "stablehlo.if",
        condition(P, branch(), branch(), result="tensor<2xf32>"),
        "branch 0 returns (tensor<f32>), but the declared results are (tensor<2xf32>) (C3, C4)",
    ),
    (
        "stablehlo.while",
        loop(cond=f"%p: {N}"),
        "cond takes (tensor<i32>), expected the operands' types (tensor<f32>) (C1)",
    ),
    ("stablehlo.while", loop(returned="tensor<1xi1>"), "cond returns (tensor<1xi1>), expected tensor<i1> (C1)"),
    (
        "stablehlo.while",
        loop(body=f"%q: {N}"),
        "body takes (tensor<i32>), expected the operands' types (tensor<f32>) (C2)",
    ),
    ("stablehlo.while", loop(given=N), "body returns (tensor<i32>), expected the operands' types (tensor<f32>) (C2)"),
    (
        "stablehlo.while",
        loop(result=N),
        "the results are (tensor<i32>), expected the operands' types (tensor<f32>) (C3)",
    ),
    (
        "stablehlo.optimization_barrier",
        f'"stablehlo.optimization_barrier"(%x) : ({S}) -> {N}',
        "the results are (tensor<i32>), expected the operands' types (tensor<f32>) (C1)",
    ),
    (
        "stablehlo.tuple",
        f'"stablehlo.tuple"(%x) : ({S}) -> tuple<{N}>',
        "the result is tuple<tensor<i32>>, expected tuple<tensor<f32>> (C1)",
    ),
    (
        "stablehlo.get_tuple_element",
        f'"stablehlo.get_tuple_element"(%x) <{{index = 1 : i32}}> : (tuple<{S}>) -> {S}',
        "index is 1, expected 0 to 0 (C1)",
    ),
    (
        "stablehlo.get_tuple_element",
        f'"stablehlo.get_tuple_element"(%x) <{{index = 0 : i32}}> : (tuple<{S}>) -> {N}',
        "the result is tensor<i32>, expected the tuple's element tensor<f32> (C2)",
    ),
    (
        "stablehlo.uniform_quantize",
        '"stablehlo.uniform_quantize"(%x) : (tensor<2xf32>) -> tensor<2xf32>',
        "the result is tensor<2xf32>, expected a quantized tensor",
    ),
    (
        "stablehlo.uniform_quantize",
        f'"stablehlo.uniform_quantize"(%x) : (tensor<3xf32>) -> {QUANTIZED}',
        "the result has the shape [3], but its declared type is",
    ),
    (
        "stablehlo.uniform_dequantize",
        f'"stablehlo.uniform_dequantize"(%x) : ({QUANTIZED}) -> tensor<3xf32>',
        "the result has the shape [2], but its declared type is",
    ),
    (
        "stablehlo.uniform_dequantize",
        f'"stablehlo.uniform_dequantize"(%x) : ({QUANTIZED}) -> tensor<2xf16>',
        "the result has elements of f32, but its declared type is tensor<2xf16>",
    ),
]

VALID = [
    laid_out(layouts([0, 1])),
    laid_out(layouts([1, 0]), type="tensor<?x3xf32>"),
    aliased(0, []),
    call("api_version = 4 : i32, backend_config = {}"),
    case(N, branch(), branch()),
    condition(P, branch(), branch()),
    loop(),
]


@pytest.mark.parametrize("row", ROWS, ids=names(ROWS))
def test_refusal(row: Row) -> None:
    expect_refusal(*row)


@pytest.mark.parametrize("text", VALID)
def test_valid(text: str) -> None:
    expect_valid(text)
