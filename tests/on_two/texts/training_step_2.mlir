module @jit__lambda attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}]}}
  sdy.mesh @mesh_0 = <["x"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<1024x4096xf32>, %arg1: tensor<4096x1024xf32>, %arg2: tensor<1024x1024xf32>, %arg3: tensor<1024x1024xf32>) -> (tensor<1024x4096xf32> {jax.result_info = "result[0]"}, tensor<4096x1024xf32> {jax.result_info = "result[1]"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %0:3 = sdy.manual_computation(%arg0, %arg1, %arg2, %arg3) in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, []>] manual_axes={"x"} (%arg4: tensor<1024x4096xf32>, %arg5: tensor<4096x1024xf32>, %arg6: tensor<512x1024xf32>, %arg7: tensor<512x1024xf32>) {
      %1 = stablehlo.dot_general %arg6, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x1024xf32>, tensor<1024x4096xf32>) -> tensor<512x4096xf32>
      %2 = func.call @relu(%1) : (tensor<512x4096xf32>) -> tensor<512x4096xf32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<512x4096xf32>
      %4 = stablehlo.compare GT, %1, %3, FLOAT : (tensor<512x4096xf32>, tensor<512x4096xf32>) -> tensor<512x4096xi1>
      %5 = stablehlo.dot_general %2, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x4096xf32>, tensor<4096x1024xf32>) -> tensor<512x1024xf32>
      %6 = stablehlo.subtract %5, %arg7 : tensor<512x1024xf32>
      %7 = stablehlo.multiply %6, %6 : tensor<512x1024xf32>
      %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<512x1024xf32>
      %9 = stablehlo.multiply %8, %6 : tensor<512x1024xf32>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %10 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<512x1024xf32>, tensor<f32>) -> tensor<f32>
      %cst_2 = stablehlo.constant dense<5.242880e+05> : tensor<f32>
      %11 = stablehlo.divide %10, %cst_2 : tensor<f32>
      %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %cst_4 = stablehlo.constant dense<5.242880e+05> : tensor<f32>
      %12 = stablehlo.divide %cst_3, %cst_4 : tensor<f32>
      %13 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<f32>) -> tensor<512x1024xf32>
      %14 = stablehlo.multiply %13, %9 : tensor<512x1024xf32>
      %15 = stablehlo.dot_general %14, %2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x1024xf32>, tensor<512x4096xf32>) -> tensor<1024x4096xf32>
      %16 = stablehlo.transpose %15, dims = [1, 0] : (tensor<1024x4096xf32>) -> tensor<4096x1024xf32>
      %17 = stablehlo.dot_general %14, %arg5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x1024xf32>, tensor<4096x1024xf32>) -> tensor<512x4096xf32>
      %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %18 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<512x4096xf32>
      %19 = stablehlo.select %4, %17, %18 : tensor<512x4096xi1>, tensor<512x4096xf32>
      %20 = stablehlo.dot_general %19, %arg6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x4096xf32>, tensor<512x1024xf32>) -> tensor<4096x1024xf32>
      %21 = stablehlo.transpose %20, dims = [1, 0] : (tensor<4096x1024xf32>) -> tensor<1024x4096xf32>
      %22 = "stablehlo.all_reduce"(%21) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
        %36 = stablehlo.add %arg8, %arg9 : tensor<f32>
        stablehlo.return %36 : tensor<f32>
      }) : (tensor<1024x4096xf32>) -> tensor<1024x4096xf32>
      %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %23 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<1024x4096xf32>
      %24 = stablehlo.divide %22, %23 : tensor<1024x4096xf32>
      %25 = "stablehlo.all_reduce"(%16) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
        %36 = stablehlo.add %arg8, %arg9 : tensor<f32>
        stablehlo.return %36 : tensor<f32>
      }) : (tensor<4096x1024xf32>) -> tensor<4096x1024xf32>
      %cst_7 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %26 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4096x1024xf32>
      %27 = stablehlo.divide %25, %26 : tensor<4096x1024xf32>
      %28 = "stablehlo.all_reduce"(%11) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
        %36 = stablehlo.add %arg8, %arg9 : tensor<f32>
        stablehlo.return %36 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      %cst_8 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %29 = stablehlo.divide %28, %cst_8 : tensor<f32>
      %cst_9 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %30 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<1024x4096xf32>
      %31 = stablehlo.multiply %30, %24 : tensor<1024x4096xf32>
      %32 = stablehlo.subtract %arg4, %31 : tensor<1024x4096xf32>
      %cst_10 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %33 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4096x1024xf32>
      %34 = stablehlo.multiply %33, %27 : tensor<4096x1024xf32>
      %35 = stablehlo.subtract %arg5, %34 : tensor<4096x1024xf32>
      sdy.return %32, %35, %29 : tensor<1024x4096xf32>, tensor<4096x1024xf32>, tensor<f32>
    } : (tensor<1024x4096xf32>, tensor<4096x1024xf32>, tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> (tensor<1024x4096xf32>, tensor<4096x1024xf32>, tensor<f32>)
    return %0#0, %0#1, %0#2 : tensor<1024x4096xf32>, tensor<4096x1024xf32>, tensor<f32>
  }
  func.func private @relu(%arg0: tensor<512x4096xf32>) -> tensor<512x4096xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<512x4096xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<512x4096xf32>
    return %1 : tensor<512x4096xf32>
  }
}
