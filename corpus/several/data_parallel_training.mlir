module @jit_train attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["batch"=4]> {stablehlo.mesh = {axes = [{name = "batch", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<16x32xf32>, %arg1: tensor<32x4xf32>, %arg2: tensor<64x16xf32>, %arg3: tensor<64x4xf32>) -> (tensor<16x32xf32> {jax.result_info = "result[0]"}, tensor<32x4xf32> {jax.result_info = "result[1]"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %0:3 = sdy.manual_computation(%arg0, %arg1, %arg2, %arg3) in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"batch"}, {}]>, <@mesh, [{"batch"}, {}]>] out_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, []>] manual_axes={"batch"} (%arg4: tensor<16x32xf32>, %arg5: tensor<32x4xf32>, %arg6: tensor<16x16xf32>, %arg7: tensor<16x4xf32>) {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %c = stablehlo.constant dense<0> : tensor<i32>
      %1:6 = stablehlo.while(%iterArg = %arg6, %iterArg_0 = %arg7, %iterArg_1 = %c, %iterArg_2 = %arg4, %iterArg_3 = %arg5, %iterArg_4 = %cst) : tensor<16x16xf32>, tensor<16x4xf32>, tensor<i32>, tensor<16x32xf32>, tensor<32x4xf32>, tensor<f32>
      cond {
        %c_5 = stablehlo.constant dense<3> : tensor<i32>
        %2 = stablehlo.compare LT, %iterArg_1, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %2 : tensor<i1>
      } do {
        %2:3 = func.call @closed_call(%iterArg, %iterArg_0, %iterArg_2, %iterArg_3, %iterArg_4) : (tensor<16x16xf32>, tensor<16x4xf32>, tensor<16x32xf32>, tensor<32x4xf32>, tensor<f32>) -> (tensor<16x32xf32>, tensor<32x4xf32>, tensor<f32>)
        %c_5 = stablehlo.constant dense<1> : tensor<i32>
        %3 = stablehlo.add %iterArg_1, %c_5 : tensor<i32>
        stablehlo.return %iterArg, %iterArg_0, %3, %2#0, %2#1, %2#2 : tensor<16x16xf32>, tensor<16x4xf32>, tensor<i32>, tensor<16x32xf32>, tensor<32x4xf32>, tensor<f32>
      }
      sdy.return %1#3, %1#4, %1#5 : tensor<16x32xf32>, tensor<32x4xf32>, tensor<f32>
    } : (tensor<16x32xf32>, tensor<32x4xf32>, tensor<64x16xf32>, tensor<64x4xf32>) -> (tensor<16x32xf32>, tensor<32x4xf32>, tensor<f32>)
    return %0#0, %0#1, %0#2 : tensor<16x32xf32>, tensor<32x4xf32>, tensor<f32>
  }
  func.func private @closed_call(%arg0: tensor<16x16xf32>, %arg1: tensor<16x4xf32>, %arg2: tensor<16x32xf32>, %arg3: tensor<32x4xf32>, %arg4: tensor<f32>) -> (tensor<16x32xf32>, tensor<32x4xf32>, tensor<f32>) {
    %0 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x16xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
    %1 = stablehlo.tanh %0 : tensor<16x32xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %3 = stablehlo.subtract %2, %1 : tensor<16x32xf32>
    %4 = stablehlo.dot_general %1, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32xf32>, tensor<32x4xf32>) -> tensor<16x4xf32>
    %5 = stablehlo.subtract %4, %arg1 : tensor<16x4xf32>
    %6 = stablehlo.multiply %5, %5 : tensor<16x4xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
    %8 = stablehlo.multiply %7, %5 : tensor<16x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x4xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %10 = stablehlo.divide %9, %cst_2 : tensor<f32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_4 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %11 = stablehlo.divide %cst_3, %cst_4 : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
    %13 = stablehlo.multiply %12, %8 : tensor<16x4xf32>
    %14 = stablehlo.dot_general %13, %1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x4xf32>, tensor<16x32xf32>) -> tensor<4x32xf32>
    %15 = stablehlo.transpose %14, dims = [1, 0] : (tensor<4x32xf32>) -> tensor<32x4xf32>
    %16 = stablehlo.dot_general %13, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x4xf32>, tensor<32x4xf32>) -> tensor<16x32xf32>
    %17 = stablehlo.multiply %16, %3 : tensor<16x32xf32>
    %18 = stablehlo.multiply %17, %1 : tensor<16x32xf32>
    %19 = stablehlo.add %17, %18 : tensor<16x32xf32>
    %20 = stablehlo.dot_general %19, %arg0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x32xf32>, tensor<16x16xf32>) -> tensor<32x16xf32>
    %21 = stablehlo.transpose %20, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %22 = "stablehlo.all_reduce"(%21) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %36 = stablehlo.add %arg5, %arg6 : tensor<f32>
      stablehlo.return %36 : tensor<f32>
    }) : (tensor<16x32xf32>) -> tensor<16x32xf32>
    %cst_5 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %24 = stablehlo.divide %22, %23 : tensor<16x32xf32>
    %25 = "stablehlo.all_reduce"(%15) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %36 = stablehlo.add %arg5, %arg6 : tensor<f32>
      stablehlo.return %36 : tensor<f32>
    }) : (tensor<32x4xf32>) -> tensor<32x4xf32>
    %cst_6 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %27 = stablehlo.divide %25, %26 : tensor<32x4xf32>
    %28 = "stablehlo.all_reduce"(%10) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %36 = stablehlo.add %arg5, %arg6 : tensor<f32>
      stablehlo.return %36 : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    %cst_7 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %29 = stablehlo.divide %28, %cst_7 : tensor<f32>
    %cst_8 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %31 = stablehlo.multiply %30, %24 : tensor<16x32xf32>
    %32 = stablehlo.subtract %arg2, %31 : tensor<16x32xf32>
    %cst_9 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %34 = stablehlo.multiply %33, %27 : tensor<32x4xf32>
    %35 = stablehlo.subtract %arg3, %34 : tensor<32x4xf32>
    return %32, %35, %29 : tensor<16x32xf32>, tensor<32x4xf32>, tensor<f32>
  }
}
