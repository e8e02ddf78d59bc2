module @jit__lambda attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}]}}
  sdy.mesh @mesh_0 = <["x"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x256x1024xf32>, %arg1: tensor<4x1024x1024xf32>) -> (tensor<8x256x1024xf32> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{}, {}, {}]>, <@mesh, [{"x"}, {}, {}]>] out_shardings=[<@mesh, [{}, {}, {}]>] manual_axes={"x"} (%arg2: tensor<8x256x1024xf32>, %arg3: tensor<2x1024x1024xf32>) {
      %c = stablehlo.constant dense<1> : tensor<ui32>
      %c_0 = stablehlo.constant dense<2> : tensor<ui32>
      %1 = stablehlo.partition_id : tensor<ui32>
      %2 = stablehlo.divide %1, %c : tensor<ui32>
      %3 = stablehlo.remainder %2, %c_0 : tensor<ui32>
      %4 = stablehlo.convert %3 : (tensor<ui32>) -> tensor<i32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x256x1024xf32>
      %c_2 = stablehlo.constant dense<0> : tensor<i32>
      %c_3 = stablehlo.constant dense<0> : tensor<i32>
      %7:7 = stablehlo.while(%iterArg = %4, %iterArg_6 = %arg2, %iterArg_7 = %arg3, %iterArg_8 = %c_3, %iterArg_9 = %c_2, %iterArg_10 = %5, %iterArg_11 = %6) : tensor<i32>, tensor<8x256x1024xf32>, tensor<2x1024x1024xf32>, tensor<i32>, tensor<i32>, tensor<256x1024xf32>, tensor<8x256x1024xf32>
      cond {
        %c_12 = stablehlo.constant dense<9> : tensor<i32>
        %11 = stablehlo.compare LT, %iterArg_8, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %11 : tensor<i1>
      } do {
        %c_12 = stablehlo.constant dense<1> : tensor<i32>
        %11 = stablehlo.add %iterArg_9, %c_12 : tensor<i32>
        %c_13 = stablehlo.constant dense<0> : tensor<i32>
        %12 = stablehlo.compare EQ, %iterArg, %c_13, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %c_14 = stablehlo.constant dense<7> : tensor<i32>
        %13 = stablehlo.minimum %iterArg_9, %c_14 : tensor<i32>
        %14 = stablehlo.convert %13 : tensor<i32>
        %c_15 = stablehlo.constant dense<0> : tensor<i32>
        %15 = stablehlo.compare LT, %14, %c_15, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %c_16 = stablehlo.constant dense<8> : tensor<i32>
        %16 = stablehlo.add %14, %c_16 : tensor<i32>
        %17 = stablehlo.select %15, %16, %14 : tensor<i1>, tensor<i32>
        %c_17 = stablehlo.constant dense<0> : tensor<i32>
        %c_18 = stablehlo.constant dense<0> : tensor<i32>
        %18 = stablehlo.compare LT, %c_17, %c_18, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %c_19 = stablehlo.constant dense<0> : tensor<i32>
        %c_20 = stablehlo.constant dense<256> : tensor<i32>
        %19 = stablehlo.add %c_19, %c_20 : tensor<i32>
        %c_21 = stablehlo.constant dense<0> : tensor<i32>
        %20 = stablehlo.select %18, %19, %c_21 : tensor<i1>, tensor<i32>
        %c_22 = stablehlo.constant dense<0> : tensor<i32>
        %c_23 = stablehlo.constant dense<0> : tensor<i32>
        %21 = stablehlo.compare LT, %c_22, %c_23, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %c_24 = stablehlo.constant dense<0> : tensor<i32>
        %c_25 = stablehlo.constant dense<1024> : tensor<i32>
        %22 = stablehlo.add %c_24, %c_25 : tensor<i32>
        %c_26 = stablehlo.constant dense<0> : tensor<i32>
        %23 = stablehlo.select %21, %22, %c_26 : tensor<i1>, tensor<i32>
        %24 = stablehlo.dynamic_slice %iterArg_6, %17, %20, %23, sizes = [1, 256, 1024] : (tensor<8x256x1024xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x256x1024xf32>
        %25 = stablehlo.reshape %24 : (tensor<1x256x1024xf32>) -> tensor<256x1024xf32>
        %26 = func.call @_where(%12, %25, %iterArg_10) : (tensor<i1>, tensor<256x1024xf32>, tensor<256x1024xf32>) -> tensor<256x1024xf32>
        %27 = stablehlo.slice %iterArg_7 [0:1, 0:1024, 0:1024] : (tensor<2x1024x1024xf32>) -> tensor<1x1024x1024xf32>
        %28 = stablehlo.reshape %27 : (tensor<1x1024x1024xf32>) -> tensor<1024x1024xf32>
        %29 = stablehlo.dot_general %26, %28, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x1024xf32>, tensor<1024x1024xf32>) -> tensor<256x1024xf32>
        %30 = stablehlo.tanh %29 : tensor<256x1024xf32>
        %31 = stablehlo.slice %iterArg_7 [1:2, 0:1024, 0:1024] : (tensor<2x1024x1024xf32>) -> tensor<1x1024x1024xf32>
        %32 = stablehlo.reshape %31 : (tensor<1x1024x1024xf32>) -> tensor<1024x1024xf32>
        %33 = stablehlo.dot_general %30, %32, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x1024xf32>, tensor<1024x1024xf32>) -> tensor<256x1024xf32>
        %34 = stablehlo.tanh %33 : tensor<256x1024xf32>
        %c_27 = stablehlo.constant dense<2> : tensor<i32>
        %35 = stablehlo.subtract %iterArg_9, %c_27 : tensor<i32>
        %c_28 = stablehlo.constant dense<1> : tensor<i32>
        %36 = stablehlo.add %35, %c_28 : tensor<i32>
        %c_29 = stablehlo.constant dense<0> : tensor<i32>
        %37 = stablehlo.maximum %36, %c_29 : tensor<i32>
        %38 = func.call @dynamic_update_index_in_dim(%iterArg_11, %34, %37) : (tensor<8x256x1024xf32>, tensor<256x1024xf32>, tensor<i32>) -> tensor<8x256x1024xf32>
        %39 = "stablehlo.collective_permute"(%34) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<256x1024xf32>) -> tensor<256x1024xf32>
        %c_30 = stablehlo.constant dense<1> : tensor<i32>
        %40 = stablehlo.add %iterArg_8, %c_30 : tensor<i32>
        stablehlo.return %iterArg, %iterArg_6, %iterArg_7, %40, %11, %39, %38 : tensor<i32>, tensor<8x256x1024xf32>, tensor<2x1024x1024xf32>, tensor<i32>, tensor<i32>, tensor<256x1024xf32>, tensor<8x256x1024xf32>
      }
      %c_4 = stablehlo.constant dense<1> : tensor<i32>
      %8 = stablehlo.compare EQ, %4, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_5 = stablehlo.constant dense<0> : tensor<i32>
      %9 = func.call @_where_0(%8, %7#6, %c_5) : (tensor<i1>, tensor<8x256x1024xf32>, tensor<i32>) -> tensor<8x256x1024xf32>
      %10 = "stablehlo.all_reduce"(%9) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
        %11 = stablehlo.add %arg4, %arg5 : tensor<f32>
        stablehlo.return %11 : tensor<f32>
      }) : (tensor<8x256x1024xf32>) -> tensor<8x256x1024xf32>
      sdy.return %10 : tensor<8x256x1024xf32>
    } : (tensor<8x256x1024xf32>, tensor<4x1024x1024xf32>) -> tensor<8x256x1024xf32>
    return %0 : tensor<8x256x1024xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<256x1024xf32>, %arg2: tensor<256x1024xf32>) -> tensor<256x1024xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<256x1024xf32>
    return %0 : tensor<256x1024xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<8x256x1024xf32>, %arg1: tensor<256x1024xf32>, %arg2: tensor<i32>) -> tensor<8x256x1024xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<256x1024xf32>) -> tensor<1x256x1024xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare LT, %arg2, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = stablehlo.convert %arg2 : tensor<i32>
    %c_0 = stablehlo.constant dense<8> : tensor<i32>
    %3 = stablehlo.add %2, %c_0 : tensor<i32>
    %4 = stablehlo.select %1, %3, %arg2 : tensor<i1>, tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.dynamic_update_slice %arg0, %0, %4, %c_1, %c_2 : (tensor<8x256x1024xf32>, tensor<1x256x1024xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x256x1024xf32>
    return %5 : tensor<8x256x1024xf32>
  }
  func.func private @_where_0(%arg0: tensor<i1>, %arg1: tensor<8x256x1024xf32>, %arg2: tensor<i32>) -> tensor<8x256x1024xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8x256x1024xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<8x256x1024xf32>
    return %2 : tensor<8x256x1024xf32>
  }
}
