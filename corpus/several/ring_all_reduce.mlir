module @jit_ring attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["ring"=8]> {stablehlo.mesh = {axes = [{name = "ring", size = 8 : i64}]}}
  func.func public @main(%arg0: tensor<8x64xf32>) -> (tensor<8x64xf32> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"ring"}, {}]>] out_shardings=[<@mesh, [{"ring"}, {}]>] manual_axes={"ring"} (%arg1: tensor<1x64xf32>) {
      %c = stablehlo.constant dense<1> : tensor<ui32>
      %c_0 = stablehlo.constant dense<8> : tensor<ui32>
      %1 = stablehlo.partition_id : tensor<ui32>
      %2 = stablehlo.divide %1, %c : tensor<ui32>
      %3 = stablehlo.remainder %2, %c_0 : tensor<ui32>
      %4 = stablehlo.convert %3 : (tensor<ui32>) -> tensor<i32>
      %5 = stablehlo.reshape %arg1 : (tensor<1x64xf32>) -> tensor<8x8xf32>
      %c_1 = stablehlo.constant dense<0> : tensor<i32>
      %c_2 = stablehlo.constant dense<0> : tensor<i32>
      %6:4 = stablehlo.while(%iterArg = %4, %iterArg_5 = %c_2, %iterArg_6 = %c_1, %iterArg_7 = %5) : tensor<i32>, tensor<i32>, tensor<i32>, tensor<8x8xf32>
      cond {
        %c_8 = stablehlo.constant dense<7> : tensor<i32>
        %9 = stablehlo.compare LT, %iterArg_5, %c_8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %9 : tensor<i1>
      } do {
        %9:2 = func.call @closed_call(%iterArg, %iterArg_6, %iterArg_7) : (tensor<i32>, tensor<i32>, tensor<8x8xf32>) -> (tensor<i32>, tensor<8x8xf32>)
        %c_8 = stablehlo.constant dense<1> : tensor<i32>
        %10 = stablehlo.add %iterArg_5, %c_8 : tensor<i32>
        stablehlo.return %iterArg, %10, %9#0, %9#1 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<8x8xf32>
      }
      %c_3 = stablehlo.constant dense<0> : tensor<i32>
      %c_4 = stablehlo.constant dense<0> : tensor<i32>
      %7:4 = stablehlo.while(%iterArg = %4, %iterArg_5 = %c_4, %iterArg_6 = %c_3, %iterArg_7 = %6#3) : tensor<i32>, tensor<i32>, tensor<i32>, tensor<8x8xf32>
      cond {
        %c_8 = stablehlo.constant dense<7> : tensor<i32>
        %9 = stablehlo.compare LT, %iterArg_5, %c_8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %9 : tensor<i1>
      } do {
        %9:2 = func.call @closed_call_0(%iterArg, %iterArg_6, %iterArg_7) : (tensor<i32>, tensor<i32>, tensor<8x8xf32>) -> (tensor<i32>, tensor<8x8xf32>)
        %c_8 = stablehlo.constant dense<1> : tensor<i32>
        %10 = stablehlo.add %iterArg_5, %c_8 : tensor<i32>
        stablehlo.return %iterArg, %10, %9#0, %9#1 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<8x8xf32>
      }
      %8 = stablehlo.reshape %7#3 : (tensor<8x8xf32>) -> tensor<1x64xf32>
      sdy.return %8 : tensor<1x64xf32>
    } : (tensor<8x64xf32>) -> tensor<8x64xf32>
    return %0 : tensor<8x64xf32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<8x8xf32>) -> (tensor<i32>, tensor<8x8xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg1, %c : tensor<i32>
    %1 = stablehlo.convert %arg1 : tensor<i32>
    %2 = stablehlo.subtract %arg0, %1 : tensor<i32>
    %c_0 = stablehlo.constant dense<8> : tensor<i32>
    %3 = call @remainder(%2, %c_0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.compare LT, %3, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_2 = stablehlo.constant dense<8> : tensor<i32>
    %5 = stablehlo.add %3, %c_2 : tensor<i32>
    %6 = stablehlo.select %4, %5, %3 : tensor<i1>, tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.compare LT, %c_3, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %c_6 = stablehlo.constant dense<8> : tensor<i32>
    %8 = stablehlo.add %c_5, %c_6 : tensor<i32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.select %7, %8, %c_7 : tensor<i1>, tensor<i32>
    %10 = stablehlo.dynamic_slice %arg2, %6, %9, sizes = [1, 8] : (tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
    %11 = stablehlo.reshape %10 : (tensor<1x8xf32>) -> tensor<8xf32>
    %12 = "stablehlo.collective_permute"(%11) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7], [7, 0]]> : tensor<8x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
    %13 = stablehlo.convert %arg1 : tensor<i32>
    %14 = stablehlo.subtract %arg0, %13 : tensor<i32>
    %c_8 = stablehlo.constant dense<1> : tensor<i32>
    %15 = stablehlo.subtract %14, %c_8 : tensor<i32>
    %c_9 = stablehlo.constant dense<8> : tensor<i32>
    %16 = call @remainder(%15, %c_9) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %17 = stablehlo.compare LT, %16, %c_10, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_11 = stablehlo.constant dense<8> : tensor<i32>
    %18 = stablehlo.add %16, %c_11 : tensor<i32>
    %19 = stablehlo.select %17, %18, %16 : tensor<i1>, tensor<i32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %21 = "stablehlo.scatter"(%arg2, %20, %12) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %22 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %22 : tensor<f32>
    }) : (tensor<8x8xf32>, tensor<1xi32>, tensor<8xf32>) -> tensor<8x8xf32>
    return %0, %21 : tensor<i32>, tensor<8x8xf32>
  }
  func.func private @remainder(%arg0: tensor<i32>, %arg1: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.remainder %arg0, %2 : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.compare NE, %3, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.compare LT, %3, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = stablehlo.compare NE, %5, %6, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %8 = stablehlo.and %7, %4 : tensor<i1>
    %9 = stablehlo.add %3, %2 : tensor<i32>
    %10 = stablehlo.select %8, %9, %3 : tensor<i1>, tensor<i32>
    return %10 : tensor<i32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @closed_call_0(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<8x8xf32>) -> (tensor<i32>, tensor<8x8xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg1, %c : tensor<i32>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %arg0, %c_0 : tensor<i32>
    %2 = stablehlo.convert %arg1 : tensor<i32>
    %3 = stablehlo.subtract %1, %2 : tensor<i32>
    %c_1 = stablehlo.constant dense<8> : tensor<i32>
    %4 = call @remainder(%3, %c_1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.compare LT, %4, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_3 = stablehlo.constant dense<8> : tensor<i32>
    %6 = stablehlo.add %4, %c_3 : tensor<i32>
    %7 = stablehlo.select %5, %6, %4 : tensor<i1>, tensor<i32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.compare LT, %c_4, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %c_7 = stablehlo.constant dense<8> : tensor<i32>
    %9 = stablehlo.add %c_6, %c_7 : tensor<i32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %10 = stablehlo.select %8, %9, %c_8 : tensor<i1>, tensor<i32>
    %11 = stablehlo.dynamic_slice %arg2, %7, %10, sizes = [1, 8] : (tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
    %12 = stablehlo.reshape %11 : (tensor<1x8xf32>) -> tensor<8xf32>
    %13 = "stablehlo.collective_permute"(%12) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7], [7, 0]]> : tensor<8x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
    %14 = stablehlo.convert %arg1 : tensor<i32>
    %15 = stablehlo.subtract %arg0, %14 : tensor<i32>
    %c_9 = stablehlo.constant dense<8> : tensor<i32>
    %16 = call @remainder(%15, %c_9) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %17 = stablehlo.compare LT, %16, %c_10, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_11 = stablehlo.constant dense<8> : tensor<i32>
    %18 = stablehlo.add %16, %c_11 : tensor<i32>
    %19 = stablehlo.select %17, %18, %16 : tensor<i1>, tensor<i32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %21 = "stablehlo.scatter"(%arg2, %20, %13) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      stablehlo.return %arg4 : tensor<f32>
    }) : (tensor<8x8xf32>, tensor<1xi32>, tensor<8xf32>) -> tensor<8x8xf32>
    return %0, %21 : tensor<i32>, tensor<8x8xf32>
  }
}
