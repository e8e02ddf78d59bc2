module @jit__lambda attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<16x2048x64xf32>, %arg1: tensor<16x2048x64xf32>, %arg2: tensor<16x2048x64xf32>) -> (tensor<16x2048x64xf32> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1, %arg2) in_shardings=[<@mesh, [{}, {"x"}, {}]>, <@mesh, [{}, {"x"}, {}]>, <@mesh, [{}, {"x"}, {}]>] out_shardings=[<@mesh, [{}, {"x"}, {}]>] manual_axes={"x"} (%arg3: tensor<16x1024x64xf32>, %arg4: tensor<16x1024x64xf32>, %arg5: tensor<16x1024x64xf32>) {
      %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x1024x1xf32>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16x1024x1xf32>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<16x1024x64xf32>
      %4 = stablehlo.dot_general %arg3, %arg4, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<16x1024x64xf32>, tensor<16x1024x64xf32>) -> tensor<16x1024x1024xf32>
      %cst_2 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
      %5 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<16x1024x1024xf32>
      %6 = stablehlo.multiply %4, %5 : tensor<16x1024x1024xf32>
      %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %7 = stablehlo.reduce(%6 init: %cst_3) applies stablehlo.maximum across dimensions = [2] : (tensor<16x1024x1024xf32>, tensor<f32>) -> tensor<16x1024xf32>
      %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<16x1024xf32>) -> tensor<16x1024x1xf32>
      %9 = stablehlo.maximum %1, %8 : tensor<16x1024x1xf32>
      %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<16x1024x1xf32>) -> tensor<16x1024x1024xf32>
      %11 = stablehlo.subtract %6, %10 : tensor<16x1024x1024xf32>
      %12 = stablehlo.exponential %11 : tensor<16x1024x1024xf32>
      %13 = stablehlo.subtract %1, %9 : tensor<16x1024x1xf32>
      %14 = stablehlo.exponential %13 : tensor<16x1024x1xf32>
      %15 = stablehlo.multiply %2, %14 : tensor<16x1024x1xf32>
      %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %16 = stablehlo.reduce(%12 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<16x1024x1024xf32>, tensor<f32>) -> tensor<16x1024xf32>
      %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<16x1024xf32>) -> tensor<16x1024x1xf32>
      %18 = stablehlo.add %15, %17 : tensor<16x1024x1xf32>
      %19 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<16x1024x1xf32>) -> tensor<16x1024x64xf32>
      %20 = stablehlo.multiply %3, %19 : tensor<16x1024x64xf32>
      %21 = stablehlo.dot_general %12, %arg5, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x1024x1024xf32>, tensor<16x1024x64xf32>) -> tensor<16x1024x64xf32>
      %22 = stablehlo.add %20, %21 : tensor<16x1024x64xf32>
      %23 = "stablehlo.collective_permute"(%arg4) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<16x1024x64xf32>) -> tensor<16x1024x64xf32>
      %24 = "stablehlo.collective_permute"(%arg5) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<16x1024x64xf32>) -> tensor<16x1024x64xf32>
      %25 = stablehlo.dot_general %arg3, %23, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<16x1024x64xf32>, tensor<16x1024x64xf32>) -> tensor<16x1024x1024xf32>
      %cst_5 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
      %26 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<16x1024x1024xf32>
      %27 = stablehlo.multiply %25, %26 : tensor<16x1024x1024xf32>
      %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %28 = stablehlo.reduce(%27 init: %cst_6) applies stablehlo.maximum across dimensions = [2] : (tensor<16x1024x1024xf32>, tensor<f32>) -> tensor<16x1024xf32>
      %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1] : (tensor<16x1024xf32>) -> tensor<16x1024x1xf32>
      %30 = stablehlo.maximum %9, %29 : tensor<16x1024x1xf32>
      %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2] : (tensor<16x1024x1xf32>) -> tensor<16x1024x1024xf32>
      %32 = stablehlo.subtract %27, %31 : tensor<16x1024x1024xf32>
      %33 = stablehlo.exponential %32 : tensor<16x1024x1024xf32>
      %34 = stablehlo.subtract %9, %30 : tensor<16x1024x1xf32>
      %35 = stablehlo.exponential %34 : tensor<16x1024x1xf32>
      %36 = stablehlo.multiply %18, %35 : tensor<16x1024x1xf32>
      %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %37 = stablehlo.reduce(%33 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<16x1024x1024xf32>, tensor<f32>) -> tensor<16x1024xf32>
      %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1] : (tensor<16x1024xf32>) -> tensor<16x1024x1xf32>
      %39 = stablehlo.add %36, %38 : tensor<16x1024x1xf32>
      %40 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 2] : (tensor<16x1024x1xf32>) -> tensor<16x1024x64xf32>
      %41 = stablehlo.multiply %22, %40 : tensor<16x1024x64xf32>
      %42 = stablehlo.dot_general %33, %24, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x1024x1024xf32>, tensor<16x1024x64xf32>) -> tensor<16x1024x64xf32>
      %43 = stablehlo.add %41, %42 : tensor<16x1024x64xf32>
      %44 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2] : (tensor<16x1024x1xf32>) -> tensor<16x1024x64xf32>
      %45 = stablehlo.divide %43, %44 : tensor<16x1024x64xf32>
      sdy.return %45 : tensor<16x1024x64xf32>
    } : (tensor<16x2048x64xf32>, tensor<16x2048x64xf32>, tensor<16x2048x64xf32>) -> tensor<16x2048x64xf32>
    return %0 : tensor<16x2048x64xf32>
  }
}
