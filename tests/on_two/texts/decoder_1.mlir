module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1024x8192xbf16>, %arg1: tensor<3x8192x64x128xbf16>, %arg2: tensor<64x128x8192xbf16>, %arg3: tensor<8192x32768xbf16>, %arg4: tensor<32768x8192xbf16>, %arg5: tensor<1x1024xi32>) -> (tensor<1x8192xbf16> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1x1024xi32>
    %1 = stablehlo.compare LT, %arg5, %0, SIGNED : (tensor<1x1024xi32>, tensor<1x1024xi32>) -> tensor<1x1024xi1>
    %c_0 = stablehlo.constant dense<1024> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<1x1024xi32>
    %3 = stablehlo.add %arg5, %2 : tensor<1x1024xi32>
    %4 = stablehlo.select %1, %3, %arg5 : tensor<1x1024xi1>, tensor<1x1024xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<1x1024xi32>) -> tensor<1x1024x1xi32>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8192>}> : (tensor<1024x8192xbf16>, tensor<1x1024x1xi32>) -> tensor<1x1024x8192xbf16>
    %c_1 = stablehlo.constant dense<true> : tensor<i1>
    %7 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i1>) -> tensor<1024x1024xi1>
    %8 = call @tril(%7) : (tensor<1024x1024xi1>) -> tensor<1024x1024xi1>
    %9 = stablehlo.convert %6 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
    %10 = stablehlo.multiply %9, %9 : tensor<1x1024x8192xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
    %cst_2 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %14 = stablehlo.divide %12, %13 : tensor<1x1024x1xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %16 = stablehlo.add %14, %15 : tensor<1x1024x1xf32>
    %17 = stablehlo.rsqrt %16 : tensor<1x1024x1xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
    %19 = stablehlo.multiply %9, %18 : tensor<1x1024x8192xf32>
    %20 = stablehlo.convert %19 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
    %21 = stablehlo.slice %arg1 [0:1, 0:8192, 0:64, 0:128] : (tensor<3x8192x64x128xbf16>) -> tensor<1x8192x64x128xbf16>
    %22 = stablehlo.reshape %21 : (tensor<1x8192x64x128xbf16>) -> tensor<8192x64x128xbf16>
    %23 = stablehlo.dot_general %22, %20, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x64x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<64x128x1x1024xbf16>
    %24 = stablehlo.transpose %23, dims = [2, 0, 3, 1] : (tensor<64x128x1x1024xbf16>) -> tensor<1x64x1024x128xbf16>
    %25 = stablehlo.convert %6 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
    %26 = stablehlo.multiply %25, %25 : tensor<1x1024x8192xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.reduce(%26 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
    %cst_5 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %30 = stablehlo.divide %28, %29 : tensor<1x1024x1xf32>
    %cst_6 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %32 = stablehlo.add %30, %31 : tensor<1x1024x1xf32>
    %33 = stablehlo.rsqrt %32 : tensor<1x1024x1xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
    %35 = stablehlo.multiply %25, %34 : tensor<1x1024x8192xf32>
    %36 = stablehlo.convert %35 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
    %37 = stablehlo.slice %arg1 [1:2, 0:8192, 0:64, 0:128] : (tensor<3x8192x64x128xbf16>) -> tensor<1x8192x64x128xbf16>
    %38 = stablehlo.reshape %37 : (tensor<1x8192x64x128xbf16>) -> tensor<8192x64x128xbf16>
    %39 = stablehlo.dot_general %38, %36, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x64x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<64x128x1x1024xbf16>
    %40 = stablehlo.transpose %39, dims = [2, 0, 3, 1] : (tensor<64x128x1x1024xbf16>) -> tensor<1x64x1024x128xbf16>
    %41 = stablehlo.convert %6 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
    %42 = stablehlo.multiply %41, %41 : tensor<1x1024x8192xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %43 = stablehlo.reduce(%42 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
    %cst_8 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %46 = stablehlo.divide %44, %45 : tensor<1x1024x1xf32>
    %cst_9 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %48 = stablehlo.add %46, %47 : tensor<1x1024x1xf32>
    %49 = stablehlo.rsqrt %48 : tensor<1x1024x1xf32>
    %50 = stablehlo.broadcast_in_dim %49, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
    %51 = stablehlo.multiply %41, %50 : tensor<1x1024x8192xf32>
    %52 = stablehlo.convert %51 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
    %53 = stablehlo.slice %arg1 [2:3, 0:8192, 0:64, 0:128] : (tensor<3x8192x64x128xbf16>) -> tensor<1x8192x64x128xbf16>
    %54 = stablehlo.reshape %53 : (tensor<1x8192x64x128xbf16>) -> tensor<8192x64x128xbf16>
    %55 = stablehlo.dot_general %54, %52, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x64x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<64x128x1x1024xbf16>
    %56 = stablehlo.transpose %55, dims = [2, 0, 3, 1] : (tensor<64x128x1x1024xbf16>) -> tensor<1x64x1024x128xbf16>
    %57 = stablehlo.dot_general %24, %40, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x64x1024x128xbf16>, tensor<1x64x1024x128xbf16>) -> tensor<1x64x1024x1024xbf16>
    %cst_10 = stablehlo.constant dense<8.837890e-02> : tensor<bf16>
    %58 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<bf16>) -> tensor<1x64x1024x1024xbf16>
    %59 = stablehlo.multiply %57, %58 : tensor<1x64x1024x1024xbf16>
    %cst_11 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %60 = call @_where(%8, %59, %cst_11) : (tensor<1024x1024xi1>, tensor<1x64x1024x1024xbf16>, tensor<f32>) -> tensor<1x64x1024x1024xbf16>
    %cst_12 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %61 = stablehlo.reduce(%60 init: %cst_12) applies stablehlo.maximum across dimensions = [3] : (tensor<1x64x1024x1024xbf16>, tensor<bf16>) -> tensor<1x64x1024xbf16>
    %cst_13 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %62 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<bf16>) -> tensor<1x64x1024xbf16>
    %63 = stablehlo.maximum %62, %61 : tensor<1x64x1024xbf16>
    %64 = stablehlo.broadcast_in_dim %63, dims = [0, 1, 2] : (tensor<1x64x1024xbf16>) -> tensor<1x64x1024x1xbf16>
    %65 = stablehlo.broadcast_in_dim %64, dims = [0, 1, 2, 3] : (tensor<1x64x1024x1xbf16>) -> tensor<1x64x1024x1024xbf16>
    %66 = stablehlo.subtract %60, %65 : tensor<1x64x1024x1024xbf16>
    %67 = stablehlo.exponential %66 : tensor<1x64x1024x1024xbf16>
    %68 = stablehlo.convert %67 : (tensor<1x64x1024x1024xbf16>) -> tensor<1x64x1024x1024xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %69 = stablehlo.reduce(%68 init: %cst_14) applies stablehlo.add across dimensions = [3] : (tensor<1x64x1024x1024xf32>, tensor<f32>) -> tensor<1x64x1024xf32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [0, 1, 2] : (tensor<1x64x1024xf32>) -> tensor<1x64x1024x1xf32>
    %71 = stablehlo.convert %70 : (tensor<1x64x1024x1xf32>) -> tensor<1x64x1024x1xbf16>
    %72 = stablehlo.broadcast_in_dim %71, dims = [0, 1, 2, 3] : (tensor<1x64x1024x1xbf16>) -> tensor<1x64x1024x1024xbf16>
    %73 = stablehlo.divide %67, %72 : tensor<1x64x1024x1024xbf16>
    %74 = stablehlo.dot_general %73, %56, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x64x1024x1024xbf16>, tensor<1x64x1024x128xbf16>) -> tensor<1x64x1024x128xbf16>
    %75 = stablehlo.dot_general %74, %arg2, contracting_dims = [3, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<1x64x1024x128xbf16>, tensor<64x128x8192xbf16>) -> tensor<1x1024x8192xbf16>
    %76 = "stablehlo.all_reduce"(%75) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg6: tensor<bf16>, %arg7: tensor<bf16>):
      %699 = stablehlo.add %arg6, %arg7 : tensor<bf16>
      stablehlo.return %699 : tensor<bf16>
    }) : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xbf16>
    %77 = stablehlo.add %6, %76 : tensor<1x1024x8192xbf16>
    %78 = stablehlo.convert %77 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
    %79 = stablehlo.multiply %78, %78 : tensor<1x1024x8192xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %80 = stablehlo.reduce(%79 init: %cst_15) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
    %81 = stablehlo.broadcast_in_dim %80, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
    %cst_16 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %83 = stablehlo.divide %81, %82 : tensor<1x1024x1xf32>
    %cst_17 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %85 = stablehlo.add %83, %84 : tensor<1x1024x1xf32>
    %86 = stablehlo.rsqrt %85 : tensor<1x1024x1xf32>
    %87 = stablehlo.broadcast_in_dim %86, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
    %88 = stablehlo.multiply %78, %87 : tensor<1x1024x8192xf32>
    %89 = stablehlo.convert %88 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
    %90 = stablehlo.dot_general %89, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1024x8192xbf16>, tensor<8192x32768xbf16>) -> tensor<1x1024x32768xbf16>
    %91 = call @silu(%90) : (tensor<1x1024x32768xbf16>) -> tensor<1x1024x32768xbf16>
    %92 = stablehlo.dot_general %91, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1024x32768xbf16>, tensor<32768x8192xbf16>) -> tensor<1x1024x8192xbf16>
    %93 = "stablehlo.all_reduce"(%92) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg6: tensor<bf16>, %arg7: tensor<bf16>):
      %699 = stablehlo.add %arg6, %arg7 : tensor<bf16>
      stablehlo.return %699 : tensor<bf16>
    }) : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xbf16>
    %94 = stablehlo.add %77, %93 : tensor<1x1024x8192xbf16>
    %95 = stablehlo.convert %94 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
    %96 = stablehlo.multiply %95, %95 : tensor<1x1024x8192xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %97 = stablehlo.reduce(%96 init: %cst_18) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
    %98 = stablehlo.broadcast_in_dim %97, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
    %cst_19 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %100 = stablehlo.divide %98, %99 : tensor<1x1024x1xf32>
    %cst_20 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %101 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %102 = stablehlo.add %100, %101 : tensor<1x1024x1xf32>
    %103 = stablehlo.rsqrt %102 : tensor<1x1024x1xf32>
    %104 = stablehlo.broadcast_in_dim %103, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
    %105 = stablehlo.multiply %95, %104 : tensor<1x1024x8192xf32>
    %106 = stablehlo.convert %105 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
    %107 = stablehlo.slice %arg1 [0:1, 0:8192, 0:64, 0:128] : (tensor<3x8192x64x128xbf16>) -> tensor<1x8192x64x128xbf16>
    %108 = stablehlo.reshape %107 : (tensor<1x8192x64x128xbf16>) -> tensor<8192x64x128xbf16>
    %109 = stablehlo.dot_general %108, %106, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x64x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<64x128x1x1024xbf16>
    %110 = stablehlo.transpose %109, dims = [2, 0, 3, 1] : (tensor<64x128x1x1024xbf16>) -> tensor<1x64x1024x128xbf16>
    %111 = stablehlo.convert %94 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
    %112 = stablehlo.multiply %111, %111 : tensor<1x1024x8192xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %113 = stablehlo.reduce(%112 init: %cst_21) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
    %114 = stablehlo.broadcast_in_dim %113, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
    %cst_22 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %115 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %116 = stablehlo.divide %114, %115 : tensor<1x1024x1xf32>
    %cst_23 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %117 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %118 = stablehlo.add %116, %117 : tensor<1x1024x1xf32>
    %119 = stablehlo.rsqrt %118 : tensor<1x1024x1xf32>
    %120 = stablehlo.broadcast_in_dim %119, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
    %121 = stablehlo.multiply %111, %120 : tensor<1x1024x8192xf32>
    %122 = stablehlo.convert %121 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
    %123 = stablehlo.slice %arg1 [1:2, 0:8192, 0:64, 0:128] : (tensor<3x8192x64x128xbf16>) -> tensor<1x8192x64x128xbf16>
    %124 = stablehlo.reshape %123 : (tensor<1x8192x64x128xbf16>) -> tensor<8192x64x128xbf16>
    %125 = stablehlo.dot_general %124, %122, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x64x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<64x128x1x1024xbf16>
    %126 = stablehlo.transpose %125, dims = [2, 0, 3, 1] : (tensor<64x128x1x1024xbf16>) -> tensor<1x64x1024x128xbf16>
    %127 = stablehlo.convert %94 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
    %128 = stablehlo.multiply %127, %127 : tensor<1x1024x8192xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %129 = stablehlo.reduce(%128 init: %cst_24) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
    %130 = stablehlo.broadcast_in_dim %129, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
    %cst_25 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %131 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %132 = stablehlo.divide %130, %131 : tensor<1x1024x1xf32>
    %cst_26 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %133 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %134 = stablehlo.add %132, %133 : tensor<1x1024x1xf32>
    %135 = stablehlo.rsqrt %134 : tensor<1x1024x1xf32>
    %136 = stablehlo.broadcast_in_dim %135, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
    %137 = stablehlo.multiply %127, %136 : tensor<1x1024x8192xf32>
    %138 = stablehlo.convert %137 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
    %139 = stablehlo.slice %arg1 [2:3, 0:8192, 0:64, 0:128] : (tensor<3x8192x64x128xbf16>) -> tensor<1x8192x64x128xbf16>
    %140 = stablehlo.reshape %139 : (tensor<1x8192x64x128xbf16>) -> tensor<8192x64x128xbf16>
    %141 = stablehlo.dot_general %140, %138, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x64x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<64x128x1x1024xbf16>
    %142 = stablehlo.transpose %141, dims = [2, 0, 3, 1] : (tensor<64x128x1x1024xbf16>) -> tensor<1x64x1024x128xbf16>
    %143 = stablehlo.dot_general %110, %126, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x64x1024x128xbf16>, tensor<1x64x1024x128xbf16>) -> tensor<1x64x1024x1024xbf16>
    %cst_27 = stablehlo.constant dense<8.837890e-02> : tensor<bf16>
    %144 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<bf16>) -> tensor<1x64x1024x1024xbf16>
    %145 = stablehlo.multiply %143, %144 : tensor<1x64x1024x1024xbf16>
    %cst_28 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %146 = call @_where(%8, %145, %cst_28) : (tensor<1024x1024xi1>, tensor<1x64x1024x1024xbf16>, tensor<f32>) -> tensor<1x64x1024x1024xbf16>
    %cst_29 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %147 = stablehlo.reduce(%146 init: %cst_29) applies stablehlo.maximum across dimensions = [3] : (tensor<1x64x1024x1024xbf16>, tensor<bf16>) -> tensor<1x64x1024xbf16>
    %cst_30 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %148 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<bf16>) -> tensor<1x64x1024xbf16>
    %149 = stablehlo.maximum %148, %147 : tensor<1x64x1024xbf16>
    %150 = stablehlo.broadcast_in_dim %149, dims = [0, 1, 2] : (tensor<1x64x1024xbf16>) -> tensor<1x64x1024x1xbf16>
    %151 = stablehlo.broadcast_in_dim %150, dims = [0, 1, 2, 3] : (tensor<1x64x1024x1xbf16>) -> tensor<1x64x1024x1024xbf16>
    %152 = stablehlo.subtract %146, %151 : tensor<1x64x1024x1024xbf16>
    %153 = stablehlo.exponential %152 : tensor<1x64x1024x1024xbf16>
    %154 = stablehlo.convert %153 : (tensor<1x64x1024x1024xbf16>) -> tensor<1x64x1024x1024xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %155 = stablehlo.reduce(%154 init: %cst_31) applies stablehlo.add across dimensions = [3] : (tensor<1x64x1024x1024xf32>, tensor<f32>) -> tensor<1x64x1024xf32>
    %156 = stablehlo.broadcast_in_dim %155, dims = [0, 1, 2] : (tensor<1x64x1024xf32>) -> tensor<1x64x1024x1xf32>
    %157 = stablehlo.convert %156 : (tensor<1x64x1024x1xf32>) -> tensor<1x64x1024x1xbf16>
    %158 = stablehlo.broadcast_in_dim %157, dims = [0, 1, 2, 3] : (tensor<1x64x1024x1xbf16>) -> tensor<1x64x1024x1024xbf16>
    %159 = stablehlo.divide %153, %158 : tensor<1x64x1024x1024xbf16>
    %160 = stablehlo.dot_general %159, %142, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x64x1024x1024xbf16>, tensor<1x64x1024x128xbf16>) -> tensor<1x64x1024x128xbf16>
    %161 = stablehlo.dot_general %160, %arg2, contracting_dims = [3, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<1x64x1024x128xbf16>, tensor<64x128x8192xbf16>) -> tensor<1x1024x8192xbf16>
    %162 = "stablehlo.all_reduce"(%161) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg6: tensor<bf16>, %arg7: tensor<bf16>):
      %699 = stablehlo.add %arg6, %arg7 : tensor<bf16>
      stablehlo.return %699 : tensor<bf16>
    }) : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xbf16>
    %163 = stablehlo.add %94, %162 : tensor<1x1024x8192xbf16>
    %164 = stablehlo.convert %163 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
    %165 = stablehlo.multiply %164, %164 : tensor<1x1024x8192xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %166 = stablehlo.reduce(%165 init: %cst_32) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
    %167 = stablehlo.broadcast_in_dim %166, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
    %cst_33 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %168 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %169 = stablehlo.divide %167, %168 : tensor<1x1024x1xf32>
    %cst_34 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %170 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %171 = stablehlo.add %169, %170 : tensor<1x1024x1xf32>
    %172 = stablehlo.rsqrt %171 : tensor<1x1024x1xf32>
    %173 = stablehlo.broadcast_in_dim %172, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
    %174 = stablehlo.multiply %164, %173 : tensor<1x1024x8192xf32>
    %175 = stablehlo.convert %174 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
    %176 = stablehlo.dot_general %175, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1024x8192xbf16>, tensor<8192x32768xbf16>) -> tensor<1x1024x32768xbf16>
    %177 = call @silu(%176) : (tensor<1x1024x32768xbf16>) -> tensor<1x1024x32768xbf16>
    %178 = stablehlo.dot_general %177, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1024x32768xbf16>, tensor<32768x8192xbf16>) -> tensor<1x1024x8192xbf16>
    %179 = "stablehlo.all_reduce"(%178) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg6: tensor<bf16>, %arg7: tensor<bf16>):
      %699 = stablehlo.add %arg6, %arg7 : tensor<bf16>
      stablehlo.return %699 : tensor<bf16>
    }) : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xbf16>
    %180 = stablehlo.add %163, %179 : tensor<1x1024x8192xbf16>
    %181 = stablehlo.convert %180 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
    %182 = stablehlo.multiply %181, %181 : tensor<1x1024x8192xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %183 = stablehlo.reduce(%182 init: %cst_35) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
    %184 = stablehlo.broadcast_in_dim %183, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
    %cst_36 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %185 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %186 = stablehlo.divide %184, %185 : tensor<1x1024x1xf32>
    %cst_37 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %187 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %188 = stablehlo.add %186, %187 : tensor<1x1024x1xf32>
    %189 = stablehlo.rsqrt %188 : tensor<1x1024x1xf32>
    %190 = stablehlo.broadcast_in_dim %189, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
    %191 = stablehlo.multiply %181, %190 : tensor<1x1024x8192xf32>
    %192 = stablehlo.convert %191 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
    %193 = stablehlo.slice %arg1 [0:1, 0:8192, 0:64, 0:128] : (tensor<3x8192x64x128xbf16>) -> tensor<1x8192x64x128xbf16>
    %194 = stablehlo.reshape %193 : (tensor<1x8192x64x128xbf16>) -> tensor<8192x64x128xbf16>
    %195 = stablehlo.dot_general %194, %192, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x64x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<64x128x1x1024xbf16>
    %196 = stablehlo.transpose %195, dims = [2, 0, 3, 1] : (tensor<64x128x1x1024xbf16>) -> tensor<1x64x1024x128xbf16>
    %197 = stablehlo.convert %180 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
    %198 = stablehlo.multiply %197, %197 : tensor<1x1024x8192xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %199 = stablehlo.reduce(%198 init: %cst_38) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
    %200 = stablehlo.broadcast_in_dim %199, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
    %cst_39 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %201 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %202 = stablehlo.divide %200, %201 : tensor<1x1024x1xf32>
    %cst_40 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %203 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %204 = stablehlo.add %202, %203 : tensor<1x1024x1xf32>
    %205 = stablehlo.rsqrt %204 : tensor<1x1024x1xf32>
    %206 = stablehlo.broadcast_in_dim %205, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
    %207 = stablehlo.multiply %197, %206 : tensor<1x1024x8192xf32>
    %208 = stablehlo.convert %207 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
    %209 = stablehlo.slice %arg1 [1:2, 0:8192, 0:64, 0:128] : (tensor<3x8192x64x128xbf16>) -> tensor<1x8192x64x128xbf16>
    %210 = stablehlo.reshape %209 : (tensor<1x8192x64x128xbf16>) -> tensor<8192x64x128xbf16>
    %211 = stablehlo.dot_general %210, %208, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x64x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<64x128x1x1024xbf16>
    %212 = stablehlo.transpose %211, dims = [2, 0, 3, 1] : (tensor<64x128x1x1024xbf16>) -> tensor<1x64x1024x128xbf16>
    %213 = stablehlo.convert %180 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
    %214 = stablehlo.multiply %213, %213 : tensor<1x1024x8192xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %215 = stablehlo.reduce(%214 init: %cst_41) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
    %216 = stablehlo.broadcast_in_dim %215, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
    %cst_42 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %217 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %218 = stablehlo.divide %216, %217 : tensor<1x1024x1xf32>
    %cst_43 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %219 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %220 = stablehlo.add %218, %219 : tensor<1x1024x1xf32>
    %221 = stablehlo.rsqrt %220 : tensor<1x1024x1xf32>
    %222 = stablehlo.broadcast_in_dim %221, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
    %223 = stablehlo.multiply %213, %222 : tensor<1x1024x8192xf32>
    %224 = stablehlo.convert %223 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
    %225 = stablehlo.slice %arg1 [2:3, 0:8192, 0:64, 0:128] : (tensor<3x8192x64x128xbf16>) -> tensor<1x8192x64x128xbf16>
    %226 = stablehlo.reshape %225 : (tensor<1x8192x64x128xbf16>) -> tensor<8192x64x128xbf16>
    %227 = stablehlo.dot_general %226, %224, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x64x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<64x128x1x1024xbf16>
    %228 = stablehlo.transpose %227, dims = [2, 0, 3, 1] : (tensor<64x128x1x1024xbf16>) -> tensor<1x64x1024x128xbf16>
    %229 = stablehlo.dot_general %196, %212, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x64x1024x128xbf16>, tensor<1x64x1024x128xbf16>) -> tensor<1x64x1024x1024xbf16>
    %cst_44 = stablehlo.constant dense<8.837890e-02> : tensor<bf16>
    %230 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<bf16>) -> tensor<1x64x1024x1024xbf16>
    %231 = stablehlo.multiply %229, %230 : tensor<1x64x1024x1024xbf16>
    %cst_45 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %232 = call @_where(%8, %231, %cst_45) : (tensor<1024x1024xi1>, tensor<1x64x1024x1024xbf16>, tensor<f32>) -> tensor<1x64x1024x1024xbf16>
    %cst_46 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %233 = stablehlo.reduce(%232 init: %cst_46) applies stablehlo.maximum across dimensions = [3] : (tensor<1x64x1024x1024xbf16>, tensor<bf16>) -> tensor<1x64x1024xbf16>
    %cst_47 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %234 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<bf16>) -> tensor<1x64x1024xbf16>
    %235 = stablehlo.maximum %234, %233 : tensor<1x64x1024xbf16>
    %236 = stablehlo.broadcast_in_dim %235, dims = [0, 1, 2] : (tensor<1x64x1024xbf16>) -> tensor<1x64x1024x1xbf16>
    %237 = stablehlo.broadcast_in_dim %236, dims = [0, 1, 2, 3] : (tensor<1x64x1024x1xbf16>) -> tensor<1x64x1024x1024xbf16>
    %238 = stablehlo.subtract %232, %237 : tensor<1x64x1024x1024xbf16>
    %239 = stablehlo.exponential %238 : tensor<1x64x1024x1024xbf16>
    %240 = stablehlo.convert %239 : (tensor<1x64x1024x1024xbf16>) -> tensor<1x64x1024x1024xf32>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %241 = stablehlo.reduce(%240 init: %cst_48) applies stablehlo.add across dimensions = [3] : (tensor<1x64x1024x1024xf32>, tensor<f32>) -> tensor<1x64x1024xf32>
    %242 = stablehlo.broadcast_in_dim %241, dims = [0, 1, 2] : (tensor<1x64x1024xf32>) -> tensor<1x64x1024x1xf32>
    %243 = stablehlo.convert %242 : (tensor<1x64x1024x1xf32>) -> tensor<1x64x1024x1xbf16>
    %244 = stablehlo.broadcast_in_dim %243, dims = [0, 1, 2, 3] : (tensor<1x64x1024x1xbf16>) -> tensor<1x64x1024x1024xbf16>
    %245 = stablehlo.divide %239, %244 : tensor<1x64x1024x1024xbf16>
    %246 = stablehlo.dot_general %245, %228, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x64x1024x1024xbf16>, tensor<1x64x1024x128xbf16>) -> tensor<1x64x1024x128xbf16>
    %247 = stablehlo.dot_general %246, %arg2, contracting_dims = [3, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<1x64x1024x128xbf16>, tensor<64x128x8192xbf16>) -> tensor<1x1024x8192xbf16>
    %248 = "stablehlo.all_reduce"(%247) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg6: tensor<bf16>, %arg7: tensor<bf16>):
      %699 = stablehlo.add %arg6, %arg7 : tensor<bf16>
      stablehlo.return %699 : tensor<bf16>
    }) : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xbf16>
    %249 = stablehlo.add %180, %248 : tensor<1x1024x8192xbf16>
    %250 = stablehlo.convert %249 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
    %251 = stablehlo.multiply %250, %250 : tensor<1x1024x8192xf32>
    %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %252 = stablehlo.reduce(%251 init: %cst_49) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
    %253 = stablehlo.broadcast_in_dim %252, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
    %cst_50 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %254 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %255 = stablehlo.divide %253, %254 : tensor<1x1024x1xf32>
    %cst_51 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %256 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %257 = stablehlo.add %255, %256 : tensor<1x1024x1xf32>
    %258 = stablehlo.rsqrt %257 : tensor<1x1024x1xf32>
    %259 = stablehlo.broadcast_in_dim %258, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
    %260 = stablehlo.multiply %250, %259 : tensor<1x1024x8192xf32>
    %261 = stablehlo.convert %260 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
    %262 = stablehlo.dot_general %261, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1024x8192xbf16>, tensor<8192x32768xbf16>) -> tensor<1x1024x32768xbf16>
    %263 = call @silu(%262) : (tensor<1x1024x32768xbf16>) -> tensor<1x1024x32768xbf16>
    %264 = stablehlo.dot_general %263, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1024x32768xbf16>, tensor<32768x8192xbf16>) -> tensor<1x1024x8192xbf16>
    %265 = "stablehlo.all_reduce"(%264) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg6: tensor<bf16>, %arg7: tensor<bf16>):
      %699 = stablehlo.add %arg6, %arg7 : tensor<bf16>
      stablehlo.return %699 : tensor<bf16>
    }) : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xbf16>
    %266 = stablehlo.add %249, %265 : tensor<1x1024x8192xbf16>
    %267 = stablehlo.convert %266 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
    %268 = stablehlo.multiply %267, %267 : tensor<1x1024x8192xf32>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %269 = stablehlo.reduce(%268 init: %cst_52) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
    %270 = stablehlo.broadcast_in_dim %269, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
    %cst_53 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %271 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %272 = stablehlo.divide %270, %271 : tensor<1x1024x1xf32>
    %cst_54 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %273 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %274 = stablehlo.add %272, %273 : tensor<1x1024x1xf32>
    %275 = stablehlo.rsqrt %274 : tensor<1x1024x1xf32>
    %276 = stablehlo.broadcast_in_dim %275, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
    %277 = stablehlo.multiply %267, %276 : tensor<1x1024x8192xf32>
    %278 = stablehlo.convert %277 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
    %279 = stablehlo.slice %arg1 [0:1, 0:8192, 0:64, 0:128] : (tensor<3x8192x64x128xbf16>) -> tensor<1x8192x64x128xbf16>
    %280 = stablehlo.reshape %279 : (tensor<1x8192x64x128xbf16>) -> tensor<8192x64x128xbf16>
    %281 = stablehlo.dot_general %280, %278, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x64x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<64x128x1x1024xbf16>
    %282 = stablehlo.transpose %281, dims = [2, 0, 3, 1] : (tensor<64x128x1x1024xbf16>) -> tensor<1x64x1024x128xbf16>
    %283 = stablehlo.convert %266 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
    %284 = stablehlo.multiply %283, %283 : tensor<1x1024x8192xf32>
    %cst_55 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %285 = stablehlo.reduce(%284 init: %cst_55) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
    %286 = stablehlo.broadcast_in_dim %285, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
    %cst_56 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %287 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %288 = stablehlo.divide %286, %287 : tensor<1x1024x1xf32>
    %cst_57 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %289 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %290 = stablehlo.add %288, %289 : tensor<1x1024x1xf32>
    %291 = stablehlo.rsqrt %290 : tensor<1x1024x1xf32>
    %292 = stablehlo.broadcast_in_dim %291, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
    %293 = stablehlo.multiply %283, %292 : tensor<1x1024x8192xf32>
    %294 = stablehlo.convert %293 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
    %295 = stablehlo.slice %arg1 [1:2, 0:8192, 0:64, 0:128] : (tensor<3x8192x64x128xbf16>) -> tensor<1x8192x64x128xbf16>
    %296 = stablehlo.reshape %295 : (tensor<1x8192x64x128xbf16>) -> tensor<8192x64x128xbf16>
    %297 = stablehlo.dot_general %296, %294, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x64x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<64x128x1x1024xbf16>
    %298 = stablehlo.transpose %297, dims = [2, 0, 3, 1] : (tensor<64x128x1x1024xbf16>) -> tensor<1x64x1024x128xbf16>
    %299 = stablehlo.convert %266 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
    %300 = stablehlo.multiply %299, %299 : tensor<1x1024x8192xf32>
    %cst_58 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %301 = stablehlo.reduce(%300 init: %cst_58) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
    %302 = stablehlo.broadcast_in_dim %301, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
    %cst_59 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %303 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %304 = stablehlo.divide %302, %303 : tensor<1x1024x1xf32>
    %cst_60 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %305 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %306 = stablehlo.add %304, %305 : tensor<1x1024x1xf32>
    %307 = stablehlo.rsqrt %306 : tensor<1x1024x1xf32>
    %308 = stablehlo.broadcast_in_dim %307, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
    %309 = stablehlo.multiply %299, %308 : tensor<1x1024x8192xf32>
    %310 = stablehlo.convert %309 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
    %311 = stablehlo.slice %arg1 [2:3, 0:8192, 0:64, 0:128] : (tensor<3x8192x64x128xbf16>) -> tensor<1x8192x64x128xbf16>
    %312 = stablehlo.reshape %311 : (tensor<1x8192x64x128xbf16>) -> tensor<8192x64x128xbf16>
    %313 = stablehlo.dot_general %312, %310, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x64x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<64x128x1x1024xbf16>
    %314 = stablehlo.transpose %313, dims = [2, 0, 3, 1] : (tensor<64x128x1x1024xbf16>) -> tensor<1x64x1024x128xbf16>
    %315 = stablehlo.dot_general %282, %298, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x64x1024x128xbf16>, tensor<1x64x1024x128xbf16>) -> tensor<1x64x1024x1024xbf16>
    %cst_61 = stablehlo.constant dense<8.837890e-02> : tensor<bf16>
    %316 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<bf16>) -> tensor<1x64x1024x1024xbf16>
    %317 = stablehlo.multiply %315, %316 : tensor<1x64x1024x1024xbf16>
    %cst_62 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %318 = call @_where(%8, %317, %cst_62) : (tensor<1024x1024xi1>, tensor<1x64x1024x1024xbf16>, tensor<f32>) -> tensor<1x64x1024x1024xbf16>
    %cst_63 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %319 = stablehlo.reduce(%318 init: %cst_63) applies stablehlo.maximum across dimensions = [3] : (tensor<1x64x1024x1024xbf16>, tensor<bf16>) -> tensor<1x64x1024xbf16>
    %cst_64 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %320 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<bf16>) -> tensor<1x64x1024xbf16>
    %321 = stablehlo.maximum %320, %319 : tensor<1x64x1024xbf16>
    %322 = stablehlo.broadcast_in_dim %321, dims = [0, 1, 2] : (tensor<1x64x1024xbf16>) -> tensor<1x64x1024x1xbf16>
    %323 = stablehlo.broadcast_in_dim %322, dims = [0, 1, 2, 3] : (tensor<1x64x1024x1xbf16>) -> tensor<1x64x1024x1024xbf16>
    %324 = stablehlo.subtract %318, %323 : tensor<1x64x1024x1024xbf16>
    %325 = stablehlo.exponential %324 : tensor<1x64x1024x1024xbf16>
    %326 = stablehlo.convert %325 : (tensor<1x64x1024x1024xbf16>) -> tensor<1x64x1024x1024xf32>
    %cst_65 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %327 = stablehlo.reduce(%326 init: %cst_65) applies stablehlo.add across dimensions = [3] : (tensor<1x64x1024x1024xf32>, tensor<f32>) -> tensor<1x64x1024xf32>
    %328 = stablehlo.broadcast_in_dim %327, dims = [0, 1, 2] : (tensor<1x64x1024xf32>) -> tensor<1x64x1024x1xf32>
    %329 = stablehlo.convert %328 : (tensor<1x64x1024x1xf32>) -> tensor<1x64x1024x1xbf16>
    %330 = stablehlo.broadcast_in_dim %329, dims = [0, 1, 2, 3] : (tensor<1x64x1024x1xbf16>) -> tensor<1x64x1024x1024xbf16>
    %331 = stablehlo.divide %325, %330 : tensor<1x64x1024x1024xbf16>
    %332 = stablehlo.dot_general %331, %314, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x64x1024x1024xbf16>, tensor<1x64x1024x128xbf16>) -> tensor<1x64x1024x128xbf16>
    %333 = stablehlo.dot_general %332, %arg2, contracting_dims = [3, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<1x64x1024x128xbf16>, tensor<64x128x8192xbf16>) -> tensor<1x1024x8192xbf16>
    %334 = "stablehlo.all_reduce"(%333) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg6: tensor<bf16>, %arg7: tensor<bf16>):
      %699 = stablehlo.add %arg6, %arg7 : tensor<bf16>
      stablehlo.return %699 : tensor<bf16>
    }) : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xbf16>
    %335 = stablehlo.add %266, %334 : tensor<1x1024x8192xbf16>
    %336 = stablehlo.convert %335 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
    %337 = stablehlo.multiply %336, %336 : tensor<1x1024x8192xf32>
    %cst_66 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %338 = stablehlo.reduce(%337 init: %cst_66) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
    %339 = stablehlo.broadcast_in_dim %338, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
    %cst_67 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %340 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %341 = stablehlo.divide %339, %340 : tensor<1x1024x1xf32>
    %cst_68 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %342 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %343 = stablehlo.add %341, %342 : tensor<1x1024x1xf32>
    %344 = stablehlo.rsqrt %343 : tensor<1x1024x1xf32>
    %345 = stablehlo.broadcast_in_dim %344, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
    %346 = stablehlo.multiply %336, %345 : tensor<1x1024x8192xf32>
    %347 = stablehlo.convert %346 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
    %348 = stablehlo.dot_general %347, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1024x8192xbf16>, tensor<8192x32768xbf16>) -> tensor<1x1024x32768xbf16>
    %349 = call @silu(%348) : (tensor<1x1024x32768xbf16>) -> tensor<1x1024x32768xbf16>
    %350 = stablehlo.dot_general %349, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1024x32768xbf16>, tensor<32768x8192xbf16>) -> tensor<1x1024x8192xbf16>
    %351 = "stablehlo.all_reduce"(%350) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg6: tensor<bf16>, %arg7: tensor<bf16>):
      %699 = stablehlo.add %arg6, %arg7 : tensor<bf16>
      stablehlo.return %699 : tensor<bf16>
    }) : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xbf16>
    %352 = stablehlo.add %335, %351 : tensor<1x1024x8192xbf16>
    %353 = stablehlo.convert %352 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
    %354 = stablehlo.multiply %353, %353 : tensor<1x1024x8192xf32>
    %cst_69 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %355 = stablehlo.reduce(%354 init: %cst_69) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
    %356 = stablehlo.broadcast_in_dim %355, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
    %cst_70 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %357 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %358 = stablehlo.divide %356, %357 : tensor<1x1024x1xf32>
    %cst_71 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %359 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %360 = stablehlo.add %358, %359 : tensor<1x1024x1xf32>
    %361 = stablehlo.rsqrt %360 : tensor<1x1024x1xf32>
    %362 = stablehlo.broadcast_in_dim %361, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
    %363 = stablehlo.multiply %353, %362 : tensor<1x1024x8192xf32>
    %364 = stablehlo.convert %363 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
    %365 = stablehlo.slice %arg1 [0:1, 0:8192, 0:64, 0:128] : (tensor<3x8192x64x128xbf16>) -> tensor<1x8192x64x128xbf16>
    %366 = stablehlo.reshape %365 : (tensor<1x8192x64x128xbf16>) -> tensor<8192x64x128xbf16>
    %367 = stablehlo.dot_general %366, %364, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x64x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<64x128x1x1024xbf16>
    %368 = stablehlo.transpose %367, dims = [2, 0, 3, 1] : (tensor<64x128x1x1024xbf16>) -> tensor<1x64x1024x128xbf16>
    %369 = stablehlo.convert %352 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
    %370 = stablehlo.multiply %369, %369 : tensor<1x1024x8192xf32>
    %cst_72 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %371 = stablehlo.reduce(%370 init: %cst_72) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
    %372 = stablehlo.broadcast_in_dim %371, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
    %cst_73 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %373 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %374 = stablehlo.divide %372, %373 : tensor<1x1024x1xf32>
    %cst_74 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %375 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %376 = stablehlo.add %374, %375 : tensor<1x1024x1xf32>
    %377 = stablehlo.rsqrt %376 : tensor<1x1024x1xf32>
    %378 = stablehlo.broadcast_in_dim %377, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
    %379 = stablehlo.multiply %369, %378 : tensor<1x1024x8192xf32>
    %380 = stablehlo.convert %379 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
    %381 = stablehlo.slice %arg1 [1:2, 0:8192, 0:64, 0:128] : (tensor<3x8192x64x128xbf16>) -> tensor<1x8192x64x128xbf16>
    %382 = stablehlo.reshape %381 : (tensor<1x8192x64x128xbf16>) -> tensor<8192x64x128xbf16>
    %383 = stablehlo.dot_general %382, %380, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x64x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<64x128x1x1024xbf16>
    %384 = stablehlo.transpose %383, dims = [2, 0, 3, 1] : (tensor<64x128x1x1024xbf16>) -> tensor<1x64x1024x128xbf16>
    %385 = stablehlo.convert %352 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
    %386 = stablehlo.multiply %385, %385 : tensor<1x1024x8192xf32>
    %cst_75 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %387 = stablehlo.reduce(%386 init: %cst_75) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
    %388 = stablehlo.broadcast_in_dim %387, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
    %cst_76 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %389 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %390 = stablehlo.divide %388, %389 : tensor<1x1024x1xf32>
    %cst_77 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %391 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %392 = stablehlo.add %390, %391 : tensor<1x1024x1xf32>
    %393 = stablehlo.rsqrt %392 : tensor<1x1024x1xf32>
    %394 = stablehlo.broadcast_in_dim %393, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
    %395 = stablehlo.multiply %385, %394 : tensor<1x1024x8192xf32>
    %396 = stablehlo.convert %395 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
    %397 = stablehlo.slice %arg1 [2:3, 0:8192, 0:64, 0:128] : (tensor<3x8192x64x128xbf16>) -> tensor<1x8192x64x128xbf16>
    %398 = stablehlo.reshape %397 : (tensor<1x8192x64x128xbf16>) -> tensor<8192x64x128xbf16>
    %399 = stablehlo.dot_general %398, %396, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x64x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<64x128x1x1024xbf16>
    %400 = stablehlo.transpose %399, dims = [2, 0, 3, 1] : (tensor<64x128x1x1024xbf16>) -> tensor<1x64x1024x128xbf16>
    %401 = stablehlo.dot_general %368, %384, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x64x1024x128xbf16>, tensor<1x64x1024x128xbf16>) -> tensor<1x64x1024x1024xbf16>
    %cst_78 = stablehlo.constant dense<8.837890e-02> : tensor<bf16>
    %402 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<bf16>) -> tensor<1x64x1024x1024xbf16>
    %403 = stablehlo.multiply %401, %402 : tensor<1x64x1024x1024xbf16>
    %cst_79 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %404 = call @_where(%8, %403, %cst_79) : (tensor<1024x1024xi1>, tensor<1x64x1024x1024xbf16>, tensor<f32>) -> tensor<1x64x1024x1024xbf16>
    %cst_80 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %405 = stablehlo.reduce(%404 init: %cst_80) applies stablehlo.maximum across dimensions = [3] : (tensor<1x64x1024x1024xbf16>, tensor<bf16>) -> tensor<1x64x1024xbf16>
    %cst_81 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %406 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<bf16>) -> tensor<1x64x1024xbf16>
    %407 = stablehlo.maximum %406, %405 : tensor<1x64x1024xbf16>
    %408 = stablehlo.broadcast_in_dim %407, dims = [0, 1, 2] : (tensor<1x64x1024xbf16>) -> tensor<1x64x1024x1xbf16>
    %409 = stablehlo.broadcast_in_dim %408, dims = [0, 1, 2, 3] : (tensor<1x64x1024x1xbf16>) -> tensor<1x64x1024x1024xbf16>
    %410 = stablehlo.subtract %404, %409 : tensor<1x64x1024x1024xbf16>
    %411 = stablehlo.exponential %410 : tensor<1x64x1024x1024xbf16>
    %412 = stablehlo.convert %411 : (tensor<1x64x1024x1024xbf16>) -> tensor<1x64x1024x1024xf32>
    %cst_82 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %413 = stablehlo.reduce(%412 init: %cst_82) applies stablehlo.add across dimensions = [3] : (tensor<1x64x1024x1024xf32>, tensor<f32>) -> tensor<1x64x1024xf32>
    %414 = stablehlo.broadcast_in_dim %413, dims = [0, 1, 2] : (tensor<1x64x1024xf32>) -> tensor<1x64x1024x1xf32>
    %415 = stablehlo.convert %414 : (tensor<1x64x1024x1xf32>) -> tensor<1x64x1024x1xbf16>
    %416 = stablehlo.broadcast_in_dim %415, dims = [0, 1, 2, 3] : (tensor<1x64x1024x1xbf16>) -> tensor<1x64x1024x1024xbf16>
    %417 = stablehlo.divide %411, %416 : tensor<1x64x1024x1024xbf16>
    %418 = stablehlo.dot_general %417, %400, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x64x1024x1024xbf16>, tensor<1x64x1024x128xbf16>) -> tensor<1x64x1024x128xbf16>
    %419 = stablehlo.dot_general %418, %arg2, contracting_dims = [3, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<1x64x1024x128xbf16>, tensor<64x128x8192xbf16>) -> tensor<1x1024x8192xbf16>
    %420 = "stablehlo.all_reduce"(%419) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg6: tensor<bf16>, %arg7: tensor<bf16>):
      %699 = stablehlo.add %arg6, %arg7 : tensor<bf16>
      stablehlo.return %699 : tensor<bf16>
    }) : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xbf16>
    %421 = stablehlo.add %352, %420 : tensor<1x1024x8192xbf16>
    %422 = stablehlo.convert %421 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
    %423 = stablehlo.multiply %422, %422 : tensor<1x1024x8192xf32>
    %cst_83 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %424 = stablehlo.reduce(%423 init: %cst_83) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
    %425 = stablehlo.broadcast_in_dim %424, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
    %cst_84 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %426 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %427 = stablehlo.divide %425, %426 : tensor<1x1024x1xf32>
    %cst_85 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %428 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %429 = stablehlo.add %427, %428 : tensor<1x1024x1xf32>
    %430 = stablehlo.rsqrt %429 : tensor<1x1024x1xf32>
    %431 = stablehlo.broadcast_in_dim %430, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
    %432 = stablehlo.multiply %422, %431 : tensor<1x1024x8192xf32>
    %433 = stablehlo.convert %432 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
    %434 = stablehlo.dot_general %433, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1024x8192xbf16>, tensor<8192x32768xbf16>) -> tensor<1x1024x32768xbf16>
    %435 = call @silu(%434) : (tensor<1x1024x32768xbf16>) -> tensor<1x1024x32768xbf16>
    %436 = stablehlo.dot_general %435, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1024x32768xbf16>, tensor<32768x8192xbf16>) -> tensor<1x1024x8192xbf16>
    %437 = "stablehlo.all_reduce"(%436) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg6: tensor<bf16>, %arg7: tensor<bf16>):
      %699 = stablehlo.add %arg6, %arg7 : tensor<bf16>
      stablehlo.return %699 : tensor<bf16>
    }) : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xbf16>
    %438 = stablehlo.add %421, %437 : tensor<1x1024x8192xbf16>
    %439 = stablehlo.convert %438 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
    %440 = stablehlo.multiply %439, %439 : tensor<1x1024x8192xf32>
    %cst_86 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %441 = stablehlo.reduce(%440 init: %cst_86) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
    %442 = stablehlo.broadcast_in_dim %441, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
    %cst_87 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %443 = stablehlo.broadcast_in_dim %cst_87, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %444 = stablehlo.divide %442, %443 : tensor<1x1024x1xf32>
    %cst_88 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %445 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %446 = stablehlo.add %444, %445 : tensor<1x1024x1xf32>
    %447 = stablehlo.rsqrt %446 : tensor<1x1024x1xf32>
    %448 = stablehlo.broadcast_in_dim %447, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
    %449 = stablehlo.multiply %439, %448 : tensor<1x1024x8192xf32>
    %450 = stablehlo.convert %449 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
    %451 = stablehlo.slice %arg1 [0:1, 0:8192, 0:64, 0:128] : (tensor<3x8192x64x128xbf16>) -> tensor<1x8192x64x128xbf16>
    %452 = stablehlo.reshape %451 : (tensor<1x8192x64x128xbf16>) -> tensor<8192x64x128xbf16>
    %453 = stablehlo.dot_general %452, %450, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x64x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<64x128x1x1024xbf16>
    %454 = stablehlo.transpose %453, dims = [2, 0, 3, 1] : (tensor<64x128x1x1024xbf16>) -> tensor<1x64x1024x128xbf16>
    %455 = stablehlo.convert %438 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
    %456 = stablehlo.multiply %455, %455 : tensor<1x1024x8192xf32>
    %cst_89 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %457 = stablehlo.reduce(%456 init: %cst_89) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
    %458 = stablehlo.broadcast_in_dim %457, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
    %cst_90 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %459 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %460 = stablehlo.divide %458, %459 : tensor<1x1024x1xf32>
    %cst_91 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %461 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %462 = stablehlo.add %460, %461 : tensor<1x1024x1xf32>
    %463 = stablehlo.rsqrt %462 : tensor<1x1024x1xf32>
    %464 = stablehlo.broadcast_in_dim %463, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
    %465 = stablehlo.multiply %455, %464 : tensor<1x1024x8192xf32>
    %466 = stablehlo.convert %465 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
    %467 = stablehlo.slice %arg1 [1:2, 0:8192, 0:64, 0:128] : (tensor<3x8192x64x128xbf16>) -> tensor<1x8192x64x128xbf16>
    %468 = stablehlo.reshape %467 : (tensor<1x8192x64x128xbf16>) -> tensor<8192x64x128xbf16>
    %469 = stablehlo.dot_general %468, %466, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x64x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<64x128x1x1024xbf16>
    %470 = stablehlo.transpose %469, dims = [2, 0, 3, 1] : (tensor<64x128x1x1024xbf16>) -> tensor<1x64x1024x128xbf16>
    %471 = stablehlo.convert %438 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
    %472 = stablehlo.multiply %471, %471 : tensor<1x1024x8192xf32>
    %cst_92 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %473 = stablehlo.reduce(%472 init: %cst_92) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
    %474 = stablehlo.broadcast_in_dim %473, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
    %cst_93 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %475 = stablehlo.broadcast_in_dim %cst_93, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %476 = stablehlo.divide %474, %475 : tensor<1x1024x1xf32>
    %cst_94 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %477 = stablehlo.broadcast_in_dim %cst_94, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %478 = stablehlo.add %476, %477 : tensor<1x1024x1xf32>
    %479 = stablehlo.rsqrt %478 : tensor<1x1024x1xf32>
    %480 = stablehlo.broadcast_in_dim %479, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
    %481 = stablehlo.multiply %471, %480 : tensor<1x1024x8192xf32>
    %482 = stablehlo.convert %481 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
    %483 = stablehlo.slice %arg1 [2:3, 0:8192, 0:64, 0:128] : (tensor<3x8192x64x128xbf16>) -> tensor<1x8192x64x128xbf16>
    %484 = stablehlo.reshape %483 : (tensor<1x8192x64x128xbf16>) -> tensor<8192x64x128xbf16>
    %485 = stablehlo.dot_general %484, %482, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x64x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<64x128x1x1024xbf16>
    %486 = stablehlo.transpose %485, dims = [2, 0, 3, 1] : (tensor<64x128x1x1024xbf16>) -> tensor<1x64x1024x128xbf16>
    %487 = stablehlo.dot_general %454, %470, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x64x1024x128xbf16>, tensor<1x64x1024x128xbf16>) -> tensor<1x64x1024x1024xbf16>
    %cst_95 = stablehlo.constant dense<8.837890e-02> : tensor<bf16>
    %488 = stablehlo.broadcast_in_dim %cst_95, dims = [] : (tensor<bf16>) -> tensor<1x64x1024x1024xbf16>
    %489 = stablehlo.multiply %487, %488 : tensor<1x64x1024x1024xbf16>
    %cst_96 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %490 = call @_where(%8, %489, %cst_96) : (tensor<1024x1024xi1>, tensor<1x64x1024x1024xbf16>, tensor<f32>) -> tensor<1x64x1024x1024xbf16>
    %cst_97 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %491 = stablehlo.reduce(%490 init: %cst_97) applies stablehlo.maximum across dimensions = [3] : (tensor<1x64x1024x1024xbf16>, tensor<bf16>) -> tensor<1x64x1024xbf16>
    %cst_98 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %492 = stablehlo.broadcast_in_dim %cst_98, dims = [] : (tensor<bf16>) -> tensor<1x64x1024xbf16>
    %493 = stablehlo.maximum %492, %491 : tensor<1x64x1024xbf16>
    %494 = stablehlo.broadcast_in_dim %493, dims = [0, 1, 2] : (tensor<1x64x1024xbf16>) -> tensor<1x64x1024x1xbf16>
    %495 = stablehlo.broadcast_in_dim %494, dims = [0, 1, 2, 3] : (tensor<1x64x1024x1xbf16>) -> tensor<1x64x1024x1024xbf16>
    %496 = stablehlo.subtract %490, %495 : tensor<1x64x1024x1024xbf16>
    %497 = stablehlo.exponential %496 : tensor<1x64x1024x1024xbf16>
    %498 = stablehlo.convert %497 : (tensor<1x64x1024x1024xbf16>) -> tensor<1x64x1024x1024xf32>
    %cst_99 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %499 = stablehlo.reduce(%498 init: %cst_99) applies stablehlo.add across dimensions = [3] : (tensor<1x64x1024x1024xf32>, tensor<f32>) -> tensor<1x64x1024xf32>
    %500 = stablehlo.broadcast_in_dim %499, dims = [0, 1, 2] : (tensor<1x64x1024xf32>) -> tensor<1x64x1024x1xf32>
    %501 = stablehlo.convert %500 : (tensor<1x64x1024x1xf32>) -> tensor<1x64x1024x1xbf16>
    %502 = stablehlo.broadcast_in_dim %501, dims = [0, 1, 2, 3] : (tensor<1x64x1024x1xbf16>) -> tensor<1x64x1024x1024xbf16>
    %503 = stablehlo.divide %497, %502 : tensor<1x64x1024x1024xbf16>
    %504 = stablehlo.dot_general %503, %486, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x64x1024x1024xbf16>, tensor<1x64x1024x128xbf16>) -> tensor<1x64x1024x128xbf16>
    %505 = stablehlo.dot_general %504, %arg2, contracting_dims = [3, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<1x64x1024x128xbf16>, tensor<64x128x8192xbf16>) -> tensor<1x1024x8192xbf16>
    %506 = "stablehlo.all_reduce"(%505) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg6: tensor<bf16>, %arg7: tensor<bf16>):
      %699 = stablehlo.add %arg6, %arg7 : tensor<bf16>
      stablehlo.return %699 : tensor<bf16>
    }) : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xbf16>
    %507 = stablehlo.add %438, %506 : tensor<1x1024x8192xbf16>
    %508 = stablehlo.convert %507 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
    %509 = stablehlo.multiply %508, %508 : tensor<1x1024x8192xf32>
    %cst_100 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %510 = stablehlo.reduce(%509 init: %cst_100) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
    %511 = stablehlo.broadcast_in_dim %510, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
    %cst_101 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %512 = stablehlo.broadcast_in_dim %cst_101, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %513 = stablehlo.divide %511, %512 : tensor<1x1024x1xf32>
    %cst_102 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %514 = stablehlo.broadcast_in_dim %cst_102, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %515 = stablehlo.add %513, %514 : tensor<1x1024x1xf32>
    %516 = stablehlo.rsqrt %515 : tensor<1x1024x1xf32>
    %517 = stablehlo.broadcast_in_dim %516, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
    %518 = stablehlo.multiply %508, %517 : tensor<1x1024x8192xf32>
    %519 = stablehlo.convert %518 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
    %520 = stablehlo.dot_general %519, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1024x8192xbf16>, tensor<8192x32768xbf16>) -> tensor<1x1024x32768xbf16>
    %521 = call @silu(%520) : (tensor<1x1024x32768xbf16>) -> tensor<1x1024x32768xbf16>
    %522 = stablehlo.dot_general %521, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1024x32768xbf16>, tensor<32768x8192xbf16>) -> tensor<1x1024x8192xbf16>
    %523 = "stablehlo.all_reduce"(%522) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg6: tensor<bf16>, %arg7: tensor<bf16>):
      %699 = stablehlo.add %arg6, %arg7 : tensor<bf16>
      stablehlo.return %699 : tensor<bf16>
    }) : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xbf16>
    %524 = stablehlo.add %507, %523 : tensor<1x1024x8192xbf16>
    %525 = stablehlo.convert %524 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
    %526 = stablehlo.multiply %525, %525 : tensor<1x1024x8192xf32>
    %cst_103 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %527 = stablehlo.reduce(%526 init: %cst_103) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
    %528 = stablehlo.broadcast_in_dim %527, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
    %cst_104 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %529 = stablehlo.broadcast_in_dim %cst_104, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %530 = stablehlo.divide %528, %529 : tensor<1x1024x1xf32>
    %cst_105 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %531 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %532 = stablehlo.add %530, %531 : tensor<1x1024x1xf32>
    %533 = stablehlo.rsqrt %532 : tensor<1x1024x1xf32>
    %534 = stablehlo.broadcast_in_dim %533, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
    %535 = stablehlo.multiply %525, %534 : tensor<1x1024x8192xf32>
    %536 = stablehlo.convert %535 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
    %537 = stablehlo.slice %arg1 [0:1, 0:8192, 0:64, 0:128] : (tensor<3x8192x64x128xbf16>) -> tensor<1x8192x64x128xbf16>
    %538 = stablehlo.reshape %537 : (tensor<1x8192x64x128xbf16>) -> tensor<8192x64x128xbf16>
    %539 = stablehlo.dot_general %538, %536, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x64x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<64x128x1x1024xbf16>
    %540 = stablehlo.transpose %539, dims = [2, 0, 3, 1] : (tensor<64x128x1x1024xbf16>) -> tensor<1x64x1024x128xbf16>
    %541 = stablehlo.convert %524 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
    %542 = stablehlo.multiply %541, %541 : tensor<1x1024x8192xf32>
    %cst_106 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %543 = stablehlo.reduce(%542 init: %cst_106) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
    %544 = stablehlo.broadcast_in_dim %543, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
    %cst_107 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %545 = stablehlo.broadcast_in_dim %cst_107, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %546 = stablehlo.divide %544, %545 : tensor<1x1024x1xf32>
    %cst_108 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %547 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %548 = stablehlo.add %546, %547 : tensor<1x1024x1xf32>
    %549 = stablehlo.rsqrt %548 : tensor<1x1024x1xf32>
    %550 = stablehlo.broadcast_in_dim %549, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
    %551 = stablehlo.multiply %541, %550 : tensor<1x1024x8192xf32>
    %552 = stablehlo.convert %551 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
    %553 = stablehlo.slice %arg1 [1:2, 0:8192, 0:64, 0:128] : (tensor<3x8192x64x128xbf16>) -> tensor<1x8192x64x128xbf16>
    %554 = stablehlo.reshape %553 : (tensor<1x8192x64x128xbf16>) -> tensor<8192x64x128xbf16>
    %555 = stablehlo.dot_general %554, %552, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x64x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<64x128x1x1024xbf16>
    %556 = stablehlo.transpose %555, dims = [2, 0, 3, 1] : (tensor<64x128x1x1024xbf16>) -> tensor<1x64x1024x128xbf16>
    %557 = stablehlo.convert %524 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
    %558 = stablehlo.multiply %557, %557 : tensor<1x1024x8192xf32>
    %cst_109 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %559 = stablehlo.reduce(%558 init: %cst_109) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
    %560 = stablehlo.broadcast_in_dim %559, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
    %cst_110 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %561 = stablehlo.broadcast_in_dim %cst_110, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %562 = stablehlo.divide %560, %561 : tensor<1x1024x1xf32>
    %cst_111 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %563 = stablehlo.broadcast_in_dim %cst_111, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %564 = stablehlo.add %562, %563 : tensor<1x1024x1xf32>
    %565 = stablehlo.rsqrt %564 : tensor<1x1024x1xf32>
    %566 = stablehlo.broadcast_in_dim %565, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
    %567 = stablehlo.multiply %557, %566 : tensor<1x1024x8192xf32>
    %568 = stablehlo.convert %567 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
    %569 = stablehlo.slice %arg1 [2:3, 0:8192, 0:64, 0:128] : (tensor<3x8192x64x128xbf16>) -> tensor<1x8192x64x128xbf16>
    %570 = stablehlo.reshape %569 : (tensor<1x8192x64x128xbf16>) -> tensor<8192x64x128xbf16>
    %571 = stablehlo.dot_general %570, %568, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x64x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<64x128x1x1024xbf16>
    %572 = stablehlo.transpose %571, dims = [2, 0, 3, 1] : (tensor<64x128x1x1024xbf16>) -> tensor<1x64x1024x128xbf16>
    %573 = stablehlo.dot_general %540, %556, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x64x1024x128xbf16>, tensor<1x64x1024x128xbf16>) -> tensor<1x64x1024x1024xbf16>
    %cst_112 = stablehlo.constant dense<8.837890e-02> : tensor<bf16>
    %574 = stablehlo.broadcast_in_dim %cst_112, dims = [] : (tensor<bf16>) -> tensor<1x64x1024x1024xbf16>
    %575 = stablehlo.multiply %573, %574 : tensor<1x64x1024x1024xbf16>
    %cst_113 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %576 = call @_where(%8, %575, %cst_113) : (tensor<1024x1024xi1>, tensor<1x64x1024x1024xbf16>, tensor<f32>) -> tensor<1x64x1024x1024xbf16>
    %cst_114 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %577 = stablehlo.reduce(%576 init: %cst_114) applies stablehlo.maximum across dimensions = [3] : (tensor<1x64x1024x1024xbf16>, tensor<bf16>) -> tensor<1x64x1024xbf16>
    %cst_115 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %578 = stablehlo.broadcast_in_dim %cst_115, dims = [] : (tensor<bf16>) -> tensor<1x64x1024xbf16>
    %579 = stablehlo.maximum %578, %577 : tensor<1x64x1024xbf16>
    %580 = stablehlo.broadcast_in_dim %579, dims = [0, 1, 2] : (tensor<1x64x1024xbf16>) -> tensor<1x64x1024x1xbf16>
    %581 = stablehlo.broadcast_in_dim %580, dims = [0, 1, 2, 3] : (tensor<1x64x1024x1xbf16>) -> tensor<1x64x1024x1024xbf16>
    %582 = stablehlo.subtract %576, %581 : tensor<1x64x1024x1024xbf16>
    %583 = stablehlo.exponential %582 : tensor<1x64x1024x1024xbf16>
    %584 = stablehlo.convert %583 : (tensor<1x64x1024x1024xbf16>) -> tensor<1x64x1024x1024xf32>
    %cst_116 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %585 = stablehlo.reduce(%584 init: %cst_116) applies stablehlo.add across dimensions = [3] : (tensor<1x64x1024x1024xf32>, tensor<f32>) -> tensor<1x64x1024xf32>
    %586 = stablehlo.broadcast_in_dim %585, dims = [0, 1, 2] : (tensor<1x64x1024xf32>) -> tensor<1x64x1024x1xf32>
    %587 = stablehlo.convert %586 : (tensor<1x64x1024x1xf32>) -> tensor<1x64x1024x1xbf16>
    %588 = stablehlo.broadcast_in_dim %587, dims = [0, 1, 2, 3] : (tensor<1x64x1024x1xbf16>) -> tensor<1x64x1024x1024xbf16>
    %589 = stablehlo.divide %583, %588 : tensor<1x64x1024x1024xbf16>
    %590 = stablehlo.dot_general %589, %572, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x64x1024x1024xbf16>, tensor<1x64x1024x128xbf16>) -> tensor<1x64x1024x128xbf16>
    %591 = stablehlo.dot_general %590, %arg2, contracting_dims = [3, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<1x64x1024x128xbf16>, tensor<64x128x8192xbf16>) -> tensor<1x1024x8192xbf16>
    %592 = "stablehlo.all_reduce"(%591) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg6: tensor<bf16>, %arg7: tensor<bf16>):
      %699 = stablehlo.add %arg6, %arg7 : tensor<bf16>
      stablehlo.return %699 : tensor<bf16>
    }) : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xbf16>
    %593 = stablehlo.add %524, %592 : tensor<1x1024x8192xbf16>
    %594 = stablehlo.convert %593 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
    %595 = stablehlo.multiply %594, %594 : tensor<1x1024x8192xf32>
    %cst_117 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %596 = stablehlo.reduce(%595 init: %cst_117) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
    %597 = stablehlo.broadcast_in_dim %596, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
    %cst_118 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %598 = stablehlo.broadcast_in_dim %cst_118, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %599 = stablehlo.divide %597, %598 : tensor<1x1024x1xf32>
    %cst_119 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %600 = stablehlo.broadcast_in_dim %cst_119, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %601 = stablehlo.add %599, %600 : tensor<1x1024x1xf32>
    %602 = stablehlo.rsqrt %601 : tensor<1x1024x1xf32>
    %603 = stablehlo.broadcast_in_dim %602, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
    %604 = stablehlo.multiply %594, %603 : tensor<1x1024x8192xf32>
    %605 = stablehlo.convert %604 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
    %606 = stablehlo.dot_general %605, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1024x8192xbf16>, tensor<8192x32768xbf16>) -> tensor<1x1024x32768xbf16>
    %607 = call @silu(%606) : (tensor<1x1024x32768xbf16>) -> tensor<1x1024x32768xbf16>
    %608 = stablehlo.dot_general %607, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1024x32768xbf16>, tensor<32768x8192xbf16>) -> tensor<1x1024x8192xbf16>
    %609 = "stablehlo.all_reduce"(%608) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg6: tensor<bf16>, %arg7: tensor<bf16>):
      %699 = stablehlo.add %arg6, %arg7 : tensor<bf16>
      stablehlo.return %699 : tensor<bf16>
    }) : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xbf16>
    %610 = stablehlo.add %593, %609 : tensor<1x1024x8192xbf16>
    %611 = stablehlo.convert %610 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
    %612 = stablehlo.multiply %611, %611 : tensor<1x1024x8192xf32>
    %cst_120 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %613 = stablehlo.reduce(%612 init: %cst_120) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
    %614 = stablehlo.broadcast_in_dim %613, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
    %cst_121 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %615 = stablehlo.broadcast_in_dim %cst_121, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %616 = stablehlo.divide %614, %615 : tensor<1x1024x1xf32>
    %cst_122 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %617 = stablehlo.broadcast_in_dim %cst_122, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %618 = stablehlo.add %616, %617 : tensor<1x1024x1xf32>
    %619 = stablehlo.rsqrt %618 : tensor<1x1024x1xf32>
    %620 = stablehlo.broadcast_in_dim %619, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
    %621 = stablehlo.multiply %611, %620 : tensor<1x1024x8192xf32>
    %622 = stablehlo.convert %621 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
    %623 = stablehlo.slice %arg1 [0:1, 0:8192, 0:64, 0:128] : (tensor<3x8192x64x128xbf16>) -> tensor<1x8192x64x128xbf16>
    %624 = stablehlo.reshape %623 : (tensor<1x8192x64x128xbf16>) -> tensor<8192x64x128xbf16>
    %625 = stablehlo.dot_general %624, %622, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x64x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<64x128x1x1024xbf16>
    %626 = stablehlo.transpose %625, dims = [2, 0, 3, 1] : (tensor<64x128x1x1024xbf16>) -> tensor<1x64x1024x128xbf16>
    %627 = stablehlo.convert %610 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
    %628 = stablehlo.multiply %627, %627 : tensor<1x1024x8192xf32>
    %cst_123 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %629 = stablehlo.reduce(%628 init: %cst_123) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
    %630 = stablehlo.broadcast_in_dim %629, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
    %cst_124 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %631 = stablehlo.broadcast_in_dim %cst_124, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %632 = stablehlo.divide %630, %631 : tensor<1x1024x1xf32>
    %cst_125 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %633 = stablehlo.broadcast_in_dim %cst_125, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %634 = stablehlo.add %632, %633 : tensor<1x1024x1xf32>
    %635 = stablehlo.rsqrt %634 : tensor<1x1024x1xf32>
    %636 = stablehlo.broadcast_in_dim %635, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
    %637 = stablehlo.multiply %627, %636 : tensor<1x1024x8192xf32>
    %638 = stablehlo.convert %637 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
    %639 = stablehlo.slice %arg1 [1:2, 0:8192, 0:64, 0:128] : (tensor<3x8192x64x128xbf16>) -> tensor<1x8192x64x128xbf16>
    %640 = stablehlo.reshape %639 : (tensor<1x8192x64x128xbf16>) -> tensor<8192x64x128xbf16>
    %641 = stablehlo.dot_general %640, %638, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x64x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<64x128x1x1024xbf16>
    %642 = stablehlo.transpose %641, dims = [2, 0, 3, 1] : (tensor<64x128x1x1024xbf16>) -> tensor<1x64x1024x128xbf16>
    %643 = stablehlo.convert %610 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
    %644 = stablehlo.multiply %643, %643 : tensor<1x1024x8192xf32>
    %cst_126 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %645 = stablehlo.reduce(%644 init: %cst_126) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
    %646 = stablehlo.broadcast_in_dim %645, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
    %cst_127 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %647 = stablehlo.broadcast_in_dim %cst_127, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %648 = stablehlo.divide %646, %647 : tensor<1x1024x1xf32>
    %cst_128 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %649 = stablehlo.broadcast_in_dim %cst_128, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %650 = stablehlo.add %648, %649 : tensor<1x1024x1xf32>
    %651 = stablehlo.rsqrt %650 : tensor<1x1024x1xf32>
    %652 = stablehlo.broadcast_in_dim %651, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
    %653 = stablehlo.multiply %643, %652 : tensor<1x1024x8192xf32>
    %654 = stablehlo.convert %653 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
    %655 = stablehlo.slice %arg1 [2:3, 0:8192, 0:64, 0:128] : (tensor<3x8192x64x128xbf16>) -> tensor<1x8192x64x128xbf16>
    %656 = stablehlo.reshape %655 : (tensor<1x8192x64x128xbf16>) -> tensor<8192x64x128xbf16>
    %657 = stablehlo.dot_general %656, %654, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8192x64x128xbf16>, tensor<1x1024x8192xbf16>) -> tensor<64x128x1x1024xbf16>
    %658 = stablehlo.transpose %657, dims = [2, 0, 3, 1] : (tensor<64x128x1x1024xbf16>) -> tensor<1x64x1024x128xbf16>
    %659 = stablehlo.dot_general %626, %642, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x64x1024x128xbf16>, tensor<1x64x1024x128xbf16>) -> tensor<1x64x1024x1024xbf16>
    %cst_129 = stablehlo.constant dense<8.837890e-02> : tensor<bf16>
    %660 = stablehlo.broadcast_in_dim %cst_129, dims = [] : (tensor<bf16>) -> tensor<1x64x1024x1024xbf16>
    %661 = stablehlo.multiply %659, %660 : tensor<1x64x1024x1024xbf16>
    %cst_130 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %662 = call @_where(%8, %661, %cst_130) : (tensor<1024x1024xi1>, tensor<1x64x1024x1024xbf16>, tensor<f32>) -> tensor<1x64x1024x1024xbf16>
    %cst_131 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %663 = stablehlo.reduce(%662 init: %cst_131) applies stablehlo.maximum across dimensions = [3] : (tensor<1x64x1024x1024xbf16>, tensor<bf16>) -> tensor<1x64x1024xbf16>
    %cst_132 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %664 = stablehlo.broadcast_in_dim %cst_132, dims = [] : (tensor<bf16>) -> tensor<1x64x1024xbf16>
    %665 = stablehlo.maximum %664, %663 : tensor<1x64x1024xbf16>
    %666 = stablehlo.broadcast_in_dim %665, dims = [0, 1, 2] : (tensor<1x64x1024xbf16>) -> tensor<1x64x1024x1xbf16>
    %667 = stablehlo.broadcast_in_dim %666, dims = [0, 1, 2, 3] : (tensor<1x64x1024x1xbf16>) -> tensor<1x64x1024x1024xbf16>
    %668 = stablehlo.subtract %662, %667 : tensor<1x64x1024x1024xbf16>
    %669 = stablehlo.exponential %668 : tensor<1x64x1024x1024xbf16>
    %670 = stablehlo.convert %669 : (tensor<1x64x1024x1024xbf16>) -> tensor<1x64x1024x1024xf32>
    %cst_133 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %671 = stablehlo.reduce(%670 init: %cst_133) applies stablehlo.add across dimensions = [3] : (tensor<1x64x1024x1024xf32>, tensor<f32>) -> tensor<1x64x1024xf32>
    %672 = stablehlo.broadcast_in_dim %671, dims = [0, 1, 2] : (tensor<1x64x1024xf32>) -> tensor<1x64x1024x1xf32>
    %673 = stablehlo.convert %672 : (tensor<1x64x1024x1xf32>) -> tensor<1x64x1024x1xbf16>
    %674 = stablehlo.broadcast_in_dim %673, dims = [0, 1, 2, 3] : (tensor<1x64x1024x1xbf16>) -> tensor<1x64x1024x1024xbf16>
    %675 = stablehlo.divide %669, %674 : tensor<1x64x1024x1024xbf16>
    %676 = stablehlo.dot_general %675, %658, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x64x1024x1024xbf16>, tensor<1x64x1024x128xbf16>) -> tensor<1x64x1024x128xbf16>
    %677 = stablehlo.dot_general %676, %arg2, contracting_dims = [3, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<1x64x1024x128xbf16>, tensor<64x128x8192xbf16>) -> tensor<1x1024x8192xbf16>
    %678 = "stablehlo.all_reduce"(%677) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg6: tensor<bf16>, %arg7: tensor<bf16>):
      %699 = stablehlo.add %arg6, %arg7 : tensor<bf16>
      stablehlo.return %699 : tensor<bf16>
    }) : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xbf16>
    %679 = stablehlo.add %610, %678 : tensor<1x1024x8192xbf16>
    %680 = stablehlo.convert %679 : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xf32>
    %681 = stablehlo.multiply %680, %680 : tensor<1x1024x8192xf32>
    %cst_134 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %682 = stablehlo.reduce(%681 init: %cst_134) applies stablehlo.add across dimensions = [2] : (tensor<1x1024x8192xf32>, tensor<f32>) -> tensor<1x1024xf32>
    %683 = stablehlo.broadcast_in_dim %682, dims = [0, 1] : (tensor<1x1024xf32>) -> tensor<1x1024x1xf32>
    %cst_135 = stablehlo.constant dense<8.192000e+03> : tensor<f32>
    %684 = stablehlo.broadcast_in_dim %cst_135, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %685 = stablehlo.divide %683, %684 : tensor<1x1024x1xf32>
    %cst_136 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %686 = stablehlo.broadcast_in_dim %cst_136, dims = [] : (tensor<f32>) -> tensor<1x1024x1xf32>
    %687 = stablehlo.add %685, %686 : tensor<1x1024x1xf32>
    %688 = stablehlo.rsqrt %687 : tensor<1x1024x1xf32>
    %689 = stablehlo.broadcast_in_dim %688, dims = [0, 1, 2] : (tensor<1x1024x1xf32>) -> tensor<1x1024x8192xf32>
    %690 = stablehlo.multiply %680, %689 : tensor<1x1024x8192xf32>
    %691 = stablehlo.convert %690 : (tensor<1x1024x8192xf32>) -> tensor<1x1024x8192xbf16>
    %692 = stablehlo.dot_general %691, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1024x8192xbf16>, tensor<8192x32768xbf16>) -> tensor<1x1024x32768xbf16>
    %693 = call @silu(%692) : (tensor<1x1024x32768xbf16>) -> tensor<1x1024x32768xbf16>
    %694 = stablehlo.dot_general %693, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1024x32768xbf16>, tensor<32768x8192xbf16>) -> tensor<1x1024x8192xbf16>
    %695 = "stablehlo.all_reduce"(%694) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg6: tensor<bf16>, %arg7: tensor<bf16>):
      %699 = stablehlo.add %arg6, %arg7 : tensor<bf16>
      stablehlo.return %699 : tensor<bf16>
    }) : (tensor<1x1024x8192xbf16>) -> tensor<1x1024x8192xbf16>
    %696 = stablehlo.add %679, %695 : tensor<1x1024x8192xbf16>
    %697 = stablehlo.slice %696 [0:1, 1023:1024, 0:8192] : (tensor<1x1024x8192xbf16>) -> tensor<1x1x8192xbf16>
    %698 = stablehlo.reshape %697 : (tensor<1x1x8192xbf16>) -> tensor<1x8192xbf16>
    return %698 : tensor<1x8192xbf16>
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
  func.func private @_where(%arg0: tensor<1024x1024xi1>, %arg1: tensor<1x64x1024x1024xbf16>, %arg2: tensor<f32>) -> tensor<1x64x1024x1024xbf16> {
    %0 = stablehlo.convert %arg2 : (tensor<f32>) -> tensor<bf16>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<1024x1024xi1>) -> tensor<1x64x1024x1024xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<bf16>) -> tensor<1x64x1024x1024xbf16>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<1x64x1024x1024xi1>, tensor<1x64x1024x1024xbf16>
    return %3 : tensor<1x64x1024x1024xbf16>
  }
  func.func private @silu(%arg0: tensor<1x1024x32768xbf16>) -> tensor<1x1024x32768xbf16> {
    %0 = stablehlo.negate %arg0 : tensor<1x1024x32768xbf16>
    %1 = stablehlo.exponential %0 : tensor<1x1024x32768xbf16>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<1x1024x32768xbf16>
    %3 = stablehlo.add %2, %1 : tensor<1x1024x32768xbf16>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<1x1024x32768xbf16>
    %5 = stablehlo.divide %4, %3 : tensor<1x1024x32768xbf16>
    %6 = stablehlo.multiply %arg0, %5 : tensor<1x1024x32768xbf16>
    return %6 : tensor<1x1024x32768xbf16>
  }
}
