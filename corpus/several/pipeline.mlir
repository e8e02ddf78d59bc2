module @jit_run attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["stage"=4]> {stablehlo.mesh = {axes = [{name = "stage", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<6x4x16xf32>, %arg1: tensor<4x16x16xf32>) -> (tensor<4x6x4x16xf32> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{}, {}, {}]>, <@mesh, [{"stage"}, {}, {}]>] out_shardings=[<@mesh, [{"stage"}, {}, {}, {}]>] manual_axes={"stage"} (%arg2: tensor<6x4x16xf32>, %arg3: tensor<1x16x16xf32>) {
      %c = stablehlo.constant dense<1> : tensor<ui32>
      %c_0 = stablehlo.constant dense<4> : tensor<ui32>
      %1 = stablehlo.partition_id : tensor<ui32>
      %2 = stablehlo.divide %1, %c : tensor<ui32>
      %3 = stablehlo.remainder %2, %c_0 : tensor<ui32>
      %4 = stablehlo.convert %3 : (tensor<ui32>) -> tensor<i32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<6x4x16xf32>
      %c_2 = stablehlo.constant dense<0> : tensor<i32>
      %c_3 = stablehlo.constant dense<0> : tensor<i32>
      %7:7 = stablehlo.while(%iterArg = %4, %iterArg_6 = %arg2, %iterArg_7 = %arg3, %iterArg_8 = %c_3, %iterArg_9 = %c_2, %iterArg_10 = %5, %iterArg_11 = %6) : tensor<i32>, tensor<6x4x16xf32>, tensor<1x16x16xf32>, tensor<i32>, tensor<i32>, tensor<4x16xf32>, tensor<6x4x16xf32>
      cond {
        %c_12 = stablehlo.constant dense<9> : tensor<i32>
        %12 = stablehlo.compare LT, %iterArg_8, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %12 : tensor<i1>
      } do {
        %12:3 = func.call @closed_call(%iterArg, %iterArg_6, %iterArg_7, %iterArg_9, %iterArg_10, %iterArg_11) : (tensor<i32>, tensor<6x4x16xf32>, tensor<1x16x16xf32>, tensor<i32>, tensor<4x16xf32>, tensor<6x4x16xf32>) -> (tensor<i32>, tensor<4x16xf32>, tensor<6x4x16xf32>)
        %c_12 = stablehlo.constant dense<1> : tensor<i32>
        %13 = stablehlo.add %iterArg_8, %c_12 : tensor<i32>
        stablehlo.return %iterArg, %iterArg_6, %iterArg_7, %13, %12#0, %12#1, %12#2 : tensor<i32>, tensor<6x4x16xf32>, tensor<1x16x16xf32>, tensor<i32>, tensor<i32>, tensor<4x16xf32>, tensor<6x4x16xf32>
      }
      %c_4 = stablehlo.constant dense<3> : tensor<i32>
      %8 = stablehlo.compare EQ, %4, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_5 = stablehlo.constant dense<0> : tensor<i32>
      %9 = func.call @_where_0(%8, %7#6, %c_5) : (tensor<i1>, tensor<6x4x16xf32>, tensor<i32>) -> tensor<6x4x16xf32>
      %10 = "stablehlo.all_reduce"(%9) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
        %12 = stablehlo.add %arg4, %arg5 : tensor<f32>
        stablehlo.return %12 : tensor<f32>
      }) : (tensor<6x4x16xf32>) -> tensor<6x4x16xf32>
      %11 = stablehlo.broadcast_in_dim %10, dims = [1, 2, 3] : (tensor<6x4x16xf32>) -> tensor<1x6x4x16xf32>
      sdy.return %11 : tensor<1x6x4x16xf32>
    } : (tensor<6x4x16xf32>, tensor<4x16x16xf32>) -> tensor<4x6x4x16xf32>
    return %0 : tensor<4x6x4x16xf32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<6x4x16xf32>, %arg2: tensor<1x16x16xf32>, %arg3: tensor<i32>, %arg4: tensor<4x16xf32>, %arg5: tensor<6x4x16xf32>) -> (tensor<i32>, tensor<4x16xf32>, tensor<6x4x16xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg3, %c : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %arg0, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_1 = stablehlo.constant dense<5> : tensor<i32>
    %2 = stablehlo.minimum %arg3, %c_1 : tensor<i32>
    %3 = stablehlo.convert %2 : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.compare LT, %3, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_3 = stablehlo.constant dense<6> : tensor<i32>
    %5 = stablehlo.add %3, %c_3 : tensor<i32>
    %6 = stablehlo.select %4, %5, %3 : tensor<i1>, tensor<i32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.compare LT, %c_4, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %c_7 = stablehlo.constant dense<4> : tensor<i32>
    %8 = stablehlo.add %c_6, %c_7 : tensor<i32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.select %7, %8, %c_8 : tensor<i1>, tensor<i32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %10 = stablehlo.compare LT, %c_9, %c_10, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %c_12 = stablehlo.constant dense<16> : tensor<i32>
    %11 = stablehlo.add %c_11, %c_12 : tensor<i32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %12 = stablehlo.select %10, %11, %c_13 : tensor<i1>, tensor<i32>
    %13 = stablehlo.dynamic_slice %arg1, %6, %9, %12, sizes = [1, 4, 16] : (tensor<6x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x16xf32>
    %14 = stablehlo.reshape %13 : (tensor<1x4x16xf32>) -> tensor<4x16xf32>
    %15 = call @_where(%1, %14, %arg4) : (tensor<i1>, tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
    %16 = stablehlo.reshape %arg2 : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
    %17 = stablehlo.dot_general %15, %16, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32>
    %18 = stablehlo.tanh %17 : tensor<4x16xf32>
    %c_14 = stablehlo.constant dense<4> : tensor<i32>
    %19 = stablehlo.subtract %arg3, %c_14 : tensor<i32>
    %c_15 = stablehlo.constant dense<1> : tensor<i32>
    %20 = stablehlo.add %19, %c_15 : tensor<i32>
    %c_16 = stablehlo.constant dense<0> : tensor<i32>
    %21 = stablehlo.maximum %20, %c_16 : tensor<i32>
    %22 = call @dynamic_update_index_in_dim(%arg5, %18, %21) : (tensor<6x4x16xf32>, tensor<4x16xf32>, tensor<i32>) -> tensor<6x4x16xf32>
    %23 = "stablehlo.collective_permute"(%18) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3]]> : tensor<3x2xi64>}> : (tensor<4x16xf32>) -> tensor<4x16xf32>
    return %0, %23, %22 : tensor<i32>, tensor<4x16xf32>, tensor<6x4x16xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<4x16xf32>, %arg2: tensor<4x16xf32>) -> tensor<4x16xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<4x16xf32>
    return %0 : tensor<4x16xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<6x4x16xf32>, %arg1: tensor<4x16xf32>, %arg2: tensor<i32>) -> tensor<6x4x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x16xf32>) -> tensor<1x4x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare LT, %arg2, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = stablehlo.convert %arg2 : tensor<i32>
    %c_0 = stablehlo.constant dense<6> : tensor<i32>
    %3 = stablehlo.add %2, %c_0 : tensor<i32>
    %4 = stablehlo.select %1, %3, %arg2 : tensor<i1>, tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.dynamic_update_slice %arg0, %0, %4, %c_1, %c_2 : (tensor<6x4x16xf32>, tensor<1x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<6x4x16xf32>
    return %5 : tensor<6x4x16xf32>
  }
  func.func private @_where_0(%arg0: tensor<i1>, %arg1: tensor<6x4x16xf32>, %arg2: tensor<i32>) -> tensor<6x4x16xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<6x4x16xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<6x4x16xf32>
    return %2 : tensor<6x4x16xf32>
  }
}
