module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64x224x224x3xf32>, %arg1: tensor<64xi32>, %arg2: tensor<7x7x3x64xf32>, %arg3: tensor<64xf32>, %arg4: tensor<64xf32>, %arg5: tensor<1x1x64x64xf32>, %arg6: tensor<64xf32>, %arg7: tensor<64xf32>, %arg8: tensor<3x3x64x64xf32>, %arg9: tensor<64xf32>, %arg10: tensor<64xf32>, %arg11: tensor<1x1x64x256xf32>, %arg12: tensor<256xf32>, %arg13: tensor<256xf32>, %arg14: tensor<1x1x64x256xf32>, %arg15: tensor<256xf32>, %arg16: tensor<256xf32>, %arg17: tensor<1x1x256x64xf32>, %arg18: tensor<64xf32>, %arg19: tensor<64xf32>, %arg20: tensor<3x3x64x64xf32>, %arg21: tensor<64xf32>, %arg22: tensor<64xf32>, %arg23: tensor<1x1x64x256xf32>, %arg24: tensor<256xf32>, %arg25: tensor<256xf32>, %arg26: tensor<1x1x256x64xf32>, %arg27: tensor<64xf32>, %arg28: tensor<64xf32>, %arg29: tensor<3x3x64x64xf32>, %arg30: tensor<64xf32>, %arg31: tensor<64xf32>, %arg32: tensor<1x1x64x256xf32>, %arg33: tensor<256xf32>, %arg34: tensor<256xf32>, %arg35: tensor<1x1x256x128xf32>, %arg36: tensor<128xf32>, %arg37: tensor<128xf32>, %arg38: tensor<3x3x128x128xf32>, %arg39: tensor<128xf32>, %arg40: tensor<128xf32>, %arg41: tensor<1x1x128x512xf32>, %arg42: tensor<512xf32>, %arg43: tensor<512xf32>, %arg44: tensor<1x1x256x512xf32>, %arg45: tensor<512xf32>, %arg46: tensor<512xf32>, %arg47: tensor<1x1x512x128xf32>, %arg48: tensor<128xf32>, %arg49: tensor<128xf32>, %arg50: tensor<3x3x128x128xf32>, %arg51: tensor<128xf32>, %arg52: tensor<128xf32>, %arg53: tensor<1x1x128x512xf32>, %arg54: tensor<512xf32>, %arg55: tensor<512xf32>, %arg56: tensor<1x1x512x128xf32>, %arg57: tensor<128xf32>, %arg58: tensor<128xf32>, %arg59: tensor<3x3x128x128xf32>, %arg60: tensor<128xf32>, %arg61: tensor<128xf32>, %arg62: tensor<1x1x128x512xf32>, %arg63: tensor<512xf32>, %arg64: tensor<512xf32>, %arg65: tensor<1x1x512x128xf32>, %arg66: tensor<128xf32>, %arg67: tensor<128xf32>, %arg68: tensor<3x3x128x128xf32>, %arg69: tensor<128xf32>, %arg70: tensor<128xf32>, %arg71: tensor<1x1x128x512xf32>, %arg72: tensor<512xf32>, %arg73: tensor<512xf32>, %arg74: tensor<1x1x512x256xf32>, %arg75: tensor<256xf32>, %arg76: tensor<256xf32>, %arg77: tensor<3x3x256x256xf32>, %arg78: tensor<256xf32>, %arg79: tensor<256xf32>, %arg80: tensor<1x1x256x1024xf32>, %arg81: tensor<1024xf32>, %arg82: tensor<1024xf32>, %arg83: tensor<1x1x512x1024xf32>, %arg84: tensor<1024xf32>, %arg85: tensor<1024xf32>, %arg86: tensor<1x1x1024x256xf32>, %arg87: tensor<256xf32>, %arg88: tensor<256xf32>, %arg89: tensor<3x3x256x256xf32>, %arg90: tensor<256xf32>, %arg91: tensor<256xf32>, %arg92: tensor<1x1x256x1024xf32>, %arg93: tensor<1024xf32>, %arg94: tensor<1024xf32>, %arg95: tensor<1x1x1024x256xf32>, %arg96: tensor<256xf32>, %arg97: tensor<256xf32>, %arg98: tensor<3x3x256x256xf32>, %arg99: tensor<256xf32>, %arg100: tensor<256xf32>, %arg101: tensor<1x1x256x1024xf32>, %arg102: tensor<1024xf32>, %arg103: tensor<1024xf32>, %arg104: tensor<1x1x1024x256xf32>, %arg105: tensor<256xf32>, %arg106: tensor<256xf32>, %arg107: tensor<3x3x256x256xf32>, %arg108: tensor<256xf32>, %arg109: tensor<256xf32>, %arg110: tensor<1x1x256x1024xf32>, %arg111: tensor<1024xf32>, %arg112: tensor<1024xf32>, %arg113: tensor<1x1x1024x256xf32>, %arg114: tensor<256xf32>, %arg115: tensor<256xf32>, %arg116: tensor<3x3x256x256xf32>, %arg117: tensor<256xf32>, %arg118: tensor<256xf32>, %arg119: tensor<1x1x256x1024xf32>, %arg120: tensor<1024xf32>, %arg121: tensor<1024xf32>, %arg122: tensor<1x1x1024x256xf32>, %arg123: tensor<256xf32>, %arg124: tensor<256xf32>, %arg125: tensor<3x3x256x256xf32>, %arg126: tensor<256xf32>, %arg127: tensor<256xf32>, %arg128: tensor<1x1x256x1024xf32>, %arg129: tensor<1024xf32>, %arg130: tensor<1024xf32>, %arg131: tensor<1x1x1024x512xf32>, %arg132: tensor<512xf32>, %arg133: tensor<512xf32>, %arg134: tensor<3x3x512x512xf32>, %arg135: tensor<512xf32>, %arg136: tensor<512xf32>, %arg137: tensor<1x1x512x2048xf32>, %arg138: tensor<2048xf32>, %arg139: tensor<2048xf32>, %arg140: tensor<1x1x1024x2048xf32>, %arg141: tensor<2048xf32>, %arg142: tensor<2048xf32>, %arg143: tensor<1x1x2048x512xf32>, %arg144: tensor<512xf32>, %arg145: tensor<512xf32>, %arg146: tensor<3x3x512x512xf32>, %arg147: tensor<512xf32>, %arg148: tensor<512xf32>, %arg149: tensor<1x1x512x2048xf32>, %arg150: tensor<2048xf32>, %arg151: tensor<2048xf32>, %arg152: tensor<1x1x2048x512xf32>, %arg153: tensor<512xf32>, %arg154: tensor<512xf32>, %arg155: tensor<3x3x512x512xf32>, %arg156: tensor<512xf32>, %arg157: tensor<512xf32>, %arg158: tensor<1x1x512x2048xf32>, %arg159: tensor<2048xf32>, %arg160: tensor<2048xf32>, %arg161: tensor<2048x1000xf32>, %arg162: tensor<1000xf32>) -> (tensor<7x7x3x64xf32> {jax.result_info = "result[0]"}, tensor<64xf32> {jax.result_info = "result[1]"}, tensor<64xf32> {jax.result_info = "result[2]"}, tensor<1x1x64x64xf32> {jax.result_info = "result[3]"}, tensor<64xf32> {jax.result_info = "result[4]"}, tensor<64xf32> {jax.result_info = "result[5]"}, tensor<3x3x64x64xf32> {jax.result_info = "result[6]"}, tensor<64xf32> {jax.result_info = "result[7]"}, tensor<64xf32> {jax.result_info = "result[8]"}, tensor<1x1x64x256xf32> {jax.result_info = "result[9]"}, tensor<256xf32> {jax.result_info = "result[10]"}, tensor<256xf32> {jax.result_info = "result[11]"}, tensor<1x1x64x256xf32> {jax.result_info = "result[12]"}, tensor<256xf32> {jax.result_info = "result[13]"}, tensor<256xf32> {jax.result_info = "result[14]"}, tensor<1x1x256x64xf32> {jax.result_info = "result[15]"}, tensor<64xf32> {jax.result_info = "result[16]"}, tensor<64xf32> {jax.result_info = "result[17]"}, tensor<3x3x64x64xf32> {jax.result_info = "result[18]"}, tensor<64xf32> {jax.result_info = "result[19]"}, tensor<64xf32> {jax.result_info = "result[20]"}, tensor<1x1x64x256xf32> {jax.result_info = "result[21]"}, tensor<256xf32> {jax.result_info = "result[22]"}, tensor<256xf32> {jax.result_info = "result[23]"}, tensor<1x1x256x64xf32> {jax.result_info = "result[24]"}, tensor<64xf32> {jax.result_info = "result[25]"}, tensor<64xf32> {jax.result_info = "result[26]"}, tensor<3x3x64x64xf32> {jax.result_info = "result[27]"}, tensor<64xf32> {jax.result_info = "result[28]"}, tensor<64xf32> {jax.result_info = "result[29]"}, tensor<1x1x64x256xf32> {jax.result_info = "result[30]"}, tensor<256xf32> {jax.result_info = "result[31]"}, tensor<256xf32> {jax.result_info = "result[32]"}, tensor<1x1x256x128xf32> {jax.result_info = "result[33]"}, tensor<128xf32> {jax.result_info = "result[34]"}, tensor<128xf32> {jax.result_info = "result[35]"}, tensor<3x3x128x128xf32> {jax.result_info = "result[36]"}, tensor<128xf32> {jax.result_info = "result[37]"}, tensor<128xf32> {jax.result_info = "result[38]"}, tensor<1x1x128x512xf32> {jax.result_info = "result[39]"}, tensor<512xf32> {jax.result_info = "result[40]"}, tensor<512xf32> {jax.result_info = "result[41]"}, tensor<1x1x256x512xf32> {jax.result_info = "result[42]"}, tensor<512xf32> {jax.result_info = "result[43]"}, tensor<512xf32> {jax.result_info = "result[44]"}, tensor<1x1x512x128xf32> {jax.result_info = "result[45]"}, tensor<128xf32> {jax.result_info = "result[46]"}, tensor<128xf32> {jax.result_info = "result[47]"}, tensor<3x3x128x128xf32> {jax.result_info = "result[48]"}, tensor<128xf32> {jax.result_info = "result[49]"}, tensor<128xf32> {jax.result_info = "result[50]"}, tensor<1x1x128x512xf32> {jax.result_info = "result[51]"}, tensor<512xf32> {jax.result_info = "result[52]"}, tensor<512xf32> {jax.result_info = "result[53]"}, tensor<1x1x512x128xf32> {jax.result_info = "result[54]"}, tensor<128xf32> {jax.result_info = "result[55]"}, tensor<128xf32> {jax.result_info = "result[56]"}, tensor<3x3x128x128xf32> {jax.result_info = "result[57]"}, tensor<128xf32> {jax.result_info = "result[58]"}, tensor<128xf32> {jax.result_info = "result[59]"}, tensor<1x1x128x512xf32> {jax.result_info = "result[60]"}, tensor<512xf32> {jax.result_info = "result[61]"}, tensor<512xf32> {jax.result_info = "result[62]"}, tensor<1x1x512x128xf32> {jax.result_info = "result[63]"}, tensor<128xf32> {jax.result_info = "result[64]"}, tensor<128xf32> {jax.result_info = "result[65]"}, tensor<3x3x128x128xf32> {jax.result_info = "result[66]"}, tensor<128xf32> {jax.result_info = "result[67]"}, tensor<128xf32> {jax.result_info = "result[68]"}, tensor<1x1x128x512xf32> {jax.result_info = "result[69]"}, tensor<512xf32> {jax.result_info = "result[70]"}, tensor<512xf32> {jax.result_info = "result[71]"}, tensor<1x1x512x256xf32> {jax.result_info = "result[72]"}, tensor<256xf32> {jax.result_info = "result[73]"}, tensor<256xf32> {jax.result_info = "result[74]"}, tensor<3x3x256x256xf32> {jax.result_info = "result[75]"}, tensor<256xf32> {jax.result_info = "result[76]"}, tensor<256xf32> {jax.result_info = "result[77]"}, tensor<1x1x256x1024xf32> {jax.result_info = "result[78]"}, tensor<1024xf32> {jax.result_info = "result[79]"}, tensor<1024xf32> {jax.result_info = "result[80]"}, tensor<1x1x512x1024xf32> {jax.result_info = "result[81]"}, tensor<1024xf32> {jax.result_info = "result[82]"}, tensor<1024xf32> {jax.result_info = "result[83]"}, tensor<1x1x1024x256xf32> {jax.result_info = "result[84]"}, tensor<256xf32> {jax.result_info = "result[85]"}, tensor<256xf32> {jax.result_info = "result[86]"}, tensor<3x3x256x256xf32> {jax.result_info = "result[87]"}, tensor<256xf32> {jax.result_info = "result[88]"}, tensor<256xf32> {jax.result_info = "result[89]"}, tensor<1x1x256x1024xf32> {jax.result_info = "result[90]"}, tensor<1024xf32> {jax.result_info = "result[91]"}, tensor<1024xf32> {jax.result_info = "result[92]"}, tensor<1x1x1024x256xf32> {jax.result_info = "result[93]"}, tensor<256xf32> {jax.result_info = "result[94]"}, tensor<256xf32> {jax.result_info = "result[95]"}, tensor<3x3x256x256xf32> {jax.result_info = "result[96]"}, tensor<256xf32> {jax.result_info = "result[97]"}, tensor<256xf32> {jax.result_info = "result[98]"}, tensor<1x1x256x1024xf32> {jax.result_info = "result[99]"}, tensor<1024xf32> {jax.result_info = "result[100]"}, tensor<1024xf32> {jax.result_info = "result[101]"}, tensor<1x1x1024x256xf32> {jax.result_info = "result[102]"}, tensor<256xf32> {jax.result_info = "result[103]"}, tensor<256xf32> {jax.result_info = "result[104]"}, tensor<3x3x256x256xf32> {jax.result_info = "result[105]"}, tensor<256xf32> {jax.result_info = "result[106]"}, tensor<256xf32> {jax.result_info = "result[107]"}, tensor<1x1x256x1024xf32> {jax.result_info = "result[108]"}, tensor<1024xf32> {jax.result_info = "result[109]"}, tensor<1024xf32> {jax.result_info = "result[110]"}, tensor<1x1x1024x256xf32> {jax.result_info = "result[111]"}, tensor<256xf32> {jax.result_info = "result[112]"}, tensor<256xf32> {jax.result_info = "result[113]"}, tensor<3x3x256x256xf32> {jax.result_info = "result[114]"}, tensor<256xf32> {jax.result_info = "result[115]"}, tensor<256xf32> {jax.result_info = "result[116]"}, tensor<1x1x256x1024xf32> {jax.result_info = "result[117]"}, tensor<1024xf32> {jax.result_info = "result[118]"}, tensor<1024xf32> {jax.result_info = "result[119]"}, tensor<1x1x1024x256xf32> {jax.result_info = "result[120]"}, tensor<256xf32> {jax.result_info = "result[121]"}, tensor<256xf32> {jax.result_info = "result[122]"}, tensor<3x3x256x256xf32> {jax.result_info = "result[123]"}, tensor<256xf32> {jax.result_info = "result[124]"}, tensor<256xf32> {jax.result_info = "result[125]"}, tensor<1x1x256x1024xf32> {jax.result_info = "result[126]"}, tensor<1024xf32> {jax.result_info = "result[127]"}, tensor<1024xf32> {jax.result_info = "result[128]"}, tensor<1x1x1024x512xf32> {jax.result_info = "result[129]"}, tensor<512xf32> {jax.result_info = "result[130]"}, tensor<512xf32> {jax.result_info = "result[131]"}, tensor<3x3x512x512xf32> {jax.result_info = "result[132]"}, tensor<512xf32> {jax.result_info = "result[133]"}, tensor<512xf32> {jax.result_info = "result[134]"}, tensor<1x1x512x2048xf32> {jax.result_info = "result[135]"}, tensor<2048xf32> {jax.result_info = "result[136]"}, tensor<2048xf32> {jax.result_info = "result[137]"}, tensor<1x1x1024x2048xf32> {jax.result_info = "result[138]"}, tensor<2048xf32> {jax.result_info = "result[139]"}, tensor<2048xf32> {jax.result_info = "result[140]"}, tensor<1x1x2048x512xf32> {jax.result_info = "result[141]"}, tensor<512xf32> {jax.result_info = "result[142]"}, tensor<512xf32> {jax.result_info = "result[143]"}, tensor<3x3x512x512xf32> {jax.result_info = "result[144]"}, tensor<512xf32> {jax.result_info = "result[145]"}, tensor<512xf32> {jax.result_info = "result[146]"}, tensor<1x1x512x2048xf32> {jax.result_info = "result[147]"}, tensor<2048xf32> {jax.result_info = "result[148]"}, tensor<2048xf32> {jax.result_info = "result[149]"}, tensor<1x1x2048x512xf32> {jax.result_info = "result[150]"}, tensor<512xf32> {jax.result_info = "result[151]"}, tensor<512xf32> {jax.result_info = "result[152]"}, tensor<3x3x512x512xf32> {jax.result_info = "result[153]"}, tensor<512xf32> {jax.result_info = "result[154]"}, tensor<512xf32> {jax.result_info = "result[155]"}, tensor<1x1x512x2048xf32> {jax.result_info = "result[156]"}, tensor<2048xf32> {jax.result_info = "result[157]"}, tensor<2048xf32> {jax.result_info = "result[158]"}, tensor<2048x1000xf32> {jax.result_info = "result[159]"}, tensor<1000xf32> {jax.result_info = "result[160]"}, tensor<f32> {jax.result_info = "result[161]"}) {
    %0 = stablehlo.convolution(%arg0, %arg2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[2, 3], [2, 3]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x224x224x3xf32>, tensor<7x7x3x64xf32>) -> tensor<64x112x112x64xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x112x112x64xf32>, tensor<f32>) -> tensor<64xf32>
    %cst_0 = stablehlo.constant dense<8.028160e+05> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3 = stablehlo.divide %1, %2 : tensor<64xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x112x112x64xf32>
    %6 = stablehlo.subtract %0, %5 : tensor<64x112x112x64xf32>
    %7 = stablehlo.broadcast_in_dim %3, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x112x112x64xf32>
    %9 = stablehlo.subtract %0, %8 : tensor<64x112x112x64xf32>
    %10 = stablehlo.multiply %9, %9 : tensor<64x112x112x64xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<64x112x112x64xf32>
    %12 = stablehlo.multiply %11, %9 : tensor<64x112x112x64xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x112x112x64xf32>, tensor<f32>) -> tensor<64xf32>
    %cst_3 = stablehlo.constant dense<8.028160e+05> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %15 = stablehlo.divide %13, %14 : tensor<64xf32>
    %cst_4 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %17 = stablehlo.add %15, %16 : tensor<64xf32>
    %18 = stablehlo.rsqrt %17 : tensor<64xf32>
    %19 = stablehlo.divide %18, %17 : tensor<64xf32>
    %cst_5 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %21 = stablehlo.multiply %20, %19 : tensor<64xf32>
    %22 = stablehlo.multiply %18, %arg3 : tensor<64xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x112x112x64xf32>
    %25 = stablehlo.multiply %6, %24 : tensor<64x112x112x64xf32>
    %26 = stablehlo.broadcast_in_dim %arg4, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x112x112x64xf32>
    %28 = stablehlo.add %25, %27 : tensor<64x112x112x64xf32>
    %29 = call @relu(%28) : (tensor<64x112x112x64xf32>) -> tensor<64x112x112x64xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<64x112x112x64xf32>
    %31 = stablehlo.compare GT, %28, %30, FLOAT : (tensor<64x112x112x64xf32>, tensor<64x112x112x64xf32>) -> tensor<64x112x112x64xi1>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<f32>
    %33 = "stablehlo.reduce_window"(%29, %32) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.maximum %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<64x112x112x64xf32>, tensor<f32>) -> tensor<64x56x56x64xf32>
    %34 = stablehlo.convolution(%33, %arg5) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<1x1x64x64xf32>) -> tensor<64x56x56x64xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.reduce(%34 init: %cst_8) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
    %cst_9 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %37 = stablehlo.divide %35, %36 : tensor<64xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
    %40 = stablehlo.subtract %34, %39 : tensor<64x56x56x64xf32>
    %41 = stablehlo.broadcast_in_dim %37, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
    %43 = stablehlo.subtract %34, %42 : tensor<64x56x56x64xf32>
    %44 = stablehlo.multiply %43, %43 : tensor<64x56x56x64xf32>
    %cst_10 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<64x56x56x64xf32>
    %46 = stablehlo.multiply %45, %43 : tensor<64x56x56x64xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.reduce(%44 init: %cst_11) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
    %cst_12 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %49 = stablehlo.divide %47, %48 : tensor<64xf32>
    %cst_13 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %51 = stablehlo.add %49, %50 : tensor<64xf32>
    %52 = stablehlo.rsqrt %51 : tensor<64xf32>
    %53 = stablehlo.divide %52, %51 : tensor<64xf32>
    %cst_14 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %55 = stablehlo.multiply %54, %53 : tensor<64xf32>
    %56 = stablehlo.multiply %52, %arg6 : tensor<64xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
    %59 = stablehlo.multiply %40, %58 : tensor<64x56x56x64xf32>
    %60 = stablehlo.broadcast_in_dim %arg7, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %61 = stablehlo.broadcast_in_dim %60, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
    %62 = stablehlo.add %59, %61 : tensor<64x56x56x64xf32>
    %63 = call @relu_0(%62) : (tensor<64x56x56x64xf32>) -> tensor<64x56x56x64xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<64x56x56x64xf32>
    %65 = stablehlo.compare GT, %62, %64, FLOAT : (tensor<64x56x56x64xf32>, tensor<64x56x56x64xf32>) -> tensor<64x56x56x64xi1>
    %66 = stablehlo.convolution(%63, %arg8) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<64x56x56x64xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %67 = stablehlo.reduce(%66 init: %cst_16) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
    %cst_17 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %69 = stablehlo.divide %67, %68 : tensor<64xf32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %71 = stablehlo.broadcast_in_dim %70, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
    %72 = stablehlo.subtract %66, %71 : tensor<64x56x56x64xf32>
    %73 = stablehlo.broadcast_in_dim %69, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %74 = stablehlo.broadcast_in_dim %73, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
    %75 = stablehlo.subtract %66, %74 : tensor<64x56x56x64xf32>
    %76 = stablehlo.multiply %75, %75 : tensor<64x56x56x64xf32>
    %cst_18 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<64x56x56x64xf32>
    %78 = stablehlo.multiply %77, %75 : tensor<64x56x56x64xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %79 = stablehlo.reduce(%76 init: %cst_19) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
    %cst_20 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %81 = stablehlo.divide %79, %80 : tensor<64xf32>
    %cst_21 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %83 = stablehlo.add %81, %82 : tensor<64xf32>
    %84 = stablehlo.rsqrt %83 : tensor<64xf32>
    %85 = stablehlo.divide %84, %83 : tensor<64xf32>
    %cst_22 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %87 = stablehlo.multiply %86, %85 : tensor<64xf32>
    %88 = stablehlo.multiply %84, %arg9 : tensor<64xf32>
    %89 = stablehlo.broadcast_in_dim %88, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %90 = stablehlo.broadcast_in_dim %89, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
    %91 = stablehlo.multiply %72, %90 : tensor<64x56x56x64xf32>
    %92 = stablehlo.broadcast_in_dim %arg10, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %93 = stablehlo.broadcast_in_dim %92, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
    %94 = stablehlo.add %91, %93 : tensor<64x56x56x64xf32>
    %95 = call @relu_0(%94) : (tensor<64x56x56x64xf32>) -> tensor<64x56x56x64xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<64x56x56x64xf32>
    %97 = stablehlo.compare GT, %94, %96, FLOAT : (tensor<64x56x56x64xf32>, tensor<64x56x56x64xf32>) -> tensor<64x56x56x64xi1>
    %98 = stablehlo.convolution(%95, %arg11) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<1x1x64x256xf32>) -> tensor<64x56x56x256xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %99 = stablehlo.reduce(%98 init: %cst_24) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
    %cst_25 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %101 = stablehlo.divide %99, %100 : tensor<256xf32>
    %102 = stablehlo.broadcast_in_dim %101, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %103 = stablehlo.broadcast_in_dim %102, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
    %104 = stablehlo.subtract %98, %103 : tensor<64x56x56x256xf32>
    %105 = stablehlo.broadcast_in_dim %101, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %106 = stablehlo.broadcast_in_dim %105, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
    %107 = stablehlo.subtract %98, %106 : tensor<64x56x56x256xf32>
    %108 = stablehlo.multiply %107, %107 : tensor<64x56x56x256xf32>
    %cst_26 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %109 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<64x56x56x256xf32>
    %110 = stablehlo.multiply %109, %107 : tensor<64x56x56x256xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %111 = stablehlo.reduce(%108 init: %cst_27) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
    %cst_28 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %112 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %113 = stablehlo.divide %111, %112 : tensor<256xf32>
    %cst_29 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %114 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %115 = stablehlo.add %113, %114 : tensor<256xf32>
    %116 = stablehlo.rsqrt %115 : tensor<256xf32>
    %117 = stablehlo.divide %116, %115 : tensor<256xf32>
    %cst_30 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %118 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %119 = stablehlo.multiply %118, %117 : tensor<256xf32>
    %120 = stablehlo.multiply %116, %arg12 : tensor<256xf32>
    %121 = stablehlo.broadcast_in_dim %120, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %122 = stablehlo.broadcast_in_dim %121, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
    %123 = stablehlo.multiply %104, %122 : tensor<64x56x56x256xf32>
    %124 = stablehlo.broadcast_in_dim %arg13, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %125 = stablehlo.broadcast_in_dim %124, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
    %126 = stablehlo.add %123, %125 : tensor<64x56x56x256xf32>
    %127 = stablehlo.convolution(%33, %arg14) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<1x1x64x256xf32>) -> tensor<64x56x56x256xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %128 = stablehlo.reduce(%127 init: %cst_31) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
    %cst_32 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %129 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %130 = stablehlo.divide %128, %129 : tensor<256xf32>
    %131 = stablehlo.broadcast_in_dim %130, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %132 = stablehlo.broadcast_in_dim %131, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
    %133 = stablehlo.subtract %127, %132 : tensor<64x56x56x256xf32>
    %134 = stablehlo.broadcast_in_dim %130, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %135 = stablehlo.broadcast_in_dim %134, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
    %136 = stablehlo.subtract %127, %135 : tensor<64x56x56x256xf32>
    %137 = stablehlo.multiply %136, %136 : tensor<64x56x56x256xf32>
    %cst_33 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %138 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<64x56x56x256xf32>
    %139 = stablehlo.multiply %138, %136 : tensor<64x56x56x256xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %140 = stablehlo.reduce(%137 init: %cst_34) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
    %cst_35 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %141 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %142 = stablehlo.divide %140, %141 : tensor<256xf32>
    %cst_36 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %143 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %144 = stablehlo.add %142, %143 : tensor<256xf32>
    %145 = stablehlo.rsqrt %144 : tensor<256xf32>
    %146 = stablehlo.divide %145, %144 : tensor<256xf32>
    %cst_37 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %147 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %148 = stablehlo.multiply %147, %146 : tensor<256xf32>
    %149 = stablehlo.multiply %145, %arg15 : tensor<256xf32>
    %150 = stablehlo.broadcast_in_dim %149, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %151 = stablehlo.broadcast_in_dim %150, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
    %152 = stablehlo.multiply %133, %151 : tensor<64x56x56x256xf32>
    %153 = stablehlo.broadcast_in_dim %arg16, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %154 = stablehlo.broadcast_in_dim %153, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
    %155 = stablehlo.add %152, %154 : tensor<64x56x56x256xf32>
    %156 = stablehlo.add %126, %155 : tensor<64x56x56x256xf32>
    %157 = call @relu_1(%156) : (tensor<64x56x56x256xf32>) -> tensor<64x56x56x256xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %158 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<64x56x56x256xf32>
    %159 = stablehlo.compare GT, %156, %158, FLOAT : (tensor<64x56x56x256xf32>, tensor<64x56x56x256xf32>) -> tensor<64x56x56x256xi1>
    %160 = stablehlo.convolution(%157, %arg17) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x256xf32>, tensor<1x1x256x64xf32>) -> tensor<64x56x56x64xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %161 = stablehlo.reduce(%160 init: %cst_39) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
    %cst_40 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %162 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %163 = stablehlo.divide %161, %162 : tensor<64xf32>
    %164 = stablehlo.broadcast_in_dim %163, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %165 = stablehlo.broadcast_in_dim %164, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
    %166 = stablehlo.subtract %160, %165 : tensor<64x56x56x64xf32>
    %167 = stablehlo.broadcast_in_dim %163, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %168 = stablehlo.broadcast_in_dim %167, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
    %169 = stablehlo.subtract %160, %168 : tensor<64x56x56x64xf32>
    %170 = stablehlo.multiply %169, %169 : tensor<64x56x56x64xf32>
    %cst_41 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %171 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<64x56x56x64xf32>
    %172 = stablehlo.multiply %171, %169 : tensor<64x56x56x64xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %173 = stablehlo.reduce(%170 init: %cst_42) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
    %cst_43 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %174 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %175 = stablehlo.divide %173, %174 : tensor<64xf32>
    %cst_44 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %176 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %177 = stablehlo.add %175, %176 : tensor<64xf32>
    %178 = stablehlo.rsqrt %177 : tensor<64xf32>
    %179 = stablehlo.divide %178, %177 : tensor<64xf32>
    %cst_45 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %180 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %181 = stablehlo.multiply %180, %179 : tensor<64xf32>
    %182 = stablehlo.multiply %178, %arg18 : tensor<64xf32>
    %183 = stablehlo.broadcast_in_dim %182, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %184 = stablehlo.broadcast_in_dim %183, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
    %185 = stablehlo.multiply %166, %184 : tensor<64x56x56x64xf32>
    %186 = stablehlo.broadcast_in_dim %arg19, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %187 = stablehlo.broadcast_in_dim %186, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
    %188 = stablehlo.add %185, %187 : tensor<64x56x56x64xf32>
    %189 = call @relu_0(%188) : (tensor<64x56x56x64xf32>) -> tensor<64x56x56x64xf32>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %190 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<64x56x56x64xf32>
    %191 = stablehlo.compare GT, %188, %190, FLOAT : (tensor<64x56x56x64xf32>, tensor<64x56x56x64xf32>) -> tensor<64x56x56x64xi1>
    %192 = stablehlo.convolution(%189, %arg20) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<64x56x56x64xf32>
    %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %193 = stablehlo.reduce(%192 init: %cst_47) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
    %cst_48 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %194 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %195 = stablehlo.divide %193, %194 : tensor<64xf32>
    %196 = stablehlo.broadcast_in_dim %195, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %197 = stablehlo.broadcast_in_dim %196, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
    %198 = stablehlo.subtract %192, %197 : tensor<64x56x56x64xf32>
    %199 = stablehlo.broadcast_in_dim %195, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %200 = stablehlo.broadcast_in_dim %199, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
    %201 = stablehlo.subtract %192, %200 : tensor<64x56x56x64xf32>
    %202 = stablehlo.multiply %201, %201 : tensor<64x56x56x64xf32>
    %cst_49 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %203 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<64x56x56x64xf32>
    %204 = stablehlo.multiply %203, %201 : tensor<64x56x56x64xf32>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %205 = stablehlo.reduce(%202 init: %cst_50) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
    %cst_51 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %206 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %207 = stablehlo.divide %205, %206 : tensor<64xf32>
    %cst_52 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %208 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %209 = stablehlo.add %207, %208 : tensor<64xf32>
    %210 = stablehlo.rsqrt %209 : tensor<64xf32>
    %211 = stablehlo.divide %210, %209 : tensor<64xf32>
    %cst_53 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %212 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %213 = stablehlo.multiply %212, %211 : tensor<64xf32>
    %214 = stablehlo.multiply %210, %arg21 : tensor<64xf32>
    %215 = stablehlo.broadcast_in_dim %214, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %216 = stablehlo.broadcast_in_dim %215, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
    %217 = stablehlo.multiply %198, %216 : tensor<64x56x56x64xf32>
    %218 = stablehlo.broadcast_in_dim %arg22, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %219 = stablehlo.broadcast_in_dim %218, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
    %220 = stablehlo.add %217, %219 : tensor<64x56x56x64xf32>
    %221 = call @relu_0(%220) : (tensor<64x56x56x64xf32>) -> tensor<64x56x56x64xf32>
    %cst_54 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %222 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<64x56x56x64xf32>
    %223 = stablehlo.compare GT, %220, %222, FLOAT : (tensor<64x56x56x64xf32>, tensor<64x56x56x64xf32>) -> tensor<64x56x56x64xi1>
    %224 = stablehlo.convolution(%221, %arg23) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<1x1x64x256xf32>) -> tensor<64x56x56x256xf32>
    %cst_55 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %225 = stablehlo.reduce(%224 init: %cst_55) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
    %cst_56 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %226 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %227 = stablehlo.divide %225, %226 : tensor<256xf32>
    %228 = stablehlo.broadcast_in_dim %227, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %229 = stablehlo.broadcast_in_dim %228, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
    %230 = stablehlo.subtract %224, %229 : tensor<64x56x56x256xf32>
    %231 = stablehlo.broadcast_in_dim %227, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %232 = stablehlo.broadcast_in_dim %231, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
    %233 = stablehlo.subtract %224, %232 : tensor<64x56x56x256xf32>
    %234 = stablehlo.multiply %233, %233 : tensor<64x56x56x256xf32>
    %cst_57 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %235 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<64x56x56x256xf32>
    %236 = stablehlo.multiply %235, %233 : tensor<64x56x56x256xf32>
    %cst_58 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %237 = stablehlo.reduce(%234 init: %cst_58) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
    %cst_59 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %238 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %239 = stablehlo.divide %237, %238 : tensor<256xf32>
    %cst_60 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %240 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %241 = stablehlo.add %239, %240 : tensor<256xf32>
    %242 = stablehlo.rsqrt %241 : tensor<256xf32>
    %243 = stablehlo.divide %242, %241 : tensor<256xf32>
    %cst_61 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %244 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %245 = stablehlo.multiply %244, %243 : tensor<256xf32>
    %246 = stablehlo.multiply %242, %arg24 : tensor<256xf32>
    %247 = stablehlo.broadcast_in_dim %246, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %248 = stablehlo.broadcast_in_dim %247, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
    %249 = stablehlo.multiply %230, %248 : tensor<64x56x56x256xf32>
    %250 = stablehlo.broadcast_in_dim %arg25, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %251 = stablehlo.broadcast_in_dim %250, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
    %252 = stablehlo.add %249, %251 : tensor<64x56x56x256xf32>
    %253 = stablehlo.add %252, %157 : tensor<64x56x56x256xf32>
    %254 = call @relu_1(%253) : (tensor<64x56x56x256xf32>) -> tensor<64x56x56x256xf32>
    %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %255 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<64x56x56x256xf32>
    %256 = stablehlo.compare GT, %253, %255, FLOAT : (tensor<64x56x56x256xf32>, tensor<64x56x56x256xf32>) -> tensor<64x56x56x256xi1>
    %257 = stablehlo.convolution(%254, %arg26) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x256xf32>, tensor<1x1x256x64xf32>) -> tensor<64x56x56x64xf32>
    %cst_63 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %258 = stablehlo.reduce(%257 init: %cst_63) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
    %cst_64 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %259 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %260 = stablehlo.divide %258, %259 : tensor<64xf32>
    %261 = stablehlo.broadcast_in_dim %260, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %262 = stablehlo.broadcast_in_dim %261, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
    %263 = stablehlo.subtract %257, %262 : tensor<64x56x56x64xf32>
    %264 = stablehlo.broadcast_in_dim %260, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %265 = stablehlo.broadcast_in_dim %264, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
    %266 = stablehlo.subtract %257, %265 : tensor<64x56x56x64xf32>
    %267 = stablehlo.multiply %266, %266 : tensor<64x56x56x64xf32>
    %cst_65 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %268 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<64x56x56x64xf32>
    %269 = stablehlo.multiply %268, %266 : tensor<64x56x56x64xf32>
    %cst_66 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %270 = stablehlo.reduce(%267 init: %cst_66) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
    %cst_67 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %271 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %272 = stablehlo.divide %270, %271 : tensor<64xf32>
    %cst_68 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %273 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %274 = stablehlo.add %272, %273 : tensor<64xf32>
    %275 = stablehlo.rsqrt %274 : tensor<64xf32>
    %276 = stablehlo.divide %275, %274 : tensor<64xf32>
    %cst_69 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %277 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %278 = stablehlo.multiply %277, %276 : tensor<64xf32>
    %279 = stablehlo.multiply %275, %arg27 : tensor<64xf32>
    %280 = stablehlo.broadcast_in_dim %279, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %281 = stablehlo.broadcast_in_dim %280, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
    %282 = stablehlo.multiply %263, %281 : tensor<64x56x56x64xf32>
    %283 = stablehlo.broadcast_in_dim %arg28, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %284 = stablehlo.broadcast_in_dim %283, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
    %285 = stablehlo.add %282, %284 : tensor<64x56x56x64xf32>
    %286 = call @relu_0(%285) : (tensor<64x56x56x64xf32>) -> tensor<64x56x56x64xf32>
    %cst_70 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %287 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<64x56x56x64xf32>
    %288 = stablehlo.compare GT, %285, %287, FLOAT : (tensor<64x56x56x64xf32>, tensor<64x56x56x64xf32>) -> tensor<64x56x56x64xi1>
    %289 = stablehlo.convolution(%286, %arg29) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<64x56x56x64xf32>
    %cst_71 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %290 = stablehlo.reduce(%289 init: %cst_71) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
    %cst_72 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %291 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %292 = stablehlo.divide %290, %291 : tensor<64xf32>
    %293 = stablehlo.broadcast_in_dim %292, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %294 = stablehlo.broadcast_in_dim %293, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
    %295 = stablehlo.subtract %289, %294 : tensor<64x56x56x64xf32>
    %296 = stablehlo.broadcast_in_dim %292, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %297 = stablehlo.broadcast_in_dim %296, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
    %298 = stablehlo.subtract %289, %297 : tensor<64x56x56x64xf32>
    %299 = stablehlo.multiply %298, %298 : tensor<64x56x56x64xf32>
    %cst_73 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %300 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<64x56x56x64xf32>
    %301 = stablehlo.multiply %300, %298 : tensor<64x56x56x64xf32>
    %cst_74 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %302 = stablehlo.reduce(%299 init: %cst_74) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
    %cst_75 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %303 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %304 = stablehlo.divide %302, %303 : tensor<64xf32>
    %cst_76 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %305 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %306 = stablehlo.add %304, %305 : tensor<64xf32>
    %307 = stablehlo.rsqrt %306 : tensor<64xf32>
    %308 = stablehlo.divide %307, %306 : tensor<64xf32>
    %cst_77 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %309 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %310 = stablehlo.multiply %309, %308 : tensor<64xf32>
    %311 = stablehlo.multiply %307, %arg30 : tensor<64xf32>
    %312 = stablehlo.broadcast_in_dim %311, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %313 = stablehlo.broadcast_in_dim %312, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
    %314 = stablehlo.multiply %295, %313 : tensor<64x56x56x64xf32>
    %315 = stablehlo.broadcast_in_dim %arg31, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %316 = stablehlo.broadcast_in_dim %315, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
    %317 = stablehlo.add %314, %316 : tensor<64x56x56x64xf32>
    %318 = call @relu_0(%317) : (tensor<64x56x56x64xf32>) -> tensor<64x56x56x64xf32>
    %cst_78 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %319 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<64x56x56x64xf32>
    %320 = stablehlo.compare GT, %317, %319, FLOAT : (tensor<64x56x56x64xf32>, tensor<64x56x56x64xf32>) -> tensor<64x56x56x64xi1>
    %321 = stablehlo.convolution(%318, %arg32) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<1x1x64x256xf32>) -> tensor<64x56x56x256xf32>
    %cst_79 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %322 = stablehlo.reduce(%321 init: %cst_79) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
    %cst_80 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %323 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %324 = stablehlo.divide %322, %323 : tensor<256xf32>
    %325 = stablehlo.broadcast_in_dim %324, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %326 = stablehlo.broadcast_in_dim %325, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
    %327 = stablehlo.subtract %321, %326 : tensor<64x56x56x256xf32>
    %328 = stablehlo.broadcast_in_dim %324, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %329 = stablehlo.broadcast_in_dim %328, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
    %330 = stablehlo.subtract %321, %329 : tensor<64x56x56x256xf32>
    %331 = stablehlo.multiply %330, %330 : tensor<64x56x56x256xf32>
    %cst_81 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %332 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<64x56x56x256xf32>
    %333 = stablehlo.multiply %332, %330 : tensor<64x56x56x256xf32>
    %cst_82 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %334 = stablehlo.reduce(%331 init: %cst_82) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
    %cst_83 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %335 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %336 = stablehlo.divide %334, %335 : tensor<256xf32>
    %cst_84 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %337 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %338 = stablehlo.add %336, %337 : tensor<256xf32>
    %339 = stablehlo.rsqrt %338 : tensor<256xf32>
    %340 = stablehlo.divide %339, %338 : tensor<256xf32>
    %cst_85 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %341 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %342 = stablehlo.multiply %341, %340 : tensor<256xf32>
    %343 = stablehlo.multiply %339, %arg33 : tensor<256xf32>
    %344 = stablehlo.broadcast_in_dim %343, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %345 = stablehlo.broadcast_in_dim %344, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
    %346 = stablehlo.multiply %327, %345 : tensor<64x56x56x256xf32>
    %347 = stablehlo.broadcast_in_dim %arg34, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %348 = stablehlo.broadcast_in_dim %347, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
    %349 = stablehlo.add %346, %348 : tensor<64x56x56x256xf32>
    %350 = stablehlo.add %349, %254 : tensor<64x56x56x256xf32>
    %351 = call @relu_1(%350) : (tensor<64x56x56x256xf32>) -> tensor<64x56x56x256xf32>
    %cst_86 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %352 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<64x56x56x256xf32>
    %353 = stablehlo.compare GT, %350, %352, FLOAT : (tensor<64x56x56x256xf32>, tensor<64x56x56x256xf32>) -> tensor<64x56x56x256xi1>
    %354 = stablehlo.convolution(%351, %arg35) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x256xf32>, tensor<1x1x256x128xf32>) -> tensor<64x56x56x128xf32>
    %cst_87 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %355 = stablehlo.reduce(%354 init: %cst_87) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x128xf32>, tensor<f32>) -> tensor<128xf32>
    %cst_88 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %356 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %357 = stablehlo.divide %355, %356 : tensor<128xf32>
    %358 = stablehlo.broadcast_in_dim %357, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %359 = stablehlo.broadcast_in_dim %358, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x56x56x128xf32>
    %360 = stablehlo.subtract %354, %359 : tensor<64x56x56x128xf32>
    %361 = stablehlo.broadcast_in_dim %357, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %362 = stablehlo.broadcast_in_dim %361, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x56x56x128xf32>
    %363 = stablehlo.subtract %354, %362 : tensor<64x56x56x128xf32>
    %364 = stablehlo.multiply %363, %363 : tensor<64x56x56x128xf32>
    %cst_89 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %365 = stablehlo.broadcast_in_dim %cst_89, dims = [] : (tensor<f32>) -> tensor<64x56x56x128xf32>
    %366 = stablehlo.multiply %365, %363 : tensor<64x56x56x128xf32>
    %cst_90 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %367 = stablehlo.reduce(%364 init: %cst_90) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x128xf32>, tensor<f32>) -> tensor<128xf32>
    %cst_91 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %368 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %369 = stablehlo.divide %367, %368 : tensor<128xf32>
    %cst_92 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %370 = stablehlo.broadcast_in_dim %cst_92, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %371 = stablehlo.add %369, %370 : tensor<128xf32>
    %372 = stablehlo.rsqrt %371 : tensor<128xf32>
    %373 = stablehlo.divide %372, %371 : tensor<128xf32>
    %cst_93 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %374 = stablehlo.broadcast_in_dim %cst_93, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %375 = stablehlo.multiply %374, %373 : tensor<128xf32>
    %376 = stablehlo.multiply %372, %arg36 : tensor<128xf32>
    %377 = stablehlo.broadcast_in_dim %376, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %378 = stablehlo.broadcast_in_dim %377, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x56x56x128xf32>
    %379 = stablehlo.multiply %360, %378 : tensor<64x56x56x128xf32>
    %380 = stablehlo.broadcast_in_dim %arg37, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %381 = stablehlo.broadcast_in_dim %380, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x56x56x128xf32>
    %382 = stablehlo.add %379, %381 : tensor<64x56x56x128xf32>
    %383 = call @relu_2(%382) : (tensor<64x56x56x128xf32>) -> tensor<64x56x56x128xf32>
    %cst_94 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %384 = stablehlo.broadcast_in_dim %cst_94, dims = [] : (tensor<f32>) -> tensor<64x56x56x128xf32>
    %385 = stablehlo.compare GT, %382, %384, FLOAT : (tensor<64x56x56x128xf32>, tensor<64x56x56x128xf32>) -> tensor<64x56x56x128xi1>
    %386 = stablehlo.convolution(%383, %arg38) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x128xf32>, tensor<3x3x128x128xf32>) -> tensor<64x28x28x128xf32>
    %cst_95 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %387 = stablehlo.reduce(%386 init: %cst_95) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %cst_96 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %388 = stablehlo.broadcast_in_dim %cst_96, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %389 = stablehlo.divide %387, %388 : tensor<128xf32>
    %390 = stablehlo.broadcast_in_dim %389, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %391 = stablehlo.broadcast_in_dim %390, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
    %392 = stablehlo.subtract %386, %391 : tensor<64x28x28x128xf32>
    %393 = stablehlo.broadcast_in_dim %389, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %394 = stablehlo.broadcast_in_dim %393, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
    %395 = stablehlo.subtract %386, %394 : tensor<64x28x28x128xf32>
    %396 = stablehlo.multiply %395, %395 : tensor<64x28x28x128xf32>
    %cst_97 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %397 = stablehlo.broadcast_in_dim %cst_97, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
    %398 = stablehlo.multiply %397, %395 : tensor<64x28x28x128xf32>
    %cst_98 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %399 = stablehlo.reduce(%396 init: %cst_98) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %cst_99 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %400 = stablehlo.broadcast_in_dim %cst_99, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %401 = stablehlo.divide %399, %400 : tensor<128xf32>
    %cst_100 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %402 = stablehlo.broadcast_in_dim %cst_100, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %403 = stablehlo.add %401, %402 : tensor<128xf32>
    %404 = stablehlo.rsqrt %403 : tensor<128xf32>
    %405 = stablehlo.divide %404, %403 : tensor<128xf32>
    %cst_101 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %406 = stablehlo.broadcast_in_dim %cst_101, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %407 = stablehlo.multiply %406, %405 : tensor<128xf32>
    %408 = stablehlo.multiply %404, %arg39 : tensor<128xf32>
    %409 = stablehlo.broadcast_in_dim %408, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %410 = stablehlo.broadcast_in_dim %409, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
    %411 = stablehlo.multiply %392, %410 : tensor<64x28x28x128xf32>
    %412 = stablehlo.broadcast_in_dim %arg40, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %413 = stablehlo.broadcast_in_dim %412, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
    %414 = stablehlo.add %411, %413 : tensor<64x28x28x128xf32>
    %415 = call @relu_3(%414) : (tensor<64x28x28x128xf32>) -> tensor<64x28x28x128xf32>
    %cst_102 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %416 = stablehlo.broadcast_in_dim %cst_102, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
    %417 = stablehlo.compare GT, %414, %416, FLOAT : (tensor<64x28x28x128xf32>, tensor<64x28x28x128xf32>) -> tensor<64x28x28x128xi1>
    %418 = stablehlo.convolution(%415, %arg41) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<1x1x128x512xf32>) -> tensor<64x28x28x512xf32>
    %cst_103 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %419 = stablehlo.reduce(%418 init: %cst_103) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
    %cst_104 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %420 = stablehlo.broadcast_in_dim %cst_104, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %421 = stablehlo.divide %419, %420 : tensor<512xf32>
    %422 = stablehlo.broadcast_in_dim %421, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %423 = stablehlo.broadcast_in_dim %422, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
    %424 = stablehlo.subtract %418, %423 : tensor<64x28x28x512xf32>
    %425 = stablehlo.broadcast_in_dim %421, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %426 = stablehlo.broadcast_in_dim %425, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
    %427 = stablehlo.subtract %418, %426 : tensor<64x28x28x512xf32>
    %428 = stablehlo.multiply %427, %427 : tensor<64x28x28x512xf32>
    %cst_105 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %429 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f32>) -> tensor<64x28x28x512xf32>
    %430 = stablehlo.multiply %429, %427 : tensor<64x28x28x512xf32>
    %cst_106 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %431 = stablehlo.reduce(%428 init: %cst_106) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
    %cst_107 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %432 = stablehlo.broadcast_in_dim %cst_107, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %433 = stablehlo.divide %431, %432 : tensor<512xf32>
    %cst_108 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %434 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %435 = stablehlo.add %433, %434 : tensor<512xf32>
    %436 = stablehlo.rsqrt %435 : tensor<512xf32>
    %437 = stablehlo.divide %436, %435 : tensor<512xf32>
    %cst_109 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %438 = stablehlo.broadcast_in_dim %cst_109, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %439 = stablehlo.multiply %438, %437 : tensor<512xf32>
    %440 = stablehlo.multiply %436, %arg42 : tensor<512xf32>
    %441 = stablehlo.broadcast_in_dim %440, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %442 = stablehlo.broadcast_in_dim %441, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
    %443 = stablehlo.multiply %424, %442 : tensor<64x28x28x512xf32>
    %444 = stablehlo.broadcast_in_dim %arg43, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %445 = stablehlo.broadcast_in_dim %444, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
    %446 = stablehlo.add %443, %445 : tensor<64x28x28x512xf32>
    %447 = stablehlo.convolution(%351, %arg44) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x256xf32>, tensor<1x1x256x512xf32>) -> tensor<64x28x28x512xf32>
    %cst_110 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %448 = stablehlo.reduce(%447 init: %cst_110) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
    %cst_111 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %449 = stablehlo.broadcast_in_dim %cst_111, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %450 = stablehlo.divide %448, %449 : tensor<512xf32>
    %451 = stablehlo.broadcast_in_dim %450, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %452 = stablehlo.broadcast_in_dim %451, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
    %453 = stablehlo.subtract %447, %452 : tensor<64x28x28x512xf32>
    %454 = stablehlo.broadcast_in_dim %450, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %455 = stablehlo.broadcast_in_dim %454, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
    %456 = stablehlo.subtract %447, %455 : tensor<64x28x28x512xf32>
    %457 = stablehlo.multiply %456, %456 : tensor<64x28x28x512xf32>
    %cst_112 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %458 = stablehlo.broadcast_in_dim %cst_112, dims = [] : (tensor<f32>) -> tensor<64x28x28x512xf32>
    %459 = stablehlo.multiply %458, %456 : tensor<64x28x28x512xf32>
    %cst_113 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %460 = stablehlo.reduce(%457 init: %cst_113) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
    %cst_114 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %461 = stablehlo.broadcast_in_dim %cst_114, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %462 = stablehlo.divide %460, %461 : tensor<512xf32>
    %cst_115 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %463 = stablehlo.broadcast_in_dim %cst_115, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %464 = stablehlo.add %462, %463 : tensor<512xf32>
    %465 = stablehlo.rsqrt %464 : tensor<512xf32>
    %466 = stablehlo.divide %465, %464 : tensor<512xf32>
    %cst_116 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %467 = stablehlo.broadcast_in_dim %cst_116, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %468 = stablehlo.multiply %467, %466 : tensor<512xf32>
    %469 = stablehlo.multiply %465, %arg45 : tensor<512xf32>
    %470 = stablehlo.broadcast_in_dim %469, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %471 = stablehlo.broadcast_in_dim %470, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
    %472 = stablehlo.multiply %453, %471 : tensor<64x28x28x512xf32>
    %473 = stablehlo.broadcast_in_dim %arg46, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %474 = stablehlo.broadcast_in_dim %473, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
    %475 = stablehlo.add %472, %474 : tensor<64x28x28x512xf32>
    %476 = stablehlo.add %446, %475 : tensor<64x28x28x512xf32>
    %477 = call @relu_4(%476) : (tensor<64x28x28x512xf32>) -> tensor<64x28x28x512xf32>
    %cst_117 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %478 = stablehlo.broadcast_in_dim %cst_117, dims = [] : (tensor<f32>) -> tensor<64x28x28x512xf32>
    %479 = stablehlo.compare GT, %476, %478, FLOAT : (tensor<64x28x28x512xf32>, tensor<64x28x28x512xf32>) -> tensor<64x28x28x512xi1>
    %480 = stablehlo.convolution(%477, %arg47) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x512xf32>, tensor<1x1x512x128xf32>) -> tensor<64x28x28x128xf32>
    %cst_118 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %481 = stablehlo.reduce(%480 init: %cst_118) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %cst_119 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %482 = stablehlo.broadcast_in_dim %cst_119, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %483 = stablehlo.divide %481, %482 : tensor<128xf32>
    %484 = stablehlo.broadcast_in_dim %483, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %485 = stablehlo.broadcast_in_dim %484, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
    %486 = stablehlo.subtract %480, %485 : tensor<64x28x28x128xf32>
    %487 = stablehlo.broadcast_in_dim %483, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %488 = stablehlo.broadcast_in_dim %487, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
    %489 = stablehlo.subtract %480, %488 : tensor<64x28x28x128xf32>
    %490 = stablehlo.multiply %489, %489 : tensor<64x28x28x128xf32>
    %cst_120 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %491 = stablehlo.broadcast_in_dim %cst_120, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
    %492 = stablehlo.multiply %491, %489 : tensor<64x28x28x128xf32>
    %cst_121 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %493 = stablehlo.reduce(%490 init: %cst_121) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %cst_122 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %494 = stablehlo.broadcast_in_dim %cst_122, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %495 = stablehlo.divide %493, %494 : tensor<128xf32>
    %cst_123 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %496 = stablehlo.broadcast_in_dim %cst_123, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %497 = stablehlo.add %495, %496 : tensor<128xf32>
    %498 = stablehlo.rsqrt %497 : tensor<128xf32>
    %499 = stablehlo.divide %498, %497 : tensor<128xf32>
    %cst_124 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %500 = stablehlo.broadcast_in_dim %cst_124, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %501 = stablehlo.multiply %500, %499 : tensor<128xf32>
    %502 = stablehlo.multiply %498, %arg48 : tensor<128xf32>
    %503 = stablehlo.broadcast_in_dim %502, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %504 = stablehlo.broadcast_in_dim %503, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
    %505 = stablehlo.multiply %486, %504 : tensor<64x28x28x128xf32>
    %506 = stablehlo.broadcast_in_dim %arg49, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %507 = stablehlo.broadcast_in_dim %506, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
    %508 = stablehlo.add %505, %507 : tensor<64x28x28x128xf32>
    %509 = call @relu_3(%508) : (tensor<64x28x28x128xf32>) -> tensor<64x28x28x128xf32>
    %cst_125 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %510 = stablehlo.broadcast_in_dim %cst_125, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
    %511 = stablehlo.compare GT, %508, %510, FLOAT : (tensor<64x28x28x128xf32>, tensor<64x28x28x128xf32>) -> tensor<64x28x28x128xi1>
    %512 = stablehlo.convolution(%509, %arg50) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<3x3x128x128xf32>) -> tensor<64x28x28x128xf32>
    %cst_126 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %513 = stablehlo.reduce(%512 init: %cst_126) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %cst_127 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %514 = stablehlo.broadcast_in_dim %cst_127, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %515 = stablehlo.divide %513, %514 : tensor<128xf32>
    %516 = stablehlo.broadcast_in_dim %515, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %517 = stablehlo.broadcast_in_dim %516, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
    %518 = stablehlo.subtract %512, %517 : tensor<64x28x28x128xf32>
    %519 = stablehlo.broadcast_in_dim %515, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %520 = stablehlo.broadcast_in_dim %519, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
    %521 = stablehlo.subtract %512, %520 : tensor<64x28x28x128xf32>
    %522 = stablehlo.multiply %521, %521 : tensor<64x28x28x128xf32>
    %cst_128 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %523 = stablehlo.broadcast_in_dim %cst_128, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
    %524 = stablehlo.multiply %523, %521 : tensor<64x28x28x128xf32>
    %cst_129 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %525 = stablehlo.reduce(%522 init: %cst_129) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %cst_130 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %526 = stablehlo.broadcast_in_dim %cst_130, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %527 = stablehlo.divide %525, %526 : tensor<128xf32>
    %cst_131 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %528 = stablehlo.broadcast_in_dim %cst_131, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %529 = stablehlo.add %527, %528 : tensor<128xf32>
    %530 = stablehlo.rsqrt %529 : tensor<128xf32>
    %531 = stablehlo.divide %530, %529 : tensor<128xf32>
    %cst_132 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %532 = stablehlo.broadcast_in_dim %cst_132, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %533 = stablehlo.multiply %532, %531 : tensor<128xf32>
    %534 = stablehlo.multiply %530, %arg51 : tensor<128xf32>
    %535 = stablehlo.broadcast_in_dim %534, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %536 = stablehlo.broadcast_in_dim %535, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
    %537 = stablehlo.multiply %518, %536 : tensor<64x28x28x128xf32>
    %538 = stablehlo.broadcast_in_dim %arg52, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %539 = stablehlo.broadcast_in_dim %538, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
    %540 = stablehlo.add %537, %539 : tensor<64x28x28x128xf32>
    %541 = call @relu_3(%540) : (tensor<64x28x28x128xf32>) -> tensor<64x28x28x128xf32>
    %cst_133 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %542 = stablehlo.broadcast_in_dim %cst_133, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
    %543 = stablehlo.compare GT, %540, %542, FLOAT : (tensor<64x28x28x128xf32>, tensor<64x28x28x128xf32>) -> tensor<64x28x28x128xi1>
    %544 = stablehlo.convolution(%541, %arg53) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<1x1x128x512xf32>) -> tensor<64x28x28x512xf32>
    %cst_134 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %545 = stablehlo.reduce(%544 init: %cst_134) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
    %cst_135 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %546 = stablehlo.broadcast_in_dim %cst_135, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %547 = stablehlo.divide %545, %546 : tensor<512xf32>
    %548 = stablehlo.broadcast_in_dim %547, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %549 = stablehlo.broadcast_in_dim %548, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
    %550 = stablehlo.subtract %544, %549 : tensor<64x28x28x512xf32>
    %551 = stablehlo.broadcast_in_dim %547, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %552 = stablehlo.broadcast_in_dim %551, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
    %553 = stablehlo.subtract %544, %552 : tensor<64x28x28x512xf32>
    %554 = stablehlo.multiply %553, %553 : tensor<64x28x28x512xf32>
    %cst_136 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %555 = stablehlo.broadcast_in_dim %cst_136, dims = [] : (tensor<f32>) -> tensor<64x28x28x512xf32>
    %556 = stablehlo.multiply %555, %553 : tensor<64x28x28x512xf32>
    %cst_137 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %557 = stablehlo.reduce(%554 init: %cst_137) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
    %cst_138 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %558 = stablehlo.broadcast_in_dim %cst_138, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %559 = stablehlo.divide %557, %558 : tensor<512xf32>
    %cst_139 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %560 = stablehlo.broadcast_in_dim %cst_139, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %561 = stablehlo.add %559, %560 : tensor<512xf32>
    %562 = stablehlo.rsqrt %561 : tensor<512xf32>
    %563 = stablehlo.divide %562, %561 : tensor<512xf32>
    %cst_140 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %564 = stablehlo.broadcast_in_dim %cst_140, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %565 = stablehlo.multiply %564, %563 : tensor<512xf32>
    %566 = stablehlo.multiply %562, %arg54 : tensor<512xf32>
    %567 = stablehlo.broadcast_in_dim %566, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %568 = stablehlo.broadcast_in_dim %567, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
    %569 = stablehlo.multiply %550, %568 : tensor<64x28x28x512xf32>
    %570 = stablehlo.broadcast_in_dim %arg55, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %571 = stablehlo.broadcast_in_dim %570, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
    %572 = stablehlo.add %569, %571 : tensor<64x28x28x512xf32>
    %573 = stablehlo.add %572, %477 : tensor<64x28x28x512xf32>
    %574 = call @relu_4(%573) : (tensor<64x28x28x512xf32>) -> tensor<64x28x28x512xf32>
    %cst_141 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %575 = stablehlo.broadcast_in_dim %cst_141, dims = [] : (tensor<f32>) -> tensor<64x28x28x512xf32>
    %576 = stablehlo.compare GT, %573, %575, FLOAT : (tensor<64x28x28x512xf32>, tensor<64x28x28x512xf32>) -> tensor<64x28x28x512xi1>
    %577 = stablehlo.convolution(%574, %arg56) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x512xf32>, tensor<1x1x512x128xf32>) -> tensor<64x28x28x128xf32>
    %cst_142 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %578 = stablehlo.reduce(%577 init: %cst_142) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %cst_143 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %579 = stablehlo.broadcast_in_dim %cst_143, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %580 = stablehlo.divide %578, %579 : tensor<128xf32>
    %581 = stablehlo.broadcast_in_dim %580, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %582 = stablehlo.broadcast_in_dim %581, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
    %583 = stablehlo.subtract %577, %582 : tensor<64x28x28x128xf32>
    %584 = stablehlo.broadcast_in_dim %580, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %585 = stablehlo.broadcast_in_dim %584, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
    %586 = stablehlo.subtract %577, %585 : tensor<64x28x28x128xf32>
    %587 = stablehlo.multiply %586, %586 : tensor<64x28x28x128xf32>
    %cst_144 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %588 = stablehlo.broadcast_in_dim %cst_144, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
    %589 = stablehlo.multiply %588, %586 : tensor<64x28x28x128xf32>
    %cst_145 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %590 = stablehlo.reduce(%587 init: %cst_145) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %cst_146 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %591 = stablehlo.broadcast_in_dim %cst_146, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %592 = stablehlo.divide %590, %591 : tensor<128xf32>
    %cst_147 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %593 = stablehlo.broadcast_in_dim %cst_147, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %594 = stablehlo.add %592, %593 : tensor<128xf32>
    %595 = stablehlo.rsqrt %594 : tensor<128xf32>
    %596 = stablehlo.divide %595, %594 : tensor<128xf32>
    %cst_148 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %597 = stablehlo.broadcast_in_dim %cst_148, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %598 = stablehlo.multiply %597, %596 : tensor<128xf32>
    %599 = stablehlo.multiply %595, %arg57 : tensor<128xf32>
    %600 = stablehlo.broadcast_in_dim %599, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %601 = stablehlo.broadcast_in_dim %600, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
    %602 = stablehlo.multiply %583, %601 : tensor<64x28x28x128xf32>
    %603 = stablehlo.broadcast_in_dim %arg58, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %604 = stablehlo.broadcast_in_dim %603, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
    %605 = stablehlo.add %602, %604 : tensor<64x28x28x128xf32>
    %606 = call @relu_3(%605) : (tensor<64x28x28x128xf32>) -> tensor<64x28x28x128xf32>
    %cst_149 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %607 = stablehlo.broadcast_in_dim %cst_149, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
    %608 = stablehlo.compare GT, %605, %607, FLOAT : (tensor<64x28x28x128xf32>, tensor<64x28x28x128xf32>) -> tensor<64x28x28x128xi1>
    %609 = stablehlo.convolution(%606, %arg59) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<3x3x128x128xf32>) -> tensor<64x28x28x128xf32>
    %cst_150 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %610 = stablehlo.reduce(%609 init: %cst_150) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %cst_151 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %611 = stablehlo.broadcast_in_dim %cst_151, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %612 = stablehlo.divide %610, %611 : tensor<128xf32>
    %613 = stablehlo.broadcast_in_dim %612, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %614 = stablehlo.broadcast_in_dim %613, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
    %615 = stablehlo.subtract %609, %614 : tensor<64x28x28x128xf32>
    %616 = stablehlo.broadcast_in_dim %612, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %617 = stablehlo.broadcast_in_dim %616, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
    %618 = stablehlo.subtract %609, %617 : tensor<64x28x28x128xf32>
    %619 = stablehlo.multiply %618, %618 : tensor<64x28x28x128xf32>
    %cst_152 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %620 = stablehlo.broadcast_in_dim %cst_152, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
    %621 = stablehlo.multiply %620, %618 : tensor<64x28x28x128xf32>
    %cst_153 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %622 = stablehlo.reduce(%619 init: %cst_153) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %cst_154 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %623 = stablehlo.broadcast_in_dim %cst_154, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %624 = stablehlo.divide %622, %623 : tensor<128xf32>
    %cst_155 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %625 = stablehlo.broadcast_in_dim %cst_155, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %626 = stablehlo.add %624, %625 : tensor<128xf32>
    %627 = stablehlo.rsqrt %626 : tensor<128xf32>
    %628 = stablehlo.divide %627, %626 : tensor<128xf32>
    %cst_156 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %629 = stablehlo.broadcast_in_dim %cst_156, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %630 = stablehlo.multiply %629, %628 : tensor<128xf32>
    %631 = stablehlo.multiply %627, %arg60 : tensor<128xf32>
    %632 = stablehlo.broadcast_in_dim %631, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %633 = stablehlo.broadcast_in_dim %632, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
    %634 = stablehlo.multiply %615, %633 : tensor<64x28x28x128xf32>
    %635 = stablehlo.broadcast_in_dim %arg61, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %636 = stablehlo.broadcast_in_dim %635, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
    %637 = stablehlo.add %634, %636 : tensor<64x28x28x128xf32>
    %638 = call @relu_3(%637) : (tensor<64x28x28x128xf32>) -> tensor<64x28x28x128xf32>
    %cst_157 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %639 = stablehlo.broadcast_in_dim %cst_157, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
    %640 = stablehlo.compare GT, %637, %639, FLOAT : (tensor<64x28x28x128xf32>, tensor<64x28x28x128xf32>) -> tensor<64x28x28x128xi1>
    %641 = stablehlo.convolution(%638, %arg62) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<1x1x128x512xf32>) -> tensor<64x28x28x512xf32>
    %cst_158 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %642 = stablehlo.reduce(%641 init: %cst_158) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
    %cst_159 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %643 = stablehlo.broadcast_in_dim %cst_159, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %644 = stablehlo.divide %642, %643 : tensor<512xf32>
    %645 = stablehlo.broadcast_in_dim %644, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %646 = stablehlo.broadcast_in_dim %645, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
    %647 = stablehlo.subtract %641, %646 : tensor<64x28x28x512xf32>
    %648 = stablehlo.broadcast_in_dim %644, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %649 = stablehlo.broadcast_in_dim %648, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
    %650 = stablehlo.subtract %641, %649 : tensor<64x28x28x512xf32>
    %651 = stablehlo.multiply %650, %650 : tensor<64x28x28x512xf32>
    %cst_160 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %652 = stablehlo.broadcast_in_dim %cst_160, dims = [] : (tensor<f32>) -> tensor<64x28x28x512xf32>
    %653 = stablehlo.multiply %652, %650 : tensor<64x28x28x512xf32>
    %cst_161 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %654 = stablehlo.reduce(%651 init: %cst_161) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
    %cst_162 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %655 = stablehlo.broadcast_in_dim %cst_162, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %656 = stablehlo.divide %654, %655 : tensor<512xf32>
    %cst_163 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %657 = stablehlo.broadcast_in_dim %cst_163, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %658 = stablehlo.add %656, %657 : tensor<512xf32>
    %659 = stablehlo.rsqrt %658 : tensor<512xf32>
    %660 = stablehlo.divide %659, %658 : tensor<512xf32>
    %cst_164 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %661 = stablehlo.broadcast_in_dim %cst_164, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %662 = stablehlo.multiply %661, %660 : tensor<512xf32>
    %663 = stablehlo.multiply %659, %arg63 : tensor<512xf32>
    %664 = stablehlo.broadcast_in_dim %663, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %665 = stablehlo.broadcast_in_dim %664, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
    %666 = stablehlo.multiply %647, %665 : tensor<64x28x28x512xf32>
    %667 = stablehlo.broadcast_in_dim %arg64, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %668 = stablehlo.broadcast_in_dim %667, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
    %669 = stablehlo.add %666, %668 : tensor<64x28x28x512xf32>
    %670 = stablehlo.add %669, %574 : tensor<64x28x28x512xf32>
    %671 = call @relu_4(%670) : (tensor<64x28x28x512xf32>) -> tensor<64x28x28x512xf32>
    %cst_165 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %672 = stablehlo.broadcast_in_dim %cst_165, dims = [] : (tensor<f32>) -> tensor<64x28x28x512xf32>
    %673 = stablehlo.compare GT, %670, %672, FLOAT : (tensor<64x28x28x512xf32>, tensor<64x28x28x512xf32>) -> tensor<64x28x28x512xi1>
    %674 = stablehlo.convolution(%671, %arg65) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x512xf32>, tensor<1x1x512x128xf32>) -> tensor<64x28x28x128xf32>
    %cst_166 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %675 = stablehlo.reduce(%674 init: %cst_166) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %cst_167 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %676 = stablehlo.broadcast_in_dim %cst_167, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %677 = stablehlo.divide %675, %676 : tensor<128xf32>
    %678 = stablehlo.broadcast_in_dim %677, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %679 = stablehlo.broadcast_in_dim %678, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
    %680 = stablehlo.subtract %674, %679 : tensor<64x28x28x128xf32>
    %681 = stablehlo.broadcast_in_dim %677, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %682 = stablehlo.broadcast_in_dim %681, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
    %683 = stablehlo.subtract %674, %682 : tensor<64x28x28x128xf32>
    %684 = stablehlo.multiply %683, %683 : tensor<64x28x28x128xf32>
    %cst_168 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %685 = stablehlo.broadcast_in_dim %cst_168, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
    %686 = stablehlo.multiply %685, %683 : tensor<64x28x28x128xf32>
    %cst_169 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %687 = stablehlo.reduce(%684 init: %cst_169) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %cst_170 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %688 = stablehlo.broadcast_in_dim %cst_170, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %689 = stablehlo.divide %687, %688 : tensor<128xf32>
    %cst_171 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %690 = stablehlo.broadcast_in_dim %cst_171, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %691 = stablehlo.add %689, %690 : tensor<128xf32>
    %692 = stablehlo.rsqrt %691 : tensor<128xf32>
    %693 = stablehlo.divide %692, %691 : tensor<128xf32>
    %cst_172 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %694 = stablehlo.broadcast_in_dim %cst_172, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %695 = stablehlo.multiply %694, %693 : tensor<128xf32>
    %696 = stablehlo.multiply %692, %arg66 : tensor<128xf32>
    %697 = stablehlo.broadcast_in_dim %696, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %698 = stablehlo.broadcast_in_dim %697, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
    %699 = stablehlo.multiply %680, %698 : tensor<64x28x28x128xf32>
    %700 = stablehlo.broadcast_in_dim %arg67, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %701 = stablehlo.broadcast_in_dim %700, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
    %702 = stablehlo.add %699, %701 : tensor<64x28x28x128xf32>
    %703 = call @relu_3(%702) : (tensor<64x28x28x128xf32>) -> tensor<64x28x28x128xf32>
    %cst_173 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %704 = stablehlo.broadcast_in_dim %cst_173, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
    %705 = stablehlo.compare GT, %702, %704, FLOAT : (tensor<64x28x28x128xf32>, tensor<64x28x28x128xf32>) -> tensor<64x28x28x128xi1>
    %706 = stablehlo.convolution(%703, %arg68) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<3x3x128x128xf32>) -> tensor<64x28x28x128xf32>
    %cst_174 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %707 = stablehlo.reduce(%706 init: %cst_174) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %cst_175 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %708 = stablehlo.broadcast_in_dim %cst_175, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %709 = stablehlo.divide %707, %708 : tensor<128xf32>
    %710 = stablehlo.broadcast_in_dim %709, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %711 = stablehlo.broadcast_in_dim %710, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
    %712 = stablehlo.subtract %706, %711 : tensor<64x28x28x128xf32>
    %713 = stablehlo.broadcast_in_dim %709, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %714 = stablehlo.broadcast_in_dim %713, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
    %715 = stablehlo.subtract %706, %714 : tensor<64x28x28x128xf32>
    %716 = stablehlo.multiply %715, %715 : tensor<64x28x28x128xf32>
    %cst_176 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %717 = stablehlo.broadcast_in_dim %cst_176, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
    %718 = stablehlo.multiply %717, %715 : tensor<64x28x28x128xf32>
    %cst_177 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %719 = stablehlo.reduce(%716 init: %cst_177) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %cst_178 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %720 = stablehlo.broadcast_in_dim %cst_178, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %721 = stablehlo.divide %719, %720 : tensor<128xf32>
    %cst_179 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %722 = stablehlo.broadcast_in_dim %cst_179, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %723 = stablehlo.add %721, %722 : tensor<128xf32>
    %724 = stablehlo.rsqrt %723 : tensor<128xf32>
    %725 = stablehlo.divide %724, %723 : tensor<128xf32>
    %cst_180 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %726 = stablehlo.broadcast_in_dim %cst_180, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %727 = stablehlo.multiply %726, %725 : tensor<128xf32>
    %728 = stablehlo.multiply %724, %arg69 : tensor<128xf32>
    %729 = stablehlo.broadcast_in_dim %728, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %730 = stablehlo.broadcast_in_dim %729, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
    %731 = stablehlo.multiply %712, %730 : tensor<64x28x28x128xf32>
    %732 = stablehlo.broadcast_in_dim %arg70, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %733 = stablehlo.broadcast_in_dim %732, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
    %734 = stablehlo.add %731, %733 : tensor<64x28x28x128xf32>
    %735 = call @relu_3(%734) : (tensor<64x28x28x128xf32>) -> tensor<64x28x28x128xf32>
    %cst_181 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %736 = stablehlo.broadcast_in_dim %cst_181, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
    %737 = stablehlo.compare GT, %734, %736, FLOAT : (tensor<64x28x28x128xf32>, tensor<64x28x28x128xf32>) -> tensor<64x28x28x128xi1>
    %738 = stablehlo.convolution(%735, %arg71) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<1x1x128x512xf32>) -> tensor<64x28x28x512xf32>
    %cst_182 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %739 = stablehlo.reduce(%738 init: %cst_182) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
    %cst_183 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %740 = stablehlo.broadcast_in_dim %cst_183, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %741 = stablehlo.divide %739, %740 : tensor<512xf32>
    %742 = stablehlo.broadcast_in_dim %741, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %743 = stablehlo.broadcast_in_dim %742, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
    %744 = stablehlo.subtract %738, %743 : tensor<64x28x28x512xf32>
    %745 = stablehlo.broadcast_in_dim %741, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %746 = stablehlo.broadcast_in_dim %745, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
    %747 = stablehlo.subtract %738, %746 : tensor<64x28x28x512xf32>
    %748 = stablehlo.multiply %747, %747 : tensor<64x28x28x512xf32>
    %cst_184 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %749 = stablehlo.broadcast_in_dim %cst_184, dims = [] : (tensor<f32>) -> tensor<64x28x28x512xf32>
    %750 = stablehlo.multiply %749, %747 : tensor<64x28x28x512xf32>
    %cst_185 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %751 = stablehlo.reduce(%748 init: %cst_185) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
    %cst_186 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %752 = stablehlo.broadcast_in_dim %cst_186, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %753 = stablehlo.divide %751, %752 : tensor<512xf32>
    %cst_187 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %754 = stablehlo.broadcast_in_dim %cst_187, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %755 = stablehlo.add %753, %754 : tensor<512xf32>
    %756 = stablehlo.rsqrt %755 : tensor<512xf32>
    %757 = stablehlo.divide %756, %755 : tensor<512xf32>
    %cst_188 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %758 = stablehlo.broadcast_in_dim %cst_188, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %759 = stablehlo.multiply %758, %757 : tensor<512xf32>
    %760 = stablehlo.multiply %756, %arg72 : tensor<512xf32>
    %761 = stablehlo.broadcast_in_dim %760, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %762 = stablehlo.broadcast_in_dim %761, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
    %763 = stablehlo.multiply %744, %762 : tensor<64x28x28x512xf32>
    %764 = stablehlo.broadcast_in_dim %arg73, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %765 = stablehlo.broadcast_in_dim %764, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
    %766 = stablehlo.add %763, %765 : tensor<64x28x28x512xf32>
    %767 = stablehlo.add %766, %671 : tensor<64x28x28x512xf32>
    %768 = call @relu_4(%767) : (tensor<64x28x28x512xf32>) -> tensor<64x28x28x512xf32>
    %cst_189 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %769 = stablehlo.broadcast_in_dim %cst_189, dims = [] : (tensor<f32>) -> tensor<64x28x28x512xf32>
    %770 = stablehlo.compare GT, %767, %769, FLOAT : (tensor<64x28x28x512xf32>, tensor<64x28x28x512xf32>) -> tensor<64x28x28x512xi1>
    %771 = stablehlo.convolution(%768, %arg74) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x512xf32>, tensor<1x1x512x256xf32>) -> tensor<64x28x28x256xf32>
    %cst_190 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %772 = stablehlo.reduce(%771 init: %cst_190) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x256xf32>, tensor<f32>) -> tensor<256xf32>
    %cst_191 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %773 = stablehlo.broadcast_in_dim %cst_191, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %774 = stablehlo.divide %772, %773 : tensor<256xf32>
    %775 = stablehlo.broadcast_in_dim %774, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %776 = stablehlo.broadcast_in_dim %775, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x28x28x256xf32>
    %777 = stablehlo.subtract %771, %776 : tensor<64x28x28x256xf32>
    %778 = stablehlo.broadcast_in_dim %774, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %779 = stablehlo.broadcast_in_dim %778, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x28x28x256xf32>
    %780 = stablehlo.subtract %771, %779 : tensor<64x28x28x256xf32>
    %781 = stablehlo.multiply %780, %780 : tensor<64x28x28x256xf32>
    %cst_192 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %782 = stablehlo.broadcast_in_dim %cst_192, dims = [] : (tensor<f32>) -> tensor<64x28x28x256xf32>
    %783 = stablehlo.multiply %782, %780 : tensor<64x28x28x256xf32>
    %cst_193 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %784 = stablehlo.reduce(%781 init: %cst_193) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x256xf32>, tensor<f32>) -> tensor<256xf32>
    %cst_194 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %785 = stablehlo.broadcast_in_dim %cst_194, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %786 = stablehlo.divide %784, %785 : tensor<256xf32>
    %cst_195 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %787 = stablehlo.broadcast_in_dim %cst_195, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %788 = stablehlo.add %786, %787 : tensor<256xf32>
    %789 = stablehlo.rsqrt %788 : tensor<256xf32>
    %790 = stablehlo.divide %789, %788 : tensor<256xf32>
    %cst_196 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %791 = stablehlo.broadcast_in_dim %cst_196, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %792 = stablehlo.multiply %791, %790 : tensor<256xf32>
    %793 = stablehlo.multiply %789, %arg75 : tensor<256xf32>
    %794 = stablehlo.broadcast_in_dim %793, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %795 = stablehlo.broadcast_in_dim %794, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x28x28x256xf32>
    %796 = stablehlo.multiply %777, %795 : tensor<64x28x28x256xf32>
    %797 = stablehlo.broadcast_in_dim %arg76, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %798 = stablehlo.broadcast_in_dim %797, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x28x28x256xf32>
    %799 = stablehlo.add %796, %798 : tensor<64x28x28x256xf32>
    %800 = call @relu_5(%799) : (tensor<64x28x28x256xf32>) -> tensor<64x28x28x256xf32>
    %cst_197 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %801 = stablehlo.broadcast_in_dim %cst_197, dims = [] : (tensor<f32>) -> tensor<64x28x28x256xf32>
    %802 = stablehlo.compare GT, %799, %801, FLOAT : (tensor<64x28x28x256xf32>, tensor<64x28x28x256xf32>) -> tensor<64x28x28x256xi1>
    %803 = stablehlo.convolution(%800, %arg77) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x256xf32>, tensor<3x3x256x256xf32>) -> tensor<64x14x14x256xf32>
    %cst_198 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %804 = stablehlo.reduce(%803 init: %cst_198) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %cst_199 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %805 = stablehlo.broadcast_in_dim %cst_199, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %806 = stablehlo.divide %804, %805 : tensor<256xf32>
    %807 = stablehlo.broadcast_in_dim %806, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %808 = stablehlo.broadcast_in_dim %807, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %809 = stablehlo.subtract %803, %808 : tensor<64x14x14x256xf32>
    %810 = stablehlo.broadcast_in_dim %806, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %811 = stablehlo.broadcast_in_dim %810, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %812 = stablehlo.subtract %803, %811 : tensor<64x14x14x256xf32>
    %813 = stablehlo.multiply %812, %812 : tensor<64x14x14x256xf32>
    %cst_200 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %814 = stablehlo.broadcast_in_dim %cst_200, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
    %815 = stablehlo.multiply %814, %812 : tensor<64x14x14x256xf32>
    %cst_201 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %816 = stablehlo.reduce(%813 init: %cst_201) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %cst_202 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %817 = stablehlo.broadcast_in_dim %cst_202, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %818 = stablehlo.divide %816, %817 : tensor<256xf32>
    %cst_203 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %819 = stablehlo.broadcast_in_dim %cst_203, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %820 = stablehlo.add %818, %819 : tensor<256xf32>
    %821 = stablehlo.rsqrt %820 : tensor<256xf32>
    %822 = stablehlo.divide %821, %820 : tensor<256xf32>
    %cst_204 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %823 = stablehlo.broadcast_in_dim %cst_204, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %824 = stablehlo.multiply %823, %822 : tensor<256xf32>
    %825 = stablehlo.multiply %821, %arg78 : tensor<256xf32>
    %826 = stablehlo.broadcast_in_dim %825, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %827 = stablehlo.broadcast_in_dim %826, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %828 = stablehlo.multiply %809, %827 : tensor<64x14x14x256xf32>
    %829 = stablehlo.broadcast_in_dim %arg79, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %830 = stablehlo.broadcast_in_dim %829, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %831 = stablehlo.add %828, %830 : tensor<64x14x14x256xf32>
    %832 = call @relu_6(%831) : (tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xf32>
    %cst_205 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %833 = stablehlo.broadcast_in_dim %cst_205, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
    %834 = stablehlo.compare GT, %831, %833, FLOAT : (tensor<64x14x14x256xf32>, tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xi1>
    %835 = stablehlo.convolution(%832, %arg80) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<1x1x256x1024xf32>) -> tensor<64x14x14x1024xf32>
    %cst_206 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %836 = stablehlo.reduce(%835 init: %cst_206) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %cst_207 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %837 = stablehlo.broadcast_in_dim %cst_207, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %838 = stablehlo.divide %836, %837 : tensor<1024xf32>
    %839 = stablehlo.broadcast_in_dim %838, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %840 = stablehlo.broadcast_in_dim %839, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
    %841 = stablehlo.subtract %835, %840 : tensor<64x14x14x1024xf32>
    %842 = stablehlo.broadcast_in_dim %838, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %843 = stablehlo.broadcast_in_dim %842, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
    %844 = stablehlo.subtract %835, %843 : tensor<64x14x14x1024xf32>
    %845 = stablehlo.multiply %844, %844 : tensor<64x14x14x1024xf32>
    %cst_208 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %846 = stablehlo.broadcast_in_dim %cst_208, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
    %847 = stablehlo.multiply %846, %844 : tensor<64x14x14x1024xf32>
    %cst_209 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %848 = stablehlo.reduce(%845 init: %cst_209) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %cst_210 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %849 = stablehlo.broadcast_in_dim %cst_210, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %850 = stablehlo.divide %848, %849 : tensor<1024xf32>
    %cst_211 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %851 = stablehlo.broadcast_in_dim %cst_211, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %852 = stablehlo.add %850, %851 : tensor<1024xf32>
    %853 = stablehlo.rsqrt %852 : tensor<1024xf32>
    %854 = stablehlo.divide %853, %852 : tensor<1024xf32>
    %cst_212 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %855 = stablehlo.broadcast_in_dim %cst_212, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %856 = stablehlo.multiply %855, %854 : tensor<1024xf32>
    %857 = stablehlo.multiply %853, %arg81 : tensor<1024xf32>
    %858 = stablehlo.broadcast_in_dim %857, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %859 = stablehlo.broadcast_in_dim %858, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
    %860 = stablehlo.multiply %841, %859 : tensor<64x14x14x1024xf32>
    %861 = stablehlo.broadcast_in_dim %arg82, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %862 = stablehlo.broadcast_in_dim %861, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
    %863 = stablehlo.add %860, %862 : tensor<64x14x14x1024xf32>
    %864 = stablehlo.convolution(%768, %arg83) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x512xf32>, tensor<1x1x512x1024xf32>) -> tensor<64x14x14x1024xf32>
    %cst_213 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %865 = stablehlo.reduce(%864 init: %cst_213) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %cst_214 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %866 = stablehlo.broadcast_in_dim %cst_214, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %867 = stablehlo.divide %865, %866 : tensor<1024xf32>
    %868 = stablehlo.broadcast_in_dim %867, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %869 = stablehlo.broadcast_in_dim %868, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
    %870 = stablehlo.subtract %864, %869 : tensor<64x14x14x1024xf32>
    %871 = stablehlo.broadcast_in_dim %867, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %872 = stablehlo.broadcast_in_dim %871, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
    %873 = stablehlo.subtract %864, %872 : tensor<64x14x14x1024xf32>
    %874 = stablehlo.multiply %873, %873 : tensor<64x14x14x1024xf32>
    %cst_215 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %875 = stablehlo.broadcast_in_dim %cst_215, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
    %876 = stablehlo.multiply %875, %873 : tensor<64x14x14x1024xf32>
    %cst_216 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %877 = stablehlo.reduce(%874 init: %cst_216) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %cst_217 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %878 = stablehlo.broadcast_in_dim %cst_217, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %879 = stablehlo.divide %877, %878 : tensor<1024xf32>
    %cst_218 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %880 = stablehlo.broadcast_in_dim %cst_218, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %881 = stablehlo.add %879, %880 : tensor<1024xf32>
    %882 = stablehlo.rsqrt %881 : tensor<1024xf32>
    %883 = stablehlo.divide %882, %881 : tensor<1024xf32>
    %cst_219 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %884 = stablehlo.broadcast_in_dim %cst_219, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %885 = stablehlo.multiply %884, %883 : tensor<1024xf32>
    %886 = stablehlo.multiply %882, %arg84 : tensor<1024xf32>
    %887 = stablehlo.broadcast_in_dim %886, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %888 = stablehlo.broadcast_in_dim %887, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
    %889 = stablehlo.multiply %870, %888 : tensor<64x14x14x1024xf32>
    %890 = stablehlo.broadcast_in_dim %arg85, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %891 = stablehlo.broadcast_in_dim %890, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
    %892 = stablehlo.add %889, %891 : tensor<64x14x14x1024xf32>
    %893 = stablehlo.add %863, %892 : tensor<64x14x14x1024xf32>
    %894 = call @relu_7(%893) : (tensor<64x14x14x1024xf32>) -> tensor<64x14x14x1024xf32>
    %cst_220 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %895 = stablehlo.broadcast_in_dim %cst_220, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
    %896 = stablehlo.compare GT, %893, %895, FLOAT : (tensor<64x14x14x1024xf32>, tensor<64x14x14x1024xf32>) -> tensor<64x14x14x1024xi1>
    %897 = stablehlo.convolution(%894, %arg86) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<1x1x1024x256xf32>) -> tensor<64x14x14x256xf32>
    %cst_221 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %898 = stablehlo.reduce(%897 init: %cst_221) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %cst_222 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %899 = stablehlo.broadcast_in_dim %cst_222, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %900 = stablehlo.divide %898, %899 : tensor<256xf32>
    %901 = stablehlo.broadcast_in_dim %900, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %902 = stablehlo.broadcast_in_dim %901, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %903 = stablehlo.subtract %897, %902 : tensor<64x14x14x256xf32>
    %904 = stablehlo.broadcast_in_dim %900, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %905 = stablehlo.broadcast_in_dim %904, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %906 = stablehlo.subtract %897, %905 : tensor<64x14x14x256xf32>
    %907 = stablehlo.multiply %906, %906 : tensor<64x14x14x256xf32>
    %cst_223 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %908 = stablehlo.broadcast_in_dim %cst_223, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
    %909 = stablehlo.multiply %908, %906 : tensor<64x14x14x256xf32>
    %cst_224 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %910 = stablehlo.reduce(%907 init: %cst_224) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %cst_225 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %911 = stablehlo.broadcast_in_dim %cst_225, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %912 = stablehlo.divide %910, %911 : tensor<256xf32>
    %cst_226 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %913 = stablehlo.broadcast_in_dim %cst_226, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %914 = stablehlo.add %912, %913 : tensor<256xf32>
    %915 = stablehlo.rsqrt %914 : tensor<256xf32>
    %916 = stablehlo.divide %915, %914 : tensor<256xf32>
    %cst_227 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %917 = stablehlo.broadcast_in_dim %cst_227, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %918 = stablehlo.multiply %917, %916 : tensor<256xf32>
    %919 = stablehlo.multiply %915, %arg87 : tensor<256xf32>
    %920 = stablehlo.broadcast_in_dim %919, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %921 = stablehlo.broadcast_in_dim %920, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %922 = stablehlo.multiply %903, %921 : tensor<64x14x14x256xf32>
    %923 = stablehlo.broadcast_in_dim %arg88, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %924 = stablehlo.broadcast_in_dim %923, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %925 = stablehlo.add %922, %924 : tensor<64x14x14x256xf32>
    %926 = call @relu_6(%925) : (tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xf32>
    %cst_228 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %927 = stablehlo.broadcast_in_dim %cst_228, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
    %928 = stablehlo.compare GT, %925, %927, FLOAT : (tensor<64x14x14x256xf32>, tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xi1>
    %929 = stablehlo.convolution(%926, %arg89) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<3x3x256x256xf32>) -> tensor<64x14x14x256xf32>
    %cst_229 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %930 = stablehlo.reduce(%929 init: %cst_229) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %cst_230 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %931 = stablehlo.broadcast_in_dim %cst_230, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %932 = stablehlo.divide %930, %931 : tensor<256xf32>
    %933 = stablehlo.broadcast_in_dim %932, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %934 = stablehlo.broadcast_in_dim %933, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %935 = stablehlo.subtract %929, %934 : tensor<64x14x14x256xf32>
    %936 = stablehlo.broadcast_in_dim %932, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %937 = stablehlo.broadcast_in_dim %936, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %938 = stablehlo.subtract %929, %937 : tensor<64x14x14x256xf32>
    %939 = stablehlo.multiply %938, %938 : tensor<64x14x14x256xf32>
    %cst_231 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %940 = stablehlo.broadcast_in_dim %cst_231, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
    %941 = stablehlo.multiply %940, %938 : tensor<64x14x14x256xf32>
    %cst_232 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %942 = stablehlo.reduce(%939 init: %cst_232) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %cst_233 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %943 = stablehlo.broadcast_in_dim %cst_233, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %944 = stablehlo.divide %942, %943 : tensor<256xf32>
    %cst_234 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %945 = stablehlo.broadcast_in_dim %cst_234, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %946 = stablehlo.add %944, %945 : tensor<256xf32>
    %947 = stablehlo.rsqrt %946 : tensor<256xf32>
    %948 = stablehlo.divide %947, %946 : tensor<256xf32>
    %cst_235 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %949 = stablehlo.broadcast_in_dim %cst_235, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %950 = stablehlo.multiply %949, %948 : tensor<256xf32>
    %951 = stablehlo.multiply %947, %arg90 : tensor<256xf32>
    %952 = stablehlo.broadcast_in_dim %951, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %953 = stablehlo.broadcast_in_dim %952, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %954 = stablehlo.multiply %935, %953 : tensor<64x14x14x256xf32>
    %955 = stablehlo.broadcast_in_dim %arg91, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %956 = stablehlo.broadcast_in_dim %955, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %957 = stablehlo.add %954, %956 : tensor<64x14x14x256xf32>
    %958 = call @relu_6(%957) : (tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xf32>
    %cst_236 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %959 = stablehlo.broadcast_in_dim %cst_236, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
    %960 = stablehlo.compare GT, %957, %959, FLOAT : (tensor<64x14x14x256xf32>, tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xi1>
    %961 = stablehlo.convolution(%958, %arg92) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<1x1x256x1024xf32>) -> tensor<64x14x14x1024xf32>
    %cst_237 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %962 = stablehlo.reduce(%961 init: %cst_237) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %cst_238 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %963 = stablehlo.broadcast_in_dim %cst_238, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %964 = stablehlo.divide %962, %963 : tensor<1024xf32>
    %965 = stablehlo.broadcast_in_dim %964, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %966 = stablehlo.broadcast_in_dim %965, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
    %967 = stablehlo.subtract %961, %966 : tensor<64x14x14x1024xf32>
    %968 = stablehlo.broadcast_in_dim %964, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %969 = stablehlo.broadcast_in_dim %968, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
    %970 = stablehlo.subtract %961, %969 : tensor<64x14x14x1024xf32>
    %971 = stablehlo.multiply %970, %970 : tensor<64x14x14x1024xf32>
    %cst_239 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %972 = stablehlo.broadcast_in_dim %cst_239, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
    %973 = stablehlo.multiply %972, %970 : tensor<64x14x14x1024xf32>
    %cst_240 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %974 = stablehlo.reduce(%971 init: %cst_240) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %cst_241 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %975 = stablehlo.broadcast_in_dim %cst_241, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %976 = stablehlo.divide %974, %975 : tensor<1024xf32>
    %cst_242 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %977 = stablehlo.broadcast_in_dim %cst_242, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %978 = stablehlo.add %976, %977 : tensor<1024xf32>
    %979 = stablehlo.rsqrt %978 : tensor<1024xf32>
    %980 = stablehlo.divide %979, %978 : tensor<1024xf32>
    %cst_243 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %981 = stablehlo.broadcast_in_dim %cst_243, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %982 = stablehlo.multiply %981, %980 : tensor<1024xf32>
    %983 = stablehlo.multiply %979, %arg93 : tensor<1024xf32>
    %984 = stablehlo.broadcast_in_dim %983, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %985 = stablehlo.broadcast_in_dim %984, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
    %986 = stablehlo.multiply %967, %985 : tensor<64x14x14x1024xf32>
    %987 = stablehlo.broadcast_in_dim %arg94, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %988 = stablehlo.broadcast_in_dim %987, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
    %989 = stablehlo.add %986, %988 : tensor<64x14x14x1024xf32>
    %990 = stablehlo.add %989, %894 : tensor<64x14x14x1024xf32>
    %991 = call @relu_7(%990) : (tensor<64x14x14x1024xf32>) -> tensor<64x14x14x1024xf32>
    %cst_244 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %992 = stablehlo.broadcast_in_dim %cst_244, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
    %993 = stablehlo.compare GT, %990, %992, FLOAT : (tensor<64x14x14x1024xf32>, tensor<64x14x14x1024xf32>) -> tensor<64x14x14x1024xi1>
    %994 = stablehlo.convolution(%991, %arg95) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<1x1x1024x256xf32>) -> tensor<64x14x14x256xf32>
    %cst_245 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %995 = stablehlo.reduce(%994 init: %cst_245) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %cst_246 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %996 = stablehlo.broadcast_in_dim %cst_246, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %997 = stablehlo.divide %995, %996 : tensor<256xf32>
    %998 = stablehlo.broadcast_in_dim %997, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %999 = stablehlo.broadcast_in_dim %998, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %1000 = stablehlo.subtract %994, %999 : tensor<64x14x14x256xf32>
    %1001 = stablehlo.broadcast_in_dim %997, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %1002 = stablehlo.broadcast_in_dim %1001, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %1003 = stablehlo.subtract %994, %1002 : tensor<64x14x14x256xf32>
    %1004 = stablehlo.multiply %1003, %1003 : tensor<64x14x14x256xf32>
    %cst_247 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1005 = stablehlo.broadcast_in_dim %cst_247, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
    %1006 = stablehlo.multiply %1005, %1003 : tensor<64x14x14x256xf32>
    %cst_248 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1007 = stablehlo.reduce(%1004 init: %cst_248) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %cst_249 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %1008 = stablehlo.broadcast_in_dim %cst_249, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %1009 = stablehlo.divide %1007, %1008 : tensor<256xf32>
    %cst_250 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1010 = stablehlo.broadcast_in_dim %cst_250, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %1011 = stablehlo.add %1009, %1010 : tensor<256xf32>
    %1012 = stablehlo.rsqrt %1011 : tensor<256xf32>
    %1013 = stablehlo.divide %1012, %1011 : tensor<256xf32>
    %cst_251 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %1014 = stablehlo.broadcast_in_dim %cst_251, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %1015 = stablehlo.multiply %1014, %1013 : tensor<256xf32>
    %1016 = stablehlo.multiply %1012, %arg96 : tensor<256xf32>
    %1017 = stablehlo.broadcast_in_dim %1016, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %1018 = stablehlo.broadcast_in_dim %1017, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %1019 = stablehlo.multiply %1000, %1018 : tensor<64x14x14x256xf32>
    %1020 = stablehlo.broadcast_in_dim %arg97, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %1021 = stablehlo.broadcast_in_dim %1020, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %1022 = stablehlo.add %1019, %1021 : tensor<64x14x14x256xf32>
    %1023 = call @relu_6(%1022) : (tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xf32>
    %cst_252 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1024 = stablehlo.broadcast_in_dim %cst_252, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
    %1025 = stablehlo.compare GT, %1022, %1024, FLOAT : (tensor<64x14x14x256xf32>, tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xi1>
    %1026 = stablehlo.convolution(%1023, %arg98) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<3x3x256x256xf32>) -> tensor<64x14x14x256xf32>
    %cst_253 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1027 = stablehlo.reduce(%1026 init: %cst_253) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %cst_254 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %1028 = stablehlo.broadcast_in_dim %cst_254, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %1029 = stablehlo.divide %1027, %1028 : tensor<256xf32>
    %1030 = stablehlo.broadcast_in_dim %1029, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %1031 = stablehlo.broadcast_in_dim %1030, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %1032 = stablehlo.subtract %1026, %1031 : tensor<64x14x14x256xf32>
    %1033 = stablehlo.broadcast_in_dim %1029, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %1034 = stablehlo.broadcast_in_dim %1033, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %1035 = stablehlo.subtract %1026, %1034 : tensor<64x14x14x256xf32>
    %1036 = stablehlo.multiply %1035, %1035 : tensor<64x14x14x256xf32>
    %cst_255 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1037 = stablehlo.broadcast_in_dim %cst_255, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
    %1038 = stablehlo.multiply %1037, %1035 : tensor<64x14x14x256xf32>
    %cst_256 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1039 = stablehlo.reduce(%1036 init: %cst_256) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %cst_257 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %1040 = stablehlo.broadcast_in_dim %cst_257, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %1041 = stablehlo.divide %1039, %1040 : tensor<256xf32>
    %cst_258 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1042 = stablehlo.broadcast_in_dim %cst_258, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %1043 = stablehlo.add %1041, %1042 : tensor<256xf32>
    %1044 = stablehlo.rsqrt %1043 : tensor<256xf32>
    %1045 = stablehlo.divide %1044, %1043 : tensor<256xf32>
    %cst_259 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %1046 = stablehlo.broadcast_in_dim %cst_259, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %1047 = stablehlo.multiply %1046, %1045 : tensor<256xf32>
    %1048 = stablehlo.multiply %1044, %arg99 : tensor<256xf32>
    %1049 = stablehlo.broadcast_in_dim %1048, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %1050 = stablehlo.broadcast_in_dim %1049, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %1051 = stablehlo.multiply %1032, %1050 : tensor<64x14x14x256xf32>
    %1052 = stablehlo.broadcast_in_dim %arg100, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %1053 = stablehlo.broadcast_in_dim %1052, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %1054 = stablehlo.add %1051, %1053 : tensor<64x14x14x256xf32>
    %1055 = call @relu_6(%1054) : (tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xf32>
    %cst_260 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1056 = stablehlo.broadcast_in_dim %cst_260, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
    %1057 = stablehlo.compare GT, %1054, %1056, FLOAT : (tensor<64x14x14x256xf32>, tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xi1>
    %1058 = stablehlo.convolution(%1055, %arg101) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<1x1x256x1024xf32>) -> tensor<64x14x14x1024xf32>
    %cst_261 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1059 = stablehlo.reduce(%1058 init: %cst_261) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %cst_262 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %1060 = stablehlo.broadcast_in_dim %cst_262, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %1061 = stablehlo.divide %1059, %1060 : tensor<1024xf32>
    %1062 = stablehlo.broadcast_in_dim %1061, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %1063 = stablehlo.broadcast_in_dim %1062, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
    %1064 = stablehlo.subtract %1058, %1063 : tensor<64x14x14x1024xf32>
    %1065 = stablehlo.broadcast_in_dim %1061, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %1066 = stablehlo.broadcast_in_dim %1065, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
    %1067 = stablehlo.subtract %1058, %1066 : tensor<64x14x14x1024xf32>
    %1068 = stablehlo.multiply %1067, %1067 : tensor<64x14x14x1024xf32>
    %cst_263 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1069 = stablehlo.broadcast_in_dim %cst_263, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
    %1070 = stablehlo.multiply %1069, %1067 : tensor<64x14x14x1024xf32>
    %cst_264 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1071 = stablehlo.reduce(%1068 init: %cst_264) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %cst_265 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %1072 = stablehlo.broadcast_in_dim %cst_265, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %1073 = stablehlo.divide %1071, %1072 : tensor<1024xf32>
    %cst_266 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1074 = stablehlo.broadcast_in_dim %cst_266, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %1075 = stablehlo.add %1073, %1074 : tensor<1024xf32>
    %1076 = stablehlo.rsqrt %1075 : tensor<1024xf32>
    %1077 = stablehlo.divide %1076, %1075 : tensor<1024xf32>
    %cst_267 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %1078 = stablehlo.broadcast_in_dim %cst_267, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %1079 = stablehlo.multiply %1078, %1077 : tensor<1024xf32>
    %1080 = stablehlo.multiply %1076, %arg102 : tensor<1024xf32>
    %1081 = stablehlo.broadcast_in_dim %1080, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %1082 = stablehlo.broadcast_in_dim %1081, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
    %1083 = stablehlo.multiply %1064, %1082 : tensor<64x14x14x1024xf32>
    %1084 = stablehlo.broadcast_in_dim %arg103, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %1085 = stablehlo.broadcast_in_dim %1084, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
    %1086 = stablehlo.add %1083, %1085 : tensor<64x14x14x1024xf32>
    %1087 = stablehlo.add %1086, %991 : tensor<64x14x14x1024xf32>
    %1088 = call @relu_7(%1087) : (tensor<64x14x14x1024xf32>) -> tensor<64x14x14x1024xf32>
    %cst_268 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1089 = stablehlo.broadcast_in_dim %cst_268, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
    %1090 = stablehlo.compare GT, %1087, %1089, FLOAT : (tensor<64x14x14x1024xf32>, tensor<64x14x14x1024xf32>) -> tensor<64x14x14x1024xi1>
    %1091 = stablehlo.convolution(%1088, %arg104) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<1x1x1024x256xf32>) -> tensor<64x14x14x256xf32>
    %cst_269 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1092 = stablehlo.reduce(%1091 init: %cst_269) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %cst_270 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %1093 = stablehlo.broadcast_in_dim %cst_270, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %1094 = stablehlo.divide %1092, %1093 : tensor<256xf32>
    %1095 = stablehlo.broadcast_in_dim %1094, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %1096 = stablehlo.broadcast_in_dim %1095, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %1097 = stablehlo.subtract %1091, %1096 : tensor<64x14x14x256xf32>
    %1098 = stablehlo.broadcast_in_dim %1094, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %1099 = stablehlo.broadcast_in_dim %1098, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %1100 = stablehlo.subtract %1091, %1099 : tensor<64x14x14x256xf32>
    %1101 = stablehlo.multiply %1100, %1100 : tensor<64x14x14x256xf32>
    %cst_271 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1102 = stablehlo.broadcast_in_dim %cst_271, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
    %1103 = stablehlo.multiply %1102, %1100 : tensor<64x14x14x256xf32>
    %cst_272 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1104 = stablehlo.reduce(%1101 init: %cst_272) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %cst_273 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %1105 = stablehlo.broadcast_in_dim %cst_273, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %1106 = stablehlo.divide %1104, %1105 : tensor<256xf32>
    %cst_274 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1107 = stablehlo.broadcast_in_dim %cst_274, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %1108 = stablehlo.add %1106, %1107 : tensor<256xf32>
    %1109 = stablehlo.rsqrt %1108 : tensor<256xf32>
    %1110 = stablehlo.divide %1109, %1108 : tensor<256xf32>
    %cst_275 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %1111 = stablehlo.broadcast_in_dim %cst_275, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %1112 = stablehlo.multiply %1111, %1110 : tensor<256xf32>
    %1113 = stablehlo.multiply %1109, %arg105 : tensor<256xf32>
    %1114 = stablehlo.broadcast_in_dim %1113, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %1115 = stablehlo.broadcast_in_dim %1114, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %1116 = stablehlo.multiply %1097, %1115 : tensor<64x14x14x256xf32>
    %1117 = stablehlo.broadcast_in_dim %arg106, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %1118 = stablehlo.broadcast_in_dim %1117, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %1119 = stablehlo.add %1116, %1118 : tensor<64x14x14x256xf32>
    %1120 = call @relu_6(%1119) : (tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xf32>
    %cst_276 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1121 = stablehlo.broadcast_in_dim %cst_276, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
    %1122 = stablehlo.compare GT, %1119, %1121, FLOAT : (tensor<64x14x14x256xf32>, tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xi1>
    %1123 = stablehlo.convolution(%1120, %arg107) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<3x3x256x256xf32>) -> tensor<64x14x14x256xf32>
    %cst_277 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1124 = stablehlo.reduce(%1123 init: %cst_277) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %cst_278 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %1125 = stablehlo.broadcast_in_dim %cst_278, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %1126 = stablehlo.divide %1124, %1125 : tensor<256xf32>
    %1127 = stablehlo.broadcast_in_dim %1126, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %1128 = stablehlo.broadcast_in_dim %1127, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %1129 = stablehlo.subtract %1123, %1128 : tensor<64x14x14x256xf32>
    %1130 = stablehlo.broadcast_in_dim %1126, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %1131 = stablehlo.broadcast_in_dim %1130, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %1132 = stablehlo.subtract %1123, %1131 : tensor<64x14x14x256xf32>
    %1133 = stablehlo.multiply %1132, %1132 : tensor<64x14x14x256xf32>
    %cst_279 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1134 = stablehlo.broadcast_in_dim %cst_279, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
    %1135 = stablehlo.multiply %1134, %1132 : tensor<64x14x14x256xf32>
    %cst_280 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1136 = stablehlo.reduce(%1133 init: %cst_280) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %cst_281 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %1137 = stablehlo.broadcast_in_dim %cst_281, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %1138 = stablehlo.divide %1136, %1137 : tensor<256xf32>
    %cst_282 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1139 = stablehlo.broadcast_in_dim %cst_282, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %1140 = stablehlo.add %1138, %1139 : tensor<256xf32>
    %1141 = stablehlo.rsqrt %1140 : tensor<256xf32>
    %1142 = stablehlo.divide %1141, %1140 : tensor<256xf32>
    %cst_283 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %1143 = stablehlo.broadcast_in_dim %cst_283, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %1144 = stablehlo.multiply %1143, %1142 : tensor<256xf32>
    %1145 = stablehlo.multiply %1141, %arg108 : tensor<256xf32>
    %1146 = stablehlo.broadcast_in_dim %1145, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %1147 = stablehlo.broadcast_in_dim %1146, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %1148 = stablehlo.multiply %1129, %1147 : tensor<64x14x14x256xf32>
    %1149 = stablehlo.broadcast_in_dim %arg109, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %1150 = stablehlo.broadcast_in_dim %1149, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %1151 = stablehlo.add %1148, %1150 : tensor<64x14x14x256xf32>
    %1152 = call @relu_6(%1151) : (tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xf32>
    %cst_284 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1153 = stablehlo.broadcast_in_dim %cst_284, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
    %1154 = stablehlo.compare GT, %1151, %1153, FLOAT : (tensor<64x14x14x256xf32>, tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xi1>
    %1155 = stablehlo.convolution(%1152, %arg110) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<1x1x256x1024xf32>) -> tensor<64x14x14x1024xf32>
    %cst_285 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1156 = stablehlo.reduce(%1155 init: %cst_285) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %cst_286 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %1157 = stablehlo.broadcast_in_dim %cst_286, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %1158 = stablehlo.divide %1156, %1157 : tensor<1024xf32>
    %1159 = stablehlo.broadcast_in_dim %1158, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %1160 = stablehlo.broadcast_in_dim %1159, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
    %1161 = stablehlo.subtract %1155, %1160 : tensor<64x14x14x1024xf32>
    %1162 = stablehlo.broadcast_in_dim %1158, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %1163 = stablehlo.broadcast_in_dim %1162, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
    %1164 = stablehlo.subtract %1155, %1163 : tensor<64x14x14x1024xf32>
    %1165 = stablehlo.multiply %1164, %1164 : tensor<64x14x14x1024xf32>
    %cst_287 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1166 = stablehlo.broadcast_in_dim %cst_287, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
    %1167 = stablehlo.multiply %1166, %1164 : tensor<64x14x14x1024xf32>
    %cst_288 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1168 = stablehlo.reduce(%1165 init: %cst_288) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %cst_289 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %1169 = stablehlo.broadcast_in_dim %cst_289, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %1170 = stablehlo.divide %1168, %1169 : tensor<1024xf32>
    %cst_290 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1171 = stablehlo.broadcast_in_dim %cst_290, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %1172 = stablehlo.add %1170, %1171 : tensor<1024xf32>
    %1173 = stablehlo.rsqrt %1172 : tensor<1024xf32>
    %1174 = stablehlo.divide %1173, %1172 : tensor<1024xf32>
    %cst_291 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %1175 = stablehlo.broadcast_in_dim %cst_291, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %1176 = stablehlo.multiply %1175, %1174 : tensor<1024xf32>
    %1177 = stablehlo.multiply %1173, %arg111 : tensor<1024xf32>
    %1178 = stablehlo.broadcast_in_dim %1177, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %1179 = stablehlo.broadcast_in_dim %1178, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
    %1180 = stablehlo.multiply %1161, %1179 : tensor<64x14x14x1024xf32>
    %1181 = stablehlo.broadcast_in_dim %arg112, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %1182 = stablehlo.broadcast_in_dim %1181, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
    %1183 = stablehlo.add %1180, %1182 : tensor<64x14x14x1024xf32>
    %1184 = stablehlo.add %1183, %1088 : tensor<64x14x14x1024xf32>
    %1185 = call @relu_7(%1184) : (tensor<64x14x14x1024xf32>) -> tensor<64x14x14x1024xf32>
    %cst_292 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1186 = stablehlo.broadcast_in_dim %cst_292, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
    %1187 = stablehlo.compare GT, %1184, %1186, FLOAT : (tensor<64x14x14x1024xf32>, tensor<64x14x14x1024xf32>) -> tensor<64x14x14x1024xi1>
    %1188 = stablehlo.convolution(%1185, %arg113) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<1x1x1024x256xf32>) -> tensor<64x14x14x256xf32>
    %cst_293 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1189 = stablehlo.reduce(%1188 init: %cst_293) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %cst_294 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %1190 = stablehlo.broadcast_in_dim %cst_294, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %1191 = stablehlo.divide %1189, %1190 : tensor<256xf32>
    %1192 = stablehlo.broadcast_in_dim %1191, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %1193 = stablehlo.broadcast_in_dim %1192, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %1194 = stablehlo.subtract %1188, %1193 : tensor<64x14x14x256xf32>
    %1195 = stablehlo.broadcast_in_dim %1191, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %1196 = stablehlo.broadcast_in_dim %1195, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %1197 = stablehlo.subtract %1188, %1196 : tensor<64x14x14x256xf32>
    %1198 = stablehlo.multiply %1197, %1197 : tensor<64x14x14x256xf32>
    %cst_295 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1199 = stablehlo.broadcast_in_dim %cst_295, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
    %1200 = stablehlo.multiply %1199, %1197 : tensor<64x14x14x256xf32>
    %cst_296 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1201 = stablehlo.reduce(%1198 init: %cst_296) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %cst_297 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %1202 = stablehlo.broadcast_in_dim %cst_297, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %1203 = stablehlo.divide %1201, %1202 : tensor<256xf32>
    %cst_298 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1204 = stablehlo.broadcast_in_dim %cst_298, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %1205 = stablehlo.add %1203, %1204 : tensor<256xf32>
    %1206 = stablehlo.rsqrt %1205 : tensor<256xf32>
    %1207 = stablehlo.divide %1206, %1205 : tensor<256xf32>
    %cst_299 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %1208 = stablehlo.broadcast_in_dim %cst_299, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %1209 = stablehlo.multiply %1208, %1207 : tensor<256xf32>
    %1210 = stablehlo.multiply %1206, %arg114 : tensor<256xf32>
    %1211 = stablehlo.broadcast_in_dim %1210, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %1212 = stablehlo.broadcast_in_dim %1211, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %1213 = stablehlo.multiply %1194, %1212 : tensor<64x14x14x256xf32>
    %1214 = stablehlo.broadcast_in_dim %arg115, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %1215 = stablehlo.broadcast_in_dim %1214, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %1216 = stablehlo.add %1213, %1215 : tensor<64x14x14x256xf32>
    %1217 = call @relu_6(%1216) : (tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xf32>
    %cst_300 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1218 = stablehlo.broadcast_in_dim %cst_300, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
    %1219 = stablehlo.compare GT, %1216, %1218, FLOAT : (tensor<64x14x14x256xf32>, tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xi1>
    %1220 = stablehlo.convolution(%1217, %arg116) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<3x3x256x256xf32>) -> tensor<64x14x14x256xf32>
    %cst_301 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1221 = stablehlo.reduce(%1220 init: %cst_301) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %cst_302 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %1222 = stablehlo.broadcast_in_dim %cst_302, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %1223 = stablehlo.divide %1221, %1222 : tensor<256xf32>
    %1224 = stablehlo.broadcast_in_dim %1223, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %1225 = stablehlo.broadcast_in_dim %1224, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %1226 = stablehlo.subtract %1220, %1225 : tensor<64x14x14x256xf32>
    %1227 = stablehlo.broadcast_in_dim %1223, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %1228 = stablehlo.broadcast_in_dim %1227, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %1229 = stablehlo.subtract %1220, %1228 : tensor<64x14x14x256xf32>
    %1230 = stablehlo.multiply %1229, %1229 : tensor<64x14x14x256xf32>
    %cst_303 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1231 = stablehlo.broadcast_in_dim %cst_303, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
    %1232 = stablehlo.multiply %1231, %1229 : tensor<64x14x14x256xf32>
    %cst_304 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1233 = stablehlo.reduce(%1230 init: %cst_304) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %cst_305 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %1234 = stablehlo.broadcast_in_dim %cst_305, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %1235 = stablehlo.divide %1233, %1234 : tensor<256xf32>
    %cst_306 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1236 = stablehlo.broadcast_in_dim %cst_306, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %1237 = stablehlo.add %1235, %1236 : tensor<256xf32>
    %1238 = stablehlo.rsqrt %1237 : tensor<256xf32>
    %1239 = stablehlo.divide %1238, %1237 : tensor<256xf32>
    %cst_307 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %1240 = stablehlo.broadcast_in_dim %cst_307, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %1241 = stablehlo.multiply %1240, %1239 : tensor<256xf32>
    %1242 = stablehlo.multiply %1238, %arg117 : tensor<256xf32>
    %1243 = stablehlo.broadcast_in_dim %1242, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %1244 = stablehlo.broadcast_in_dim %1243, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %1245 = stablehlo.multiply %1226, %1244 : tensor<64x14x14x256xf32>
    %1246 = stablehlo.broadcast_in_dim %arg118, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %1247 = stablehlo.broadcast_in_dim %1246, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %1248 = stablehlo.add %1245, %1247 : tensor<64x14x14x256xf32>
    %1249 = call @relu_6(%1248) : (tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xf32>
    %cst_308 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1250 = stablehlo.broadcast_in_dim %cst_308, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
    %1251 = stablehlo.compare GT, %1248, %1250, FLOAT : (tensor<64x14x14x256xf32>, tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xi1>
    %1252 = stablehlo.convolution(%1249, %arg119) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<1x1x256x1024xf32>) -> tensor<64x14x14x1024xf32>
    %cst_309 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1253 = stablehlo.reduce(%1252 init: %cst_309) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %cst_310 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %1254 = stablehlo.broadcast_in_dim %cst_310, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %1255 = stablehlo.divide %1253, %1254 : tensor<1024xf32>
    %1256 = stablehlo.broadcast_in_dim %1255, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %1257 = stablehlo.broadcast_in_dim %1256, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
    %1258 = stablehlo.subtract %1252, %1257 : tensor<64x14x14x1024xf32>
    %1259 = stablehlo.broadcast_in_dim %1255, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %1260 = stablehlo.broadcast_in_dim %1259, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
    %1261 = stablehlo.subtract %1252, %1260 : tensor<64x14x14x1024xf32>
    %1262 = stablehlo.multiply %1261, %1261 : tensor<64x14x14x1024xf32>
    %cst_311 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1263 = stablehlo.broadcast_in_dim %cst_311, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
    %1264 = stablehlo.multiply %1263, %1261 : tensor<64x14x14x1024xf32>
    %cst_312 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1265 = stablehlo.reduce(%1262 init: %cst_312) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %cst_313 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %1266 = stablehlo.broadcast_in_dim %cst_313, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %1267 = stablehlo.divide %1265, %1266 : tensor<1024xf32>
    %cst_314 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1268 = stablehlo.broadcast_in_dim %cst_314, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %1269 = stablehlo.add %1267, %1268 : tensor<1024xf32>
    %1270 = stablehlo.rsqrt %1269 : tensor<1024xf32>
    %1271 = stablehlo.divide %1270, %1269 : tensor<1024xf32>
    %cst_315 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %1272 = stablehlo.broadcast_in_dim %cst_315, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %1273 = stablehlo.multiply %1272, %1271 : tensor<1024xf32>
    %1274 = stablehlo.multiply %1270, %arg120 : tensor<1024xf32>
    %1275 = stablehlo.broadcast_in_dim %1274, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %1276 = stablehlo.broadcast_in_dim %1275, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
    %1277 = stablehlo.multiply %1258, %1276 : tensor<64x14x14x1024xf32>
    %1278 = stablehlo.broadcast_in_dim %arg121, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %1279 = stablehlo.broadcast_in_dim %1278, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
    %1280 = stablehlo.add %1277, %1279 : tensor<64x14x14x1024xf32>
    %1281 = stablehlo.add %1280, %1185 : tensor<64x14x14x1024xf32>
    %1282 = call @relu_7(%1281) : (tensor<64x14x14x1024xf32>) -> tensor<64x14x14x1024xf32>
    %cst_316 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1283 = stablehlo.broadcast_in_dim %cst_316, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
    %1284 = stablehlo.compare GT, %1281, %1283, FLOAT : (tensor<64x14x14x1024xf32>, tensor<64x14x14x1024xf32>) -> tensor<64x14x14x1024xi1>
    %1285 = stablehlo.convolution(%1282, %arg122) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<1x1x1024x256xf32>) -> tensor<64x14x14x256xf32>
    %cst_317 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1286 = stablehlo.reduce(%1285 init: %cst_317) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %cst_318 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %1287 = stablehlo.broadcast_in_dim %cst_318, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %1288 = stablehlo.divide %1286, %1287 : tensor<256xf32>
    %1289 = stablehlo.broadcast_in_dim %1288, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %1290 = stablehlo.broadcast_in_dim %1289, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %1291 = stablehlo.subtract %1285, %1290 : tensor<64x14x14x256xf32>
    %1292 = stablehlo.broadcast_in_dim %1288, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %1293 = stablehlo.broadcast_in_dim %1292, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %1294 = stablehlo.subtract %1285, %1293 : tensor<64x14x14x256xf32>
    %1295 = stablehlo.multiply %1294, %1294 : tensor<64x14x14x256xf32>
    %cst_319 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1296 = stablehlo.broadcast_in_dim %cst_319, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
    %1297 = stablehlo.multiply %1296, %1294 : tensor<64x14x14x256xf32>
    %cst_320 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1298 = stablehlo.reduce(%1295 init: %cst_320) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %cst_321 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %1299 = stablehlo.broadcast_in_dim %cst_321, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %1300 = stablehlo.divide %1298, %1299 : tensor<256xf32>
    %cst_322 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1301 = stablehlo.broadcast_in_dim %cst_322, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %1302 = stablehlo.add %1300, %1301 : tensor<256xf32>
    %1303 = stablehlo.rsqrt %1302 : tensor<256xf32>
    %1304 = stablehlo.divide %1303, %1302 : tensor<256xf32>
    %cst_323 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %1305 = stablehlo.broadcast_in_dim %cst_323, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %1306 = stablehlo.multiply %1305, %1304 : tensor<256xf32>
    %1307 = stablehlo.multiply %1303, %arg123 : tensor<256xf32>
    %1308 = stablehlo.broadcast_in_dim %1307, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %1309 = stablehlo.broadcast_in_dim %1308, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %1310 = stablehlo.multiply %1291, %1309 : tensor<64x14x14x256xf32>
    %1311 = stablehlo.broadcast_in_dim %arg124, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %1312 = stablehlo.broadcast_in_dim %1311, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %1313 = stablehlo.add %1310, %1312 : tensor<64x14x14x256xf32>
    %1314 = call @relu_6(%1313) : (tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xf32>
    %cst_324 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1315 = stablehlo.broadcast_in_dim %cst_324, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
    %1316 = stablehlo.compare GT, %1313, %1315, FLOAT : (tensor<64x14x14x256xf32>, tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xi1>
    %1317 = stablehlo.convolution(%1314, %arg125) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<3x3x256x256xf32>) -> tensor<64x14x14x256xf32>
    %cst_325 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1318 = stablehlo.reduce(%1317 init: %cst_325) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %cst_326 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %1319 = stablehlo.broadcast_in_dim %cst_326, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %1320 = stablehlo.divide %1318, %1319 : tensor<256xf32>
    %1321 = stablehlo.broadcast_in_dim %1320, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %1322 = stablehlo.broadcast_in_dim %1321, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %1323 = stablehlo.subtract %1317, %1322 : tensor<64x14x14x256xf32>
    %1324 = stablehlo.broadcast_in_dim %1320, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %1325 = stablehlo.broadcast_in_dim %1324, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %1326 = stablehlo.subtract %1317, %1325 : tensor<64x14x14x256xf32>
    %1327 = stablehlo.multiply %1326, %1326 : tensor<64x14x14x256xf32>
    %cst_327 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1328 = stablehlo.broadcast_in_dim %cst_327, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
    %1329 = stablehlo.multiply %1328, %1326 : tensor<64x14x14x256xf32>
    %cst_328 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1330 = stablehlo.reduce(%1327 init: %cst_328) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %cst_329 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %1331 = stablehlo.broadcast_in_dim %cst_329, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %1332 = stablehlo.divide %1330, %1331 : tensor<256xf32>
    %cst_330 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1333 = stablehlo.broadcast_in_dim %cst_330, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %1334 = stablehlo.add %1332, %1333 : tensor<256xf32>
    %1335 = stablehlo.rsqrt %1334 : tensor<256xf32>
    %1336 = stablehlo.divide %1335, %1334 : tensor<256xf32>
    %cst_331 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %1337 = stablehlo.broadcast_in_dim %cst_331, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %1338 = stablehlo.multiply %1337, %1336 : tensor<256xf32>
    %1339 = stablehlo.multiply %1335, %arg126 : tensor<256xf32>
    %1340 = stablehlo.broadcast_in_dim %1339, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %1341 = stablehlo.broadcast_in_dim %1340, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %1342 = stablehlo.multiply %1323, %1341 : tensor<64x14x14x256xf32>
    %1343 = stablehlo.broadcast_in_dim %arg127, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %1344 = stablehlo.broadcast_in_dim %1343, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %1345 = stablehlo.add %1342, %1344 : tensor<64x14x14x256xf32>
    %1346 = call @relu_6(%1345) : (tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xf32>
    %cst_332 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1347 = stablehlo.broadcast_in_dim %cst_332, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
    %1348 = stablehlo.compare GT, %1345, %1347, FLOAT : (tensor<64x14x14x256xf32>, tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xi1>
    %1349 = stablehlo.convolution(%1346, %arg128) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<1x1x256x1024xf32>) -> tensor<64x14x14x1024xf32>
    %cst_333 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1350 = stablehlo.reduce(%1349 init: %cst_333) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %cst_334 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %1351 = stablehlo.broadcast_in_dim %cst_334, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %1352 = stablehlo.divide %1350, %1351 : tensor<1024xf32>
    %1353 = stablehlo.broadcast_in_dim %1352, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %1354 = stablehlo.broadcast_in_dim %1353, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
    %1355 = stablehlo.subtract %1349, %1354 : tensor<64x14x14x1024xf32>
    %1356 = stablehlo.broadcast_in_dim %1352, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %1357 = stablehlo.broadcast_in_dim %1356, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
    %1358 = stablehlo.subtract %1349, %1357 : tensor<64x14x14x1024xf32>
    %1359 = stablehlo.multiply %1358, %1358 : tensor<64x14x14x1024xf32>
    %cst_335 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1360 = stablehlo.broadcast_in_dim %cst_335, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
    %1361 = stablehlo.multiply %1360, %1358 : tensor<64x14x14x1024xf32>
    %cst_336 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1362 = stablehlo.reduce(%1359 init: %cst_336) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %cst_337 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %1363 = stablehlo.broadcast_in_dim %cst_337, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %1364 = stablehlo.divide %1362, %1363 : tensor<1024xf32>
    %cst_338 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1365 = stablehlo.broadcast_in_dim %cst_338, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %1366 = stablehlo.add %1364, %1365 : tensor<1024xf32>
    %1367 = stablehlo.rsqrt %1366 : tensor<1024xf32>
    %1368 = stablehlo.divide %1367, %1366 : tensor<1024xf32>
    %cst_339 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %1369 = stablehlo.broadcast_in_dim %cst_339, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %1370 = stablehlo.multiply %1369, %1368 : tensor<1024xf32>
    %1371 = stablehlo.multiply %1367, %arg129 : tensor<1024xf32>
    %1372 = stablehlo.broadcast_in_dim %1371, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %1373 = stablehlo.broadcast_in_dim %1372, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
    %1374 = stablehlo.multiply %1355, %1373 : tensor<64x14x14x1024xf32>
    %1375 = stablehlo.broadcast_in_dim %arg130, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %1376 = stablehlo.broadcast_in_dim %1375, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
    %1377 = stablehlo.add %1374, %1376 : tensor<64x14x14x1024xf32>
    %1378 = stablehlo.add %1377, %1282 : tensor<64x14x14x1024xf32>
    %1379 = call @relu_7(%1378) : (tensor<64x14x14x1024xf32>) -> tensor<64x14x14x1024xf32>
    %cst_340 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1380 = stablehlo.broadcast_in_dim %cst_340, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
    %1381 = stablehlo.compare GT, %1378, %1380, FLOAT : (tensor<64x14x14x1024xf32>, tensor<64x14x14x1024xf32>) -> tensor<64x14x14x1024xi1>
    %1382 = stablehlo.convolution(%1379, %arg131) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<1x1x1024x512xf32>) -> tensor<64x14x14x512xf32>
    %cst_341 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1383 = stablehlo.reduce(%1382 init: %cst_341) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x512xf32>, tensor<f32>) -> tensor<512xf32>
    %cst_342 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %1384 = stablehlo.broadcast_in_dim %cst_342, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1385 = stablehlo.divide %1383, %1384 : tensor<512xf32>
    %1386 = stablehlo.broadcast_in_dim %1385, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %1387 = stablehlo.broadcast_in_dim %1386, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x14x14x512xf32>
    %1388 = stablehlo.subtract %1382, %1387 : tensor<64x14x14x512xf32>
    %1389 = stablehlo.broadcast_in_dim %1385, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %1390 = stablehlo.broadcast_in_dim %1389, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x14x14x512xf32>
    %1391 = stablehlo.subtract %1382, %1390 : tensor<64x14x14x512xf32>
    %1392 = stablehlo.multiply %1391, %1391 : tensor<64x14x14x512xf32>
    %cst_343 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1393 = stablehlo.broadcast_in_dim %cst_343, dims = [] : (tensor<f32>) -> tensor<64x14x14x512xf32>
    %1394 = stablehlo.multiply %1393, %1391 : tensor<64x14x14x512xf32>
    %cst_344 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1395 = stablehlo.reduce(%1392 init: %cst_344) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x512xf32>, tensor<f32>) -> tensor<512xf32>
    %cst_345 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %1396 = stablehlo.broadcast_in_dim %cst_345, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1397 = stablehlo.divide %1395, %1396 : tensor<512xf32>
    %cst_346 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1398 = stablehlo.broadcast_in_dim %cst_346, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1399 = stablehlo.add %1397, %1398 : tensor<512xf32>
    %1400 = stablehlo.rsqrt %1399 : tensor<512xf32>
    %1401 = stablehlo.divide %1400, %1399 : tensor<512xf32>
    %cst_347 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %1402 = stablehlo.broadcast_in_dim %cst_347, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1403 = stablehlo.multiply %1402, %1401 : tensor<512xf32>
    %1404 = stablehlo.multiply %1400, %arg132 : tensor<512xf32>
    %1405 = stablehlo.broadcast_in_dim %1404, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %1406 = stablehlo.broadcast_in_dim %1405, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x14x14x512xf32>
    %1407 = stablehlo.multiply %1388, %1406 : tensor<64x14x14x512xf32>
    %1408 = stablehlo.broadcast_in_dim %arg133, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %1409 = stablehlo.broadcast_in_dim %1408, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x14x14x512xf32>
    %1410 = stablehlo.add %1407, %1409 : tensor<64x14x14x512xf32>
    %1411 = call @relu_8(%1410) : (tensor<64x14x14x512xf32>) -> tensor<64x14x14x512xf32>
    %cst_348 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1412 = stablehlo.broadcast_in_dim %cst_348, dims = [] : (tensor<f32>) -> tensor<64x14x14x512xf32>
    %1413 = stablehlo.compare GT, %1410, %1412, FLOAT : (tensor<64x14x14x512xf32>, tensor<64x14x14x512xf32>) -> tensor<64x14x14x512xi1>
    %1414 = stablehlo.convolution(%1411, %arg134) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x512xf32>, tensor<3x3x512x512xf32>) -> tensor<64x7x7x512xf32>
    %cst_349 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1415 = stablehlo.reduce(%1414 init: %cst_349) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
    %cst_350 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
    %1416 = stablehlo.broadcast_in_dim %cst_350, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1417 = stablehlo.divide %1415, %1416 : tensor<512xf32>
    %1418 = stablehlo.broadcast_in_dim %1417, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %1419 = stablehlo.broadcast_in_dim %1418, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
    %1420 = stablehlo.subtract %1414, %1419 : tensor<64x7x7x512xf32>
    %1421 = stablehlo.broadcast_in_dim %1417, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %1422 = stablehlo.broadcast_in_dim %1421, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
    %1423 = stablehlo.subtract %1414, %1422 : tensor<64x7x7x512xf32>
    %1424 = stablehlo.multiply %1423, %1423 : tensor<64x7x7x512xf32>
    %cst_351 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1425 = stablehlo.broadcast_in_dim %cst_351, dims = [] : (tensor<f32>) -> tensor<64x7x7x512xf32>
    %1426 = stablehlo.multiply %1425, %1423 : tensor<64x7x7x512xf32>
    %cst_352 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1427 = stablehlo.reduce(%1424 init: %cst_352) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
    %cst_353 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
    %1428 = stablehlo.broadcast_in_dim %cst_353, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1429 = stablehlo.divide %1427, %1428 : tensor<512xf32>
    %cst_354 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1430 = stablehlo.broadcast_in_dim %cst_354, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1431 = stablehlo.add %1429, %1430 : tensor<512xf32>
    %1432 = stablehlo.rsqrt %1431 : tensor<512xf32>
    %1433 = stablehlo.divide %1432, %1431 : tensor<512xf32>
    %cst_355 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %1434 = stablehlo.broadcast_in_dim %cst_355, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1435 = stablehlo.multiply %1434, %1433 : tensor<512xf32>
    %1436 = stablehlo.multiply %1432, %arg135 : tensor<512xf32>
    %1437 = stablehlo.broadcast_in_dim %1436, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %1438 = stablehlo.broadcast_in_dim %1437, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
    %1439 = stablehlo.multiply %1420, %1438 : tensor<64x7x7x512xf32>
    %1440 = stablehlo.broadcast_in_dim %arg136, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %1441 = stablehlo.broadcast_in_dim %1440, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
    %1442 = stablehlo.add %1439, %1441 : tensor<64x7x7x512xf32>
    %1443 = call @relu_9(%1442) : (tensor<64x7x7x512xf32>) -> tensor<64x7x7x512xf32>
    %cst_356 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1444 = stablehlo.broadcast_in_dim %cst_356, dims = [] : (tensor<f32>) -> tensor<64x7x7x512xf32>
    %1445 = stablehlo.compare GT, %1442, %1444, FLOAT : (tensor<64x7x7x512xf32>, tensor<64x7x7x512xf32>) -> tensor<64x7x7x512xi1>
    %1446 = stablehlo.convolution(%1443, %arg137) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x512xf32>, tensor<1x1x512x2048xf32>) -> tensor<64x7x7x2048xf32>
    %cst_357 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1447 = stablehlo.reduce(%1446 init: %cst_357) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %cst_358 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
    %1448 = stablehlo.broadcast_in_dim %cst_358, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %1449 = stablehlo.divide %1447, %1448 : tensor<2048xf32>
    %1450 = stablehlo.broadcast_in_dim %1449, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %1451 = stablehlo.broadcast_in_dim %1450, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
    %1452 = stablehlo.subtract %1446, %1451 : tensor<64x7x7x2048xf32>
    %1453 = stablehlo.broadcast_in_dim %1449, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %1454 = stablehlo.broadcast_in_dim %1453, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
    %1455 = stablehlo.subtract %1446, %1454 : tensor<64x7x7x2048xf32>
    %1456 = stablehlo.multiply %1455, %1455 : tensor<64x7x7x2048xf32>
    %cst_359 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1457 = stablehlo.broadcast_in_dim %cst_359, dims = [] : (tensor<f32>) -> tensor<64x7x7x2048xf32>
    %1458 = stablehlo.multiply %1457, %1455 : tensor<64x7x7x2048xf32>
    %cst_360 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1459 = stablehlo.reduce(%1456 init: %cst_360) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %cst_361 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
    %1460 = stablehlo.broadcast_in_dim %cst_361, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %1461 = stablehlo.divide %1459, %1460 : tensor<2048xf32>
    %cst_362 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1462 = stablehlo.broadcast_in_dim %cst_362, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %1463 = stablehlo.add %1461, %1462 : tensor<2048xf32>
    %1464 = stablehlo.rsqrt %1463 : tensor<2048xf32>
    %1465 = stablehlo.divide %1464, %1463 : tensor<2048xf32>
    %cst_363 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %1466 = stablehlo.broadcast_in_dim %cst_363, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %1467 = stablehlo.multiply %1466, %1465 : tensor<2048xf32>
    %1468 = stablehlo.multiply %1464, %arg138 : tensor<2048xf32>
    %1469 = stablehlo.broadcast_in_dim %1468, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %1470 = stablehlo.broadcast_in_dim %1469, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
    %1471 = stablehlo.multiply %1452, %1470 : tensor<64x7x7x2048xf32>
    %1472 = stablehlo.broadcast_in_dim %arg139, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %1473 = stablehlo.broadcast_in_dim %1472, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
    %1474 = stablehlo.add %1471, %1473 : tensor<64x7x7x2048xf32>
    %1475 = stablehlo.convolution(%1379, %arg140) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<1x1x1024x2048xf32>) -> tensor<64x7x7x2048xf32>
    %cst_364 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1476 = stablehlo.reduce(%1475 init: %cst_364) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %cst_365 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
    %1477 = stablehlo.broadcast_in_dim %cst_365, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %1478 = stablehlo.divide %1476, %1477 : tensor<2048xf32>
    %1479 = stablehlo.broadcast_in_dim %1478, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %1480 = stablehlo.broadcast_in_dim %1479, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
    %1481 = stablehlo.subtract %1475, %1480 : tensor<64x7x7x2048xf32>
    %1482 = stablehlo.broadcast_in_dim %1478, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %1483 = stablehlo.broadcast_in_dim %1482, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
    %1484 = stablehlo.subtract %1475, %1483 : tensor<64x7x7x2048xf32>
    %1485 = stablehlo.multiply %1484, %1484 : tensor<64x7x7x2048xf32>
    %cst_366 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1486 = stablehlo.broadcast_in_dim %cst_366, dims = [] : (tensor<f32>) -> tensor<64x7x7x2048xf32>
    %1487 = stablehlo.multiply %1486, %1484 : tensor<64x7x7x2048xf32>
    %cst_367 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1488 = stablehlo.reduce(%1485 init: %cst_367) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %cst_368 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
    %1489 = stablehlo.broadcast_in_dim %cst_368, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %1490 = stablehlo.divide %1488, %1489 : tensor<2048xf32>
    %cst_369 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1491 = stablehlo.broadcast_in_dim %cst_369, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %1492 = stablehlo.add %1490, %1491 : tensor<2048xf32>
    %1493 = stablehlo.rsqrt %1492 : tensor<2048xf32>
    %1494 = stablehlo.divide %1493, %1492 : tensor<2048xf32>
    %cst_370 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %1495 = stablehlo.broadcast_in_dim %cst_370, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %1496 = stablehlo.multiply %1495, %1494 : tensor<2048xf32>
    %1497 = stablehlo.multiply %1493, %arg141 : tensor<2048xf32>
    %1498 = stablehlo.broadcast_in_dim %1497, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %1499 = stablehlo.broadcast_in_dim %1498, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
    %1500 = stablehlo.multiply %1481, %1499 : tensor<64x7x7x2048xf32>
    %1501 = stablehlo.broadcast_in_dim %arg142, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %1502 = stablehlo.broadcast_in_dim %1501, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
    %1503 = stablehlo.add %1500, %1502 : tensor<64x7x7x2048xf32>
    %1504 = stablehlo.add %1474, %1503 : tensor<64x7x7x2048xf32>
    %1505 = call @relu_10(%1504) : (tensor<64x7x7x2048xf32>) -> tensor<64x7x7x2048xf32>
    %cst_371 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1506 = stablehlo.broadcast_in_dim %cst_371, dims = [] : (tensor<f32>) -> tensor<64x7x7x2048xf32>
    %1507 = stablehlo.compare GT, %1504, %1506, FLOAT : (tensor<64x7x7x2048xf32>, tensor<64x7x7x2048xf32>) -> tensor<64x7x7x2048xi1>
    %1508 = stablehlo.convolution(%1505, %arg143) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x2048xf32>, tensor<1x1x2048x512xf32>) -> tensor<64x7x7x512xf32>
    %cst_372 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1509 = stablehlo.reduce(%1508 init: %cst_372) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
    %cst_373 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
    %1510 = stablehlo.broadcast_in_dim %cst_373, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1511 = stablehlo.divide %1509, %1510 : tensor<512xf32>
    %1512 = stablehlo.broadcast_in_dim %1511, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %1513 = stablehlo.broadcast_in_dim %1512, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
    %1514 = stablehlo.subtract %1508, %1513 : tensor<64x7x7x512xf32>
    %1515 = stablehlo.broadcast_in_dim %1511, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %1516 = stablehlo.broadcast_in_dim %1515, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
    %1517 = stablehlo.subtract %1508, %1516 : tensor<64x7x7x512xf32>
    %1518 = stablehlo.multiply %1517, %1517 : tensor<64x7x7x512xf32>
    %cst_374 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1519 = stablehlo.broadcast_in_dim %cst_374, dims = [] : (tensor<f32>) -> tensor<64x7x7x512xf32>
    %1520 = stablehlo.multiply %1519, %1517 : tensor<64x7x7x512xf32>
    %cst_375 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1521 = stablehlo.reduce(%1518 init: %cst_375) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
    %cst_376 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
    %1522 = stablehlo.broadcast_in_dim %cst_376, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1523 = stablehlo.divide %1521, %1522 : tensor<512xf32>
    %cst_377 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1524 = stablehlo.broadcast_in_dim %cst_377, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1525 = stablehlo.add %1523, %1524 : tensor<512xf32>
    %1526 = stablehlo.rsqrt %1525 : tensor<512xf32>
    %1527 = stablehlo.divide %1526, %1525 : tensor<512xf32>
    %cst_378 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %1528 = stablehlo.broadcast_in_dim %cst_378, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1529 = stablehlo.multiply %1528, %1527 : tensor<512xf32>
    %1530 = stablehlo.multiply %1526, %arg144 : tensor<512xf32>
    %1531 = stablehlo.broadcast_in_dim %1530, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %1532 = stablehlo.broadcast_in_dim %1531, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
    %1533 = stablehlo.multiply %1514, %1532 : tensor<64x7x7x512xf32>
    %1534 = stablehlo.broadcast_in_dim %arg145, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %1535 = stablehlo.broadcast_in_dim %1534, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
    %1536 = stablehlo.add %1533, %1535 : tensor<64x7x7x512xf32>
    %1537 = call @relu_9(%1536) : (tensor<64x7x7x512xf32>) -> tensor<64x7x7x512xf32>
    %cst_379 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1538 = stablehlo.broadcast_in_dim %cst_379, dims = [] : (tensor<f32>) -> tensor<64x7x7x512xf32>
    %1539 = stablehlo.compare GT, %1536, %1538, FLOAT : (tensor<64x7x7x512xf32>, tensor<64x7x7x512xf32>) -> tensor<64x7x7x512xi1>
    %1540 = stablehlo.convolution(%1537, %arg146) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x512xf32>, tensor<3x3x512x512xf32>) -> tensor<64x7x7x512xf32>
    %cst_380 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1541 = stablehlo.reduce(%1540 init: %cst_380) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
    %cst_381 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
    %1542 = stablehlo.broadcast_in_dim %cst_381, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1543 = stablehlo.divide %1541, %1542 : tensor<512xf32>
    %1544 = stablehlo.broadcast_in_dim %1543, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %1545 = stablehlo.broadcast_in_dim %1544, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
    %1546 = stablehlo.subtract %1540, %1545 : tensor<64x7x7x512xf32>
    %1547 = stablehlo.broadcast_in_dim %1543, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %1548 = stablehlo.broadcast_in_dim %1547, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
    %1549 = stablehlo.subtract %1540, %1548 : tensor<64x7x7x512xf32>
    %1550 = stablehlo.multiply %1549, %1549 : tensor<64x7x7x512xf32>
    %cst_382 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1551 = stablehlo.broadcast_in_dim %cst_382, dims = [] : (tensor<f32>) -> tensor<64x7x7x512xf32>
    %1552 = stablehlo.multiply %1551, %1549 : tensor<64x7x7x512xf32>
    %cst_383 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1553 = stablehlo.reduce(%1550 init: %cst_383) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
    %cst_384 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
    %1554 = stablehlo.broadcast_in_dim %cst_384, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1555 = stablehlo.divide %1553, %1554 : tensor<512xf32>
    %cst_385 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1556 = stablehlo.broadcast_in_dim %cst_385, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1557 = stablehlo.add %1555, %1556 : tensor<512xf32>
    %1558 = stablehlo.rsqrt %1557 : tensor<512xf32>
    %1559 = stablehlo.divide %1558, %1557 : tensor<512xf32>
    %cst_386 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %1560 = stablehlo.broadcast_in_dim %cst_386, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1561 = stablehlo.multiply %1560, %1559 : tensor<512xf32>
    %1562 = stablehlo.multiply %1558, %arg147 : tensor<512xf32>
    %1563 = stablehlo.broadcast_in_dim %1562, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %1564 = stablehlo.broadcast_in_dim %1563, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
    %1565 = stablehlo.multiply %1546, %1564 : tensor<64x7x7x512xf32>
    %1566 = stablehlo.broadcast_in_dim %arg148, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %1567 = stablehlo.broadcast_in_dim %1566, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
    %1568 = stablehlo.add %1565, %1567 : tensor<64x7x7x512xf32>
    %1569 = call @relu_9(%1568) : (tensor<64x7x7x512xf32>) -> tensor<64x7x7x512xf32>
    %cst_387 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1570 = stablehlo.broadcast_in_dim %cst_387, dims = [] : (tensor<f32>) -> tensor<64x7x7x512xf32>
    %1571 = stablehlo.compare GT, %1568, %1570, FLOAT : (tensor<64x7x7x512xf32>, tensor<64x7x7x512xf32>) -> tensor<64x7x7x512xi1>
    %1572 = stablehlo.convolution(%1569, %arg149) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x512xf32>, tensor<1x1x512x2048xf32>) -> tensor<64x7x7x2048xf32>
    %cst_388 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1573 = stablehlo.reduce(%1572 init: %cst_388) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %cst_389 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
    %1574 = stablehlo.broadcast_in_dim %cst_389, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %1575 = stablehlo.divide %1573, %1574 : tensor<2048xf32>
    %1576 = stablehlo.broadcast_in_dim %1575, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %1577 = stablehlo.broadcast_in_dim %1576, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
    %1578 = stablehlo.subtract %1572, %1577 : tensor<64x7x7x2048xf32>
    %1579 = stablehlo.broadcast_in_dim %1575, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %1580 = stablehlo.broadcast_in_dim %1579, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
    %1581 = stablehlo.subtract %1572, %1580 : tensor<64x7x7x2048xf32>
    %1582 = stablehlo.multiply %1581, %1581 : tensor<64x7x7x2048xf32>
    %cst_390 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1583 = stablehlo.broadcast_in_dim %cst_390, dims = [] : (tensor<f32>) -> tensor<64x7x7x2048xf32>
    %1584 = stablehlo.multiply %1583, %1581 : tensor<64x7x7x2048xf32>
    %cst_391 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1585 = stablehlo.reduce(%1582 init: %cst_391) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %cst_392 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
    %1586 = stablehlo.broadcast_in_dim %cst_392, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %1587 = stablehlo.divide %1585, %1586 : tensor<2048xf32>
    %cst_393 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1588 = stablehlo.broadcast_in_dim %cst_393, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %1589 = stablehlo.add %1587, %1588 : tensor<2048xf32>
    %1590 = stablehlo.rsqrt %1589 : tensor<2048xf32>
    %1591 = stablehlo.divide %1590, %1589 : tensor<2048xf32>
    %cst_394 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %1592 = stablehlo.broadcast_in_dim %cst_394, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %1593 = stablehlo.multiply %1592, %1591 : tensor<2048xf32>
    %1594 = stablehlo.multiply %1590, %arg150 : tensor<2048xf32>
    %1595 = stablehlo.broadcast_in_dim %1594, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %1596 = stablehlo.broadcast_in_dim %1595, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
    %1597 = stablehlo.multiply %1578, %1596 : tensor<64x7x7x2048xf32>
    %1598 = stablehlo.broadcast_in_dim %arg151, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %1599 = stablehlo.broadcast_in_dim %1598, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
    %1600 = stablehlo.add %1597, %1599 : tensor<64x7x7x2048xf32>
    %1601 = stablehlo.add %1600, %1505 : tensor<64x7x7x2048xf32>
    %1602 = call @relu_10(%1601) : (tensor<64x7x7x2048xf32>) -> tensor<64x7x7x2048xf32>
    %cst_395 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1603 = stablehlo.broadcast_in_dim %cst_395, dims = [] : (tensor<f32>) -> tensor<64x7x7x2048xf32>
    %1604 = stablehlo.compare GT, %1601, %1603, FLOAT : (tensor<64x7x7x2048xf32>, tensor<64x7x7x2048xf32>) -> tensor<64x7x7x2048xi1>
    %1605 = stablehlo.convolution(%1602, %arg152) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x2048xf32>, tensor<1x1x2048x512xf32>) -> tensor<64x7x7x512xf32>
    %cst_396 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1606 = stablehlo.reduce(%1605 init: %cst_396) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
    %cst_397 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
    %1607 = stablehlo.broadcast_in_dim %cst_397, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1608 = stablehlo.divide %1606, %1607 : tensor<512xf32>
    %1609 = stablehlo.broadcast_in_dim %1608, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %1610 = stablehlo.broadcast_in_dim %1609, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
    %1611 = stablehlo.subtract %1605, %1610 : tensor<64x7x7x512xf32>
    %1612 = stablehlo.broadcast_in_dim %1608, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %1613 = stablehlo.broadcast_in_dim %1612, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
    %1614 = stablehlo.subtract %1605, %1613 : tensor<64x7x7x512xf32>
    %1615 = stablehlo.multiply %1614, %1614 : tensor<64x7x7x512xf32>
    %cst_398 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1616 = stablehlo.broadcast_in_dim %cst_398, dims = [] : (tensor<f32>) -> tensor<64x7x7x512xf32>
    %1617 = stablehlo.multiply %1616, %1614 : tensor<64x7x7x512xf32>
    %cst_399 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1618 = stablehlo.reduce(%1615 init: %cst_399) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
    %cst_400 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
    %1619 = stablehlo.broadcast_in_dim %cst_400, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1620 = stablehlo.divide %1618, %1619 : tensor<512xf32>
    %cst_401 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1621 = stablehlo.broadcast_in_dim %cst_401, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1622 = stablehlo.add %1620, %1621 : tensor<512xf32>
    %1623 = stablehlo.rsqrt %1622 : tensor<512xf32>
    %1624 = stablehlo.divide %1623, %1622 : tensor<512xf32>
    %cst_402 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %1625 = stablehlo.broadcast_in_dim %cst_402, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1626 = stablehlo.multiply %1625, %1624 : tensor<512xf32>
    %1627 = stablehlo.multiply %1623, %arg153 : tensor<512xf32>
    %1628 = stablehlo.broadcast_in_dim %1627, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %1629 = stablehlo.broadcast_in_dim %1628, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
    %1630 = stablehlo.multiply %1611, %1629 : tensor<64x7x7x512xf32>
    %1631 = stablehlo.broadcast_in_dim %arg154, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %1632 = stablehlo.broadcast_in_dim %1631, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
    %1633 = stablehlo.add %1630, %1632 : tensor<64x7x7x512xf32>
    %1634 = call @relu_9(%1633) : (tensor<64x7x7x512xf32>) -> tensor<64x7x7x512xf32>
    %cst_403 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1635 = stablehlo.broadcast_in_dim %cst_403, dims = [] : (tensor<f32>) -> tensor<64x7x7x512xf32>
    %1636 = stablehlo.compare GT, %1633, %1635, FLOAT : (tensor<64x7x7x512xf32>, tensor<64x7x7x512xf32>) -> tensor<64x7x7x512xi1>
    %1637 = stablehlo.convolution(%1634, %arg155) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x512xf32>, tensor<3x3x512x512xf32>) -> tensor<64x7x7x512xf32>
    %cst_404 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1638 = stablehlo.reduce(%1637 init: %cst_404) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
    %cst_405 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
    %1639 = stablehlo.broadcast_in_dim %cst_405, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1640 = stablehlo.divide %1638, %1639 : tensor<512xf32>
    %1641 = stablehlo.broadcast_in_dim %1640, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %1642 = stablehlo.broadcast_in_dim %1641, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
    %1643 = stablehlo.subtract %1637, %1642 : tensor<64x7x7x512xf32>
    %1644 = stablehlo.broadcast_in_dim %1640, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %1645 = stablehlo.broadcast_in_dim %1644, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
    %1646 = stablehlo.subtract %1637, %1645 : tensor<64x7x7x512xf32>
    %1647 = stablehlo.multiply %1646, %1646 : tensor<64x7x7x512xf32>
    %cst_406 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1648 = stablehlo.broadcast_in_dim %cst_406, dims = [] : (tensor<f32>) -> tensor<64x7x7x512xf32>
    %1649 = stablehlo.multiply %1648, %1646 : tensor<64x7x7x512xf32>
    %cst_407 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1650 = stablehlo.reduce(%1647 init: %cst_407) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
    %cst_408 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
    %1651 = stablehlo.broadcast_in_dim %cst_408, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1652 = stablehlo.divide %1650, %1651 : tensor<512xf32>
    %cst_409 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1653 = stablehlo.broadcast_in_dim %cst_409, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1654 = stablehlo.add %1652, %1653 : tensor<512xf32>
    %1655 = stablehlo.rsqrt %1654 : tensor<512xf32>
    %1656 = stablehlo.divide %1655, %1654 : tensor<512xf32>
    %cst_410 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %1657 = stablehlo.broadcast_in_dim %cst_410, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1658 = stablehlo.multiply %1657, %1656 : tensor<512xf32>
    %1659 = stablehlo.multiply %1655, %arg156 : tensor<512xf32>
    %1660 = stablehlo.broadcast_in_dim %1659, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %1661 = stablehlo.broadcast_in_dim %1660, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
    %1662 = stablehlo.multiply %1643, %1661 : tensor<64x7x7x512xf32>
    %1663 = stablehlo.broadcast_in_dim %arg157, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %1664 = stablehlo.broadcast_in_dim %1663, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
    %1665 = stablehlo.add %1662, %1664 : tensor<64x7x7x512xf32>
    %1666 = call @relu_9(%1665) : (tensor<64x7x7x512xf32>) -> tensor<64x7x7x512xf32>
    %cst_411 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1667 = stablehlo.broadcast_in_dim %cst_411, dims = [] : (tensor<f32>) -> tensor<64x7x7x512xf32>
    %1668 = stablehlo.compare GT, %1665, %1667, FLOAT : (tensor<64x7x7x512xf32>, tensor<64x7x7x512xf32>) -> tensor<64x7x7x512xi1>
    %1669 = stablehlo.convolution(%1666, %arg158) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x512xf32>, tensor<1x1x512x2048xf32>) -> tensor<64x7x7x2048xf32>
    %cst_412 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1670 = stablehlo.reduce(%1669 init: %cst_412) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %cst_413 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
    %1671 = stablehlo.broadcast_in_dim %cst_413, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %1672 = stablehlo.divide %1670, %1671 : tensor<2048xf32>
    %1673 = stablehlo.broadcast_in_dim %1672, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %1674 = stablehlo.broadcast_in_dim %1673, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
    %1675 = stablehlo.subtract %1669, %1674 : tensor<64x7x7x2048xf32>
    %1676 = stablehlo.broadcast_in_dim %1672, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %1677 = stablehlo.broadcast_in_dim %1676, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
    %1678 = stablehlo.subtract %1669, %1677 : tensor<64x7x7x2048xf32>
    %1679 = stablehlo.multiply %1678, %1678 : tensor<64x7x7x2048xf32>
    %cst_414 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1680 = stablehlo.broadcast_in_dim %cst_414, dims = [] : (tensor<f32>) -> tensor<64x7x7x2048xf32>
    %1681 = stablehlo.multiply %1680, %1678 : tensor<64x7x7x2048xf32>
    %cst_415 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1682 = stablehlo.reduce(%1679 init: %cst_415) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %cst_416 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
    %1683 = stablehlo.broadcast_in_dim %cst_416, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %1684 = stablehlo.divide %1682, %1683 : tensor<2048xf32>
    %cst_417 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1685 = stablehlo.broadcast_in_dim %cst_417, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %1686 = stablehlo.add %1684, %1685 : tensor<2048xf32>
    %1687 = stablehlo.rsqrt %1686 : tensor<2048xf32>
    %1688 = stablehlo.divide %1687, %1686 : tensor<2048xf32>
    %cst_418 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %1689 = stablehlo.broadcast_in_dim %cst_418, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %1690 = stablehlo.multiply %1689, %1688 : tensor<2048xf32>
    %1691 = stablehlo.multiply %1687, %arg159 : tensor<2048xf32>
    %1692 = stablehlo.broadcast_in_dim %1691, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %1693 = stablehlo.broadcast_in_dim %1692, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
    %1694 = stablehlo.multiply %1675, %1693 : tensor<64x7x7x2048xf32>
    %1695 = stablehlo.broadcast_in_dim %arg160, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %1696 = stablehlo.broadcast_in_dim %1695, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
    %1697 = stablehlo.add %1694, %1696 : tensor<64x7x7x2048xf32>
    %1698 = stablehlo.add %1697, %1602 : tensor<64x7x7x2048xf32>
    %1699 = call @relu_10(%1698) : (tensor<64x7x7x2048xf32>) -> tensor<64x7x7x2048xf32>
    %cst_419 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1700 = stablehlo.broadcast_in_dim %cst_419, dims = [] : (tensor<f32>) -> tensor<64x7x7x2048xf32>
    %1701 = stablehlo.compare GT, %1698, %1700, FLOAT : (tensor<64x7x7x2048xf32>, tensor<64x7x7x2048xf32>) -> tensor<64x7x7x2048xi1>
    %cst_420 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1702 = stablehlo.reduce(%1699 init: %cst_420) applies stablehlo.add across dimensions = [1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<64x2048xf32>
    %cst_421 = stablehlo.constant dense<4.900000e+01> : tensor<f32>
    %1703 = stablehlo.broadcast_in_dim %cst_421, dims = [] : (tensor<f32>) -> tensor<64x2048xf32>
    %1704 = stablehlo.divide %1702, %1703 : tensor<64x2048xf32>
    %1705 = stablehlo.dot_general %1704, %arg161, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x2048xf32>, tensor<2048x1000xf32>) -> tensor<64x1000xf32>
    %1706 = stablehlo.broadcast_in_dim %arg162, dims = [1] : (tensor<1000xf32>) -> tensor<1x1000xf32>
    %1707 = stablehlo.broadcast_in_dim %1706, dims = [0, 1] : (tensor<1x1000xf32>) -> tensor<64x1000xf32>
    %1708 = stablehlo.add %1705, %1707 : tensor<64x1000xf32>
    %1709:3 = call @log_softmax(%1708) : (tensor<64x1000xf32>) -> (tensor<64x1000xf32>, tensor<64x1000xf32>, tensor<64x1xf32>)
    %1710 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<64xi32>) -> tensor<64x1xi32>
    %1711:2 = call @take_along_axis(%1709#0, %1710) : (tensor<64x1000xf32>, tensor<64x1xi32>) -> (tensor<64x1xf32>, tensor<64x1x1xi32>)
    %cst_422 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1712 = stablehlo.reduce(%1711#0 init: %cst_422) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x1xf32>, tensor<f32>) -> tensor<f32>
    %cst_423 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %1713 = stablehlo.divide %1712, %cst_423 : tensor<f32>
    %1714 = stablehlo.negate %1713 : tensor<f32>
    %cst_424 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1715 = stablehlo.negate %cst_424 : tensor<f32>
    %cst_425 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %1716 = stablehlo.divide %1715, %cst_425 : tensor<f32>
    %1717 = stablehlo.broadcast_in_dim %1716, dims = [] : (tensor<f32>) -> tensor<64x1xf32>
    %1718 = call @take_along_axis_11(%1711#1, %1717) : (tensor<64x1x1xi32>, tensor<64x1xf32>) -> tensor<64x1000xf32>
    %1719 = call @log_softmax_12(%1709#1, %1709#2, %1718) : (tensor<64x1000xf32>, tensor<64x1xf32>, tensor<64x1000xf32>) -> tensor<64x1000xf32>
    %cst_426 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1720 = stablehlo.reduce(%1719 init: %cst_426) applies stablehlo.add across dimensions = [0] : (tensor<64x1000xf32>, tensor<f32>) -> tensor<1000xf32>
    %1721 = stablehlo.reshape %1720 : (tensor<1000xf32>) -> tensor<1x1000xf32>
    %cst_427 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1722 = stablehlo.reduce(%1721 init: %cst_427) applies stablehlo.add across dimensions = [0] : (tensor<1x1000xf32>, tensor<f32>) -> tensor<1000xf32>
    %1723 = stablehlo.dot_general %1719, %1704, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x1000xf32>, tensor<64x2048xf32>) -> tensor<1000x2048xf32>
    %1724 = stablehlo.transpose %1723, dims = [1, 0] : (tensor<1000x2048xf32>) -> tensor<2048x1000xf32>
    %1725 = stablehlo.dot_general %1719, %arg161, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<64x1000xf32>, tensor<2048x1000xf32>) -> tensor<64x2048xf32>
    %cst_428 = stablehlo.constant dense<4.900000e+01> : tensor<f32>
    %1726 = stablehlo.broadcast_in_dim %cst_428, dims = [] : (tensor<f32>) -> tensor<64x2048xf32>
    %1727 = stablehlo.divide %1725, %1726 : tensor<64x2048xf32>
    %1728 = stablehlo.broadcast_in_dim %1727, dims = [0, 3] : (tensor<64x2048xf32>) -> tensor<64x7x7x2048xf32>
    %cst_429 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1729 = stablehlo.broadcast_in_dim %cst_429, dims = [] : (tensor<f32>) -> tensor<64x7x7x2048xf32>
    %1730 = stablehlo.select %1701, %1728, %1729 : tensor<64x7x7x2048xi1>, tensor<64x7x7x2048xf32>
    %cst_430 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1731 = stablehlo.reduce(%1730 init: %cst_430) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %1732 = stablehlo.reshape %1731 : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %cst_431 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1733 = stablehlo.reduce(%1732 init: %cst_431) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %1734 = stablehlo.multiply %1675, %1730 : tensor<64x7x7x2048xf32>
    %cst_432 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1735 = stablehlo.reduce(%1734 init: %cst_432) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %1736 = stablehlo.reshape %1735 : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %1737 = stablehlo.broadcast_in_dim %1692, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
    %1738 = stablehlo.multiply %1730, %1737 : tensor<64x7x7x2048xf32>
    %cst_433 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1739 = stablehlo.reduce(%1736 init: %cst_433) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %1740 = stablehlo.multiply %1687, %1739 : tensor<2048xf32>
    %1741 = stablehlo.multiply %1739, %arg159 : tensor<2048xf32>
    %1742 = stablehlo.multiply %1741, %1690 : tensor<2048xf32>
    %cst_434 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
    %1743 = stablehlo.broadcast_in_dim %cst_434, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %1744 = stablehlo.divide %1742, %1743 : tensor<2048xf32>
    %1745 = stablehlo.broadcast_in_dim %1744, dims = [3] : (tensor<2048xf32>) -> tensor<64x7x7x2048xf32>
    %1746 = stablehlo.multiply %1745, %1681 : tensor<64x7x7x2048xf32>
    %1747 = stablehlo.negate %1746 : tensor<64x7x7x2048xf32>
    %cst_435 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1748 = stablehlo.reduce(%1747 init: %cst_435) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %1749 = stablehlo.reshape %1748 : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %cst_436 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1750 = stablehlo.reduce(%1749 init: %cst_436) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %1751 = stablehlo.negate %1738 : tensor<64x7x7x2048xf32>
    %cst_437 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1752 = stablehlo.reduce(%1751 init: %cst_437) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %1753 = stablehlo.reshape %1752 : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %cst_438 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1754 = stablehlo.reduce(%1753 init: %cst_438) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %1755 = stablehlo.add %1746, %1738 : tensor<64x7x7x2048xf32>
    %1756 = stablehlo.add %1750, %1754 : tensor<2048xf32>
    %cst_439 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
    %1757 = stablehlo.broadcast_in_dim %cst_439, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %1758 = stablehlo.divide %1756, %1757 : tensor<2048xf32>
    %1759 = stablehlo.broadcast_in_dim %1758, dims = [3] : (tensor<2048xf32>) -> tensor<64x7x7x2048xf32>
    %1760 = stablehlo.add %1755, %1759 : tensor<64x7x7x2048xf32>
    %1761 = stablehlo.convolution(%1666, %1760) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x512xf32>, tensor<64x7x7x2048xf32>) -> tensor<1x1x512x2048xf32>
    %1762 = stablehlo.reverse %arg158, dims = [0, 1] : tensor<1x1x512x2048xf32>
    %1763 = stablehlo.convolution(%1760, %1762) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x2048xf32>, tensor<1x1x512x2048xf32>) -> tensor<64x7x7x512xf32>
    %cst_440 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1764 = stablehlo.broadcast_in_dim %cst_440, dims = [] : (tensor<f32>) -> tensor<64x7x7x512xf32>
    %1765 = stablehlo.select %1668, %1763, %1764 : tensor<64x7x7x512xi1>, tensor<64x7x7x512xf32>
    %cst_441 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1766 = stablehlo.reduce(%1765 init: %cst_441) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
    %1767 = stablehlo.reshape %1766 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %cst_442 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1768 = stablehlo.reduce(%1767 init: %cst_442) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %1769 = stablehlo.multiply %1643, %1765 : tensor<64x7x7x512xf32>
    %cst_443 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1770 = stablehlo.reduce(%1769 init: %cst_443) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
    %1771 = stablehlo.reshape %1770 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %1772 = stablehlo.broadcast_in_dim %1660, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
    %1773 = stablehlo.multiply %1765, %1772 : tensor<64x7x7x512xf32>
    %cst_444 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1774 = stablehlo.reduce(%1771 init: %cst_444) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %1775 = stablehlo.multiply %1655, %1774 : tensor<512xf32>
    %1776 = stablehlo.multiply %1774, %arg156 : tensor<512xf32>
    %1777 = stablehlo.multiply %1776, %1658 : tensor<512xf32>
    %cst_445 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
    %1778 = stablehlo.broadcast_in_dim %cst_445, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1779 = stablehlo.divide %1777, %1778 : tensor<512xf32>
    %1780 = stablehlo.broadcast_in_dim %1779, dims = [3] : (tensor<512xf32>) -> tensor<64x7x7x512xf32>
    %1781 = stablehlo.multiply %1780, %1649 : tensor<64x7x7x512xf32>
    %1782 = stablehlo.negate %1781 : tensor<64x7x7x512xf32>
    %cst_446 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1783 = stablehlo.reduce(%1782 init: %cst_446) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
    %1784 = stablehlo.reshape %1783 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %cst_447 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1785 = stablehlo.reduce(%1784 init: %cst_447) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %1786 = stablehlo.negate %1773 : tensor<64x7x7x512xf32>
    %cst_448 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1787 = stablehlo.reduce(%1786 init: %cst_448) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
    %1788 = stablehlo.reshape %1787 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %cst_449 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1789 = stablehlo.reduce(%1788 init: %cst_449) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %1790 = stablehlo.add %1781, %1773 : tensor<64x7x7x512xf32>
    %1791 = stablehlo.add %1785, %1789 : tensor<512xf32>
    %cst_450 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
    %1792 = stablehlo.broadcast_in_dim %cst_450, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1793 = stablehlo.divide %1791, %1792 : tensor<512xf32>
    %1794 = stablehlo.broadcast_in_dim %1793, dims = [3] : (tensor<512xf32>) -> tensor<64x7x7x512xf32>
    %1795 = stablehlo.add %1790, %1794 : tensor<64x7x7x512xf32>
    %1796 = stablehlo.convolution(%1634, %1795) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x512xf32>, tensor<64x7x7x512xf32>) -> tensor<3x3x512x512xf32>
    %1797 = stablehlo.reverse %arg155, dims = [0, 1] : tensor<3x3x512x512xf32>
    %1798 = stablehlo.convolution(%1795, %1797) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x512xf32>, tensor<3x3x512x512xf32>) -> tensor<64x7x7x512xf32>
    %cst_451 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1799 = stablehlo.broadcast_in_dim %cst_451, dims = [] : (tensor<f32>) -> tensor<64x7x7x512xf32>
    %1800 = stablehlo.select %1636, %1798, %1799 : tensor<64x7x7x512xi1>, tensor<64x7x7x512xf32>
    %cst_452 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1801 = stablehlo.reduce(%1800 init: %cst_452) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
    %1802 = stablehlo.reshape %1801 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %cst_453 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1803 = stablehlo.reduce(%1802 init: %cst_453) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %1804 = stablehlo.multiply %1611, %1800 : tensor<64x7x7x512xf32>
    %cst_454 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1805 = stablehlo.reduce(%1804 init: %cst_454) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
    %1806 = stablehlo.reshape %1805 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %1807 = stablehlo.broadcast_in_dim %1628, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
    %1808 = stablehlo.multiply %1800, %1807 : tensor<64x7x7x512xf32>
    %cst_455 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1809 = stablehlo.reduce(%1806 init: %cst_455) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %1810 = stablehlo.multiply %1623, %1809 : tensor<512xf32>
    %1811 = stablehlo.multiply %1809, %arg153 : tensor<512xf32>
    %1812 = stablehlo.multiply %1811, %1626 : tensor<512xf32>
    %cst_456 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
    %1813 = stablehlo.broadcast_in_dim %cst_456, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1814 = stablehlo.divide %1812, %1813 : tensor<512xf32>
    %1815 = stablehlo.broadcast_in_dim %1814, dims = [3] : (tensor<512xf32>) -> tensor<64x7x7x512xf32>
    %1816 = stablehlo.multiply %1815, %1617 : tensor<64x7x7x512xf32>
    %1817 = stablehlo.negate %1816 : tensor<64x7x7x512xf32>
    %cst_457 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1818 = stablehlo.reduce(%1817 init: %cst_457) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
    %1819 = stablehlo.reshape %1818 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %cst_458 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1820 = stablehlo.reduce(%1819 init: %cst_458) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %1821 = stablehlo.negate %1808 : tensor<64x7x7x512xf32>
    %cst_459 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1822 = stablehlo.reduce(%1821 init: %cst_459) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
    %1823 = stablehlo.reshape %1822 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %cst_460 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1824 = stablehlo.reduce(%1823 init: %cst_460) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %1825 = stablehlo.add %1816, %1808 : tensor<64x7x7x512xf32>
    %1826 = stablehlo.add %1820, %1824 : tensor<512xf32>
    %cst_461 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
    %1827 = stablehlo.broadcast_in_dim %cst_461, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1828 = stablehlo.divide %1826, %1827 : tensor<512xf32>
    %1829 = stablehlo.broadcast_in_dim %1828, dims = [3] : (tensor<512xf32>) -> tensor<64x7x7x512xf32>
    %1830 = stablehlo.add %1825, %1829 : tensor<64x7x7x512xf32>
    %1831 = stablehlo.convolution(%1602, %1830) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x2048xf32>, tensor<64x7x7x512xf32>) -> tensor<1x1x2048x512xf32>
    %1832 = stablehlo.reverse %arg152, dims = [0, 1] : tensor<1x1x2048x512xf32>
    %1833 = stablehlo.convolution(%1830, %1832) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x512xf32>, tensor<1x1x2048x512xf32>) -> tensor<64x7x7x2048xf32>
    %1834 = stablehlo.add %1730, %1833 : tensor<64x7x7x2048xf32>
    %cst_462 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1835 = stablehlo.broadcast_in_dim %cst_462, dims = [] : (tensor<f32>) -> tensor<64x7x7x2048xf32>
    %1836 = stablehlo.select %1604, %1834, %1835 : tensor<64x7x7x2048xi1>, tensor<64x7x7x2048xf32>
    %cst_463 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1837 = stablehlo.reduce(%1836 init: %cst_463) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %1838 = stablehlo.reshape %1837 : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %cst_464 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1839 = stablehlo.reduce(%1838 init: %cst_464) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %1840 = stablehlo.multiply %1578, %1836 : tensor<64x7x7x2048xf32>
    %cst_465 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1841 = stablehlo.reduce(%1840 init: %cst_465) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %1842 = stablehlo.reshape %1841 : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %1843 = stablehlo.broadcast_in_dim %1595, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
    %1844 = stablehlo.multiply %1836, %1843 : tensor<64x7x7x2048xf32>
    %cst_466 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1845 = stablehlo.reduce(%1842 init: %cst_466) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %1846 = stablehlo.multiply %1590, %1845 : tensor<2048xf32>
    %1847 = stablehlo.multiply %1845, %arg150 : tensor<2048xf32>
    %1848 = stablehlo.multiply %1847, %1593 : tensor<2048xf32>
    %cst_467 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
    %1849 = stablehlo.broadcast_in_dim %cst_467, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %1850 = stablehlo.divide %1848, %1849 : tensor<2048xf32>
    %1851 = stablehlo.broadcast_in_dim %1850, dims = [3] : (tensor<2048xf32>) -> tensor<64x7x7x2048xf32>
    %1852 = stablehlo.multiply %1851, %1584 : tensor<64x7x7x2048xf32>
    %1853 = stablehlo.negate %1852 : tensor<64x7x7x2048xf32>
    %cst_468 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1854 = stablehlo.reduce(%1853 init: %cst_468) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %1855 = stablehlo.reshape %1854 : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %cst_469 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1856 = stablehlo.reduce(%1855 init: %cst_469) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %1857 = stablehlo.negate %1844 : tensor<64x7x7x2048xf32>
    %cst_470 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1858 = stablehlo.reduce(%1857 init: %cst_470) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %1859 = stablehlo.reshape %1858 : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %cst_471 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1860 = stablehlo.reduce(%1859 init: %cst_471) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %1861 = stablehlo.add %1852, %1844 : tensor<64x7x7x2048xf32>
    %1862 = stablehlo.add %1856, %1860 : tensor<2048xf32>
    %cst_472 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
    %1863 = stablehlo.broadcast_in_dim %cst_472, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %1864 = stablehlo.divide %1862, %1863 : tensor<2048xf32>
    %1865 = stablehlo.broadcast_in_dim %1864, dims = [3] : (tensor<2048xf32>) -> tensor<64x7x7x2048xf32>
    %1866 = stablehlo.add %1861, %1865 : tensor<64x7x7x2048xf32>
    %1867 = stablehlo.convolution(%1569, %1866) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x512xf32>, tensor<64x7x7x2048xf32>) -> tensor<1x1x512x2048xf32>
    %1868 = stablehlo.reverse %arg149, dims = [0, 1] : tensor<1x1x512x2048xf32>
    %1869 = stablehlo.convolution(%1866, %1868) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x2048xf32>, tensor<1x1x512x2048xf32>) -> tensor<64x7x7x512xf32>
    %cst_473 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1870 = stablehlo.broadcast_in_dim %cst_473, dims = [] : (tensor<f32>) -> tensor<64x7x7x512xf32>
    %1871 = stablehlo.select %1571, %1869, %1870 : tensor<64x7x7x512xi1>, tensor<64x7x7x512xf32>
    %cst_474 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1872 = stablehlo.reduce(%1871 init: %cst_474) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
    %1873 = stablehlo.reshape %1872 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %cst_475 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1874 = stablehlo.reduce(%1873 init: %cst_475) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %1875 = stablehlo.multiply %1546, %1871 : tensor<64x7x7x512xf32>
    %cst_476 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1876 = stablehlo.reduce(%1875 init: %cst_476) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
    %1877 = stablehlo.reshape %1876 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %1878 = stablehlo.broadcast_in_dim %1563, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
    %1879 = stablehlo.multiply %1871, %1878 : tensor<64x7x7x512xf32>
    %cst_477 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1880 = stablehlo.reduce(%1877 init: %cst_477) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %1881 = stablehlo.multiply %1558, %1880 : tensor<512xf32>
    %1882 = stablehlo.multiply %1880, %arg147 : tensor<512xf32>
    %1883 = stablehlo.multiply %1882, %1561 : tensor<512xf32>
    %cst_478 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
    %1884 = stablehlo.broadcast_in_dim %cst_478, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1885 = stablehlo.divide %1883, %1884 : tensor<512xf32>
    %1886 = stablehlo.broadcast_in_dim %1885, dims = [3] : (tensor<512xf32>) -> tensor<64x7x7x512xf32>
    %1887 = stablehlo.multiply %1886, %1552 : tensor<64x7x7x512xf32>
    %1888 = stablehlo.negate %1887 : tensor<64x7x7x512xf32>
    %cst_479 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1889 = stablehlo.reduce(%1888 init: %cst_479) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
    %1890 = stablehlo.reshape %1889 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %cst_480 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1891 = stablehlo.reduce(%1890 init: %cst_480) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %1892 = stablehlo.negate %1879 : tensor<64x7x7x512xf32>
    %cst_481 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1893 = stablehlo.reduce(%1892 init: %cst_481) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
    %1894 = stablehlo.reshape %1893 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %cst_482 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1895 = stablehlo.reduce(%1894 init: %cst_482) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %1896 = stablehlo.add %1887, %1879 : tensor<64x7x7x512xf32>
    %1897 = stablehlo.add %1891, %1895 : tensor<512xf32>
    %cst_483 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
    %1898 = stablehlo.broadcast_in_dim %cst_483, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1899 = stablehlo.divide %1897, %1898 : tensor<512xf32>
    %1900 = stablehlo.broadcast_in_dim %1899, dims = [3] : (tensor<512xf32>) -> tensor<64x7x7x512xf32>
    %1901 = stablehlo.add %1896, %1900 : tensor<64x7x7x512xf32>
    %1902 = stablehlo.convolution(%1537, %1901) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x512xf32>, tensor<64x7x7x512xf32>) -> tensor<3x3x512x512xf32>
    %1903 = stablehlo.reverse %arg146, dims = [0, 1] : tensor<3x3x512x512xf32>
    %1904 = stablehlo.convolution(%1901, %1903) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x512xf32>, tensor<3x3x512x512xf32>) -> tensor<64x7x7x512xf32>
    %cst_484 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1905 = stablehlo.broadcast_in_dim %cst_484, dims = [] : (tensor<f32>) -> tensor<64x7x7x512xf32>
    %1906 = stablehlo.select %1539, %1904, %1905 : tensor<64x7x7x512xi1>, tensor<64x7x7x512xf32>
    %cst_485 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1907 = stablehlo.reduce(%1906 init: %cst_485) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
    %1908 = stablehlo.reshape %1907 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %cst_486 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1909 = stablehlo.reduce(%1908 init: %cst_486) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %1910 = stablehlo.multiply %1514, %1906 : tensor<64x7x7x512xf32>
    %cst_487 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1911 = stablehlo.reduce(%1910 init: %cst_487) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
    %1912 = stablehlo.reshape %1911 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %1913 = stablehlo.broadcast_in_dim %1531, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
    %1914 = stablehlo.multiply %1906, %1913 : tensor<64x7x7x512xf32>
    %cst_488 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1915 = stablehlo.reduce(%1912 init: %cst_488) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %1916 = stablehlo.multiply %1526, %1915 : tensor<512xf32>
    %1917 = stablehlo.multiply %1915, %arg144 : tensor<512xf32>
    %1918 = stablehlo.multiply %1917, %1529 : tensor<512xf32>
    %cst_489 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
    %1919 = stablehlo.broadcast_in_dim %cst_489, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1920 = stablehlo.divide %1918, %1919 : tensor<512xf32>
    %1921 = stablehlo.broadcast_in_dim %1920, dims = [3] : (tensor<512xf32>) -> tensor<64x7x7x512xf32>
    %1922 = stablehlo.multiply %1921, %1520 : tensor<64x7x7x512xf32>
    %1923 = stablehlo.negate %1922 : tensor<64x7x7x512xf32>
    %cst_490 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1924 = stablehlo.reduce(%1923 init: %cst_490) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
    %1925 = stablehlo.reshape %1924 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %cst_491 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1926 = stablehlo.reduce(%1925 init: %cst_491) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %1927 = stablehlo.negate %1914 : tensor<64x7x7x512xf32>
    %cst_492 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1928 = stablehlo.reduce(%1927 init: %cst_492) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
    %1929 = stablehlo.reshape %1928 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %cst_493 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1930 = stablehlo.reduce(%1929 init: %cst_493) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %1931 = stablehlo.add %1922, %1914 : tensor<64x7x7x512xf32>
    %1932 = stablehlo.add %1926, %1930 : tensor<512xf32>
    %cst_494 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
    %1933 = stablehlo.broadcast_in_dim %cst_494, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %1934 = stablehlo.divide %1932, %1933 : tensor<512xf32>
    %1935 = stablehlo.broadcast_in_dim %1934, dims = [3] : (tensor<512xf32>) -> tensor<64x7x7x512xf32>
    %1936 = stablehlo.add %1931, %1935 : tensor<64x7x7x512xf32>
    %1937 = stablehlo.convolution(%1505, %1936) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x2048xf32>, tensor<64x7x7x512xf32>) -> tensor<1x1x2048x512xf32>
    %1938 = stablehlo.reverse %arg143, dims = [0, 1] : tensor<1x1x2048x512xf32>
    %1939 = stablehlo.convolution(%1936, %1938) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x512xf32>, tensor<1x1x2048x512xf32>) -> tensor<64x7x7x2048xf32>
    %1940 = stablehlo.add %1836, %1939 : tensor<64x7x7x2048xf32>
    %cst_495 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1941 = stablehlo.broadcast_in_dim %cst_495, dims = [] : (tensor<f32>) -> tensor<64x7x7x2048xf32>
    %1942 = stablehlo.select %1507, %1940, %1941 : tensor<64x7x7x2048xi1>, tensor<64x7x7x2048xf32>
    %cst_496 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1943 = stablehlo.reduce(%1942 init: %cst_496) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %1944 = stablehlo.reshape %1943 : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %cst_497 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1945 = stablehlo.reduce(%1944 init: %cst_497) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %1946 = stablehlo.multiply %1481, %1942 : tensor<64x7x7x2048xf32>
    %cst_498 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1947 = stablehlo.reduce(%1946 init: %cst_498) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %1948 = stablehlo.reshape %1947 : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %1949 = stablehlo.broadcast_in_dim %1498, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
    %1950 = stablehlo.multiply %1942, %1949 : tensor<64x7x7x2048xf32>
    %cst_499 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1951 = stablehlo.reduce(%1948 init: %cst_499) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %1952 = stablehlo.multiply %1493, %1951 : tensor<2048xf32>
    %1953 = stablehlo.multiply %1951, %arg141 : tensor<2048xf32>
    %1954 = stablehlo.multiply %1953, %1496 : tensor<2048xf32>
    %cst_500 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
    %1955 = stablehlo.broadcast_in_dim %cst_500, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %1956 = stablehlo.divide %1954, %1955 : tensor<2048xf32>
    %1957 = stablehlo.broadcast_in_dim %1956, dims = [3] : (tensor<2048xf32>) -> tensor<64x7x7x2048xf32>
    %1958 = stablehlo.multiply %1957, %1487 : tensor<64x7x7x2048xf32>
    %1959 = stablehlo.negate %1958 : tensor<64x7x7x2048xf32>
    %cst_501 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1960 = stablehlo.reduce(%1959 init: %cst_501) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %1961 = stablehlo.reshape %1960 : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %cst_502 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1962 = stablehlo.reduce(%1961 init: %cst_502) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %1963 = stablehlo.negate %1950 : tensor<64x7x7x2048xf32>
    %cst_503 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1964 = stablehlo.reduce(%1963 init: %cst_503) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %1965 = stablehlo.reshape %1964 : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %cst_504 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1966 = stablehlo.reduce(%1965 init: %cst_504) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %1967 = stablehlo.add %1958, %1950 : tensor<64x7x7x2048xf32>
    %1968 = stablehlo.add %1962, %1966 : tensor<2048xf32>
    %cst_505 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
    %1969 = stablehlo.broadcast_in_dim %cst_505, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %1970 = stablehlo.divide %1968, %1969 : tensor<2048xf32>
    %1971 = stablehlo.broadcast_in_dim %1970, dims = [3] : (tensor<2048xf32>) -> tensor<64x7x7x2048xf32>
    %1972 = stablehlo.add %1967, %1971 : tensor<64x7x7x2048xf32>
    %1973 = stablehlo.convolution(%1379, %1972) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, -1], [0, -1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<64x7x7x2048xf32>) -> tensor<1x1x1024x2048xf32>
    %1974 = stablehlo.reverse %arg140, dims = [0, 1] : tensor<1x1x1024x2048xf32>
    %1975 = stablehlo.convolution(%1972, %1974) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 1], [0, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x2048xf32>, tensor<1x1x1024x2048xf32>) -> tensor<64x14x14x1024xf32>
    %cst_506 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1976 = stablehlo.reduce(%1942 init: %cst_506) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %1977 = stablehlo.reshape %1976 : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %cst_507 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1978 = stablehlo.reduce(%1977 init: %cst_507) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %1979 = stablehlo.multiply %1452, %1942 : tensor<64x7x7x2048xf32>
    %cst_508 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1980 = stablehlo.reduce(%1979 init: %cst_508) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %1981 = stablehlo.reshape %1980 : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %1982 = stablehlo.broadcast_in_dim %1469, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
    %1983 = stablehlo.multiply %1942, %1982 : tensor<64x7x7x2048xf32>
    %cst_509 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1984 = stablehlo.reduce(%1981 init: %cst_509) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %1985 = stablehlo.multiply %1464, %1984 : tensor<2048xf32>
    %1986 = stablehlo.multiply %1984, %arg138 : tensor<2048xf32>
    %1987 = stablehlo.multiply %1986, %1467 : tensor<2048xf32>
    %cst_510 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
    %1988 = stablehlo.broadcast_in_dim %cst_510, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %1989 = stablehlo.divide %1987, %1988 : tensor<2048xf32>
    %1990 = stablehlo.broadcast_in_dim %1989, dims = [3] : (tensor<2048xf32>) -> tensor<64x7x7x2048xf32>
    %1991 = stablehlo.multiply %1990, %1458 : tensor<64x7x7x2048xf32>
    %1992 = stablehlo.negate %1991 : tensor<64x7x7x2048xf32>
    %cst_511 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1993 = stablehlo.reduce(%1992 init: %cst_511) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %1994 = stablehlo.reshape %1993 : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %cst_512 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1995 = stablehlo.reduce(%1994 init: %cst_512) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %1996 = stablehlo.negate %1983 : tensor<64x7x7x2048xf32>
    %cst_513 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1997 = stablehlo.reduce(%1996 init: %cst_513) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %1998 = stablehlo.reshape %1997 : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
    %cst_514 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1999 = stablehlo.reduce(%1998 init: %cst_514) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x2048xf32>, tensor<f32>) -> tensor<2048xf32>
    %2000 = stablehlo.add %1991, %1983 : tensor<64x7x7x2048xf32>
    %2001 = stablehlo.add %1995, %1999 : tensor<2048xf32>
    %cst_515 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
    %2002 = stablehlo.broadcast_in_dim %cst_515, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %2003 = stablehlo.divide %2001, %2002 : tensor<2048xf32>
    %2004 = stablehlo.broadcast_in_dim %2003, dims = [3] : (tensor<2048xf32>) -> tensor<64x7x7x2048xf32>
    %2005 = stablehlo.add %2000, %2004 : tensor<64x7x7x2048xf32>
    %2006 = stablehlo.convolution(%1443, %2005) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x512xf32>, tensor<64x7x7x2048xf32>) -> tensor<1x1x512x2048xf32>
    %2007 = stablehlo.reverse %arg137, dims = [0, 1] : tensor<1x1x512x2048xf32>
    %2008 = stablehlo.convolution(%2005, %2007) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x2048xf32>, tensor<1x1x512x2048xf32>) -> tensor<64x7x7x512xf32>
    %cst_516 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2009 = stablehlo.broadcast_in_dim %cst_516, dims = [] : (tensor<f32>) -> tensor<64x7x7x512xf32>
    %2010 = stablehlo.select %1445, %2008, %2009 : tensor<64x7x7x512xi1>, tensor<64x7x7x512xf32>
    %cst_517 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2011 = stablehlo.reduce(%2010 init: %cst_517) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2012 = stablehlo.reshape %2011 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %cst_518 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2013 = stablehlo.reduce(%2012 init: %cst_518) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2014 = stablehlo.multiply %1420, %2010 : tensor<64x7x7x512xf32>
    %cst_519 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2015 = stablehlo.reduce(%2014 init: %cst_519) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2016 = stablehlo.reshape %2015 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %2017 = stablehlo.broadcast_in_dim %1437, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
    %2018 = stablehlo.multiply %2010, %2017 : tensor<64x7x7x512xf32>
    %cst_520 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2019 = stablehlo.reduce(%2016 init: %cst_520) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2020 = stablehlo.multiply %1432, %2019 : tensor<512xf32>
    %2021 = stablehlo.multiply %2019, %arg135 : tensor<512xf32>
    %2022 = stablehlo.multiply %2021, %1435 : tensor<512xf32>
    %cst_521 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
    %2023 = stablehlo.broadcast_in_dim %cst_521, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %2024 = stablehlo.divide %2022, %2023 : tensor<512xf32>
    %2025 = stablehlo.broadcast_in_dim %2024, dims = [3] : (tensor<512xf32>) -> tensor<64x7x7x512xf32>
    %2026 = stablehlo.multiply %2025, %1426 : tensor<64x7x7x512xf32>
    %2027 = stablehlo.negate %2026 : tensor<64x7x7x512xf32>
    %cst_522 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2028 = stablehlo.reduce(%2027 init: %cst_522) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2029 = stablehlo.reshape %2028 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %cst_523 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2030 = stablehlo.reduce(%2029 init: %cst_523) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2031 = stablehlo.negate %2018 : tensor<64x7x7x512xf32>
    %cst_524 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2032 = stablehlo.reduce(%2031 init: %cst_524) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2033 = stablehlo.reshape %2032 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %cst_525 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2034 = stablehlo.reduce(%2033 init: %cst_525) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2035 = stablehlo.add %2026, %2018 : tensor<64x7x7x512xf32>
    %2036 = stablehlo.add %2030, %2034 : tensor<512xf32>
    %cst_526 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
    %2037 = stablehlo.broadcast_in_dim %cst_526, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %2038 = stablehlo.divide %2036, %2037 : tensor<512xf32>
    %2039 = stablehlo.broadcast_in_dim %2038, dims = [3] : (tensor<512xf32>) -> tensor<64x7x7x512xf32>
    %2040 = stablehlo.add %2035, %2039 : tensor<64x7x7x512xf32>
    %2041 = stablehlo.convolution(%1411, %2040) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x512xf32>, tensor<64x7x7x512xf32>) -> tensor<3x3x512x512xf32>
    %2042 = stablehlo.reverse %arg134, dims = [0, 1] : tensor<3x3x512x512xf32>
    %2043 = stablehlo.convolution(%2040, %2042) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 1], [2, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x512xf32>, tensor<3x3x512x512xf32>) -> tensor<64x14x14x512xf32>
    %cst_527 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2044 = stablehlo.broadcast_in_dim %cst_527, dims = [] : (tensor<f32>) -> tensor<64x14x14x512xf32>
    %2045 = stablehlo.select %1413, %2043, %2044 : tensor<64x14x14x512xi1>, tensor<64x14x14x512xf32>
    %cst_528 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2046 = stablehlo.reduce(%2045 init: %cst_528) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2047 = stablehlo.reshape %2046 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %cst_529 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2048 = stablehlo.reduce(%2047 init: %cst_529) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2049 = stablehlo.multiply %1388, %2045 : tensor<64x14x14x512xf32>
    %cst_530 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2050 = stablehlo.reduce(%2049 init: %cst_530) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2051 = stablehlo.reshape %2050 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %2052 = stablehlo.broadcast_in_dim %1405, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x14x14x512xf32>
    %2053 = stablehlo.multiply %2045, %2052 : tensor<64x14x14x512xf32>
    %cst_531 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2054 = stablehlo.reduce(%2051 init: %cst_531) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2055 = stablehlo.multiply %1400, %2054 : tensor<512xf32>
    %2056 = stablehlo.multiply %2054, %arg132 : tensor<512xf32>
    %2057 = stablehlo.multiply %2056, %1403 : tensor<512xf32>
    %cst_532 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %2058 = stablehlo.broadcast_in_dim %cst_532, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %2059 = stablehlo.divide %2057, %2058 : tensor<512xf32>
    %2060 = stablehlo.broadcast_in_dim %2059, dims = [3] : (tensor<512xf32>) -> tensor<64x14x14x512xf32>
    %2061 = stablehlo.multiply %2060, %1394 : tensor<64x14x14x512xf32>
    %2062 = stablehlo.negate %2061 : tensor<64x14x14x512xf32>
    %cst_533 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2063 = stablehlo.reduce(%2062 init: %cst_533) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2064 = stablehlo.reshape %2063 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %cst_534 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2065 = stablehlo.reduce(%2064 init: %cst_534) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2066 = stablehlo.negate %2053 : tensor<64x14x14x512xf32>
    %cst_535 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2067 = stablehlo.reduce(%2066 init: %cst_535) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2068 = stablehlo.reshape %2067 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %cst_536 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2069 = stablehlo.reduce(%2068 init: %cst_536) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2070 = stablehlo.add %2061, %2053 : tensor<64x14x14x512xf32>
    %2071 = stablehlo.add %2065, %2069 : tensor<512xf32>
    %cst_537 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %2072 = stablehlo.broadcast_in_dim %cst_537, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %2073 = stablehlo.divide %2071, %2072 : tensor<512xf32>
    %2074 = stablehlo.broadcast_in_dim %2073, dims = [3] : (tensor<512xf32>) -> tensor<64x14x14x512xf32>
    %2075 = stablehlo.add %2070, %2074 : tensor<64x14x14x512xf32>
    %2076 = stablehlo.convolution(%1379, %2075) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<64x14x14x512xf32>) -> tensor<1x1x1024x512xf32>
    %2077 = stablehlo.reverse %arg131, dims = [0, 1] : tensor<1x1x1024x512xf32>
    %2078 = stablehlo.convolution(%2075, %2077) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x512xf32>, tensor<1x1x1024x512xf32>) -> tensor<64x14x14x1024xf32>
    %2079 = stablehlo.add %1975, %2078 : tensor<64x14x14x1024xf32>
    %cst_538 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2080 = stablehlo.broadcast_in_dim %cst_538, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
    %2081 = stablehlo.select %1381, %2079, %2080 : tensor<64x14x14x1024xi1>, tensor<64x14x14x1024xf32>
    %cst_539 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2082 = stablehlo.reduce(%2081 init: %cst_539) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2083 = stablehlo.reshape %2082 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %cst_540 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2084 = stablehlo.reduce(%2083 init: %cst_540) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2085 = stablehlo.multiply %1355, %2081 : tensor<64x14x14x1024xf32>
    %cst_541 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2086 = stablehlo.reduce(%2085 init: %cst_541) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2087 = stablehlo.reshape %2086 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %2088 = stablehlo.broadcast_in_dim %1372, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
    %2089 = stablehlo.multiply %2081, %2088 : tensor<64x14x14x1024xf32>
    %cst_542 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2090 = stablehlo.reduce(%2087 init: %cst_542) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2091 = stablehlo.multiply %1367, %2090 : tensor<1024xf32>
    %2092 = stablehlo.multiply %2090, %arg129 : tensor<1024xf32>
    %2093 = stablehlo.multiply %2092, %1370 : tensor<1024xf32>
    %cst_543 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %2094 = stablehlo.broadcast_in_dim %cst_543, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %2095 = stablehlo.divide %2093, %2094 : tensor<1024xf32>
    %2096 = stablehlo.broadcast_in_dim %2095, dims = [3] : (tensor<1024xf32>) -> tensor<64x14x14x1024xf32>
    %2097 = stablehlo.multiply %2096, %1361 : tensor<64x14x14x1024xf32>
    %2098 = stablehlo.negate %2097 : tensor<64x14x14x1024xf32>
    %cst_544 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2099 = stablehlo.reduce(%2098 init: %cst_544) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2100 = stablehlo.reshape %2099 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %cst_545 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2101 = stablehlo.reduce(%2100 init: %cst_545) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2102 = stablehlo.negate %2089 : tensor<64x14x14x1024xf32>
    %cst_546 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2103 = stablehlo.reduce(%2102 init: %cst_546) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2104 = stablehlo.reshape %2103 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %cst_547 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2105 = stablehlo.reduce(%2104 init: %cst_547) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2106 = stablehlo.add %2097, %2089 : tensor<64x14x14x1024xf32>
    %2107 = stablehlo.add %2101, %2105 : tensor<1024xf32>
    %cst_548 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %2108 = stablehlo.broadcast_in_dim %cst_548, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %2109 = stablehlo.divide %2107, %2108 : tensor<1024xf32>
    %2110 = stablehlo.broadcast_in_dim %2109, dims = [3] : (tensor<1024xf32>) -> tensor<64x14x14x1024xf32>
    %2111 = stablehlo.add %2106, %2110 : tensor<64x14x14x1024xf32>
    %2112 = stablehlo.convolution(%1346, %2111) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<64x14x14x1024xf32>) -> tensor<1x1x256x1024xf32>
    %2113 = stablehlo.reverse %arg128, dims = [0, 1] : tensor<1x1x256x1024xf32>
    %2114 = stablehlo.convolution(%2111, %2113) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<1x1x256x1024xf32>) -> tensor<64x14x14x256xf32>
    %cst_549 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2115 = stablehlo.broadcast_in_dim %cst_549, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
    %2116 = stablehlo.select %1348, %2114, %2115 : tensor<64x14x14x256xi1>, tensor<64x14x14x256xf32>
    %cst_550 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2117 = stablehlo.reduce(%2116 init: %cst_550) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2118 = stablehlo.reshape %2117 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_551 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2119 = stablehlo.reduce(%2118 init: %cst_551) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2120 = stablehlo.multiply %1323, %2116 : tensor<64x14x14x256xf32>
    %cst_552 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2121 = stablehlo.reduce(%2120 init: %cst_552) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2122 = stablehlo.reshape %2121 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %2123 = stablehlo.broadcast_in_dim %1340, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %2124 = stablehlo.multiply %2116, %2123 : tensor<64x14x14x256xf32>
    %cst_553 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2125 = stablehlo.reduce(%2122 init: %cst_553) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2126 = stablehlo.multiply %1335, %2125 : tensor<256xf32>
    %2127 = stablehlo.multiply %2125, %arg126 : tensor<256xf32>
    %2128 = stablehlo.multiply %2127, %1338 : tensor<256xf32>
    %cst_554 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %2129 = stablehlo.broadcast_in_dim %cst_554, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %2130 = stablehlo.divide %2128, %2129 : tensor<256xf32>
    %2131 = stablehlo.broadcast_in_dim %2130, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
    %2132 = stablehlo.multiply %2131, %1329 : tensor<64x14x14x256xf32>
    %2133 = stablehlo.negate %2132 : tensor<64x14x14x256xf32>
    %cst_555 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2134 = stablehlo.reduce(%2133 init: %cst_555) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2135 = stablehlo.reshape %2134 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_556 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2136 = stablehlo.reduce(%2135 init: %cst_556) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2137 = stablehlo.negate %2124 : tensor<64x14x14x256xf32>
    %cst_557 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2138 = stablehlo.reduce(%2137 init: %cst_557) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2139 = stablehlo.reshape %2138 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_558 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2140 = stablehlo.reduce(%2139 init: %cst_558) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2141 = stablehlo.add %2132, %2124 : tensor<64x14x14x256xf32>
    %2142 = stablehlo.add %2136, %2140 : tensor<256xf32>
    %cst_559 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %2143 = stablehlo.broadcast_in_dim %cst_559, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %2144 = stablehlo.divide %2142, %2143 : tensor<256xf32>
    %2145 = stablehlo.broadcast_in_dim %2144, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
    %2146 = stablehlo.add %2141, %2145 : tensor<64x14x14x256xf32>
    %2147 = stablehlo.convolution(%1314, %2146) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<64x14x14x256xf32>) -> tensor<3x3x256x256xf32>
    %2148 = stablehlo.reverse %arg125, dims = [0, 1] : tensor<3x3x256x256xf32>
    %2149 = stablehlo.convolution(%2146, %2148) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<3x3x256x256xf32>) -> tensor<64x14x14x256xf32>
    %cst_560 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2150 = stablehlo.broadcast_in_dim %cst_560, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
    %2151 = stablehlo.select %1316, %2149, %2150 : tensor<64x14x14x256xi1>, tensor<64x14x14x256xf32>
    %cst_561 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2152 = stablehlo.reduce(%2151 init: %cst_561) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2153 = stablehlo.reshape %2152 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_562 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2154 = stablehlo.reduce(%2153 init: %cst_562) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2155 = stablehlo.multiply %1291, %2151 : tensor<64x14x14x256xf32>
    %cst_563 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2156 = stablehlo.reduce(%2155 init: %cst_563) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2157 = stablehlo.reshape %2156 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %2158 = stablehlo.broadcast_in_dim %1308, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %2159 = stablehlo.multiply %2151, %2158 : tensor<64x14x14x256xf32>
    %cst_564 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2160 = stablehlo.reduce(%2157 init: %cst_564) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2161 = stablehlo.multiply %1303, %2160 : tensor<256xf32>
    %2162 = stablehlo.multiply %2160, %arg123 : tensor<256xf32>
    %2163 = stablehlo.multiply %2162, %1306 : tensor<256xf32>
    %cst_565 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %2164 = stablehlo.broadcast_in_dim %cst_565, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %2165 = stablehlo.divide %2163, %2164 : tensor<256xf32>
    %2166 = stablehlo.broadcast_in_dim %2165, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
    %2167 = stablehlo.multiply %2166, %1297 : tensor<64x14x14x256xf32>
    %2168 = stablehlo.negate %2167 : tensor<64x14x14x256xf32>
    %cst_566 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2169 = stablehlo.reduce(%2168 init: %cst_566) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2170 = stablehlo.reshape %2169 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_567 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2171 = stablehlo.reduce(%2170 init: %cst_567) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2172 = stablehlo.negate %2159 : tensor<64x14x14x256xf32>
    %cst_568 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2173 = stablehlo.reduce(%2172 init: %cst_568) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2174 = stablehlo.reshape %2173 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_569 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2175 = stablehlo.reduce(%2174 init: %cst_569) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2176 = stablehlo.add %2167, %2159 : tensor<64x14x14x256xf32>
    %2177 = stablehlo.add %2171, %2175 : tensor<256xf32>
    %cst_570 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %2178 = stablehlo.broadcast_in_dim %cst_570, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %2179 = stablehlo.divide %2177, %2178 : tensor<256xf32>
    %2180 = stablehlo.broadcast_in_dim %2179, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
    %2181 = stablehlo.add %2176, %2180 : tensor<64x14x14x256xf32>
    %2182 = stablehlo.convolution(%1282, %2181) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<64x14x14x256xf32>) -> tensor<1x1x1024x256xf32>
    %2183 = stablehlo.reverse %arg122, dims = [0, 1] : tensor<1x1x1024x256xf32>
    %2184 = stablehlo.convolution(%2181, %2183) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<1x1x1024x256xf32>) -> tensor<64x14x14x1024xf32>
    %2185 = stablehlo.add %2081, %2184 : tensor<64x14x14x1024xf32>
    %cst_571 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2186 = stablehlo.broadcast_in_dim %cst_571, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
    %2187 = stablehlo.select %1284, %2185, %2186 : tensor<64x14x14x1024xi1>, tensor<64x14x14x1024xf32>
    %cst_572 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2188 = stablehlo.reduce(%2187 init: %cst_572) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2189 = stablehlo.reshape %2188 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %cst_573 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2190 = stablehlo.reduce(%2189 init: %cst_573) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2191 = stablehlo.multiply %1258, %2187 : tensor<64x14x14x1024xf32>
    %cst_574 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2192 = stablehlo.reduce(%2191 init: %cst_574) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2193 = stablehlo.reshape %2192 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %2194 = stablehlo.broadcast_in_dim %1275, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
    %2195 = stablehlo.multiply %2187, %2194 : tensor<64x14x14x1024xf32>
    %cst_575 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2196 = stablehlo.reduce(%2193 init: %cst_575) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2197 = stablehlo.multiply %1270, %2196 : tensor<1024xf32>
    %2198 = stablehlo.multiply %2196, %arg120 : tensor<1024xf32>
    %2199 = stablehlo.multiply %2198, %1273 : tensor<1024xf32>
    %cst_576 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %2200 = stablehlo.broadcast_in_dim %cst_576, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %2201 = stablehlo.divide %2199, %2200 : tensor<1024xf32>
    %2202 = stablehlo.broadcast_in_dim %2201, dims = [3] : (tensor<1024xf32>) -> tensor<64x14x14x1024xf32>
    %2203 = stablehlo.multiply %2202, %1264 : tensor<64x14x14x1024xf32>
    %2204 = stablehlo.negate %2203 : tensor<64x14x14x1024xf32>
    %cst_577 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2205 = stablehlo.reduce(%2204 init: %cst_577) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2206 = stablehlo.reshape %2205 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %cst_578 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2207 = stablehlo.reduce(%2206 init: %cst_578) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2208 = stablehlo.negate %2195 : tensor<64x14x14x1024xf32>
    %cst_579 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2209 = stablehlo.reduce(%2208 init: %cst_579) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2210 = stablehlo.reshape %2209 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %cst_580 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2211 = stablehlo.reduce(%2210 init: %cst_580) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2212 = stablehlo.add %2203, %2195 : tensor<64x14x14x1024xf32>
    %2213 = stablehlo.add %2207, %2211 : tensor<1024xf32>
    %cst_581 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %2214 = stablehlo.broadcast_in_dim %cst_581, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %2215 = stablehlo.divide %2213, %2214 : tensor<1024xf32>
    %2216 = stablehlo.broadcast_in_dim %2215, dims = [3] : (tensor<1024xf32>) -> tensor<64x14x14x1024xf32>
    %2217 = stablehlo.add %2212, %2216 : tensor<64x14x14x1024xf32>
    %2218 = stablehlo.convolution(%1249, %2217) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<64x14x14x1024xf32>) -> tensor<1x1x256x1024xf32>
    %2219 = stablehlo.reverse %arg119, dims = [0, 1] : tensor<1x1x256x1024xf32>
    %2220 = stablehlo.convolution(%2217, %2219) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<1x1x256x1024xf32>) -> tensor<64x14x14x256xf32>
    %cst_582 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2221 = stablehlo.broadcast_in_dim %cst_582, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
    %2222 = stablehlo.select %1251, %2220, %2221 : tensor<64x14x14x256xi1>, tensor<64x14x14x256xf32>
    %cst_583 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2223 = stablehlo.reduce(%2222 init: %cst_583) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2224 = stablehlo.reshape %2223 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_584 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2225 = stablehlo.reduce(%2224 init: %cst_584) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2226 = stablehlo.multiply %1226, %2222 : tensor<64x14x14x256xf32>
    %cst_585 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2227 = stablehlo.reduce(%2226 init: %cst_585) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2228 = stablehlo.reshape %2227 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %2229 = stablehlo.broadcast_in_dim %1243, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %2230 = stablehlo.multiply %2222, %2229 : tensor<64x14x14x256xf32>
    %cst_586 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2231 = stablehlo.reduce(%2228 init: %cst_586) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2232 = stablehlo.multiply %1238, %2231 : tensor<256xf32>
    %2233 = stablehlo.multiply %2231, %arg117 : tensor<256xf32>
    %2234 = stablehlo.multiply %2233, %1241 : tensor<256xf32>
    %cst_587 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %2235 = stablehlo.broadcast_in_dim %cst_587, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %2236 = stablehlo.divide %2234, %2235 : tensor<256xf32>
    %2237 = stablehlo.broadcast_in_dim %2236, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
    %2238 = stablehlo.multiply %2237, %1232 : tensor<64x14x14x256xf32>
    %2239 = stablehlo.negate %2238 : tensor<64x14x14x256xf32>
    %cst_588 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2240 = stablehlo.reduce(%2239 init: %cst_588) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2241 = stablehlo.reshape %2240 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_589 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2242 = stablehlo.reduce(%2241 init: %cst_589) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2243 = stablehlo.negate %2230 : tensor<64x14x14x256xf32>
    %cst_590 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2244 = stablehlo.reduce(%2243 init: %cst_590) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2245 = stablehlo.reshape %2244 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_591 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2246 = stablehlo.reduce(%2245 init: %cst_591) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2247 = stablehlo.add %2238, %2230 : tensor<64x14x14x256xf32>
    %2248 = stablehlo.add %2242, %2246 : tensor<256xf32>
    %cst_592 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %2249 = stablehlo.broadcast_in_dim %cst_592, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %2250 = stablehlo.divide %2248, %2249 : tensor<256xf32>
    %2251 = stablehlo.broadcast_in_dim %2250, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
    %2252 = stablehlo.add %2247, %2251 : tensor<64x14x14x256xf32>
    %2253 = stablehlo.convolution(%1217, %2252) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<64x14x14x256xf32>) -> tensor<3x3x256x256xf32>
    %2254 = stablehlo.reverse %arg116, dims = [0, 1] : tensor<3x3x256x256xf32>
    %2255 = stablehlo.convolution(%2252, %2254) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<3x3x256x256xf32>) -> tensor<64x14x14x256xf32>
    %cst_593 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2256 = stablehlo.broadcast_in_dim %cst_593, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
    %2257 = stablehlo.select %1219, %2255, %2256 : tensor<64x14x14x256xi1>, tensor<64x14x14x256xf32>
    %cst_594 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2258 = stablehlo.reduce(%2257 init: %cst_594) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2259 = stablehlo.reshape %2258 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_595 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2260 = stablehlo.reduce(%2259 init: %cst_595) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2261 = stablehlo.multiply %1194, %2257 : tensor<64x14x14x256xf32>
    %cst_596 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2262 = stablehlo.reduce(%2261 init: %cst_596) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2263 = stablehlo.reshape %2262 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %2264 = stablehlo.broadcast_in_dim %1211, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %2265 = stablehlo.multiply %2257, %2264 : tensor<64x14x14x256xf32>
    %cst_597 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2266 = stablehlo.reduce(%2263 init: %cst_597) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2267 = stablehlo.multiply %1206, %2266 : tensor<256xf32>
    %2268 = stablehlo.multiply %2266, %arg114 : tensor<256xf32>
    %2269 = stablehlo.multiply %2268, %1209 : tensor<256xf32>
    %cst_598 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %2270 = stablehlo.broadcast_in_dim %cst_598, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %2271 = stablehlo.divide %2269, %2270 : tensor<256xf32>
    %2272 = stablehlo.broadcast_in_dim %2271, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
    %2273 = stablehlo.multiply %2272, %1200 : tensor<64x14x14x256xf32>
    %2274 = stablehlo.negate %2273 : tensor<64x14x14x256xf32>
    %cst_599 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2275 = stablehlo.reduce(%2274 init: %cst_599) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2276 = stablehlo.reshape %2275 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_600 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2277 = stablehlo.reduce(%2276 init: %cst_600) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2278 = stablehlo.negate %2265 : tensor<64x14x14x256xf32>
    %cst_601 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2279 = stablehlo.reduce(%2278 init: %cst_601) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2280 = stablehlo.reshape %2279 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_602 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2281 = stablehlo.reduce(%2280 init: %cst_602) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2282 = stablehlo.add %2273, %2265 : tensor<64x14x14x256xf32>
    %2283 = stablehlo.add %2277, %2281 : tensor<256xf32>
    %cst_603 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %2284 = stablehlo.broadcast_in_dim %cst_603, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %2285 = stablehlo.divide %2283, %2284 : tensor<256xf32>
    %2286 = stablehlo.broadcast_in_dim %2285, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
    %2287 = stablehlo.add %2282, %2286 : tensor<64x14x14x256xf32>
    %2288 = stablehlo.convolution(%1185, %2287) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<64x14x14x256xf32>) -> tensor<1x1x1024x256xf32>
    %2289 = stablehlo.reverse %arg113, dims = [0, 1] : tensor<1x1x1024x256xf32>
    %2290 = stablehlo.convolution(%2287, %2289) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<1x1x1024x256xf32>) -> tensor<64x14x14x1024xf32>
    %2291 = stablehlo.add %2187, %2290 : tensor<64x14x14x1024xf32>
    %cst_604 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2292 = stablehlo.broadcast_in_dim %cst_604, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
    %2293 = stablehlo.select %1187, %2291, %2292 : tensor<64x14x14x1024xi1>, tensor<64x14x14x1024xf32>
    %cst_605 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2294 = stablehlo.reduce(%2293 init: %cst_605) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2295 = stablehlo.reshape %2294 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %cst_606 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2296 = stablehlo.reduce(%2295 init: %cst_606) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2297 = stablehlo.multiply %1161, %2293 : tensor<64x14x14x1024xf32>
    %cst_607 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2298 = stablehlo.reduce(%2297 init: %cst_607) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2299 = stablehlo.reshape %2298 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %2300 = stablehlo.broadcast_in_dim %1178, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
    %2301 = stablehlo.multiply %2293, %2300 : tensor<64x14x14x1024xf32>
    %cst_608 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2302 = stablehlo.reduce(%2299 init: %cst_608) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2303 = stablehlo.multiply %1173, %2302 : tensor<1024xf32>
    %2304 = stablehlo.multiply %2302, %arg111 : tensor<1024xf32>
    %2305 = stablehlo.multiply %2304, %1176 : tensor<1024xf32>
    %cst_609 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %2306 = stablehlo.broadcast_in_dim %cst_609, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %2307 = stablehlo.divide %2305, %2306 : tensor<1024xf32>
    %2308 = stablehlo.broadcast_in_dim %2307, dims = [3] : (tensor<1024xf32>) -> tensor<64x14x14x1024xf32>
    %2309 = stablehlo.multiply %2308, %1167 : tensor<64x14x14x1024xf32>
    %2310 = stablehlo.negate %2309 : tensor<64x14x14x1024xf32>
    %cst_610 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2311 = stablehlo.reduce(%2310 init: %cst_610) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2312 = stablehlo.reshape %2311 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %cst_611 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2313 = stablehlo.reduce(%2312 init: %cst_611) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2314 = stablehlo.negate %2301 : tensor<64x14x14x1024xf32>
    %cst_612 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2315 = stablehlo.reduce(%2314 init: %cst_612) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2316 = stablehlo.reshape %2315 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %cst_613 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2317 = stablehlo.reduce(%2316 init: %cst_613) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2318 = stablehlo.add %2309, %2301 : tensor<64x14x14x1024xf32>
    %2319 = stablehlo.add %2313, %2317 : tensor<1024xf32>
    %cst_614 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %2320 = stablehlo.broadcast_in_dim %cst_614, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %2321 = stablehlo.divide %2319, %2320 : tensor<1024xf32>
    %2322 = stablehlo.broadcast_in_dim %2321, dims = [3] : (tensor<1024xf32>) -> tensor<64x14x14x1024xf32>
    %2323 = stablehlo.add %2318, %2322 : tensor<64x14x14x1024xf32>
    %2324 = stablehlo.convolution(%1152, %2323) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<64x14x14x1024xf32>) -> tensor<1x1x256x1024xf32>
    %2325 = stablehlo.reverse %arg110, dims = [0, 1] : tensor<1x1x256x1024xf32>
    %2326 = stablehlo.convolution(%2323, %2325) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<1x1x256x1024xf32>) -> tensor<64x14x14x256xf32>
    %cst_615 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2327 = stablehlo.broadcast_in_dim %cst_615, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
    %2328 = stablehlo.select %1154, %2326, %2327 : tensor<64x14x14x256xi1>, tensor<64x14x14x256xf32>
    %cst_616 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2329 = stablehlo.reduce(%2328 init: %cst_616) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2330 = stablehlo.reshape %2329 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_617 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2331 = stablehlo.reduce(%2330 init: %cst_617) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2332 = stablehlo.multiply %1129, %2328 : tensor<64x14x14x256xf32>
    %cst_618 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2333 = stablehlo.reduce(%2332 init: %cst_618) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2334 = stablehlo.reshape %2333 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %2335 = stablehlo.broadcast_in_dim %1146, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %2336 = stablehlo.multiply %2328, %2335 : tensor<64x14x14x256xf32>
    %cst_619 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2337 = stablehlo.reduce(%2334 init: %cst_619) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2338 = stablehlo.multiply %1141, %2337 : tensor<256xf32>
    %2339 = stablehlo.multiply %2337, %arg108 : tensor<256xf32>
    %2340 = stablehlo.multiply %2339, %1144 : tensor<256xf32>
    %cst_620 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %2341 = stablehlo.broadcast_in_dim %cst_620, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %2342 = stablehlo.divide %2340, %2341 : tensor<256xf32>
    %2343 = stablehlo.broadcast_in_dim %2342, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
    %2344 = stablehlo.multiply %2343, %1135 : tensor<64x14x14x256xf32>
    %2345 = stablehlo.negate %2344 : tensor<64x14x14x256xf32>
    %cst_621 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2346 = stablehlo.reduce(%2345 init: %cst_621) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2347 = stablehlo.reshape %2346 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_622 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2348 = stablehlo.reduce(%2347 init: %cst_622) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2349 = stablehlo.negate %2336 : tensor<64x14x14x256xf32>
    %cst_623 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2350 = stablehlo.reduce(%2349 init: %cst_623) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2351 = stablehlo.reshape %2350 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_624 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2352 = stablehlo.reduce(%2351 init: %cst_624) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2353 = stablehlo.add %2344, %2336 : tensor<64x14x14x256xf32>
    %2354 = stablehlo.add %2348, %2352 : tensor<256xf32>
    %cst_625 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %2355 = stablehlo.broadcast_in_dim %cst_625, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %2356 = stablehlo.divide %2354, %2355 : tensor<256xf32>
    %2357 = stablehlo.broadcast_in_dim %2356, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
    %2358 = stablehlo.add %2353, %2357 : tensor<64x14x14x256xf32>
    %2359 = stablehlo.convolution(%1120, %2358) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<64x14x14x256xf32>) -> tensor<3x3x256x256xf32>
    %2360 = stablehlo.reverse %arg107, dims = [0, 1] : tensor<3x3x256x256xf32>
    %2361 = stablehlo.convolution(%2358, %2360) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<3x3x256x256xf32>) -> tensor<64x14x14x256xf32>
    %cst_626 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2362 = stablehlo.broadcast_in_dim %cst_626, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
    %2363 = stablehlo.select %1122, %2361, %2362 : tensor<64x14x14x256xi1>, tensor<64x14x14x256xf32>
    %cst_627 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2364 = stablehlo.reduce(%2363 init: %cst_627) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2365 = stablehlo.reshape %2364 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_628 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2366 = stablehlo.reduce(%2365 init: %cst_628) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2367 = stablehlo.multiply %1097, %2363 : tensor<64x14x14x256xf32>
    %cst_629 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2368 = stablehlo.reduce(%2367 init: %cst_629) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2369 = stablehlo.reshape %2368 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %2370 = stablehlo.broadcast_in_dim %1114, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %2371 = stablehlo.multiply %2363, %2370 : tensor<64x14x14x256xf32>
    %cst_630 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2372 = stablehlo.reduce(%2369 init: %cst_630) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2373 = stablehlo.multiply %1109, %2372 : tensor<256xf32>
    %2374 = stablehlo.multiply %2372, %arg105 : tensor<256xf32>
    %2375 = stablehlo.multiply %2374, %1112 : tensor<256xf32>
    %cst_631 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %2376 = stablehlo.broadcast_in_dim %cst_631, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %2377 = stablehlo.divide %2375, %2376 : tensor<256xf32>
    %2378 = stablehlo.broadcast_in_dim %2377, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
    %2379 = stablehlo.multiply %2378, %1103 : tensor<64x14x14x256xf32>
    %2380 = stablehlo.negate %2379 : tensor<64x14x14x256xf32>
    %cst_632 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2381 = stablehlo.reduce(%2380 init: %cst_632) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2382 = stablehlo.reshape %2381 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_633 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2383 = stablehlo.reduce(%2382 init: %cst_633) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2384 = stablehlo.negate %2371 : tensor<64x14x14x256xf32>
    %cst_634 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2385 = stablehlo.reduce(%2384 init: %cst_634) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2386 = stablehlo.reshape %2385 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_635 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2387 = stablehlo.reduce(%2386 init: %cst_635) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2388 = stablehlo.add %2379, %2371 : tensor<64x14x14x256xf32>
    %2389 = stablehlo.add %2383, %2387 : tensor<256xf32>
    %cst_636 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %2390 = stablehlo.broadcast_in_dim %cst_636, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %2391 = stablehlo.divide %2389, %2390 : tensor<256xf32>
    %2392 = stablehlo.broadcast_in_dim %2391, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
    %2393 = stablehlo.add %2388, %2392 : tensor<64x14x14x256xf32>
    %2394 = stablehlo.convolution(%1088, %2393) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<64x14x14x256xf32>) -> tensor<1x1x1024x256xf32>
    %2395 = stablehlo.reverse %arg104, dims = [0, 1] : tensor<1x1x1024x256xf32>
    %2396 = stablehlo.convolution(%2393, %2395) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<1x1x1024x256xf32>) -> tensor<64x14x14x1024xf32>
    %2397 = stablehlo.add %2293, %2396 : tensor<64x14x14x1024xf32>
    %cst_637 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2398 = stablehlo.broadcast_in_dim %cst_637, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
    %2399 = stablehlo.select %1090, %2397, %2398 : tensor<64x14x14x1024xi1>, tensor<64x14x14x1024xf32>
    %cst_638 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2400 = stablehlo.reduce(%2399 init: %cst_638) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2401 = stablehlo.reshape %2400 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %cst_639 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2402 = stablehlo.reduce(%2401 init: %cst_639) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2403 = stablehlo.multiply %1064, %2399 : tensor<64x14x14x1024xf32>
    %cst_640 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2404 = stablehlo.reduce(%2403 init: %cst_640) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2405 = stablehlo.reshape %2404 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %2406 = stablehlo.broadcast_in_dim %1081, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
    %2407 = stablehlo.multiply %2399, %2406 : tensor<64x14x14x1024xf32>
    %cst_641 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2408 = stablehlo.reduce(%2405 init: %cst_641) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2409 = stablehlo.multiply %1076, %2408 : tensor<1024xf32>
    %2410 = stablehlo.multiply %2408, %arg102 : tensor<1024xf32>
    %2411 = stablehlo.multiply %2410, %1079 : tensor<1024xf32>
    %cst_642 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %2412 = stablehlo.broadcast_in_dim %cst_642, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %2413 = stablehlo.divide %2411, %2412 : tensor<1024xf32>
    %2414 = stablehlo.broadcast_in_dim %2413, dims = [3] : (tensor<1024xf32>) -> tensor<64x14x14x1024xf32>
    %2415 = stablehlo.multiply %2414, %1070 : tensor<64x14x14x1024xf32>
    %2416 = stablehlo.negate %2415 : tensor<64x14x14x1024xf32>
    %cst_643 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2417 = stablehlo.reduce(%2416 init: %cst_643) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2418 = stablehlo.reshape %2417 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %cst_644 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2419 = stablehlo.reduce(%2418 init: %cst_644) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2420 = stablehlo.negate %2407 : tensor<64x14x14x1024xf32>
    %cst_645 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2421 = stablehlo.reduce(%2420 init: %cst_645) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2422 = stablehlo.reshape %2421 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %cst_646 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2423 = stablehlo.reduce(%2422 init: %cst_646) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2424 = stablehlo.add %2415, %2407 : tensor<64x14x14x1024xf32>
    %2425 = stablehlo.add %2419, %2423 : tensor<1024xf32>
    %cst_647 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %2426 = stablehlo.broadcast_in_dim %cst_647, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %2427 = stablehlo.divide %2425, %2426 : tensor<1024xf32>
    %2428 = stablehlo.broadcast_in_dim %2427, dims = [3] : (tensor<1024xf32>) -> tensor<64x14x14x1024xf32>
    %2429 = stablehlo.add %2424, %2428 : tensor<64x14x14x1024xf32>
    %2430 = stablehlo.convolution(%1055, %2429) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<64x14x14x1024xf32>) -> tensor<1x1x256x1024xf32>
    %2431 = stablehlo.reverse %arg101, dims = [0, 1] : tensor<1x1x256x1024xf32>
    %2432 = stablehlo.convolution(%2429, %2431) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<1x1x256x1024xf32>) -> tensor<64x14x14x256xf32>
    %cst_648 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2433 = stablehlo.broadcast_in_dim %cst_648, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
    %2434 = stablehlo.select %1057, %2432, %2433 : tensor<64x14x14x256xi1>, tensor<64x14x14x256xf32>
    %cst_649 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2435 = stablehlo.reduce(%2434 init: %cst_649) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2436 = stablehlo.reshape %2435 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_650 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2437 = stablehlo.reduce(%2436 init: %cst_650) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2438 = stablehlo.multiply %1032, %2434 : tensor<64x14x14x256xf32>
    %cst_651 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2439 = stablehlo.reduce(%2438 init: %cst_651) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2440 = stablehlo.reshape %2439 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %2441 = stablehlo.broadcast_in_dim %1049, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %2442 = stablehlo.multiply %2434, %2441 : tensor<64x14x14x256xf32>
    %cst_652 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2443 = stablehlo.reduce(%2440 init: %cst_652) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2444 = stablehlo.multiply %1044, %2443 : tensor<256xf32>
    %2445 = stablehlo.multiply %2443, %arg99 : tensor<256xf32>
    %2446 = stablehlo.multiply %2445, %1047 : tensor<256xf32>
    %cst_653 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %2447 = stablehlo.broadcast_in_dim %cst_653, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %2448 = stablehlo.divide %2446, %2447 : tensor<256xf32>
    %2449 = stablehlo.broadcast_in_dim %2448, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
    %2450 = stablehlo.multiply %2449, %1038 : tensor<64x14x14x256xf32>
    %2451 = stablehlo.negate %2450 : tensor<64x14x14x256xf32>
    %cst_654 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2452 = stablehlo.reduce(%2451 init: %cst_654) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2453 = stablehlo.reshape %2452 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_655 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2454 = stablehlo.reduce(%2453 init: %cst_655) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2455 = stablehlo.negate %2442 : tensor<64x14x14x256xf32>
    %cst_656 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2456 = stablehlo.reduce(%2455 init: %cst_656) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2457 = stablehlo.reshape %2456 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_657 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2458 = stablehlo.reduce(%2457 init: %cst_657) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2459 = stablehlo.add %2450, %2442 : tensor<64x14x14x256xf32>
    %2460 = stablehlo.add %2454, %2458 : tensor<256xf32>
    %cst_658 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %2461 = stablehlo.broadcast_in_dim %cst_658, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %2462 = stablehlo.divide %2460, %2461 : tensor<256xf32>
    %2463 = stablehlo.broadcast_in_dim %2462, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
    %2464 = stablehlo.add %2459, %2463 : tensor<64x14x14x256xf32>
    %2465 = stablehlo.convolution(%1023, %2464) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<64x14x14x256xf32>) -> tensor<3x3x256x256xf32>
    %2466 = stablehlo.reverse %arg98, dims = [0, 1] : tensor<3x3x256x256xf32>
    %2467 = stablehlo.convolution(%2464, %2466) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<3x3x256x256xf32>) -> tensor<64x14x14x256xf32>
    %cst_659 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2468 = stablehlo.broadcast_in_dim %cst_659, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
    %2469 = stablehlo.select %1025, %2467, %2468 : tensor<64x14x14x256xi1>, tensor<64x14x14x256xf32>
    %cst_660 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2470 = stablehlo.reduce(%2469 init: %cst_660) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2471 = stablehlo.reshape %2470 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_661 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2472 = stablehlo.reduce(%2471 init: %cst_661) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2473 = stablehlo.multiply %1000, %2469 : tensor<64x14x14x256xf32>
    %cst_662 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2474 = stablehlo.reduce(%2473 init: %cst_662) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2475 = stablehlo.reshape %2474 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %2476 = stablehlo.broadcast_in_dim %1017, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %2477 = stablehlo.multiply %2469, %2476 : tensor<64x14x14x256xf32>
    %cst_663 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2478 = stablehlo.reduce(%2475 init: %cst_663) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2479 = stablehlo.multiply %1012, %2478 : tensor<256xf32>
    %2480 = stablehlo.multiply %2478, %arg96 : tensor<256xf32>
    %2481 = stablehlo.multiply %2480, %1015 : tensor<256xf32>
    %cst_664 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %2482 = stablehlo.broadcast_in_dim %cst_664, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %2483 = stablehlo.divide %2481, %2482 : tensor<256xf32>
    %2484 = stablehlo.broadcast_in_dim %2483, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
    %2485 = stablehlo.multiply %2484, %1006 : tensor<64x14x14x256xf32>
    %2486 = stablehlo.negate %2485 : tensor<64x14x14x256xf32>
    %cst_665 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2487 = stablehlo.reduce(%2486 init: %cst_665) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2488 = stablehlo.reshape %2487 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_666 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2489 = stablehlo.reduce(%2488 init: %cst_666) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2490 = stablehlo.negate %2477 : tensor<64x14x14x256xf32>
    %cst_667 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2491 = stablehlo.reduce(%2490 init: %cst_667) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2492 = stablehlo.reshape %2491 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_668 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2493 = stablehlo.reduce(%2492 init: %cst_668) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2494 = stablehlo.add %2485, %2477 : tensor<64x14x14x256xf32>
    %2495 = stablehlo.add %2489, %2493 : tensor<256xf32>
    %cst_669 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %2496 = stablehlo.broadcast_in_dim %cst_669, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %2497 = stablehlo.divide %2495, %2496 : tensor<256xf32>
    %2498 = stablehlo.broadcast_in_dim %2497, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
    %2499 = stablehlo.add %2494, %2498 : tensor<64x14x14x256xf32>
    %2500 = stablehlo.convolution(%991, %2499) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<64x14x14x256xf32>) -> tensor<1x1x1024x256xf32>
    %2501 = stablehlo.reverse %arg95, dims = [0, 1] : tensor<1x1x1024x256xf32>
    %2502 = stablehlo.convolution(%2499, %2501) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<1x1x1024x256xf32>) -> tensor<64x14x14x1024xf32>
    %2503 = stablehlo.add %2399, %2502 : tensor<64x14x14x1024xf32>
    %cst_670 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2504 = stablehlo.broadcast_in_dim %cst_670, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
    %2505 = stablehlo.select %993, %2503, %2504 : tensor<64x14x14x1024xi1>, tensor<64x14x14x1024xf32>
    %cst_671 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2506 = stablehlo.reduce(%2505 init: %cst_671) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2507 = stablehlo.reshape %2506 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %cst_672 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2508 = stablehlo.reduce(%2507 init: %cst_672) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2509 = stablehlo.multiply %967, %2505 : tensor<64x14x14x1024xf32>
    %cst_673 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2510 = stablehlo.reduce(%2509 init: %cst_673) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2511 = stablehlo.reshape %2510 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %2512 = stablehlo.broadcast_in_dim %984, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
    %2513 = stablehlo.multiply %2505, %2512 : tensor<64x14x14x1024xf32>
    %cst_674 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2514 = stablehlo.reduce(%2511 init: %cst_674) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2515 = stablehlo.multiply %979, %2514 : tensor<1024xf32>
    %2516 = stablehlo.multiply %2514, %arg93 : tensor<1024xf32>
    %2517 = stablehlo.multiply %2516, %982 : tensor<1024xf32>
    %cst_675 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %2518 = stablehlo.broadcast_in_dim %cst_675, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %2519 = stablehlo.divide %2517, %2518 : tensor<1024xf32>
    %2520 = stablehlo.broadcast_in_dim %2519, dims = [3] : (tensor<1024xf32>) -> tensor<64x14x14x1024xf32>
    %2521 = stablehlo.multiply %2520, %973 : tensor<64x14x14x1024xf32>
    %2522 = stablehlo.negate %2521 : tensor<64x14x14x1024xf32>
    %cst_676 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2523 = stablehlo.reduce(%2522 init: %cst_676) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2524 = stablehlo.reshape %2523 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %cst_677 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2525 = stablehlo.reduce(%2524 init: %cst_677) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2526 = stablehlo.negate %2513 : tensor<64x14x14x1024xf32>
    %cst_678 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2527 = stablehlo.reduce(%2526 init: %cst_678) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2528 = stablehlo.reshape %2527 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %cst_679 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2529 = stablehlo.reduce(%2528 init: %cst_679) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2530 = stablehlo.add %2521, %2513 : tensor<64x14x14x1024xf32>
    %2531 = stablehlo.add %2525, %2529 : tensor<1024xf32>
    %cst_680 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %2532 = stablehlo.broadcast_in_dim %cst_680, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %2533 = stablehlo.divide %2531, %2532 : tensor<1024xf32>
    %2534 = stablehlo.broadcast_in_dim %2533, dims = [3] : (tensor<1024xf32>) -> tensor<64x14x14x1024xf32>
    %2535 = stablehlo.add %2530, %2534 : tensor<64x14x14x1024xf32>
    %2536 = stablehlo.convolution(%958, %2535) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<64x14x14x1024xf32>) -> tensor<1x1x256x1024xf32>
    %2537 = stablehlo.reverse %arg92, dims = [0, 1] : tensor<1x1x256x1024xf32>
    %2538 = stablehlo.convolution(%2535, %2537) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<1x1x256x1024xf32>) -> tensor<64x14x14x256xf32>
    %cst_681 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2539 = stablehlo.broadcast_in_dim %cst_681, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
    %2540 = stablehlo.select %960, %2538, %2539 : tensor<64x14x14x256xi1>, tensor<64x14x14x256xf32>
    %cst_682 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2541 = stablehlo.reduce(%2540 init: %cst_682) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2542 = stablehlo.reshape %2541 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_683 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2543 = stablehlo.reduce(%2542 init: %cst_683) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2544 = stablehlo.multiply %935, %2540 : tensor<64x14x14x256xf32>
    %cst_684 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2545 = stablehlo.reduce(%2544 init: %cst_684) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2546 = stablehlo.reshape %2545 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %2547 = stablehlo.broadcast_in_dim %952, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %2548 = stablehlo.multiply %2540, %2547 : tensor<64x14x14x256xf32>
    %cst_685 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2549 = stablehlo.reduce(%2546 init: %cst_685) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2550 = stablehlo.multiply %947, %2549 : tensor<256xf32>
    %2551 = stablehlo.multiply %2549, %arg90 : tensor<256xf32>
    %2552 = stablehlo.multiply %2551, %950 : tensor<256xf32>
    %cst_686 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %2553 = stablehlo.broadcast_in_dim %cst_686, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %2554 = stablehlo.divide %2552, %2553 : tensor<256xf32>
    %2555 = stablehlo.broadcast_in_dim %2554, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
    %2556 = stablehlo.multiply %2555, %941 : tensor<64x14x14x256xf32>
    %2557 = stablehlo.negate %2556 : tensor<64x14x14x256xf32>
    %cst_687 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2558 = stablehlo.reduce(%2557 init: %cst_687) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2559 = stablehlo.reshape %2558 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_688 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2560 = stablehlo.reduce(%2559 init: %cst_688) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2561 = stablehlo.negate %2548 : tensor<64x14x14x256xf32>
    %cst_689 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2562 = stablehlo.reduce(%2561 init: %cst_689) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2563 = stablehlo.reshape %2562 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_690 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2564 = stablehlo.reduce(%2563 init: %cst_690) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2565 = stablehlo.add %2556, %2548 : tensor<64x14x14x256xf32>
    %2566 = stablehlo.add %2560, %2564 : tensor<256xf32>
    %cst_691 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %2567 = stablehlo.broadcast_in_dim %cst_691, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %2568 = stablehlo.divide %2566, %2567 : tensor<256xf32>
    %2569 = stablehlo.broadcast_in_dim %2568, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
    %2570 = stablehlo.add %2565, %2569 : tensor<64x14x14x256xf32>
    %2571 = stablehlo.convolution(%926, %2570) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<64x14x14x256xf32>) -> tensor<3x3x256x256xf32>
    %2572 = stablehlo.reverse %arg89, dims = [0, 1] : tensor<3x3x256x256xf32>
    %2573 = stablehlo.convolution(%2570, %2572) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<3x3x256x256xf32>) -> tensor<64x14x14x256xf32>
    %cst_692 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2574 = stablehlo.broadcast_in_dim %cst_692, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
    %2575 = stablehlo.select %928, %2573, %2574 : tensor<64x14x14x256xi1>, tensor<64x14x14x256xf32>
    %cst_693 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2576 = stablehlo.reduce(%2575 init: %cst_693) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2577 = stablehlo.reshape %2576 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_694 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2578 = stablehlo.reduce(%2577 init: %cst_694) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2579 = stablehlo.multiply %903, %2575 : tensor<64x14x14x256xf32>
    %cst_695 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2580 = stablehlo.reduce(%2579 init: %cst_695) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2581 = stablehlo.reshape %2580 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %2582 = stablehlo.broadcast_in_dim %920, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %2583 = stablehlo.multiply %2575, %2582 : tensor<64x14x14x256xf32>
    %cst_696 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2584 = stablehlo.reduce(%2581 init: %cst_696) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2585 = stablehlo.multiply %915, %2584 : tensor<256xf32>
    %2586 = stablehlo.multiply %2584, %arg87 : tensor<256xf32>
    %2587 = stablehlo.multiply %2586, %918 : tensor<256xf32>
    %cst_697 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %2588 = stablehlo.broadcast_in_dim %cst_697, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %2589 = stablehlo.divide %2587, %2588 : tensor<256xf32>
    %2590 = stablehlo.broadcast_in_dim %2589, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
    %2591 = stablehlo.multiply %2590, %909 : tensor<64x14x14x256xf32>
    %2592 = stablehlo.negate %2591 : tensor<64x14x14x256xf32>
    %cst_698 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2593 = stablehlo.reduce(%2592 init: %cst_698) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2594 = stablehlo.reshape %2593 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_699 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2595 = stablehlo.reduce(%2594 init: %cst_699) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2596 = stablehlo.negate %2583 : tensor<64x14x14x256xf32>
    %cst_700 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2597 = stablehlo.reduce(%2596 init: %cst_700) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2598 = stablehlo.reshape %2597 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_701 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2599 = stablehlo.reduce(%2598 init: %cst_701) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2600 = stablehlo.add %2591, %2583 : tensor<64x14x14x256xf32>
    %2601 = stablehlo.add %2595, %2599 : tensor<256xf32>
    %cst_702 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %2602 = stablehlo.broadcast_in_dim %cst_702, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %2603 = stablehlo.divide %2601, %2602 : tensor<256xf32>
    %2604 = stablehlo.broadcast_in_dim %2603, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
    %2605 = stablehlo.add %2600, %2604 : tensor<64x14x14x256xf32>
    %2606 = stablehlo.convolution(%894, %2605) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<64x14x14x256xf32>) -> tensor<1x1x1024x256xf32>
    %2607 = stablehlo.reverse %arg86, dims = [0, 1] : tensor<1x1x1024x256xf32>
    %2608 = stablehlo.convolution(%2605, %2607) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<1x1x1024x256xf32>) -> tensor<64x14x14x1024xf32>
    %2609 = stablehlo.add %2505, %2608 : tensor<64x14x14x1024xf32>
    %cst_703 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2610 = stablehlo.broadcast_in_dim %cst_703, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
    %2611 = stablehlo.select %896, %2609, %2610 : tensor<64x14x14x1024xi1>, tensor<64x14x14x1024xf32>
    %cst_704 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2612 = stablehlo.reduce(%2611 init: %cst_704) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2613 = stablehlo.reshape %2612 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %cst_705 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2614 = stablehlo.reduce(%2613 init: %cst_705) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2615 = stablehlo.multiply %870, %2611 : tensor<64x14x14x1024xf32>
    %cst_706 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2616 = stablehlo.reduce(%2615 init: %cst_706) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2617 = stablehlo.reshape %2616 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %2618 = stablehlo.broadcast_in_dim %887, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
    %2619 = stablehlo.multiply %2611, %2618 : tensor<64x14x14x1024xf32>
    %cst_707 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2620 = stablehlo.reduce(%2617 init: %cst_707) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2621 = stablehlo.multiply %882, %2620 : tensor<1024xf32>
    %2622 = stablehlo.multiply %2620, %arg84 : tensor<1024xf32>
    %2623 = stablehlo.multiply %2622, %885 : tensor<1024xf32>
    %cst_708 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %2624 = stablehlo.broadcast_in_dim %cst_708, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %2625 = stablehlo.divide %2623, %2624 : tensor<1024xf32>
    %2626 = stablehlo.broadcast_in_dim %2625, dims = [3] : (tensor<1024xf32>) -> tensor<64x14x14x1024xf32>
    %2627 = stablehlo.multiply %2626, %876 : tensor<64x14x14x1024xf32>
    %2628 = stablehlo.negate %2627 : tensor<64x14x14x1024xf32>
    %cst_709 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2629 = stablehlo.reduce(%2628 init: %cst_709) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2630 = stablehlo.reshape %2629 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %cst_710 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2631 = stablehlo.reduce(%2630 init: %cst_710) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2632 = stablehlo.negate %2619 : tensor<64x14x14x1024xf32>
    %cst_711 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2633 = stablehlo.reduce(%2632 init: %cst_711) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2634 = stablehlo.reshape %2633 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %cst_712 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2635 = stablehlo.reduce(%2634 init: %cst_712) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2636 = stablehlo.add %2627, %2619 : tensor<64x14x14x1024xf32>
    %2637 = stablehlo.add %2631, %2635 : tensor<1024xf32>
    %cst_713 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %2638 = stablehlo.broadcast_in_dim %cst_713, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %2639 = stablehlo.divide %2637, %2638 : tensor<1024xf32>
    %2640 = stablehlo.broadcast_in_dim %2639, dims = [3] : (tensor<1024xf32>) -> tensor<64x14x14x1024xf32>
    %2641 = stablehlo.add %2636, %2640 : tensor<64x14x14x1024xf32>
    %2642 = stablehlo.convolution(%768, %2641) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, -1], [0, -1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x512xf32>, tensor<64x14x14x1024xf32>) -> tensor<1x1x512x1024xf32>
    %2643 = stablehlo.reverse %arg83, dims = [0, 1] : tensor<1x1x512x1024xf32>
    %2644 = stablehlo.convolution(%2641, %2643) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 1], [0, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<1x1x512x1024xf32>) -> tensor<64x28x28x512xf32>
    %cst_714 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2645 = stablehlo.reduce(%2611 init: %cst_714) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2646 = stablehlo.reshape %2645 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %cst_715 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2647 = stablehlo.reduce(%2646 init: %cst_715) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2648 = stablehlo.multiply %841, %2611 : tensor<64x14x14x1024xf32>
    %cst_716 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2649 = stablehlo.reduce(%2648 init: %cst_716) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2650 = stablehlo.reshape %2649 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %2651 = stablehlo.broadcast_in_dim %858, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
    %2652 = stablehlo.multiply %2611, %2651 : tensor<64x14x14x1024xf32>
    %cst_717 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2653 = stablehlo.reduce(%2650 init: %cst_717) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2654 = stablehlo.multiply %853, %2653 : tensor<1024xf32>
    %2655 = stablehlo.multiply %2653, %arg81 : tensor<1024xf32>
    %2656 = stablehlo.multiply %2655, %856 : tensor<1024xf32>
    %cst_718 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %2657 = stablehlo.broadcast_in_dim %cst_718, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %2658 = stablehlo.divide %2656, %2657 : tensor<1024xf32>
    %2659 = stablehlo.broadcast_in_dim %2658, dims = [3] : (tensor<1024xf32>) -> tensor<64x14x14x1024xf32>
    %2660 = stablehlo.multiply %2659, %847 : tensor<64x14x14x1024xf32>
    %2661 = stablehlo.negate %2660 : tensor<64x14x14x1024xf32>
    %cst_719 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2662 = stablehlo.reduce(%2661 init: %cst_719) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2663 = stablehlo.reshape %2662 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %cst_720 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2664 = stablehlo.reduce(%2663 init: %cst_720) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2665 = stablehlo.negate %2652 : tensor<64x14x14x1024xf32>
    %cst_721 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2666 = stablehlo.reduce(%2665 init: %cst_721) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2667 = stablehlo.reshape %2666 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
    %cst_722 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2668 = stablehlo.reduce(%2667 init: %cst_722) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
    %2669 = stablehlo.add %2660, %2652 : tensor<64x14x14x1024xf32>
    %2670 = stablehlo.add %2664, %2668 : tensor<1024xf32>
    %cst_723 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %2671 = stablehlo.broadcast_in_dim %cst_723, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %2672 = stablehlo.divide %2670, %2671 : tensor<1024xf32>
    %2673 = stablehlo.broadcast_in_dim %2672, dims = [3] : (tensor<1024xf32>) -> tensor<64x14x14x1024xf32>
    %2674 = stablehlo.add %2669, %2673 : tensor<64x14x14x1024xf32>
    %2675 = stablehlo.convolution(%832, %2674) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<64x14x14x1024xf32>) -> tensor<1x1x256x1024xf32>
    %2676 = stablehlo.reverse %arg80, dims = [0, 1] : tensor<1x1x256x1024xf32>
    %2677 = stablehlo.convolution(%2674, %2676) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<1x1x256x1024xf32>) -> tensor<64x14x14x256xf32>
    %cst_724 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2678 = stablehlo.broadcast_in_dim %cst_724, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
    %2679 = stablehlo.select %834, %2677, %2678 : tensor<64x14x14x256xi1>, tensor<64x14x14x256xf32>
    %cst_725 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2680 = stablehlo.reduce(%2679 init: %cst_725) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2681 = stablehlo.reshape %2680 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_726 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2682 = stablehlo.reduce(%2681 init: %cst_726) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2683 = stablehlo.multiply %809, %2679 : tensor<64x14x14x256xf32>
    %cst_727 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2684 = stablehlo.reduce(%2683 init: %cst_727) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2685 = stablehlo.reshape %2684 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %2686 = stablehlo.broadcast_in_dim %826, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
    %2687 = stablehlo.multiply %2679, %2686 : tensor<64x14x14x256xf32>
    %cst_728 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2688 = stablehlo.reduce(%2685 init: %cst_728) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2689 = stablehlo.multiply %821, %2688 : tensor<256xf32>
    %2690 = stablehlo.multiply %2688, %arg78 : tensor<256xf32>
    %2691 = stablehlo.multiply %2690, %824 : tensor<256xf32>
    %cst_729 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %2692 = stablehlo.broadcast_in_dim %cst_729, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %2693 = stablehlo.divide %2691, %2692 : tensor<256xf32>
    %2694 = stablehlo.broadcast_in_dim %2693, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
    %2695 = stablehlo.multiply %2694, %815 : tensor<64x14x14x256xf32>
    %2696 = stablehlo.negate %2695 : tensor<64x14x14x256xf32>
    %cst_730 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2697 = stablehlo.reduce(%2696 init: %cst_730) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2698 = stablehlo.reshape %2697 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_731 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2699 = stablehlo.reduce(%2698 init: %cst_731) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2700 = stablehlo.negate %2687 : tensor<64x14x14x256xf32>
    %cst_732 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2701 = stablehlo.reduce(%2700 init: %cst_732) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2702 = stablehlo.reshape %2701 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_733 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2703 = stablehlo.reduce(%2702 init: %cst_733) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2704 = stablehlo.add %2695, %2687 : tensor<64x14x14x256xf32>
    %2705 = stablehlo.add %2699, %2703 : tensor<256xf32>
    %cst_734 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
    %2706 = stablehlo.broadcast_in_dim %cst_734, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %2707 = stablehlo.divide %2705, %2706 : tensor<256xf32>
    %2708 = stablehlo.broadcast_in_dim %2707, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
    %2709 = stablehlo.add %2704, %2708 : tensor<64x14x14x256xf32>
    %2710 = stablehlo.convolution(%800, %2709) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x256xf32>, tensor<64x14x14x256xf32>) -> tensor<3x3x256x256xf32>
    %2711 = stablehlo.reverse %arg77, dims = [0, 1] : tensor<3x3x256x256xf32>
    %2712 = stablehlo.convolution(%2709, %2711) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 1], [2, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<3x3x256x256xf32>) -> tensor<64x28x28x256xf32>
    %cst_735 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2713 = stablehlo.broadcast_in_dim %cst_735, dims = [] : (tensor<f32>) -> tensor<64x28x28x256xf32>
    %2714 = stablehlo.select %802, %2712, %2713 : tensor<64x28x28x256xi1>, tensor<64x28x28x256xf32>
    %cst_736 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2715 = stablehlo.reduce(%2714 init: %cst_736) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2716 = stablehlo.reshape %2715 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_737 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2717 = stablehlo.reduce(%2716 init: %cst_737) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2718 = stablehlo.multiply %777, %2714 : tensor<64x28x28x256xf32>
    %cst_738 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2719 = stablehlo.reduce(%2718 init: %cst_738) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2720 = stablehlo.reshape %2719 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %2721 = stablehlo.broadcast_in_dim %794, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x28x28x256xf32>
    %2722 = stablehlo.multiply %2714, %2721 : tensor<64x28x28x256xf32>
    %cst_739 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2723 = stablehlo.reduce(%2720 init: %cst_739) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2724 = stablehlo.multiply %789, %2723 : tensor<256xf32>
    %2725 = stablehlo.multiply %2723, %arg75 : tensor<256xf32>
    %2726 = stablehlo.multiply %2725, %792 : tensor<256xf32>
    %cst_740 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %2727 = stablehlo.broadcast_in_dim %cst_740, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %2728 = stablehlo.divide %2726, %2727 : tensor<256xf32>
    %2729 = stablehlo.broadcast_in_dim %2728, dims = [3] : (tensor<256xf32>) -> tensor<64x28x28x256xf32>
    %2730 = stablehlo.multiply %2729, %783 : tensor<64x28x28x256xf32>
    %2731 = stablehlo.negate %2730 : tensor<64x28x28x256xf32>
    %cst_741 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2732 = stablehlo.reduce(%2731 init: %cst_741) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2733 = stablehlo.reshape %2732 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_742 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2734 = stablehlo.reduce(%2733 init: %cst_742) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2735 = stablehlo.negate %2722 : tensor<64x28x28x256xf32>
    %cst_743 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2736 = stablehlo.reduce(%2735 init: %cst_743) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2737 = stablehlo.reshape %2736 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_744 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2738 = stablehlo.reduce(%2737 init: %cst_744) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %2739 = stablehlo.add %2730, %2722 : tensor<64x28x28x256xf32>
    %2740 = stablehlo.add %2734, %2738 : tensor<256xf32>
    %cst_745 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %2741 = stablehlo.broadcast_in_dim %cst_745, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %2742 = stablehlo.divide %2740, %2741 : tensor<256xf32>
    %2743 = stablehlo.broadcast_in_dim %2742, dims = [3] : (tensor<256xf32>) -> tensor<64x28x28x256xf32>
    %2744 = stablehlo.add %2739, %2743 : tensor<64x28x28x256xf32>
    %2745 = stablehlo.convolution(%768, %2744) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x512xf32>, tensor<64x28x28x256xf32>) -> tensor<1x1x512x256xf32>
    %2746 = stablehlo.reverse %arg74, dims = [0, 1] : tensor<1x1x512x256xf32>
    %2747 = stablehlo.convolution(%2744, %2746) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x256xf32>, tensor<1x1x512x256xf32>) -> tensor<64x28x28x512xf32>
    %2748 = stablehlo.add %2644, %2747 : tensor<64x28x28x512xf32>
    %cst_746 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2749 = stablehlo.broadcast_in_dim %cst_746, dims = [] : (tensor<f32>) -> tensor<64x28x28x512xf32>
    %2750 = stablehlo.select %770, %2748, %2749 : tensor<64x28x28x512xi1>, tensor<64x28x28x512xf32>
    %cst_747 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2751 = stablehlo.reduce(%2750 init: %cst_747) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2752 = stablehlo.reshape %2751 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %cst_748 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2753 = stablehlo.reduce(%2752 init: %cst_748) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2754 = stablehlo.multiply %744, %2750 : tensor<64x28x28x512xf32>
    %cst_749 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2755 = stablehlo.reduce(%2754 init: %cst_749) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2756 = stablehlo.reshape %2755 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %2757 = stablehlo.broadcast_in_dim %761, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
    %2758 = stablehlo.multiply %2750, %2757 : tensor<64x28x28x512xf32>
    %cst_750 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2759 = stablehlo.reduce(%2756 init: %cst_750) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2760 = stablehlo.multiply %756, %2759 : tensor<512xf32>
    %2761 = stablehlo.multiply %2759, %arg72 : tensor<512xf32>
    %2762 = stablehlo.multiply %2761, %759 : tensor<512xf32>
    %cst_751 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %2763 = stablehlo.broadcast_in_dim %cst_751, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %2764 = stablehlo.divide %2762, %2763 : tensor<512xf32>
    %2765 = stablehlo.broadcast_in_dim %2764, dims = [3] : (tensor<512xf32>) -> tensor<64x28x28x512xf32>
    %2766 = stablehlo.multiply %2765, %750 : tensor<64x28x28x512xf32>
    %2767 = stablehlo.negate %2766 : tensor<64x28x28x512xf32>
    %cst_752 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2768 = stablehlo.reduce(%2767 init: %cst_752) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2769 = stablehlo.reshape %2768 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %cst_753 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2770 = stablehlo.reduce(%2769 init: %cst_753) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2771 = stablehlo.negate %2758 : tensor<64x28x28x512xf32>
    %cst_754 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2772 = stablehlo.reduce(%2771 init: %cst_754) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2773 = stablehlo.reshape %2772 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %cst_755 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2774 = stablehlo.reduce(%2773 init: %cst_755) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2775 = stablehlo.add %2766, %2758 : tensor<64x28x28x512xf32>
    %2776 = stablehlo.add %2770, %2774 : tensor<512xf32>
    %cst_756 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %2777 = stablehlo.broadcast_in_dim %cst_756, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %2778 = stablehlo.divide %2776, %2777 : tensor<512xf32>
    %2779 = stablehlo.broadcast_in_dim %2778, dims = [3] : (tensor<512xf32>) -> tensor<64x28x28x512xf32>
    %2780 = stablehlo.add %2775, %2779 : tensor<64x28x28x512xf32>
    %2781 = stablehlo.convolution(%735, %2780) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<64x28x28x512xf32>) -> tensor<1x1x128x512xf32>
    %2782 = stablehlo.reverse %arg71, dims = [0, 1] : tensor<1x1x128x512xf32>
    %2783 = stablehlo.convolution(%2780, %2782) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x512xf32>, tensor<1x1x128x512xf32>) -> tensor<64x28x28x128xf32>
    %cst_757 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2784 = stablehlo.broadcast_in_dim %cst_757, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
    %2785 = stablehlo.select %737, %2783, %2784 : tensor<64x28x28x128xi1>, tensor<64x28x28x128xf32>
    %cst_758 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2786 = stablehlo.reduce(%2785 init: %cst_758) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %2787 = stablehlo.reshape %2786 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %cst_759 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2788 = stablehlo.reduce(%2787 init: %cst_759) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %2789 = stablehlo.multiply %712, %2785 : tensor<64x28x28x128xf32>
    %cst_760 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2790 = stablehlo.reduce(%2789 init: %cst_760) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %2791 = stablehlo.reshape %2790 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %2792 = stablehlo.broadcast_in_dim %729, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
    %2793 = stablehlo.multiply %2785, %2792 : tensor<64x28x28x128xf32>
    %cst_761 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2794 = stablehlo.reduce(%2791 init: %cst_761) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %2795 = stablehlo.multiply %724, %2794 : tensor<128xf32>
    %2796 = stablehlo.multiply %2794, %arg69 : tensor<128xf32>
    %2797 = stablehlo.multiply %2796, %727 : tensor<128xf32>
    %cst_762 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %2798 = stablehlo.broadcast_in_dim %cst_762, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2799 = stablehlo.divide %2797, %2798 : tensor<128xf32>
    %2800 = stablehlo.broadcast_in_dim %2799, dims = [3] : (tensor<128xf32>) -> tensor<64x28x28x128xf32>
    %2801 = stablehlo.multiply %2800, %718 : tensor<64x28x28x128xf32>
    %2802 = stablehlo.negate %2801 : tensor<64x28x28x128xf32>
    %cst_763 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2803 = stablehlo.reduce(%2802 init: %cst_763) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %2804 = stablehlo.reshape %2803 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %cst_764 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2805 = stablehlo.reduce(%2804 init: %cst_764) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %2806 = stablehlo.negate %2793 : tensor<64x28x28x128xf32>
    %cst_765 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2807 = stablehlo.reduce(%2806 init: %cst_765) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %2808 = stablehlo.reshape %2807 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %cst_766 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2809 = stablehlo.reduce(%2808 init: %cst_766) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %2810 = stablehlo.add %2801, %2793 : tensor<64x28x28x128xf32>
    %2811 = stablehlo.add %2805, %2809 : tensor<128xf32>
    %cst_767 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %2812 = stablehlo.broadcast_in_dim %cst_767, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2813 = stablehlo.divide %2811, %2812 : tensor<128xf32>
    %2814 = stablehlo.broadcast_in_dim %2813, dims = [3] : (tensor<128xf32>) -> tensor<64x28x28x128xf32>
    %2815 = stablehlo.add %2810, %2814 : tensor<64x28x28x128xf32>
    %2816 = stablehlo.convolution(%703, %2815) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<64x28x28x128xf32>) -> tensor<3x3x128x128xf32>
    %2817 = stablehlo.reverse %arg68, dims = [0, 1] : tensor<3x3x128x128xf32>
    %2818 = stablehlo.convolution(%2815, %2817) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<3x3x128x128xf32>) -> tensor<64x28x28x128xf32>
    %cst_768 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2819 = stablehlo.broadcast_in_dim %cst_768, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
    %2820 = stablehlo.select %705, %2818, %2819 : tensor<64x28x28x128xi1>, tensor<64x28x28x128xf32>
    %cst_769 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2821 = stablehlo.reduce(%2820 init: %cst_769) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %2822 = stablehlo.reshape %2821 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %cst_770 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2823 = stablehlo.reduce(%2822 init: %cst_770) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %2824 = stablehlo.multiply %680, %2820 : tensor<64x28x28x128xf32>
    %cst_771 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2825 = stablehlo.reduce(%2824 init: %cst_771) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %2826 = stablehlo.reshape %2825 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %2827 = stablehlo.broadcast_in_dim %697, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
    %2828 = stablehlo.multiply %2820, %2827 : tensor<64x28x28x128xf32>
    %cst_772 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2829 = stablehlo.reduce(%2826 init: %cst_772) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %2830 = stablehlo.multiply %692, %2829 : tensor<128xf32>
    %2831 = stablehlo.multiply %2829, %arg66 : tensor<128xf32>
    %2832 = stablehlo.multiply %2831, %695 : tensor<128xf32>
    %cst_773 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %2833 = stablehlo.broadcast_in_dim %cst_773, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2834 = stablehlo.divide %2832, %2833 : tensor<128xf32>
    %2835 = stablehlo.broadcast_in_dim %2834, dims = [3] : (tensor<128xf32>) -> tensor<64x28x28x128xf32>
    %2836 = stablehlo.multiply %2835, %686 : tensor<64x28x28x128xf32>
    %2837 = stablehlo.negate %2836 : tensor<64x28x28x128xf32>
    %cst_774 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2838 = stablehlo.reduce(%2837 init: %cst_774) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %2839 = stablehlo.reshape %2838 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %cst_775 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2840 = stablehlo.reduce(%2839 init: %cst_775) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %2841 = stablehlo.negate %2828 : tensor<64x28x28x128xf32>
    %cst_776 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2842 = stablehlo.reduce(%2841 init: %cst_776) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %2843 = stablehlo.reshape %2842 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %cst_777 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2844 = stablehlo.reduce(%2843 init: %cst_777) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %2845 = stablehlo.add %2836, %2828 : tensor<64x28x28x128xf32>
    %2846 = stablehlo.add %2840, %2844 : tensor<128xf32>
    %cst_778 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %2847 = stablehlo.broadcast_in_dim %cst_778, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2848 = stablehlo.divide %2846, %2847 : tensor<128xf32>
    %2849 = stablehlo.broadcast_in_dim %2848, dims = [3] : (tensor<128xf32>) -> tensor<64x28x28x128xf32>
    %2850 = stablehlo.add %2845, %2849 : tensor<64x28x28x128xf32>
    %2851 = stablehlo.convolution(%671, %2850) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x512xf32>, tensor<64x28x28x128xf32>) -> tensor<1x1x512x128xf32>
    %2852 = stablehlo.reverse %arg65, dims = [0, 1] : tensor<1x1x512x128xf32>
    %2853 = stablehlo.convolution(%2850, %2852) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<1x1x512x128xf32>) -> tensor<64x28x28x512xf32>
    %2854 = stablehlo.add %2750, %2853 : tensor<64x28x28x512xf32>
    %cst_779 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2855 = stablehlo.broadcast_in_dim %cst_779, dims = [] : (tensor<f32>) -> tensor<64x28x28x512xf32>
    %2856 = stablehlo.select %673, %2854, %2855 : tensor<64x28x28x512xi1>, tensor<64x28x28x512xf32>
    %cst_780 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2857 = stablehlo.reduce(%2856 init: %cst_780) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2858 = stablehlo.reshape %2857 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %cst_781 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2859 = stablehlo.reduce(%2858 init: %cst_781) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2860 = stablehlo.multiply %647, %2856 : tensor<64x28x28x512xf32>
    %cst_782 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2861 = stablehlo.reduce(%2860 init: %cst_782) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2862 = stablehlo.reshape %2861 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %2863 = stablehlo.broadcast_in_dim %664, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
    %2864 = stablehlo.multiply %2856, %2863 : tensor<64x28x28x512xf32>
    %cst_783 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2865 = stablehlo.reduce(%2862 init: %cst_783) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2866 = stablehlo.multiply %659, %2865 : tensor<512xf32>
    %2867 = stablehlo.multiply %2865, %arg63 : tensor<512xf32>
    %2868 = stablehlo.multiply %2867, %662 : tensor<512xf32>
    %cst_784 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %2869 = stablehlo.broadcast_in_dim %cst_784, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %2870 = stablehlo.divide %2868, %2869 : tensor<512xf32>
    %2871 = stablehlo.broadcast_in_dim %2870, dims = [3] : (tensor<512xf32>) -> tensor<64x28x28x512xf32>
    %2872 = stablehlo.multiply %2871, %653 : tensor<64x28x28x512xf32>
    %2873 = stablehlo.negate %2872 : tensor<64x28x28x512xf32>
    %cst_785 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2874 = stablehlo.reduce(%2873 init: %cst_785) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2875 = stablehlo.reshape %2874 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %cst_786 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2876 = stablehlo.reduce(%2875 init: %cst_786) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2877 = stablehlo.negate %2864 : tensor<64x28x28x512xf32>
    %cst_787 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2878 = stablehlo.reduce(%2877 init: %cst_787) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2879 = stablehlo.reshape %2878 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %cst_788 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2880 = stablehlo.reduce(%2879 init: %cst_788) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2881 = stablehlo.add %2872, %2864 : tensor<64x28x28x512xf32>
    %2882 = stablehlo.add %2876, %2880 : tensor<512xf32>
    %cst_789 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %2883 = stablehlo.broadcast_in_dim %cst_789, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %2884 = stablehlo.divide %2882, %2883 : tensor<512xf32>
    %2885 = stablehlo.broadcast_in_dim %2884, dims = [3] : (tensor<512xf32>) -> tensor<64x28x28x512xf32>
    %2886 = stablehlo.add %2881, %2885 : tensor<64x28x28x512xf32>
    %2887 = stablehlo.convolution(%638, %2886) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<64x28x28x512xf32>) -> tensor<1x1x128x512xf32>
    %2888 = stablehlo.reverse %arg62, dims = [0, 1] : tensor<1x1x128x512xf32>
    %2889 = stablehlo.convolution(%2886, %2888) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x512xf32>, tensor<1x1x128x512xf32>) -> tensor<64x28x28x128xf32>
    %cst_790 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2890 = stablehlo.broadcast_in_dim %cst_790, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
    %2891 = stablehlo.select %640, %2889, %2890 : tensor<64x28x28x128xi1>, tensor<64x28x28x128xf32>
    %cst_791 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2892 = stablehlo.reduce(%2891 init: %cst_791) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %2893 = stablehlo.reshape %2892 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %cst_792 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2894 = stablehlo.reduce(%2893 init: %cst_792) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %2895 = stablehlo.multiply %615, %2891 : tensor<64x28x28x128xf32>
    %cst_793 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2896 = stablehlo.reduce(%2895 init: %cst_793) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %2897 = stablehlo.reshape %2896 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %2898 = stablehlo.broadcast_in_dim %632, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
    %2899 = stablehlo.multiply %2891, %2898 : tensor<64x28x28x128xf32>
    %cst_794 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2900 = stablehlo.reduce(%2897 init: %cst_794) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %2901 = stablehlo.multiply %627, %2900 : tensor<128xf32>
    %2902 = stablehlo.multiply %2900, %arg60 : tensor<128xf32>
    %2903 = stablehlo.multiply %2902, %630 : tensor<128xf32>
    %cst_795 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %2904 = stablehlo.broadcast_in_dim %cst_795, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2905 = stablehlo.divide %2903, %2904 : tensor<128xf32>
    %2906 = stablehlo.broadcast_in_dim %2905, dims = [3] : (tensor<128xf32>) -> tensor<64x28x28x128xf32>
    %2907 = stablehlo.multiply %2906, %621 : tensor<64x28x28x128xf32>
    %2908 = stablehlo.negate %2907 : tensor<64x28x28x128xf32>
    %cst_796 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2909 = stablehlo.reduce(%2908 init: %cst_796) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %2910 = stablehlo.reshape %2909 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %cst_797 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2911 = stablehlo.reduce(%2910 init: %cst_797) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %2912 = stablehlo.negate %2899 : tensor<64x28x28x128xf32>
    %cst_798 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2913 = stablehlo.reduce(%2912 init: %cst_798) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %2914 = stablehlo.reshape %2913 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %cst_799 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2915 = stablehlo.reduce(%2914 init: %cst_799) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %2916 = stablehlo.add %2907, %2899 : tensor<64x28x28x128xf32>
    %2917 = stablehlo.add %2911, %2915 : tensor<128xf32>
    %cst_800 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %2918 = stablehlo.broadcast_in_dim %cst_800, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2919 = stablehlo.divide %2917, %2918 : tensor<128xf32>
    %2920 = stablehlo.broadcast_in_dim %2919, dims = [3] : (tensor<128xf32>) -> tensor<64x28x28x128xf32>
    %2921 = stablehlo.add %2916, %2920 : tensor<64x28x28x128xf32>
    %2922 = stablehlo.convolution(%606, %2921) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<64x28x28x128xf32>) -> tensor<3x3x128x128xf32>
    %2923 = stablehlo.reverse %arg59, dims = [0, 1] : tensor<3x3x128x128xf32>
    %2924 = stablehlo.convolution(%2921, %2923) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<3x3x128x128xf32>) -> tensor<64x28x28x128xf32>
    %cst_801 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2925 = stablehlo.broadcast_in_dim %cst_801, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
    %2926 = stablehlo.select %608, %2924, %2925 : tensor<64x28x28x128xi1>, tensor<64x28x28x128xf32>
    %cst_802 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2927 = stablehlo.reduce(%2926 init: %cst_802) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %2928 = stablehlo.reshape %2927 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %cst_803 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2929 = stablehlo.reduce(%2928 init: %cst_803) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %2930 = stablehlo.multiply %583, %2926 : tensor<64x28x28x128xf32>
    %cst_804 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2931 = stablehlo.reduce(%2930 init: %cst_804) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %2932 = stablehlo.reshape %2931 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %2933 = stablehlo.broadcast_in_dim %600, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
    %2934 = stablehlo.multiply %2926, %2933 : tensor<64x28x28x128xf32>
    %cst_805 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2935 = stablehlo.reduce(%2932 init: %cst_805) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %2936 = stablehlo.multiply %595, %2935 : tensor<128xf32>
    %2937 = stablehlo.multiply %2935, %arg57 : tensor<128xf32>
    %2938 = stablehlo.multiply %2937, %598 : tensor<128xf32>
    %cst_806 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %2939 = stablehlo.broadcast_in_dim %cst_806, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2940 = stablehlo.divide %2938, %2939 : tensor<128xf32>
    %2941 = stablehlo.broadcast_in_dim %2940, dims = [3] : (tensor<128xf32>) -> tensor<64x28x28x128xf32>
    %2942 = stablehlo.multiply %2941, %589 : tensor<64x28x28x128xf32>
    %2943 = stablehlo.negate %2942 : tensor<64x28x28x128xf32>
    %cst_807 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2944 = stablehlo.reduce(%2943 init: %cst_807) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %2945 = stablehlo.reshape %2944 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %cst_808 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2946 = stablehlo.reduce(%2945 init: %cst_808) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %2947 = stablehlo.negate %2934 : tensor<64x28x28x128xf32>
    %cst_809 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2948 = stablehlo.reduce(%2947 init: %cst_809) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %2949 = stablehlo.reshape %2948 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %cst_810 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2950 = stablehlo.reduce(%2949 init: %cst_810) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %2951 = stablehlo.add %2942, %2934 : tensor<64x28x28x128xf32>
    %2952 = stablehlo.add %2946, %2950 : tensor<128xf32>
    %cst_811 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %2953 = stablehlo.broadcast_in_dim %cst_811, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2954 = stablehlo.divide %2952, %2953 : tensor<128xf32>
    %2955 = stablehlo.broadcast_in_dim %2954, dims = [3] : (tensor<128xf32>) -> tensor<64x28x28x128xf32>
    %2956 = stablehlo.add %2951, %2955 : tensor<64x28x28x128xf32>
    %2957 = stablehlo.convolution(%574, %2956) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x512xf32>, tensor<64x28x28x128xf32>) -> tensor<1x1x512x128xf32>
    %2958 = stablehlo.reverse %arg56, dims = [0, 1] : tensor<1x1x512x128xf32>
    %2959 = stablehlo.convolution(%2956, %2958) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<1x1x512x128xf32>) -> tensor<64x28x28x512xf32>
    %2960 = stablehlo.add %2856, %2959 : tensor<64x28x28x512xf32>
    %cst_812 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2961 = stablehlo.broadcast_in_dim %cst_812, dims = [] : (tensor<f32>) -> tensor<64x28x28x512xf32>
    %2962 = stablehlo.select %576, %2960, %2961 : tensor<64x28x28x512xi1>, tensor<64x28x28x512xf32>
    %cst_813 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2963 = stablehlo.reduce(%2962 init: %cst_813) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2964 = stablehlo.reshape %2963 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %cst_814 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2965 = stablehlo.reduce(%2964 init: %cst_814) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2966 = stablehlo.multiply %550, %2962 : tensor<64x28x28x512xf32>
    %cst_815 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2967 = stablehlo.reduce(%2966 init: %cst_815) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2968 = stablehlo.reshape %2967 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %2969 = stablehlo.broadcast_in_dim %567, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
    %2970 = stablehlo.multiply %2962, %2969 : tensor<64x28x28x512xf32>
    %cst_816 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2971 = stablehlo.reduce(%2968 init: %cst_816) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2972 = stablehlo.multiply %562, %2971 : tensor<512xf32>
    %2973 = stablehlo.multiply %2971, %arg54 : tensor<512xf32>
    %2974 = stablehlo.multiply %2973, %565 : tensor<512xf32>
    %cst_817 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %2975 = stablehlo.broadcast_in_dim %cst_817, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %2976 = stablehlo.divide %2974, %2975 : tensor<512xf32>
    %2977 = stablehlo.broadcast_in_dim %2976, dims = [3] : (tensor<512xf32>) -> tensor<64x28x28x512xf32>
    %2978 = stablehlo.multiply %2977, %556 : tensor<64x28x28x512xf32>
    %2979 = stablehlo.negate %2978 : tensor<64x28x28x512xf32>
    %cst_818 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2980 = stablehlo.reduce(%2979 init: %cst_818) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2981 = stablehlo.reshape %2980 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %cst_819 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2982 = stablehlo.reduce(%2981 init: %cst_819) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2983 = stablehlo.negate %2970 : tensor<64x28x28x512xf32>
    %cst_820 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2984 = stablehlo.reduce(%2983 init: %cst_820) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2985 = stablehlo.reshape %2984 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %cst_821 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2986 = stablehlo.reduce(%2985 init: %cst_821) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %2987 = stablehlo.add %2978, %2970 : tensor<64x28x28x512xf32>
    %2988 = stablehlo.add %2982, %2986 : tensor<512xf32>
    %cst_822 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %2989 = stablehlo.broadcast_in_dim %cst_822, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %2990 = stablehlo.divide %2988, %2989 : tensor<512xf32>
    %2991 = stablehlo.broadcast_in_dim %2990, dims = [3] : (tensor<512xf32>) -> tensor<64x28x28x512xf32>
    %2992 = stablehlo.add %2987, %2991 : tensor<64x28x28x512xf32>
    %2993 = stablehlo.convolution(%541, %2992) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<64x28x28x512xf32>) -> tensor<1x1x128x512xf32>
    %2994 = stablehlo.reverse %arg53, dims = [0, 1] : tensor<1x1x128x512xf32>
    %2995 = stablehlo.convolution(%2992, %2994) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x512xf32>, tensor<1x1x128x512xf32>) -> tensor<64x28x28x128xf32>
    %cst_823 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2996 = stablehlo.broadcast_in_dim %cst_823, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
    %2997 = stablehlo.select %543, %2995, %2996 : tensor<64x28x28x128xi1>, tensor<64x28x28x128xf32>
    %cst_824 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2998 = stablehlo.reduce(%2997 init: %cst_824) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %2999 = stablehlo.reshape %2998 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %cst_825 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3000 = stablehlo.reduce(%2999 init: %cst_825) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %3001 = stablehlo.multiply %518, %2997 : tensor<64x28x28x128xf32>
    %cst_826 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3002 = stablehlo.reduce(%3001 init: %cst_826) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %3003 = stablehlo.reshape %3002 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %3004 = stablehlo.broadcast_in_dim %535, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
    %3005 = stablehlo.multiply %2997, %3004 : tensor<64x28x28x128xf32>
    %cst_827 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3006 = stablehlo.reduce(%3003 init: %cst_827) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %3007 = stablehlo.multiply %530, %3006 : tensor<128xf32>
    %3008 = stablehlo.multiply %3006, %arg51 : tensor<128xf32>
    %3009 = stablehlo.multiply %3008, %533 : tensor<128xf32>
    %cst_828 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %3010 = stablehlo.broadcast_in_dim %cst_828, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %3011 = stablehlo.divide %3009, %3010 : tensor<128xf32>
    %3012 = stablehlo.broadcast_in_dim %3011, dims = [3] : (tensor<128xf32>) -> tensor<64x28x28x128xf32>
    %3013 = stablehlo.multiply %3012, %524 : tensor<64x28x28x128xf32>
    %3014 = stablehlo.negate %3013 : tensor<64x28x28x128xf32>
    %cst_829 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3015 = stablehlo.reduce(%3014 init: %cst_829) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %3016 = stablehlo.reshape %3015 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %cst_830 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3017 = stablehlo.reduce(%3016 init: %cst_830) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %3018 = stablehlo.negate %3005 : tensor<64x28x28x128xf32>
    %cst_831 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3019 = stablehlo.reduce(%3018 init: %cst_831) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %3020 = stablehlo.reshape %3019 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %cst_832 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3021 = stablehlo.reduce(%3020 init: %cst_832) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %3022 = stablehlo.add %3013, %3005 : tensor<64x28x28x128xf32>
    %3023 = stablehlo.add %3017, %3021 : tensor<128xf32>
    %cst_833 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %3024 = stablehlo.broadcast_in_dim %cst_833, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %3025 = stablehlo.divide %3023, %3024 : tensor<128xf32>
    %3026 = stablehlo.broadcast_in_dim %3025, dims = [3] : (tensor<128xf32>) -> tensor<64x28x28x128xf32>
    %3027 = stablehlo.add %3022, %3026 : tensor<64x28x28x128xf32>
    %3028 = stablehlo.convolution(%509, %3027) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<64x28x28x128xf32>) -> tensor<3x3x128x128xf32>
    %3029 = stablehlo.reverse %arg50, dims = [0, 1] : tensor<3x3x128x128xf32>
    %3030 = stablehlo.convolution(%3027, %3029) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<3x3x128x128xf32>) -> tensor<64x28x28x128xf32>
    %cst_834 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3031 = stablehlo.broadcast_in_dim %cst_834, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
    %3032 = stablehlo.select %511, %3030, %3031 : tensor<64x28x28x128xi1>, tensor<64x28x28x128xf32>
    %cst_835 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3033 = stablehlo.reduce(%3032 init: %cst_835) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %3034 = stablehlo.reshape %3033 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %cst_836 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3035 = stablehlo.reduce(%3034 init: %cst_836) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %3036 = stablehlo.multiply %486, %3032 : tensor<64x28x28x128xf32>
    %cst_837 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3037 = stablehlo.reduce(%3036 init: %cst_837) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %3038 = stablehlo.reshape %3037 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %3039 = stablehlo.broadcast_in_dim %503, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
    %3040 = stablehlo.multiply %3032, %3039 : tensor<64x28x28x128xf32>
    %cst_838 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3041 = stablehlo.reduce(%3038 init: %cst_838) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %3042 = stablehlo.multiply %498, %3041 : tensor<128xf32>
    %3043 = stablehlo.multiply %3041, %arg48 : tensor<128xf32>
    %3044 = stablehlo.multiply %3043, %501 : tensor<128xf32>
    %cst_839 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %3045 = stablehlo.broadcast_in_dim %cst_839, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %3046 = stablehlo.divide %3044, %3045 : tensor<128xf32>
    %3047 = stablehlo.broadcast_in_dim %3046, dims = [3] : (tensor<128xf32>) -> tensor<64x28x28x128xf32>
    %3048 = stablehlo.multiply %3047, %492 : tensor<64x28x28x128xf32>
    %3049 = stablehlo.negate %3048 : tensor<64x28x28x128xf32>
    %cst_840 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3050 = stablehlo.reduce(%3049 init: %cst_840) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %3051 = stablehlo.reshape %3050 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %cst_841 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3052 = stablehlo.reduce(%3051 init: %cst_841) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %3053 = stablehlo.negate %3040 : tensor<64x28x28x128xf32>
    %cst_842 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3054 = stablehlo.reduce(%3053 init: %cst_842) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %3055 = stablehlo.reshape %3054 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %cst_843 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3056 = stablehlo.reduce(%3055 init: %cst_843) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %3057 = stablehlo.add %3048, %3040 : tensor<64x28x28x128xf32>
    %3058 = stablehlo.add %3052, %3056 : tensor<128xf32>
    %cst_844 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %3059 = stablehlo.broadcast_in_dim %cst_844, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %3060 = stablehlo.divide %3058, %3059 : tensor<128xf32>
    %3061 = stablehlo.broadcast_in_dim %3060, dims = [3] : (tensor<128xf32>) -> tensor<64x28x28x128xf32>
    %3062 = stablehlo.add %3057, %3061 : tensor<64x28x28x128xf32>
    %3063 = stablehlo.convolution(%477, %3062) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x512xf32>, tensor<64x28x28x128xf32>) -> tensor<1x1x512x128xf32>
    %3064 = stablehlo.reverse %arg47, dims = [0, 1] : tensor<1x1x512x128xf32>
    %3065 = stablehlo.convolution(%3062, %3064) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<1x1x512x128xf32>) -> tensor<64x28x28x512xf32>
    %3066 = stablehlo.add %2962, %3065 : tensor<64x28x28x512xf32>
    %cst_845 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3067 = stablehlo.broadcast_in_dim %cst_845, dims = [] : (tensor<f32>) -> tensor<64x28x28x512xf32>
    %3068 = stablehlo.select %479, %3066, %3067 : tensor<64x28x28x512xi1>, tensor<64x28x28x512xf32>
    %cst_846 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3069 = stablehlo.reduce(%3068 init: %cst_846) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
    %3070 = stablehlo.reshape %3069 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %cst_847 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3071 = stablehlo.reduce(%3070 init: %cst_847) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %3072 = stablehlo.multiply %453, %3068 : tensor<64x28x28x512xf32>
    %cst_848 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3073 = stablehlo.reduce(%3072 init: %cst_848) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
    %3074 = stablehlo.reshape %3073 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %3075 = stablehlo.broadcast_in_dim %470, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
    %3076 = stablehlo.multiply %3068, %3075 : tensor<64x28x28x512xf32>
    %cst_849 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3077 = stablehlo.reduce(%3074 init: %cst_849) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %3078 = stablehlo.multiply %465, %3077 : tensor<512xf32>
    %3079 = stablehlo.multiply %3077, %arg45 : tensor<512xf32>
    %3080 = stablehlo.multiply %3079, %468 : tensor<512xf32>
    %cst_850 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %3081 = stablehlo.broadcast_in_dim %cst_850, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %3082 = stablehlo.divide %3080, %3081 : tensor<512xf32>
    %3083 = stablehlo.broadcast_in_dim %3082, dims = [3] : (tensor<512xf32>) -> tensor<64x28x28x512xf32>
    %3084 = stablehlo.multiply %3083, %459 : tensor<64x28x28x512xf32>
    %3085 = stablehlo.negate %3084 : tensor<64x28x28x512xf32>
    %cst_851 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3086 = stablehlo.reduce(%3085 init: %cst_851) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
    %3087 = stablehlo.reshape %3086 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %cst_852 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3088 = stablehlo.reduce(%3087 init: %cst_852) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %3089 = stablehlo.negate %3076 : tensor<64x28x28x512xf32>
    %cst_853 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3090 = stablehlo.reduce(%3089 init: %cst_853) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
    %3091 = stablehlo.reshape %3090 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %cst_854 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3092 = stablehlo.reduce(%3091 init: %cst_854) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %3093 = stablehlo.add %3084, %3076 : tensor<64x28x28x512xf32>
    %3094 = stablehlo.add %3088, %3092 : tensor<512xf32>
    %cst_855 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %3095 = stablehlo.broadcast_in_dim %cst_855, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %3096 = stablehlo.divide %3094, %3095 : tensor<512xf32>
    %3097 = stablehlo.broadcast_in_dim %3096, dims = [3] : (tensor<512xf32>) -> tensor<64x28x28x512xf32>
    %3098 = stablehlo.add %3093, %3097 : tensor<64x28x28x512xf32>
    %3099 = stablehlo.convolution(%351, %3098) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, -1], [0, -1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x256xf32>, tensor<64x28x28x512xf32>) -> tensor<1x1x256x512xf32>
    %3100 = stablehlo.reverse %arg44, dims = [0, 1] : tensor<1x1x256x512xf32>
    %3101 = stablehlo.convolution(%3098, %3100) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 1], [0, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x512xf32>, tensor<1x1x256x512xf32>) -> tensor<64x56x56x256xf32>
    %cst_856 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3102 = stablehlo.reduce(%3068 init: %cst_856) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
    %3103 = stablehlo.reshape %3102 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %cst_857 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3104 = stablehlo.reduce(%3103 init: %cst_857) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %3105 = stablehlo.multiply %424, %3068 : tensor<64x28x28x512xf32>
    %cst_858 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3106 = stablehlo.reduce(%3105 init: %cst_858) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
    %3107 = stablehlo.reshape %3106 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %3108 = stablehlo.broadcast_in_dim %441, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
    %3109 = stablehlo.multiply %3068, %3108 : tensor<64x28x28x512xf32>
    %cst_859 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3110 = stablehlo.reduce(%3107 init: %cst_859) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %3111 = stablehlo.multiply %436, %3110 : tensor<512xf32>
    %3112 = stablehlo.multiply %3110, %arg42 : tensor<512xf32>
    %3113 = stablehlo.multiply %3112, %439 : tensor<512xf32>
    %cst_860 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %3114 = stablehlo.broadcast_in_dim %cst_860, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %3115 = stablehlo.divide %3113, %3114 : tensor<512xf32>
    %3116 = stablehlo.broadcast_in_dim %3115, dims = [3] : (tensor<512xf32>) -> tensor<64x28x28x512xf32>
    %3117 = stablehlo.multiply %3116, %430 : tensor<64x28x28x512xf32>
    %3118 = stablehlo.negate %3117 : tensor<64x28x28x512xf32>
    %cst_861 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3119 = stablehlo.reduce(%3118 init: %cst_861) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
    %3120 = stablehlo.reshape %3119 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %cst_862 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3121 = stablehlo.reduce(%3120 init: %cst_862) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %3122 = stablehlo.negate %3109 : tensor<64x28x28x512xf32>
    %cst_863 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3123 = stablehlo.reduce(%3122 init: %cst_863) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
    %3124 = stablehlo.reshape %3123 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
    %cst_864 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3125 = stablehlo.reduce(%3124 init: %cst_864) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
    %3126 = stablehlo.add %3117, %3109 : tensor<64x28x28x512xf32>
    %3127 = stablehlo.add %3121, %3125 : tensor<512xf32>
    %cst_865 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %3128 = stablehlo.broadcast_in_dim %cst_865, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %3129 = stablehlo.divide %3127, %3128 : tensor<512xf32>
    %3130 = stablehlo.broadcast_in_dim %3129, dims = [3] : (tensor<512xf32>) -> tensor<64x28x28x512xf32>
    %3131 = stablehlo.add %3126, %3130 : tensor<64x28x28x512xf32>
    %3132 = stablehlo.convolution(%415, %3131) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<64x28x28x512xf32>) -> tensor<1x1x128x512xf32>
    %3133 = stablehlo.reverse %arg41, dims = [0, 1] : tensor<1x1x128x512xf32>
    %3134 = stablehlo.convolution(%3131, %3133) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x512xf32>, tensor<1x1x128x512xf32>) -> tensor<64x28x28x128xf32>
    %cst_866 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3135 = stablehlo.broadcast_in_dim %cst_866, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
    %3136 = stablehlo.select %417, %3134, %3135 : tensor<64x28x28x128xi1>, tensor<64x28x28x128xf32>
    %cst_867 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3137 = stablehlo.reduce(%3136 init: %cst_867) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %3138 = stablehlo.reshape %3137 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %cst_868 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3139 = stablehlo.reduce(%3138 init: %cst_868) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %3140 = stablehlo.multiply %392, %3136 : tensor<64x28x28x128xf32>
    %cst_869 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3141 = stablehlo.reduce(%3140 init: %cst_869) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %3142 = stablehlo.reshape %3141 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %3143 = stablehlo.broadcast_in_dim %409, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
    %3144 = stablehlo.multiply %3136, %3143 : tensor<64x28x28x128xf32>
    %cst_870 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3145 = stablehlo.reduce(%3142 init: %cst_870) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %3146 = stablehlo.multiply %404, %3145 : tensor<128xf32>
    %3147 = stablehlo.multiply %3145, %arg39 : tensor<128xf32>
    %3148 = stablehlo.multiply %3147, %407 : tensor<128xf32>
    %cst_871 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %3149 = stablehlo.broadcast_in_dim %cst_871, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %3150 = stablehlo.divide %3148, %3149 : tensor<128xf32>
    %3151 = stablehlo.broadcast_in_dim %3150, dims = [3] : (tensor<128xf32>) -> tensor<64x28x28x128xf32>
    %3152 = stablehlo.multiply %3151, %398 : tensor<64x28x28x128xf32>
    %3153 = stablehlo.negate %3152 : tensor<64x28x28x128xf32>
    %cst_872 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3154 = stablehlo.reduce(%3153 init: %cst_872) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %3155 = stablehlo.reshape %3154 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %cst_873 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3156 = stablehlo.reduce(%3155 init: %cst_873) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %3157 = stablehlo.negate %3144 : tensor<64x28x28x128xf32>
    %cst_874 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3158 = stablehlo.reduce(%3157 init: %cst_874) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
    %3159 = stablehlo.reshape %3158 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %cst_875 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3160 = stablehlo.reduce(%3159 init: %cst_875) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %3161 = stablehlo.add %3152, %3144 : tensor<64x28x28x128xf32>
    %3162 = stablehlo.add %3156, %3160 : tensor<128xf32>
    %cst_876 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
    %3163 = stablehlo.broadcast_in_dim %cst_876, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %3164 = stablehlo.divide %3162, %3163 : tensor<128xf32>
    %3165 = stablehlo.broadcast_in_dim %3164, dims = [3] : (tensor<128xf32>) -> tensor<64x28x28x128xf32>
    %3166 = stablehlo.add %3161, %3165 : tensor<64x28x28x128xf32>
    %3167 = stablehlo.convolution(%383, %3166) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x128xf32>, tensor<64x28x28x128xf32>) -> tensor<3x3x128x128xf32>
    %3168 = stablehlo.reverse %arg38, dims = [0, 1] : tensor<3x3x128x128xf32>
    %3169 = stablehlo.convolution(%3166, %3168) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 1], [2, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<3x3x128x128xf32>) -> tensor<64x56x56x128xf32>
    %cst_877 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3170 = stablehlo.broadcast_in_dim %cst_877, dims = [] : (tensor<f32>) -> tensor<64x56x56x128xf32>
    %3171 = stablehlo.select %385, %3169, %3170 : tensor<64x56x56x128xi1>, tensor<64x56x56x128xf32>
    %cst_878 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3172 = stablehlo.reduce(%3171 init: %cst_878) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x128xf32>, tensor<f32>) -> tensor<128xf32>
    %3173 = stablehlo.reshape %3172 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %cst_879 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3174 = stablehlo.reduce(%3173 init: %cst_879) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %3175 = stablehlo.multiply %360, %3171 : tensor<64x56x56x128xf32>
    %cst_880 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3176 = stablehlo.reduce(%3175 init: %cst_880) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x128xf32>, tensor<f32>) -> tensor<128xf32>
    %3177 = stablehlo.reshape %3176 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %3178 = stablehlo.broadcast_in_dim %377, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x56x56x128xf32>
    %3179 = stablehlo.multiply %3171, %3178 : tensor<64x56x56x128xf32>
    %cst_881 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3180 = stablehlo.reduce(%3177 init: %cst_881) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %3181 = stablehlo.multiply %372, %3180 : tensor<128xf32>
    %3182 = stablehlo.multiply %3180, %arg36 : tensor<128xf32>
    %3183 = stablehlo.multiply %3182, %375 : tensor<128xf32>
    %cst_882 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %3184 = stablehlo.broadcast_in_dim %cst_882, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %3185 = stablehlo.divide %3183, %3184 : tensor<128xf32>
    %3186 = stablehlo.broadcast_in_dim %3185, dims = [3] : (tensor<128xf32>) -> tensor<64x56x56x128xf32>
    %3187 = stablehlo.multiply %3186, %366 : tensor<64x56x56x128xf32>
    %3188 = stablehlo.negate %3187 : tensor<64x56x56x128xf32>
    %cst_883 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3189 = stablehlo.reduce(%3188 init: %cst_883) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x128xf32>, tensor<f32>) -> tensor<128xf32>
    %3190 = stablehlo.reshape %3189 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %cst_884 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3191 = stablehlo.reduce(%3190 init: %cst_884) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %3192 = stablehlo.negate %3179 : tensor<64x56x56x128xf32>
    %cst_885 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3193 = stablehlo.reduce(%3192 init: %cst_885) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x128xf32>, tensor<f32>) -> tensor<128xf32>
    %3194 = stablehlo.reshape %3193 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
    %cst_886 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3195 = stablehlo.reduce(%3194 init: %cst_886) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %3196 = stablehlo.add %3187, %3179 : tensor<64x56x56x128xf32>
    %3197 = stablehlo.add %3191, %3195 : tensor<128xf32>
    %cst_887 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %3198 = stablehlo.broadcast_in_dim %cst_887, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %3199 = stablehlo.divide %3197, %3198 : tensor<128xf32>
    %3200 = stablehlo.broadcast_in_dim %3199, dims = [3] : (tensor<128xf32>) -> tensor<64x56x56x128xf32>
    %3201 = stablehlo.add %3196, %3200 : tensor<64x56x56x128xf32>
    %3202 = stablehlo.convolution(%351, %3201) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x256xf32>, tensor<64x56x56x128xf32>) -> tensor<1x1x256x128xf32>
    %3203 = stablehlo.reverse %arg35, dims = [0, 1] : tensor<1x1x256x128xf32>
    %3204 = stablehlo.convolution(%3201, %3203) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x128xf32>, tensor<1x1x256x128xf32>) -> tensor<64x56x56x256xf32>
    %3205 = stablehlo.add %3101, %3204 : tensor<64x56x56x256xf32>
    %cst_888 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3206 = stablehlo.broadcast_in_dim %cst_888, dims = [] : (tensor<f32>) -> tensor<64x56x56x256xf32>
    %3207 = stablehlo.select %353, %3205, %3206 : tensor<64x56x56x256xi1>, tensor<64x56x56x256xf32>
    %cst_889 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3208 = stablehlo.reduce(%3207 init: %cst_889) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
    %3209 = stablehlo.reshape %3208 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_890 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3210 = stablehlo.reduce(%3209 init: %cst_890) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %3211 = stablehlo.multiply %327, %3207 : tensor<64x56x56x256xf32>
    %cst_891 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3212 = stablehlo.reduce(%3211 init: %cst_891) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
    %3213 = stablehlo.reshape %3212 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %3214 = stablehlo.broadcast_in_dim %344, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
    %3215 = stablehlo.multiply %3207, %3214 : tensor<64x56x56x256xf32>
    %cst_892 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3216 = stablehlo.reduce(%3213 init: %cst_892) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %3217 = stablehlo.multiply %339, %3216 : tensor<256xf32>
    %3218 = stablehlo.multiply %3216, %arg33 : tensor<256xf32>
    %3219 = stablehlo.multiply %3218, %342 : tensor<256xf32>
    %cst_893 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %3220 = stablehlo.broadcast_in_dim %cst_893, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %3221 = stablehlo.divide %3219, %3220 : tensor<256xf32>
    %3222 = stablehlo.broadcast_in_dim %3221, dims = [3] : (tensor<256xf32>) -> tensor<64x56x56x256xf32>
    %3223 = stablehlo.multiply %3222, %333 : tensor<64x56x56x256xf32>
    %3224 = stablehlo.negate %3223 : tensor<64x56x56x256xf32>
    %cst_894 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3225 = stablehlo.reduce(%3224 init: %cst_894) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
    %3226 = stablehlo.reshape %3225 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_895 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3227 = stablehlo.reduce(%3226 init: %cst_895) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %3228 = stablehlo.negate %3215 : tensor<64x56x56x256xf32>
    %cst_896 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3229 = stablehlo.reduce(%3228 init: %cst_896) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
    %3230 = stablehlo.reshape %3229 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_897 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3231 = stablehlo.reduce(%3230 init: %cst_897) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %3232 = stablehlo.add %3223, %3215 : tensor<64x56x56x256xf32>
    %3233 = stablehlo.add %3227, %3231 : tensor<256xf32>
    %cst_898 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %3234 = stablehlo.broadcast_in_dim %cst_898, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %3235 = stablehlo.divide %3233, %3234 : tensor<256xf32>
    %3236 = stablehlo.broadcast_in_dim %3235, dims = [3] : (tensor<256xf32>) -> tensor<64x56x56x256xf32>
    %3237 = stablehlo.add %3232, %3236 : tensor<64x56x56x256xf32>
    %3238 = stablehlo.convolution(%318, %3237) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<64x56x56x256xf32>) -> tensor<1x1x64x256xf32>
    %3239 = stablehlo.reverse %arg32, dims = [0, 1] : tensor<1x1x64x256xf32>
    %3240 = stablehlo.convolution(%3237, %3239) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x256xf32>, tensor<1x1x64x256xf32>) -> tensor<64x56x56x64xf32>
    %cst_899 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3241 = stablehlo.broadcast_in_dim %cst_899, dims = [] : (tensor<f32>) -> tensor<64x56x56x64xf32>
    %3242 = stablehlo.select %320, %3240, %3241 : tensor<64x56x56x64xi1>, tensor<64x56x56x64xf32>
    %cst_900 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3243 = stablehlo.reduce(%3242 init: %cst_900) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3244 = stablehlo.reshape %3243 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %cst_901 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3245 = stablehlo.reduce(%3244 init: %cst_901) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3246 = stablehlo.multiply %295, %3242 : tensor<64x56x56x64xf32>
    %cst_902 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3247 = stablehlo.reduce(%3246 init: %cst_902) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3248 = stablehlo.reshape %3247 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %3249 = stablehlo.broadcast_in_dim %312, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
    %3250 = stablehlo.multiply %3242, %3249 : tensor<64x56x56x64xf32>
    %cst_903 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3251 = stablehlo.reduce(%3248 init: %cst_903) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3252 = stablehlo.multiply %307, %3251 : tensor<64xf32>
    %3253 = stablehlo.multiply %3251, %arg30 : tensor<64xf32>
    %3254 = stablehlo.multiply %3253, %310 : tensor<64xf32>
    %cst_904 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %3255 = stablehlo.broadcast_in_dim %cst_904, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3256 = stablehlo.divide %3254, %3255 : tensor<64xf32>
    %3257 = stablehlo.broadcast_in_dim %3256, dims = [3] : (tensor<64xf32>) -> tensor<64x56x56x64xf32>
    %3258 = stablehlo.multiply %3257, %301 : tensor<64x56x56x64xf32>
    %3259 = stablehlo.negate %3258 : tensor<64x56x56x64xf32>
    %cst_905 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3260 = stablehlo.reduce(%3259 init: %cst_905) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3261 = stablehlo.reshape %3260 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %cst_906 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3262 = stablehlo.reduce(%3261 init: %cst_906) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3263 = stablehlo.negate %3250 : tensor<64x56x56x64xf32>
    %cst_907 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3264 = stablehlo.reduce(%3263 init: %cst_907) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3265 = stablehlo.reshape %3264 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %cst_908 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3266 = stablehlo.reduce(%3265 init: %cst_908) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3267 = stablehlo.add %3258, %3250 : tensor<64x56x56x64xf32>
    %3268 = stablehlo.add %3262, %3266 : tensor<64xf32>
    %cst_909 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %3269 = stablehlo.broadcast_in_dim %cst_909, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3270 = stablehlo.divide %3268, %3269 : tensor<64xf32>
    %3271 = stablehlo.broadcast_in_dim %3270, dims = [3] : (tensor<64xf32>) -> tensor<64x56x56x64xf32>
    %3272 = stablehlo.add %3267, %3271 : tensor<64x56x56x64xf32>
    %3273 = stablehlo.convolution(%286, %3272) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<64x56x56x64xf32>) -> tensor<3x3x64x64xf32>
    %3274 = stablehlo.reverse %arg29, dims = [0, 1] : tensor<3x3x64x64xf32>
    %3275 = stablehlo.convolution(%3272, %3274) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<64x56x56x64xf32>
    %cst_910 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3276 = stablehlo.broadcast_in_dim %cst_910, dims = [] : (tensor<f32>) -> tensor<64x56x56x64xf32>
    %3277 = stablehlo.select %288, %3275, %3276 : tensor<64x56x56x64xi1>, tensor<64x56x56x64xf32>
    %cst_911 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3278 = stablehlo.reduce(%3277 init: %cst_911) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3279 = stablehlo.reshape %3278 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %cst_912 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3280 = stablehlo.reduce(%3279 init: %cst_912) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3281 = stablehlo.multiply %263, %3277 : tensor<64x56x56x64xf32>
    %cst_913 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3282 = stablehlo.reduce(%3281 init: %cst_913) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3283 = stablehlo.reshape %3282 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %3284 = stablehlo.broadcast_in_dim %280, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
    %3285 = stablehlo.multiply %3277, %3284 : tensor<64x56x56x64xf32>
    %cst_914 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3286 = stablehlo.reduce(%3283 init: %cst_914) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3287 = stablehlo.multiply %275, %3286 : tensor<64xf32>
    %3288 = stablehlo.multiply %3286, %arg27 : tensor<64xf32>
    %3289 = stablehlo.multiply %3288, %278 : tensor<64xf32>
    %cst_915 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %3290 = stablehlo.broadcast_in_dim %cst_915, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3291 = stablehlo.divide %3289, %3290 : tensor<64xf32>
    %3292 = stablehlo.broadcast_in_dim %3291, dims = [3] : (tensor<64xf32>) -> tensor<64x56x56x64xf32>
    %3293 = stablehlo.multiply %3292, %269 : tensor<64x56x56x64xf32>
    %3294 = stablehlo.negate %3293 : tensor<64x56x56x64xf32>
    %cst_916 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3295 = stablehlo.reduce(%3294 init: %cst_916) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3296 = stablehlo.reshape %3295 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %cst_917 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3297 = stablehlo.reduce(%3296 init: %cst_917) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3298 = stablehlo.negate %3285 : tensor<64x56x56x64xf32>
    %cst_918 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3299 = stablehlo.reduce(%3298 init: %cst_918) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3300 = stablehlo.reshape %3299 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %cst_919 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3301 = stablehlo.reduce(%3300 init: %cst_919) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3302 = stablehlo.add %3293, %3285 : tensor<64x56x56x64xf32>
    %3303 = stablehlo.add %3297, %3301 : tensor<64xf32>
    %cst_920 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %3304 = stablehlo.broadcast_in_dim %cst_920, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3305 = stablehlo.divide %3303, %3304 : tensor<64xf32>
    %3306 = stablehlo.broadcast_in_dim %3305, dims = [3] : (tensor<64xf32>) -> tensor<64x56x56x64xf32>
    %3307 = stablehlo.add %3302, %3306 : tensor<64x56x56x64xf32>
    %3308 = stablehlo.convolution(%254, %3307) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x256xf32>, tensor<64x56x56x64xf32>) -> tensor<1x1x256x64xf32>
    %3309 = stablehlo.reverse %arg26, dims = [0, 1] : tensor<1x1x256x64xf32>
    %3310 = stablehlo.convolution(%3307, %3309) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<1x1x256x64xf32>) -> tensor<64x56x56x256xf32>
    %3311 = stablehlo.add %3207, %3310 : tensor<64x56x56x256xf32>
    %cst_921 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3312 = stablehlo.broadcast_in_dim %cst_921, dims = [] : (tensor<f32>) -> tensor<64x56x56x256xf32>
    %3313 = stablehlo.select %256, %3311, %3312 : tensor<64x56x56x256xi1>, tensor<64x56x56x256xf32>
    %cst_922 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3314 = stablehlo.reduce(%3313 init: %cst_922) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
    %3315 = stablehlo.reshape %3314 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_923 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3316 = stablehlo.reduce(%3315 init: %cst_923) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %3317 = stablehlo.multiply %230, %3313 : tensor<64x56x56x256xf32>
    %cst_924 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3318 = stablehlo.reduce(%3317 init: %cst_924) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
    %3319 = stablehlo.reshape %3318 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %3320 = stablehlo.broadcast_in_dim %247, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
    %3321 = stablehlo.multiply %3313, %3320 : tensor<64x56x56x256xf32>
    %cst_925 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3322 = stablehlo.reduce(%3319 init: %cst_925) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %3323 = stablehlo.multiply %242, %3322 : tensor<256xf32>
    %3324 = stablehlo.multiply %3322, %arg24 : tensor<256xf32>
    %3325 = stablehlo.multiply %3324, %245 : tensor<256xf32>
    %cst_926 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %3326 = stablehlo.broadcast_in_dim %cst_926, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %3327 = stablehlo.divide %3325, %3326 : tensor<256xf32>
    %3328 = stablehlo.broadcast_in_dim %3327, dims = [3] : (tensor<256xf32>) -> tensor<64x56x56x256xf32>
    %3329 = stablehlo.multiply %3328, %236 : tensor<64x56x56x256xf32>
    %3330 = stablehlo.negate %3329 : tensor<64x56x56x256xf32>
    %cst_927 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3331 = stablehlo.reduce(%3330 init: %cst_927) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
    %3332 = stablehlo.reshape %3331 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_928 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3333 = stablehlo.reduce(%3332 init: %cst_928) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %3334 = stablehlo.negate %3321 : tensor<64x56x56x256xf32>
    %cst_929 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3335 = stablehlo.reduce(%3334 init: %cst_929) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
    %3336 = stablehlo.reshape %3335 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_930 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3337 = stablehlo.reduce(%3336 init: %cst_930) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %3338 = stablehlo.add %3329, %3321 : tensor<64x56x56x256xf32>
    %3339 = stablehlo.add %3333, %3337 : tensor<256xf32>
    %cst_931 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %3340 = stablehlo.broadcast_in_dim %cst_931, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %3341 = stablehlo.divide %3339, %3340 : tensor<256xf32>
    %3342 = stablehlo.broadcast_in_dim %3341, dims = [3] : (tensor<256xf32>) -> tensor<64x56x56x256xf32>
    %3343 = stablehlo.add %3338, %3342 : tensor<64x56x56x256xf32>
    %3344 = stablehlo.convolution(%221, %3343) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<64x56x56x256xf32>) -> tensor<1x1x64x256xf32>
    %3345 = stablehlo.reverse %arg23, dims = [0, 1] : tensor<1x1x64x256xf32>
    %3346 = stablehlo.convolution(%3343, %3345) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x256xf32>, tensor<1x1x64x256xf32>) -> tensor<64x56x56x64xf32>
    %cst_932 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3347 = stablehlo.broadcast_in_dim %cst_932, dims = [] : (tensor<f32>) -> tensor<64x56x56x64xf32>
    %3348 = stablehlo.select %223, %3346, %3347 : tensor<64x56x56x64xi1>, tensor<64x56x56x64xf32>
    %cst_933 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3349 = stablehlo.reduce(%3348 init: %cst_933) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3350 = stablehlo.reshape %3349 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %cst_934 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3351 = stablehlo.reduce(%3350 init: %cst_934) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3352 = stablehlo.multiply %198, %3348 : tensor<64x56x56x64xf32>
    %cst_935 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3353 = stablehlo.reduce(%3352 init: %cst_935) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3354 = stablehlo.reshape %3353 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %3355 = stablehlo.broadcast_in_dim %215, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
    %3356 = stablehlo.multiply %3348, %3355 : tensor<64x56x56x64xf32>
    %cst_936 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3357 = stablehlo.reduce(%3354 init: %cst_936) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3358 = stablehlo.multiply %210, %3357 : tensor<64xf32>
    %3359 = stablehlo.multiply %3357, %arg21 : tensor<64xf32>
    %3360 = stablehlo.multiply %3359, %213 : tensor<64xf32>
    %cst_937 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %3361 = stablehlo.broadcast_in_dim %cst_937, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3362 = stablehlo.divide %3360, %3361 : tensor<64xf32>
    %3363 = stablehlo.broadcast_in_dim %3362, dims = [3] : (tensor<64xf32>) -> tensor<64x56x56x64xf32>
    %3364 = stablehlo.multiply %3363, %204 : tensor<64x56x56x64xf32>
    %3365 = stablehlo.negate %3364 : tensor<64x56x56x64xf32>
    %cst_938 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3366 = stablehlo.reduce(%3365 init: %cst_938) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3367 = stablehlo.reshape %3366 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %cst_939 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3368 = stablehlo.reduce(%3367 init: %cst_939) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3369 = stablehlo.negate %3356 : tensor<64x56x56x64xf32>
    %cst_940 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3370 = stablehlo.reduce(%3369 init: %cst_940) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3371 = stablehlo.reshape %3370 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %cst_941 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3372 = stablehlo.reduce(%3371 init: %cst_941) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3373 = stablehlo.add %3364, %3356 : tensor<64x56x56x64xf32>
    %3374 = stablehlo.add %3368, %3372 : tensor<64xf32>
    %cst_942 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %3375 = stablehlo.broadcast_in_dim %cst_942, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3376 = stablehlo.divide %3374, %3375 : tensor<64xf32>
    %3377 = stablehlo.broadcast_in_dim %3376, dims = [3] : (tensor<64xf32>) -> tensor<64x56x56x64xf32>
    %3378 = stablehlo.add %3373, %3377 : tensor<64x56x56x64xf32>
    %3379 = stablehlo.convolution(%189, %3378) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<64x56x56x64xf32>) -> tensor<3x3x64x64xf32>
    %3380 = stablehlo.reverse %arg20, dims = [0, 1] : tensor<3x3x64x64xf32>
    %3381 = stablehlo.convolution(%3378, %3380) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<64x56x56x64xf32>
    %cst_943 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3382 = stablehlo.broadcast_in_dim %cst_943, dims = [] : (tensor<f32>) -> tensor<64x56x56x64xf32>
    %3383 = stablehlo.select %191, %3381, %3382 : tensor<64x56x56x64xi1>, tensor<64x56x56x64xf32>
    %cst_944 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3384 = stablehlo.reduce(%3383 init: %cst_944) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3385 = stablehlo.reshape %3384 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %cst_945 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3386 = stablehlo.reduce(%3385 init: %cst_945) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3387 = stablehlo.multiply %166, %3383 : tensor<64x56x56x64xf32>
    %cst_946 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3388 = stablehlo.reduce(%3387 init: %cst_946) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3389 = stablehlo.reshape %3388 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %3390 = stablehlo.broadcast_in_dim %183, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
    %3391 = stablehlo.multiply %3383, %3390 : tensor<64x56x56x64xf32>
    %cst_947 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3392 = stablehlo.reduce(%3389 init: %cst_947) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3393 = stablehlo.multiply %178, %3392 : tensor<64xf32>
    %3394 = stablehlo.multiply %3392, %arg18 : tensor<64xf32>
    %3395 = stablehlo.multiply %3394, %181 : tensor<64xf32>
    %cst_948 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %3396 = stablehlo.broadcast_in_dim %cst_948, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3397 = stablehlo.divide %3395, %3396 : tensor<64xf32>
    %3398 = stablehlo.broadcast_in_dim %3397, dims = [3] : (tensor<64xf32>) -> tensor<64x56x56x64xf32>
    %3399 = stablehlo.multiply %3398, %172 : tensor<64x56x56x64xf32>
    %3400 = stablehlo.negate %3399 : tensor<64x56x56x64xf32>
    %cst_949 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3401 = stablehlo.reduce(%3400 init: %cst_949) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3402 = stablehlo.reshape %3401 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %cst_950 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3403 = stablehlo.reduce(%3402 init: %cst_950) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3404 = stablehlo.negate %3391 : tensor<64x56x56x64xf32>
    %cst_951 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3405 = stablehlo.reduce(%3404 init: %cst_951) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3406 = stablehlo.reshape %3405 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %cst_952 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3407 = stablehlo.reduce(%3406 init: %cst_952) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3408 = stablehlo.add %3399, %3391 : tensor<64x56x56x64xf32>
    %3409 = stablehlo.add %3403, %3407 : tensor<64xf32>
    %cst_953 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %3410 = stablehlo.broadcast_in_dim %cst_953, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3411 = stablehlo.divide %3409, %3410 : tensor<64xf32>
    %3412 = stablehlo.broadcast_in_dim %3411, dims = [3] : (tensor<64xf32>) -> tensor<64x56x56x64xf32>
    %3413 = stablehlo.add %3408, %3412 : tensor<64x56x56x64xf32>
    %3414 = stablehlo.convolution(%157, %3413) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x256xf32>, tensor<64x56x56x64xf32>) -> tensor<1x1x256x64xf32>
    %3415 = stablehlo.reverse %arg17, dims = [0, 1] : tensor<1x1x256x64xf32>
    %3416 = stablehlo.convolution(%3413, %3415) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<1x1x256x64xf32>) -> tensor<64x56x56x256xf32>
    %3417 = stablehlo.add %3313, %3416 : tensor<64x56x56x256xf32>
    %cst_954 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3418 = stablehlo.broadcast_in_dim %cst_954, dims = [] : (tensor<f32>) -> tensor<64x56x56x256xf32>
    %3419 = stablehlo.select %159, %3417, %3418 : tensor<64x56x56x256xi1>, tensor<64x56x56x256xf32>
    %cst_955 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3420 = stablehlo.reduce(%3419 init: %cst_955) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
    %3421 = stablehlo.reshape %3420 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_956 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3422 = stablehlo.reduce(%3421 init: %cst_956) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %3423 = stablehlo.multiply %133, %3419 : tensor<64x56x56x256xf32>
    %cst_957 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3424 = stablehlo.reduce(%3423 init: %cst_957) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
    %3425 = stablehlo.reshape %3424 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %3426 = stablehlo.broadcast_in_dim %150, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
    %3427 = stablehlo.multiply %3419, %3426 : tensor<64x56x56x256xf32>
    %cst_958 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3428 = stablehlo.reduce(%3425 init: %cst_958) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %3429 = stablehlo.multiply %145, %3428 : tensor<256xf32>
    %3430 = stablehlo.multiply %3428, %arg15 : tensor<256xf32>
    %3431 = stablehlo.multiply %3430, %148 : tensor<256xf32>
    %cst_959 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %3432 = stablehlo.broadcast_in_dim %cst_959, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %3433 = stablehlo.divide %3431, %3432 : tensor<256xf32>
    %3434 = stablehlo.broadcast_in_dim %3433, dims = [3] : (tensor<256xf32>) -> tensor<64x56x56x256xf32>
    %3435 = stablehlo.multiply %3434, %139 : tensor<64x56x56x256xf32>
    %3436 = stablehlo.negate %3435 : tensor<64x56x56x256xf32>
    %cst_960 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3437 = stablehlo.reduce(%3436 init: %cst_960) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
    %3438 = stablehlo.reshape %3437 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_961 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3439 = stablehlo.reduce(%3438 init: %cst_961) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %3440 = stablehlo.negate %3427 : tensor<64x56x56x256xf32>
    %cst_962 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3441 = stablehlo.reduce(%3440 init: %cst_962) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
    %3442 = stablehlo.reshape %3441 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_963 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3443 = stablehlo.reduce(%3442 init: %cst_963) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %3444 = stablehlo.add %3435, %3427 : tensor<64x56x56x256xf32>
    %3445 = stablehlo.add %3439, %3443 : tensor<256xf32>
    %cst_964 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %3446 = stablehlo.broadcast_in_dim %cst_964, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %3447 = stablehlo.divide %3445, %3446 : tensor<256xf32>
    %3448 = stablehlo.broadcast_in_dim %3447, dims = [3] : (tensor<256xf32>) -> tensor<64x56x56x256xf32>
    %3449 = stablehlo.add %3444, %3448 : tensor<64x56x56x256xf32>
    %3450 = stablehlo.convolution(%33, %3449) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<64x56x56x256xf32>) -> tensor<1x1x64x256xf32>
    %3451 = stablehlo.reverse %arg14, dims = [0, 1] : tensor<1x1x64x256xf32>
    %3452 = stablehlo.convolution(%3449, %3451) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x256xf32>, tensor<1x1x64x256xf32>) -> tensor<64x56x56x64xf32>
    %cst_965 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3453 = stablehlo.reduce(%3419 init: %cst_965) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
    %3454 = stablehlo.reshape %3453 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_966 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3455 = stablehlo.reduce(%3454 init: %cst_966) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %3456 = stablehlo.multiply %104, %3419 : tensor<64x56x56x256xf32>
    %cst_967 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3457 = stablehlo.reduce(%3456 init: %cst_967) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
    %3458 = stablehlo.reshape %3457 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %3459 = stablehlo.broadcast_in_dim %121, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
    %3460 = stablehlo.multiply %3419, %3459 : tensor<64x56x56x256xf32>
    %cst_968 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3461 = stablehlo.reduce(%3458 init: %cst_968) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %3462 = stablehlo.multiply %116, %3461 : tensor<256xf32>
    %3463 = stablehlo.multiply %3461, %arg12 : tensor<256xf32>
    %3464 = stablehlo.multiply %3463, %119 : tensor<256xf32>
    %cst_969 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %3465 = stablehlo.broadcast_in_dim %cst_969, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %3466 = stablehlo.divide %3464, %3465 : tensor<256xf32>
    %3467 = stablehlo.broadcast_in_dim %3466, dims = [3] : (tensor<256xf32>) -> tensor<64x56x56x256xf32>
    %3468 = stablehlo.multiply %3467, %110 : tensor<64x56x56x256xf32>
    %3469 = stablehlo.negate %3468 : tensor<64x56x56x256xf32>
    %cst_970 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3470 = stablehlo.reduce(%3469 init: %cst_970) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
    %3471 = stablehlo.reshape %3470 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_971 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3472 = stablehlo.reduce(%3471 init: %cst_971) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %3473 = stablehlo.negate %3460 : tensor<64x56x56x256xf32>
    %cst_972 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3474 = stablehlo.reduce(%3473 init: %cst_972) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
    %3475 = stablehlo.reshape %3474 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
    %cst_973 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3476 = stablehlo.reduce(%3475 init: %cst_973) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
    %3477 = stablehlo.add %3468, %3460 : tensor<64x56x56x256xf32>
    %3478 = stablehlo.add %3472, %3476 : tensor<256xf32>
    %cst_974 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %3479 = stablehlo.broadcast_in_dim %cst_974, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %3480 = stablehlo.divide %3478, %3479 : tensor<256xf32>
    %3481 = stablehlo.broadcast_in_dim %3480, dims = [3] : (tensor<256xf32>) -> tensor<64x56x56x256xf32>
    %3482 = stablehlo.add %3477, %3481 : tensor<64x56x56x256xf32>
    %3483 = stablehlo.convolution(%95, %3482) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<64x56x56x256xf32>) -> tensor<1x1x64x256xf32>
    %3484 = stablehlo.reverse %arg11, dims = [0, 1] : tensor<1x1x64x256xf32>
    %3485 = stablehlo.convolution(%3482, %3484) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x256xf32>, tensor<1x1x64x256xf32>) -> tensor<64x56x56x64xf32>
    %cst_975 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3486 = stablehlo.broadcast_in_dim %cst_975, dims = [] : (tensor<f32>) -> tensor<64x56x56x64xf32>
    %3487 = stablehlo.select %97, %3485, %3486 : tensor<64x56x56x64xi1>, tensor<64x56x56x64xf32>
    %cst_976 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3488 = stablehlo.reduce(%3487 init: %cst_976) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3489 = stablehlo.reshape %3488 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %cst_977 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3490 = stablehlo.reduce(%3489 init: %cst_977) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3491 = stablehlo.multiply %72, %3487 : tensor<64x56x56x64xf32>
    %cst_978 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3492 = stablehlo.reduce(%3491 init: %cst_978) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3493 = stablehlo.reshape %3492 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %3494 = stablehlo.broadcast_in_dim %89, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
    %3495 = stablehlo.multiply %3487, %3494 : tensor<64x56x56x64xf32>
    %cst_979 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3496 = stablehlo.reduce(%3493 init: %cst_979) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3497 = stablehlo.multiply %84, %3496 : tensor<64xf32>
    %3498 = stablehlo.multiply %3496, %arg9 : tensor<64xf32>
    %3499 = stablehlo.multiply %3498, %87 : tensor<64xf32>
    %cst_980 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %3500 = stablehlo.broadcast_in_dim %cst_980, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3501 = stablehlo.divide %3499, %3500 : tensor<64xf32>
    %3502 = stablehlo.broadcast_in_dim %3501, dims = [3] : (tensor<64xf32>) -> tensor<64x56x56x64xf32>
    %3503 = stablehlo.multiply %3502, %78 : tensor<64x56x56x64xf32>
    %3504 = stablehlo.negate %3503 : tensor<64x56x56x64xf32>
    %cst_981 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3505 = stablehlo.reduce(%3504 init: %cst_981) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3506 = stablehlo.reshape %3505 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %cst_982 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3507 = stablehlo.reduce(%3506 init: %cst_982) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3508 = stablehlo.negate %3495 : tensor<64x56x56x64xf32>
    %cst_983 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3509 = stablehlo.reduce(%3508 init: %cst_983) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3510 = stablehlo.reshape %3509 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %cst_984 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3511 = stablehlo.reduce(%3510 init: %cst_984) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3512 = stablehlo.add %3503, %3495 : tensor<64x56x56x64xf32>
    %3513 = stablehlo.add %3507, %3511 : tensor<64xf32>
    %cst_985 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %3514 = stablehlo.broadcast_in_dim %cst_985, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3515 = stablehlo.divide %3513, %3514 : tensor<64xf32>
    %3516 = stablehlo.broadcast_in_dim %3515, dims = [3] : (tensor<64xf32>) -> tensor<64x56x56x64xf32>
    %3517 = stablehlo.add %3512, %3516 : tensor<64x56x56x64xf32>
    %3518 = stablehlo.convolution(%63, %3517) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<64x56x56x64xf32>) -> tensor<3x3x64x64xf32>
    %3519 = stablehlo.reverse %arg8, dims = [0, 1] : tensor<3x3x64x64xf32>
    %3520 = stablehlo.convolution(%3517, %3519) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<64x56x56x64xf32>
    %cst_986 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3521 = stablehlo.broadcast_in_dim %cst_986, dims = [] : (tensor<f32>) -> tensor<64x56x56x64xf32>
    %3522 = stablehlo.select %65, %3520, %3521 : tensor<64x56x56x64xi1>, tensor<64x56x56x64xf32>
    %cst_987 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3523 = stablehlo.reduce(%3522 init: %cst_987) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3524 = stablehlo.reshape %3523 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %cst_988 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3525 = stablehlo.reduce(%3524 init: %cst_988) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3526 = stablehlo.multiply %40, %3522 : tensor<64x56x56x64xf32>
    %cst_989 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3527 = stablehlo.reduce(%3526 init: %cst_989) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3528 = stablehlo.reshape %3527 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %3529 = stablehlo.broadcast_in_dim %57, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
    %3530 = stablehlo.multiply %3522, %3529 : tensor<64x56x56x64xf32>
    %cst_990 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3531 = stablehlo.reduce(%3528 init: %cst_990) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3532 = stablehlo.multiply %52, %3531 : tensor<64xf32>
    %3533 = stablehlo.multiply %3531, %arg6 : tensor<64xf32>
    %3534 = stablehlo.multiply %3533, %55 : tensor<64xf32>
    %cst_991 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %3535 = stablehlo.broadcast_in_dim %cst_991, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3536 = stablehlo.divide %3534, %3535 : tensor<64xf32>
    %3537 = stablehlo.broadcast_in_dim %3536, dims = [3] : (tensor<64xf32>) -> tensor<64x56x56x64xf32>
    %3538 = stablehlo.multiply %3537, %46 : tensor<64x56x56x64xf32>
    %3539 = stablehlo.negate %3538 : tensor<64x56x56x64xf32>
    %cst_992 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3540 = stablehlo.reduce(%3539 init: %cst_992) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3541 = stablehlo.reshape %3540 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %cst_993 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3542 = stablehlo.reduce(%3541 init: %cst_993) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3543 = stablehlo.negate %3530 : tensor<64x56x56x64xf32>
    %cst_994 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3544 = stablehlo.reduce(%3543 init: %cst_994) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3545 = stablehlo.reshape %3544 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %cst_995 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3546 = stablehlo.reduce(%3545 init: %cst_995) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3547 = stablehlo.add %3538, %3530 : tensor<64x56x56x64xf32>
    %3548 = stablehlo.add %3542, %3546 : tensor<64xf32>
    %cst_996 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
    %3549 = stablehlo.broadcast_in_dim %cst_996, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3550 = stablehlo.divide %3548, %3549 : tensor<64xf32>
    %3551 = stablehlo.broadcast_in_dim %3550, dims = [3] : (tensor<64xf32>) -> tensor<64x56x56x64xf32>
    %3552 = stablehlo.add %3547, %3551 : tensor<64x56x56x64xf32>
    %3553 = stablehlo.convolution(%33, %3552) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<64x56x56x64xf32>) -> tensor<1x1x64x64xf32>
    %3554 = stablehlo.reverse %arg5, dims = [0, 1] : tensor<1x1x64x64xf32>
    %3555 = stablehlo.convolution(%3552, %3554) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<1x1x64x64xf32>) -> tensor<64x56x56x64xf32>
    %3556 = stablehlo.add %3452, %3555 : tensor<64x56x56x64xf32>
    %cst_997 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3557 = stablehlo.pad %29, %cst_997, low = [0, 0, 0, 0], high = [0, 1, 1, 0], interior = [0, 0, 0, 0] : (tensor<64x112x112x64xf32>, tensor<f32>) -> tensor<64x113x113x64xf32>
    %cst_998 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3558 = "stablehlo.select_and_scatter"(%3557, %3556, %cst_998) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.compare GE, %arg163, %arg164, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %4561 : tensor<i1>
    }, {
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<64x113x113x64xf32>, tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64x113x113x64xf32>
    %3559 = stablehlo.slice %3558 [0:64, 0:112, 0:112, 0:64] : (tensor<64x113x113x64xf32>) -> tensor<64x112x112x64xf32>
    %cst_999 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3560 = stablehlo.broadcast_in_dim %cst_999, dims = [] : (tensor<f32>) -> tensor<64x112x112x64xf32>
    %3561 = stablehlo.select %31, %3559, %3560 : tensor<64x112x112x64xi1>, tensor<64x112x112x64xf32>
    %cst_1000 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3562 = stablehlo.reduce(%3561 init: %cst_1000) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x112x112x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3563 = stablehlo.reshape %3562 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %cst_1001 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3564 = stablehlo.reduce(%3563 init: %cst_1001) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3565 = stablehlo.multiply %6, %3561 : tensor<64x112x112x64xf32>
    %cst_1002 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3566 = stablehlo.reduce(%3565 init: %cst_1002) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x112x112x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3567 = stablehlo.reshape %3566 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %3568 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x112x112x64xf32>
    %3569 = stablehlo.multiply %3561, %3568 : tensor<64x112x112x64xf32>
    %cst_1003 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3570 = stablehlo.reduce(%3567 init: %cst_1003) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3571 = stablehlo.multiply %18, %3570 : tensor<64xf32>
    %3572 = stablehlo.multiply %3570, %arg3 : tensor<64xf32>
    %3573 = stablehlo.multiply %3572, %21 : tensor<64xf32>
    %cst_1004 = stablehlo.constant dense<8.028160e+05> : tensor<f32>
    %3574 = stablehlo.broadcast_in_dim %cst_1004, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3575 = stablehlo.divide %3573, %3574 : tensor<64xf32>
    %3576 = stablehlo.broadcast_in_dim %3575, dims = [3] : (tensor<64xf32>) -> tensor<64x112x112x64xf32>
    %3577 = stablehlo.multiply %3576, %12 : tensor<64x112x112x64xf32>
    %3578 = stablehlo.negate %3577 : tensor<64x112x112x64xf32>
    %cst_1005 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3579 = stablehlo.reduce(%3578 init: %cst_1005) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x112x112x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3580 = stablehlo.reshape %3579 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %cst_1006 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3581 = stablehlo.reduce(%3580 init: %cst_1006) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3582 = stablehlo.negate %3569 : tensor<64x112x112x64xf32>
    %cst_1007 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3583 = stablehlo.reduce(%3582 init: %cst_1007) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x112x112x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3584 = stablehlo.reshape %3583 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %cst_1008 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3585 = stablehlo.reduce(%3584 init: %cst_1008) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %3586 = stablehlo.add %3577, %3569 : tensor<64x112x112x64xf32>
    %3587 = stablehlo.add %3581, %3585 : tensor<64xf32>
    %cst_1009 = stablehlo.constant dense<8.028160e+05> : tensor<f32>
    %3588 = stablehlo.broadcast_in_dim %cst_1009, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3589 = stablehlo.divide %3587, %3588 : tensor<64xf32>
    %3590 = stablehlo.broadcast_in_dim %3589, dims = [3] : (tensor<64xf32>) -> tensor<64x112x112x64xf32>
    %3591 = stablehlo.add %3586, %3590 : tensor<64x112x112x64xf32>
    %3592 = stablehlo.convolution(%arg0, %3591) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[2, 3], [2, 3]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x224x224x3xf32>, tensor<64x112x112x64xf32>) -> tensor<7x7x3x64xf32>
    %3593 = "stablehlo.all_reduce"(%3592) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<7x7x3x64xf32>) -> tensor<7x7x3x64xf32>
    %cst_1010 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3594 = stablehlo.broadcast_in_dim %cst_1010, dims = [] : (tensor<f32>) -> tensor<7x7x3x64xf32>
    %3595 = stablehlo.divide %3593, %3594 : tensor<7x7x3x64xf32>
    %cst_1011 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3596 = stablehlo.broadcast_in_dim %cst_1011, dims = [] : (tensor<f32>) -> tensor<7x7x3x64xf32>
    %3597 = stablehlo.multiply %3596, %3595 : tensor<7x7x3x64xf32>
    %3598 = stablehlo.subtract %arg2, %3597 : tensor<7x7x3x64xf32>
    %3599 = "stablehlo.all_reduce"(%3571) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<64xf32>) -> tensor<64xf32>
    %cst_1012 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3600 = stablehlo.broadcast_in_dim %cst_1012, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3601 = stablehlo.divide %3599, %3600 : tensor<64xf32>
    %cst_1013 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3602 = stablehlo.broadcast_in_dim %cst_1013, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3603 = stablehlo.multiply %3602, %3601 : tensor<64xf32>
    %3604 = stablehlo.subtract %arg3, %3603 : tensor<64xf32>
    %3605 = "stablehlo.all_reduce"(%3564) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<64xf32>) -> tensor<64xf32>
    %cst_1014 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3606 = stablehlo.broadcast_in_dim %cst_1014, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3607 = stablehlo.divide %3605, %3606 : tensor<64xf32>
    %cst_1015 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3608 = stablehlo.broadcast_in_dim %cst_1015, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3609 = stablehlo.multiply %3608, %3607 : tensor<64xf32>
    %3610 = stablehlo.subtract %arg4, %3609 : tensor<64xf32>
    %3611 = "stablehlo.all_reduce"(%3553) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1x1x64x64xf32>) -> tensor<1x1x64x64xf32>
    %cst_1016 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3612 = stablehlo.broadcast_in_dim %cst_1016, dims = [] : (tensor<f32>) -> tensor<1x1x64x64xf32>
    %3613 = stablehlo.divide %3611, %3612 : tensor<1x1x64x64xf32>
    %cst_1017 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3614 = stablehlo.broadcast_in_dim %cst_1017, dims = [] : (tensor<f32>) -> tensor<1x1x64x64xf32>
    %3615 = stablehlo.multiply %3614, %3613 : tensor<1x1x64x64xf32>
    %3616 = stablehlo.subtract %arg5, %3615 : tensor<1x1x64x64xf32>
    %3617 = "stablehlo.all_reduce"(%3532) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<64xf32>) -> tensor<64xf32>
    %cst_1018 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3618 = stablehlo.broadcast_in_dim %cst_1018, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3619 = stablehlo.divide %3617, %3618 : tensor<64xf32>
    %cst_1019 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3620 = stablehlo.broadcast_in_dim %cst_1019, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3621 = stablehlo.multiply %3620, %3619 : tensor<64xf32>
    %3622 = stablehlo.subtract %arg6, %3621 : tensor<64xf32>
    %3623 = "stablehlo.all_reduce"(%3525) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<64xf32>) -> tensor<64xf32>
    %cst_1020 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3624 = stablehlo.broadcast_in_dim %cst_1020, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3625 = stablehlo.divide %3623, %3624 : tensor<64xf32>
    %cst_1021 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3626 = stablehlo.broadcast_in_dim %cst_1021, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3627 = stablehlo.multiply %3626, %3625 : tensor<64xf32>
    %3628 = stablehlo.subtract %arg7, %3627 : tensor<64xf32>
    %3629 = "stablehlo.all_reduce"(%3518) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<3x3x64x64xf32>) -> tensor<3x3x64x64xf32>
    %cst_1022 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3630 = stablehlo.broadcast_in_dim %cst_1022, dims = [] : (tensor<f32>) -> tensor<3x3x64x64xf32>
    %3631 = stablehlo.divide %3629, %3630 : tensor<3x3x64x64xf32>
    %cst_1023 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3632 = stablehlo.broadcast_in_dim %cst_1023, dims = [] : (tensor<f32>) -> tensor<3x3x64x64xf32>
    %3633 = stablehlo.multiply %3632, %3631 : tensor<3x3x64x64xf32>
    %3634 = stablehlo.subtract %arg8, %3633 : tensor<3x3x64x64xf32>
    %3635 = "stablehlo.all_reduce"(%3497) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<64xf32>) -> tensor<64xf32>
    %cst_1024 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3636 = stablehlo.broadcast_in_dim %cst_1024, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3637 = stablehlo.divide %3635, %3636 : tensor<64xf32>
    %cst_1025 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3638 = stablehlo.broadcast_in_dim %cst_1025, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3639 = stablehlo.multiply %3638, %3637 : tensor<64xf32>
    %3640 = stablehlo.subtract %arg9, %3639 : tensor<64xf32>
    %3641 = "stablehlo.all_reduce"(%3490) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<64xf32>) -> tensor<64xf32>
    %cst_1026 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3642 = stablehlo.broadcast_in_dim %cst_1026, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3643 = stablehlo.divide %3641, %3642 : tensor<64xf32>
    %cst_1027 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3644 = stablehlo.broadcast_in_dim %cst_1027, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3645 = stablehlo.multiply %3644, %3643 : tensor<64xf32>
    %3646 = stablehlo.subtract %arg10, %3645 : tensor<64xf32>
    %3647 = "stablehlo.all_reduce"(%3483) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1x1x64x256xf32>) -> tensor<1x1x64x256xf32>
    %cst_1028 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3648 = stablehlo.broadcast_in_dim %cst_1028, dims = [] : (tensor<f32>) -> tensor<1x1x64x256xf32>
    %3649 = stablehlo.divide %3647, %3648 : tensor<1x1x64x256xf32>
    %cst_1029 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3650 = stablehlo.broadcast_in_dim %cst_1029, dims = [] : (tensor<f32>) -> tensor<1x1x64x256xf32>
    %3651 = stablehlo.multiply %3650, %3649 : tensor<1x1x64x256xf32>
    %3652 = stablehlo.subtract %arg11, %3651 : tensor<1x1x64x256xf32>
    %3653 = "stablehlo.all_reduce"(%3462) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<256xf32>) -> tensor<256xf32>
    %cst_1030 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3654 = stablehlo.broadcast_in_dim %cst_1030, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %3655 = stablehlo.divide %3653, %3654 : tensor<256xf32>
    %cst_1031 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3656 = stablehlo.broadcast_in_dim %cst_1031, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %3657 = stablehlo.multiply %3656, %3655 : tensor<256xf32>
    %3658 = stablehlo.subtract %arg12, %3657 : tensor<256xf32>
    %3659 = "stablehlo.all_reduce"(%3455) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<256xf32>) -> tensor<256xf32>
    %cst_1032 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3660 = stablehlo.broadcast_in_dim %cst_1032, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %3661 = stablehlo.divide %3659, %3660 : tensor<256xf32>
    %cst_1033 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3662 = stablehlo.broadcast_in_dim %cst_1033, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %3663 = stablehlo.multiply %3662, %3661 : tensor<256xf32>
    %3664 = stablehlo.subtract %arg13, %3663 : tensor<256xf32>
    %3665 = "stablehlo.all_reduce"(%3450) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1x1x64x256xf32>) -> tensor<1x1x64x256xf32>
    %cst_1034 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3666 = stablehlo.broadcast_in_dim %cst_1034, dims = [] : (tensor<f32>) -> tensor<1x1x64x256xf32>
    %3667 = stablehlo.divide %3665, %3666 : tensor<1x1x64x256xf32>
    %cst_1035 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3668 = stablehlo.broadcast_in_dim %cst_1035, dims = [] : (tensor<f32>) -> tensor<1x1x64x256xf32>
    %3669 = stablehlo.multiply %3668, %3667 : tensor<1x1x64x256xf32>
    %3670 = stablehlo.subtract %arg14, %3669 : tensor<1x1x64x256xf32>
    %3671 = "stablehlo.all_reduce"(%3429) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<256xf32>) -> tensor<256xf32>
    %cst_1036 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3672 = stablehlo.broadcast_in_dim %cst_1036, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %3673 = stablehlo.divide %3671, %3672 : tensor<256xf32>
    %cst_1037 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3674 = stablehlo.broadcast_in_dim %cst_1037, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %3675 = stablehlo.multiply %3674, %3673 : tensor<256xf32>
    %3676 = stablehlo.subtract %arg15, %3675 : tensor<256xf32>
    %3677 = "stablehlo.all_reduce"(%3422) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<256xf32>) -> tensor<256xf32>
    %cst_1038 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3678 = stablehlo.broadcast_in_dim %cst_1038, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %3679 = stablehlo.divide %3677, %3678 : tensor<256xf32>
    %cst_1039 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3680 = stablehlo.broadcast_in_dim %cst_1039, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %3681 = stablehlo.multiply %3680, %3679 : tensor<256xf32>
    %3682 = stablehlo.subtract %arg16, %3681 : tensor<256xf32>
    %3683 = "stablehlo.all_reduce"(%3414) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1x1x256x64xf32>) -> tensor<1x1x256x64xf32>
    %cst_1040 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3684 = stablehlo.broadcast_in_dim %cst_1040, dims = [] : (tensor<f32>) -> tensor<1x1x256x64xf32>
    %3685 = stablehlo.divide %3683, %3684 : tensor<1x1x256x64xf32>
    %cst_1041 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3686 = stablehlo.broadcast_in_dim %cst_1041, dims = [] : (tensor<f32>) -> tensor<1x1x256x64xf32>
    %3687 = stablehlo.multiply %3686, %3685 : tensor<1x1x256x64xf32>
    %3688 = stablehlo.subtract %arg17, %3687 : tensor<1x1x256x64xf32>
    %3689 = "stablehlo.all_reduce"(%3393) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<64xf32>) -> tensor<64xf32>
    %cst_1042 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3690 = stablehlo.broadcast_in_dim %cst_1042, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3691 = stablehlo.divide %3689, %3690 : tensor<64xf32>
    %cst_1043 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3692 = stablehlo.broadcast_in_dim %cst_1043, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3693 = stablehlo.multiply %3692, %3691 : tensor<64xf32>
    %3694 = stablehlo.subtract %arg18, %3693 : tensor<64xf32>
    %3695 = "stablehlo.all_reduce"(%3386) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<64xf32>) -> tensor<64xf32>
    %cst_1044 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3696 = stablehlo.broadcast_in_dim %cst_1044, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3697 = stablehlo.divide %3695, %3696 : tensor<64xf32>
    %cst_1045 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3698 = stablehlo.broadcast_in_dim %cst_1045, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3699 = stablehlo.multiply %3698, %3697 : tensor<64xf32>
    %3700 = stablehlo.subtract %arg19, %3699 : tensor<64xf32>
    %3701 = "stablehlo.all_reduce"(%3379) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<3x3x64x64xf32>) -> tensor<3x3x64x64xf32>
    %cst_1046 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3702 = stablehlo.broadcast_in_dim %cst_1046, dims = [] : (tensor<f32>) -> tensor<3x3x64x64xf32>
    %3703 = stablehlo.divide %3701, %3702 : tensor<3x3x64x64xf32>
    %cst_1047 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3704 = stablehlo.broadcast_in_dim %cst_1047, dims = [] : (tensor<f32>) -> tensor<3x3x64x64xf32>
    %3705 = stablehlo.multiply %3704, %3703 : tensor<3x3x64x64xf32>
    %3706 = stablehlo.subtract %arg20, %3705 : tensor<3x3x64x64xf32>
    %3707 = "stablehlo.all_reduce"(%3358) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<64xf32>) -> tensor<64xf32>
    %cst_1048 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3708 = stablehlo.broadcast_in_dim %cst_1048, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3709 = stablehlo.divide %3707, %3708 : tensor<64xf32>
    %cst_1049 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3710 = stablehlo.broadcast_in_dim %cst_1049, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3711 = stablehlo.multiply %3710, %3709 : tensor<64xf32>
    %3712 = stablehlo.subtract %arg21, %3711 : tensor<64xf32>
    %3713 = "stablehlo.all_reduce"(%3351) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<64xf32>) -> tensor<64xf32>
    %cst_1050 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3714 = stablehlo.broadcast_in_dim %cst_1050, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3715 = stablehlo.divide %3713, %3714 : tensor<64xf32>
    %cst_1051 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3716 = stablehlo.broadcast_in_dim %cst_1051, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3717 = stablehlo.multiply %3716, %3715 : tensor<64xf32>
    %3718 = stablehlo.subtract %arg22, %3717 : tensor<64xf32>
    %3719 = "stablehlo.all_reduce"(%3344) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1x1x64x256xf32>) -> tensor<1x1x64x256xf32>
    %cst_1052 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3720 = stablehlo.broadcast_in_dim %cst_1052, dims = [] : (tensor<f32>) -> tensor<1x1x64x256xf32>
    %3721 = stablehlo.divide %3719, %3720 : tensor<1x1x64x256xf32>
    %cst_1053 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3722 = stablehlo.broadcast_in_dim %cst_1053, dims = [] : (tensor<f32>) -> tensor<1x1x64x256xf32>
    %3723 = stablehlo.multiply %3722, %3721 : tensor<1x1x64x256xf32>
    %3724 = stablehlo.subtract %arg23, %3723 : tensor<1x1x64x256xf32>
    %3725 = "stablehlo.all_reduce"(%3323) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<256xf32>) -> tensor<256xf32>
    %cst_1054 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3726 = stablehlo.broadcast_in_dim %cst_1054, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %3727 = stablehlo.divide %3725, %3726 : tensor<256xf32>
    %cst_1055 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3728 = stablehlo.broadcast_in_dim %cst_1055, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %3729 = stablehlo.multiply %3728, %3727 : tensor<256xf32>
    %3730 = stablehlo.subtract %arg24, %3729 : tensor<256xf32>
    %3731 = "stablehlo.all_reduce"(%3316) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<256xf32>) -> tensor<256xf32>
    %cst_1056 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3732 = stablehlo.broadcast_in_dim %cst_1056, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %3733 = stablehlo.divide %3731, %3732 : tensor<256xf32>
    %cst_1057 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3734 = stablehlo.broadcast_in_dim %cst_1057, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %3735 = stablehlo.multiply %3734, %3733 : tensor<256xf32>
    %3736 = stablehlo.subtract %arg25, %3735 : tensor<256xf32>
    %3737 = "stablehlo.all_reduce"(%3308) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1x1x256x64xf32>) -> tensor<1x1x256x64xf32>
    %cst_1058 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3738 = stablehlo.broadcast_in_dim %cst_1058, dims = [] : (tensor<f32>) -> tensor<1x1x256x64xf32>
    %3739 = stablehlo.divide %3737, %3738 : tensor<1x1x256x64xf32>
    %cst_1059 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3740 = stablehlo.broadcast_in_dim %cst_1059, dims = [] : (tensor<f32>) -> tensor<1x1x256x64xf32>
    %3741 = stablehlo.multiply %3740, %3739 : tensor<1x1x256x64xf32>
    %3742 = stablehlo.subtract %arg26, %3741 : tensor<1x1x256x64xf32>
    %3743 = "stablehlo.all_reduce"(%3287) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<64xf32>) -> tensor<64xf32>
    %cst_1060 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3744 = stablehlo.broadcast_in_dim %cst_1060, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3745 = stablehlo.divide %3743, %3744 : tensor<64xf32>
    %cst_1061 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3746 = stablehlo.broadcast_in_dim %cst_1061, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3747 = stablehlo.multiply %3746, %3745 : tensor<64xf32>
    %3748 = stablehlo.subtract %arg27, %3747 : tensor<64xf32>
    %3749 = "stablehlo.all_reduce"(%3280) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<64xf32>) -> tensor<64xf32>
    %cst_1062 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3750 = stablehlo.broadcast_in_dim %cst_1062, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3751 = stablehlo.divide %3749, %3750 : tensor<64xf32>
    %cst_1063 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3752 = stablehlo.broadcast_in_dim %cst_1063, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3753 = stablehlo.multiply %3752, %3751 : tensor<64xf32>
    %3754 = stablehlo.subtract %arg28, %3753 : tensor<64xf32>
    %3755 = "stablehlo.all_reduce"(%3273) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<3x3x64x64xf32>) -> tensor<3x3x64x64xf32>
    %cst_1064 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3756 = stablehlo.broadcast_in_dim %cst_1064, dims = [] : (tensor<f32>) -> tensor<3x3x64x64xf32>
    %3757 = stablehlo.divide %3755, %3756 : tensor<3x3x64x64xf32>
    %cst_1065 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3758 = stablehlo.broadcast_in_dim %cst_1065, dims = [] : (tensor<f32>) -> tensor<3x3x64x64xf32>
    %3759 = stablehlo.multiply %3758, %3757 : tensor<3x3x64x64xf32>
    %3760 = stablehlo.subtract %arg29, %3759 : tensor<3x3x64x64xf32>
    %3761 = "stablehlo.all_reduce"(%3252) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<64xf32>) -> tensor<64xf32>
    %cst_1066 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3762 = stablehlo.broadcast_in_dim %cst_1066, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3763 = stablehlo.divide %3761, %3762 : tensor<64xf32>
    %cst_1067 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3764 = stablehlo.broadcast_in_dim %cst_1067, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3765 = stablehlo.multiply %3764, %3763 : tensor<64xf32>
    %3766 = stablehlo.subtract %arg30, %3765 : tensor<64xf32>
    %3767 = "stablehlo.all_reduce"(%3245) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<64xf32>) -> tensor<64xf32>
    %cst_1068 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3768 = stablehlo.broadcast_in_dim %cst_1068, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3769 = stablehlo.divide %3767, %3768 : tensor<64xf32>
    %cst_1069 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3770 = stablehlo.broadcast_in_dim %cst_1069, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %3771 = stablehlo.multiply %3770, %3769 : tensor<64xf32>
    %3772 = stablehlo.subtract %arg31, %3771 : tensor<64xf32>
    %3773 = "stablehlo.all_reduce"(%3238) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1x1x64x256xf32>) -> tensor<1x1x64x256xf32>
    %cst_1070 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3774 = stablehlo.broadcast_in_dim %cst_1070, dims = [] : (tensor<f32>) -> tensor<1x1x64x256xf32>
    %3775 = stablehlo.divide %3773, %3774 : tensor<1x1x64x256xf32>
    %cst_1071 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3776 = stablehlo.broadcast_in_dim %cst_1071, dims = [] : (tensor<f32>) -> tensor<1x1x64x256xf32>
    %3777 = stablehlo.multiply %3776, %3775 : tensor<1x1x64x256xf32>
    %3778 = stablehlo.subtract %arg32, %3777 : tensor<1x1x64x256xf32>
    %3779 = "stablehlo.all_reduce"(%3217) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<256xf32>) -> tensor<256xf32>
    %cst_1072 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3780 = stablehlo.broadcast_in_dim %cst_1072, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %3781 = stablehlo.divide %3779, %3780 : tensor<256xf32>
    %cst_1073 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3782 = stablehlo.broadcast_in_dim %cst_1073, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %3783 = stablehlo.multiply %3782, %3781 : tensor<256xf32>
    %3784 = stablehlo.subtract %arg33, %3783 : tensor<256xf32>
    %3785 = "stablehlo.all_reduce"(%3210) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<256xf32>) -> tensor<256xf32>
    %cst_1074 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3786 = stablehlo.broadcast_in_dim %cst_1074, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %3787 = stablehlo.divide %3785, %3786 : tensor<256xf32>
    %cst_1075 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3788 = stablehlo.broadcast_in_dim %cst_1075, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %3789 = stablehlo.multiply %3788, %3787 : tensor<256xf32>
    %3790 = stablehlo.subtract %arg34, %3789 : tensor<256xf32>
    %3791 = "stablehlo.all_reduce"(%3202) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1x1x256x128xf32>) -> tensor<1x1x256x128xf32>
    %cst_1076 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3792 = stablehlo.broadcast_in_dim %cst_1076, dims = [] : (tensor<f32>) -> tensor<1x1x256x128xf32>
    %3793 = stablehlo.divide %3791, %3792 : tensor<1x1x256x128xf32>
    %cst_1077 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3794 = stablehlo.broadcast_in_dim %cst_1077, dims = [] : (tensor<f32>) -> tensor<1x1x256x128xf32>
    %3795 = stablehlo.multiply %3794, %3793 : tensor<1x1x256x128xf32>
    %3796 = stablehlo.subtract %arg35, %3795 : tensor<1x1x256x128xf32>
    %3797 = "stablehlo.all_reduce"(%3181) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<128xf32>) -> tensor<128xf32>
    %cst_1078 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3798 = stablehlo.broadcast_in_dim %cst_1078, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %3799 = stablehlo.divide %3797, %3798 : tensor<128xf32>
    %cst_1079 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3800 = stablehlo.broadcast_in_dim %cst_1079, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %3801 = stablehlo.multiply %3800, %3799 : tensor<128xf32>
    %3802 = stablehlo.subtract %arg36, %3801 : tensor<128xf32>
    %3803 = "stablehlo.all_reduce"(%3174) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<128xf32>) -> tensor<128xf32>
    %cst_1080 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3804 = stablehlo.broadcast_in_dim %cst_1080, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %3805 = stablehlo.divide %3803, %3804 : tensor<128xf32>
    %cst_1081 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3806 = stablehlo.broadcast_in_dim %cst_1081, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %3807 = stablehlo.multiply %3806, %3805 : tensor<128xf32>
    %3808 = stablehlo.subtract %arg37, %3807 : tensor<128xf32>
    %3809 = "stablehlo.all_reduce"(%3167) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<3x3x128x128xf32>) -> tensor<3x3x128x128xf32>
    %cst_1082 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3810 = stablehlo.broadcast_in_dim %cst_1082, dims = [] : (tensor<f32>) -> tensor<3x3x128x128xf32>
    %3811 = stablehlo.divide %3809, %3810 : tensor<3x3x128x128xf32>
    %cst_1083 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3812 = stablehlo.broadcast_in_dim %cst_1083, dims = [] : (tensor<f32>) -> tensor<3x3x128x128xf32>
    %3813 = stablehlo.multiply %3812, %3811 : tensor<3x3x128x128xf32>
    %3814 = stablehlo.subtract %arg38, %3813 : tensor<3x3x128x128xf32>
    %3815 = "stablehlo.all_reduce"(%3146) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<128xf32>) -> tensor<128xf32>
    %cst_1084 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3816 = stablehlo.broadcast_in_dim %cst_1084, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %3817 = stablehlo.divide %3815, %3816 : tensor<128xf32>
    %cst_1085 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3818 = stablehlo.broadcast_in_dim %cst_1085, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %3819 = stablehlo.multiply %3818, %3817 : tensor<128xf32>
    %3820 = stablehlo.subtract %arg39, %3819 : tensor<128xf32>
    %3821 = "stablehlo.all_reduce"(%3139) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<128xf32>) -> tensor<128xf32>
    %cst_1086 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3822 = stablehlo.broadcast_in_dim %cst_1086, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %3823 = stablehlo.divide %3821, %3822 : tensor<128xf32>
    %cst_1087 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3824 = stablehlo.broadcast_in_dim %cst_1087, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %3825 = stablehlo.multiply %3824, %3823 : tensor<128xf32>
    %3826 = stablehlo.subtract %arg40, %3825 : tensor<128xf32>
    %3827 = "stablehlo.all_reduce"(%3132) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1x1x128x512xf32>) -> tensor<1x1x128x512xf32>
    %cst_1088 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3828 = stablehlo.broadcast_in_dim %cst_1088, dims = [] : (tensor<f32>) -> tensor<1x1x128x512xf32>
    %3829 = stablehlo.divide %3827, %3828 : tensor<1x1x128x512xf32>
    %cst_1089 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3830 = stablehlo.broadcast_in_dim %cst_1089, dims = [] : (tensor<f32>) -> tensor<1x1x128x512xf32>
    %3831 = stablehlo.multiply %3830, %3829 : tensor<1x1x128x512xf32>
    %3832 = stablehlo.subtract %arg41, %3831 : tensor<1x1x128x512xf32>
    %3833 = "stablehlo.all_reduce"(%3111) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<512xf32>) -> tensor<512xf32>
    %cst_1090 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3834 = stablehlo.broadcast_in_dim %cst_1090, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %3835 = stablehlo.divide %3833, %3834 : tensor<512xf32>
    %cst_1091 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3836 = stablehlo.broadcast_in_dim %cst_1091, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %3837 = stablehlo.multiply %3836, %3835 : tensor<512xf32>
    %3838 = stablehlo.subtract %arg42, %3837 : tensor<512xf32>
    %3839 = "stablehlo.all_reduce"(%3104) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<512xf32>) -> tensor<512xf32>
    %cst_1092 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3840 = stablehlo.broadcast_in_dim %cst_1092, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %3841 = stablehlo.divide %3839, %3840 : tensor<512xf32>
    %cst_1093 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3842 = stablehlo.broadcast_in_dim %cst_1093, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %3843 = stablehlo.multiply %3842, %3841 : tensor<512xf32>
    %3844 = stablehlo.subtract %arg43, %3843 : tensor<512xf32>
    %3845 = "stablehlo.all_reduce"(%3099) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1x1x256x512xf32>) -> tensor<1x1x256x512xf32>
    %cst_1094 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3846 = stablehlo.broadcast_in_dim %cst_1094, dims = [] : (tensor<f32>) -> tensor<1x1x256x512xf32>
    %3847 = stablehlo.divide %3845, %3846 : tensor<1x1x256x512xf32>
    %cst_1095 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3848 = stablehlo.broadcast_in_dim %cst_1095, dims = [] : (tensor<f32>) -> tensor<1x1x256x512xf32>
    %3849 = stablehlo.multiply %3848, %3847 : tensor<1x1x256x512xf32>
    %3850 = stablehlo.subtract %arg44, %3849 : tensor<1x1x256x512xf32>
    %3851 = "stablehlo.all_reduce"(%3078) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<512xf32>) -> tensor<512xf32>
    %cst_1096 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3852 = stablehlo.broadcast_in_dim %cst_1096, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %3853 = stablehlo.divide %3851, %3852 : tensor<512xf32>
    %cst_1097 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3854 = stablehlo.broadcast_in_dim %cst_1097, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %3855 = stablehlo.multiply %3854, %3853 : tensor<512xf32>
    %3856 = stablehlo.subtract %arg45, %3855 : tensor<512xf32>
    %3857 = "stablehlo.all_reduce"(%3071) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<512xf32>) -> tensor<512xf32>
    %cst_1098 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3858 = stablehlo.broadcast_in_dim %cst_1098, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %3859 = stablehlo.divide %3857, %3858 : tensor<512xf32>
    %cst_1099 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3860 = stablehlo.broadcast_in_dim %cst_1099, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %3861 = stablehlo.multiply %3860, %3859 : tensor<512xf32>
    %3862 = stablehlo.subtract %arg46, %3861 : tensor<512xf32>
    %3863 = "stablehlo.all_reduce"(%3063) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1x1x512x128xf32>) -> tensor<1x1x512x128xf32>
    %cst_1100 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3864 = stablehlo.broadcast_in_dim %cst_1100, dims = [] : (tensor<f32>) -> tensor<1x1x512x128xf32>
    %3865 = stablehlo.divide %3863, %3864 : tensor<1x1x512x128xf32>
    %cst_1101 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3866 = stablehlo.broadcast_in_dim %cst_1101, dims = [] : (tensor<f32>) -> tensor<1x1x512x128xf32>
    %3867 = stablehlo.multiply %3866, %3865 : tensor<1x1x512x128xf32>
    %3868 = stablehlo.subtract %arg47, %3867 : tensor<1x1x512x128xf32>
    %3869 = "stablehlo.all_reduce"(%3042) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<128xf32>) -> tensor<128xf32>
    %cst_1102 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3870 = stablehlo.broadcast_in_dim %cst_1102, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %3871 = stablehlo.divide %3869, %3870 : tensor<128xf32>
    %cst_1103 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3872 = stablehlo.broadcast_in_dim %cst_1103, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %3873 = stablehlo.multiply %3872, %3871 : tensor<128xf32>
    %3874 = stablehlo.subtract %arg48, %3873 : tensor<128xf32>
    %3875 = "stablehlo.all_reduce"(%3035) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<128xf32>) -> tensor<128xf32>
    %cst_1104 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3876 = stablehlo.broadcast_in_dim %cst_1104, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %3877 = stablehlo.divide %3875, %3876 : tensor<128xf32>
    %cst_1105 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3878 = stablehlo.broadcast_in_dim %cst_1105, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %3879 = stablehlo.multiply %3878, %3877 : tensor<128xf32>
    %3880 = stablehlo.subtract %arg49, %3879 : tensor<128xf32>
    %3881 = "stablehlo.all_reduce"(%3028) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<3x3x128x128xf32>) -> tensor<3x3x128x128xf32>
    %cst_1106 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3882 = stablehlo.broadcast_in_dim %cst_1106, dims = [] : (tensor<f32>) -> tensor<3x3x128x128xf32>
    %3883 = stablehlo.divide %3881, %3882 : tensor<3x3x128x128xf32>
    %cst_1107 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3884 = stablehlo.broadcast_in_dim %cst_1107, dims = [] : (tensor<f32>) -> tensor<3x3x128x128xf32>
    %3885 = stablehlo.multiply %3884, %3883 : tensor<3x3x128x128xf32>
    %3886 = stablehlo.subtract %arg50, %3885 : tensor<3x3x128x128xf32>
    %3887 = "stablehlo.all_reduce"(%3007) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<128xf32>) -> tensor<128xf32>
    %cst_1108 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3888 = stablehlo.broadcast_in_dim %cst_1108, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %3889 = stablehlo.divide %3887, %3888 : tensor<128xf32>
    %cst_1109 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3890 = stablehlo.broadcast_in_dim %cst_1109, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %3891 = stablehlo.multiply %3890, %3889 : tensor<128xf32>
    %3892 = stablehlo.subtract %arg51, %3891 : tensor<128xf32>
    %3893 = "stablehlo.all_reduce"(%3000) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<128xf32>) -> tensor<128xf32>
    %cst_1110 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3894 = stablehlo.broadcast_in_dim %cst_1110, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %3895 = stablehlo.divide %3893, %3894 : tensor<128xf32>
    %cst_1111 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3896 = stablehlo.broadcast_in_dim %cst_1111, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %3897 = stablehlo.multiply %3896, %3895 : tensor<128xf32>
    %3898 = stablehlo.subtract %arg52, %3897 : tensor<128xf32>
    %3899 = "stablehlo.all_reduce"(%2993) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1x1x128x512xf32>) -> tensor<1x1x128x512xf32>
    %cst_1112 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3900 = stablehlo.broadcast_in_dim %cst_1112, dims = [] : (tensor<f32>) -> tensor<1x1x128x512xf32>
    %3901 = stablehlo.divide %3899, %3900 : tensor<1x1x128x512xf32>
    %cst_1113 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3902 = stablehlo.broadcast_in_dim %cst_1113, dims = [] : (tensor<f32>) -> tensor<1x1x128x512xf32>
    %3903 = stablehlo.multiply %3902, %3901 : tensor<1x1x128x512xf32>
    %3904 = stablehlo.subtract %arg53, %3903 : tensor<1x1x128x512xf32>
    %3905 = "stablehlo.all_reduce"(%2972) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<512xf32>) -> tensor<512xf32>
    %cst_1114 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3906 = stablehlo.broadcast_in_dim %cst_1114, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %3907 = stablehlo.divide %3905, %3906 : tensor<512xf32>
    %cst_1115 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3908 = stablehlo.broadcast_in_dim %cst_1115, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %3909 = stablehlo.multiply %3908, %3907 : tensor<512xf32>
    %3910 = stablehlo.subtract %arg54, %3909 : tensor<512xf32>
    %3911 = "stablehlo.all_reduce"(%2965) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<512xf32>) -> tensor<512xf32>
    %cst_1116 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3912 = stablehlo.broadcast_in_dim %cst_1116, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %3913 = stablehlo.divide %3911, %3912 : tensor<512xf32>
    %cst_1117 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3914 = stablehlo.broadcast_in_dim %cst_1117, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %3915 = stablehlo.multiply %3914, %3913 : tensor<512xf32>
    %3916 = stablehlo.subtract %arg55, %3915 : tensor<512xf32>
    %3917 = "stablehlo.all_reduce"(%2957) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1x1x512x128xf32>) -> tensor<1x1x512x128xf32>
    %cst_1118 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3918 = stablehlo.broadcast_in_dim %cst_1118, dims = [] : (tensor<f32>) -> tensor<1x1x512x128xf32>
    %3919 = stablehlo.divide %3917, %3918 : tensor<1x1x512x128xf32>
    %cst_1119 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3920 = stablehlo.broadcast_in_dim %cst_1119, dims = [] : (tensor<f32>) -> tensor<1x1x512x128xf32>
    %3921 = stablehlo.multiply %3920, %3919 : tensor<1x1x512x128xf32>
    %3922 = stablehlo.subtract %arg56, %3921 : tensor<1x1x512x128xf32>
    %3923 = "stablehlo.all_reduce"(%2936) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<128xf32>) -> tensor<128xf32>
    %cst_1120 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3924 = stablehlo.broadcast_in_dim %cst_1120, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %3925 = stablehlo.divide %3923, %3924 : tensor<128xf32>
    %cst_1121 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3926 = stablehlo.broadcast_in_dim %cst_1121, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %3927 = stablehlo.multiply %3926, %3925 : tensor<128xf32>
    %3928 = stablehlo.subtract %arg57, %3927 : tensor<128xf32>
    %3929 = "stablehlo.all_reduce"(%2929) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<128xf32>) -> tensor<128xf32>
    %cst_1122 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3930 = stablehlo.broadcast_in_dim %cst_1122, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %3931 = stablehlo.divide %3929, %3930 : tensor<128xf32>
    %cst_1123 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3932 = stablehlo.broadcast_in_dim %cst_1123, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %3933 = stablehlo.multiply %3932, %3931 : tensor<128xf32>
    %3934 = stablehlo.subtract %arg58, %3933 : tensor<128xf32>
    %3935 = "stablehlo.all_reduce"(%2922) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<3x3x128x128xf32>) -> tensor<3x3x128x128xf32>
    %cst_1124 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3936 = stablehlo.broadcast_in_dim %cst_1124, dims = [] : (tensor<f32>) -> tensor<3x3x128x128xf32>
    %3937 = stablehlo.divide %3935, %3936 : tensor<3x3x128x128xf32>
    %cst_1125 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3938 = stablehlo.broadcast_in_dim %cst_1125, dims = [] : (tensor<f32>) -> tensor<3x3x128x128xf32>
    %3939 = stablehlo.multiply %3938, %3937 : tensor<3x3x128x128xf32>
    %3940 = stablehlo.subtract %arg59, %3939 : tensor<3x3x128x128xf32>
    %3941 = "stablehlo.all_reduce"(%2901) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<128xf32>) -> tensor<128xf32>
    %cst_1126 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3942 = stablehlo.broadcast_in_dim %cst_1126, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %3943 = stablehlo.divide %3941, %3942 : tensor<128xf32>
    %cst_1127 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3944 = stablehlo.broadcast_in_dim %cst_1127, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %3945 = stablehlo.multiply %3944, %3943 : tensor<128xf32>
    %3946 = stablehlo.subtract %arg60, %3945 : tensor<128xf32>
    %3947 = "stablehlo.all_reduce"(%2894) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<128xf32>) -> tensor<128xf32>
    %cst_1128 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3948 = stablehlo.broadcast_in_dim %cst_1128, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %3949 = stablehlo.divide %3947, %3948 : tensor<128xf32>
    %cst_1129 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3950 = stablehlo.broadcast_in_dim %cst_1129, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %3951 = stablehlo.multiply %3950, %3949 : tensor<128xf32>
    %3952 = stablehlo.subtract %arg61, %3951 : tensor<128xf32>
    %3953 = "stablehlo.all_reduce"(%2887) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1x1x128x512xf32>) -> tensor<1x1x128x512xf32>
    %cst_1130 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3954 = stablehlo.broadcast_in_dim %cst_1130, dims = [] : (tensor<f32>) -> tensor<1x1x128x512xf32>
    %3955 = stablehlo.divide %3953, %3954 : tensor<1x1x128x512xf32>
    %cst_1131 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3956 = stablehlo.broadcast_in_dim %cst_1131, dims = [] : (tensor<f32>) -> tensor<1x1x128x512xf32>
    %3957 = stablehlo.multiply %3956, %3955 : tensor<1x1x128x512xf32>
    %3958 = stablehlo.subtract %arg62, %3957 : tensor<1x1x128x512xf32>
    %3959 = "stablehlo.all_reduce"(%2866) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<512xf32>) -> tensor<512xf32>
    %cst_1132 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3960 = stablehlo.broadcast_in_dim %cst_1132, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %3961 = stablehlo.divide %3959, %3960 : tensor<512xf32>
    %cst_1133 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3962 = stablehlo.broadcast_in_dim %cst_1133, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %3963 = stablehlo.multiply %3962, %3961 : tensor<512xf32>
    %3964 = stablehlo.subtract %arg63, %3963 : tensor<512xf32>
    %3965 = "stablehlo.all_reduce"(%2859) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<512xf32>) -> tensor<512xf32>
    %cst_1134 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3966 = stablehlo.broadcast_in_dim %cst_1134, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %3967 = stablehlo.divide %3965, %3966 : tensor<512xf32>
    %cst_1135 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3968 = stablehlo.broadcast_in_dim %cst_1135, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %3969 = stablehlo.multiply %3968, %3967 : tensor<512xf32>
    %3970 = stablehlo.subtract %arg64, %3969 : tensor<512xf32>
    %3971 = "stablehlo.all_reduce"(%2851) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1x1x512x128xf32>) -> tensor<1x1x512x128xf32>
    %cst_1136 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3972 = stablehlo.broadcast_in_dim %cst_1136, dims = [] : (tensor<f32>) -> tensor<1x1x512x128xf32>
    %3973 = stablehlo.divide %3971, %3972 : tensor<1x1x512x128xf32>
    %cst_1137 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3974 = stablehlo.broadcast_in_dim %cst_1137, dims = [] : (tensor<f32>) -> tensor<1x1x512x128xf32>
    %3975 = stablehlo.multiply %3974, %3973 : tensor<1x1x512x128xf32>
    %3976 = stablehlo.subtract %arg65, %3975 : tensor<1x1x512x128xf32>
    %3977 = "stablehlo.all_reduce"(%2830) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<128xf32>) -> tensor<128xf32>
    %cst_1138 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3978 = stablehlo.broadcast_in_dim %cst_1138, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %3979 = stablehlo.divide %3977, %3978 : tensor<128xf32>
    %cst_1139 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3980 = stablehlo.broadcast_in_dim %cst_1139, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %3981 = stablehlo.multiply %3980, %3979 : tensor<128xf32>
    %3982 = stablehlo.subtract %arg66, %3981 : tensor<128xf32>
    %3983 = "stablehlo.all_reduce"(%2823) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<128xf32>) -> tensor<128xf32>
    %cst_1140 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3984 = stablehlo.broadcast_in_dim %cst_1140, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %3985 = stablehlo.divide %3983, %3984 : tensor<128xf32>
    %cst_1141 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3986 = stablehlo.broadcast_in_dim %cst_1141, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %3987 = stablehlo.multiply %3986, %3985 : tensor<128xf32>
    %3988 = stablehlo.subtract %arg67, %3987 : tensor<128xf32>
    %3989 = "stablehlo.all_reduce"(%2816) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<3x3x128x128xf32>) -> tensor<3x3x128x128xf32>
    %cst_1142 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3990 = stablehlo.broadcast_in_dim %cst_1142, dims = [] : (tensor<f32>) -> tensor<3x3x128x128xf32>
    %3991 = stablehlo.divide %3989, %3990 : tensor<3x3x128x128xf32>
    %cst_1143 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3992 = stablehlo.broadcast_in_dim %cst_1143, dims = [] : (tensor<f32>) -> tensor<3x3x128x128xf32>
    %3993 = stablehlo.multiply %3992, %3991 : tensor<3x3x128x128xf32>
    %3994 = stablehlo.subtract %arg68, %3993 : tensor<3x3x128x128xf32>
    %3995 = "stablehlo.all_reduce"(%2795) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<128xf32>) -> tensor<128xf32>
    %cst_1144 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3996 = stablehlo.broadcast_in_dim %cst_1144, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %3997 = stablehlo.divide %3995, %3996 : tensor<128xf32>
    %cst_1145 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %3998 = stablehlo.broadcast_in_dim %cst_1145, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %3999 = stablehlo.multiply %3998, %3997 : tensor<128xf32>
    %4000 = stablehlo.subtract %arg69, %3999 : tensor<128xf32>
    %4001 = "stablehlo.all_reduce"(%2788) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<128xf32>) -> tensor<128xf32>
    %cst_1146 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4002 = stablehlo.broadcast_in_dim %cst_1146, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %4003 = stablehlo.divide %4001, %4002 : tensor<128xf32>
    %cst_1147 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4004 = stablehlo.broadcast_in_dim %cst_1147, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %4005 = stablehlo.multiply %4004, %4003 : tensor<128xf32>
    %4006 = stablehlo.subtract %arg70, %4005 : tensor<128xf32>
    %4007 = "stablehlo.all_reduce"(%2781) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1x1x128x512xf32>) -> tensor<1x1x128x512xf32>
    %cst_1148 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4008 = stablehlo.broadcast_in_dim %cst_1148, dims = [] : (tensor<f32>) -> tensor<1x1x128x512xf32>
    %4009 = stablehlo.divide %4007, %4008 : tensor<1x1x128x512xf32>
    %cst_1149 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4010 = stablehlo.broadcast_in_dim %cst_1149, dims = [] : (tensor<f32>) -> tensor<1x1x128x512xf32>
    %4011 = stablehlo.multiply %4010, %4009 : tensor<1x1x128x512xf32>
    %4012 = stablehlo.subtract %arg71, %4011 : tensor<1x1x128x512xf32>
    %4013 = "stablehlo.all_reduce"(%2760) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<512xf32>) -> tensor<512xf32>
    %cst_1150 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4014 = stablehlo.broadcast_in_dim %cst_1150, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %4015 = stablehlo.divide %4013, %4014 : tensor<512xf32>
    %cst_1151 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4016 = stablehlo.broadcast_in_dim %cst_1151, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %4017 = stablehlo.multiply %4016, %4015 : tensor<512xf32>
    %4018 = stablehlo.subtract %arg72, %4017 : tensor<512xf32>
    %4019 = "stablehlo.all_reduce"(%2753) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<512xf32>) -> tensor<512xf32>
    %cst_1152 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4020 = stablehlo.broadcast_in_dim %cst_1152, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %4021 = stablehlo.divide %4019, %4020 : tensor<512xf32>
    %cst_1153 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4022 = stablehlo.broadcast_in_dim %cst_1153, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %4023 = stablehlo.multiply %4022, %4021 : tensor<512xf32>
    %4024 = stablehlo.subtract %arg73, %4023 : tensor<512xf32>
    %4025 = "stablehlo.all_reduce"(%2745) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1x1x512x256xf32>) -> tensor<1x1x512x256xf32>
    %cst_1154 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4026 = stablehlo.broadcast_in_dim %cst_1154, dims = [] : (tensor<f32>) -> tensor<1x1x512x256xf32>
    %4027 = stablehlo.divide %4025, %4026 : tensor<1x1x512x256xf32>
    %cst_1155 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4028 = stablehlo.broadcast_in_dim %cst_1155, dims = [] : (tensor<f32>) -> tensor<1x1x512x256xf32>
    %4029 = stablehlo.multiply %4028, %4027 : tensor<1x1x512x256xf32>
    %4030 = stablehlo.subtract %arg74, %4029 : tensor<1x1x512x256xf32>
    %4031 = "stablehlo.all_reduce"(%2724) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<256xf32>) -> tensor<256xf32>
    %cst_1156 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4032 = stablehlo.broadcast_in_dim %cst_1156, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4033 = stablehlo.divide %4031, %4032 : tensor<256xf32>
    %cst_1157 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4034 = stablehlo.broadcast_in_dim %cst_1157, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4035 = stablehlo.multiply %4034, %4033 : tensor<256xf32>
    %4036 = stablehlo.subtract %arg75, %4035 : tensor<256xf32>
    %4037 = "stablehlo.all_reduce"(%2717) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<256xf32>) -> tensor<256xf32>
    %cst_1158 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4038 = stablehlo.broadcast_in_dim %cst_1158, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4039 = stablehlo.divide %4037, %4038 : tensor<256xf32>
    %cst_1159 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4040 = stablehlo.broadcast_in_dim %cst_1159, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4041 = stablehlo.multiply %4040, %4039 : tensor<256xf32>
    %4042 = stablehlo.subtract %arg76, %4041 : tensor<256xf32>
    %4043 = "stablehlo.all_reduce"(%2710) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<3x3x256x256xf32>) -> tensor<3x3x256x256xf32>
    %cst_1160 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4044 = stablehlo.broadcast_in_dim %cst_1160, dims = [] : (tensor<f32>) -> tensor<3x3x256x256xf32>
    %4045 = stablehlo.divide %4043, %4044 : tensor<3x3x256x256xf32>
    %cst_1161 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4046 = stablehlo.broadcast_in_dim %cst_1161, dims = [] : (tensor<f32>) -> tensor<3x3x256x256xf32>
    %4047 = stablehlo.multiply %4046, %4045 : tensor<3x3x256x256xf32>
    %4048 = stablehlo.subtract %arg77, %4047 : tensor<3x3x256x256xf32>
    %4049 = "stablehlo.all_reduce"(%2689) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<256xf32>) -> tensor<256xf32>
    %cst_1162 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4050 = stablehlo.broadcast_in_dim %cst_1162, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4051 = stablehlo.divide %4049, %4050 : tensor<256xf32>
    %cst_1163 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4052 = stablehlo.broadcast_in_dim %cst_1163, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4053 = stablehlo.multiply %4052, %4051 : tensor<256xf32>
    %4054 = stablehlo.subtract %arg78, %4053 : tensor<256xf32>
    %4055 = "stablehlo.all_reduce"(%2682) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<256xf32>) -> tensor<256xf32>
    %cst_1164 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4056 = stablehlo.broadcast_in_dim %cst_1164, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4057 = stablehlo.divide %4055, %4056 : tensor<256xf32>
    %cst_1165 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4058 = stablehlo.broadcast_in_dim %cst_1165, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4059 = stablehlo.multiply %4058, %4057 : tensor<256xf32>
    %4060 = stablehlo.subtract %arg79, %4059 : tensor<256xf32>
    %4061 = "stablehlo.all_reduce"(%2675) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1x1x256x1024xf32>) -> tensor<1x1x256x1024xf32>
    %cst_1166 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4062 = stablehlo.broadcast_in_dim %cst_1166, dims = [] : (tensor<f32>) -> tensor<1x1x256x1024xf32>
    %4063 = stablehlo.divide %4061, %4062 : tensor<1x1x256x1024xf32>
    %cst_1167 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4064 = stablehlo.broadcast_in_dim %cst_1167, dims = [] : (tensor<f32>) -> tensor<1x1x256x1024xf32>
    %4065 = stablehlo.multiply %4064, %4063 : tensor<1x1x256x1024xf32>
    %4066 = stablehlo.subtract %arg80, %4065 : tensor<1x1x256x1024xf32>
    %4067 = "stablehlo.all_reduce"(%2654) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1024xf32>) -> tensor<1024xf32>
    %cst_1168 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4068 = stablehlo.broadcast_in_dim %cst_1168, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %4069 = stablehlo.divide %4067, %4068 : tensor<1024xf32>
    %cst_1169 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4070 = stablehlo.broadcast_in_dim %cst_1169, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %4071 = stablehlo.multiply %4070, %4069 : tensor<1024xf32>
    %4072 = stablehlo.subtract %arg81, %4071 : tensor<1024xf32>
    %4073 = "stablehlo.all_reduce"(%2647) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1024xf32>) -> tensor<1024xf32>
    %cst_1170 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4074 = stablehlo.broadcast_in_dim %cst_1170, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %4075 = stablehlo.divide %4073, %4074 : tensor<1024xf32>
    %cst_1171 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4076 = stablehlo.broadcast_in_dim %cst_1171, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %4077 = stablehlo.multiply %4076, %4075 : tensor<1024xf32>
    %4078 = stablehlo.subtract %arg82, %4077 : tensor<1024xf32>
    %4079 = "stablehlo.all_reduce"(%2642) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1x1x512x1024xf32>) -> tensor<1x1x512x1024xf32>
    %cst_1172 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4080 = stablehlo.broadcast_in_dim %cst_1172, dims = [] : (tensor<f32>) -> tensor<1x1x512x1024xf32>
    %4081 = stablehlo.divide %4079, %4080 : tensor<1x1x512x1024xf32>
    %cst_1173 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4082 = stablehlo.broadcast_in_dim %cst_1173, dims = [] : (tensor<f32>) -> tensor<1x1x512x1024xf32>
    %4083 = stablehlo.multiply %4082, %4081 : tensor<1x1x512x1024xf32>
    %4084 = stablehlo.subtract %arg83, %4083 : tensor<1x1x512x1024xf32>
    %4085 = "stablehlo.all_reduce"(%2621) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1024xf32>) -> tensor<1024xf32>
    %cst_1174 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4086 = stablehlo.broadcast_in_dim %cst_1174, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %4087 = stablehlo.divide %4085, %4086 : tensor<1024xf32>
    %cst_1175 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4088 = stablehlo.broadcast_in_dim %cst_1175, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %4089 = stablehlo.multiply %4088, %4087 : tensor<1024xf32>
    %4090 = stablehlo.subtract %arg84, %4089 : tensor<1024xf32>
    %4091 = "stablehlo.all_reduce"(%2614) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1024xf32>) -> tensor<1024xf32>
    %cst_1176 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4092 = stablehlo.broadcast_in_dim %cst_1176, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %4093 = stablehlo.divide %4091, %4092 : tensor<1024xf32>
    %cst_1177 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4094 = stablehlo.broadcast_in_dim %cst_1177, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %4095 = stablehlo.multiply %4094, %4093 : tensor<1024xf32>
    %4096 = stablehlo.subtract %arg85, %4095 : tensor<1024xf32>
    %4097 = "stablehlo.all_reduce"(%2606) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1x1x1024x256xf32>) -> tensor<1x1x1024x256xf32>
    %cst_1178 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4098 = stablehlo.broadcast_in_dim %cst_1178, dims = [] : (tensor<f32>) -> tensor<1x1x1024x256xf32>
    %4099 = stablehlo.divide %4097, %4098 : tensor<1x1x1024x256xf32>
    %cst_1179 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4100 = stablehlo.broadcast_in_dim %cst_1179, dims = [] : (tensor<f32>) -> tensor<1x1x1024x256xf32>
    %4101 = stablehlo.multiply %4100, %4099 : tensor<1x1x1024x256xf32>
    %4102 = stablehlo.subtract %arg86, %4101 : tensor<1x1x1024x256xf32>
    %4103 = "stablehlo.all_reduce"(%2585) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<256xf32>) -> tensor<256xf32>
    %cst_1180 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4104 = stablehlo.broadcast_in_dim %cst_1180, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4105 = stablehlo.divide %4103, %4104 : tensor<256xf32>
    %cst_1181 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4106 = stablehlo.broadcast_in_dim %cst_1181, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4107 = stablehlo.multiply %4106, %4105 : tensor<256xf32>
    %4108 = stablehlo.subtract %arg87, %4107 : tensor<256xf32>
    %4109 = "stablehlo.all_reduce"(%2578) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<256xf32>) -> tensor<256xf32>
    %cst_1182 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4110 = stablehlo.broadcast_in_dim %cst_1182, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4111 = stablehlo.divide %4109, %4110 : tensor<256xf32>
    %cst_1183 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4112 = stablehlo.broadcast_in_dim %cst_1183, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4113 = stablehlo.multiply %4112, %4111 : tensor<256xf32>
    %4114 = stablehlo.subtract %arg88, %4113 : tensor<256xf32>
    %4115 = "stablehlo.all_reduce"(%2571) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<3x3x256x256xf32>) -> tensor<3x3x256x256xf32>
    %cst_1184 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4116 = stablehlo.broadcast_in_dim %cst_1184, dims = [] : (tensor<f32>) -> tensor<3x3x256x256xf32>
    %4117 = stablehlo.divide %4115, %4116 : tensor<3x3x256x256xf32>
    %cst_1185 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4118 = stablehlo.broadcast_in_dim %cst_1185, dims = [] : (tensor<f32>) -> tensor<3x3x256x256xf32>
    %4119 = stablehlo.multiply %4118, %4117 : tensor<3x3x256x256xf32>
    %4120 = stablehlo.subtract %arg89, %4119 : tensor<3x3x256x256xf32>
    %4121 = "stablehlo.all_reduce"(%2550) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<256xf32>) -> tensor<256xf32>
    %cst_1186 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4122 = stablehlo.broadcast_in_dim %cst_1186, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4123 = stablehlo.divide %4121, %4122 : tensor<256xf32>
    %cst_1187 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4124 = stablehlo.broadcast_in_dim %cst_1187, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4125 = stablehlo.multiply %4124, %4123 : tensor<256xf32>
    %4126 = stablehlo.subtract %arg90, %4125 : tensor<256xf32>
    %4127 = "stablehlo.all_reduce"(%2543) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<256xf32>) -> tensor<256xf32>
    %cst_1188 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4128 = stablehlo.broadcast_in_dim %cst_1188, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4129 = stablehlo.divide %4127, %4128 : tensor<256xf32>
    %cst_1189 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4130 = stablehlo.broadcast_in_dim %cst_1189, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4131 = stablehlo.multiply %4130, %4129 : tensor<256xf32>
    %4132 = stablehlo.subtract %arg91, %4131 : tensor<256xf32>
    %4133 = "stablehlo.all_reduce"(%2536) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1x1x256x1024xf32>) -> tensor<1x1x256x1024xf32>
    %cst_1190 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4134 = stablehlo.broadcast_in_dim %cst_1190, dims = [] : (tensor<f32>) -> tensor<1x1x256x1024xf32>
    %4135 = stablehlo.divide %4133, %4134 : tensor<1x1x256x1024xf32>
    %cst_1191 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4136 = stablehlo.broadcast_in_dim %cst_1191, dims = [] : (tensor<f32>) -> tensor<1x1x256x1024xf32>
    %4137 = stablehlo.multiply %4136, %4135 : tensor<1x1x256x1024xf32>
    %4138 = stablehlo.subtract %arg92, %4137 : tensor<1x1x256x1024xf32>
    %4139 = "stablehlo.all_reduce"(%2515) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1024xf32>) -> tensor<1024xf32>
    %cst_1192 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4140 = stablehlo.broadcast_in_dim %cst_1192, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %4141 = stablehlo.divide %4139, %4140 : tensor<1024xf32>
    %cst_1193 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4142 = stablehlo.broadcast_in_dim %cst_1193, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %4143 = stablehlo.multiply %4142, %4141 : tensor<1024xf32>
    %4144 = stablehlo.subtract %arg93, %4143 : tensor<1024xf32>
    %4145 = "stablehlo.all_reduce"(%2508) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1024xf32>) -> tensor<1024xf32>
    %cst_1194 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4146 = stablehlo.broadcast_in_dim %cst_1194, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %4147 = stablehlo.divide %4145, %4146 : tensor<1024xf32>
    %cst_1195 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4148 = stablehlo.broadcast_in_dim %cst_1195, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %4149 = stablehlo.multiply %4148, %4147 : tensor<1024xf32>
    %4150 = stablehlo.subtract %arg94, %4149 : tensor<1024xf32>
    %4151 = "stablehlo.all_reduce"(%2500) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1x1x1024x256xf32>) -> tensor<1x1x1024x256xf32>
    %cst_1196 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4152 = stablehlo.broadcast_in_dim %cst_1196, dims = [] : (tensor<f32>) -> tensor<1x1x1024x256xf32>
    %4153 = stablehlo.divide %4151, %4152 : tensor<1x1x1024x256xf32>
    %cst_1197 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4154 = stablehlo.broadcast_in_dim %cst_1197, dims = [] : (tensor<f32>) -> tensor<1x1x1024x256xf32>
    %4155 = stablehlo.multiply %4154, %4153 : tensor<1x1x1024x256xf32>
    %4156 = stablehlo.subtract %arg95, %4155 : tensor<1x1x1024x256xf32>
    %4157 = "stablehlo.all_reduce"(%2479) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<256xf32>) -> tensor<256xf32>
    %cst_1198 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4158 = stablehlo.broadcast_in_dim %cst_1198, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4159 = stablehlo.divide %4157, %4158 : tensor<256xf32>
    %cst_1199 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4160 = stablehlo.broadcast_in_dim %cst_1199, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4161 = stablehlo.multiply %4160, %4159 : tensor<256xf32>
    %4162 = stablehlo.subtract %arg96, %4161 : tensor<256xf32>
    %4163 = "stablehlo.all_reduce"(%2472) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<256xf32>) -> tensor<256xf32>
    %cst_1200 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4164 = stablehlo.broadcast_in_dim %cst_1200, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4165 = stablehlo.divide %4163, %4164 : tensor<256xf32>
    %cst_1201 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4166 = stablehlo.broadcast_in_dim %cst_1201, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4167 = stablehlo.multiply %4166, %4165 : tensor<256xf32>
    %4168 = stablehlo.subtract %arg97, %4167 : tensor<256xf32>
    %4169 = "stablehlo.all_reduce"(%2465) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<3x3x256x256xf32>) -> tensor<3x3x256x256xf32>
    %cst_1202 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4170 = stablehlo.broadcast_in_dim %cst_1202, dims = [] : (tensor<f32>) -> tensor<3x3x256x256xf32>
    %4171 = stablehlo.divide %4169, %4170 : tensor<3x3x256x256xf32>
    %cst_1203 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4172 = stablehlo.broadcast_in_dim %cst_1203, dims = [] : (tensor<f32>) -> tensor<3x3x256x256xf32>
    %4173 = stablehlo.multiply %4172, %4171 : tensor<3x3x256x256xf32>
    %4174 = stablehlo.subtract %arg98, %4173 : tensor<3x3x256x256xf32>
    %4175 = "stablehlo.all_reduce"(%2444) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<256xf32>) -> tensor<256xf32>
    %cst_1204 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4176 = stablehlo.broadcast_in_dim %cst_1204, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4177 = stablehlo.divide %4175, %4176 : tensor<256xf32>
    %cst_1205 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4178 = stablehlo.broadcast_in_dim %cst_1205, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4179 = stablehlo.multiply %4178, %4177 : tensor<256xf32>
    %4180 = stablehlo.subtract %arg99, %4179 : tensor<256xf32>
    %4181 = "stablehlo.all_reduce"(%2437) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<256xf32>) -> tensor<256xf32>
    %cst_1206 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4182 = stablehlo.broadcast_in_dim %cst_1206, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4183 = stablehlo.divide %4181, %4182 : tensor<256xf32>
    %cst_1207 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4184 = stablehlo.broadcast_in_dim %cst_1207, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4185 = stablehlo.multiply %4184, %4183 : tensor<256xf32>
    %4186 = stablehlo.subtract %arg100, %4185 : tensor<256xf32>
    %4187 = "stablehlo.all_reduce"(%2430) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1x1x256x1024xf32>) -> tensor<1x1x256x1024xf32>
    %cst_1208 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4188 = stablehlo.broadcast_in_dim %cst_1208, dims = [] : (tensor<f32>) -> tensor<1x1x256x1024xf32>
    %4189 = stablehlo.divide %4187, %4188 : tensor<1x1x256x1024xf32>
    %cst_1209 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4190 = stablehlo.broadcast_in_dim %cst_1209, dims = [] : (tensor<f32>) -> tensor<1x1x256x1024xf32>
    %4191 = stablehlo.multiply %4190, %4189 : tensor<1x1x256x1024xf32>
    %4192 = stablehlo.subtract %arg101, %4191 : tensor<1x1x256x1024xf32>
    %4193 = "stablehlo.all_reduce"(%2409) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1024xf32>) -> tensor<1024xf32>
    %cst_1210 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4194 = stablehlo.broadcast_in_dim %cst_1210, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %4195 = stablehlo.divide %4193, %4194 : tensor<1024xf32>
    %cst_1211 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4196 = stablehlo.broadcast_in_dim %cst_1211, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %4197 = stablehlo.multiply %4196, %4195 : tensor<1024xf32>
    %4198 = stablehlo.subtract %arg102, %4197 : tensor<1024xf32>
    %4199 = "stablehlo.all_reduce"(%2402) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1024xf32>) -> tensor<1024xf32>
    %cst_1212 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4200 = stablehlo.broadcast_in_dim %cst_1212, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %4201 = stablehlo.divide %4199, %4200 : tensor<1024xf32>
    %cst_1213 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4202 = stablehlo.broadcast_in_dim %cst_1213, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %4203 = stablehlo.multiply %4202, %4201 : tensor<1024xf32>
    %4204 = stablehlo.subtract %arg103, %4203 : tensor<1024xf32>
    %4205 = "stablehlo.all_reduce"(%2394) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1x1x1024x256xf32>) -> tensor<1x1x1024x256xf32>
    %cst_1214 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4206 = stablehlo.broadcast_in_dim %cst_1214, dims = [] : (tensor<f32>) -> tensor<1x1x1024x256xf32>
    %4207 = stablehlo.divide %4205, %4206 : tensor<1x1x1024x256xf32>
    %cst_1215 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4208 = stablehlo.broadcast_in_dim %cst_1215, dims = [] : (tensor<f32>) -> tensor<1x1x1024x256xf32>
    %4209 = stablehlo.multiply %4208, %4207 : tensor<1x1x1024x256xf32>
    %4210 = stablehlo.subtract %arg104, %4209 : tensor<1x1x1024x256xf32>
    %4211 = "stablehlo.all_reduce"(%2373) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<256xf32>) -> tensor<256xf32>
    %cst_1216 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4212 = stablehlo.broadcast_in_dim %cst_1216, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4213 = stablehlo.divide %4211, %4212 : tensor<256xf32>
    %cst_1217 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4214 = stablehlo.broadcast_in_dim %cst_1217, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4215 = stablehlo.multiply %4214, %4213 : tensor<256xf32>
    %4216 = stablehlo.subtract %arg105, %4215 : tensor<256xf32>
    %4217 = "stablehlo.all_reduce"(%2366) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<256xf32>) -> tensor<256xf32>
    %cst_1218 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4218 = stablehlo.broadcast_in_dim %cst_1218, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4219 = stablehlo.divide %4217, %4218 : tensor<256xf32>
    %cst_1219 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4220 = stablehlo.broadcast_in_dim %cst_1219, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4221 = stablehlo.multiply %4220, %4219 : tensor<256xf32>
    %4222 = stablehlo.subtract %arg106, %4221 : tensor<256xf32>
    %4223 = "stablehlo.all_reduce"(%2359) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<3x3x256x256xf32>) -> tensor<3x3x256x256xf32>
    %cst_1220 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4224 = stablehlo.broadcast_in_dim %cst_1220, dims = [] : (tensor<f32>) -> tensor<3x3x256x256xf32>
    %4225 = stablehlo.divide %4223, %4224 : tensor<3x3x256x256xf32>
    %cst_1221 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4226 = stablehlo.broadcast_in_dim %cst_1221, dims = [] : (tensor<f32>) -> tensor<3x3x256x256xf32>
    %4227 = stablehlo.multiply %4226, %4225 : tensor<3x3x256x256xf32>
    %4228 = stablehlo.subtract %arg107, %4227 : tensor<3x3x256x256xf32>
    %4229 = "stablehlo.all_reduce"(%2338) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<256xf32>) -> tensor<256xf32>
    %cst_1222 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4230 = stablehlo.broadcast_in_dim %cst_1222, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4231 = stablehlo.divide %4229, %4230 : tensor<256xf32>
    %cst_1223 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4232 = stablehlo.broadcast_in_dim %cst_1223, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4233 = stablehlo.multiply %4232, %4231 : tensor<256xf32>
    %4234 = stablehlo.subtract %arg108, %4233 : tensor<256xf32>
    %4235 = "stablehlo.all_reduce"(%2331) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<256xf32>) -> tensor<256xf32>
    %cst_1224 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4236 = stablehlo.broadcast_in_dim %cst_1224, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4237 = stablehlo.divide %4235, %4236 : tensor<256xf32>
    %cst_1225 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4238 = stablehlo.broadcast_in_dim %cst_1225, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4239 = stablehlo.multiply %4238, %4237 : tensor<256xf32>
    %4240 = stablehlo.subtract %arg109, %4239 : tensor<256xf32>
    %4241 = "stablehlo.all_reduce"(%2324) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1x1x256x1024xf32>) -> tensor<1x1x256x1024xf32>
    %cst_1226 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4242 = stablehlo.broadcast_in_dim %cst_1226, dims = [] : (tensor<f32>) -> tensor<1x1x256x1024xf32>
    %4243 = stablehlo.divide %4241, %4242 : tensor<1x1x256x1024xf32>
    %cst_1227 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4244 = stablehlo.broadcast_in_dim %cst_1227, dims = [] : (tensor<f32>) -> tensor<1x1x256x1024xf32>
    %4245 = stablehlo.multiply %4244, %4243 : tensor<1x1x256x1024xf32>
    %4246 = stablehlo.subtract %arg110, %4245 : tensor<1x1x256x1024xf32>
    %4247 = "stablehlo.all_reduce"(%2303) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1024xf32>) -> tensor<1024xf32>
    %cst_1228 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4248 = stablehlo.broadcast_in_dim %cst_1228, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %4249 = stablehlo.divide %4247, %4248 : tensor<1024xf32>
    %cst_1229 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4250 = stablehlo.broadcast_in_dim %cst_1229, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %4251 = stablehlo.multiply %4250, %4249 : tensor<1024xf32>
    %4252 = stablehlo.subtract %arg111, %4251 : tensor<1024xf32>
    %4253 = "stablehlo.all_reduce"(%2296) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1024xf32>) -> tensor<1024xf32>
    %cst_1230 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4254 = stablehlo.broadcast_in_dim %cst_1230, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %4255 = stablehlo.divide %4253, %4254 : tensor<1024xf32>
    %cst_1231 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4256 = stablehlo.broadcast_in_dim %cst_1231, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %4257 = stablehlo.multiply %4256, %4255 : tensor<1024xf32>
    %4258 = stablehlo.subtract %arg112, %4257 : tensor<1024xf32>
    %4259 = "stablehlo.all_reduce"(%2288) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1x1x1024x256xf32>) -> tensor<1x1x1024x256xf32>
    %cst_1232 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4260 = stablehlo.broadcast_in_dim %cst_1232, dims = [] : (tensor<f32>) -> tensor<1x1x1024x256xf32>
    %4261 = stablehlo.divide %4259, %4260 : tensor<1x1x1024x256xf32>
    %cst_1233 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4262 = stablehlo.broadcast_in_dim %cst_1233, dims = [] : (tensor<f32>) -> tensor<1x1x1024x256xf32>
    %4263 = stablehlo.multiply %4262, %4261 : tensor<1x1x1024x256xf32>
    %4264 = stablehlo.subtract %arg113, %4263 : tensor<1x1x1024x256xf32>
    %4265 = "stablehlo.all_reduce"(%2267) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<256xf32>) -> tensor<256xf32>
    %cst_1234 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4266 = stablehlo.broadcast_in_dim %cst_1234, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4267 = stablehlo.divide %4265, %4266 : tensor<256xf32>
    %cst_1235 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4268 = stablehlo.broadcast_in_dim %cst_1235, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4269 = stablehlo.multiply %4268, %4267 : tensor<256xf32>
    %4270 = stablehlo.subtract %arg114, %4269 : tensor<256xf32>
    %4271 = "stablehlo.all_reduce"(%2260) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<256xf32>) -> tensor<256xf32>
    %cst_1236 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4272 = stablehlo.broadcast_in_dim %cst_1236, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4273 = stablehlo.divide %4271, %4272 : tensor<256xf32>
    %cst_1237 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4274 = stablehlo.broadcast_in_dim %cst_1237, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4275 = stablehlo.multiply %4274, %4273 : tensor<256xf32>
    %4276 = stablehlo.subtract %arg115, %4275 : tensor<256xf32>
    %4277 = "stablehlo.all_reduce"(%2253) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<3x3x256x256xf32>) -> tensor<3x3x256x256xf32>
    %cst_1238 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4278 = stablehlo.broadcast_in_dim %cst_1238, dims = [] : (tensor<f32>) -> tensor<3x3x256x256xf32>
    %4279 = stablehlo.divide %4277, %4278 : tensor<3x3x256x256xf32>
    %cst_1239 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4280 = stablehlo.broadcast_in_dim %cst_1239, dims = [] : (tensor<f32>) -> tensor<3x3x256x256xf32>
    %4281 = stablehlo.multiply %4280, %4279 : tensor<3x3x256x256xf32>
    %4282 = stablehlo.subtract %arg116, %4281 : tensor<3x3x256x256xf32>
    %4283 = "stablehlo.all_reduce"(%2232) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<256xf32>) -> tensor<256xf32>
    %cst_1240 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4284 = stablehlo.broadcast_in_dim %cst_1240, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4285 = stablehlo.divide %4283, %4284 : tensor<256xf32>
    %cst_1241 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4286 = stablehlo.broadcast_in_dim %cst_1241, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4287 = stablehlo.multiply %4286, %4285 : tensor<256xf32>
    %4288 = stablehlo.subtract %arg117, %4287 : tensor<256xf32>
    %4289 = "stablehlo.all_reduce"(%2225) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<256xf32>) -> tensor<256xf32>
    %cst_1242 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4290 = stablehlo.broadcast_in_dim %cst_1242, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4291 = stablehlo.divide %4289, %4290 : tensor<256xf32>
    %cst_1243 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4292 = stablehlo.broadcast_in_dim %cst_1243, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4293 = stablehlo.multiply %4292, %4291 : tensor<256xf32>
    %4294 = stablehlo.subtract %arg118, %4293 : tensor<256xf32>
    %4295 = "stablehlo.all_reduce"(%2218) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1x1x256x1024xf32>) -> tensor<1x1x256x1024xf32>
    %cst_1244 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4296 = stablehlo.broadcast_in_dim %cst_1244, dims = [] : (tensor<f32>) -> tensor<1x1x256x1024xf32>
    %4297 = stablehlo.divide %4295, %4296 : tensor<1x1x256x1024xf32>
    %cst_1245 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4298 = stablehlo.broadcast_in_dim %cst_1245, dims = [] : (tensor<f32>) -> tensor<1x1x256x1024xf32>
    %4299 = stablehlo.multiply %4298, %4297 : tensor<1x1x256x1024xf32>
    %4300 = stablehlo.subtract %arg119, %4299 : tensor<1x1x256x1024xf32>
    %4301 = "stablehlo.all_reduce"(%2197) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1024xf32>) -> tensor<1024xf32>
    %cst_1246 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4302 = stablehlo.broadcast_in_dim %cst_1246, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %4303 = stablehlo.divide %4301, %4302 : tensor<1024xf32>
    %cst_1247 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4304 = stablehlo.broadcast_in_dim %cst_1247, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %4305 = stablehlo.multiply %4304, %4303 : tensor<1024xf32>
    %4306 = stablehlo.subtract %arg120, %4305 : tensor<1024xf32>
    %4307 = "stablehlo.all_reduce"(%2190) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1024xf32>) -> tensor<1024xf32>
    %cst_1248 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4308 = stablehlo.broadcast_in_dim %cst_1248, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %4309 = stablehlo.divide %4307, %4308 : tensor<1024xf32>
    %cst_1249 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4310 = stablehlo.broadcast_in_dim %cst_1249, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %4311 = stablehlo.multiply %4310, %4309 : tensor<1024xf32>
    %4312 = stablehlo.subtract %arg121, %4311 : tensor<1024xf32>
    %4313 = "stablehlo.all_reduce"(%2182) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1x1x1024x256xf32>) -> tensor<1x1x1024x256xf32>
    %cst_1250 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4314 = stablehlo.broadcast_in_dim %cst_1250, dims = [] : (tensor<f32>) -> tensor<1x1x1024x256xf32>
    %4315 = stablehlo.divide %4313, %4314 : tensor<1x1x1024x256xf32>
    %cst_1251 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4316 = stablehlo.broadcast_in_dim %cst_1251, dims = [] : (tensor<f32>) -> tensor<1x1x1024x256xf32>
    %4317 = stablehlo.multiply %4316, %4315 : tensor<1x1x1024x256xf32>
    %4318 = stablehlo.subtract %arg122, %4317 : tensor<1x1x1024x256xf32>
    %4319 = "stablehlo.all_reduce"(%2161) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<256xf32>) -> tensor<256xf32>
    %cst_1252 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4320 = stablehlo.broadcast_in_dim %cst_1252, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4321 = stablehlo.divide %4319, %4320 : tensor<256xf32>
    %cst_1253 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4322 = stablehlo.broadcast_in_dim %cst_1253, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4323 = stablehlo.multiply %4322, %4321 : tensor<256xf32>
    %4324 = stablehlo.subtract %arg123, %4323 : tensor<256xf32>
    %4325 = "stablehlo.all_reduce"(%2154) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<256xf32>) -> tensor<256xf32>
    %cst_1254 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4326 = stablehlo.broadcast_in_dim %cst_1254, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4327 = stablehlo.divide %4325, %4326 : tensor<256xf32>
    %cst_1255 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4328 = stablehlo.broadcast_in_dim %cst_1255, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4329 = stablehlo.multiply %4328, %4327 : tensor<256xf32>
    %4330 = stablehlo.subtract %arg124, %4329 : tensor<256xf32>
    %4331 = "stablehlo.all_reduce"(%2147) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<3x3x256x256xf32>) -> tensor<3x3x256x256xf32>
    %cst_1256 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4332 = stablehlo.broadcast_in_dim %cst_1256, dims = [] : (tensor<f32>) -> tensor<3x3x256x256xf32>
    %4333 = stablehlo.divide %4331, %4332 : tensor<3x3x256x256xf32>
    %cst_1257 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4334 = stablehlo.broadcast_in_dim %cst_1257, dims = [] : (tensor<f32>) -> tensor<3x3x256x256xf32>
    %4335 = stablehlo.multiply %4334, %4333 : tensor<3x3x256x256xf32>
    %4336 = stablehlo.subtract %arg125, %4335 : tensor<3x3x256x256xf32>
    %4337 = "stablehlo.all_reduce"(%2126) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<256xf32>) -> tensor<256xf32>
    %cst_1258 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4338 = stablehlo.broadcast_in_dim %cst_1258, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4339 = stablehlo.divide %4337, %4338 : tensor<256xf32>
    %cst_1259 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4340 = stablehlo.broadcast_in_dim %cst_1259, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4341 = stablehlo.multiply %4340, %4339 : tensor<256xf32>
    %4342 = stablehlo.subtract %arg126, %4341 : tensor<256xf32>
    %4343 = "stablehlo.all_reduce"(%2119) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<256xf32>) -> tensor<256xf32>
    %cst_1260 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4344 = stablehlo.broadcast_in_dim %cst_1260, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4345 = stablehlo.divide %4343, %4344 : tensor<256xf32>
    %cst_1261 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4346 = stablehlo.broadcast_in_dim %cst_1261, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %4347 = stablehlo.multiply %4346, %4345 : tensor<256xf32>
    %4348 = stablehlo.subtract %arg127, %4347 : tensor<256xf32>
    %4349 = "stablehlo.all_reduce"(%2112) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1x1x256x1024xf32>) -> tensor<1x1x256x1024xf32>
    %cst_1262 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4350 = stablehlo.broadcast_in_dim %cst_1262, dims = [] : (tensor<f32>) -> tensor<1x1x256x1024xf32>
    %4351 = stablehlo.divide %4349, %4350 : tensor<1x1x256x1024xf32>
    %cst_1263 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4352 = stablehlo.broadcast_in_dim %cst_1263, dims = [] : (tensor<f32>) -> tensor<1x1x256x1024xf32>
    %4353 = stablehlo.multiply %4352, %4351 : tensor<1x1x256x1024xf32>
    %4354 = stablehlo.subtract %arg128, %4353 : tensor<1x1x256x1024xf32>
    %4355 = "stablehlo.all_reduce"(%2091) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1024xf32>) -> tensor<1024xf32>
    %cst_1264 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4356 = stablehlo.broadcast_in_dim %cst_1264, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %4357 = stablehlo.divide %4355, %4356 : tensor<1024xf32>
    %cst_1265 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4358 = stablehlo.broadcast_in_dim %cst_1265, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %4359 = stablehlo.multiply %4358, %4357 : tensor<1024xf32>
    %4360 = stablehlo.subtract %arg129, %4359 : tensor<1024xf32>
    %4361 = "stablehlo.all_reduce"(%2084) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1024xf32>) -> tensor<1024xf32>
    %cst_1266 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4362 = stablehlo.broadcast_in_dim %cst_1266, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %4363 = stablehlo.divide %4361, %4362 : tensor<1024xf32>
    %cst_1267 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4364 = stablehlo.broadcast_in_dim %cst_1267, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %4365 = stablehlo.multiply %4364, %4363 : tensor<1024xf32>
    %4366 = stablehlo.subtract %arg130, %4365 : tensor<1024xf32>
    %4367 = "stablehlo.all_reduce"(%2076) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1x1x1024x512xf32>) -> tensor<1x1x1024x512xf32>
    %cst_1268 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4368 = stablehlo.broadcast_in_dim %cst_1268, dims = [] : (tensor<f32>) -> tensor<1x1x1024x512xf32>
    %4369 = stablehlo.divide %4367, %4368 : tensor<1x1x1024x512xf32>
    %cst_1269 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4370 = stablehlo.broadcast_in_dim %cst_1269, dims = [] : (tensor<f32>) -> tensor<1x1x1024x512xf32>
    %4371 = stablehlo.multiply %4370, %4369 : tensor<1x1x1024x512xf32>
    %4372 = stablehlo.subtract %arg131, %4371 : tensor<1x1x1024x512xf32>
    %4373 = "stablehlo.all_reduce"(%2055) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<512xf32>) -> tensor<512xf32>
    %cst_1270 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4374 = stablehlo.broadcast_in_dim %cst_1270, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %4375 = stablehlo.divide %4373, %4374 : tensor<512xf32>
    %cst_1271 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4376 = stablehlo.broadcast_in_dim %cst_1271, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %4377 = stablehlo.multiply %4376, %4375 : tensor<512xf32>
    %4378 = stablehlo.subtract %arg132, %4377 : tensor<512xf32>
    %4379 = "stablehlo.all_reduce"(%2048) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<512xf32>) -> tensor<512xf32>
    %cst_1272 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4380 = stablehlo.broadcast_in_dim %cst_1272, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %4381 = stablehlo.divide %4379, %4380 : tensor<512xf32>
    %cst_1273 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4382 = stablehlo.broadcast_in_dim %cst_1273, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %4383 = stablehlo.multiply %4382, %4381 : tensor<512xf32>
    %4384 = stablehlo.subtract %arg133, %4383 : tensor<512xf32>
    %4385 = "stablehlo.all_reduce"(%2041) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<3x3x512x512xf32>) -> tensor<3x3x512x512xf32>
    %cst_1274 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4386 = stablehlo.broadcast_in_dim %cst_1274, dims = [] : (tensor<f32>) -> tensor<3x3x512x512xf32>
    %4387 = stablehlo.divide %4385, %4386 : tensor<3x3x512x512xf32>
    %cst_1275 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4388 = stablehlo.broadcast_in_dim %cst_1275, dims = [] : (tensor<f32>) -> tensor<3x3x512x512xf32>
    %4389 = stablehlo.multiply %4388, %4387 : tensor<3x3x512x512xf32>
    %4390 = stablehlo.subtract %arg134, %4389 : tensor<3x3x512x512xf32>
    %4391 = "stablehlo.all_reduce"(%2020) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<512xf32>) -> tensor<512xf32>
    %cst_1276 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4392 = stablehlo.broadcast_in_dim %cst_1276, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %4393 = stablehlo.divide %4391, %4392 : tensor<512xf32>
    %cst_1277 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4394 = stablehlo.broadcast_in_dim %cst_1277, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %4395 = stablehlo.multiply %4394, %4393 : tensor<512xf32>
    %4396 = stablehlo.subtract %arg135, %4395 : tensor<512xf32>
    %4397 = "stablehlo.all_reduce"(%2013) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<512xf32>) -> tensor<512xf32>
    %cst_1278 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4398 = stablehlo.broadcast_in_dim %cst_1278, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %4399 = stablehlo.divide %4397, %4398 : tensor<512xf32>
    %cst_1279 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4400 = stablehlo.broadcast_in_dim %cst_1279, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %4401 = stablehlo.multiply %4400, %4399 : tensor<512xf32>
    %4402 = stablehlo.subtract %arg136, %4401 : tensor<512xf32>
    %4403 = "stablehlo.all_reduce"(%2006) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1x1x512x2048xf32>) -> tensor<1x1x512x2048xf32>
    %cst_1280 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4404 = stablehlo.broadcast_in_dim %cst_1280, dims = [] : (tensor<f32>) -> tensor<1x1x512x2048xf32>
    %4405 = stablehlo.divide %4403, %4404 : tensor<1x1x512x2048xf32>
    %cst_1281 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4406 = stablehlo.broadcast_in_dim %cst_1281, dims = [] : (tensor<f32>) -> tensor<1x1x512x2048xf32>
    %4407 = stablehlo.multiply %4406, %4405 : tensor<1x1x512x2048xf32>
    %4408 = stablehlo.subtract %arg137, %4407 : tensor<1x1x512x2048xf32>
    %4409 = "stablehlo.all_reduce"(%1985) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<2048xf32>) -> tensor<2048xf32>
    %cst_1282 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4410 = stablehlo.broadcast_in_dim %cst_1282, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %4411 = stablehlo.divide %4409, %4410 : tensor<2048xf32>
    %cst_1283 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4412 = stablehlo.broadcast_in_dim %cst_1283, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %4413 = stablehlo.multiply %4412, %4411 : tensor<2048xf32>
    %4414 = stablehlo.subtract %arg138, %4413 : tensor<2048xf32>
    %4415 = "stablehlo.all_reduce"(%1978) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<2048xf32>) -> tensor<2048xf32>
    %cst_1284 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4416 = stablehlo.broadcast_in_dim %cst_1284, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %4417 = stablehlo.divide %4415, %4416 : tensor<2048xf32>
    %cst_1285 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4418 = stablehlo.broadcast_in_dim %cst_1285, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %4419 = stablehlo.multiply %4418, %4417 : tensor<2048xf32>
    %4420 = stablehlo.subtract %arg139, %4419 : tensor<2048xf32>
    %4421 = "stablehlo.all_reduce"(%1973) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1x1x1024x2048xf32>) -> tensor<1x1x1024x2048xf32>
    %cst_1286 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4422 = stablehlo.broadcast_in_dim %cst_1286, dims = [] : (tensor<f32>) -> tensor<1x1x1024x2048xf32>
    %4423 = stablehlo.divide %4421, %4422 : tensor<1x1x1024x2048xf32>
    %cst_1287 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4424 = stablehlo.broadcast_in_dim %cst_1287, dims = [] : (tensor<f32>) -> tensor<1x1x1024x2048xf32>
    %4425 = stablehlo.multiply %4424, %4423 : tensor<1x1x1024x2048xf32>
    %4426 = stablehlo.subtract %arg140, %4425 : tensor<1x1x1024x2048xf32>
    %4427 = "stablehlo.all_reduce"(%1952) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<2048xf32>) -> tensor<2048xf32>
    %cst_1288 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4428 = stablehlo.broadcast_in_dim %cst_1288, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %4429 = stablehlo.divide %4427, %4428 : tensor<2048xf32>
    %cst_1289 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4430 = stablehlo.broadcast_in_dim %cst_1289, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %4431 = stablehlo.multiply %4430, %4429 : tensor<2048xf32>
    %4432 = stablehlo.subtract %arg141, %4431 : tensor<2048xf32>
    %4433 = "stablehlo.all_reduce"(%1945) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<2048xf32>) -> tensor<2048xf32>
    %cst_1290 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4434 = stablehlo.broadcast_in_dim %cst_1290, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %4435 = stablehlo.divide %4433, %4434 : tensor<2048xf32>
    %cst_1291 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4436 = stablehlo.broadcast_in_dim %cst_1291, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %4437 = stablehlo.multiply %4436, %4435 : tensor<2048xf32>
    %4438 = stablehlo.subtract %arg142, %4437 : tensor<2048xf32>
    %4439 = "stablehlo.all_reduce"(%1937) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1x1x2048x512xf32>) -> tensor<1x1x2048x512xf32>
    %cst_1292 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4440 = stablehlo.broadcast_in_dim %cst_1292, dims = [] : (tensor<f32>) -> tensor<1x1x2048x512xf32>
    %4441 = stablehlo.divide %4439, %4440 : tensor<1x1x2048x512xf32>
    %cst_1293 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4442 = stablehlo.broadcast_in_dim %cst_1293, dims = [] : (tensor<f32>) -> tensor<1x1x2048x512xf32>
    %4443 = stablehlo.multiply %4442, %4441 : tensor<1x1x2048x512xf32>
    %4444 = stablehlo.subtract %arg143, %4443 : tensor<1x1x2048x512xf32>
    %4445 = "stablehlo.all_reduce"(%1916) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<512xf32>) -> tensor<512xf32>
    %cst_1294 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4446 = stablehlo.broadcast_in_dim %cst_1294, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %4447 = stablehlo.divide %4445, %4446 : tensor<512xf32>
    %cst_1295 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4448 = stablehlo.broadcast_in_dim %cst_1295, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %4449 = stablehlo.multiply %4448, %4447 : tensor<512xf32>
    %4450 = stablehlo.subtract %arg144, %4449 : tensor<512xf32>
    %4451 = "stablehlo.all_reduce"(%1909) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<512xf32>) -> tensor<512xf32>
    %cst_1296 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4452 = stablehlo.broadcast_in_dim %cst_1296, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %4453 = stablehlo.divide %4451, %4452 : tensor<512xf32>
    %cst_1297 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4454 = stablehlo.broadcast_in_dim %cst_1297, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %4455 = stablehlo.multiply %4454, %4453 : tensor<512xf32>
    %4456 = stablehlo.subtract %arg145, %4455 : tensor<512xf32>
    %4457 = "stablehlo.all_reduce"(%1902) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<3x3x512x512xf32>) -> tensor<3x3x512x512xf32>
    %cst_1298 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4458 = stablehlo.broadcast_in_dim %cst_1298, dims = [] : (tensor<f32>) -> tensor<3x3x512x512xf32>
    %4459 = stablehlo.divide %4457, %4458 : tensor<3x3x512x512xf32>
    %cst_1299 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4460 = stablehlo.broadcast_in_dim %cst_1299, dims = [] : (tensor<f32>) -> tensor<3x3x512x512xf32>
    %4461 = stablehlo.multiply %4460, %4459 : tensor<3x3x512x512xf32>
    %4462 = stablehlo.subtract %arg146, %4461 : tensor<3x3x512x512xf32>
    %4463 = "stablehlo.all_reduce"(%1881) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<512xf32>) -> tensor<512xf32>
    %cst_1300 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4464 = stablehlo.broadcast_in_dim %cst_1300, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %4465 = stablehlo.divide %4463, %4464 : tensor<512xf32>
    %cst_1301 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4466 = stablehlo.broadcast_in_dim %cst_1301, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %4467 = stablehlo.multiply %4466, %4465 : tensor<512xf32>
    %4468 = stablehlo.subtract %arg147, %4467 : tensor<512xf32>
    %4469 = "stablehlo.all_reduce"(%1874) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<512xf32>) -> tensor<512xf32>
    %cst_1302 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4470 = stablehlo.broadcast_in_dim %cst_1302, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %4471 = stablehlo.divide %4469, %4470 : tensor<512xf32>
    %cst_1303 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4472 = stablehlo.broadcast_in_dim %cst_1303, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %4473 = stablehlo.multiply %4472, %4471 : tensor<512xf32>
    %4474 = stablehlo.subtract %arg148, %4473 : tensor<512xf32>
    %4475 = "stablehlo.all_reduce"(%1867) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1x1x512x2048xf32>) -> tensor<1x1x512x2048xf32>
    %cst_1304 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4476 = stablehlo.broadcast_in_dim %cst_1304, dims = [] : (tensor<f32>) -> tensor<1x1x512x2048xf32>
    %4477 = stablehlo.divide %4475, %4476 : tensor<1x1x512x2048xf32>
    %cst_1305 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4478 = stablehlo.broadcast_in_dim %cst_1305, dims = [] : (tensor<f32>) -> tensor<1x1x512x2048xf32>
    %4479 = stablehlo.multiply %4478, %4477 : tensor<1x1x512x2048xf32>
    %4480 = stablehlo.subtract %arg149, %4479 : tensor<1x1x512x2048xf32>
    %4481 = "stablehlo.all_reduce"(%1846) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<2048xf32>) -> tensor<2048xf32>
    %cst_1306 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4482 = stablehlo.broadcast_in_dim %cst_1306, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %4483 = stablehlo.divide %4481, %4482 : tensor<2048xf32>
    %cst_1307 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4484 = stablehlo.broadcast_in_dim %cst_1307, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %4485 = stablehlo.multiply %4484, %4483 : tensor<2048xf32>
    %4486 = stablehlo.subtract %arg150, %4485 : tensor<2048xf32>
    %4487 = "stablehlo.all_reduce"(%1839) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<2048xf32>) -> tensor<2048xf32>
    %cst_1308 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4488 = stablehlo.broadcast_in_dim %cst_1308, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %4489 = stablehlo.divide %4487, %4488 : tensor<2048xf32>
    %cst_1309 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4490 = stablehlo.broadcast_in_dim %cst_1309, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %4491 = stablehlo.multiply %4490, %4489 : tensor<2048xf32>
    %4492 = stablehlo.subtract %arg151, %4491 : tensor<2048xf32>
    %4493 = "stablehlo.all_reduce"(%1831) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1x1x2048x512xf32>) -> tensor<1x1x2048x512xf32>
    %cst_1310 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4494 = stablehlo.broadcast_in_dim %cst_1310, dims = [] : (tensor<f32>) -> tensor<1x1x2048x512xf32>
    %4495 = stablehlo.divide %4493, %4494 : tensor<1x1x2048x512xf32>
    %cst_1311 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4496 = stablehlo.broadcast_in_dim %cst_1311, dims = [] : (tensor<f32>) -> tensor<1x1x2048x512xf32>
    %4497 = stablehlo.multiply %4496, %4495 : tensor<1x1x2048x512xf32>
    %4498 = stablehlo.subtract %arg152, %4497 : tensor<1x1x2048x512xf32>
    %4499 = "stablehlo.all_reduce"(%1810) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<512xf32>) -> tensor<512xf32>
    %cst_1312 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4500 = stablehlo.broadcast_in_dim %cst_1312, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %4501 = stablehlo.divide %4499, %4500 : tensor<512xf32>
    %cst_1313 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4502 = stablehlo.broadcast_in_dim %cst_1313, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %4503 = stablehlo.multiply %4502, %4501 : tensor<512xf32>
    %4504 = stablehlo.subtract %arg153, %4503 : tensor<512xf32>
    %4505 = "stablehlo.all_reduce"(%1803) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<512xf32>) -> tensor<512xf32>
    %cst_1314 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4506 = stablehlo.broadcast_in_dim %cst_1314, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %4507 = stablehlo.divide %4505, %4506 : tensor<512xf32>
    %cst_1315 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4508 = stablehlo.broadcast_in_dim %cst_1315, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %4509 = stablehlo.multiply %4508, %4507 : tensor<512xf32>
    %4510 = stablehlo.subtract %arg154, %4509 : tensor<512xf32>
    %4511 = "stablehlo.all_reduce"(%1796) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<3x3x512x512xf32>) -> tensor<3x3x512x512xf32>
    %cst_1316 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4512 = stablehlo.broadcast_in_dim %cst_1316, dims = [] : (tensor<f32>) -> tensor<3x3x512x512xf32>
    %4513 = stablehlo.divide %4511, %4512 : tensor<3x3x512x512xf32>
    %cst_1317 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4514 = stablehlo.broadcast_in_dim %cst_1317, dims = [] : (tensor<f32>) -> tensor<3x3x512x512xf32>
    %4515 = stablehlo.multiply %4514, %4513 : tensor<3x3x512x512xf32>
    %4516 = stablehlo.subtract %arg155, %4515 : tensor<3x3x512x512xf32>
    %4517 = "stablehlo.all_reduce"(%1775) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<512xf32>) -> tensor<512xf32>
    %cst_1318 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4518 = stablehlo.broadcast_in_dim %cst_1318, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %4519 = stablehlo.divide %4517, %4518 : tensor<512xf32>
    %cst_1319 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4520 = stablehlo.broadcast_in_dim %cst_1319, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %4521 = stablehlo.multiply %4520, %4519 : tensor<512xf32>
    %4522 = stablehlo.subtract %arg156, %4521 : tensor<512xf32>
    %4523 = "stablehlo.all_reduce"(%1768) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<512xf32>) -> tensor<512xf32>
    %cst_1320 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4524 = stablehlo.broadcast_in_dim %cst_1320, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %4525 = stablehlo.divide %4523, %4524 : tensor<512xf32>
    %cst_1321 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4526 = stablehlo.broadcast_in_dim %cst_1321, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %4527 = stablehlo.multiply %4526, %4525 : tensor<512xf32>
    %4528 = stablehlo.subtract %arg157, %4527 : tensor<512xf32>
    %4529 = "stablehlo.all_reduce"(%1761) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1x1x512x2048xf32>) -> tensor<1x1x512x2048xf32>
    %cst_1322 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4530 = stablehlo.broadcast_in_dim %cst_1322, dims = [] : (tensor<f32>) -> tensor<1x1x512x2048xf32>
    %4531 = stablehlo.divide %4529, %4530 : tensor<1x1x512x2048xf32>
    %cst_1323 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4532 = stablehlo.broadcast_in_dim %cst_1323, dims = [] : (tensor<f32>) -> tensor<1x1x512x2048xf32>
    %4533 = stablehlo.multiply %4532, %4531 : tensor<1x1x512x2048xf32>
    %4534 = stablehlo.subtract %arg158, %4533 : tensor<1x1x512x2048xf32>
    %4535 = "stablehlo.all_reduce"(%1740) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<2048xf32>) -> tensor<2048xf32>
    %cst_1324 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4536 = stablehlo.broadcast_in_dim %cst_1324, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %4537 = stablehlo.divide %4535, %4536 : tensor<2048xf32>
    %cst_1325 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4538 = stablehlo.broadcast_in_dim %cst_1325, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %4539 = stablehlo.multiply %4538, %4537 : tensor<2048xf32>
    %4540 = stablehlo.subtract %arg159, %4539 : tensor<2048xf32>
    %4541 = "stablehlo.all_reduce"(%1733) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<2048xf32>) -> tensor<2048xf32>
    %cst_1326 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4542 = stablehlo.broadcast_in_dim %cst_1326, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %4543 = stablehlo.divide %4541, %4542 : tensor<2048xf32>
    %cst_1327 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4544 = stablehlo.broadcast_in_dim %cst_1327, dims = [] : (tensor<f32>) -> tensor<2048xf32>
    %4545 = stablehlo.multiply %4544, %4543 : tensor<2048xf32>
    %4546 = stablehlo.subtract %arg160, %4545 : tensor<2048xf32>
    %4547 = "stablehlo.all_reduce"(%1724) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<2048x1000xf32>) -> tensor<2048x1000xf32>
    %cst_1328 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4548 = stablehlo.broadcast_in_dim %cst_1328, dims = [] : (tensor<f32>) -> tensor<2048x1000xf32>
    %4549 = stablehlo.divide %4547, %4548 : tensor<2048x1000xf32>
    %cst_1329 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4550 = stablehlo.broadcast_in_dim %cst_1329, dims = [] : (tensor<f32>) -> tensor<2048x1000xf32>
    %4551 = stablehlo.multiply %4550, %4549 : tensor<2048x1000xf32>
    %4552 = stablehlo.subtract %arg161, %4551 : tensor<2048x1000xf32>
    %4553 = "stablehlo.all_reduce"(%1722) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<1000xf32>) -> tensor<1000xf32>
    %cst_1330 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4554 = stablehlo.broadcast_in_dim %cst_1330, dims = [] : (tensor<f32>) -> tensor<1000xf32>
    %4555 = stablehlo.divide %4553, %4554 : tensor<1000xf32>
    %cst_1331 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4556 = stablehlo.broadcast_in_dim %cst_1331, dims = [] : (tensor<f32>) -> tensor<1000xf32>
    %4557 = stablehlo.multiply %4556, %4555 : tensor<1000xf32>
    %4558 = stablehlo.subtract %arg162, %4557 : tensor<1000xf32>
    %4559 = "stablehlo.all_reduce"(%1714) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg163: tensor<f32>, %arg164: tensor<f32>):
      %4561 = stablehlo.add %arg163, %arg164 : tensor<f32>
      stablehlo.return %4561 : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    %cst_1332 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4560 = stablehlo.divide %4559, %cst_1332 : tensor<f32>
    return %3598, %3604, %3610, %3616, %3622, %3628, %3634, %3640, %3646, %3652, %3658, %3664, %3670, %3676, %3682, %3688, %3694, %3700, %3706, %3712, %3718, %3724, %3730, %3736, %3742, %3748, %3754, %3760, %3766, %3772, %3778, %3784, %3790, %3796, %3802, %3808, %3814, %3820, %3826, %3832, %3838, %3844, %3850, %3856, %3862, %3868, %3874, %3880, %3886, %3892, %3898, %3904, %3910, %3916, %3922, %3928, %3934, %3940, %3946, %3952, %3958, %3964, %3970, %3976, %3982, %3988, %3994, %4000, %4006, %4012, %4018, %4024, %4030, %4036, %4042, %4048, %4054, %4060, %4066, %4072, %4078, %4084, %4090, %4096, %4102, %4108, %4114, %4120, %4126, %4132, %4138, %4144, %4150, %4156, %4162, %4168, %4174, %4180, %4186, %4192, %4198, %4204, %4210, %4216, %4222, %4228, %4234, %4240, %4246, %4252, %4258, %4264, %4270, %4276, %4282, %4288, %4294, %4300, %4306, %4312, %4318, %4324, %4330, %4336, %4342, %4348, %4354, %4360, %4366, %4372, %4378, %4384, %4390, %4396, %4402, %4408, %4414, %4420, %4426, %4432, %4438, %4444, %4450, %4456, %4462, %4468, %4474, %4480, %4486, %4492, %4498, %4504, %4510, %4516, %4522, %4528, %4534, %4540, %4546, %4552, %4558, %4560 : tensor<7x7x3x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<1x1x64x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<3x3x64x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<1x1x64x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x64x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<3x3x64x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<1x1x64x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<3x3x64x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<1x1x64x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<3x3x128x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<1x1x128x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x256x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x512x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<3x3x128x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<1x1x128x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x512x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<3x3x128x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<1x1x128x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x512x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<3x3x128x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<1x1x128x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x512x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<3x3x256x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1x1x512x1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1x1x1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<3x3x256x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1x1x1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<3x3x256x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1x1x1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<3x3x256x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1x1x1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<3x3x256x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1x1x1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<3x3x256x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1x1x1024x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<3x3x512x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x512x2048xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<1x1x1024x2048xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<1x1x2048x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<3x3x512x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x512x2048xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<1x1x2048x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<3x3x512x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x512x2048xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<2048x1000xf32>, tensor<1000xf32>, tensor<f32>
  }
  func.func private @relu(%arg0: tensor<64x112x112x64xf32>) -> tensor<64x112x112x64xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x112x112x64xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<64x112x112x64xf32>
    return %1 : tensor<64x112x112x64xf32>
  }
  func.func private @relu_0(%arg0: tensor<64x56x56x64xf32>) -> tensor<64x56x56x64xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x56x56x64xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<64x56x56x64xf32>
    return %1 : tensor<64x56x56x64xf32>
  }
  func.func private @relu_1(%arg0: tensor<64x56x56x256xf32>) -> tensor<64x56x56x256xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x56x56x256xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<64x56x56x256xf32>
    return %1 : tensor<64x56x56x256xf32>
  }
  func.func private @relu_2(%arg0: tensor<64x56x56x128xf32>) -> tensor<64x56x56x128xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x56x56x128xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<64x56x56x128xf32>
    return %1 : tensor<64x56x56x128xf32>
  }
  func.func private @relu_3(%arg0: tensor<64x28x28x128xf32>) -> tensor<64x28x28x128xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<64x28x28x128xf32>
    return %1 : tensor<64x28x28x128xf32>
  }
  func.func private @relu_4(%arg0: tensor<64x28x28x512xf32>) -> tensor<64x28x28x512xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x28x28x512xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<64x28x28x512xf32>
    return %1 : tensor<64x28x28x512xf32>
  }
  func.func private @relu_5(%arg0: tensor<64x28x28x256xf32>) -> tensor<64x28x28x256xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x28x28x256xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<64x28x28x256xf32>
    return %1 : tensor<64x28x28x256xf32>
  }
  func.func private @relu_6(%arg0: tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<64x14x14x256xf32>
    return %1 : tensor<64x14x14x256xf32>
  }
  func.func private @relu_7(%arg0: tensor<64x14x14x1024xf32>) -> tensor<64x14x14x1024xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<64x14x14x1024xf32>
    return %1 : tensor<64x14x14x1024xf32>
  }
  func.func private @relu_8(%arg0: tensor<64x14x14x512xf32>) -> tensor<64x14x14x512xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x14x14x512xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<64x14x14x512xf32>
    return %1 : tensor<64x14x14x512xf32>
  }
  func.func private @relu_9(%arg0: tensor<64x7x7x512xf32>) -> tensor<64x7x7x512xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x7x7x512xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<64x7x7x512xf32>
    return %1 : tensor<64x7x7x512xf32>
  }
  func.func private @relu_10(%arg0: tensor<64x7x7x2048xf32>) -> tensor<64x7x7x2048xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x7x7x2048xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<64x7x7x2048xf32>
    return %1 : tensor<64x7x7x2048xf32>
  }
  func.func private @log_softmax(%arg0: tensor<64x1000xf32>) -> (tensor<64x1000xf32>, tensor<64x1000xf32>, tensor<64x1xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<64x1000xf32>, tensor<f32>) -> tensor<64xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<64xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<64xf32>) -> tensor<64x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<64x1xf32>) -> tensor<64x1000xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<64x1000xf32>
    %6 = stablehlo.exponential %5 : tensor<64x1000xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<64x1000xf32>, tensor<f32>) -> tensor<64xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<64xf32>) -> tensor<64x1xf32>
    %9 = stablehlo.log %8 : tensor<64x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<64x1xf32>) -> tensor<64x1000xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<64x1000xf32>
    return %11, %6, %8 : tensor<64x1000xf32>, tensor<64x1000xf32>, tensor<64x1xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<64x1000xf32>, %arg1: tensor<64x1xi32>) -> (tensor<64x1xf32>, tensor<64x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<64x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<64x1xi32>, tensor<64x1xi32>) -> tensor<64x1xi1>
    %c_0 = stablehlo.constant dense<1000> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<64x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<64x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<64x1xi1>, tensor<64x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<64x1xi32>) -> tensor<64x1x1xi32>
    %c_1 = stablehlo.constant dense<999> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<64x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<64x1x1xi32>, tensor<64x1x1xi32>) -> tensor<64x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<64x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<64x1x1xi32>, tensor<64x1x1xi32>) -> tensor<64x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<64x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<64x1x1xi1>, tensor<i1>) -> tensor<64x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<64x1000xf32>, tensor<64x1x1xi32>) -> tensor<64x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<64x1xi1>, tensor<64x1xf32>
    return %15, %5 : tensor<64x1xf32>, tensor<64x1x1xi32>
  }
  func.func private @take_along_axis_11(%arg0: tensor<64x1x1xi32>, %arg1: tensor<64x1xf32>) -> tensor<64x1000xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x1000xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<64x1000xf32>, tensor<64x1x1xi32>, tensor<64x1xf32>) -> tensor<64x1000xf32>
    return %1 : tensor<64x1000xf32>
  }
  func.func private @log_softmax_12(%arg0: tensor<64x1000xf32>, %arg1: tensor<64x1xf32>, %arg2: tensor<64x1000xf32>) -> tensor<64x1000xf32> {
    %0 = stablehlo.negate %arg2 : tensor<64x1000xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<64x1000xf32>, tensor<f32>) -> tensor<64xf32>
    %2 = stablehlo.reshape %1 : (tensor<64xf32>) -> tensor<64x1xf32>
    %3 = stablehlo.divide %2, %arg1 : tensor<64x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<64x1xf32>, tensor<f32>) -> tensor<64xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<64xf32>) -> tensor<64x1000xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<64x1000xf32>
    %7 = stablehlo.add %arg2, %6 : tensor<64x1000xf32>
    return %7 : tensor<64x1000xf32>
  }
}
