"builtin.module"() ({
  "sdy.mesh"() {sym_name = "mesh", mesh = #sdy.mesh<["x"=2, "y"=4]>, stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 4 : i64}]}} : () -> ()
  "func.func"() ({
  ^bb0(%0: tensor<f32>, %1: tensor<f32>):
    %2 = "stablehlo.add"(%0, %1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "func.return"(%2) : (tensor<f32>) -> ()
  }) {sym_name = "region_0.0", function_type = (tensor<f32>, tensor<f32>) -> tensor<f32>, sym_visibility = "private"} : () -> ()
  "func.func"() ({
  ^bb0(%3: tensor<f32>, %4: tensor<f32>):
    %5 = "stablehlo.add"(%3, %4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "func.return"(%5) : (tensor<f32>) -> ()
  }) {sym_name = "region_0.0.clone", function_type = (tensor<f32>, tensor<f32>) -> tensor<f32>, sym_visibility = "private"} : () -> ()
  "func.func"() ({
  ^bb0(%6: tensor<8x16xf32>):
    %7 = "sdy.manual_computation"(%6) ({
    ^bb0(%8: tensor<4x4xf32>):
      %9 = "stablehlo.reshape"(%8) : (tensor<4x4xf32>) -> tensor<2x2x4xf32>
      %10 = "stablehlo.all_to_all"(%9) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64} : (tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
      %11 = "stablehlo.transpose"(%10) {permutation = array<i64: 1, 0, 2>, result_layout = dense<[2, 0, 1]> : tensor<3xindex>, xla_shape = "f32[2,2,4]{2,0,1}"} : (tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
      %12 = "stablehlo.reshape"(%11) : (tensor<2x2x4xf32>) -> tensor<2x8xf32>
      %13 = "stablehlo.collective_permute"(%12) {channel_handle = #stablehlo.channel_handle<handle = 2, type = 0>, source_target_pairs = dense<[[0, 0], [2, 4], [1, 1], [3, 5], [4, 2], [6, 6], [5, 3], [7, 7]]> : tensor<8x2xi64>} : (tensor<2x8xf32>) -> tensor<2x8xf32>
      %14 = "stablehlo.constant"() {value = dense<2.0e+00> : tensor<f32>} : () -> tensor<f32>
      %15 = "stablehlo.broadcast_in_dim"(%14) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<2x8xf32>
      %16 = "stablehlo.multiply"(%13, %15) : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
      %17 = "stablehlo.constant"() {value = dense<0.0e+00> : tensor<f32>} : () -> tensor<f32>
      %18 = "stablehlo.reduce"(%16, %17) ({
      ^bb0(%19: tensor<f32>, %20: tensor<f32>):
        %21 = "stablehlo.add"(%19, %20) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%21) : (tensor<f32>) -> ()
      }) {dimensions = array<i64: 0>} : (tensor<2x8xf32>, tensor<f32>) -> tensor<8xf32>
      %22 = "stablehlo.all_reduce"(%18) ({
      ^bb0(%23: tensor<f32>, %24: tensor<f32>):
        %25 = "stablehlo.add"(%23, %24) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%25) : (tensor<f32>) -> ()
      }) {channel_handle = #stablehlo.channel_handle<handle = 3, type = 0>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids} : (tensor<8xf32>) -> tensor<8xf32>
      %26 = "stablehlo.all_gather"(%22) {all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 4, type = 0>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids} : (tensor<8xf32>) -> tensor<16xf32>
      "sdy.return"(%26) : (tensor<16xf32>) -> ()
    }) {in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{}]>]>, manual_axes = #sdy<manual_axes{"x", "y"}>} : (tensor<8x16xf32>) -> tensor<16xf32>
    "func.return"(%7) : (tensor<16xf32>) -> ()
  }) {sym_name = "main", function_type = (tensor<8x16xf32>) -> tensor<16xf32>, sym_visibility = "public", arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}], res_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{}]>, jax.result_info = "result"}]} : () -> ()
}) {sym_name = "jit__lambda", mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
