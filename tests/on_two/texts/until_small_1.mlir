module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8192xf32>) -> (tensor<8192xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.abs %arg0 : tensor<8192xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<8192xf32>, tensor<f32>) -> tensor<f32>
    %2 = "stablehlo.all_reduce"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %5 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %5 : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    %cst_0 = stablehlo.constant dense<2.300000e-03> : tensor<f32>
    %3 = stablehlo.multiply %2, %cst_0 : tensor<f32>
    %4:2 = stablehlo.while(%iterArg = %3, %iterArg_1 = %arg0) : tensor<f32>, tensor<8192xf32>
    cond {
      %5 = stablehlo.abs %iterArg_1 : tensor<8192xf32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %6 = stablehlo.reduce(%5 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<8192xf32>, tensor<f32>) -> tensor<f32>
      %7 = "stablehlo.all_reduce"(%6) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
      ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
        %9 = stablehlo.add %arg1, %arg2 : tensor<f32>
        stablehlo.return %9 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      %8 = stablehlo.compare GT, %7, %iterArg, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %8 : tensor<i1>
    } do {
      %cst_2 = stablehlo.constant dense<9.700000e-01> : tensor<f32>
      %5 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8192xf32>
      %6 = stablehlo.multiply %iterArg_1, %5 : tensor<8192xf32>
      stablehlo.return %iterArg, %6 : tensor<f32>, tensor<8192xf32>
    }
    return %4#1 : tensor<8192xf32>
  }
}
