module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x256x1024xf32>, %arg1: tensor<4x1024x1024xf32>) -> (tensor<8x256x1024xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<1> : tensor<ui32>
    %c_0 = stablehlo.constant dense<1> : tensor<ui32>
    %0 = stablehlo.partition_id : tensor<ui32>
    %1 = stablehlo.divide %0, %c : tensor<ui32>
    %2 = stablehlo.remainder %1, %c_0 : tensor<ui32>
    %3 = stablehlo.convert %2 : (tensor<ui32>) -> tensor<i32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<256x1024xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x256x1024xf32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %6:7 = stablehlo.while(%iterArg = %3, %iterArg_6 = %arg0, %iterArg_7 = %arg1, %iterArg_8 = %c_3, %iterArg_9 = %c_2, %iterArg_10 = %4, %iterArg_11 = %5) : tensor<i32>, tensor<8x256x1024xf32>, tensor<4x1024x1024xf32>, tensor<i32>, tensor<i32>, tensor<256x1024xf32>, tensor<8x256x1024xf32>
    cond {
      %c_12 = stablehlo.constant dense<8> : tensor<i32>
      %10 = stablehlo.compare LT, %iterArg_8, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %10 : tensor<i1>
    } do {
      %c_12 = stablehlo.constant dense<1> : tensor<i32>
      %10 = stablehlo.add %iterArg_9, %c_12 : tensor<i32>
      %c_13 = stablehlo.constant dense<0> : tensor<i32>
      %11 = stablehlo.compare EQ, %iterArg, %c_13, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_14 = stablehlo.constant dense<7> : tensor<i32>
      %12 = stablehlo.minimum %iterArg_9, %c_14 : tensor<i32>
      %13 = stablehlo.convert %12 : tensor<i32>
      %c_15 = stablehlo.constant dense<0> : tensor<i32>
      %14 = stablehlo.compare LT, %13, %c_15, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_16 = stablehlo.constant dense<8> : tensor<i32>
      %15 = stablehlo.add %13, %c_16 : tensor<i32>
      %16 = stablehlo.select %14, %15, %13 : tensor<i1>, tensor<i32>
      %c_17 = stablehlo.constant dense<0> : tensor<i32>
      %c_18 = stablehlo.constant dense<0> : tensor<i32>
      %17 = stablehlo.compare LT, %c_17, %c_18, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_19 = stablehlo.constant dense<0> : tensor<i32>
      %c_20 = stablehlo.constant dense<256> : tensor<i32>
      %18 = stablehlo.add %c_19, %c_20 : tensor<i32>
      %c_21 = stablehlo.constant dense<0> : tensor<i32>
      %19 = stablehlo.select %17, %18, %c_21 : tensor<i1>, tensor<i32>
      %c_22 = stablehlo.constant dense<0> : tensor<i32>
      %c_23 = stablehlo.constant dense<0> : tensor<i32>
      %20 = stablehlo.compare LT, %c_22, %c_23, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_24 = stablehlo.constant dense<0> : tensor<i32>
      %c_25 = stablehlo.constant dense<1024> : tensor<i32>
      %21 = stablehlo.add %c_24, %c_25 : tensor<i32>
      %c_26 = stablehlo.constant dense<0> : tensor<i32>
      %22 = stablehlo.select %20, %21, %c_26 : tensor<i1>, tensor<i32>
      %23 = stablehlo.dynamic_slice %iterArg_6, %16, %19, %22, sizes = [1, 256, 1024] : (tensor<8x256x1024xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x256x1024xf32>
      %24 = stablehlo.reshape %23 : (tensor<1x256x1024xf32>) -> tensor<256x1024xf32>
      %25 = func.call @_where(%11, %24, %iterArg_10) : (tensor<i1>, tensor<256x1024xf32>, tensor<256x1024xf32>) -> tensor<256x1024xf32>
      %26 = stablehlo.slice %iterArg_7 [0:1, 0:1024, 0:1024] : (tensor<4x1024x1024xf32>) -> tensor<1x1024x1024xf32>
      %27 = stablehlo.reshape %26 : (tensor<1x1024x1024xf32>) -> tensor<1024x1024xf32>
      %28 = stablehlo.dot_general %25, %27, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x1024xf32>, tensor<1024x1024xf32>) -> tensor<256x1024xf32>
      %29 = stablehlo.tanh %28 : tensor<256x1024xf32>
      %30 = stablehlo.slice %iterArg_7 [1:2, 0:1024, 0:1024] : (tensor<4x1024x1024xf32>) -> tensor<1x1024x1024xf32>
      %31 = stablehlo.reshape %30 : (tensor<1x1024x1024xf32>) -> tensor<1024x1024xf32>
      %32 = stablehlo.dot_general %29, %31, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x1024xf32>, tensor<1024x1024xf32>) -> tensor<256x1024xf32>
      %33 = stablehlo.tanh %32 : tensor<256x1024xf32>
      %34 = stablehlo.slice %iterArg_7 [2:3, 0:1024, 0:1024] : (tensor<4x1024x1024xf32>) -> tensor<1x1024x1024xf32>
      %35 = stablehlo.reshape %34 : (tensor<1x1024x1024xf32>) -> tensor<1024x1024xf32>
      %36 = stablehlo.dot_general %33, %35, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x1024xf32>, tensor<1024x1024xf32>) -> tensor<256x1024xf32>
      %37 = stablehlo.tanh %36 : tensor<256x1024xf32>
      %38 = stablehlo.slice %iterArg_7 [3:4, 0:1024, 0:1024] : (tensor<4x1024x1024xf32>) -> tensor<1x1024x1024xf32>
      %39 = stablehlo.reshape %38 : (tensor<1x1024x1024xf32>) -> tensor<1024x1024xf32>
      %40 = stablehlo.dot_general %37, %39, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<256x1024xf32>, tensor<1024x1024xf32>) -> tensor<256x1024xf32>
      %41 = stablehlo.tanh %40 : tensor<256x1024xf32>
      %c_27 = stablehlo.constant dense<1> : tensor<i32>
      %42 = stablehlo.subtract %iterArg_9, %c_27 : tensor<i32>
      %c_28 = stablehlo.constant dense<1> : tensor<i32>
      %43 = stablehlo.add %42, %c_28 : tensor<i32>
      %c_29 = stablehlo.constant dense<0> : tensor<i32>
      %44 = stablehlo.maximum %43, %c_29 : tensor<i32>
      %45 = func.call @dynamic_update_index_in_dim(%iterArg_11, %41, %44) : (tensor<8x256x1024xf32>, tensor<256x1024xf32>, tensor<i32>) -> tensor<8x256x1024xf32>
      %46 = "stablehlo.collective_permute"(%41) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<> : tensor<0x2xi64>}> : (tensor<256x1024xf32>) -> tensor<256x1024xf32>
      %c_30 = stablehlo.constant dense<1> : tensor<i32>
      %47 = stablehlo.add %iterArg_8, %c_30 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_6, %iterArg_7, %47, %10, %46, %45 : tensor<i32>, tensor<8x256x1024xf32>, tensor<4x1024x1024xf32>, tensor<i32>, tensor<i32>, tensor<256x1024xf32>, tensor<8x256x1024xf32>
    }
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.compare EQ, %3, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %8 = call @_where_0(%7, %6#6, %c_5) : (tensor<i1>, tensor<8x256x1024xf32>, tensor<i32>) -> tensor<8x256x1024xf32>
    %9 = "stablehlo.all_reduce"(%8) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %10 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %10 : tensor<f32>
    }) : (tensor<8x256x1024xf32>) -> tensor<8x256x1024xf32>
    return %9 : tensor<8x256x1024xf32>
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
