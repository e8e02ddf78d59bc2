module @jit_attention attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["heads"=4]> {stablehlo.mesh = {axes = [{name = "heads", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<16x32xf32>, %arg1: tensor<3x32x8x4xf32>, %arg2: tensor<8x4x32xf32>) -> (tensor<16x32xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<"0x01000000000000000000000000000000010100000000000000000000000000000101010000000000000000000000000001010101000000000000000000000000010101010100000000000000000000000101010101010000000000000000000001010101010101000000000000000000010101010101010100000000000000000101010101010101010000000000000001010101010101010101000000000000010101010101010101010100000000000101010101010101010101010000000001010101010101010101010101000000010101010101010101010101010100000101010101010101010101010101010001010101010101010101010101010101"> : tensor<16x16xi1>
    %0 = sdy.manual_computation(%c, %arg0, %arg1, %arg2) in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{}, {}, {"heads"}, {}]>, <@mesh, [{"heads"}, {}, {}]>] out_shardings=[<@mesh, [{"heads"}, {}]>] manual_axes={"heads"} (%arg3: tensor<16x16xi1>, %arg4: tensor<16x32xf32>, %arg5: tensor<3x32x2x4xf32>, %arg6: tensor<2x4x32xf32>) {
      %1 = stablehlo.dot_general %arg5, %arg4, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<3x32x2x4xf32>, tensor<16x32xf32>) -> tensor<3x2x4x16xf32>
      %2 = stablehlo.transpose %1, dims = [0, 1, 3, 2] : (tensor<3x2x4x16xf32>) -> tensor<3x2x16x4xf32>
      %3 = stablehlo.slice %2 [0:1, 0:2, 0:16, 0:4] : (tensor<3x2x16x4xf32>) -> tensor<1x2x16x4xf32>
      %4 = stablehlo.reshape %3 : (tensor<1x2x16x4xf32>) -> tensor<2x16x4xf32>
      %5 = stablehlo.slice %2 [1:2, 0:2, 0:16, 0:4] : (tensor<3x2x16x4xf32>) -> tensor<1x2x16x4xf32>
      %6 = stablehlo.reshape %5 : (tensor<1x2x16x4xf32>) -> tensor<2x16x4xf32>
      %7 = stablehlo.slice %2 [2:3, 0:2, 0:16, 0:4] : (tensor<3x2x16x4xf32>) -> tensor<1x2x16x4xf32>
      %8 = stablehlo.reshape %7 : (tensor<1x2x16x4xf32>) -> tensor<2x16x4xf32>
      %9 = stablehlo.dot_general %4, %6, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x16x4xf32>, tensor<2x16x4xf32>) -> tensor<2x16x16xf32>
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
      %11 = stablehlo.divide %9, %10 : tensor<2x16x16xf32>
      %cst_0 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
      %12 = func.call @_where(%arg3, %11, %cst_0) : (tensor<16x16xi1>, tensor<2x16x16xf32>, tensor<f32>) -> tensor<2x16x16xf32>
      %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %13 = stablehlo.reduce(%12 init: %cst_1) applies stablehlo.maximum across dimensions = [2] : (tensor<2x16x16xf32>, tensor<f32>) -> tensor<2x16xf32>
      %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %14 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x16xf32>
      %15 = stablehlo.maximum %14, %13 : tensor<2x16xf32>
      %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<2x16xf32>) -> tensor<2x16x1xf32>
      %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<2x16x1xf32>) -> tensor<2x16x16xf32>
      %18 = stablehlo.subtract %12, %17 : tensor<2x16x16xf32>
      %19 = stablehlo.exponential %18 : tensor<2x16x16xf32>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %20 = stablehlo.reduce(%19 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<2x16x16xf32>, tensor<f32>) -> tensor<2x16xf32>
      %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<2x16xf32>) -> tensor<2x16x1xf32>
      %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<2x16x1xf32>) -> tensor<2x16x16xf32>
      %23 = stablehlo.divide %19, %22 : tensor<2x16x16xf32>
      %24 = stablehlo.dot_general %8, %23, batching_dims = [0] x [0], contracting_dims = [1] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x16x4xf32>, tensor<2x16x16xf32>) -> tensor<2x4x16xf32>
      %25 = stablehlo.transpose %24, dims = [2, 0, 1] : (tensor<2x4x16xf32>) -> tensor<16x2x4xf32>
      %26 = stablehlo.dot_general %25, %arg6, contracting_dims = [2, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<16x2x4xf32>, tensor<2x4x32xf32>) -> tensor<16x32xf32>
      %27 = "stablehlo.reduce_scatter"(%26) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
      ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
        %28 = stablehlo.add %arg7, %arg8 : tensor<f32>
        stablehlo.return %28 : tensor<f32>
      }) : (tensor<16x32xf32>) -> tensor<4x32xf32>
      sdy.return %27 : tensor<4x32xf32>
    } : (tensor<16x16xi1>, tensor<16x32xf32>, tensor<3x32x8x4xf32>, tensor<8x4x32xf32>) -> tensor<16x32xf32>
    return %0 : tensor<16x32xf32>
  }
  func.func private @_where(%arg0: tensor<16x16xi1>, %arg1: tensor<2x16x16xf32>, %arg2: tensor<f32>) -> tensor<2x16x16xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<16x16xi1>) -> tensor<2x16x16xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x16x16xi1>, tensor<2x16x16xf32>
    return %3 : tensor<2x16x16xf32>
  }
}
