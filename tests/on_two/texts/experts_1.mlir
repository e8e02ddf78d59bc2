module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x512x512xf32>, %arg1: tensor<8x512x2048xf32>, %arg2: tensor<8x2048x512xf32>) -> (tensor<8x512x512xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x512x512xf32>, tensor<8x512x2048xf32>) -> tensor<8x512x2048xf32>
    %1 = call @relu(%0) : (tensor<8x512x2048xf32>) -> tensor<8x512x2048xf32>
    %2 = stablehlo.dot_general %1, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x512x2048xf32>, tensor<8x2048x512xf32>) -> tensor<8x512x512xf32>
    return %2 : tensor<8x512x512xf32>
  }
  func.func private @relu(%arg0: tensor<8x512x2048xf32>) -> tensor<8x512x2048xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x512x2048xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<8x512x2048xf32>
    return %1 : tensor<8x512x2048xf32>
  }
}
