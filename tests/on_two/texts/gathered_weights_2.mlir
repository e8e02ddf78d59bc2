module @jit__lambda attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}]}}
  sdy.mesh @mesh_0 = <["x"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<1024x1024xf32>, %arg1: tensor<8x1024x1024xf32>) -> (tensor<1024x1024xf32> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{}, {"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg2: tensor<512x1024xf32>, %arg3: tensor<8x512x1024xf32>) {
      %c = stablehlo.constant dense<0> : tensor<i32>
      %1:3 = stablehlo.while(%iterArg = %arg3, %iterArg_0 = %c, %iterArg_1 = %arg2) : tensor<8x512x1024xf32>, tensor<i32>, tensor<512x1024xf32>
      cond {
        %c_2 = stablehlo.constant dense<8> : tensor<i32>
        %2 = stablehlo.compare LT, %iterArg_0, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %2 : tensor<i1>
      } do {
        %2 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_0) : (tensor<8x512x1024xf32>, tensor<i32>) -> tensor<512x1024xf32>
        %3 = "stablehlo.all_gather"(%2) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> : (tensor<512x1024xf32>) -> tensor<1024x1024xf32>
        %4 = stablehlo.dot_general %iterArg_1, %3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x1024xf32>, tensor<1024x1024xf32>) -> tensor<512x1024xf32>
        %5 = stablehlo.tanh %4 : tensor<512x1024xf32>
        %c_2 = stablehlo.constant dense<1> : tensor<i32>
        %6 = stablehlo.add %iterArg_0, %c_2 : tensor<i32>
        stablehlo.return %iterArg, %6, %5 : tensor<8x512x1024xf32>, tensor<i32>, tensor<512x1024xf32>
      }
      sdy.return %1#2 : tensor<512x1024xf32>
    } : (tensor<1024x1024xf32>, tensor<8x1024x1024xf32>) -> tensor<1024x1024xf32>
    return %0 : tensor<1024x1024xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<8x512x1024xf32>, %arg1: tensor<i32>) -> tensor<512x1024xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 512, 1024] : (tensor<8x512x1024xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x512x1024xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x512x1024xf32>) -> tensor<512x1024xf32>
    return %1 : tensor<512x1024xf32>
  }
}
