module @jit__lambda attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}]}}
  sdy.mesh @mesh_0 = <["x"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8192xf32>) -> (tensor<8192xf32> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%arg1: tensor<4096xf32>) {
      %1 = stablehlo.abs %arg1 : tensor<4096xf32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<4096xf32>, tensor<f32>) -> tensor<f32>
      %3 = "stablehlo.all_reduce"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
        %6 = stablehlo.add %arg2, %arg3 : tensor<f32>
        stablehlo.return %6 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      %cst_0 = stablehlo.constant dense<2.300000e-03> : tensor<f32>
      %4 = stablehlo.multiply %3, %cst_0 : tensor<f32>
      %5:2 = stablehlo.while(%iterArg = %4, %iterArg_1 = %arg1) : tensor<f32>, tensor<4096xf32>
      cond {
        %6 = stablehlo.abs %iterArg_1 : tensor<4096xf32>
        %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
        %7 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<4096xf32>, tensor<f32>) -> tensor<f32>
        %8 = "stablehlo.all_reduce"(%7) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
        ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
          %10 = stablehlo.add %arg2, %arg3 : tensor<f32>
          stablehlo.return %10 : tensor<f32>
        }) : (tensor<f32>) -> tensor<f32>
        %9 = stablehlo.compare GT, %8, %iterArg, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %9 : tensor<i1>
      } do {
        %cst_2 = stablehlo.constant dense<9.700000e-01> : tensor<f32>
        %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4096xf32>
        %7 = stablehlo.multiply %iterArg_1, %6 : tensor<4096xf32>
        stablehlo.return %iterArg, %7 : tensor<f32>, tensor<4096xf32>
      }
      sdy.return %5#1 : tensor<4096xf32>
    } : (tensor<8192xf32>) -> tensor<8192xf32>
    return %0 : tensor<8192xf32>
  }
}
