"""What MLIR's own parser takes is taken and printed so that it takes it again; what it refuses is refused."""

from __future__ import annotations

import pytest
from ops.cases import mlir_problem

import hlo2tiny
from hlo2tiny.ir.printer import print_module

FUNCTION = """ALIASES
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  CONSTANT
  %0 = stablehlo.add %x, %x {a = ATTRIBUTE} : tensor<2xf32> loc(LOCATION)
  return %x : tensor<2xf32>
}
"""
CONSTANTS = """
dense<1> : tensor<f32>; dense<[1,2]> : tensor<2xf32>; dense<1e40> : tensor<f64>; dense<1.e40> : tensor<f64>
dense<1.> : tensor<f32>; dense<-1> : tensor<f32>; dense<1E5> : tensor<f32>; dense<1.0E5> : tensor<f32>
dense<0x7F800000> : tensor<f32>; dense<-0x7F800000> : tensor<f32>; dense<0x7F80> : tensor<f32>
dense<0x17F800000> : tensor<f32>; dense<[0x7F800000,1.0]> : tensor<2xf32>; dense<[0x7F800000,1]> : tensor<2xf32>
dense<(1,2)> : tensor<complex<f32>>; dense<(1.0,2.0)> : tensor<complex<f32>>; dense<(1.0,2)> : tensor<complex<f32>>
dense<[(1.0,2.0)]> : tensor<1xcomplex<f32>>; dense<(1.0,2.0)> : tensor<2xcomplex<f32>>
dense<1.0> : tensor<complex<f32>>; dense<1.0> : tensor<i32>; dense<true> : tensor<i32>; dense<true> : tensor<f32>
dense<1> : tensor<i1>; dense<2> : tensor<i1>; dense<-1> : tensor<i1>; dense<-2> : tensor<i1>; dense<0x1> : tensor<i1>
dense<0x2> : tensor<i1>; dense<0x10> : tensor<i32>; dense<-1> : tensor<ui8>; dense<256> : tensor<ui8>
dense<255> : tensor<i8>; dense<256> : tensor<i8>; dense<-129> : tensor<i8>; dense<-0> : tensor<i32>
dense<+1.0> : tensor<f32>; dense<+1> : tensor<i32>; dense<.5> : tensor<f32>; dense<1.0e> : tensor<f32>
dense<1.0e+5> : tensor<f32>; dense<nan> : tensor<f32>; dense<inf> : tensor<f32>; dense<01> : tensor<i32>
dense<1_000> : tensor<i32>; dense<1_0.0> : tensor<f32>; dense<0b1> : tensor<i32>; dense<1.0f> : tensor<f32>
dense<> : tensor<0xf32>; dense<[]> : tensor<0xf32>; dense<[]> : tensor<0x2xf32>; dense<[[]]> : tensor<1x0xf32>
dense<[[],[]]> : tensor<2x0xi32>; dense<[[],[]]> : tensor<2x0x3xi32>; dense<1.0> : tensor<0x2xf32>
dense<[1.0,]> : tensor<1xf32>; dense<[1.0]> : tensor<f32>; dense<1> : tensor<f8E4M3FN>; dense<0x38> : tensor<f8E4M3FN>
dense<99999999999999999999> : tensor<i64>; dense<18446744073709551615> : tensor<ui64>; dense<1.0e999> : tensor<f32>
"""
ATTRIBUTES = """
1 : f32; 1.0 : f32; 1e5 : f32; 1.0e5; 1e40; 1.e5 : f64; -1 : f32; -1.0 : f32; 0x7F800000 : f32; 1.0 : i32; true : f32
array<f32: 1>; array<f32: 1.0, 2>; array<f32: 1.0, -2.5e-3>; array<f32: 0x7F800000>; array<f16: 1.0>; array<i8: 300>
array<i1: true, 1>; array<i1: true, false>; array<i32: 1.0>; array<i64>; array<i64:>; array<index: 1>; array<i4: 1>
array<i16: 0x10>; -0; -0 : i32; 0x10; 1 : index; 300 : i8; -1 : ui8; 200 : si8; 200 : i8
"""
# Definitions, an attribute and a location.
ALIASES = [
    *(("#0 = 5", "#0", "unknown"), ("#0 = loc(unknown)", "1", "#0"), ("!0 = tensor<2xf32>", "!0", "unknown")),
    *(("#_a = 5", "#_a", "unknown"), ("#1a = 5", "#1a", "unknown"), ("#a-b = 5", "#a-b", "unknown")),
    *(("#a = 5\n#a = 5", "#a", "unknown"), ('#l = loc("a")\n#l = loc("a")', "1", "#l")),
    *(("#a = 5", "1", "#a"), ("#a = 5\n#l = loc(#a)", "1", "#l"), ('#l = loc("a")', "#l", "loc(#l)")),
    *(("#l = unknown", "1", "#l"), ("#l = loc(unknown) 5", "1", "#l"), ("#l = loc(fused<#n>[unknown])", "1", "#l")),
    *(('#l = loc("a")', '[loc(#l), loc("x"(#l)), {a = loc("b")}]', "#l"), ('#l = loc("a")', "#l", "#l")),
    *(("#s = 5", "#s", 'fused<[#s, #s]>["a"]'), ("", "1", 'fused<#mpmd.user_origin<"f">>["a"]')),
    *(("", "1", 'fused<#sdy.sharding<@m, [{"x"}]>>["a"]'), ("#s = 5", "loc(fused<#s>[unknown])", "unknown")),
    *(("#n = 5\n#l = loc(fused<#n>[unknown])", "1", "#l"), ('#l = loc("a"(#m))\n#m = loc("b")', "1", "#l")),
]
LOCATIONS = """
unknown; foo; #nope; "a"; "a"]; "a" "b"; "a":1; "a":1:2; "a":1:2:3; "a":0x1:2; "a":x:2; "a":-1:2; "a":4294967295:1
"a":4294967296:1; "a":1:2 to :3; "a":1:2 to 3:4; "a":1:2 to 3; "a":1 to 3:4; "a":1:2("b"); "a"("b"); "a"("b":1:2)
"a"(#nope); "a"(unknown); unknown("a"); "a\\q"; "a\\n"; callsite("a" at "b"); callsite("a","b"); callsite("a" at #nope)
callsite("a" at callsite("b" at "c":1:2)); fused["a","b"]; fused["a",]; fused[]; fused[#nope]; fused("a"); fused<5>["a"]
fused<"x">["a"]; fused<>["a"]; fused<bar>["a"]; fused<#nope>["a"]; fused<{a = 1}>["a", unknown]
fused<array<i8: 1>>["a"]
"""
QUANTIZED = """
i8:f32, 1.0; i8:f32, 1; i8:f32, 1e-3; i8:f32, 1.0e-3:5; i8:f32, 1.0:1.5; i8:f32, 1.0:-0; i8:f32, 0x3F800000
i8:f32:0, {1,2}; i8:f32:0, {1.0,2.0:3}; i8:f32:0, {1.0:1,2:3}; i8<-8:7>:f32, 1.0; i8:f32, 1.0:300
i8:f32:0x0, {1.0,2.0}; i8:f32, 1.0:0x1; i8:f32:0, {}
"""


