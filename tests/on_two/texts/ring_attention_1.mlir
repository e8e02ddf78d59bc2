module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x2048x64xf32>, %arg1: tensor<16x2048x64xf32>, %arg2: tensor<16x2048x64xf32>) -> (tensor<16x2048x64xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x2048x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16x2048x1xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<16x2048x64xf32>
    %3 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<16x2048x64xf32>, tensor<16x2048x64xf32>) -> tensor<16x2048x2048xf32>
    %cst_2 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<16x2048x2048xf32>
    %5 = stablehlo.multiply %3, %4 : tensor<16x2048x2048xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst_3) applies stablehlo.maximum across dimensions = [2] : (tensor<16x2048x2048xf32>, tensor<f32>) -> tensor<16x2048xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<16x2048xf32>) -> tensor<16x2048x1xf32>
    %8 = stablehlo.maximum %0, %7 : tensor<16x2048x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<16x2048x1xf32>) -> tensor<16x2048x2048xf32>
    %10 = stablehlo.subtract %5, %9 : tensor<16x2048x2048xf32>
    %11 = stablehlo.exponential %10 : tensor<16x2048x2048xf32>
    %12 = stablehlo.subtract %0, %8 : tensor<16x2048x1xf32>
    %13 = stablehlo.exponential %12 : tensor<16x2048x1xf32>
    %14 = stablehlo.multiply %1, %13 : tensor<16x2048x1xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%11 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<16x2048x2048xf32>, tensor<f32>) -> tensor<16x2048xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<16x2048xf32>) -> tensor<16x2048x1xf32>
    %17 = stablehlo.add %14, %16 : tensor<16x2048x1xf32>
    %18 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<16x2048x1xf32>) -> tensor<16x2048x64xf32>
    %19 = stablehlo.multiply %2, %18 : tensor<16x2048x64xf32>
    %20 = stablehlo.dot_general %11, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x2048x2048xf32>, tensor<16x2048x64xf32>) -> tensor<16x2048x64xf32>
    %21 = stablehlo.add %19, %20 : tensor<16x2048x64xf32>
    %22 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<16x2048x1xf32>) -> tensor<16x2048x64xf32>
    %23 = stablehlo.divide %21, %22 : tensor<16x2048x64xf32>
    return %23 : tensor<16x2048x64xf32>
  }
}
