func.func @main(
    %x: tensor<2xf32> loc("x"), %y: tensor<2xf32> loc("y"),
    %calls: tensor<i32> {tf.aliasing_output = 1 : i32} loc("calls"))
    -> (tensor<2xf32> {jax.result_info = "sum"}, tensor<i32>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.add %x, %y : tensor<2xf32>
  %1 = stablehlo.add %calls, %one : tensor<i32>
  return %0, %1 : tensor<2xf32>, tensor<i32>
}
