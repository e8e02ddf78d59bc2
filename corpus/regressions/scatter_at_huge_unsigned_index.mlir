module {
func.func public @main(%0: tensor<4x3xbf16>, %1: tensor<4xui64>) -> (tensor<4x3xbf16>) {
  %2 = "stablehlo.constant"() <{value = dense<1.0> : tensor<4x3xbf16>}> : () -> (tensor<4x3xbf16>)
  %6 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%3: tensor<bf16>, %4: tensor<bf16>):
    %5 = "stablehlo.constant"() <{value = dense<1.0> : tensor<bf16>}> : () -> (tensor<bf16>)
    "stablehlo.return"(%5) : (tensor<bf16>) -> ()
  }) : (tensor<4x3xbf16>, tensor<4xui64>, tensor<4x3xbf16>) -> (tensor<4x3xbf16>)
  "func.return"(%6) : (tensor<4x3xbf16>) -> ()
}
}
