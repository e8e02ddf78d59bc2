func.func @main(
    %x: tensor<2xf32> loc("x"), %iteration: tensor<i32> loc("iteration"),
    %cache: tensor<3x2xf32> {tf.aliasing_output = 1 : i32} loc("cache"))
    -> (tensor<2xf32> {jax.result_info = "doubled"}, tensor<3x2xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  %1 = stablehlo.reshape %x : (tensor<2xf32>) -> tensor<1x2xf32>
  %2 = stablehlo.dynamic_update_slice %cache, %1, %iteration, %zero
    : (tensor<3x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<3x2xf32>
  return %0, %2 : tensor<2xf32>, tensor<3x2xf32>
}