def lines_of(table: str) -> list[str]:
    return [each.strip() for line in table.strip().splitlines() for each in line.split(";")]


CASES = [
    *(("", text, "1", "unknown") for text in lines_of(CONSTANTS)),
    *(("", "", text, "unknown") for text in lines_of(ATTRIBUTES)),
    *((aliases, "", attribute, location) for aliases, attribute, location in ALIASES),
    *(("", "", f"tensor<2x!quant.uniform<{text}>>", "unknown") for text in lines_of(QUANTIZED)),
    *(("", "", "1", text) for text in lines_of(LOCATIONS)),
    *((f"#l = loc({text})", "", "1", "#l") for text in lines_of(LOCATIONS)),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: "|".join(case).strip("|"))
def test_the_same_is_taken(case: tuple[str, str, str, str]) -> None:
    aliases, constant, attribute, location = case
    text = FUNCTION.replace("ALIASES", aliases).replace("ATTRIBUTE", attribute).replace("LOCATION", location)
    text = text.replace("CONSTANT", f"%c = stablehlo.constant {constant}" if constant else "")
    if mlir_problem(text):
        with pytest.raises(hlo2tiny.Error):
            hlo2tiny.parse(text)
    else:
        module = hlo2tiny.parse(text)
        printed = print_module(module, locations=True)
        assert not mlir_problem(printed), printed
        assert str(hlo2tiny.parse(printed)) == str(module)
