module @jit__lambda attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}]}}
  sdy.mesh @mesh_0 = <["x"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<2048x4096xf32>, %arg1: tensor<4096x16384xf32>, %arg2: tensor<16384x4096xf32>) -> (tensor<2048x4096xf32> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1, %arg2) in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {"x"}]>, <@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"x"} (%arg3: tensor<2048x4096xf32>, %arg4: tensor<4096x8192xf32>, %arg5: tensor<8192x4096xf32>) {
      %1 = stablehlo.dot_general %arg3, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2048x4096xf32>, tensor<4096x8192xf32>) -> tensor<2048x8192xf32>
      %2 = stablehlo.multiply %1, %1 : tensor<2048x8192xf32>
      %3 = stablehlo.multiply %2, %1 : tensor<2048x8192xf32>
      %cst = stablehlo.constant dense<4.471500e-02> : tensor<f32>
      %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2048x8192xf32>
      %5 = stablehlo.multiply %4, %3 : tensor<2048x8192xf32>
      %6 = stablehlo.add %1, %5 : tensor<2048x8192xf32>
      %cst_0 = stablehlo.constant dense<0.797884583> : tensor<f32>
      %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2048x8192xf32>
      %8 = stablehlo.multiply %7, %6 : tensor<2048x8192xf32>
      %9 = stablehlo.tanh %8 : tensor<2048x8192xf32>
      %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2048x8192xf32>
      %11 = stablehlo.add %10, %9 : tensor<2048x8192xf32>
      %cst_2 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
      %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2048x8192xf32>
      %13 = stablehlo.multiply %12, %11 : tensor<2048x8192xf32>
      %14 = stablehlo.multiply %1, %13 : tensor<2048x8192xf32>
      %15 = stablehlo.dot_general %14, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2048x8192xf32>, tensor<8192x4096xf32>) -> tensor<2048x4096xf32>
      %16 = "stablehlo.all_reduce"(%15) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
        %17 = stablehlo.add %arg6, %arg7 : tensor<f32>
        stablehlo.return %17 : tensor<f32>
      }) : (tensor<2048x4096xf32>) -> tensor<2048x4096xf32>
      sdy.return %16 : tensor<2048x4096xf32>
    } : (tensor<2048x4096xf32>, tensor<4096x16384xf32>, tensor<16384x4096xf32>) -> tensor<2048x4096xf32>
    return %0 : tensor<2048x4096xf32>
  }
}
