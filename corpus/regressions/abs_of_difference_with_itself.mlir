module {
func.func public @main(%0: tensor<2x3xf32>) -> (tensor<2x3xf32>) {
  %2 = "stablehlo.subtract"(%0, %0) : (tensor<2x3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>)
  %3 = "stablehlo.abs"(%2) : (tensor<2x3xf32>) -> (tensor<2x3xf32>)
  "func.return"(%3) : (tensor<2x3xf32>) -> ()
}
}
