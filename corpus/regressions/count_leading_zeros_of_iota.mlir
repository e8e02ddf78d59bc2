module {
func.func public @main(%0: tensor<1x4xi32>) -> (tensor<1x4xi32>) {
  %1 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> (tensor<4x1x4xi32>)
  %2 = "stablehlo.multiply"(%1, %1) : (tensor<4x1x4xi32>, tensor<4x1x4xi32>) -> (tensor<4x1x4xi32>)
  %3 = "stablehlo.count_leading_zeros"(%2) : (tensor<4x1x4xi32>) -> (tensor<4x1x4xi32>)
  %4 = "stablehlo.reverse"(%3) <{dimensions = array<i64: 0>}> : (tensor<4x1x4xi32>) -> (tensor<4x1x4xi32>)
  %5 = "stablehlo.constant"() <{value = dense<2147483647> : tensor<i32>}> : () -> (tensor<i32>)
  %9 = "stablehlo.reduce"(%4, %5) <{dimensions = array<i64: 0>}> ({
  ^bb0(%6: tensor<i32>, %7: tensor<i32>):
    %8 = "stablehlo.minimum"(%6, %7) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
    "stablehlo.return"(%8) : (tensor<i32>) -> ()
  }) : (tensor<4x1x4xi32>, tensor<i32>) -> (tensor<1x4xi32>)
  %10 = "stablehlo.multiply"(%0, %9) : (tensor<1x4xi32>, tensor<1x4xi32>) -> (tensor<1x4xi32>)
  "func.return"(%10) : (tensor<1x4xi32>) -> ()
}
}
