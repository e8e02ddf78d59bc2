module @jit__lambda attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}]}}
  sdy.mesh @mesh_0 = <["x"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<1024x8192xbf16>, %arg1: tensor<3x8192x64x128xbf16>, %arg2: tensor<64x128x8192xbf16>, %arg3: tensor<8192x32768xbf16>, %arg4: tensor<32768x8192xbf16>, %arg5: tensor<1x1024xi32>) -> (tensor<1x8192xbf16> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5) in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {}, {"x"}, {}]>, <@mesh, [{"x"}, {}, {}]>, <@mesh, [{}, {"x"}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"x"} (%arg6: tensor<1024x8192xbf16>, %arg7: tensor<3x8192x32x128xbf16>, %arg8: tensor<32x128x8192xbf16>, %arg9: tensor<8192x16384xbf16>, %arg10: tensor<16384x8192xbf16>, %arg11: tensor<1x1024xi32>) {
      %c = stablehlo.constant dense<0> : tensor<i32>
      %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1x1024xi32>
      %2 = stablehlo.compare LT, %arg11, %1, SIGNED : (tensor<1x1024xi32>, tensor<1x1024xi32>) -> tensor<1x1024xi1>
      %c_0 = stablehlo.constant dense<1024> : tensor<i32>
      %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<1x1024xi32>
      %4 = stablehlo.add %arg11, %3 : tensor<1x1024xi32>
      %5 = stablehlo.select %2, %4, %arg11 : tensor<1x1024xi1>, tensor<1x1024xi32>
      %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<1x1024xi32>) -> tensor<1x1024x1xi32>
      %7 = "stablehlo.gather"(%arg6, %6) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8192>}> : (tensor<1024x8192xbf16>, tensor<1x1024x1xi32>) -> tensor<1x1024x8192xbf16>
      %c_1 = stablehlo.constant dense<true> : tensor<i1>
      %8 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i1>) -> tensor<1024x1024xi1>
      %9 = func.call @tril(%8) : (tensor<1024x1024xi1>) -> tensor<1024x1024xi1>
      %10 = stablehlo.convert %7 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
      %11 = stablehlo.multiply %10, %10 : tensor<1x1024x8192xf32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %12 = stablehlo.reduce(%11 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
      %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
      %cst_2 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
      %14 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %15 = stablehlo.divide %13, %14 : tensor<1x1024x1xf32>
      %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %16 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %17 = stablehlo.add %15, %16 : tensor<1x1024x1xf32>
      %18 = stablehlo.rsqrt %17 : tensor<1x1024x1xf32>
      %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
      %20 = stablehlo.multiply %10, %19 : tensor<1x1024x8192xf32>
      %21 = stablehlo.convert %20 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
      %22 = stablehlo.slice %arg7 [0:1, 0:8192, 0:32, 0:128] : (tensor<3x8192x32x128xbf16>) -> tensor<1x8192x32x128xbf16>
      %23 = stablehlo.reshape %22 : (tensor<1x8192x32x128xbf16>) -> tensor<8192x32x128xbf16>
      %24 = stablehlo.dot_general %23, %21, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x32x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<32x128x1x1024xbf16>
      %25 = stablehlo.transpose %24, dims = [2, 0, 3, 1] : (tensor<32x128x1x1024xbf16>) -> tensor<1x32x1024x128xbf16>
      %26 = stablehlo.convert %7 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
      %27 = stablehlo.multiply %26, %26 : tensor<1x1024x8192xf32>
      %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %28 = stablehlo.reduce(%27 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
      %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
      %cst_5 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
      %30 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %31 = stablehlo.divide %29, %30 : tensor<1x1024x1xf32>
      %cst_6 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %32 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %33 = stablehlo.add %31, %32 : tensor<1x1024x1xf32>
      %34 = stablehlo.rsqrt %33 : tensor<1x1024x1xf32>
      %35 = stablehlo.broadcast_in_dim %34, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
      %36 = stablehlo.multiply %26, %35 : tensor<1x1024x8192xf32>
      %37 = stablehlo.convert %36 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
      %38 = stablehlo.slice %arg7 [1:2, 0:8192, 0:32, 0:128] : (tensor<3x8192x32x128xbf16>) -> tensor<1x8192x32x128xbf16>
      %39 = stablehlo.reshape %38 : (tensor<1x8192x32x128xbf16>) -> tensor<8192x32x128xbf16>
      %40 = stablehlo.dot_general %39, %37, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x32x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<32x128x1x1024xbf16>
      %41 = stablehlo.transpose %40, dims = [2, 0, 3, 1] : (tensor<32x128x1x1024xbf16>) -> tensor<1x32x1024x128xbf16>
      %42 = stablehlo.convert %7 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
      %43 = stablehlo.multiply %42, %42 : tensor<1x1024x8192xf32>
      %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %44 = stablehlo.reduce(%43 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
      %45 = stablehlo.broadcast_in_dim %44, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
      %cst_8 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
      %46 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %47 = stablehlo.divide %45, %46 : tensor<1x1024x1xf32>
      %cst_9 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %48 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %49 = stablehlo.add %47, %48 : tensor<1x1024x1xf32>
      %50 = stablehlo.rsqrt %49 : tensor<1x1024x1xf32>
      %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
      %52 = stablehlo.multiply %42, %51 : tensor<1x1024x8192xf32>
      %53 = stablehlo.convert %52 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
      %54 = stablehlo.slice %arg7 [2:3, 0:8192, 0:32, 0:128] : (tensor<3x8192x32x128xbf16>) -> tensor<1x8192x32x128xbf16>
      %55 = stablehlo.reshape %54 : (tensor<1x8192x32x128xbf16>) -> tensor<8192x32x128xbf16>
      %56 = stablehlo.dot_general %55, %53, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x32x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<32x128x1x1024xbf16>
      %57 = stablehlo.transpose %56, dims = [2, 0, 3, 1] : (tensor<32x128x1x1024xbf16>) -> tensor<1x32x1024x128xbf16>
      %58 = stablehlo.dot_general %25, %41, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x32x1024x128xbf16>, tensor<1x32x1024x128xbf16>) -> tensor<1x32x1024x1024xbf16>
      %cst_10 = stablehlo.constant dense<8.837890e-02> : tensor<bf16>
      %59 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<bf16>) -> tensor<1x32x1024x1024xbf16>
      %60 = stablehlo.multiply %58, %59 : tensor<1x32x1024x1024xbf16>
      %cst_11 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
      %61 = func.call @_where(%9, %60, %cst_11) : (tensor<1024x1024xi1>, tensor<1x32x1024x1024xbf16>, tensor<f32>) -> tensor<1x32x1024x1024xbf16>
      %cst_12 = stablehlo.constant dense<0xFF80> : tensor<bf16>
      %62 = stablehlo.reduce(%61 init: %cst_12) applies stablehlo.maximum across dimensions = [3] : (tensor<1x32x1024x1024xbf16>, tensor<bf16>) -> tensor<1x32x1024xbf16>
      %cst_13 = stablehlo.constant dense<0xFF80> : tensor<bf16>
      %63 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<bf16>) -> tensor<1x32x1024xbf16>
      %64 = stablehlo.maximum %63, %62 : tensor<1x32x1024xbf16>
      %65 = stablehlo.broadcast_in_dim %64, dims = [0, 1, 2] : (tensor<1x32x1024xbf16>) -> tensor<1x32x1024x1xbf16>
      %66 = stablehlo.broadcast_in_dim %65, dims = [0, 1, 2, 3] : (tensor<1x32x1024x1xbf16>) -> tensor<1x32x1024x1024xbf16>
      %67 = stablehlo.subtract %61, %66 : tensor<1x32x1024x1024xbf16>
      %68 = stablehlo.exponential %67 : tensor<1x32x1024x1024xbf16>
      %69 = stablehlo.convert %68 : (tensor<1x32x1024x1024xbf16>) -> tensor<1x32x1024x1024xf32>
      %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %70 = stablehlo.reduce(%69 init: %cst_14) applies stablehlo.add across dimensions = [3] : (tensor<1x32x1024x1024xf32>, tensor<f32>) -> tensor<1x32x1024xf32>
      %71 = stablehlo.broadcast_in_dim %70, dims = [0, 1, 2] : (tensor<1x32x1024xf32>) -> tensor<1x32x1024x1xf32>
      %72 = stablehlo.convert %71 : (tensor<1x32x1024x1xf32>) -> tensor<1x32x1024x1xbf16>
      %73 = stablehlo.broadcast_in_dim %72, dims = [0, 1, 2, 3] : (tensor<1x32x1024x1xbf16>) -> tensor<1x32x1024x1024xbf16>
      %74 = stablehlo.divide %68, %73 : tensor<1x32x1024x1024xbf16>
      %75 = stablehlo.dot_general %74, %57, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x32x1024x1024xbf16>, tensor<1x32x1024x128xbf16>) -> tensor<1x32x1024x128xbf16>
      %76 = stablehlo.dot_general %75, %arg8, contracting_dims = [3, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<1x32x1024x128xbf16>, tensor<32x128x8192xbf16>) -> tensor<1x1024x8192xbf16>
      %77 = "stablehlo.all_reduce"(%76) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg12: tensor<bf16>, %arg13: tensor<bf16>):
        %700 = stablehlo.add %arg12, %arg13 : tensor<bf16>
        stablehlo.return %700 : tensor<bf16>
      }) : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xbf16>
      %78 = stablehlo.add %7, %77 : tensor<1x1024x8192xbf16>
      %79 = stablehlo.convert %78 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
      %80 = stablehlo.multiply %79, %79 : tensor<1x1024x8192xf32>
      %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %81 = stablehlo.reduce(%80 init: %cst_15) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
      %82 = stablehlo.broadcast_in_dim %81, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
      %cst_16 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
      %83 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %84 = stablehlo.divide %82, %83 : tensor<1x1024x1xf32>
      %cst_17 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %85 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %86 = stablehlo.add %84, %85 : tensor<1x1024x1xf32>
      %87 = stablehlo.rsqrt %86 : tensor<1x1024x1xf32>
      %88 = stablehlo.broadcast_in_dim %87, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
      %89 = stablehlo.multiply %79, %88 : tensor<1x1024x8192xf32>
      %90 = stablehlo.convert %89 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
      %91 = stablehlo.dot_general %90, %arg9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1024x8192xbf16>, tensor<8192x16384xbf16>) -> tensor<1x1024x16384xbf16>
      %92 = func.call @silu(%91) : (tensor<1x1024x16384xbf16>) -> tensor<1x1024x16384xbf16>
      %93 = stablehlo.dot_general %92, %arg10, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1024x16384xbf16>, tensor<16384x8192xbf16>) -> tensor<1x1024x8192xbf16>
      %94 = "stablehlo.all_reduce"(%93) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg12: tensor<bf16>, %arg13: tensor<bf16>):
        %700 = stablehlo.add %arg12, %arg13 : tensor<bf16>
        stablehlo.return %700 : tensor<bf16>
      }) : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xbf16>
      %95 = stablehlo.add %78, %94 : tensor<1x1024x8192xbf16>
      %96 = stablehlo.convert %95 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
      %97 = stablehlo.multiply %96, %96 : tensor<1x1024x8192xf32>
      %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %98 = stablehlo.reduce(%97 init: %cst_18) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
      %99 = stablehlo.broadcast_in_dim %98, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
      %cst_19 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
      %100 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %101 = stablehlo.divide %99, %100 : tensor<1x1024x1xf32>
      %cst_20 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %102 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %103 = stablehlo.add %101, %102 : tensor<1x1024x1xf32>
      %104 = stablehlo.rsqrt %103 : tensor<1x1024x1xf32>
      %105 = stablehlo.broadcast_in_dim %104, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
      %106 = stablehlo.multiply %96, %105 : tensor<1x1024x8192xf32>
      %107 = stablehlo.convert %106 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
      %108 = stablehlo.slice %arg7 [0:1, 0:8192, 0:32, 0:128] : (tensor<3x8192x32x128xbf16>) -> tensor<1x8192x32x128xbf16>
      %109 = stablehlo.reshape %108 : (tensor<1x8192x32x128xbf16>) -> tensor<8192x32x128xbf16>
      %110 = stablehlo.dot_general %109, %107, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x32x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<32x128x1x1024xbf16>
      %111 = stablehlo.transpose %110, dims = [2, 0, 3, 1] : (tensor<32x128x1x1024xbf16>) -> tensor<1x32x1024x128xbf16>
      %112 = stablehlo.convert %95 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
      %113 = stablehlo.multiply %112, %112 : tensor<1x1024x8192xf32>
      %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %114 = stablehlo.reduce(%113 init: %cst_21) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
      %115 = stablehlo.broadcast_in_dim %114, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
      %cst_22 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
      %116 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %117 = stablehlo.divide %115, %116 : tensor<1x1024x1xf32>
      %cst_23 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %118 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %119 = stablehlo.add %117, %118 : tensor<1x1024x1xf32>
      %120 = stablehlo.rsqrt %119 : tensor<1x1024x1xf32>
      %121 = stablehlo.broadcast_in_dim %120, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
      %122 = stablehlo.multiply %112, %121 : tensor<1x1024x8192xf32>
      %123 = stablehlo.convert %122 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
      %124 = stablehlo.slice %arg7 [1:2, 0:8192, 0:32, 0:128] : (tensor<3x8192x32x128xbf16>) -> tensor<1x8192x32x128xbf16>
      %125 = stablehlo.reshape %124 : (tensor<1x8192x32x128xbf16>) -> tensor<8192x32x128xbf16>
      %126 = stablehlo.dot_general %125, %123, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x32x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<32x128x1x1024xbf16>
      %127 = stablehlo.transpose %126, dims = [2, 0, 3, 1] : (tensor<32x128x1x1024xbf16>) -> tensor<1x32x1024x128xbf16>
      %128 = stablehlo.convert %95 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
      %129 = stablehlo.multiply %128, %128 : tensor<1x1024x8192xf32>
      %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %130 = stablehlo.reduce(%129 init: %cst_24) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
      %131 = stablehlo.broadcast_in_dim %130, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
      %cst_25 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
      %132 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %133 = stablehlo.divide %131, %132 : tensor<1x1024x1xf32>
      %cst_26 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %134 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %135 = stablehlo.add %133, %134 : tensor<1x1024x1xf32>
      %136 = stablehlo.rsqrt %135 : tensor<1x1024x1xf32>
      %137 = stablehlo.broadcast_in_dim %136, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
      %138 = stablehlo.multiply %128, %137 : tensor<1x1024x8192xf32>
      %139 = stablehlo.convert %138 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
      %140 = stablehlo.slice %arg7 [2:3, 0:8192, 0:32, 0:128] : (tensor<3x8192x32x128xbf16>) -> tensor<1x8192x32x128xbf16>
      %141 = stablehlo.reshape %140 : (tensor<1x8192x32x128xbf16>) -> tensor<8192x32x128xbf16>
      %142 = stablehlo.dot_general %141, %139, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x32x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<32x128x1x1024xbf16>
      %143 = stablehlo.transpose %142, dims = [2, 0, 3, 1] : (tensor<32x128x1x1024xbf16>) -> tensor<1x32x1024x128xbf16>
      %144 = stablehlo.dot_general %111, %127, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x32x1024x128xbf16>, tensor<1x32x1024x128xbf16>) -> tensor<1x32x1024x1024xbf16>
      %cst_27 = stablehlo.constant dense<8.837890e-02> : tensor<bf16>
      %145 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<bf16>) -> tensor<1x32x1024x1024xbf16>
      %146 = stablehlo.multiply %144, %145 : tensor<1x32x1024x1024xbf16>
      %cst_28 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
      %147 = func.call @_where(%9, %146, %cst_28) : (tensor<1024x1024xi1>, tensor<1x32x1024x1024xbf16>, tensor<f32>) -> tensor<1x32x1024x1024xbf16>
      %cst_29 = stablehlo.constant dense<0xFF80> : tensor<bf16>
      %148 = stablehlo.reduce(%147 init: %cst_29) applies stablehlo.maximum across dimensions = [3] : (tensor<1x32x1024x1024xbf16>, tensor<bf16>) -> tensor<1x32x1024xbf16>
      %cst_30 = stablehlo.constant dense<0xFF80> : tensor<bf16>
      %149 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<bf16>) -> tensor<1x32x1024xbf16>
      %150 = stablehlo.maximum %149, %148 : tensor<1x32x1024xbf16>
      %151 = stablehlo.broadcast_in_dim %150, dims = [0, 1, 2] : (tensor<1x32x1024xbf16>) -> tensor<1x32x1024x1xbf16>
      %152 = stablehlo.broadcast_in_dim %151, dims = [0, 1, 2, 3] : (tensor<1x32x1024x1xbf16>) -> tensor<1x32x1024x1024xbf16>
      %153 = stablehlo.subtract %147, %152 : tensor<1x32x1024x1024xbf16>
      %154 = stablehlo.exponential %153 : tensor<1x32x1024x1024xbf16>
      %155 = stablehlo.convert %154 : (tensor<1x32x1024x1024xbf16>) -> tensor<1x32x1024x1024xf32>
      %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %156 = stablehlo.reduce(%155 init: %cst_31) applies stablehlo.add across dimensions = [3] : (tensor<1x32x1024x1024xf32>, tensor<f32>) -> tensor<1x32x1024xf32>
      %157 = stablehlo.broadcast_in_dim %156, dims = [0, 1, 2] : (tensor<1x32x1024xf32>) -> tensor<1x32x1024x1xf32>
      %158 = stablehlo.convert %157 : (tensor<1x32x1024x1xf32>) -> tensor<1x32x1024x1xbf16>
      %159 = stablehlo.broadcast_in_dim %158, dims = [0, 1, 2, 3] : (tensor<1x32x1024x1xbf16>) -> tensor<1x32x1024x1024xbf16>
      %160 = stablehlo.divide %154, %159 : tensor<1x32x1024x1024xbf16>
      %161 = stablehlo.dot_general %160, %143, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x32x1024x1024xbf16>, tensor<1x32x1024x128xbf16>) -> tensor<1x32x1024x128xbf16>
      %162 = stablehlo.dot_general %161, %arg8, contracting_dims = [3, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<1x32x1024x128xbf16>, tensor<32x128x8192xbf16>) -> tensor<1x1024x8192xbf16>
      %163 = "stablehlo.all_reduce"(%162) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg12: tensor<bf16>, %arg13: tensor<bf16>):
        %700 = stablehlo.add %arg12, %arg13 : tensor<bf16>
        stablehlo.return %700 : tensor<bf16>
      }) : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xbf16>
      %164 = stablehlo.add %95, %163 : tensor<1x1024x8192xbf16>
      %165 = stablehlo.convert %164 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
      %166 = stablehlo.multiply %165, %165 : tensor<1x1024x8192xf32>
      %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %167 = stablehlo.reduce(%166 init: %cst_32) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
      %168 = stablehlo.broadcast_in_dim %167, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
      %cst_33 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
      %169 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %170 = stablehlo.divide %168, %169 : tensor<1x1024x1xf32>
      %cst_34 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %171 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %172 = stablehlo.add %170, %171 : tensor<1x1024x1xf32>
      %173 = stablehlo.rsqrt %172 : tensor<1x1024x1xf32>
      %174 = stablehlo.broadcast_in_dim %173, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
      %175 = stablehlo.multiply %165, %174 : tensor<1x1024x8192xf32>
      %176 = stablehlo.convert %175 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
      %177 = stablehlo.dot_general %176, %arg9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1024x8192xbf16>, tensor<8192x16384xbf16>) -> tensor<1x1024x16384xbf16>
      %178 = func.call @silu(%177) : (tensor<1x1024x16384xbf16>) -> tensor<1x1024x16384xbf16>
      %179 = stablehlo.dot_general %178, %arg10, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1024x16384xbf16>, tensor<16384x8192xbf16>) -> tensor<1x1024x8192xbf16>
      %180 = "stablehlo.all_reduce"(%179) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg12: tensor<bf16>, %arg13: tensor<bf16>):
        %700 = stablehlo.add %arg12, %arg13 : tensor<bf16>
        stablehlo.return %700 : tensor<bf16>
      }) : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xbf16>
      %181 = stablehlo.add %164, %180 : tensor<1x1024x8192xbf16>
      %182 = stablehlo.convert %181 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
      %183 = stablehlo.multiply %182, %182 : tensor<1x1024x8192xf32>
      %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %184 = stablehlo.reduce(%183 init: %cst_35) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
      %185 = stablehlo.broadcast_in_dim %184, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
      %cst_36 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
      %186 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %187 = stablehlo.divide %185, %186 : tensor<1x1024x1xf32>
      %cst_37 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %188 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %189 = stablehlo.add %187, %188 : tensor<1x1024x1xf32>
      %190 = stablehlo.rsqrt %189 : tensor<1x1024x1xf32>
      %191 = stablehlo.broadcast_in_dim %190, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
      %192 = stablehlo.multiply %182, %191 : tensor<1x1024x8192xf32>
      %193 = stablehlo.convert %192 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
      %194 = stablehlo.slice %arg7 [0:1, 0:8192, 0:32, 0:128] : (tensor<3x8192x32x128xbf16>) -> tensor<1x8192x32x128xbf16>
      %195 = stablehlo.reshape %194 : (tensor<1x8192x32x128xbf16>) -> tensor<8192x32x128xbf16>
      %196 = stablehlo.dot_general %195, %193, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x32x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<32x128x1x1024xbf16>
      %197 = stablehlo.transpose %196, dims = [2, 0, 3, 1] : (tensor<32x128x1x1024xbf16>) -> tensor<1x32x1024x128xbf16>
      %198 = stablehlo.convert %181 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
      %199 = stablehlo.multiply %198, %198 : tensor<1x1024x8192xf32>
      %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %200 = stablehlo.reduce(%199 init: %cst_38) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
      %201 = stablehlo.broadcast_in_dim %200, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
      %cst_39 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
      %202 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %203 = stablehlo.divide %201, %202 : tensor<1x1024x1xf32>
      %cst_40 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %204 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %205 = stablehlo.add %203, %204 : tensor<1x1024x1xf32>
      %206 = stablehlo.rsqrt %205 : tensor<1x1024x1xf32>
      %207 = stablehlo.broadcast_in_dim %206, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
      %208 = stablehlo.multiply %198, %207 : tensor<1x1024x8192xf32>
      %209 = stablehlo.convert %208 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
      %210 = stablehlo.slice %arg7 [1:2, 0:8192, 0:32, 0:128] : (tensor<3x8192x32x128xbf16>) -> tensor<1x8192x32x128xbf16>
      %211 = stablehlo.reshape %210 : (tensor<1x8192x32x128xbf16>) -> tensor<8192x32x128xbf16>
      %212 = stablehlo.dot_general %211, %209, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x32x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<32x128x1x1024xbf16>
      %213 = stablehlo.transpose %212, dims = [2, 0, 3, 1] : (tensor<32x128x1x1024xbf16>) -> tensor<1x32x1024x128xbf16>
      %214 = stablehlo.convert %181 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
      %215 = stablehlo.multiply %214, %214 : tensor<1x1024x8192xf32>
      %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %216 = stablehlo.reduce(%215 init: %cst_41) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
      %217 = stablehlo.broadcast_in_dim %216, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
      %cst_42 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
      %218 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %219 = stablehlo.divide %217, %218 : tensor<1x1024x1xf32>
      %cst_43 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %220 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %221 = stablehlo.add %219, %220 : tensor<1x1024x1xf32>
      %222 = stablehlo.rsqrt %221 : tensor<1x1024x1xf32>
      %223 = stablehlo.broadcast_in_dim %222, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
      %224 = stablehlo.multiply %214, %223 : tensor<1x1024x8192xf32>
      %225 = stablehlo.convert %224 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
      %226 = stablehlo.slice %arg7 [2:3, 0:8192, 0:32, 0:128] : (tensor<3x8192x32x128xbf16>) -> tensor<1x8192x32x128xbf16>
      %227 = stablehlo.reshape %226 : (tensor<1x8192x32x128xbf16>) -> tensor<8192x32x128xbf16>
      %228 = stablehlo.dot_general %227, %225, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x32x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<32x128x1x1024xbf16>
      %229 = stablehlo.transpose %228, dims = [2, 0, 3, 1] : (tensor<32x128x1x1024xbf16>) -> tensor<1x32x1024x128xbf16>
      %230 = stablehlo.dot_general %197, %213, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x32x1024x128xbf16>, tensor<1x32x1024x128xbf16>) -> tensor<1x32x1024x1024xbf16>
      %cst_44 = stablehlo.constant dense<8.837890e-02> : tensor<bf16>
      %231 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<bf16>) -> tensor<1x32x1024x1024xbf16>
      %232 = stablehlo.multiply %230, %231 : tensor<1x32x1024x1024xbf16>
      %cst_45 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
      %233 = func.call @_where(%9, %232, %cst_45) : (tensor<1024x1024xi1>, tensor<1x32x1024x1024xbf16>, tensor<f32>) -> tensor<1x32x1024x1024xbf16>
      %cst_46 = stablehlo.constant dense<0xFF80> : tensor<bf16>
      %234 = stablehlo.reduce(%233 init: %cst_46) applies stablehlo.maximum across dimensions = [3] : (tensor<1x32x1024x1024xbf16>, tensor<bf16>) -> tensor<1x32x1024xbf16>
      %cst_47 = stablehlo.constant dense<0xFF80> : tensor<bf16>
      %235 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<bf16>) -> tensor<1x32x1024xbf16>
      %236 = stablehlo.maximum %235, %234 : tensor<1x32x1024xbf16>
      %237 = stablehlo.broadcast_in_dim %236, dims = [0, 1, 2] : (tensor<1x32x1024xbf16>) -> tensor<1x32x1024x1xbf16>
      %238 = stablehlo.broadcast_in_dim %237, dims = [0, 1, 2, 3] : (tensor<1x32x1024x1xbf16>) -> tensor<1x32x1024x1024xbf16>
      %239 = stablehlo.subtract %233, %238 : tensor<1x32x1024x1024xbf16>
      %240 = stablehlo.exponential %239 : tensor<1x32x1024x1024xbf16>
      %241 = stablehlo.convert %240 : (tensor<1x32x1024x1024xbf16>) -> tensor<1x32x1024x1024xf32>
      %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %242 = stablehlo.reduce(%241 init: %cst_48) applies stablehlo.add across dimensions = [3] : (tensor<1x32x1024x1024xf32>, tensor<f32>) -> tensor<1x32x1024xf32>
      %243 = stablehlo.broadcast_in_dim %242, dims = [0, 1, 2] : (tensor<1x32x1024xf32>) -> tensor<1x32x1024x1xf32>
      %244 = stablehlo.convert %243 : (tensor<1x32x1024x1xf32>) -> tensor<1x32x1024x1xbf16>
      %245 = stablehlo.broadcast_in_dim %244, dims = [0, 1, 2, 3] : (tensor<1x32x1024x1xbf16>) -> tensor<1x32x1024x1024xbf16>
      %246 = stablehlo.divide %240, %245 : tensor<1x32x1024x1024xbf16>
      %247 = stablehlo.dot_general %246, %229, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x32x1024x1024xbf16>, tensor<1x32x1024x128xbf16>) -> tensor<1x32x1024x128xbf16>
      %248 = stablehlo.dot_general %247, %arg8, contracting_dims = [3, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<1x32x1024x128xbf16>, tensor<32x128x8192xbf16>) -> tensor<1x1024x8192xbf16>
      %249 = "stablehlo.all_reduce"(%248) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg12: tensor<bf16>, %arg13: tensor<bf16>):
        %700 = stablehlo.add %arg12, %arg13 : tensor<bf16>
        stablehlo.return %700 : tensor<bf16>
      }) : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xbf16>
      %250 = stablehlo.add %181, %249 : tensor<1x1024x8192xbf16>
      %251 = stablehlo.convert %250 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
      %252 = stablehlo.multiply %251, %251 : tensor<1x1024x8192xf32>
      %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %253 = stablehlo.reduce(%252 init: %cst_49) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
      %254 = stablehlo.broadcast_in_dim %253, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
      %cst_50 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
      %255 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %256 = stablehlo.divide %254, %255 : tensor<1x1024x1xf32>
      %cst_51 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %257 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %258 = stablehlo.add %256, %257 : tensor<1x1024x1xf32>
      %259 = stablehlo.rsqrt %258 : tensor<1x1024x1xf32>
      %260 = stablehlo.broadcast_in_dim %259, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
      %261 = stablehlo.multiply %251, %260 : tensor<1x1024x8192xf32>
      %262 = stablehlo.convert %261 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
      %263 = stablehlo.dot_general %262, %arg9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1024x8192xbf16>, tensor<8192x16384xbf16>) -> tensor<1x1024x16384xbf16>
      %264 = func.call @silu(%263) : (tensor<1x1024x16384xbf16>) -> tensor<1x1024x16384xbf16>
      %265 = stablehlo.dot_general %264, %arg10, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1024x16384xbf16>, tensor<16384x8192xbf16>) -> tensor<1x1024x8192xbf16>
      %266 = "stablehlo.all_reduce"(%265) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg12: tensor<bf16>, %arg13: tensor<bf16>):
        %700 = stablehlo.add %arg12, %arg13 : tensor<bf16>
        stablehlo.return %700 : tensor<bf16>
      }) : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xbf16>
      %267 = stablehlo.add %250, %266 : tensor<1x1024x8192xbf16>
      %268 = stablehlo.convert %267 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
      %269 = stablehlo.multiply %268, %268 : tensor<1x1024x8192xf32>
      %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %270 = stablehlo.reduce(%269 init: %cst_52) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
      %271 = stablehlo.broadcast_in_dim %270, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
      %cst_53 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
      %272 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %273 = stablehlo.divide %271, %272 : tensor<1x1024x1xf32>
      %cst_54 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %274 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %275 = stablehlo.add %273, %274 : tensor<1x1024x1xf32>
      %276 = stablehlo.rsqrt %275 : tensor<1x1024x1xf32>
      %277 = stablehlo.broadcast_in_dim %276, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
      %278 = stablehlo.multiply %268, %277 : tensor<1x1024x8192xf32>
      %279 = stablehlo.convert %278 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
      %280 = stablehlo.slice %arg7 [0:1, 0:8192, 0:32, 0:128] : (tensor<3x8192x32x128xbf16>) -> tensor<1x8192x32x128xbf16>
      %281 = stablehlo.reshape %280 : (tensor<1x8192x32x128xbf16>) -> tensor<8192x32x128xbf16>
      %282 = stablehlo.dot_general %281, %279, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x32x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<32x128x1x1024xbf16>
      %283 = stablehlo.transpose %282, dims = [2, 0, 3, 1] : (tensor<32x128x1x1024xbf16>) -> tensor<1x32x1024x128xbf16>
      %284 = stablehlo.convert %267 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
      %285 = stablehlo.multiply %284, %284 : tensor<1x1024x8192xf32>
      %cst_55 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %286 = stablehlo.reduce(%285 init: %cst_55) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
      %287 = stablehlo.broadcast_in_dim %286, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
      %cst_56 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
      %288 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %289 = stablehlo.divide %287, %288 : tensor<1x1024x1xf32>
      %cst_57 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %290 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %291 = stablehlo.add %289, %290 : tensor<1x1024x1xf32>
      %292 = stablehlo.rsqrt %291 : tensor<1x1024x1xf32>
      %293 = stablehlo.broadcast_in_dim %292, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
      %294 = stablehlo.multiply %284, %293 : tensor<1x1024x8192xf32>
      %295 = stablehlo.convert %294 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
      %296 = stablehlo.slice %arg7 [1:2, 0:8192, 0:32, 0:128] : (tensor<3x8192x32x128xbf16>) -> tensor<1x8192x32x128xbf16>
      %297 = stablehlo.reshape %296 : (tensor<1x8192x32x128xbf16>) -> tensor<8192x32x128xbf16>
      %298 = stablehlo.dot_general %297, %295, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x32x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<32x128x1x1024xbf16>
      %299 = stablehlo.transpose %298, dims = [2, 0, 3, 1] : (tensor<32x128x1x1024xbf16>) -> tensor<1x32x1024x128xbf16>
      %300 = stablehlo.convert %267 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
      %301 = stablehlo.multiply %300, %300 : tensor<1x1024x8192xf32>
      %cst_58 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %302 = stablehlo.reduce(%301 init: %cst_58) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
      %303 = stablehlo.broadcast_in_dim %302, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
      %cst_59 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
      %304 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %305 = stablehlo.divide %303, %304 : tensor<1x1024x1xf32>
      %cst_60 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %306 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %307 = stablehlo.add %305, %306 : tensor<1x1024x1xf32>
      %308 = stablehlo.rsqrt %307 : tensor<1x1024x1xf32>
      %309 = stablehlo.broadcast_in_dim %308, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
      %310 = stablehlo.multiply %300, %309 : tensor<1x1024x8192xf32>
      %311 = stablehlo.convert %310 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
      %312 = stablehlo.slice %arg7 [2:3, 0:8192, 0:32, 0:128] : (tensor<3x8192x32x128xbf16>) -> tensor<1x8192x32x128xbf16>
      %313 = stablehlo.reshape %312 : (tensor<1x8192x32x128xbf16>) -> tensor<8192x32x128xbf16>
      %314 = stablehlo.dot_general %313, %311, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x32x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<32x128x1x1024xbf16>
      %315 = stablehlo.transpose %314, dims = [2, 0, 3, 1] : (tensor<32x128x1x1024xbf16>) -> tensor<1x32x1024x128xbf16>
      %316 = stablehlo.dot_general %283, %299, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x32x1024x128xbf16>, tensor<1x32x1024x128xbf16>) -> tensor<1x32x1024x1024xbf16>
      %cst_61 = stablehlo.constant dense<8.837890e-02> : tensor<bf16>
      %317 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<bf16>) -> tensor<1x32x1024x1024xbf16>
      %318 = stablehlo.multiply %316, %317 : tensor<1x32x1024x1024xbf16>
      %cst_62 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
      %319 = func.call @_where(%9, %318, %cst_62) : (tensor<1024x1024xi1>, tensor<1x32x1024x1024xbf16>, tensor<f32>) -> tensor<1x32x1024x1024xbf16>
      %cst_63 = stablehlo.constant dense<0xFF80> : tensor<bf16>
      %320 = stablehlo.reduce(%319 init: %cst_63) applies stablehlo.maximum across dimensions = [3] : (tensor<1x32x1024x1024xbf16>, tensor<bf16>) -> tensor<1x32x1024xbf16>
      %cst_64 = stablehlo.constant dense<0xFF80> : tensor<bf16>
      %321 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<bf16>) -> tensor<1x32x1024xbf16>
      %322 = stablehlo.maximum %321, %320 : tensor<1x32x1024xbf16>
      %323 = stablehlo.broadcast_in_dim %322, dims = [0, 1, 2] : (tensor<1x32x1024xbf16>) -> tensor<1x32x1024x1xbf16>
      %324 = stablehlo.broadcast_in_dim %323, dims = [0, 1, 2, 3] : (tensor<1x32x1024x1xbf16>) -> tensor<1x32x1024x1024xbf16>
      %325 = stablehlo.subtract %319, %324 : tensor<1x32x1024x1024xbf16>
      %326 = stablehlo.exponential %325 : tensor<1x32x1024x1024xbf16>
      %327 = stablehlo.convert %326 : (tensor<1x32x1024x1024xbf16>) -> tensor<1x32x1024x1024xf32>
      %cst_65 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %328 = stablehlo.reduce(%327 init: %cst_65) applies stablehlo.add across dimensions = [3] : (tensor<1x32x1024x1024xf32>, tensor<f32>) -> tensor<1x32x1024xf32>
      %329 = stablehlo.broadcast_in_dim %328, dims = [0, 1, 2] : (tensor<1x32x1024xf32>) -> tensor<1x32x1024x1xf32>
      %330 = stablehlo.convert %329 : (tensor<1x32x1024x1xf32>) -> tensor<1x32x1024x1xbf16>
      %331 = stablehlo.broadcast_in_dim %330, dims = [0, 1, 2, 3] : (tensor<1x32x1024x1xbf16>) -> tensor<1x32x1024x1024xbf16>
      %332 = stablehlo.divide %326, %331 : tensor<1x32x1024x1024xbf16>
      %333 = stablehlo.dot_general %332, %315, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x32x1024x1024xbf16>, tensor<1x32x1024x128xbf16>) -> tensor<1x32x1024x128xbf16>
      %334 = stablehlo.dot_general %333, %arg8, contracting_dims = [3, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<1x32x1024x128xbf16>, tensor<32x128x8192xbf16>) -> tensor<1x1024x8192xbf16>
      %335 = "stablehlo.all_reduce"(%334) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg12: tensor<bf16>, %arg13: tensor<bf16>):
        %700 = stablehlo.add %arg12, %arg13 : tensor<bf16>
        stablehlo.return %700 : tensor<bf16>
      }) : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xbf16>
      %336 = stablehlo.add %267, %335 : tensor<1x1024x8192xbf16>
      %337 = stablehlo.convert %336 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
      %338 = stablehlo.multiply %337, %337 : tensor<1x1024x8192xf32>
      %cst_66 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %339 = stablehlo.reduce(%338 init: %cst_66) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
      %340 = stablehlo.broadcast_in_dim %339, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
      %cst_67 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
      %341 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %342 = stablehlo.divide %340, %341 : tensor<1x1024x1xf32>
      %cst_68 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %343 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %344 = stablehlo.add %342, %343 : tensor<1x1024x1xf32>
      %345 = stablehlo.rsqrt %344 : tensor<1x1024x1xf32>
      %346 = stablehlo.broadcast_in_dim %345, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
      %347 = stablehlo.multiply %337, %346 : tensor<1x1024x8192xf32>
      %348 = stablehlo.convert %347 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
      %349 = stablehlo.dot_general %348, %arg9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1024x8192xbf16>, tensor<8192x16384xbf16>) -> tensor<1x1024x16384xbf16>
      %350 = func.call @silu(%349) : (tensor<1x1024x16384xbf16>) -> tensor<1x1024x16384xbf16>
      %351 = stablehlo.dot_general %350, %arg10, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1024x16384xbf16>, tensor<16384x8192xbf16>) -> tensor<1x1024x8192xbf16>
      %352 = "stablehlo.all_reduce"(%351) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg12: tensor<bf16>, %arg13: tensor<bf16>):
        %700 = stablehlo.add %arg12, %arg13 : tensor<bf16>
        stablehlo.return %700 : tensor<bf16>
      }) : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xbf16>
      %353 = stablehlo.add %336, %352 : tensor<1x1024x8192xbf16>
      %354 = stablehlo.convert %353 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
      %355 = stablehlo.multiply %354, %354 : tensor<1x1024x8192xf32>
      %cst_69 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %356 = stablehlo.reduce(%355 init: %cst_69) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
      %357 = stablehlo.broadcast_in_dim %356, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
      %cst_70 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
      %358 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %359 = stablehlo.divide %357, %358 : tensor<1x1024x1xf32>
      %cst_71 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %360 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %361 = stablehlo.add %359, %360 : tensor<1x1024x1xf32>
      %362 = stablehlo.rsqrt %361 : tensor<1x1024x1xf32>
      %363 = stablehlo.broadcast_in_dim %362, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
      %364 = stablehlo.multiply %354, %363 : tensor<1x1024x8192xf32>
      %365 = stablehlo.convert %364 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
      %366 = stablehlo.slice %arg7 [0:1, 0:8192, 0:32, 0:128] : (tensor<3x8192x32x128xbf16>) -> tensor<1x8192x32x128xbf16>
      %367 = stablehlo.reshape %366 : (tensor<1x8192x32x128xbf16>) -> tensor<8192x32x128xbf16>
      %368 = stablehlo.dot_general %367, %365, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x32x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<32x128x1x1024xbf16>
      %369 = stablehlo.transpose %368, dims = [2, 0, 3, 1] : (tensor<32x128x1x1024xbf16>) -> tensor<1x32x1024x128xbf16>
      %370 = stablehlo.convert %353 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
      %371 = stablehlo.multiply %370, %370 : tensor<1x1024x8192xf32>
      %cst_72 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %372 = stablehlo.reduce(%371 init: %cst_72) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
      %373 = stablehlo.broadcast_in_dim %372, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
      %cst_73 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
      %374 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %375 = stablehlo.divide %373, %374 : tensor<1x1024x1xf32>
      %cst_74 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %376 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %377 = stablehlo.add %375, %376 : tensor<1x1024x1xf32>
      %378 = stablehlo.rsqrt %377 : tensor<1x1024x1xf32>
      %379 = stablehlo.broadcast_in_dim %378, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
      %380 = stablehlo.multiply %370, %379 : tensor<1x1024x8192xf32>
      %381 = stablehlo.convert %380 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
      %382 = stablehlo.slice %arg7 [1:2, 0:8192, 0:32, 0:128] : (tensor<3x8192x32x128xbf16>) -> tensor<1x8192x32x128xbf16>
      %383 = stablehlo.reshape %382 : (tensor<1x8192x32x128xbf16>) -> tensor<8192x32x128xbf16>
      %384 = stablehlo.dot_general %383, %381, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x32x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<32x128x1x1024xbf16>
      %385 = stablehlo.transpose %384, dims = [2, 0, 3, 1] : (tensor<32x128x1x1024xbf16>) -> tensor<1x32x1024x128xbf16>
      %386 = stablehlo.convert %353 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
      %387 = stablehlo.multiply %386, %386 : tensor<1x1024x8192xf32>
      %cst_75 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %388 = stablehlo.reduce(%387 init: %cst_75) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
      %389 = stablehlo.broadcast_in_dim %388, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
      %cst_76 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
      %390 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %391 = stablehlo.divide %389, %390 : tensor<1x1024x1xf32>
      %cst_77 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %392 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %393 = stablehlo.add %391, %392 : tensor<1x1024x1xf32>
      %394 = stablehlo.rsqrt %393 : tensor<1x1024x1xf32>
      %395 = stablehlo.broadcast_in_dim %394, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
      %396 = stablehlo.multiply %386, %395 : tensor<1x1024x8192xf32>
      %397 = stablehlo.convert %396 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
      %398 = stablehlo.slice %arg7 [2:3, 0:8192, 0:32, 0:128] : (tensor<3x8192x32x128xbf16>) -> tensor<1x8192x32x128xbf16>
      %399 = stablehlo.reshape %398 : (tensor<1x8192x32x128xbf16>) -> tensor<8192x32x128xbf16>
      %400 = stablehlo.dot_general %399, %397, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x32x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<32x128x1x1024xbf16>
      %401 = stablehlo.transpose %400, dims = [2, 0, 3, 1] : (tensor<32x128x1x1024xbf16>) -> tensor<1x32x1024x128xbf16>
      %402 = stablehlo.dot_general %369, %385, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x32x1024x128xbf16>, tensor<1x32x1024x128xbf16>) -> tensor<1x32x1024x1024xbf16>
      %cst_78 = stablehlo.constant dense<8.837890e-02> : tensor<bf16>
      %403 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<bf16>) -> tensor<1x32x1024x1024xbf16>
      %404 = stablehlo.multiply %402, %403 : tensor<1x32x1024x1024xbf16>
      %cst_79 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
      %405 = func.call @_where(%9, %404, %cst_79) : (tensor<1024x1024xi1>, tensor<1x32x1024x1024xbf16>, tensor<f32>) -> tensor<1x32x1024x1024xbf16>
      %cst_80 = stablehlo.constant dense<0xFF80> : tensor<bf16>
      %406 = stablehlo.reduce(%405 init: %cst_80) applies stablehlo.maximum across dimensions = [3] : (tensor<1x32x1024x1024xbf16>, tensor<bf16>) -> tensor<1x32x1024xbf16>
      %cst_81 = stablehlo.constant dense<0xFF80> : tensor<bf16>
      %407 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<bf16>) -> tensor<1x32x1024xbf16>
      %408 = stablehlo.maximum %407, %406 : tensor<1x32x1024xbf16>
      %409 = stablehlo.broadcast_in_dim %408, dims = [0, 1, 2] : (tensor<1x32x1024xbf16>) -> tensor<1x32x1024x1xbf16>
      %410 = stablehlo.broadcast_in_dim %409, dims = [0, 1, 2, 3] : (tensor<1x32x1024x1xbf16>) -> tensor<1x32x1024x1024xbf16>
      %411 = stablehlo.subtract %405, %410 : tensor<1x32x1024x1024xbf16>
      %412 = stablehlo.exponential %411 : tensor<1x32x1024x1024xbf16>
      %413 = stablehlo.convert %412 : (tensor<1x32x1024x1024xbf16>) -> tensor<1x32x1024x1024xf32>
      %cst_82 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %414 = stablehlo.reduce(%413 init: %cst_82) applies stablehlo.add across dimensions = [3] : (tensor<1x32x1024x1024xf32>, tensor<f32>) -> tensor<1x32x1024xf32>
      %415 = stablehlo.broadcast_in_dim %414, dims = [0, 1, 2] : (tensor<1x32x1024xf32>) -> tensor<1x32x1024x1xf32>
      %416 = stablehlo.convert %415 : (tensor<1x32x1024x1xf32>) -> tensor<1x32x1024x1xbf16>
      %417 = stablehlo.broadcast_in_dim %416, dims = [0, 1, 2, 3] : (tensor<1x32x1024x1xbf16>) -> tensor<1x32x1024x1024xbf16>
      %418 = stablehlo.divide %412, %417 : tensor<1x32x1024x1024xbf16>
      %419 = stablehlo.dot_general %418, %401, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x32x1024x1024xbf16>, tensor<1x32x1024x128xbf16>) -> tensor<1x32x1024x128xbf16>
      %420 = stablehlo.dot_general %419, %arg8, contracting_dims = [3, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<1x32x1024x128xbf16>, tensor<32x128x8192xbf16>) -> tensor<1x1024x8192xbf16>
      %421 = "stablehlo.all_reduce"(%420) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg12: tensor<bf16>, %arg13: tensor<bf16>):
        %700 = stablehlo.add %arg12, %arg13 : tensor<bf16>
        stablehlo.return %700 : tensor<bf16>
      }) : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xbf16>
      %422 = stablehlo.add %353, %421 : tensor<1x1024x8192xbf16>
      %423 = stablehlo.convert %422 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
      %424 = stablehlo.multiply %423, %423 : tensor<1x1024x8192xf32>
      %cst_83 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %425 = stablehlo.reduce(%424 init: %cst_83) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
      %426 = stablehlo.broadcast_in_dim %425, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
      %cst_84 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
      %427 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %428 = stablehlo.divide %426, %427 : tensor<1x1024x1xf32>
      %cst_85 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %429 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %430 = stablehlo.add %428, %429 : tensor<1x1024x1xf32>
      %431 = stablehlo.rsqrt %430 : tensor<1x1024x1xf32>
      %432 = stablehlo.broadcast_in_dim %431, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
      %433 = stablehlo.multiply %423, %432 : tensor<1x1024x8192xf32>
      %434 = stablehlo.convert %433 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
      %435 = stablehlo.dot_general %434, %arg9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1024x8192xbf16>, tensor<8192x16384xbf16>) -> tensor<1x1024x16384xbf16>
      %436 = func.call @silu(%435) : (tensor<1x1024x16384xbf16>) -> tensor<1x1024x16384xbf16>
      %437 = stablehlo.dot_general %436, %arg10, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1024x16384xbf16>, tensor<16384x8192xbf16>) -> tensor<1x1024x8192xbf16>
      %438 = "stablehlo.all_reduce"(%437) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg12: tensor<bf16>, %arg13: tensor<bf16>):
        %700 = stablehlo.add %arg12, %arg13 : tensor<bf16>
        stablehlo.return %700 : tensor<bf16>
      }) : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xbf16>
      %439 = stablehlo.add %422, %438 : tensor<1x1024x8192xbf16>
      %440 = stablehlo.convert %439 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
      %441 = stablehlo.multiply %440, %440 : tensor<1x1024x8192xf32>
      %cst_86 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %442 = stablehlo.reduce(%441 init: %cst_86) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
      %443 = stablehlo.broadcast_in_dim %442, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
      %cst_87 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
      %444 = stablehlo.broadcast_in_dim %cst_87, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %445 = stablehlo.divide %443, %444 : tensor<1x1024x1xf32>
      %cst_88 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %446 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %447 = stablehlo.add %445, %446 : tensor<1x1024x1xf32>
      %448 = stablehlo.rsqrt %447 : tensor<1x1024x1xf32>
      %449 = stablehlo.broadcast_in_dim %448, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
      %450 = stablehlo.multiply %440, %449 : tensor<1x1024x8192xf32>
      %451 = stablehlo.convert %450 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
      %452 = stablehlo.slice %arg7 [0:1, 0:8192, 0:32, 0:128] : (tensor<3x8192x32x128xbf16>) -> tensor<1x8192x32x128xbf16>
      %453 = stablehlo.reshape %452 : (tensor<1x8192x32x128xbf16>) -> tensor<8192x32x128xbf16>
      %454 = stablehlo.dot_general %453, %451, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x32x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<32x128x1x1024xbf16>
      %455 = stablehlo.transpose %454, dims = [2, 0, 3, 1] : (tensor<32x128x1x1024xbf16>) -> tensor<1x32x1024x128xbf16>
      %456 = stablehlo.convert %439 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
      %457 = stablehlo.multiply %456, %456 : tensor<1x1024x8192xf32>
      %cst_89 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %458 = stablehlo.reduce(%457 init: %cst_89) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
      %459 = stablehlo.broadcast_in_dim %458, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
      %cst_90 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
      %460 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %461 = stablehlo.divide %459, %460 : tensor<1x1024x1xf32>
      %cst_91 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %462 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %463 = stablehlo.add %461, %462 : tensor<1x1024x1xf32>
      %464 = stablehlo.rsqrt %463 : tensor<1x1024x1xf32>
      %465 = stablehlo.broadcast_in_dim %464, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
      %466 = stablehlo.multiply %456, %465 : tensor<1x1024x8192xf32>
      %467 = stablehlo.convert %466 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
      %468 = stablehlo.slice %arg7 [1:2, 0:8192, 0:32, 0:128] : (tensor<3x8192x32x128xbf16>) -> tensor<1x8192x32x128xbf16>
      %469 = stablehlo.reshape %468 : (tensor<1x8192x32x128xbf16>) -> tensor<8192x32x128xbf16>
      %470 = stablehlo.dot_general %469, %467, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x32x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<32x128x1x1024xbf16>
      %471 = stablehlo.transpose %470, dims = [2, 0, 3, 1] : (tensor<32x128x1x1024xbf16>) -> tensor<1x32x1024x128xbf16>
      %472 = stablehlo.convert %439 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
      %473 = stablehlo.multiply %472, %472 : tensor<1x1024x8192xf32>
      %cst_92 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %474 = stablehlo.reduce(%473 init: %cst_92) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
      %475 = stablehlo.broadcast_in_dim %474, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
      %cst_93 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
      %476 = stablehlo.broadcast_in_dim %cst_93, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %477 = stablehlo.divide %475, %476 : tensor<1x1024x1xf32>
      %cst_94 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %478 = stablehlo.broadcast_in_dim %cst_94, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %479 = stablehlo.add %477, %478 : tensor<1x1024x1xf32>
      %480 = stablehlo.rsqrt %479 : tensor<1x1024x1xf32>
      %481 = stablehlo.broadcast_in_dim %480, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
      %482 = stablehlo.multiply %472, %481 : tensor<1x1024x8192xf32>
      %483 = stablehlo.convert %482 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
      %484 = stablehlo.slice %arg7 [2:3, 0:8192, 0:32, 0:128] : (tensor<3x8192x32x128xbf16>) -> tensor<1x8192x32x128xbf16>
      %485 = stablehlo.reshape %484 : (tensor<1x8192x32x128xbf16>) -> tensor<8192x32x128xbf16>
      %486 = stablehlo.dot_general %485, %483, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x32x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<32x128x1x1024xbf16>
      %487 = stablehlo.transpose %486, dims = [2, 0, 3, 1] : (tensor<32x128x1x1024xbf16>) -> tensor<1x32x1024x128xbf16>
      %488 = stablehlo.dot_general %455, %471, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x32x1024x128xbf16>, tensor<1x32x1024x128xbf16>) -> tensor<1x32x1024x1024xbf16>
      %cst_95 = stablehlo.constant dense<8.837890e-02> : tensor<bf16>
      %489 = stablehlo.broadcast_in_dim %cst_95, dims = [] : (tensor<bf16>) -> tensor<1x32x1024x1024xbf16>
      %490 = stablehlo.multiply %488, %489 : tensor<1x32x1024x1024xbf16>
      %cst_96 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
      %491 = func.call @_where(%9, %490, %cst_96) : (tensor<1024x1024xi1>, tensor<1x32x1024x1024xbf16>, tensor<f32>) -> tensor<1x32x1024x1024xbf16>
      %cst_97 = stablehlo.constant dense<0xFF80> : tensor<bf16>
      %492 = stablehlo.reduce(%491 init: %cst_97) applies stablehlo.maximum across dimensions = [3] : (tensor<1x32x1024x1024xbf16>, tensor<bf16>) -> tensor<1x32x1024xbf16>
      %cst_98 = stablehlo.constant dense<0xFF80> : tensor<bf16>
      %493 = stablehlo.broadcast_in_dim %cst_98, dims = [] : (tensor<bf16>) -> tensor<1x32x1024xbf16>
      %494 = stablehlo.maximum %493, %492 : tensor<1x32x1024xbf16>
      %495 = stablehlo.broadcast_in_dim %494, dims = [0, 1, 2] : (tensor<1x32x1024xbf16>) -> tensor<1x32x1024x1xbf16>
      %496 = stablehlo.broadcast_in_dim %495, dims = [0, 1, 2, 3] : (tensor<1x32x1024x1xbf16>) -> tensor<1x32x1024x1024xbf16>
      %497 = stablehlo.subtract %491, %496 : tensor<1x32x1024x1024xbf16>
      %498 = stablehlo.exponential %497 : tensor<1x32x1024x1024xbf16>
      %499 = stablehlo.convert %498 : (tensor<1x32x1024x1024xbf16>) -> tensor<1x32x1024x1024xf32>
      %cst_99 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %500 = stablehlo.reduce(%499 init: %cst_99) applies stablehlo.add across dimensions = [3] : (tensor<1x32x1024x1024xf32>, tensor<f32>) -> tensor<1x32x1024xf32>
      %501 = stablehlo.broadcast_in_dim %500, dims = [0, 1, 2] : (tensor<1x32x1024xf32>) -> tensor<1x32x1024x1xf32>
      %502 = stablehlo.convert %501 : (tensor<1x32x1024x1xf32>) -> tensor<1x32x1024x1xbf16>
      %503 = stablehlo.broadcast_in_dim %502, dims = [0, 1, 2, 3] : (tensor<1x32x1024x1xbf16>) -> tensor<1x32x1024x1024xbf16>
      %504 = stablehlo.divide %498, %503 : tensor<1x32x1024x1024xbf16>
      %505 = stablehlo.dot_general %504, %487, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x32x1024x1024xbf16>, tensor<1x32x1024x128xbf16>) -> tensor<1x32x1024x128xbf16>
      %506 = stablehlo.dot_general %505, %arg8, contracting_dims = [3, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<1x32x1024x128xbf16>, tensor<32x128x8192xbf16>) -> tensor<1x1024x8192xbf16>
      %507 = "stablehlo.all_reduce"(%506) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg12: tensor<bf16>, %arg13: tensor<bf16>):
        %700 = stablehlo.add %arg12, %arg13 : tensor<bf16>
        stablehlo.return %700 : tensor<bf16>
      }) : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xbf16>
      %508 = stablehlo.add %439, %507 : tensor<1x1024x8192xbf16>
      %509 = stablehlo.convert %508 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
      %510 = stablehlo.multiply %509, %509 : tensor<1x1024x8192xf32>
      %cst_100 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %511 = stablehlo.reduce(%510 init: %cst_100) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
      %512 = stablehlo.broadcast_in_dim %511, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
      %cst_101 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
      %513 = stablehlo.broadcast_in_dim %cst_101, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %514 = stablehlo.divide %512, %513 : tensor<1x1024x1xf32>
      %cst_102 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %515 = stablehlo.broadcast_in_dim %cst_102, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %516 = stablehlo.add %514, %515 : tensor<1x1024x1xf32>
      %517 = stablehlo.rsqrt %516 : tensor<1x1024x1xf32>
      %518 = stablehlo.broadcast_in_dim %517, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
      %519 = stablehlo.multiply %509, %518 : tensor<1x1024x8192xf32>
      %520 = stablehlo.convert %519 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
      %521 = stablehlo.dot_general %520, %arg9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1024x8192xbf16>, tensor<8192x16384xbf16>) -> tensor<1x1024x16384xbf16>
      %522 = func.call @silu(%521) : (tensor<1x1024x16384xbf16>) -> tensor<1x1024x16384xbf16>
      %523 = stablehlo.dot_general %522, %arg10, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1024x16384xbf16>, tensor<16384x8192xbf16>) -> tensor<1x1024x8192xbf16>
      %524 = "stablehlo.all_reduce"(%523) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg12: tensor<bf16>, %arg13: tensor<bf16>):
        %700 = stablehlo.add %arg12, %arg13 : tensor<bf16>
        stablehlo.return %700 : tensor<bf16>
      }) : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xbf16>
      %525 = stablehlo.add %508, %524 : tensor<1x1024x8192xbf16>
      %526 = stablehlo.convert %525 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
      %527 = stablehlo.multiply %526, %526 : tensor<1x1024x8192xf32>
      %cst_103 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %528 = stablehlo.reduce(%527 init: %cst_103) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
      %529 = stablehlo.broadcast_in_dim %528, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
      %cst_104 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
      %530 = stablehlo.broadcast_in_dim %cst_104, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %531 = stablehlo.divide %529, %530 : tensor<1x1024x1xf32>
      %cst_105 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %532 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %533 = stablehlo.add %531, %532 : tensor<1x1024x1xf32>
      %534 = stablehlo.rsqrt %533 : tensor<1x1024x1xf32>
      %535 = stablehlo.broadcast_in_dim %534, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
      %536 = stablehlo.multiply %526, %535 : tensor<1x1024x8192xf32>
      %537 = stablehlo.convert %536 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
      %538 = stablehlo.slice %arg7 [0:1, 0:8192, 0:32, 0:128] : (tensor<3x8192x32x128xbf16>) -> tensor<1x8192x32x128xbf16>
      %539 = stablehlo.reshape %538 : (tensor<1x8192x32x128xbf16>) -> tensor<8192x32x128xbf16>
      %540 = stablehlo.dot_general %539, %537, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x32x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<32x128x1x1024xbf16>
      %541 = stablehlo.transpose %540, dims = [2, 0, 3, 1] : (tensor<32x128x1x1024xbf16>) -> tensor<1x32x1024x128xbf16>
      %542 = stablehlo.convert %525 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
      %543 = stablehlo.multiply %542, %542 : tensor<1x1024x8192xf32>
      %cst_106 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %544 = stablehlo.reduce(%543 init: %cst_106) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
      %545 = stablehlo.broadcast_in_dim %544, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
      %cst_107 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
      %546 = stablehlo.broadcast_in_dim %cst_107, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %547 = stablehlo.divide %545, %546 : tensor<1x1024x1xf32>
      %cst_108 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %548 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %549 = stablehlo.add %547, %548 : tensor<1x1024x1xf32>
      %550 = stablehlo.rsqrt %549 : tensor<1x1024x1xf32>
      %551 = stablehlo.broadcast_in_dim %550, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
      %552 = stablehlo.multiply %542, %551 : tensor<1x1024x8192xf32>
      %553 = stablehlo.convert %552 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
      %554 = stablehlo.slice %arg7 [1:2, 0:8192, 0:32, 0:128] : (tensor<3x8192x32x128xbf16>) -> tensor<1x8192x32x128xbf16>
      %555 = stablehlo.reshape %554 : (tensor<1x8192x32x128xbf16>) -> tensor<8192x32x128xbf16>
      %556 = stablehlo.dot_general %555, %553, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x32x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<32x128x1x1024xbf16>
      %557 = stablehlo.transpose %556, dims = [2, 0, 3, 1] : (tensor<32x128x1x1024xbf16>) -> tensor<1x32x1024x128xbf16>
      %558 = stablehlo.convert %525 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
      %559 = stablehlo.multiply %558, %558 : tensor<1x1024x8192xf32>
      %cst_109 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %560 = stablehlo.reduce(%559 init: %cst_109) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
      %561 = stablehlo.broadcast_in_dim %560, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
      %cst_110 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
      %562 = stablehlo.broadcast_in_dim %cst_110, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %563 = stablehlo.divide %561, %562 : tensor<1x1024x1xf32>
      %cst_111 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %564 = stablehlo.broadcast_in_dim %cst_111, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %565 = stablehlo.add %563, %564 : tensor<1x1024x1xf32>
      %566 = stablehlo.rsqrt %565 : tensor<1x1024x1xf32>
      %567 = stablehlo.broadcast_in_dim %566, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
      %568 = stablehlo.multiply %558, %567 : tensor<1x1024x8192xf32>
      %569 = stablehlo.convert %568 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
      %570 = stablehlo.slice %arg7 [2:3, 0:8192, 0:32, 0:128] : (tensor<3x8192x32x128xbf16>) -> tensor<1x8192x32x128xbf16>
      %571 = stablehlo.reshape %570 : (tensor<1x8192x32x128xbf16>) -> tensor<8192x32x128xbf16>
      %572 = stablehlo.dot_general %571, %569, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x32x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<32x128x1x1024xbf16>
      %573 = stablehlo.transpose %572, dims = [2, 0, 3, 1] : (tensor<32x128x1x1024xbf16>) -> tensor<1x32x1024x128xbf16>
      %574 = stablehlo.dot_general %541, %557, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x32x1024x128xbf16>, tensor<1x32x1024x128xbf16>) -> tensor<1x32x1024x1024xbf16>
      %cst_112 = stablehlo.constant dense<8.837890e-02> : tensor<bf16>
      %575 = stablehlo.broadcast_in_dim %cst_112, dims = [] : (tensor<bf16>) -> tensor<1x32x1024x1024xbf16>
      %576 = stablehlo.multiply %574, %575 : tensor<1x32x1024x1024xbf16>
      %cst_113 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
      %577 = func.call @_where(%9, %576, %cst_113) : (tensor<1024x1024xi1>, tensor<1x32x1024x1024xbf16>, tensor<f32>) -> tensor<1x32x1024x1024xbf16>
      %cst_114 = stablehlo.constant dense<0xFF80> : tensor<bf16>
      %578 = stablehlo.reduce(%577 init: %cst_114) applies stablehlo.maximum across dimensions = [3] : (tensor<1x32x1024x1024xbf16>, tensor<bf16>) -> tensor<1x32x1024xbf16>
      %cst_115 = stablehlo.constant dense<0xFF80> : tensor<bf16>
      %579 = stablehlo.broadcast_in_dim %cst_115, dims = [] : (tensor<bf16>) -> tensor<1x32x1024xbf16>
      %580 = stablehlo.maximum %579, %578 : tensor<1x32x1024xbf16>
      %581 = stablehlo.broadcast_in_dim %580, dims = [0, 1, 2] : (tensor<1x32x1024xbf16>) -> tensor<1x32x1024x1xbf16>
      %582 = stablehlo.broadcast_in_dim %581, dims = [0, 1, 2, 3] : (tensor<1x32x1024x1xbf16>) -> tensor<1x32x1024x1024xbf16>
      %583 = stablehlo.subtract %577, %582 : tensor<1x32x1024x1024xbf16>
      %584 = stablehlo.exponential %583 : tensor<1x32x1024x1024xbf16>
      %585 = stablehlo.convert %584 : (tensor<1x32x1024x1024xbf16>) -> tensor<1x32x1024x1024xf32>
      %cst_116 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %586 = stablehlo.reduce(%585 init: %cst_116) applies stablehlo.add across dimensions = [3] : (tensor<1x32x1024x1024xf32>, tensor<f32>) -> tensor<1x32x1024xf32>
      %587 = stablehlo.broadcast_in_dim %586, dims = [0, 1, 2] : (tensor<1x32x1024xf32>) -> tensor<1x32x1024x1xf32>
      %588 = stablehlo.convert %587 : (tensor<1x32x1024x1xf32>) -> tensor<1x32x1024x1xbf16>
      %589 = stablehlo.broadcast_in_dim %588, dims = [0, 1, 2, 3] : (tensor<1x32x1024x1xbf16>) -> tensor<1x32x1024x1024xbf16>
      %590 = stablehlo.divide %584, %589 : tensor<1x32x1024x1024xbf16>
      %591 = stablehlo.dot_general %590, %573, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x32x1024x1024xbf16>, tensor<1x32x1024x128xbf16>) -> tensor<1x32x1024x128xbf16>
      %592 = stablehlo.dot_general %591, %arg8, contracting_dims = [3, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<1x32x1024x128xbf16>, tensor<32x128x8192xbf16>) -> tensor<1x1024x8192xbf16>
      %593 = "stablehlo.all_reduce"(%592) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg12: tensor<bf16>, %arg13: tensor<bf16>):
        %700 = stablehlo.add %arg12, %arg13 : tensor<bf16>
        stablehlo.return %700 : tensor<bf16>
      }) : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xbf16>
      %594 = stablehlo.add %525, %593 : tensor<1x1024x8192xbf16>
      %595 = stablehlo.convert %594 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
      %596 = stablehlo.multiply %595, %595 : tensor<1x1024x8192xf32>
      %cst_117 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %597 = stablehlo.reduce(%596 init: %cst_117) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
      %598 = stablehlo.broadcast_in_dim %597, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
      %cst_118 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
      %599 = stablehlo.broadcast_in_dim %cst_118, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %600 = stablehlo.divide %598, %599 : tensor<1x1024x1xf32>
      %cst_119 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %601 = stablehlo.broadcast_in_dim %cst_119, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %602 = stablehlo.add %600, %601 : tensor<1x1024x1xf32>
      %603 = stablehlo.rsqrt %602 : tensor<1x1024x1xf32>
      %604 = stablehlo.broadcast_in_dim %603, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
      %605 = stablehlo.multiply %595, %604 : tensor<1x1024x8192xf32>
      %606 = stablehlo.convert %605 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
      %607 = stablehlo.dot_general %606, %arg9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1024x8192xbf16>, tensor<8192x16384xbf16>) -> tensor<1x1024x16384xbf16>
      %608 = func.call @silu(%607) : (tensor<1x1024x16384xbf16>) -> tensor<1x1024x16384xbf16>
      %609 = stablehlo.dot_general %608, %arg10, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1024x16384xbf16>, tensor<16384x8192xbf16>) -> tensor<1x1024x8192xbf16>
      %610 = "stablehlo.all_reduce"(%609) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg12: tensor<bf16>, %arg13: tensor<bf16>):
        %700 = stablehlo.add %arg12, %arg13 : tensor<bf16>
        stablehlo.return %700 : tensor<bf16>
      }) : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xbf16>
      %611 = stablehlo.add %594, %610 : tensor<1x1024x8192xbf16>
      %612 = stablehlo.convert %611 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
      %613 = stablehlo.multiply %612, %612 : tensor<1x1024x8192xf32>
      %cst_120 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %614 = stablehlo.reduce(%613 init: %cst_120) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
      %615 = stablehlo.broadcast_in_dim %614, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
      %cst_121 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
      %616 = stablehlo.broadcast_in_dim %cst_121, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %617 = stablehlo.divide %615, %616 : tensor<1x1024x1xf32>
      %cst_122 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %618 = stablehlo.broadcast_in_dim %cst_122, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %619 = stablehlo.add %617, %618 : tensor<1x1024x1xf32>
      %620 = stablehlo.rsqrt %619 : tensor<1x1024x1xf32>
      %621 = stablehlo.broadcast_in_dim %620, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
      %622 = stablehlo.multiply %612, %621 : tensor<1x1024x8192xf32>
      %623 = stablehlo.convert %622 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
      %624 = stablehlo.slice %arg7 [0:1, 0:8192, 0:32, 0:128] : (tensor<3x8192x32x128xbf16>) -> tensor<1x8192x32x128xbf16>
      %625 = stablehlo.reshape %624 : (tensor<1x8192x32x128xbf16>) -> tensor<8192x32x128xbf16>
      %626 = stablehlo.dot_general %625, %623, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x32x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<32x128x1x1024xbf16>
      %627 = stablehlo.transpose %626, dims = [2, 0, 3, 1] : (tensor<32x128x1x1024xbf16>) -> tensor<1x32x1024x128xbf16>
      %628 = stablehlo.convert %611 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
      %629 = stablehlo.multiply %628, %628 : tensor<1x1024x8192xf32>
      %cst_123 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %630 = stablehlo.reduce(%629 init: %cst_123) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
      %631 = stablehlo.broadcast_in_dim %630, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
      %cst_124 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
      %632 = stablehlo.broadcast_in_dim %cst_124, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %633 = stablehlo.divide %631, %632 : tensor<1x1024x1xf32>
      %cst_125 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %634 = stablehlo.broadcast_in_dim %cst_125, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %635 = stablehlo.add %633, %634 : tensor<1x1024x1xf32>
      %636 = stablehlo.rsqrt %635 : tensor<1x1024x1xf32>
      %637 = stablehlo.broadcast_in_dim %636, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
      %638 = stablehlo.multiply %628, %637 : tensor<1x1024x8192xf32>
      %639 = stablehlo.convert %638 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
      %640 = stablehlo.slice %arg7 [1:2, 0:8192, 0:32, 0:128] : (tensor<3x8192x32x128xbf16>) -> tensor<1x8192x32x128xbf16>
      %641 = stablehlo.reshape %640 : (tensor<1x8192x32x128xbf16>) -> tensor<8192x32x128xbf16>
      %642 = stablehlo.dot_general %641, %639, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x32x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<32x128x1x1024xbf16>
      %643 = stablehlo.transpose %642, dims = [2, 0, 3, 1] : (tensor<32x128x1x1024xbf16>) -> tensor<1x32x1024x128xbf16>
      %644 = stablehlo.convert %611 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
      %645 = stablehlo.multiply %644, %644 : tensor<1x1024x8192xf32>
      %cst_126 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %646 = stablehlo.reduce(%645 init: %cst_126) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
      %647 = stablehlo.broadcast_in_dim %646, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
      %cst_127 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
      %648 = stablehlo.broadcast_in_dim %cst_127, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %649 = stablehlo.divide %647, %648 : tensor<1x1024x1xf32>
      %cst_128 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %650 = stablehlo.broadcast_in_dim %cst_128, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %651 = stablehlo.add %649, %650 : tensor<1x1024x1xf32>
      %652 = stablehlo.rsqrt %651 : tensor<1x1024x1xf32>
      %653 = stablehlo.broadcast_in_dim %652, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
      %654 = stablehlo.multiply %644, %653 : tensor<1x1024x8192xf32>
      %655 = stablehlo.convert %654 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
      %656 = stablehlo.slice %arg7 [2:3, 0:8192, 0:32, 0:128] : (tensor<3x8192x32x128xbf16>) -> tensor<1x8192x32x128xbf16>
      %657 = stablehlo.reshape %656 : (tensor<1x8192x32x128xbf16>) -> tensor<8192x32x128xbf16>
      %658 = stablehlo.dot_general %657, %655, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x32x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<32x128x1x1024xbf16>
      %659 = stablehlo.transpose %658, dims = [2, 0, 3, 1] : (tensor<32x128x1x1024xbf16>) -> tensor<1x32x1024x128xbf16>
      %660 = stablehlo.dot_general %627, %643, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x32x1024x128xbf16>, tensor<1x32x1024x128xbf16>) -> tensor<1x32x1024x1024xbf16>
      %cst_129 = stablehlo.constant dense<8.837890e-02> : tensor<bf16>
      %661 = stablehlo.broadcast_in_dim %cst_129, dims = [] : (tensor<bf16>) -> tensor<1x32x1024x1024xbf16>
      %662 = stablehlo.multiply %660, %661 : tensor<1x32x1024x1024xbf16>
      %cst_130 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
      %663 = func.call @_where(%9, %662, %cst_130) : (tensor<1024x1024xi1>, tensor<1x32x1024x1024xbf16>, tensor<f32>) -> tensor<1x32x1024x1024xbf16>
      %cst_131 = stablehlo.constant dense<0xFF80> : tensor<bf16>
      %664 = stablehlo.reduce(%663 init: %cst_131) applies stablehlo.maximum across dimensions = [3] : (tensor<1x32x1024x1024xbf16>, tensor<bf16>) -> tensor<1x32x1024xbf16>
      %cst_132 = stablehlo.constant dense<0xFF80> : tensor<bf16>
      %665 = stablehlo.broadcast_in_dim %cst_132, dims = [] : (tensor<bf16>) -> tensor<1x32x1024xbf16>
      %666 = stablehlo.maximum %665, %664 : tensor<1x32x1024xbf16>
      %667 = stablehlo.broadcast_in_dim %666, dims = [0, 1, 2] : (tensor<1x32x1024xbf16>) -> tensor<1x32x1024x1xbf16>
      %668 = stablehlo.broadcast_in_dim %667, dims = [0, 1, 2, 3] : (tensor<1x32x1024x1xbf16>) -> tensor<1x32x1024x1024xbf16>
      %669 = stablehlo.subtract %663, %668 : tensor<1x32x1024x1024xbf16>
      %670 = stablehlo.exponential %669 : tensor<1x32x1024x1024xbf16>
      %671 = stablehlo.convert %670 : (tensor<1x32x1024x1024xbf16>) -> tensor<1x32x1024x1024xf32>
      %cst_133 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %672 = stablehlo.reduce(%671 init: %cst_133) applies stablehlo.add across dimensions = [3] : (tensor<1x32x1024x1024xf32>, tensor<f32>) -> tensor<1x32x1024xf32>
      %673 = stablehlo.broadcast_in_dim %672, dims = [0, 1, 2] : (tensor<1x32x1024xf32>) -> tensor<1x32x1024x1xf32>
      %674 = stablehlo.convert %673 : (tensor<1x32x1024x1xf32>) -> tensor<1x32x1024x1xbf16>
      %675 = stablehlo.broadcast_in_dim %674, dims = [0, 1, 2, 3] : (tensor<1x32x1024x1xbf16>) -> tensor<1x32x1024x1024xbf16>
      %676 = stablehlo.divide %670, %675 : tensor<1x32x1024x1024xbf16>
      %677 = stablehlo.dot_general %676, %659, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x32x1024x1024xbf16>, tensor<1x32x1024x128xbf16>) -> tensor<1x32x1024x128xbf16>
      %678 = stablehlo.dot_general %677, %arg8, contracting_dims = [3, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<1x32x1024x128xbf16>, tensor<32x128x8192xbf16>) -> tensor<1x1024x8192xbf16>
      %679 = "stablehlo.all_reduce"(%678) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg12: tensor<bf16>, %arg13: tensor<bf16>):
        %700 = stablehlo.add %arg12, %arg13 : tensor<bf16>
        stablehlo.return %700 : tensor<bf16>
      }) : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xbf16>
      %680 = stablehlo.add %611, %679 : tensor<1x1024x8192xbf16>
      %681 = stablehlo.convert %680 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
      %682 = stablehlo.multiply %681, %681 : tensor<1x1024x8192xf32>
      %cst_134 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %683 = stablehlo.reduce(%682 init: %cst_134) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
      %684 = stablehlo.broadcast_in_dim %683, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
      %cst_135 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
      %685 = stablehlo.broadcast_in_dim %cst_135, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %686 = stablehlo.divide %684, %685 : tensor<1x1024x1xf32>
      %cst_136 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
      %687 = stablehlo.broadcast_in_dim %cst_136, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
      %688 = stablehlo.add %686, %687 : tensor<1x1024x1xf32>
      %689 = stablehlo.rsqrt %688 : tensor<1x1024x1xf32>
      %690 = stablehlo.broadcast_in_dim %689, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
      %691 = stablehlo.multiply %681, %690 : tensor<1x1024x8192xf32>
      %692 = stablehlo.convert %691 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
      %693 = stablehlo.dot_general %692, %arg9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1024x8192xbf16>, tensor<8192x16384xbf16>) -> tensor<1x1024x16384xbf16>
      %694 = func.call @silu(%693) : (tensor<1x1024x16384xbf16>) -> tensor<1x1024x16384xbf16>
      %695 = stablehlo.dot_general %694, %arg10, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1024x16384xbf16>, tensor<16384x8192xbf16>) -> tensor<1x1024x8192xbf16>
      %696 = "stablehlo.all_reduce"(%695) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg12: tensor<bf16>, %arg13: tensor<bf16>):
        %700 = stablehlo.add %arg12, %arg13 : tensor<bf16>
        stablehlo.return %700 : tensor<bf16>
      }) : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xbf16>
      %697 = stablehlo.add %680, %696 : tensor<1x1024x8192xbf16>
      %698 = stablehlo.slice %697 [0:1, 1023:1024, 0:8192] : (tensor<1x1024x8192xbf16>) -> tensor<1x1x8192xbf16>
      %699 = stablehlo.reshape %698 : (tensor<1x1x8192xbf16>) -> tensor<1x8192xbf16>
      sdy.return %699 : tensor<1x8192xbf16>
    } : (tensor<1024x8192xbf16>, tensor<3x8192x64x128xbf16>, tensor<64x128x8192xbf16>, tensor<8192x32768xbf16>, tensor<32768x8192xbf16>, tensor<1x1024xi32>) -> tensor<1x8192xbf16>
    return %0 : tensor<1x8192xbf16>
  }
  func.func private @tril(%arg0: tensor<1024x1024xi1>) -> tensor<1024x1024xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<1024x1024xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1024x1024xi32>
    %2 = stablehlo.add %0, %1 : tensor<1024x1024xi32>
    %3 = stablehlo.iota dim = 1 : tensor<1024x1024xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<1024x1024xi32>, tensor<1024x1024xi32>) -> tensor<1024x1024xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<1024x1024xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<1024x1024xi1>, tensor<1024x1024xi1>
    return %6 : tensor<1024x1024xi1>
  }
  func.func private @_where(%arg0: tensor<1024x1024xi1>, %arg1: tensor<1x32x1024x1024xbf16>, %arg2: tensor<f32>) -> tensor<1x32x1024x1024xbf16> {
    %0 = stablehlo.convert %arg2 : (tensor<f32>) -> tensor<bf16>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<1024x1024xi1>) -> tensor<1x32x1024x1024xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<bf16>) -> tensor<1x32x1024x1024xbf16>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<1x32x1024x1024xi1>, tensor<1x32x1024x1024xbf16>
    return %3 : tensor<1x32x1024x1024xbf16>
  }
  func.func private @silu(%arg0: tensor<1x1024x16384xbf16>) -> tensor<1x1024x16384xbf16> {
    %0 = stablehlo.negate %arg0 : tensor<1x1024x16384xbf16>
    %1 = stablehlo.exponential %0 : tensor<1x1024x16384xbf16>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<1x1024x16384xbf16>
    %3 = stablehlo.add %2, %1 : tensor<1x1024x16384xbf16>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<1x1024x16384xbf16>
    %5 = stablehlo.divide %4, %3 : tensor<1x1024x16384xbf16>
    %6 = stablehlo.multiply %arg0, %5 : tensor<1x1024x16384xbf16>
    return %6 : tensor<1x1024x16384xbf16>
  }
}
