module @jit__lambda attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}]}}
  sdy.mesh @mesh_0 = <["x"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x512x512xf32>, %arg1: tensor<8x512x2048xf32>, %arg2: tensor<8x2048x512xf32>) -> (tensor<8x512x512xf32> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1, %arg2) in_shardings=[<@mesh, [{}, {"x"}, {}]>, <@mesh, [{"x"}, {}, {}]>, <@mesh, [{"x"}, {}, {}]>] out_shardings=[<@mesh, [{}, {"x"}, {}]>] manual_axes={"x"} (%arg3: tensor<8x256x512xf32>, %arg4: tensor<4x512x2048xf32>, %arg5: tensor<4x2048x512xf32>) {
      %1 = "stablehlo.all_to_all"(%arg3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 1 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<8x256x512xf32>) -> tensor<4x512x512xf32>
      %2 = stablehlo.dot_general %1, %arg4, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x512x512xf32>, tensor<4x512x2048xf32>) -> tensor<4x512x2048xf32>
      %3 = func.call @relu(%2) : (tensor<4x512x2048xf32>) -> tensor<4x512x2048xf32>
      %4 = stablehlo.dot_general %3, %arg5, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x512x2048xf32>, tensor<4x2048x512xf32>) -> tensor<4x512x512xf32>
      %5 = "stablehlo.all_to_all"(%4) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<4x512x512xf32>) -> tensor<8x256x512xf32>
      sdy.return %5 : tensor<8x256x512xf32>
    } : (tensor<8x512x512xf32>, tensor<8x512x2048xf32>, tensor<8x2048x512xf32>) -> tensor<8x512x512xf32>
    return %0 : tensor<8x512x512xf32>
  }
  func.func private @relu(%arg0: tensor<4x512x2048xf32>) -> tensor<4x512x2048xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x512x2048xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<4x512x2048xf32>
    return %1 : tensor<4x512x2048xf32>
  }
}
