module @jit__lambda attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}]}}
  sdy.mesh @mesh_0 = <["x"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<128x224x224x3xf32>, %arg1: tensor<128xi32>, %arg2: tensor<7x7x3x64xf32>, %arg3: tensor<64xf32>, %arg4: tensor<64xf32>, %arg5: tensor<1x1x64x64xf32>, %arg6: tensor<64xf32>, %arg7: tensor<64xf32>, %arg8: tensor<3x3x64x64xf32>, %arg9: tensor<64xf32>, %arg10: tensor<64xf32>, %arg11: tensor<1x1x64x256xf32>, %arg12: tensor<256xf32>, %arg13: tensor<256xf32>, %arg14: tensor<1x1x64x256xf32>, %arg15: tensor<256xf32>, %arg16: tensor<256xf32>, %arg17: tensor<1x1x256x64xf32>, %arg18: tensor<64xf32>, %arg19: tensor<64xf32>, %arg20: tensor<3x3x64x64xf32>, %arg21: tensor<64xf32>, %arg22: tensor<64xf32>, %arg23: tensor<1x1x64x256xf32>, %arg24: tensor<256xf32>, %arg25: tensor<256xf32>, %arg26: tensor<1x1x256x64xf32>, %arg27: tensor<64xf32>, %arg28: tensor<64xf32>, %arg29: tensor<3x3x64x64xf32>, %arg30: tensor<64xf32>, %arg31: tensor<64xf32>, %arg32: tensor<1x1x64x256xf32>, %arg33: tensor<256xf32>, %arg34: tensor<256xf32>, %arg35: tensor<1x1x256x128xf32>, %arg36: tensor<128xf32>, %arg37: tensor<128xf32>, %arg38: tensor<3x3x128x128xf32>, %arg39: tensor<128xf32>, %arg40: tensor<128xf32>, %arg41: tensor<1x1x128x512xf32>, %arg42: tensor<512xf32>, %arg43: tensor<512xf32>, %arg44: tensor<1x1x256x512xf32>, %arg45: tensor<512xf32>, %arg46: tensor<512xf32>, %arg47: tensor<1x1x512x128xf32>, %arg48: tensor<128xf32>, %arg49: tensor<128xf32>, %arg50: tensor<3x3x128x128xf32>, %arg51: tensor<128xf32>, %arg52: tensor<128xf32>, %arg53: tensor<1x1x128x512xf32>, %arg54: tensor<512xf32>, %arg55: tensor<512xf32>, %arg56: tensor<1x1x512x128xf32>, %arg57: tensor<128xf32>, %arg58: tensor<128xf32>, %arg59: tensor<3x3x128x128xf32>, %arg60: tensor<128xf32>, %arg61: tensor<128xf32>, %arg62: tensor<1x1x128x512xf32>, %arg63: tensor<512xf32>, %arg64: tensor<512xf32>, %arg65: tensor<1x1x512x128xf32>, %arg66: tensor<128xf32>, %arg67: tensor<128xf32>, %arg68: tensor<3x3x128x128xf32>, %arg69: tensor<128xf32>, %arg70: tensor<128xf32>, %arg71: tensor<1x1x128x512xf32>, %arg72: tensor<512xf32>, %arg73: tensor<512xf32>, %arg74: tensor<1x1x512x256xf32>, %arg75: tensor<256xf32>, %arg76: tensor<256xf32>, %arg77: tensor<3x3x256x256xf32>, %arg78: tensor<256xf32>, %arg79: tensor<256xf32>, %arg80: tensor<1x1x256x1024xf32>, %arg81: tensor<1024xf32>, %arg82: tensor<1024xf32>, %arg83: tensor<1x1x512x1024xf32>, %arg84: tensor<1024xf32>, %arg85: tensor<1024xf32>, %arg86: tensor<1x1x1024x256xf32>, %arg87: tensor<256xf32>, %arg88: tensor<256xf32>, %arg89: tensor<3x3x256x256xf32>, %arg90: tensor<256xf32>, %arg91: tensor<256xf32>, %arg92: tensor<1x1x256x1024xf32>, %arg93: tensor<1024xf32>, %arg94: tensor<1024xf32>, %arg95: tensor<1x1x1024x256xf32>, %arg96: tensor<256xf32>, %arg97: tensor<256xf32>, %arg98: tensor<3x3x256x256xf32>, %arg99: tensor<256xf32>, %arg100: tensor<256xf32>, %arg101: tensor<1x1x256x1024xf32>, %arg102: tensor<1024xf32>, %arg103: tensor<1024xf32>, %arg104: tensor<1x1x1024x256xf32>, %arg105: tensor<256xf32>, %arg106: tensor<256xf32>, %arg107: tensor<3x3x256x256xf32>, %arg108: tensor<256xf32>, %arg109: tensor<256xf32>, %arg110: tensor<1x1x256x1024xf32>, %arg111: tensor<1024xf32>, %arg112: tensor<1024xf32>, %arg113: tensor<1x1x1024x256xf32>, %arg114: tensor<256xf32>, %arg115: tensor<256xf32>, %arg116: tensor<3x3x256x256xf32>, %arg117: tensor<256xf32>, %arg118: tensor<256xf32>, %arg119: tensor<1x1x256x1024xf32>, %arg120: tensor<1024xf32>, %arg121: tensor<1024xf32>, %arg122: tensor<1x1x1024x256xf32>, %arg123: tensor<256xf32>, %arg124: tensor<256xf32>, %arg125: tensor<3x3x256x256xf32>, %arg126: tensor<256xf32>, %arg127: tensor<256xf32>, %arg128: tensor<1x1x256x1024xf32>, %arg129: tensor<1024xf32>, %arg130: tensor<1024xf32>, %arg131: tensor<1x1x1024x512xf32>, %arg132: tensor<512xf32>, %arg133: tensor<512xf32>, %arg134: tensor<3x3x512x512xf32>, %arg135: tensor<512xf32>, %arg136: tensor<512xf32>, %arg137: tensor<1x1x512x2048xf32>, %arg138: tensor<2048xf32>, %arg139: tensor<2048xf32>, %arg140: tensor<1x1x1024x2048xf32>, %arg141: tensor<2048xf32>, %arg142: tensor<2048xf32>, %arg143: tensor<1x1x2048x512xf32>, %arg144: tensor<512xf32>, %arg145: tensor<512xf32>, %arg146: tensor<3x3x512x512xf32>, %arg147: tensor<512xf32>, %arg148: tensor<512xf32>, %arg149: tensor<1x1x512x2048xf32>, %arg150: tensor<2048xf32>, %arg151: tensor<2048xf32>, %arg152: tensor<1x1x2048x512xf32>, %arg153: tensor<512xf32>, %arg154: tensor<512xf32>, %arg155: tensor<3x3x512x512xf32>, %arg156: tensor<512xf32>, %arg157: tensor<512xf32>, %arg158: tensor<1x1x512x2048xf32>, %arg159: tensor<2048xf32>, %arg160: tensor<2048xf32>, %arg161: tensor<2048x1000xf32>, %arg162: tensor<1000xf32>) -> (tensor<7x7x3x64xf32> {jax.result_info = "result[0]"}, tensor<64xf32> {jax.result_info = "result[1]"}, tensor<64xf32> {jax.result_info = "result[2]"}, tensor<1x1x64x64xf32> {jax.result_info = "result[3]"}, tensor<64xf32> {jax.result_info = "result[4]"}, tensor<64xf32> {jax.result_info = "result[5]"}, tensor<3x3x64x64xf32> {jax.result_info = "result[6]"}, tensor<64xf32> {jax.result_info = "result[7]"}, tensor<64xf32> {jax.result_info = "result[8]"}, tensor<1x1x64x256xf32> {jax.result_info = "result[9]"}, tensor<256xf32> {jax.result_info = "result[10]"}, tensor<256xf32> {jax.result_info = "result[11]"}, tensor<1x1x64x256xf32> {jax.result_info = "result[12]"}, tensor<256xf32> {jax.result_info = "result[13]"}, tensor<256xf32> {jax.result_info = "result[14]"}, tensor<1x1x256x64xf32> {jax.result_info = "result[15]"}, tensor<64xf32> {jax.result_info = "result[16]"}, tensor<64xf32> {jax.result_info = "result[17]"}, tensor<3x3x64x64xf32> {jax.result_info = "result[18]"}, tensor<64xf32> {jax.result_info = "result[19]"}, tensor<64xf32> {jax.result_info = "result[20]"}, tensor<1x1x64x256xf32> {jax.result_info = "result[21]"}, tensor<256xf32> {jax.result_info = "result[22]"}, tensor<256xf32> {jax.result_info = "result[23]"}, tensor<1x1x256x64xf32> {jax.result_info = "result[24]"}, tensor<64xf32> {jax.result_info = "result[25]"}, tensor<64xf32> {jax.result_info = "result[26]"}, tensor<3x3x64x64xf32> {jax.result_info = "result[27]"}, tensor<64xf32> {jax.result_info = "result[28]"}, tensor<64xf32> {jax.result_info = "result[29]"}, tensor<1x1x64x256xf32> {jax.result_info = "result[30]"}, tensor<256xf32> {jax.result_info = "result[31]"}, tensor<256xf32> {jax.result_info = "result[32]"}, tensor<1x1x256x128xf32> {jax.result_info = "result[33]"}, tensor<128xf32> {jax.result_info = "result[34]"}, tensor<128xf32> {jax.result_info = "result[35]"}, tensor<3x3x128x128xf32> {jax.result_info = "result[36]"}, tensor<128xf32> {jax.result_info = "result[37]"}, tensor<128xf32> {jax.result_info = "result[38]"}, tensor<1x1x128x512xf32> {jax.result_info = "result[39]"}, tensor<512xf32> {jax.result_info = "result[40]"}, tensor<512xf32> {jax.result_info = "result[41]"}, tensor<1x1x256x512xf32> {jax.result_info = "result[42]"}, tensor<512xf32> {jax.result_info = "result[43]"}, tensor<512xf32> {jax.result_info = "result[44]"}, tensor<1x1x512x128xf32> {jax.result_info = "result[45]"}, tensor<128xf32> {jax.result_info = "result[46]"}, tensor<128xf32> {jax.result_info = "result[47]"}, tensor<3x3x128x128xf32> {jax.result_info = "result[48]"}, tensor<128xf32> {jax.result_info = "result[49]"}, tensor<128xf32> {jax.result_info = "result[50]"}, tensor<1x1x128x512xf32> {jax.result_info = "result[51]"}, tensor<512xf32> {jax.result_info = "result[52]"}, tensor<512xf32> {jax.result_info = "result[53]"}, tensor<1x1x512x128xf32> {jax.result_info = "result[54]"}, tensor<128xf32> {jax.result_info = "result[55]"}, tensor<128xf32> {jax.result_info = "result[56]"}, tensor<3x3x128x128xf32> {jax.result_info = "result[57]"}, tensor<128xf32> {jax.result_info = "result[58]"}, tensor<128xf32> {jax.result_info = "result[59]"}, tensor<1x1x128x512xf32> {jax.result_info = "result[60]"}, tensor<512xf32> {jax.result_info = "result[61]"}, tensor<512xf32> {jax.result_info = "result[62]"}, tensor<1x1x512x128xf32> {jax.result_info = "result[63]"}, tensor<128xf32> {jax.result_info = "result[64]"}, tensor<128xf32> {jax.result_info = "result[65]"}, tensor<3x3x128x128xf32> {jax.result_info = "result[66]"}, tensor<128xf32> {jax.result_info = "result[67]"}, tensor<128xf32> {jax.result_info = "result[68]"}, tensor<1x1x128x512xf32> {jax.result_info = "result[69]"}, tensor<512xf32> {jax.result_info = "result[70]"}, tensor<512xf32> {jax.result_info = "result[71]"}, tensor<1x1x512x256xf32> {jax.result_info = "result[72]"}, tensor<256xf32> {jax.result_info = "result[73]"}, tensor<256xf32> {jax.result_info = "result[74]"}, tensor<3x3x256x256xf32> {jax.result_info = "result[75]"}, tensor<256xf32> {jax.result_info = "result[76]"}, tensor<256xf32> {jax.result_info = "result[77]"}, tensor<1x1x256x1024xf32> {jax.result_info = "result[78]"}, tensor<1024xf32> {jax.result_info = "result[79]"}, tensor<1024xf32> {jax.result_info = "result[80]"}, tensor<1x1x512x1024xf32> {jax.result_info = "result[81]"}, tensor<1024xf32> {jax.result_info = "result[82]"}, tensor<1024xf32> {jax.result_info = "result[83]"}, tensor<1x1x1024x256xf32> {jax.result_info = "result[84]"}, tensor<256xf32> {jax.result_info = "result[85]"}, tensor<256xf32> {jax.result_info = "result[86]"}, tensor<3x3x256x256xf32> {jax.result_info = "result[87]"}, tensor<256xf32> {jax.result_info = "result[88]"}, tensor<256xf32> {jax.result_info = "result[89]"}, tensor<1x1x256x1024xf32> {jax.result_info = "result[90]"}, tensor<1024xf32> {jax.result_info = "result[91]"}, tensor<1024xf32> {jax.result_info = "result[92]"}, tensor<1x1x1024x256xf32> {jax.result_info = "result[93]"}, tensor<256xf32> {jax.result_info = "result[94]"}, tensor<256xf32> {jax.result_info = "result[95]"}, tensor<3x3x256x256xf32> {jax.result_info = "result[96]"}, tensor<256xf32> {jax.result_info = "result[97]"}, tensor<256xf32> {jax.result_info = "result[98]"}, tensor<1x1x256x1024xf32> {jax.result_info = "result[99]"}, tensor<1024xf32> {jax.result_info = "result[100]"}, tensor<1024xf32> {jax.result_info = "result[101]"}, tensor<1x1x1024x256xf32> {jax.result_info = "result[102]"}, tensor<256xf32> {jax.result_info = "result[103]"}, tensor<256xf32> {jax.result_info = "result[104]"}, tensor<3x3x256x256xf32> {jax.result_info = "result[105]"}, tensor<256xf32> {jax.result_info = "result[106]"}, tensor<256xf32> {jax.result_info = "result[107]"}, tensor<1x1x256x1024xf32> {jax.result_info = "result[108]"}, tensor<1024xf32> {jax.result_info = "result[109]"}, tensor<1024xf32> {jax.result_info = "result[110]"}, tensor<1x1x1024x256xf32> {jax.result_info = "result[111]"}, tensor<256xf32> {jax.result_info = "result[112]"}, tensor<256xf32> {jax.result_info = "result[113]"}, tensor<3x3x256x256xf32> {jax.result_info = "result[114]"}, tensor<256xf32> {jax.result_info = "result[115]"}, tensor<256xf32> {jax.result_info = "result[116]"}, tensor<1x1x256x1024xf32> {jax.result_info = "result[117]"}, tensor<1024xf32> {jax.result_info = "result[118]"}, tensor<1024xf32> {jax.result_info = "result[119]"}, tensor<1x1x1024x256xf32> {jax.result_info = "result[120]"}, tensor<256xf32> {jax.result_info = "result[121]"}, tensor<256xf32> {jax.result_info = "result[122]"}, tensor<3x3x256x256xf32> {jax.result_info = "result[123]"}, tensor<256xf32> {jax.result_info = "result[124]"}, tensor<256xf32> {jax.result_info = "result[125]"}, tensor<1x1x256x1024xf32> {jax.result_info = "result[126]"}, tensor<1024xf32> {jax.result_info = "result[127]"}, tensor<1024xf32> {jax.result_info = "result[128]"}, tensor<1x1x1024x512xf32> {jax.result_info = "result[129]"}, tensor<512xf32> {jax.result_info = "result[130]"}, tensor<512xf32> {jax.result_info = "result[131]"}, tensor<3x3x512x512xf32> {jax.result_info = "result[132]"}, tensor<512xf32> {jax.result_info = "result[133]"}, tensor<512xf32> {jax.result_info = "result[134]"}, tensor<1x1x512x2048xf32> {jax.result_info = "result[135]"}, tensor<2048xf32> {jax.result_info = "result[136]"}, tensor<2048xf32> {jax.result_info = "result[137]"}, tensor<1x1x1024x2048xf32> {jax.result_info = "result[138]"}, tensor<2048xf32> {jax.result_info = "result[139]"}, tensor<2048xf32> {jax.result_info = "result[140]"}, tensor<1x1x2048x512xf32> {jax.result_info = "result[141]"}, tensor<512xf32> {jax.result_info = "result[142]"}, tensor<512xf32> {jax.result_info = "result[143]"}, tensor<3x3x512x512xf32> {jax.result_info = "result[144]"}, tensor<512xf32> {jax.result_info = "result[145]"}, tensor<512xf32> {jax.result_info = "result[146]"}, tensor<1x1x512x2048xf32> {jax.result_info = "result[147]"}, tensor<2048xf32> {jax.result_info = "result[148]"}, tensor<2048xf32> {jax.result_info = "result[149]"}, tensor<1x1x2048x512xf32> {jax.result_info = "result[150]"}, tensor<512xf32> {jax.result_info = "result[151]"}, tensor<512xf32> {jax.result_info = "result[152]"}, tensor<3x3x512x512xf32> {jax.result_info = "result[153]"}, tensor<512xf32> {jax.result_info = "result[154]"}, tensor<512xf32> {jax.result_info = "result[155]"}, tensor<1x1x512x2048xf32> {jax.result_info = "result[156]"}, tensor<2048xf32> {jax.result_info = "result[157]"}, tensor<2048xf32> {jax.result_info = "result[158]"}, tensor<2048x1000xf32> {jax.result_info = "result[159]"}, tensor<1000xf32> {jax.result_info = "result[160]"}, tensor<f32> {jax.result_info = "result[161]"}) {
    %0:162 = sdy.manual_computation(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8, %arg9, %arg10, %arg11, %arg12, %arg13, %arg14, %arg15, %arg16, %arg17, %arg18, %arg19, %arg20, %arg21, %arg22, %arg23, %arg24, %arg25, %arg26, %arg27, %arg28, %arg29, %arg30, %arg31, %arg32, %arg33, %arg34, %arg35, %arg36, %arg37, %arg38, %arg39, %arg40, %arg41, %arg42, %arg43, %arg44, %arg45, %arg46, %arg47, %arg48, %arg49, %arg50, %arg51, %arg52, %arg53, %arg54, %arg55, %arg56, %arg57, %arg58, %arg59, %arg60, %arg61, %arg62, %arg63, %arg64, %arg65, %arg66, %arg67, %arg68, %arg69, %arg70, %arg71, %arg72, %arg73, %arg74, %arg75, %arg76, %arg77, %arg78, %arg79, %arg80, %arg81, %arg82, %arg83, %arg84, %arg85, %arg86, %arg87, %arg88, %arg89, %arg90, %arg91, %arg92, %arg93, %arg94, %arg95, %arg96, %arg97, %arg98, %arg99, %arg100, %arg101, %arg102, %arg103, %arg104, %arg105, %arg106, %arg107, %arg108, %arg109, %arg110, %arg111, %arg112, %arg113, %arg114, %arg115, %arg116, %arg117, %arg118, %arg119, %arg120, %arg121, %arg122, %arg123, %arg124, %arg125, %arg126, %arg127, %arg128, %arg129, %arg130, %arg131, %arg132, %arg133, %arg134, %arg135, %arg136, %arg137, %arg138, %arg139, %arg140, %arg141, %arg142, %arg143, %arg144, %arg145, %arg146, %arg147, %arg148, %arg149, %arg150, %arg151, %arg152, %arg153, %arg154, %arg155, %arg156, %arg157, %arg158, %arg159, %arg160, %arg161, %arg162) in_shardings=[<@mesh, [{"x"}, {}, {}, {}]>, <@mesh, [{"x"}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}]>, <@mesh, [{}]>] out_shardings=[<@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}]>, <@mesh, [{}, {}]>, <@mesh, [{}]>, <@mesh, []>] manual_axes={"x"} (%arg163: tensor<64x224x224x3xf32>, %arg164: tensor<64xi32>, %arg165: tensor<7x7x3x64xf32>, %arg166: tensor<64xf32>, %arg167: tensor<64xf32>, %arg168: tensor<1x1x64x64xf32>, %arg169: tensor<64xf32>, %arg170: tensor<64xf32>, %arg171: tensor<3x3x64x64xf32>, %arg172: tensor<64xf32>, %arg173: tensor<64xf32>, %arg174: tensor<1x1x64x256xf32>, %arg175: tensor<256xf32>, %arg176: tensor<256xf32>, %arg177: tensor<1x1x64x256xf32>, %arg178: tensor<256xf32>, %arg179: tensor<256xf32>, %arg180: tensor<1x1x256x64xf32>, %arg181: tensor<64xf32>, %arg182: tensor<64xf32>, %arg183: tensor<3x3x64x64xf32>, %arg184: tensor<64xf32>, %arg185: tensor<64xf32>, %arg186: tensor<1x1x64x256xf32>, %arg187: tensor<256xf32>, %arg188: tensor<256xf32>, %arg189: tensor<1x1x256x64xf32>, %arg190: tensor<64xf32>, %arg191: tensor<64xf32>, %arg192: tensor<3x3x64x64xf32>, %arg193: tensor<64xf32>, %arg194: tensor<64xf32>, %arg195: tensor<1x1x64x256xf32>, %arg196: tensor<256xf32>, %arg197: tensor<256xf32>, %arg198: tensor<1x1x256x128xf32>, %arg199: tensor<128xf32>, %arg200: tensor<128xf32>, %arg201: tensor<3x3x128x128xf32>, %arg202: tensor<128xf32>, %arg203: tensor<128xf32>, %arg204: tensor<1x1x128x512xf32>, %arg205: tensor<512xf32>, %arg206: tensor<512xf32>, %arg207: tensor<1x1x256x512xf32>, %arg208: tensor<512xf32>, %arg209: tensor<512xf32>, %arg210: tensor<1x1x512x128xf32>, %arg211: tensor<128xf32>, %arg212: tensor<128xf32>, %arg213: tensor<3x3x128x128xf32>, %arg214: tensor<128xf32>, %arg215: tensor<128xf32>, %arg216: tensor<1x1x128x512xf32>, %arg217: tensor<512xf32>, %arg218: tensor<512xf32>, %arg219: tensor<1x1x512x128xf32>, %arg220: tensor<128xf32>, %arg221: tensor<128xf32>, %arg222: tensor<3x3x128x128xf32>, %arg223: tensor<128xf32>, %arg224: tensor<128xf32>, %arg225: tensor<1x1x128x512xf32>, %arg226: tensor<512xf32>, %arg227: tensor<512xf32>, %arg228: tensor<1x1x512x128xf32>, %arg229: tensor<128xf32>, %arg230: tensor<128xf32>, %arg231: tensor<3x3x128x128xf32>, %arg232: tensor<128xf32>, %arg233: tensor<128xf32>, %arg234: tensor<1x1x128x512xf32>, %arg235: tensor<512xf32>, %arg236: tensor<512xf32>, %arg237: tensor<1x1x512x256xf32>, %arg238: tensor<256xf32>, %arg239: tensor<256xf32>, %arg240: tensor<3x3x256x256xf32>, %arg241: tensor<256xf32>, %arg242: tensor<256xf32>, %arg243: tensor<1x1x256x1024xf32>, %arg244: tensor<1024xf32>, %arg245: tensor<1024xf32>, %arg246: tensor<1x1x512x1024xf32>, %arg247: tensor<1024xf32>, %arg248: tensor<1024xf32>, %arg249: tensor<1x1x1024x256xf32>, %arg250: tensor<256xf32>, %arg251: tensor<256xf32>, %arg252: tensor<3x3x256x256xf32>, %arg253: tensor<256xf32>, %arg254: tensor<256xf32>, %arg255: tensor<1x1x256x1024xf32>, %arg256: tensor<1024xf32>, %arg257: tensor<1024xf32>, %arg258: tensor<1x1x1024x256xf32>, %arg259: tensor<256xf32>, %arg260: tensor<256xf32>, %arg261: tensor<3x3x256x256xf32>, %arg262: tensor<256xf32>, %arg263: tensor<256xf32>, %arg264: tensor<1x1x256x1024xf32>, %arg265: tensor<1024xf32>, %arg266: tensor<1024xf32>, %arg267: tensor<1x1x1024x256xf32>, %arg268: tensor<256xf32>, %arg269: tensor<256xf32>, %arg270: tensor<3x3x256x256xf32>, %arg271: tensor<256xf32>, %arg272: tensor<256xf32>, %arg273: tensor<1x1x256x1024xf32>, %arg274: tensor<1024xf32>, %arg275: tensor<1024xf32>, %arg276: tensor<1x1x1024x256xf32>, %arg277: tensor<256xf32>, %arg278: tensor<256xf32>, %arg279: tensor<3x3x256x256xf32>, %arg280: tensor<256xf32>, %arg281: tensor<256xf32>, %arg282: tensor<1x1x256x1024xf32>, %arg283: tensor<1024xf32>, %arg284: tensor<1024xf32>, %arg285: tensor<1x1x1024x256xf32>, %arg286: tensor<256xf32>, %arg287: tensor<256xf32>, %arg288: tensor<3x3x256x256xf32>, %arg289: tensor<256xf32>, %arg290: tensor<256xf32>, %arg291: tensor<1x1x256x1024xf32>, %arg292: tensor<1024xf32>, %arg293: tensor<1024xf32>, %arg294: tensor<1x1x1024x512xf32>, %arg295: tensor<512xf32>, %arg296: tensor<512xf32>, %arg297: tensor<3x3x512x512xf32>, %arg298: tensor<512xf32>, %arg299: tensor<512xf32>, %arg300: tensor<1x1x512x2048xf32>, %arg301: tensor<2048xf32>, %arg302: tensor<2048xf32>, %arg303: tensor<1x1x1024x2048xf32>, %arg304: tensor<2048xf32>, %arg305: tensor<2048xf32>, %arg306: tensor<1x1x2048x512xf32>, %arg307: tensor<512xf32>, %arg308: tensor<512xf32>, %arg309: tensor<3x3x512x512xf32>, %arg310: tensor<512xf32>, %arg311: tensor<512xf32>, %arg312: tensor<1x1x512x2048xf32>, %arg313: tensor<2048xf32>, %arg314: tensor<2048xf32>, %arg315: tensor<1x1x2048x512xf32>, %arg316: tensor<512xf32>, %arg317: tensor<512xf32>, %arg318: tensor<3x3x512x512xf32>, %arg319: tensor<512xf32>, %arg320: tensor<512xf32>, %arg321: tensor<1x1x512x2048xf32>, %arg322: tensor<2048xf32>, %arg323: tensor<2048xf32>, %arg324: tensor<2048x1000xf32>, %arg325: tensor<1000xf32>) {
      %1 = stablehlo.convolution(%arg163, %arg165) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[2, 3], [2, 3]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x224x224x3xf32>, tensor<7x7x3x64xf32>) -> tensor<64x112x112x64xf32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x112x112x64xf32>, tensor<f32>) -> tensor<64xf32>
      %cst_0 = stablehlo.constant dense<8.028160e+05> : tensor<f32>
      %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %4 = stablehlo.divide %2, %3 : tensor<64xf32>
      %5 = stablehlo.broadcast_in_dim %4, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x112x112x64xf32>
      %7 = stablehlo.subtract %1, %6 : tensor<64x112x112x64xf32>
      %8 = stablehlo.broadcast_in_dim %4, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x112x112x64xf32>
      %10 = stablehlo.subtract %1, %9 : tensor<64x112x112x64xf32>
      %11 = stablehlo.multiply %10, %10 : tensor<64x112x112x64xf32>
      %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<64x112x112x64xf32>
      %13 = stablehlo.multiply %12, %10 : tensor<64x112x112x64xf32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %14 = stablehlo.reduce(%11 init: %cst_2) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x112x112x64xf32>, tensor<f32>) -> tensor<64xf32>
      %cst_3 = stablehlo.constant dense<8.028160e+05> : tensor<f32>
      %15 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %16 = stablehlo.divide %14, %15 : tensor<64xf32>
      %cst_4 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %17 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %18 = stablehlo.add %16, %17 : tensor<64xf32>
      %19 = stablehlo.rsqrt %18 : tensor<64xf32>
      %20 = stablehlo.divide %19, %18 : tensor<64xf32>
      %cst_5 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %21 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %22 = stablehlo.multiply %21, %20 : tensor<64xf32>
      %23 = stablehlo.multiply %19, %arg166 : tensor<64xf32>
      %24 = stablehlo.broadcast_in_dim %23, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x112x112x64xf32>
      %26 = stablehlo.multiply %7, %25 : tensor<64x112x112x64xf32>
      %27 = stablehlo.broadcast_in_dim %arg167, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x112x112x64xf32>
      %29 = stablehlo.add %26, %28 : tensor<64x112x112x64xf32>
      %30 = func.call @relu(%29) : (tensor<64x112x112x64xf32>) -> tensor<64x112x112x64xf32>
      %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %31 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<64x112x112x64xf32>
      %32 = stablehlo.compare GT, %29, %31, FLOAT : (tensor<64x112x112x64xf32>, tensor<64x112x112x64xf32>) -> tensor<64x112x112x64xi1>
      %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %33 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<f32>
      %34 = "stablehlo.reduce_window"(%30, %33) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.maximum %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<64x112x112x64xf32>, tensor<f32>) -> tensor<64x56x56x64xf32>
      %35 = stablehlo.convolution(%34, %arg168) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<1x1x64x64xf32>) -> tensor<64x56x56x64xf32>
      %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %36 = stablehlo.reduce(%35 init: %cst_8) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
      %cst_9 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %37 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %38 = stablehlo.divide %36, %37 : tensor<64xf32>
      %39 = stablehlo.broadcast_in_dim %38, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
      %41 = stablehlo.subtract %35, %40 : tensor<64x56x56x64xf32>
      %42 = stablehlo.broadcast_in_dim %38, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
      %44 = stablehlo.subtract %35, %43 : tensor<64x56x56x64xf32>
      %45 = stablehlo.multiply %44, %44 : tensor<64x56x56x64xf32>
      %cst_10 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %46 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<64x56x56x64xf32>
      %47 = stablehlo.multiply %46, %44 : tensor<64x56x56x64xf32>
      %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %48 = stablehlo.reduce(%45 init: %cst_11) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
      %cst_12 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %49 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %50 = stablehlo.divide %48, %49 : tensor<64xf32>
      %cst_13 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %51 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %52 = stablehlo.add %50, %51 : tensor<64xf32>
      %53 = stablehlo.rsqrt %52 : tensor<64xf32>
      %54 = stablehlo.divide %53, %52 : tensor<64xf32>
      %cst_14 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %55 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %56 = stablehlo.multiply %55, %54 : tensor<64xf32>
      %57 = stablehlo.multiply %53, %arg169 : tensor<64xf32>
      %58 = stablehlo.broadcast_in_dim %57, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %59 = stablehlo.broadcast_in_dim %58, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
      %60 = stablehlo.multiply %41, %59 : tensor<64x56x56x64xf32>
      %61 = stablehlo.broadcast_in_dim %arg170, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %62 = stablehlo.broadcast_in_dim %61, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
      %63 = stablehlo.add %60, %62 : tensor<64x56x56x64xf32>
      %64 = func.call @relu_0(%63) : (tensor<64x56x56x64xf32>) -> tensor<64x56x56x64xf32>
      %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %65 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<64x56x56x64xf32>
      %66 = stablehlo.compare GT, %63, %65, FLOAT : (tensor<64x56x56x64xf32>, tensor<64x56x56x64xf32>) -> tensor<64x56x56x64xi1>
      %67 = stablehlo.convolution(%64, %arg171) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<64x56x56x64xf32>
      %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %68 = stablehlo.reduce(%67 init: %cst_16) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
      %cst_17 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %69 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %70 = stablehlo.divide %68, %69 : tensor<64xf32>
      %71 = stablehlo.broadcast_in_dim %70, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %72 = stablehlo.broadcast_in_dim %71, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
      %73 = stablehlo.subtract %67, %72 : tensor<64x56x56x64xf32>
      %74 = stablehlo.broadcast_in_dim %70, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %75 = stablehlo.broadcast_in_dim %74, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
      %76 = stablehlo.subtract %67, %75 : tensor<64x56x56x64xf32>
      %77 = stablehlo.multiply %76, %76 : tensor<64x56x56x64xf32>
      %cst_18 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %78 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<64x56x56x64xf32>
      %79 = stablehlo.multiply %78, %76 : tensor<64x56x56x64xf32>
      %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %80 = stablehlo.reduce(%77 init: %cst_19) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
      %cst_20 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %81 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %82 = stablehlo.divide %80, %81 : tensor<64xf32>
      %cst_21 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %83 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %84 = stablehlo.add %82, %83 : tensor<64xf32>
      %85 = stablehlo.rsqrt %84 : tensor<64xf32>
      %86 = stablehlo.divide %85, %84 : tensor<64xf32>
      %cst_22 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %87 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %88 = stablehlo.multiply %87, %86 : tensor<64xf32>
      %89 = stablehlo.multiply %85, %arg172 : tensor<64xf32>
      %90 = stablehlo.broadcast_in_dim %89, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %91 = stablehlo.broadcast_in_dim %90, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
      %92 = stablehlo.multiply %73, %91 : tensor<64x56x56x64xf32>
      %93 = stablehlo.broadcast_in_dim %arg173, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %94 = stablehlo.broadcast_in_dim %93, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
      %95 = stablehlo.add %92, %94 : tensor<64x56x56x64xf32>
      %96 = func.call @relu_0(%95) : (tensor<64x56x56x64xf32>) -> tensor<64x56x56x64xf32>
      %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %97 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<64x56x56x64xf32>
      %98 = stablehlo.compare GT, %95, %97, FLOAT : (tensor<64x56x56x64xf32>, tensor<64x56x56x64xf32>) -> tensor<64x56x56x64xi1>
      %99 = stablehlo.convolution(%96, %arg174) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<1x1x64x256xf32>) -> tensor<64x56x56x256xf32>
      %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %100 = stablehlo.reduce(%99 init: %cst_24) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
      %cst_25 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %101 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %102 = stablehlo.divide %100, %101 : tensor<256xf32>
      %103 = stablehlo.broadcast_in_dim %102, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %104 = stablehlo.broadcast_in_dim %103, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
      %105 = stablehlo.subtract %99, %104 : tensor<64x56x56x256xf32>
      %106 = stablehlo.broadcast_in_dim %102, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %107 = stablehlo.broadcast_in_dim %106, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
      %108 = stablehlo.subtract %99, %107 : tensor<64x56x56x256xf32>
      %109 = stablehlo.multiply %108, %108 : tensor<64x56x56x256xf32>
      %cst_26 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %110 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<64x56x56x256xf32>
      %111 = stablehlo.multiply %110, %108 : tensor<64x56x56x256xf32>
      %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %112 = stablehlo.reduce(%109 init: %cst_27) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
      %cst_28 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %113 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %114 = stablehlo.divide %112, %113 : tensor<256xf32>
      %cst_29 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %115 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %116 = stablehlo.add %114, %115 : tensor<256xf32>
      %117 = stablehlo.rsqrt %116 : tensor<256xf32>
      %118 = stablehlo.divide %117, %116 : tensor<256xf32>
      %cst_30 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %119 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %120 = stablehlo.multiply %119, %118 : tensor<256xf32>
      %121 = stablehlo.multiply %117, %arg175 : tensor<256xf32>
      %122 = stablehlo.broadcast_in_dim %121, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %123 = stablehlo.broadcast_in_dim %122, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
      %124 = stablehlo.multiply %105, %123 : tensor<64x56x56x256xf32>
      %125 = stablehlo.broadcast_in_dim %arg176, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %126 = stablehlo.broadcast_in_dim %125, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
      %127 = stablehlo.add %124, %126 : tensor<64x56x56x256xf32>
      %128 = stablehlo.convolution(%34, %arg177) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<1x1x64x256xf32>) -> tensor<64x56x56x256xf32>
      %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %129 = stablehlo.reduce(%128 init: %cst_31) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
      %cst_32 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %130 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %131 = stablehlo.divide %129, %130 : tensor<256xf32>
      %132 = stablehlo.broadcast_in_dim %131, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %133 = stablehlo.broadcast_in_dim %132, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
      %134 = stablehlo.subtract %128, %133 : tensor<64x56x56x256xf32>
      %135 = stablehlo.broadcast_in_dim %131, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %136 = stablehlo.broadcast_in_dim %135, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
      %137 = stablehlo.subtract %128, %136 : tensor<64x56x56x256xf32>
      %138 = stablehlo.multiply %137, %137 : tensor<64x56x56x256xf32>
      %cst_33 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %139 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<64x56x56x256xf32>
      %140 = stablehlo.multiply %139, %137 : tensor<64x56x56x256xf32>
      %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %141 = stablehlo.reduce(%138 init: %cst_34) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
      %cst_35 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %142 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %143 = stablehlo.divide %141, %142 : tensor<256xf32>
      %cst_36 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %144 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %145 = stablehlo.add %143, %144 : tensor<256xf32>
      %146 = stablehlo.rsqrt %145 : tensor<256xf32>
      %147 = stablehlo.divide %146, %145 : tensor<256xf32>
      %cst_37 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %148 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %149 = stablehlo.multiply %148, %147 : tensor<256xf32>
      %150 = stablehlo.multiply %146, %arg178 : tensor<256xf32>
      %151 = stablehlo.broadcast_in_dim %150, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %152 = stablehlo.broadcast_in_dim %151, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
      %153 = stablehlo.multiply %134, %152 : tensor<64x56x56x256xf32>
      %154 = stablehlo.broadcast_in_dim %arg179, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %155 = stablehlo.broadcast_in_dim %154, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
      %156 = stablehlo.add %153, %155 : tensor<64x56x56x256xf32>
      %157 = stablehlo.add %127, %156 : tensor<64x56x56x256xf32>
      %158 = func.call @relu_1(%157) : (tensor<64x56x56x256xf32>) -> tensor<64x56x56x256xf32>
      %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %159 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<64x56x56x256xf32>
      %160 = stablehlo.compare GT, %157, %159, FLOAT : (tensor<64x56x56x256xf32>, tensor<64x56x56x256xf32>) -> tensor<64x56x56x256xi1>
      %161 = stablehlo.convolution(%158, %arg180) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x256xf32>, tensor<1x1x256x64xf32>) -> tensor<64x56x56x64xf32>
      %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %162 = stablehlo.reduce(%161 init: %cst_39) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
      %cst_40 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %163 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %164 = stablehlo.divide %162, %163 : tensor<64xf32>
      %165 = stablehlo.broadcast_in_dim %164, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %166 = stablehlo.broadcast_in_dim %165, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
      %167 = stablehlo.subtract %161, %166 : tensor<64x56x56x64xf32>
      %168 = stablehlo.broadcast_in_dim %164, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %169 = stablehlo.broadcast_in_dim %168, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
      %170 = stablehlo.subtract %161, %169 : tensor<64x56x56x64xf32>
      %171 = stablehlo.multiply %170, %170 : tensor<64x56x56x64xf32>
      %cst_41 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %172 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<64x56x56x64xf32>
      %173 = stablehlo.multiply %172, %170 : tensor<64x56x56x64xf32>
      %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %174 = stablehlo.reduce(%171 init: %cst_42) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
      %cst_43 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %175 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %176 = stablehlo.divide %174, %175 : tensor<64xf32>
      %cst_44 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %177 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %178 = stablehlo.add %176, %177 : tensor<64xf32>
      %179 = stablehlo.rsqrt %178 : tensor<64xf32>
      %180 = stablehlo.divide %179, %178 : tensor<64xf32>
      %cst_45 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %181 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %182 = stablehlo.multiply %181, %180 : tensor<64xf32>
      %183 = stablehlo.multiply %179, %arg181 : tensor<64xf32>
      %184 = stablehlo.broadcast_in_dim %183, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %185 = stablehlo.broadcast_in_dim %184, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
      %186 = stablehlo.multiply %167, %185 : tensor<64x56x56x64xf32>
      %187 = stablehlo.broadcast_in_dim %arg182, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %188 = stablehlo.broadcast_in_dim %187, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
      %189 = stablehlo.add %186, %188 : tensor<64x56x56x64xf32>
      %190 = func.call @relu_0(%189) : (tensor<64x56x56x64xf32>) -> tensor<64x56x56x64xf32>
      %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %191 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<64x56x56x64xf32>
      %192 = stablehlo.compare GT, %189, %191, FLOAT : (tensor<64x56x56x64xf32>, tensor<64x56x56x64xf32>) -> tensor<64x56x56x64xi1>
      %193 = stablehlo.convolution(%190, %arg183) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<64x56x56x64xf32>
      %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %194 = stablehlo.reduce(%193 init: %cst_47) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
      %cst_48 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %195 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %196 = stablehlo.divide %194, %195 : tensor<64xf32>
      %197 = stablehlo.broadcast_in_dim %196, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %198 = stablehlo.broadcast_in_dim %197, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
      %199 = stablehlo.subtract %193, %198 : tensor<64x56x56x64xf32>
      %200 = stablehlo.broadcast_in_dim %196, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %201 = stablehlo.broadcast_in_dim %200, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
      %202 = stablehlo.subtract %193, %201 : tensor<64x56x56x64xf32>
      %203 = stablehlo.multiply %202, %202 : tensor<64x56x56x64xf32>
      %cst_49 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %204 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<64x56x56x64xf32>
      %205 = stablehlo.multiply %204, %202 : tensor<64x56x56x64xf32>
      %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %206 = stablehlo.reduce(%203 init: %cst_50) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
      %cst_51 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %207 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %208 = stablehlo.divide %206, %207 : tensor<64xf32>
      %cst_52 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %209 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %210 = stablehlo.add %208, %209 : tensor<64xf32>
      %211 = stablehlo.rsqrt %210 : tensor<64xf32>
      %212 = stablehlo.divide %211, %210 : tensor<64xf32>
      %cst_53 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %213 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %214 = stablehlo.multiply %213, %212 : tensor<64xf32>
      %215 = stablehlo.multiply %211, %arg184 : tensor<64xf32>
      %216 = stablehlo.broadcast_in_dim %215, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %217 = stablehlo.broadcast_in_dim %216, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
      %218 = stablehlo.multiply %199, %217 : tensor<64x56x56x64xf32>
      %219 = stablehlo.broadcast_in_dim %arg185, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %220 = stablehlo.broadcast_in_dim %219, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
      %221 = stablehlo.add %218, %220 : tensor<64x56x56x64xf32>
      %222 = func.call @relu_0(%221) : (tensor<64x56x56x64xf32>) -> tensor<64x56x56x64xf32>
      %cst_54 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %223 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<64x56x56x64xf32>
      %224 = stablehlo.compare GT, %221, %223, FLOAT : (tensor<64x56x56x64xf32>, tensor<64x56x56x64xf32>) -> tensor<64x56x56x64xi1>
      %225 = stablehlo.convolution(%222, %arg186) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<1x1x64x256xf32>) -> tensor<64x56x56x256xf32>
      %cst_55 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %226 = stablehlo.reduce(%225 init: %cst_55) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
      %cst_56 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %227 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %228 = stablehlo.divide %226, %227 : tensor<256xf32>
      %229 = stablehlo.broadcast_in_dim %228, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %230 = stablehlo.broadcast_in_dim %229, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
      %231 = stablehlo.subtract %225, %230 : tensor<64x56x56x256xf32>
      %232 = stablehlo.broadcast_in_dim %228, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %233 = stablehlo.broadcast_in_dim %232, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
      %234 = stablehlo.subtract %225, %233 : tensor<64x56x56x256xf32>
      %235 = stablehlo.multiply %234, %234 : tensor<64x56x56x256xf32>
      %cst_57 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %236 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<64x56x56x256xf32>
      %237 = stablehlo.multiply %236, %234 : tensor<64x56x56x256xf32>
      %cst_58 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %238 = stablehlo.reduce(%235 init: %cst_58) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
      %cst_59 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %239 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %240 = stablehlo.divide %238, %239 : tensor<256xf32>
      %cst_60 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %241 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %242 = stablehlo.add %240, %241 : tensor<256xf32>
      %243 = stablehlo.rsqrt %242 : tensor<256xf32>
      %244 = stablehlo.divide %243, %242 : tensor<256xf32>
      %cst_61 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %245 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %246 = stablehlo.multiply %245, %244 : tensor<256xf32>
      %247 = stablehlo.multiply %243, %arg187 : tensor<256xf32>
      %248 = stablehlo.broadcast_in_dim %247, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %249 = stablehlo.broadcast_in_dim %248, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
      %250 = stablehlo.multiply %231, %249 : tensor<64x56x56x256xf32>
      %251 = stablehlo.broadcast_in_dim %arg188, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %252 = stablehlo.broadcast_in_dim %251, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
      %253 = stablehlo.add %250, %252 : tensor<64x56x56x256xf32>
      %254 = stablehlo.add %253, %158 : tensor<64x56x56x256xf32>
      %255 = func.call @relu_1(%254) : (tensor<64x56x56x256xf32>) -> tensor<64x56x56x256xf32>
      %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %256 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<64x56x56x256xf32>
      %257 = stablehlo.compare GT, %254, %256, FLOAT : (tensor<64x56x56x256xf32>, tensor<64x56x56x256xf32>) -> tensor<64x56x56x256xi1>
      %258 = stablehlo.convolution(%255, %arg189) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x256xf32>, tensor<1x1x256x64xf32>) -> tensor<64x56x56x64xf32>
      %cst_63 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %259 = stablehlo.reduce(%258 init: %cst_63) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
      %cst_64 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %260 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %261 = stablehlo.divide %259, %260 : tensor<64xf32>
      %262 = stablehlo.broadcast_in_dim %261, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %263 = stablehlo.broadcast_in_dim %262, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
      %264 = stablehlo.subtract %258, %263 : tensor<64x56x56x64xf32>
      %265 = stablehlo.broadcast_in_dim %261, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %266 = stablehlo.broadcast_in_dim %265, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
      %267 = stablehlo.subtract %258, %266 : tensor<64x56x56x64xf32>
      %268 = stablehlo.multiply %267, %267 : tensor<64x56x56x64xf32>
      %cst_65 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %269 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<64x56x56x64xf32>
      %270 = stablehlo.multiply %269, %267 : tensor<64x56x56x64xf32>
      %cst_66 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %271 = stablehlo.reduce(%268 init: %cst_66) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
      %cst_67 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %272 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %273 = stablehlo.divide %271, %272 : tensor<64xf32>
      %cst_68 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %274 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %275 = stablehlo.add %273, %274 : tensor<64xf32>
      %276 = stablehlo.rsqrt %275 : tensor<64xf32>
      %277 = stablehlo.divide %276, %275 : tensor<64xf32>
      %cst_69 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %278 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %279 = stablehlo.multiply %278, %277 : tensor<64xf32>
      %280 = stablehlo.multiply %276, %arg190 : tensor<64xf32>
      %281 = stablehlo.broadcast_in_dim %280, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %282 = stablehlo.broadcast_in_dim %281, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
      %283 = stablehlo.multiply %264, %282 : tensor<64x56x56x64xf32>
      %284 = stablehlo.broadcast_in_dim %arg191, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %285 = stablehlo.broadcast_in_dim %284, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
      %286 = stablehlo.add %283, %285 : tensor<64x56x56x64xf32>
      %287 = func.call @relu_0(%286) : (tensor<64x56x56x64xf32>) -> tensor<64x56x56x64xf32>
      %cst_70 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %288 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<64x56x56x64xf32>
      %289 = stablehlo.compare GT, %286, %288, FLOAT : (tensor<64x56x56x64xf32>, tensor<64x56x56x64xf32>) -> tensor<64x56x56x64xi1>
      %290 = stablehlo.convolution(%287, %arg192) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<64x56x56x64xf32>
      %cst_71 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %291 = stablehlo.reduce(%290 init: %cst_71) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
      %cst_72 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %292 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %293 = stablehlo.divide %291, %292 : tensor<64xf32>
      %294 = stablehlo.broadcast_in_dim %293, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %295 = stablehlo.broadcast_in_dim %294, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
      %296 = stablehlo.subtract %290, %295 : tensor<64x56x56x64xf32>
      %297 = stablehlo.broadcast_in_dim %293, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %298 = stablehlo.broadcast_in_dim %297, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
      %299 = stablehlo.subtract %290, %298 : tensor<64x56x56x64xf32>
      %300 = stablehlo.multiply %299, %299 : tensor<64x56x56x64xf32>
      %cst_73 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %301 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<64x56x56x64xf32>
      %302 = stablehlo.multiply %301, %299 : tensor<64x56x56x64xf32>
      %cst_74 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %303 = stablehlo.reduce(%300 init: %cst_74) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
      %cst_75 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %304 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %305 = stablehlo.divide %303, %304 : tensor<64xf32>
      %cst_76 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %306 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %307 = stablehlo.add %305, %306 : tensor<64xf32>
      %308 = stablehlo.rsqrt %307 : tensor<64xf32>
      %309 = stablehlo.divide %308, %307 : tensor<64xf32>
      %cst_77 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %310 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %311 = stablehlo.multiply %310, %309 : tensor<64xf32>
      %312 = stablehlo.multiply %308, %arg193 : tensor<64xf32>
      %313 = stablehlo.broadcast_in_dim %312, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %314 = stablehlo.broadcast_in_dim %313, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
      %315 = stablehlo.multiply %296, %314 : tensor<64x56x56x64xf32>
      %316 = stablehlo.broadcast_in_dim %arg194, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %317 = stablehlo.broadcast_in_dim %316, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
      %318 = stablehlo.add %315, %317 : tensor<64x56x56x64xf32>
      %319 = func.call @relu_0(%318) : (tensor<64x56x56x64xf32>) -> tensor<64x56x56x64xf32>
      %cst_78 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %320 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<64x56x56x64xf32>
      %321 = stablehlo.compare GT, %318, %320, FLOAT : (tensor<64x56x56x64xf32>, tensor<64x56x56x64xf32>) -> tensor<64x56x56x64xi1>
      %322 = stablehlo.convolution(%319, %arg195) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<1x1x64x256xf32>) -> tensor<64x56x56x256xf32>
      %cst_79 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %323 = stablehlo.reduce(%322 init: %cst_79) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
      %cst_80 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %324 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %325 = stablehlo.divide %323, %324 : tensor<256xf32>
      %326 = stablehlo.broadcast_in_dim %325, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %327 = stablehlo.broadcast_in_dim %326, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
      %328 = stablehlo.subtract %322, %327 : tensor<64x56x56x256xf32>
      %329 = stablehlo.broadcast_in_dim %325, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %330 = stablehlo.broadcast_in_dim %329, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
      %331 = stablehlo.subtract %322, %330 : tensor<64x56x56x256xf32>
      %332 = stablehlo.multiply %331, %331 : tensor<64x56x56x256xf32>
      %cst_81 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %333 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<64x56x56x256xf32>
      %334 = stablehlo.multiply %333, %331 : tensor<64x56x56x256xf32>
      %cst_82 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %335 = stablehlo.reduce(%332 init: %cst_82) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
      %cst_83 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %336 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %337 = stablehlo.divide %335, %336 : tensor<256xf32>
      %cst_84 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %338 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %339 = stablehlo.add %337, %338 : tensor<256xf32>
      %340 = stablehlo.rsqrt %339 : tensor<256xf32>
      %341 = stablehlo.divide %340, %339 : tensor<256xf32>
      %cst_85 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %342 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %343 = stablehlo.multiply %342, %341 : tensor<256xf32>
      %344 = stablehlo.multiply %340, %arg196 : tensor<256xf32>
      %345 = stablehlo.broadcast_in_dim %344, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %346 = stablehlo.broadcast_in_dim %345, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
      %347 = stablehlo.multiply %328, %346 : tensor<64x56x56x256xf32>
      %348 = stablehlo.broadcast_in_dim %arg197, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %349 = stablehlo.broadcast_in_dim %348, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
      %350 = stablehlo.add %347, %349 : tensor<64x56x56x256xf32>
      %351 = stablehlo.add %350, %255 : tensor<64x56x56x256xf32>
      %352 = func.call @relu_1(%351) : (tensor<64x56x56x256xf32>) -> tensor<64x56x56x256xf32>
      %cst_86 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %353 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<64x56x56x256xf32>
      %354 = stablehlo.compare GT, %351, %353, FLOAT : (tensor<64x56x56x256xf32>, tensor<64x56x56x256xf32>) -> tensor<64x56x56x256xi1>
      %355 = stablehlo.convolution(%352, %arg198) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x256xf32>, tensor<1x1x256x128xf32>) -> tensor<64x56x56x128xf32>
      %cst_87 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %356 = stablehlo.reduce(%355 init: %cst_87) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x128xf32>, tensor<f32>) -> tensor<128xf32>
      %cst_88 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %357 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %358 = stablehlo.divide %356, %357 : tensor<128xf32>
      %359 = stablehlo.broadcast_in_dim %358, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %360 = stablehlo.broadcast_in_dim %359, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x56x56x128xf32>
      %361 = stablehlo.subtract %355, %360 : tensor<64x56x56x128xf32>
      %362 = stablehlo.broadcast_in_dim %358, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %363 = stablehlo.broadcast_in_dim %362, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x56x56x128xf32>
      %364 = stablehlo.subtract %355, %363 : tensor<64x56x56x128xf32>
      %365 = stablehlo.multiply %364, %364 : tensor<64x56x56x128xf32>
      %cst_89 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %366 = stablehlo.broadcast_in_dim %cst_89, dims = [] : (tensor<f32>) -> tensor<64x56x56x128xf32>
      %367 = stablehlo.multiply %366, %364 : tensor<64x56x56x128xf32>
      %cst_90 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %368 = stablehlo.reduce(%365 init: %cst_90) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x128xf32>, tensor<f32>) -> tensor<128xf32>
      %cst_91 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %369 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %370 = stablehlo.divide %368, %369 : tensor<128xf32>
      %cst_92 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %371 = stablehlo.broadcast_in_dim %cst_92, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %372 = stablehlo.add %370, %371 : tensor<128xf32>
      %373 = stablehlo.rsqrt %372 : tensor<128xf32>
      %374 = stablehlo.divide %373, %372 : tensor<128xf32>
      %cst_93 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %375 = stablehlo.broadcast_in_dim %cst_93, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %376 = stablehlo.multiply %375, %374 : tensor<128xf32>
      %377 = stablehlo.multiply %373, %arg199 : tensor<128xf32>
      %378 = stablehlo.broadcast_in_dim %377, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %379 = stablehlo.broadcast_in_dim %378, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x56x56x128xf32>
      %380 = stablehlo.multiply %361, %379 : tensor<64x56x56x128xf32>
      %381 = stablehlo.broadcast_in_dim %arg200, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %382 = stablehlo.broadcast_in_dim %381, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x56x56x128xf32>
      %383 = stablehlo.add %380, %382 : tensor<64x56x56x128xf32>
      %384 = func.call @relu_2(%383) : (tensor<64x56x56x128xf32>) -> tensor<64x56x56x128xf32>
      %cst_94 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %385 = stablehlo.broadcast_in_dim %cst_94, dims = [] : (tensor<f32>) -> tensor<64x56x56x128xf32>
      %386 = stablehlo.compare GT, %383, %385, FLOAT : (tensor<64x56x56x128xf32>, tensor<64x56x56x128xf32>) -> tensor<64x56x56x128xi1>
      %387 = stablehlo.convolution(%384, %arg201) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x128xf32>, tensor<3x3x128x128xf32>) -> tensor<64x28x28x128xf32>
      %cst_95 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %388 = stablehlo.reduce(%387 init: %cst_95) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %cst_96 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %389 = stablehlo.broadcast_in_dim %cst_96, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %390 = stablehlo.divide %388, %389 : tensor<128xf32>
      %391 = stablehlo.broadcast_in_dim %390, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %392 = stablehlo.broadcast_in_dim %391, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
      %393 = stablehlo.subtract %387, %392 : tensor<64x28x28x128xf32>
      %394 = stablehlo.broadcast_in_dim %390, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %395 = stablehlo.broadcast_in_dim %394, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
      %396 = stablehlo.subtract %387, %395 : tensor<64x28x28x128xf32>
      %397 = stablehlo.multiply %396, %396 : tensor<64x28x28x128xf32>
      %cst_97 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %398 = stablehlo.broadcast_in_dim %cst_97, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
      %399 = stablehlo.multiply %398, %396 : tensor<64x28x28x128xf32>
      %cst_98 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %400 = stablehlo.reduce(%397 init: %cst_98) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %cst_99 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %401 = stablehlo.broadcast_in_dim %cst_99, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %402 = stablehlo.divide %400, %401 : tensor<128xf32>
      %cst_100 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %403 = stablehlo.broadcast_in_dim %cst_100, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %404 = stablehlo.add %402, %403 : tensor<128xf32>
      %405 = stablehlo.rsqrt %404 : tensor<128xf32>
      %406 = stablehlo.divide %405, %404 : tensor<128xf32>
      %cst_101 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %407 = stablehlo.broadcast_in_dim %cst_101, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %408 = stablehlo.multiply %407, %406 : tensor<128xf32>
      %409 = stablehlo.multiply %405, %arg202 : tensor<128xf32>
      %410 = stablehlo.broadcast_in_dim %409, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %411 = stablehlo.broadcast_in_dim %410, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
      %412 = stablehlo.multiply %393, %411 : tensor<64x28x28x128xf32>
      %413 = stablehlo.broadcast_in_dim %arg203, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %414 = stablehlo.broadcast_in_dim %413, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
      %415 = stablehlo.add %412, %414 : tensor<64x28x28x128xf32>
      %416 = func.call @relu_3(%415) : (tensor<64x28x28x128xf32>) -> tensor<64x28x28x128xf32>
      %cst_102 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %417 = stablehlo.broadcast_in_dim %cst_102, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
      %418 = stablehlo.compare GT, %415, %417, FLOAT : (tensor<64x28x28x128xf32>, tensor<64x28x28x128xf32>) -> tensor<64x28x28x128xi1>
      %419 = stablehlo.convolution(%416, %arg204) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<1x1x128x512xf32>) -> tensor<64x28x28x512xf32>
      %cst_103 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %420 = stablehlo.reduce(%419 init: %cst_103) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
      %cst_104 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %421 = stablehlo.broadcast_in_dim %cst_104, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %422 = stablehlo.divide %420, %421 : tensor<512xf32>
      %423 = stablehlo.broadcast_in_dim %422, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %424 = stablehlo.broadcast_in_dim %423, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
      %425 = stablehlo.subtract %419, %424 : tensor<64x28x28x512xf32>
      %426 = stablehlo.broadcast_in_dim %422, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %427 = stablehlo.broadcast_in_dim %426, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
      %428 = stablehlo.subtract %419, %427 : tensor<64x28x28x512xf32>
      %429 = stablehlo.multiply %428, %428 : tensor<64x28x28x512xf32>
      %cst_105 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %430 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f32>) -> tensor<64x28x28x512xf32>
      %431 = stablehlo.multiply %430, %428 : tensor<64x28x28x512xf32>
      %cst_106 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %432 = stablehlo.reduce(%429 init: %cst_106) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
      %cst_107 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %433 = stablehlo.broadcast_in_dim %cst_107, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %434 = stablehlo.divide %432, %433 : tensor<512xf32>
      %cst_108 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %435 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %436 = stablehlo.add %434, %435 : tensor<512xf32>
      %437 = stablehlo.rsqrt %436 : tensor<512xf32>
      %438 = stablehlo.divide %437, %436 : tensor<512xf32>
      %cst_109 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %439 = stablehlo.broadcast_in_dim %cst_109, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %440 = stablehlo.multiply %439, %438 : tensor<512xf32>
      %441 = stablehlo.multiply %437, %arg205 : tensor<512xf32>
      %442 = stablehlo.broadcast_in_dim %441, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %443 = stablehlo.broadcast_in_dim %442, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
      %444 = stablehlo.multiply %425, %443 : tensor<64x28x28x512xf32>
      %445 = stablehlo.broadcast_in_dim %arg206, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %446 = stablehlo.broadcast_in_dim %445, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
      %447 = stablehlo.add %444, %446 : tensor<64x28x28x512xf32>
      %448 = stablehlo.convolution(%352, %arg207) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x256xf32>, tensor<1x1x256x512xf32>) -> tensor<64x28x28x512xf32>
      %cst_110 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %449 = stablehlo.reduce(%448 init: %cst_110) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
      %cst_111 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %450 = stablehlo.broadcast_in_dim %cst_111, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %451 = stablehlo.divide %449, %450 : tensor<512xf32>
      %452 = stablehlo.broadcast_in_dim %451, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %453 = stablehlo.broadcast_in_dim %452, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
      %454 = stablehlo.subtract %448, %453 : tensor<64x28x28x512xf32>
      %455 = stablehlo.broadcast_in_dim %451, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %456 = stablehlo.broadcast_in_dim %455, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
      %457 = stablehlo.subtract %448, %456 : tensor<64x28x28x512xf32>
      %458 = stablehlo.multiply %457, %457 : tensor<64x28x28x512xf32>
      %cst_112 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %459 = stablehlo.broadcast_in_dim %cst_112, dims = [] : (tensor<f32>) -> tensor<64x28x28x512xf32>
      %460 = stablehlo.multiply %459, %457 : tensor<64x28x28x512xf32>
      %cst_113 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %461 = stablehlo.reduce(%458 init: %cst_113) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
      %cst_114 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %462 = stablehlo.broadcast_in_dim %cst_114, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %463 = stablehlo.divide %461, %462 : tensor<512xf32>
      %cst_115 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %464 = stablehlo.broadcast_in_dim %cst_115, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %465 = stablehlo.add %463, %464 : tensor<512xf32>
      %466 = stablehlo.rsqrt %465 : tensor<512xf32>
      %467 = stablehlo.divide %466, %465 : tensor<512xf32>
      %cst_116 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %468 = stablehlo.broadcast_in_dim %cst_116, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %469 = stablehlo.multiply %468, %467 : tensor<512xf32>
      %470 = stablehlo.multiply %466, %arg208 : tensor<512xf32>
      %471 = stablehlo.broadcast_in_dim %470, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %472 = stablehlo.broadcast_in_dim %471, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
      %473 = stablehlo.multiply %454, %472 : tensor<64x28x28x512xf32>
      %474 = stablehlo.broadcast_in_dim %arg209, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %475 = stablehlo.broadcast_in_dim %474, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
      %476 = stablehlo.add %473, %475 : tensor<64x28x28x512xf32>
      %477 = stablehlo.add %447, %476 : tensor<64x28x28x512xf32>
      %478 = func.call @relu_4(%477) : (tensor<64x28x28x512xf32>) -> tensor<64x28x28x512xf32>
      %cst_117 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %479 = stablehlo.broadcast_in_dim %cst_117, dims = [] : (tensor<f32>) -> tensor<64x28x28x512xf32>
      %480 = stablehlo.compare GT, %477, %479, FLOAT : (tensor<64x28x28x512xf32>, tensor<64x28x28x512xf32>) -> tensor<64x28x28x512xi1>
      %481 = stablehlo.convolution(%478, %arg210) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x512xf32>, tensor<1x1x512x128xf32>) -> tensor<64x28x28x128xf32>
      %cst_118 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %482 = stablehlo.reduce(%481 init: %cst_118) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %cst_119 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %483 = stablehlo.broadcast_in_dim %cst_119, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %484 = stablehlo.divide %482, %483 : tensor<128xf32>
      %485 = stablehlo.broadcast_in_dim %484, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %486 = stablehlo.broadcast_in_dim %485, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
      %487 = stablehlo.subtract %481, %486 : tensor<64x28x28x128xf32>
      %488 = stablehlo.broadcast_in_dim %484, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %489 = stablehlo.broadcast_in_dim %488, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
      %490 = stablehlo.subtract %481, %489 : tensor<64x28x28x128xf32>
      %491 = stablehlo.multiply %490, %490 : tensor<64x28x28x128xf32>
      %cst_120 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %492 = stablehlo.broadcast_in_dim %cst_120, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
      %493 = stablehlo.multiply %492, %490 : tensor<64x28x28x128xf32>
      %cst_121 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %494 = stablehlo.reduce(%491 init: %cst_121) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %cst_122 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %495 = stablehlo.broadcast_in_dim %cst_122, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %496 = stablehlo.divide %494, %495 : tensor<128xf32>
      %cst_123 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %497 = stablehlo.broadcast_in_dim %cst_123, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %498 = stablehlo.add %496, %497 : tensor<128xf32>
      %499 = stablehlo.rsqrt %498 : tensor<128xf32>
      %500 = stablehlo.divide %499, %498 : tensor<128xf32>
      %cst_124 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %501 = stablehlo.broadcast_in_dim %cst_124, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %502 = stablehlo.multiply %501, %500 : tensor<128xf32>
      %503 = stablehlo.multiply %499, %arg211 : tensor<128xf32>
      %504 = stablehlo.broadcast_in_dim %503, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %505 = stablehlo.broadcast_in_dim %504, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
      %506 = stablehlo.multiply %487, %505 : tensor<64x28x28x128xf32>
      %507 = stablehlo.broadcast_in_dim %arg212, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %508 = stablehlo.broadcast_in_dim %507, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
      %509 = stablehlo.add %506, %508 : tensor<64x28x28x128xf32>
      %510 = func.call @relu_3(%509) : (tensor<64x28x28x128xf32>) -> tensor<64x28x28x128xf32>
      %cst_125 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %511 = stablehlo.broadcast_in_dim %cst_125, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
      %512 = stablehlo.compare GT, %509, %511, FLOAT : (tensor<64x28x28x128xf32>, tensor<64x28x28x128xf32>) -> tensor<64x28x28x128xi1>
      %513 = stablehlo.convolution(%510, %arg213) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<3x3x128x128xf32>) -> tensor<64x28x28x128xf32>
      %cst_126 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %514 = stablehlo.reduce(%513 init: %cst_126) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %cst_127 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %515 = stablehlo.broadcast_in_dim %cst_127, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %516 = stablehlo.divide %514, %515 : tensor<128xf32>
      %517 = stablehlo.broadcast_in_dim %516, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %518 = stablehlo.broadcast_in_dim %517, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
      %519 = stablehlo.subtract %513, %518 : tensor<64x28x28x128xf32>
      %520 = stablehlo.broadcast_in_dim %516, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %521 = stablehlo.broadcast_in_dim %520, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
      %522 = stablehlo.subtract %513, %521 : tensor<64x28x28x128xf32>
      %523 = stablehlo.multiply %522, %522 : tensor<64x28x28x128xf32>
      %cst_128 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %524 = stablehlo.broadcast_in_dim %cst_128, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
      %525 = stablehlo.multiply %524, %522 : tensor<64x28x28x128xf32>
      %cst_129 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %526 = stablehlo.reduce(%523 init: %cst_129) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %cst_130 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %527 = stablehlo.broadcast_in_dim %cst_130, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %528 = stablehlo.divide %526, %527 : tensor<128xf32>
      %cst_131 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %529 = stablehlo.broadcast_in_dim %cst_131, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %530 = stablehlo.add %528, %529 : tensor<128xf32>
      %531 = stablehlo.rsqrt %530 : tensor<128xf32>
      %532 = stablehlo.divide %531, %530 : tensor<128xf32>
      %cst_132 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %533 = stablehlo.broadcast_in_dim %cst_132, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %534 = stablehlo.multiply %533, %532 : tensor<128xf32>
      %535 = stablehlo.multiply %531, %arg214 : tensor<128xf32>
      %536 = stablehlo.broadcast_in_dim %535, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %537 = stablehlo.broadcast_in_dim %536, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
      %538 = stablehlo.multiply %519, %537 : tensor<64x28x28x128xf32>
      %539 = stablehlo.broadcast_in_dim %arg215, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %540 = stablehlo.broadcast_in_dim %539, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
      %541 = stablehlo.add %538, %540 : tensor<64x28x28x128xf32>
      %542 = func.call @relu_3(%541) : (tensor<64x28x28x128xf32>) -> tensor<64x28x28x128xf32>
      %cst_133 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %543 = stablehlo.broadcast_in_dim %cst_133, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
      %544 = stablehlo.compare GT, %541, %543, FLOAT : (tensor<64x28x28x128xf32>, tensor<64x28x28x128xf32>) -> tensor<64x28x28x128xi1>
      %545 = stablehlo.convolution(%542, %arg216) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<1x1x128x512xf32>) -> tensor<64x28x28x512xf32>
      %cst_134 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %546 = stablehlo.reduce(%545 init: %cst_134) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
      %cst_135 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %547 = stablehlo.broadcast_in_dim %cst_135, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %548 = stablehlo.divide %546, %547 : tensor<512xf32>
      %549 = stablehlo.broadcast_in_dim %548, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %550 = stablehlo.broadcast_in_dim %549, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
      %551 = stablehlo.subtract %545, %550 : tensor<64x28x28x512xf32>
      %552 = stablehlo.broadcast_in_dim %548, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %553 = stablehlo.broadcast_in_dim %552, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
      %554 = stablehlo.subtract %545, %553 : tensor<64x28x28x512xf32>
      %555 = stablehlo.multiply %554, %554 : tensor<64x28x28x512xf32>
      %cst_136 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %556 = stablehlo.broadcast_in_dim %cst_136, dims = [] : (tensor<f32>) -> tensor<64x28x28x512xf32>
      %557 = stablehlo.multiply %556, %554 : tensor<64x28x28x512xf32>
      %cst_137 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %558 = stablehlo.reduce(%555 init: %cst_137) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
      %cst_138 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %559 = stablehlo.broadcast_in_dim %cst_138, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %560 = stablehlo.divide %558, %559 : tensor<512xf32>
      %cst_139 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %561 = stablehlo.broadcast_in_dim %cst_139, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %562 = stablehlo.add %560, %561 : tensor<512xf32>
      %563 = stablehlo.rsqrt %562 : tensor<512xf32>
      %564 = stablehlo.divide %563, %562 : tensor<512xf32>
      %cst_140 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %565 = stablehlo.broadcast_in_dim %cst_140, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %566 = stablehlo.multiply %565, %564 : tensor<512xf32>
      %567 = stablehlo.multiply %563, %arg217 : tensor<512xf32>
      %568 = stablehlo.broadcast_in_dim %567, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %569 = stablehlo.broadcast_in_dim %568, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
      %570 = stablehlo.multiply %551, %569 : tensor<64x28x28x512xf32>
      %571 = stablehlo.broadcast_in_dim %arg218, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %572 = stablehlo.broadcast_in_dim %571, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
      %573 = stablehlo.add %570, %572 : tensor<64x28x28x512xf32>
      %574 = stablehlo.add %573, %478 : tensor<64x28x28x512xf32>
      %575 = func.call @relu_4(%574) : (tensor<64x28x28x512xf32>) -> tensor<64x28x28x512xf32>
      %cst_141 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %576 = stablehlo.broadcast_in_dim %cst_141, dims = [] : (tensor<f32>) -> tensor<64x28x28x512xf32>
      %577 = stablehlo.compare GT, %574, %576, FLOAT : (tensor<64x28x28x512xf32>, tensor<64x28x28x512xf32>) -> tensor<64x28x28x512xi1>
      %578 = stablehlo.convolution(%575, %arg219) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x512xf32>, tensor<1x1x512x128xf32>) -> tensor<64x28x28x128xf32>
      %cst_142 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %579 = stablehlo.reduce(%578 init: %cst_142) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %cst_143 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %580 = stablehlo.broadcast_in_dim %cst_143, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %581 = stablehlo.divide %579, %580 : tensor<128xf32>
      %582 = stablehlo.broadcast_in_dim %581, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %583 = stablehlo.broadcast_in_dim %582, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
      %584 = stablehlo.subtract %578, %583 : tensor<64x28x28x128xf32>
      %585 = stablehlo.broadcast_in_dim %581, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %586 = stablehlo.broadcast_in_dim %585, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
      %587 = stablehlo.subtract %578, %586 : tensor<64x28x28x128xf32>
      %588 = stablehlo.multiply %587, %587 : tensor<64x28x28x128xf32>
      %cst_144 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %589 = stablehlo.broadcast_in_dim %cst_144, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
      %590 = stablehlo.multiply %589, %587 : tensor<64x28x28x128xf32>
      %cst_145 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %591 = stablehlo.reduce(%588 init: %cst_145) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %cst_146 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %592 = stablehlo.broadcast_in_dim %cst_146, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %593 = stablehlo.divide %591, %592 : tensor<128xf32>
      %cst_147 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %594 = stablehlo.broadcast_in_dim %cst_147, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %595 = stablehlo.add %593, %594 : tensor<128xf32>
      %596 = stablehlo.rsqrt %595 : tensor<128xf32>
      %597 = stablehlo.divide %596, %595 : tensor<128xf32>
      %cst_148 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %598 = stablehlo.broadcast_in_dim %cst_148, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %599 = stablehlo.multiply %598, %597 : tensor<128xf32>
      %600 = stablehlo.multiply %596, %arg220 : tensor<128xf32>
      %601 = stablehlo.broadcast_in_dim %600, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %602 = stablehlo.broadcast_in_dim %601, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
      %603 = stablehlo.multiply %584, %602 : tensor<64x28x28x128xf32>
      %604 = stablehlo.broadcast_in_dim %arg221, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %605 = stablehlo.broadcast_in_dim %604, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
      %606 = stablehlo.add %603, %605 : tensor<64x28x28x128xf32>
      %607 = func.call @relu_3(%606) : (tensor<64x28x28x128xf32>) -> tensor<64x28x28x128xf32>
      %cst_149 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %608 = stablehlo.broadcast_in_dim %cst_149, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
      %609 = stablehlo.compare GT, %606, %608, FLOAT : (tensor<64x28x28x128xf32>, tensor<64x28x28x128xf32>) -> tensor<64x28x28x128xi1>
      %610 = stablehlo.convolution(%607, %arg222) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<3x3x128x128xf32>) -> tensor<64x28x28x128xf32>
      %cst_150 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %611 = stablehlo.reduce(%610 init: %cst_150) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %cst_151 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %612 = stablehlo.broadcast_in_dim %cst_151, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %613 = stablehlo.divide %611, %612 : tensor<128xf32>
      %614 = stablehlo.broadcast_in_dim %613, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %615 = stablehlo.broadcast_in_dim %614, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
      %616 = stablehlo.subtract %610, %615 : tensor<64x28x28x128xf32>
      %617 = stablehlo.broadcast_in_dim %613, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %618 = stablehlo.broadcast_in_dim %617, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
      %619 = stablehlo.subtract %610, %618 : tensor<64x28x28x128xf32>
      %620 = stablehlo.multiply %619, %619 : tensor<64x28x28x128xf32>
      %cst_152 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %621 = stablehlo.broadcast_in_dim %cst_152, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
      %622 = stablehlo.multiply %621, %619 : tensor<64x28x28x128xf32>
      %cst_153 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %623 = stablehlo.reduce(%620 init: %cst_153) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %cst_154 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %624 = stablehlo.broadcast_in_dim %cst_154, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %625 = stablehlo.divide %623, %624 : tensor<128xf32>
      %cst_155 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %626 = stablehlo.broadcast_in_dim %cst_155, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %627 = stablehlo.add %625, %626 : tensor<128xf32>
      %628 = stablehlo.rsqrt %627 : tensor<128xf32>
      %629 = stablehlo.divide %628, %627 : tensor<128xf32>
      %cst_156 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %630 = stablehlo.broadcast_in_dim %cst_156, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %631 = stablehlo.multiply %630, %629 : tensor<128xf32>
      %632 = stablehlo.multiply %628, %arg223 : tensor<128xf32>
      %633 = stablehlo.broadcast_in_dim %632, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %634 = stablehlo.broadcast_in_dim %633, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
      %635 = stablehlo.multiply %616, %634 : tensor<64x28x28x128xf32>
      %636 = stablehlo.broadcast_in_dim %arg224, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %637 = stablehlo.broadcast_in_dim %636, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
      %638 = stablehlo.add %635, %637 : tensor<64x28x28x128xf32>
      %639 = func.call @relu_3(%638) : (tensor<64x28x28x128xf32>) -> tensor<64x28x28x128xf32>
      %cst_157 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %640 = stablehlo.broadcast_in_dim %cst_157, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
      %641 = stablehlo.compare GT, %638, %640, FLOAT : (tensor<64x28x28x128xf32>, tensor<64x28x28x128xf32>) -> tensor<64x28x28x128xi1>
      %642 = stablehlo.convolution(%639, %arg225) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<1x1x128x512xf32>) -> tensor<64x28x28x512xf32>
      %cst_158 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %643 = stablehlo.reduce(%642 init: %cst_158) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
      %cst_159 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %644 = stablehlo.broadcast_in_dim %cst_159, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %645 = stablehlo.divide %643, %644 : tensor<512xf32>
      %646 = stablehlo.broadcast_in_dim %645, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %647 = stablehlo.broadcast_in_dim %646, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
      %648 = stablehlo.subtract %642, %647 : tensor<64x28x28x512xf32>
      %649 = stablehlo.broadcast_in_dim %645, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %650 = stablehlo.broadcast_in_dim %649, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
      %651 = stablehlo.subtract %642, %650 : tensor<64x28x28x512xf32>
      %652 = stablehlo.multiply %651, %651 : tensor<64x28x28x512xf32>
      %cst_160 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %653 = stablehlo.broadcast_in_dim %cst_160, dims = [] : (tensor<f32>) -> tensor<64x28x28x512xf32>
      %654 = stablehlo.multiply %653, %651 : tensor<64x28x28x512xf32>
      %cst_161 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %655 = stablehlo.reduce(%652 init: %cst_161) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
      %cst_162 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %656 = stablehlo.broadcast_in_dim %cst_162, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %657 = stablehlo.divide %655, %656 : tensor<512xf32>
      %cst_163 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %658 = stablehlo.broadcast_in_dim %cst_163, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %659 = stablehlo.add %657, %658 : tensor<512xf32>
      %660 = stablehlo.rsqrt %659 : tensor<512xf32>
      %661 = stablehlo.divide %660, %659 : tensor<512xf32>
      %cst_164 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %662 = stablehlo.broadcast_in_dim %cst_164, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %663 = stablehlo.multiply %662, %661 : tensor<512xf32>
      %664 = stablehlo.multiply %660, %arg226 : tensor<512xf32>
      %665 = stablehlo.broadcast_in_dim %664, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %666 = stablehlo.broadcast_in_dim %665, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
      %667 = stablehlo.multiply %648, %666 : tensor<64x28x28x512xf32>
      %668 = stablehlo.broadcast_in_dim %arg227, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %669 = stablehlo.broadcast_in_dim %668, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
      %670 = stablehlo.add %667, %669 : tensor<64x28x28x512xf32>
      %671 = stablehlo.add %670, %575 : tensor<64x28x28x512xf32>
      %672 = func.call @relu_4(%671) : (tensor<64x28x28x512xf32>) -> tensor<64x28x28x512xf32>
      %cst_165 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %673 = stablehlo.broadcast_in_dim %cst_165, dims = [] : (tensor<f32>) -> tensor<64x28x28x512xf32>
      %674 = stablehlo.compare GT, %671, %673, FLOAT : (tensor<64x28x28x512xf32>, tensor<64x28x28x512xf32>) -> tensor<64x28x28x512xi1>
      %675 = stablehlo.convolution(%672, %arg228) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x512xf32>, tensor<1x1x512x128xf32>) -> tensor<64x28x28x128xf32>
      %cst_166 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %676 = stablehlo.reduce(%675 init: %cst_166) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %cst_167 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %677 = stablehlo.broadcast_in_dim %cst_167, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %678 = stablehlo.divide %676, %677 : tensor<128xf32>
      %679 = stablehlo.broadcast_in_dim %678, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %680 = stablehlo.broadcast_in_dim %679, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
      %681 = stablehlo.subtract %675, %680 : tensor<64x28x28x128xf32>
      %682 = stablehlo.broadcast_in_dim %678, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %683 = stablehlo.broadcast_in_dim %682, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
      %684 = stablehlo.subtract %675, %683 : tensor<64x28x28x128xf32>
      %685 = stablehlo.multiply %684, %684 : tensor<64x28x28x128xf32>
      %cst_168 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %686 = stablehlo.broadcast_in_dim %cst_168, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
      %687 = stablehlo.multiply %686, %684 : tensor<64x28x28x128xf32>
      %cst_169 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %688 = stablehlo.reduce(%685 init: %cst_169) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %cst_170 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %689 = stablehlo.broadcast_in_dim %cst_170, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %690 = stablehlo.divide %688, %689 : tensor<128xf32>
      %cst_171 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %691 = stablehlo.broadcast_in_dim %cst_171, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %692 = stablehlo.add %690, %691 : tensor<128xf32>
      %693 = stablehlo.rsqrt %692 : tensor<128xf32>
      %694 = stablehlo.divide %693, %692 : tensor<128xf32>
      %cst_172 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %695 = stablehlo.broadcast_in_dim %cst_172, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %696 = stablehlo.multiply %695, %694 : tensor<128xf32>
      %697 = stablehlo.multiply %693, %arg229 : tensor<128xf32>
      %698 = stablehlo.broadcast_in_dim %697, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %699 = stablehlo.broadcast_in_dim %698, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
      %700 = stablehlo.multiply %681, %699 : tensor<64x28x28x128xf32>
      %701 = stablehlo.broadcast_in_dim %arg230, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %702 = stablehlo.broadcast_in_dim %701, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
      %703 = stablehlo.add %700, %702 : tensor<64x28x28x128xf32>
      %704 = func.call @relu_3(%703) : (tensor<64x28x28x128xf32>) -> tensor<64x28x28x128xf32>
      %cst_173 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %705 = stablehlo.broadcast_in_dim %cst_173, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
      %706 = stablehlo.compare GT, %703, %705, FLOAT : (tensor<64x28x28x128xf32>, tensor<64x28x28x128xf32>) -> tensor<64x28x28x128xi1>
      %707 = stablehlo.convolution(%704, %arg231) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<3x3x128x128xf32>) -> tensor<64x28x28x128xf32>
      %cst_174 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %708 = stablehlo.reduce(%707 init: %cst_174) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %cst_175 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %709 = stablehlo.broadcast_in_dim %cst_175, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %710 = stablehlo.divide %708, %709 : tensor<128xf32>
      %711 = stablehlo.broadcast_in_dim %710, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %712 = stablehlo.broadcast_in_dim %711, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
      %713 = stablehlo.subtract %707, %712 : tensor<64x28x28x128xf32>
      %714 = stablehlo.broadcast_in_dim %710, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %715 = stablehlo.broadcast_in_dim %714, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
      %716 = stablehlo.subtract %707, %715 : tensor<64x28x28x128xf32>
      %717 = stablehlo.multiply %716, %716 : tensor<64x28x28x128xf32>
      %cst_176 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %718 = stablehlo.broadcast_in_dim %cst_176, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
      %719 = stablehlo.multiply %718, %716 : tensor<64x28x28x128xf32>
      %cst_177 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %720 = stablehlo.reduce(%717 init: %cst_177) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %cst_178 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %721 = stablehlo.broadcast_in_dim %cst_178, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %722 = stablehlo.divide %720, %721 : tensor<128xf32>
      %cst_179 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %723 = stablehlo.broadcast_in_dim %cst_179, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %724 = stablehlo.add %722, %723 : tensor<128xf32>
      %725 = stablehlo.rsqrt %724 : tensor<128xf32>
      %726 = stablehlo.divide %725, %724 : tensor<128xf32>
      %cst_180 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %727 = stablehlo.broadcast_in_dim %cst_180, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %728 = stablehlo.multiply %727, %726 : tensor<128xf32>
      %729 = stablehlo.multiply %725, %arg232 : tensor<128xf32>
      %730 = stablehlo.broadcast_in_dim %729, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %731 = stablehlo.broadcast_in_dim %730, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
      %732 = stablehlo.multiply %713, %731 : tensor<64x28x28x128xf32>
      %733 = stablehlo.broadcast_in_dim %arg233, dims = [3] : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %734 = stablehlo.broadcast_in_dim %733, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
      %735 = stablehlo.add %732, %734 : tensor<64x28x28x128xf32>
      %736 = func.call @relu_3(%735) : (tensor<64x28x28x128xf32>) -> tensor<64x28x28x128xf32>
      %cst_181 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %737 = stablehlo.broadcast_in_dim %cst_181, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
      %738 = stablehlo.compare GT, %735, %737, FLOAT : (tensor<64x28x28x128xf32>, tensor<64x28x28x128xf32>) -> tensor<64x28x28x128xi1>
      %739 = stablehlo.convolution(%736, %arg234) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<1x1x128x512xf32>) -> tensor<64x28x28x512xf32>
      %cst_182 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %740 = stablehlo.reduce(%739 init: %cst_182) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
      %cst_183 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %741 = stablehlo.broadcast_in_dim %cst_183, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %742 = stablehlo.divide %740, %741 : tensor<512xf32>
      %743 = stablehlo.broadcast_in_dim %742, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %744 = stablehlo.broadcast_in_dim %743, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
      %745 = stablehlo.subtract %739, %744 : tensor<64x28x28x512xf32>
      %746 = stablehlo.broadcast_in_dim %742, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %747 = stablehlo.broadcast_in_dim %746, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
      %748 = stablehlo.subtract %739, %747 : tensor<64x28x28x512xf32>
      %749 = stablehlo.multiply %748, %748 : tensor<64x28x28x512xf32>
      %cst_184 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %750 = stablehlo.broadcast_in_dim %cst_184, dims = [] : (tensor<f32>) -> tensor<64x28x28x512xf32>
      %751 = stablehlo.multiply %750, %748 : tensor<64x28x28x512xf32>
      %cst_185 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %752 = stablehlo.reduce(%749 init: %cst_185) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
      %cst_186 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %753 = stablehlo.broadcast_in_dim %cst_186, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %754 = stablehlo.divide %752, %753 : tensor<512xf32>
      %cst_187 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %755 = stablehlo.broadcast_in_dim %cst_187, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %756 = stablehlo.add %754, %755 : tensor<512xf32>
      %757 = stablehlo.rsqrt %756 : tensor<512xf32>
      %758 = stablehlo.divide %757, %756 : tensor<512xf32>
      %cst_188 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %759 = stablehlo.broadcast_in_dim %cst_188, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %760 = stablehlo.multiply %759, %758 : tensor<512xf32>
      %761 = stablehlo.multiply %757, %arg235 : tensor<512xf32>
      %762 = stablehlo.broadcast_in_dim %761, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %763 = stablehlo.broadcast_in_dim %762, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
      %764 = stablehlo.multiply %745, %763 : tensor<64x28x28x512xf32>
      %765 = stablehlo.broadcast_in_dim %arg236, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %766 = stablehlo.broadcast_in_dim %765, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
      %767 = stablehlo.add %764, %766 : tensor<64x28x28x512xf32>
      %768 = stablehlo.add %767, %672 : tensor<64x28x28x512xf32>
      %769 = func.call @relu_4(%768) : (tensor<64x28x28x512xf32>) -> tensor<64x28x28x512xf32>
      %cst_189 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %770 = stablehlo.broadcast_in_dim %cst_189, dims = [] : (tensor<f32>) -> tensor<64x28x28x512xf32>
      %771 = stablehlo.compare GT, %768, %770, FLOAT : (tensor<64x28x28x512xf32>, tensor<64x28x28x512xf32>) -> tensor<64x28x28x512xi1>
      %772 = stablehlo.convolution(%769, %arg237) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x512xf32>, tensor<1x1x512x256xf32>) -> tensor<64x28x28x256xf32>
      %cst_190 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %773 = stablehlo.reduce(%772 init: %cst_190) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x256xf32>, tensor<f32>) -> tensor<256xf32>
      %cst_191 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %774 = stablehlo.broadcast_in_dim %cst_191, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %775 = stablehlo.divide %773, %774 : tensor<256xf32>
      %776 = stablehlo.broadcast_in_dim %775, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %777 = stablehlo.broadcast_in_dim %776, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x28x28x256xf32>
      %778 = stablehlo.subtract %772, %777 : tensor<64x28x28x256xf32>
      %779 = stablehlo.broadcast_in_dim %775, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %780 = stablehlo.broadcast_in_dim %779, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x28x28x256xf32>
      %781 = stablehlo.subtract %772, %780 : tensor<64x28x28x256xf32>
      %782 = stablehlo.multiply %781, %781 : tensor<64x28x28x256xf32>
      %cst_192 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %783 = stablehlo.broadcast_in_dim %cst_192, dims = [] : (tensor<f32>) -> tensor<64x28x28x256xf32>
      %784 = stablehlo.multiply %783, %781 : tensor<64x28x28x256xf32>
      %cst_193 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %785 = stablehlo.reduce(%782 init: %cst_193) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x256xf32>, tensor<f32>) -> tensor<256xf32>
      %cst_194 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %786 = stablehlo.broadcast_in_dim %cst_194, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %787 = stablehlo.divide %785, %786 : tensor<256xf32>
      %cst_195 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %788 = stablehlo.broadcast_in_dim %cst_195, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %789 = stablehlo.add %787, %788 : tensor<256xf32>
      %790 = stablehlo.rsqrt %789 : tensor<256xf32>
      %791 = stablehlo.divide %790, %789 : tensor<256xf32>
      %cst_196 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %792 = stablehlo.broadcast_in_dim %cst_196, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %793 = stablehlo.multiply %792, %791 : tensor<256xf32>
      %794 = stablehlo.multiply %790, %arg238 : tensor<256xf32>
      %795 = stablehlo.broadcast_in_dim %794, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %796 = stablehlo.broadcast_in_dim %795, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x28x28x256xf32>
      %797 = stablehlo.multiply %778, %796 : tensor<64x28x28x256xf32>
      %798 = stablehlo.broadcast_in_dim %arg239, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %799 = stablehlo.broadcast_in_dim %798, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x28x28x256xf32>
      %800 = stablehlo.add %797, %799 : tensor<64x28x28x256xf32>
      %801 = func.call @relu_5(%800) : (tensor<64x28x28x256xf32>) -> tensor<64x28x28x256xf32>
      %cst_197 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %802 = stablehlo.broadcast_in_dim %cst_197, dims = [] : (tensor<f32>) -> tensor<64x28x28x256xf32>
      %803 = stablehlo.compare GT, %800, %802, FLOAT : (tensor<64x28x28x256xf32>, tensor<64x28x28x256xf32>) -> tensor<64x28x28x256xi1>
      %804 = stablehlo.convolution(%801, %arg240) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x256xf32>, tensor<3x3x256x256xf32>) -> tensor<64x14x14x256xf32>
      %cst_198 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %805 = stablehlo.reduce(%804 init: %cst_198) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %cst_199 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %806 = stablehlo.broadcast_in_dim %cst_199, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %807 = stablehlo.divide %805, %806 : tensor<256xf32>
      %808 = stablehlo.broadcast_in_dim %807, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %809 = stablehlo.broadcast_in_dim %808, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %810 = stablehlo.subtract %804, %809 : tensor<64x14x14x256xf32>
      %811 = stablehlo.broadcast_in_dim %807, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %812 = stablehlo.broadcast_in_dim %811, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %813 = stablehlo.subtract %804, %812 : tensor<64x14x14x256xf32>
      %814 = stablehlo.multiply %813, %813 : tensor<64x14x14x256xf32>
      %cst_200 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %815 = stablehlo.broadcast_in_dim %cst_200, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
      %816 = stablehlo.multiply %815, %813 : tensor<64x14x14x256xf32>
      %cst_201 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %817 = stablehlo.reduce(%814 init: %cst_201) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %cst_202 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %818 = stablehlo.broadcast_in_dim %cst_202, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %819 = stablehlo.divide %817, %818 : tensor<256xf32>
      %cst_203 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %820 = stablehlo.broadcast_in_dim %cst_203, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %821 = stablehlo.add %819, %820 : tensor<256xf32>
      %822 = stablehlo.rsqrt %821 : tensor<256xf32>
      %823 = stablehlo.divide %822, %821 : tensor<256xf32>
      %cst_204 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %824 = stablehlo.broadcast_in_dim %cst_204, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %825 = stablehlo.multiply %824, %823 : tensor<256xf32>
      %826 = stablehlo.multiply %822, %arg241 : tensor<256xf32>
      %827 = stablehlo.broadcast_in_dim %826, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %828 = stablehlo.broadcast_in_dim %827, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %829 = stablehlo.multiply %810, %828 : tensor<64x14x14x256xf32>
      %830 = stablehlo.broadcast_in_dim %arg242, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %831 = stablehlo.broadcast_in_dim %830, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %832 = stablehlo.add %829, %831 : tensor<64x14x14x256xf32>
      %833 = func.call @relu_6(%832) : (tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xf32>
      %cst_205 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %834 = stablehlo.broadcast_in_dim %cst_205, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
      %835 = stablehlo.compare GT, %832, %834, FLOAT : (tensor<64x14x14x256xf32>, tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xi1>
      %836 = stablehlo.convolution(%833, %arg243) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<1x1x256x1024xf32>) -> tensor<64x14x14x1024xf32>
      %cst_206 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %837 = stablehlo.reduce(%836 init: %cst_206) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %cst_207 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %838 = stablehlo.broadcast_in_dim %cst_207, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %839 = stablehlo.divide %837, %838 : tensor<1024xf32>
      %840 = stablehlo.broadcast_in_dim %839, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %841 = stablehlo.broadcast_in_dim %840, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
      %842 = stablehlo.subtract %836, %841 : tensor<64x14x14x1024xf32>
      %843 = stablehlo.broadcast_in_dim %839, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %844 = stablehlo.broadcast_in_dim %843, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
      %845 = stablehlo.subtract %836, %844 : tensor<64x14x14x1024xf32>
      %846 = stablehlo.multiply %845, %845 : tensor<64x14x14x1024xf32>
      %cst_208 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %847 = stablehlo.broadcast_in_dim %cst_208, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
      %848 = stablehlo.multiply %847, %845 : tensor<64x14x14x1024xf32>
      %cst_209 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %849 = stablehlo.reduce(%846 init: %cst_209) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %cst_210 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %850 = stablehlo.broadcast_in_dim %cst_210, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %851 = stablehlo.divide %849, %850 : tensor<1024xf32>
      %cst_211 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %852 = stablehlo.broadcast_in_dim %cst_211, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %853 = stablehlo.add %851, %852 : tensor<1024xf32>
      %854 = stablehlo.rsqrt %853 : tensor<1024xf32>
      %855 = stablehlo.divide %854, %853 : tensor<1024xf32>
      %cst_212 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %856 = stablehlo.broadcast_in_dim %cst_212, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %857 = stablehlo.multiply %856, %855 : tensor<1024xf32>
      %858 = stablehlo.multiply %854, %arg244 : tensor<1024xf32>
      %859 = stablehlo.broadcast_in_dim %858, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %860 = stablehlo.broadcast_in_dim %859, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
      %861 = stablehlo.multiply %842, %860 : tensor<64x14x14x1024xf32>
      %862 = stablehlo.broadcast_in_dim %arg245, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %863 = stablehlo.broadcast_in_dim %862, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
      %864 = stablehlo.add %861, %863 : tensor<64x14x14x1024xf32>
      %865 = stablehlo.convolution(%769, %arg246) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x512xf32>, tensor<1x1x512x1024xf32>) -> tensor<64x14x14x1024xf32>
      %cst_213 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %866 = stablehlo.reduce(%865 init: %cst_213) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %cst_214 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %867 = stablehlo.broadcast_in_dim %cst_214, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %868 = stablehlo.divide %866, %867 : tensor<1024xf32>
      %869 = stablehlo.broadcast_in_dim %868, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %870 = stablehlo.broadcast_in_dim %869, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
      %871 = stablehlo.subtract %865, %870 : tensor<64x14x14x1024xf32>
      %872 = stablehlo.broadcast_in_dim %868, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %873 = stablehlo.broadcast_in_dim %872, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
      %874 = stablehlo.subtract %865, %873 : tensor<64x14x14x1024xf32>
      %875 = stablehlo.multiply %874, %874 : tensor<64x14x14x1024xf32>
      %cst_215 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %876 = stablehlo.broadcast_in_dim %cst_215, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
      %877 = stablehlo.multiply %876, %874 : tensor<64x14x14x1024xf32>
      %cst_216 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %878 = stablehlo.reduce(%875 init: %cst_216) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %cst_217 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %879 = stablehlo.broadcast_in_dim %cst_217, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %880 = stablehlo.divide %878, %879 : tensor<1024xf32>
      %cst_218 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %881 = stablehlo.broadcast_in_dim %cst_218, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %882 = stablehlo.add %880, %881 : tensor<1024xf32>
      %883 = stablehlo.rsqrt %882 : tensor<1024xf32>
      %884 = stablehlo.divide %883, %882 : tensor<1024xf32>
      %cst_219 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %885 = stablehlo.broadcast_in_dim %cst_219, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %886 = stablehlo.multiply %885, %884 : tensor<1024xf32>
      %887 = stablehlo.multiply %883, %arg247 : tensor<1024xf32>
      %888 = stablehlo.broadcast_in_dim %887, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %889 = stablehlo.broadcast_in_dim %888, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
      %890 = stablehlo.multiply %871, %889 : tensor<64x14x14x1024xf32>
      %891 = stablehlo.broadcast_in_dim %arg248, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %892 = stablehlo.broadcast_in_dim %891, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
      %893 = stablehlo.add %890, %892 : tensor<64x14x14x1024xf32>
      %894 = stablehlo.add %864, %893 : tensor<64x14x14x1024xf32>
      %895 = func.call @relu_7(%894) : (tensor<64x14x14x1024xf32>) -> tensor<64x14x14x1024xf32>
      %cst_220 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %896 = stablehlo.broadcast_in_dim %cst_220, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
      %897 = stablehlo.compare GT, %894, %896, FLOAT : (tensor<64x14x14x1024xf32>, tensor<64x14x14x1024xf32>) -> tensor<64x14x14x1024xi1>
      %898 = stablehlo.convolution(%895, %arg249) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<1x1x1024x256xf32>) -> tensor<64x14x14x256xf32>
      %cst_221 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %899 = stablehlo.reduce(%898 init: %cst_221) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %cst_222 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %900 = stablehlo.broadcast_in_dim %cst_222, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %901 = stablehlo.divide %899, %900 : tensor<256xf32>
      %902 = stablehlo.broadcast_in_dim %901, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %903 = stablehlo.broadcast_in_dim %902, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %904 = stablehlo.subtract %898, %903 : tensor<64x14x14x256xf32>
      %905 = stablehlo.broadcast_in_dim %901, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %906 = stablehlo.broadcast_in_dim %905, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %907 = stablehlo.subtract %898, %906 : tensor<64x14x14x256xf32>
      %908 = stablehlo.multiply %907, %907 : tensor<64x14x14x256xf32>
      %cst_223 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %909 = stablehlo.broadcast_in_dim %cst_223, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
      %910 = stablehlo.multiply %909, %907 : tensor<64x14x14x256xf32>
      %cst_224 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %911 = stablehlo.reduce(%908 init: %cst_224) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %cst_225 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %912 = stablehlo.broadcast_in_dim %cst_225, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %913 = stablehlo.divide %911, %912 : tensor<256xf32>
      %cst_226 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %914 = stablehlo.broadcast_in_dim %cst_226, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %915 = stablehlo.add %913, %914 : tensor<256xf32>
      %916 = stablehlo.rsqrt %915 : tensor<256xf32>
      %917 = stablehlo.divide %916, %915 : tensor<256xf32>
      %cst_227 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %918 = stablehlo.broadcast_in_dim %cst_227, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %919 = stablehlo.multiply %918, %917 : tensor<256xf32>
      %920 = stablehlo.multiply %916, %arg250 : tensor<256xf32>
      %921 = stablehlo.broadcast_in_dim %920, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %922 = stablehlo.broadcast_in_dim %921, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %923 = stablehlo.multiply %904, %922 : tensor<64x14x14x256xf32>
      %924 = stablehlo.broadcast_in_dim %arg251, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %925 = stablehlo.broadcast_in_dim %924, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %926 = stablehlo.add %923, %925 : tensor<64x14x14x256xf32>
      %927 = func.call @relu_6(%926) : (tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xf32>
      %cst_228 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %928 = stablehlo.broadcast_in_dim %cst_228, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
      %929 = stablehlo.compare GT, %926, %928, FLOAT : (tensor<64x14x14x256xf32>, tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xi1>
      %930 = stablehlo.convolution(%927, %arg252) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<3x3x256x256xf32>) -> tensor<64x14x14x256xf32>
      %cst_229 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %931 = stablehlo.reduce(%930 init: %cst_229) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %cst_230 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %932 = stablehlo.broadcast_in_dim %cst_230, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %933 = stablehlo.divide %931, %932 : tensor<256xf32>
      %934 = stablehlo.broadcast_in_dim %933, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %935 = stablehlo.broadcast_in_dim %934, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %936 = stablehlo.subtract %930, %935 : tensor<64x14x14x256xf32>
      %937 = stablehlo.broadcast_in_dim %933, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %938 = stablehlo.broadcast_in_dim %937, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %939 = stablehlo.subtract %930, %938 : tensor<64x14x14x256xf32>
      %940 = stablehlo.multiply %939, %939 : tensor<64x14x14x256xf32>
      %cst_231 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %941 = stablehlo.broadcast_in_dim %cst_231, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
      %942 = stablehlo.multiply %941, %939 : tensor<64x14x14x256xf32>
      %cst_232 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %943 = stablehlo.reduce(%940 init: %cst_232) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %cst_233 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %944 = stablehlo.broadcast_in_dim %cst_233, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %945 = stablehlo.divide %943, %944 : tensor<256xf32>
      %cst_234 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %946 = stablehlo.broadcast_in_dim %cst_234, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %947 = stablehlo.add %945, %946 : tensor<256xf32>
      %948 = stablehlo.rsqrt %947 : tensor<256xf32>
      %949 = stablehlo.divide %948, %947 : tensor<256xf32>
      %cst_235 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %950 = stablehlo.broadcast_in_dim %cst_235, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %951 = stablehlo.multiply %950, %949 : tensor<256xf32>
      %952 = stablehlo.multiply %948, %arg253 : tensor<256xf32>
      %953 = stablehlo.broadcast_in_dim %952, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %954 = stablehlo.broadcast_in_dim %953, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %955 = stablehlo.multiply %936, %954 : tensor<64x14x14x256xf32>
      %956 = stablehlo.broadcast_in_dim %arg254, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %957 = stablehlo.broadcast_in_dim %956, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %958 = stablehlo.add %955, %957 : tensor<64x14x14x256xf32>
      %959 = func.call @relu_6(%958) : (tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xf32>
      %cst_236 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %960 = stablehlo.broadcast_in_dim %cst_236, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
      %961 = stablehlo.compare GT, %958, %960, FLOAT : (tensor<64x14x14x256xf32>, tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xi1>
      %962 = stablehlo.convolution(%959, %arg255) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<1x1x256x1024xf32>) -> tensor<64x14x14x1024xf32>
      %cst_237 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %963 = stablehlo.reduce(%962 init: %cst_237) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %cst_238 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %964 = stablehlo.broadcast_in_dim %cst_238, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %965 = stablehlo.divide %963, %964 : tensor<1024xf32>
      %966 = stablehlo.broadcast_in_dim %965, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %967 = stablehlo.broadcast_in_dim %966, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
      %968 = stablehlo.subtract %962, %967 : tensor<64x14x14x1024xf32>
      %969 = stablehlo.broadcast_in_dim %965, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %970 = stablehlo.broadcast_in_dim %969, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
      %971 = stablehlo.subtract %962, %970 : tensor<64x14x14x1024xf32>
      %972 = stablehlo.multiply %971, %971 : tensor<64x14x14x1024xf32>
      %cst_239 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %973 = stablehlo.broadcast_in_dim %cst_239, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
      %974 = stablehlo.multiply %973, %971 : tensor<64x14x14x1024xf32>
      %cst_240 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %975 = stablehlo.reduce(%972 init: %cst_240) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %cst_241 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %976 = stablehlo.broadcast_in_dim %cst_241, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %977 = stablehlo.divide %975, %976 : tensor<1024xf32>
      %cst_242 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %978 = stablehlo.broadcast_in_dim %cst_242, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %979 = stablehlo.add %977, %978 : tensor<1024xf32>
      %980 = stablehlo.rsqrt %979 : tensor<1024xf32>
      %981 = stablehlo.divide %980, %979 : tensor<1024xf32>
      %cst_243 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %982 = stablehlo.broadcast_in_dim %cst_243, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %983 = stablehlo.multiply %982, %981 : tensor<1024xf32>
      %984 = stablehlo.multiply %980, %arg256 : tensor<1024xf32>
      %985 = stablehlo.broadcast_in_dim %984, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %986 = stablehlo.broadcast_in_dim %985, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
      %987 = stablehlo.multiply %968, %986 : tensor<64x14x14x1024xf32>
      %988 = stablehlo.broadcast_in_dim %arg257, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %989 = stablehlo.broadcast_in_dim %988, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
      %990 = stablehlo.add %987, %989 : tensor<64x14x14x1024xf32>
      %991 = stablehlo.add %990, %895 : tensor<64x14x14x1024xf32>
      %992 = func.call @relu_7(%991) : (tensor<64x14x14x1024xf32>) -> tensor<64x14x14x1024xf32>
      %cst_244 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %993 = stablehlo.broadcast_in_dim %cst_244, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
      %994 = stablehlo.compare GT, %991, %993, FLOAT : (tensor<64x14x14x1024xf32>, tensor<64x14x14x1024xf32>) -> tensor<64x14x14x1024xi1>
      %995 = stablehlo.convolution(%992, %arg258) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<1x1x1024x256xf32>) -> tensor<64x14x14x256xf32>
      %cst_245 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %996 = stablehlo.reduce(%995 init: %cst_245) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %cst_246 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %997 = stablehlo.broadcast_in_dim %cst_246, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %998 = stablehlo.divide %996, %997 : tensor<256xf32>
      %999 = stablehlo.broadcast_in_dim %998, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %1000 = stablehlo.broadcast_in_dim %999, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %1001 = stablehlo.subtract %995, %1000 : tensor<64x14x14x256xf32>
      %1002 = stablehlo.broadcast_in_dim %998, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %1003 = stablehlo.broadcast_in_dim %1002, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %1004 = stablehlo.subtract %995, %1003 : tensor<64x14x14x256xf32>
      %1005 = stablehlo.multiply %1004, %1004 : tensor<64x14x14x256xf32>
      %cst_247 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %1006 = stablehlo.broadcast_in_dim %cst_247, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
      %1007 = stablehlo.multiply %1006, %1004 : tensor<64x14x14x256xf32>
      %cst_248 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1008 = stablehlo.reduce(%1005 init: %cst_248) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %cst_249 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %1009 = stablehlo.broadcast_in_dim %cst_249, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %1010 = stablehlo.divide %1008, %1009 : tensor<256xf32>
      %cst_250 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %1011 = stablehlo.broadcast_in_dim %cst_250, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %1012 = stablehlo.add %1010, %1011 : tensor<256xf32>
      %1013 = stablehlo.rsqrt %1012 : tensor<256xf32>
      %1014 = stablehlo.divide %1013, %1012 : tensor<256xf32>
      %cst_251 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %1015 = stablehlo.broadcast_in_dim %cst_251, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %1016 = stablehlo.multiply %1015, %1014 : tensor<256xf32>
      %1017 = stablehlo.multiply %1013, %arg259 : tensor<256xf32>
      %1018 = stablehlo.broadcast_in_dim %1017, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %1019 = stablehlo.broadcast_in_dim %1018, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %1020 = stablehlo.multiply %1001, %1019 : tensor<64x14x14x256xf32>
      %1021 = stablehlo.broadcast_in_dim %arg260, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %1022 = stablehlo.broadcast_in_dim %1021, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %1023 = stablehlo.add %1020, %1022 : tensor<64x14x14x256xf32>
      %1024 = func.call @relu_6(%1023) : (tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xf32>
      %cst_252 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1025 = stablehlo.broadcast_in_dim %cst_252, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
      %1026 = stablehlo.compare GT, %1023, %1025, FLOAT : (tensor<64x14x14x256xf32>, tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xi1>
      %1027 = stablehlo.convolution(%1024, %arg261) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<3x3x256x256xf32>) -> tensor<64x14x14x256xf32>
      %cst_253 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1028 = stablehlo.reduce(%1027 init: %cst_253) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %cst_254 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %1029 = stablehlo.broadcast_in_dim %cst_254, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %1030 = stablehlo.divide %1028, %1029 : tensor<256xf32>
      %1031 = stablehlo.broadcast_in_dim %1030, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %1032 = stablehlo.broadcast_in_dim %1031, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %1033 = stablehlo.subtract %1027, %1032 : tensor<64x14x14x256xf32>
      %1034 = stablehlo.broadcast_in_dim %1030, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %1035 = stablehlo.broadcast_in_dim %1034, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %1036 = stablehlo.subtract %1027, %1035 : tensor<64x14x14x256xf32>
      %1037 = stablehlo.multiply %1036, %1036 : tensor<64x14x14x256xf32>
      %cst_255 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %1038 = stablehlo.broadcast_in_dim %cst_255, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
      %1039 = stablehlo.multiply %1038, %1036 : tensor<64x14x14x256xf32>
      %cst_256 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1040 = stablehlo.reduce(%1037 init: %cst_256) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %cst_257 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %1041 = stablehlo.broadcast_in_dim %cst_257, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %1042 = stablehlo.divide %1040, %1041 : tensor<256xf32>
      %cst_258 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %1043 = stablehlo.broadcast_in_dim %cst_258, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %1044 = stablehlo.add %1042, %1043 : tensor<256xf32>
      %1045 = stablehlo.rsqrt %1044 : tensor<256xf32>
      %1046 = stablehlo.divide %1045, %1044 : tensor<256xf32>
      %cst_259 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %1047 = stablehlo.broadcast_in_dim %cst_259, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %1048 = stablehlo.multiply %1047, %1046 : tensor<256xf32>
      %1049 = stablehlo.multiply %1045, %arg262 : tensor<256xf32>
      %1050 = stablehlo.broadcast_in_dim %1049, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %1051 = stablehlo.broadcast_in_dim %1050, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %1052 = stablehlo.multiply %1033, %1051 : tensor<64x14x14x256xf32>
      %1053 = stablehlo.broadcast_in_dim %arg263, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %1054 = stablehlo.broadcast_in_dim %1053, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %1055 = stablehlo.add %1052, %1054 : tensor<64x14x14x256xf32>
      %1056 = func.call @relu_6(%1055) : (tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xf32>
      %cst_260 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1057 = stablehlo.broadcast_in_dim %cst_260, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
      %1058 = stablehlo.compare GT, %1055, %1057, FLOAT : (tensor<64x14x14x256xf32>, tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xi1>
      %1059 = stablehlo.convolution(%1056, %arg264) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<1x1x256x1024xf32>) -> tensor<64x14x14x1024xf32>
      %cst_261 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1060 = stablehlo.reduce(%1059 init: %cst_261) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %cst_262 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %1061 = stablehlo.broadcast_in_dim %cst_262, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %1062 = stablehlo.divide %1060, %1061 : tensor<1024xf32>
      %1063 = stablehlo.broadcast_in_dim %1062, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %1064 = stablehlo.broadcast_in_dim %1063, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
      %1065 = stablehlo.subtract %1059, %1064 : tensor<64x14x14x1024xf32>
      %1066 = stablehlo.broadcast_in_dim %1062, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %1067 = stablehlo.broadcast_in_dim %1066, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
      %1068 = stablehlo.subtract %1059, %1067 : tensor<64x14x14x1024xf32>
      %1069 = stablehlo.multiply %1068, %1068 : tensor<64x14x14x1024xf32>
      %cst_263 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %1070 = stablehlo.broadcast_in_dim %cst_263, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
      %1071 = stablehlo.multiply %1070, %1068 : tensor<64x14x14x1024xf32>
      %cst_264 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1072 = stablehlo.reduce(%1069 init: %cst_264) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %cst_265 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %1073 = stablehlo.broadcast_in_dim %cst_265, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %1074 = stablehlo.divide %1072, %1073 : tensor<1024xf32>
      %cst_266 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %1075 = stablehlo.broadcast_in_dim %cst_266, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %1076 = stablehlo.add %1074, %1075 : tensor<1024xf32>
      %1077 = stablehlo.rsqrt %1076 : tensor<1024xf32>
      %1078 = stablehlo.divide %1077, %1076 : tensor<1024xf32>
      %cst_267 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %1079 = stablehlo.broadcast_in_dim %cst_267, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %1080 = stablehlo.multiply %1079, %1078 : tensor<1024xf32>
      %1081 = stablehlo.multiply %1077, %arg265 : tensor<1024xf32>
      %1082 = stablehlo.broadcast_in_dim %1081, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %1083 = stablehlo.broadcast_in_dim %1082, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
      %1084 = stablehlo.multiply %1065, %1083 : tensor<64x14x14x1024xf32>
      %1085 = stablehlo.broadcast_in_dim %arg266, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %1086 = stablehlo.broadcast_in_dim %1085, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
      %1087 = stablehlo.add %1084, %1086 : tensor<64x14x14x1024xf32>
      %1088 = stablehlo.add %1087, %992 : tensor<64x14x14x1024xf32>
      %1089 = func.call @relu_7(%1088) : (tensor<64x14x14x1024xf32>) -> tensor<64x14x14x1024xf32>
      %cst_268 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1090 = stablehlo.broadcast_in_dim %cst_268, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
      %1091 = stablehlo.compare GT, %1088, %1090, FLOAT : (tensor<64x14x14x1024xf32>, tensor<64x14x14x1024xf32>) -> tensor<64x14x14x1024xi1>
      %1092 = stablehlo.convolution(%1089, %arg267) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<1x1x1024x256xf32>) -> tensor<64x14x14x256xf32>
      %cst_269 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1093 = stablehlo.reduce(%1092 init: %cst_269) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %cst_270 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %1094 = stablehlo.broadcast_in_dim %cst_270, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %1095 = stablehlo.divide %1093, %1094 : tensor<256xf32>
      %1096 = stablehlo.broadcast_in_dim %1095, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %1097 = stablehlo.broadcast_in_dim %1096, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %1098 = stablehlo.subtract %1092, %1097 : tensor<64x14x14x256xf32>
      %1099 = stablehlo.broadcast_in_dim %1095, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %1100 = stablehlo.broadcast_in_dim %1099, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %1101 = stablehlo.subtract %1092, %1100 : tensor<64x14x14x256xf32>
      %1102 = stablehlo.multiply %1101, %1101 : tensor<64x14x14x256xf32>
      %cst_271 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %1103 = stablehlo.broadcast_in_dim %cst_271, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
      %1104 = stablehlo.multiply %1103, %1101 : tensor<64x14x14x256xf32>
      %cst_272 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1105 = stablehlo.reduce(%1102 init: %cst_272) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %cst_273 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %1106 = stablehlo.broadcast_in_dim %cst_273, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %1107 = stablehlo.divide %1105, %1106 : tensor<256xf32>
      %cst_274 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %1108 = stablehlo.broadcast_in_dim %cst_274, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %1109 = stablehlo.add %1107, %1108 : tensor<256xf32>
      %1110 = stablehlo.rsqrt %1109 : tensor<256xf32>
      %1111 = stablehlo.divide %1110, %1109 : tensor<256xf32>
      %cst_275 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %1112 = stablehlo.broadcast_in_dim %cst_275, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %1113 = stablehlo.multiply %1112, %1111 : tensor<256xf32>
      %1114 = stablehlo.multiply %1110, %arg268 : tensor<256xf32>
      %1115 = stablehlo.broadcast_in_dim %1114, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %1116 = stablehlo.broadcast_in_dim %1115, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %1117 = stablehlo.multiply %1098, %1116 : tensor<64x14x14x256xf32>
      %1118 = stablehlo.broadcast_in_dim %arg269, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %1119 = stablehlo.broadcast_in_dim %1118, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %1120 = stablehlo.add %1117, %1119 : tensor<64x14x14x256xf32>
      %1121 = func.call @relu_6(%1120) : (tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xf32>
      %cst_276 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1122 = stablehlo.broadcast_in_dim %cst_276, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
      %1123 = stablehlo.compare GT, %1120, %1122, FLOAT : (tensor<64x14x14x256xf32>, tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xi1>
      %1124 = stablehlo.convolution(%1121, %arg270) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<3x3x256x256xf32>) -> tensor<64x14x14x256xf32>
      %cst_277 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1125 = stablehlo.reduce(%1124 init: %cst_277) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %cst_278 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %1126 = stablehlo.broadcast_in_dim %cst_278, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %1127 = stablehlo.divide %1125, %1126 : tensor<256xf32>
      %1128 = stablehlo.broadcast_in_dim %1127, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %1129 = stablehlo.broadcast_in_dim %1128, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %1130 = stablehlo.subtract %1124, %1129 : tensor<64x14x14x256xf32>
      %1131 = stablehlo.broadcast_in_dim %1127, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %1132 = stablehlo.broadcast_in_dim %1131, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %1133 = stablehlo.subtract %1124, %1132 : tensor<64x14x14x256xf32>
      %1134 = stablehlo.multiply %1133, %1133 : tensor<64x14x14x256xf32>
      %cst_279 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %1135 = stablehlo.broadcast_in_dim %cst_279, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
      %1136 = stablehlo.multiply %1135, %1133 : tensor<64x14x14x256xf32>
      %cst_280 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1137 = stablehlo.reduce(%1134 init: %cst_280) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %cst_281 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %1138 = stablehlo.broadcast_in_dim %cst_281, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %1139 = stablehlo.divide %1137, %1138 : tensor<256xf32>
      %cst_282 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %1140 = stablehlo.broadcast_in_dim %cst_282, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %1141 = stablehlo.add %1139, %1140 : tensor<256xf32>
      %1142 = stablehlo.rsqrt %1141 : tensor<256xf32>
      %1143 = stablehlo.divide %1142, %1141 : tensor<256xf32>
      %cst_283 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %1144 = stablehlo.broadcast_in_dim %cst_283, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %1145 = stablehlo.multiply %1144, %1143 : tensor<256xf32>
      %1146 = stablehlo.multiply %1142, %arg271 : tensor<256xf32>
      %1147 = stablehlo.broadcast_in_dim %1146, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %1148 = stablehlo.broadcast_in_dim %1147, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %1149 = stablehlo.multiply %1130, %1148 : tensor<64x14x14x256xf32>
      %1150 = stablehlo.broadcast_in_dim %arg272, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %1151 = stablehlo.broadcast_in_dim %1150, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %1152 = stablehlo.add %1149, %1151 : tensor<64x14x14x256xf32>
      %1153 = func.call @relu_6(%1152) : (tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xf32>
      %cst_284 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1154 = stablehlo.broadcast_in_dim %cst_284, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
      %1155 = stablehlo.compare GT, %1152, %1154, FLOAT : (tensor<64x14x14x256xf32>, tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xi1>
      %1156 = stablehlo.convolution(%1153, %arg273) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<1x1x256x1024xf32>) -> tensor<64x14x14x1024xf32>
      %cst_285 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1157 = stablehlo.reduce(%1156 init: %cst_285) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %cst_286 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %1158 = stablehlo.broadcast_in_dim %cst_286, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %1159 = stablehlo.divide %1157, %1158 : tensor<1024xf32>
      %1160 = stablehlo.broadcast_in_dim %1159, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %1161 = stablehlo.broadcast_in_dim %1160, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
      %1162 = stablehlo.subtract %1156, %1161 : tensor<64x14x14x1024xf32>
      %1163 = stablehlo.broadcast_in_dim %1159, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %1164 = stablehlo.broadcast_in_dim %1163, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
      %1165 = stablehlo.subtract %1156, %1164 : tensor<64x14x14x1024xf32>
      %1166 = stablehlo.multiply %1165, %1165 : tensor<64x14x14x1024xf32>
      %cst_287 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %1167 = stablehlo.broadcast_in_dim %cst_287, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
      %1168 = stablehlo.multiply %1167, %1165 : tensor<64x14x14x1024xf32>
      %cst_288 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1169 = stablehlo.reduce(%1166 init: %cst_288) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %cst_289 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %1170 = stablehlo.broadcast_in_dim %cst_289, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %1171 = stablehlo.divide %1169, %1170 : tensor<1024xf32>
      %cst_290 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %1172 = stablehlo.broadcast_in_dim %cst_290, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %1173 = stablehlo.add %1171, %1172 : tensor<1024xf32>
      %1174 = stablehlo.rsqrt %1173 : tensor<1024xf32>
      %1175 = stablehlo.divide %1174, %1173 : tensor<1024xf32>
      %cst_291 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %1176 = stablehlo.broadcast_in_dim %cst_291, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %1177 = stablehlo.multiply %1176, %1175 : tensor<1024xf32>
      %1178 = stablehlo.multiply %1174, %arg274 : tensor<1024xf32>
      %1179 = stablehlo.broadcast_in_dim %1178, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %1180 = stablehlo.broadcast_in_dim %1179, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
      %1181 = stablehlo.multiply %1162, %1180 : tensor<64x14x14x1024xf32>
      %1182 = stablehlo.broadcast_in_dim %arg275, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %1183 = stablehlo.broadcast_in_dim %1182, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
      %1184 = stablehlo.add %1181, %1183 : tensor<64x14x14x1024xf32>
      %1185 = stablehlo.add %1184, %1089 : tensor<64x14x14x1024xf32>
      %1186 = func.call @relu_7(%1185) : (tensor<64x14x14x1024xf32>) -> tensor<64x14x14x1024xf32>
      %cst_292 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1187 = stablehlo.broadcast_in_dim %cst_292, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
      %1188 = stablehlo.compare GT, %1185, %1187, FLOAT : (tensor<64x14x14x1024xf32>, tensor<64x14x14x1024xf32>) -> tensor<64x14x14x1024xi1>
      %1189 = stablehlo.convolution(%1186, %arg276) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<1x1x1024x256xf32>) -> tensor<64x14x14x256xf32>
      %cst_293 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1190 = stablehlo.reduce(%1189 init: %cst_293) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %cst_294 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %1191 = stablehlo.broadcast_in_dim %cst_294, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %1192 = stablehlo.divide %1190, %1191 : tensor<256xf32>
      %1193 = stablehlo.broadcast_in_dim %1192, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %1194 = stablehlo.broadcast_in_dim %1193, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %1195 = stablehlo.subtract %1189, %1194 : tensor<64x14x14x256xf32>
      %1196 = stablehlo.broadcast_in_dim %1192, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %1197 = stablehlo.broadcast_in_dim %1196, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %1198 = stablehlo.subtract %1189, %1197 : tensor<64x14x14x256xf32>
      %1199 = stablehlo.multiply %1198, %1198 : tensor<64x14x14x256xf32>
      %cst_295 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %1200 = stablehlo.broadcast_in_dim %cst_295, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
      %1201 = stablehlo.multiply %1200, %1198 : tensor<64x14x14x256xf32>
      %cst_296 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1202 = stablehlo.reduce(%1199 init: %cst_296) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %cst_297 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %1203 = stablehlo.broadcast_in_dim %cst_297, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %1204 = stablehlo.divide %1202, %1203 : tensor<256xf32>
      %cst_298 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %1205 = stablehlo.broadcast_in_dim %cst_298, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %1206 = stablehlo.add %1204, %1205 : tensor<256xf32>
      %1207 = stablehlo.rsqrt %1206 : tensor<256xf32>
      %1208 = stablehlo.divide %1207, %1206 : tensor<256xf32>
      %cst_299 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %1209 = stablehlo.broadcast_in_dim %cst_299, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %1210 = stablehlo.multiply %1209, %1208 : tensor<256xf32>
      %1211 = stablehlo.multiply %1207, %arg277 : tensor<256xf32>
      %1212 = stablehlo.broadcast_in_dim %1211, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %1213 = stablehlo.broadcast_in_dim %1212, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %1214 = stablehlo.multiply %1195, %1213 : tensor<64x14x14x256xf32>
      %1215 = stablehlo.broadcast_in_dim %arg278, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %1216 = stablehlo.broadcast_in_dim %1215, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %1217 = stablehlo.add %1214, %1216 : tensor<64x14x14x256xf32>
      %1218 = func.call @relu_6(%1217) : (tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xf32>
      %cst_300 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1219 = stablehlo.broadcast_in_dim %cst_300, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
      %1220 = stablehlo.compare GT, %1217, %1219, FLOAT : (tensor<64x14x14x256xf32>, tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xi1>
      %1221 = stablehlo.convolution(%1218, %arg279) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<3x3x256x256xf32>) -> tensor<64x14x14x256xf32>
      %cst_301 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1222 = stablehlo.reduce(%1221 init: %cst_301) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %cst_302 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %1223 = stablehlo.broadcast_in_dim %cst_302, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %1224 = stablehlo.divide %1222, %1223 : tensor<256xf32>
      %1225 = stablehlo.broadcast_in_dim %1224, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %1226 = stablehlo.broadcast_in_dim %1225, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %1227 = stablehlo.subtract %1221, %1226 : tensor<64x14x14x256xf32>
      %1228 = stablehlo.broadcast_in_dim %1224, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %1229 = stablehlo.broadcast_in_dim %1228, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %1230 = stablehlo.subtract %1221, %1229 : tensor<64x14x14x256xf32>
      %1231 = stablehlo.multiply %1230, %1230 : tensor<64x14x14x256xf32>
      %cst_303 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %1232 = stablehlo.broadcast_in_dim %cst_303, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
      %1233 = stablehlo.multiply %1232, %1230 : tensor<64x14x14x256xf32>
      %cst_304 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1234 = stablehlo.reduce(%1231 init: %cst_304) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %cst_305 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %1235 = stablehlo.broadcast_in_dim %cst_305, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %1236 = stablehlo.divide %1234, %1235 : tensor<256xf32>
      %cst_306 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %1237 = stablehlo.broadcast_in_dim %cst_306, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %1238 = stablehlo.add %1236, %1237 : tensor<256xf32>
      %1239 = stablehlo.rsqrt %1238 : tensor<256xf32>
      %1240 = stablehlo.divide %1239, %1238 : tensor<256xf32>
      %cst_307 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %1241 = stablehlo.broadcast_in_dim %cst_307, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %1242 = stablehlo.multiply %1241, %1240 : tensor<256xf32>
      %1243 = stablehlo.multiply %1239, %arg280 : tensor<256xf32>
      %1244 = stablehlo.broadcast_in_dim %1243, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %1245 = stablehlo.broadcast_in_dim %1244, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %1246 = stablehlo.multiply %1227, %1245 : tensor<64x14x14x256xf32>
      %1247 = stablehlo.broadcast_in_dim %arg281, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %1248 = stablehlo.broadcast_in_dim %1247, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %1249 = stablehlo.add %1246, %1248 : tensor<64x14x14x256xf32>
      %1250 = func.call @relu_6(%1249) : (tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xf32>
      %cst_308 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1251 = stablehlo.broadcast_in_dim %cst_308, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
      %1252 = stablehlo.compare GT, %1249, %1251, FLOAT : (tensor<64x14x14x256xf32>, tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xi1>
      %1253 = stablehlo.convolution(%1250, %arg282) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<1x1x256x1024xf32>) -> tensor<64x14x14x1024xf32>
      %cst_309 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1254 = stablehlo.reduce(%1253 init: %cst_309) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %cst_310 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %1255 = stablehlo.broadcast_in_dim %cst_310, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %1256 = stablehlo.divide %1254, %1255 : tensor<1024xf32>
      %1257 = stablehlo.broadcast_in_dim %1256, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %1258 = stablehlo.broadcast_in_dim %1257, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
      %1259 = stablehlo.subtract %1253, %1258 : tensor<64x14x14x1024xf32>
      %1260 = stablehlo.broadcast_in_dim %1256, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %1261 = stablehlo.broadcast_in_dim %1260, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
      %1262 = stablehlo.subtract %1253, %1261 : tensor<64x14x14x1024xf32>
      %1263 = stablehlo.multiply %1262, %1262 : tensor<64x14x14x1024xf32>
      %cst_311 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %1264 = stablehlo.broadcast_in_dim %cst_311, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
      %1265 = stablehlo.multiply %1264, %1262 : tensor<64x14x14x1024xf32>
      %cst_312 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1266 = stablehlo.reduce(%1263 init: %cst_312) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %cst_313 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %1267 = stablehlo.broadcast_in_dim %cst_313, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %1268 = stablehlo.divide %1266, %1267 : tensor<1024xf32>
      %cst_314 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %1269 = stablehlo.broadcast_in_dim %cst_314, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %1270 = stablehlo.add %1268, %1269 : tensor<1024xf32>
      %1271 = stablehlo.rsqrt %1270 : tensor<1024xf32>
      %1272 = stablehlo.divide %1271, %1270 : tensor<1024xf32>
      %cst_315 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %1273 = stablehlo.broadcast_in_dim %cst_315, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %1274 = stablehlo.multiply %1273, %1272 : tensor<1024xf32>
      %1275 = stablehlo.multiply %1271, %arg283 : tensor<1024xf32>
      %1276 = stablehlo.broadcast_in_dim %1275, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %1277 = stablehlo.broadcast_in_dim %1276, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
      %1278 = stablehlo.multiply %1259, %1277 : tensor<64x14x14x1024xf32>
      %1279 = stablehlo.broadcast_in_dim %arg284, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %1280 = stablehlo.broadcast_in_dim %1279, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
      %1281 = stablehlo.add %1278, %1280 : tensor<64x14x14x1024xf32>
      %1282 = stablehlo.add %1281, %1186 : tensor<64x14x14x1024xf32>
      %1283 = func.call @relu_7(%1282) : (tensor<64x14x14x1024xf32>) -> tensor<64x14x14x1024xf32>
      %cst_316 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1284 = stablehlo.broadcast_in_dim %cst_316, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
      %1285 = stablehlo.compare GT, %1282, %1284, FLOAT : (tensor<64x14x14x1024xf32>, tensor<64x14x14x1024xf32>) -> tensor<64x14x14x1024xi1>
      %1286 = stablehlo.convolution(%1283, %arg285) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<1x1x1024x256xf32>) -> tensor<64x14x14x256xf32>
      %cst_317 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1287 = stablehlo.reduce(%1286 init: %cst_317) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %cst_318 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %1288 = stablehlo.broadcast_in_dim %cst_318, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %1289 = stablehlo.divide %1287, %1288 : tensor<256xf32>
      %1290 = stablehlo.broadcast_in_dim %1289, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %1291 = stablehlo.broadcast_in_dim %1290, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %1292 = stablehlo.subtract %1286, %1291 : tensor<64x14x14x256xf32>
      %1293 = stablehlo.broadcast_in_dim %1289, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %1294 = stablehlo.broadcast_in_dim %1293, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %1295 = stablehlo.subtract %1286, %1294 : tensor<64x14x14x256xf32>
      %1296 = stablehlo.multiply %1295, %1295 : tensor<64x14x14x256xf32>
      %cst_319 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %1297 = stablehlo.broadcast_in_dim %cst_319, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
      %1298 = stablehlo.multiply %1297, %1295 : tensor<64x14x14x256xf32>
      %cst_320 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1299 = stablehlo.reduce(%1296 init: %cst_320) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %cst_321 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %1300 = stablehlo.broadcast_in_dim %cst_321, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %1301 = stablehlo.divide %1299, %1300 : tensor<256xf32>
      %cst_322 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %1302 = stablehlo.broadcast_in_dim %cst_322, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %1303 = stablehlo.add %1301, %1302 : tensor<256xf32>
      %1304 = stablehlo.rsqrt %1303 : tensor<256xf32>
      %1305 = stablehlo.divide %1304, %1303 : tensor<256xf32>
      %cst_323 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %1306 = stablehlo.broadcast_in_dim %cst_323, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %1307 = stablehlo.multiply %1306, %1305 : tensor<256xf32>
      %1308 = stablehlo.multiply %1304, %arg286 : tensor<256xf32>
      %1309 = stablehlo.broadcast_in_dim %1308, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %1310 = stablehlo.broadcast_in_dim %1309, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %1311 = stablehlo.multiply %1292, %1310 : tensor<64x14x14x256xf32>
      %1312 = stablehlo.broadcast_in_dim %arg287, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %1313 = stablehlo.broadcast_in_dim %1312, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %1314 = stablehlo.add %1311, %1313 : tensor<64x14x14x256xf32>
      %1315 = func.call @relu_6(%1314) : (tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xf32>
      %cst_324 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1316 = stablehlo.broadcast_in_dim %cst_324, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
      %1317 = stablehlo.compare GT, %1314, %1316, FLOAT : (tensor<64x14x14x256xf32>, tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xi1>
      %1318 = stablehlo.convolution(%1315, %arg288) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<3x3x256x256xf32>) -> tensor<64x14x14x256xf32>
      %cst_325 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1319 = stablehlo.reduce(%1318 init: %cst_325) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %cst_326 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %1320 = stablehlo.broadcast_in_dim %cst_326, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %1321 = stablehlo.divide %1319, %1320 : tensor<256xf32>
      %1322 = stablehlo.broadcast_in_dim %1321, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %1323 = stablehlo.broadcast_in_dim %1322, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %1324 = stablehlo.subtract %1318, %1323 : tensor<64x14x14x256xf32>
      %1325 = stablehlo.broadcast_in_dim %1321, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %1326 = stablehlo.broadcast_in_dim %1325, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %1327 = stablehlo.subtract %1318, %1326 : tensor<64x14x14x256xf32>
      %1328 = stablehlo.multiply %1327, %1327 : tensor<64x14x14x256xf32>
      %cst_327 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %1329 = stablehlo.broadcast_in_dim %cst_327, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
      %1330 = stablehlo.multiply %1329, %1327 : tensor<64x14x14x256xf32>
      %cst_328 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1331 = stablehlo.reduce(%1328 init: %cst_328) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %cst_329 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %1332 = stablehlo.broadcast_in_dim %cst_329, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %1333 = stablehlo.divide %1331, %1332 : tensor<256xf32>
      %cst_330 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %1334 = stablehlo.broadcast_in_dim %cst_330, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %1335 = stablehlo.add %1333, %1334 : tensor<256xf32>
      %1336 = stablehlo.rsqrt %1335 : tensor<256xf32>
      %1337 = stablehlo.divide %1336, %1335 : tensor<256xf32>
      %cst_331 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %1338 = stablehlo.broadcast_in_dim %cst_331, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %1339 = stablehlo.multiply %1338, %1337 : tensor<256xf32>
      %1340 = stablehlo.multiply %1336, %arg289 : tensor<256xf32>
      %1341 = stablehlo.broadcast_in_dim %1340, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %1342 = stablehlo.broadcast_in_dim %1341, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %1343 = stablehlo.multiply %1324, %1342 : tensor<64x14x14x256xf32>
      %1344 = stablehlo.broadcast_in_dim %arg290, dims = [3] : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %1345 = stablehlo.broadcast_in_dim %1344, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %1346 = stablehlo.add %1343, %1345 : tensor<64x14x14x256xf32>
      %1347 = func.call @relu_6(%1346) : (tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xf32>
      %cst_332 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1348 = stablehlo.broadcast_in_dim %cst_332, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
      %1349 = stablehlo.compare GT, %1346, %1348, FLOAT : (tensor<64x14x14x256xf32>, tensor<64x14x14x256xf32>) -> tensor<64x14x14x256xi1>
      %1350 = stablehlo.convolution(%1347, %arg291) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<1x1x256x1024xf32>) -> tensor<64x14x14x1024xf32>
      %cst_333 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1351 = stablehlo.reduce(%1350 init: %cst_333) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %cst_334 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %1352 = stablehlo.broadcast_in_dim %cst_334, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %1353 = stablehlo.divide %1351, %1352 : tensor<1024xf32>
      %1354 = stablehlo.broadcast_in_dim %1353, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %1355 = stablehlo.broadcast_in_dim %1354, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
      %1356 = stablehlo.subtract %1350, %1355 : tensor<64x14x14x1024xf32>
      %1357 = stablehlo.broadcast_in_dim %1353, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %1358 = stablehlo.broadcast_in_dim %1357, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
      %1359 = stablehlo.subtract %1350, %1358 : tensor<64x14x14x1024xf32>
      %1360 = stablehlo.multiply %1359, %1359 : tensor<64x14x14x1024xf32>
      %cst_335 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %1361 = stablehlo.broadcast_in_dim %cst_335, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
      %1362 = stablehlo.multiply %1361, %1359 : tensor<64x14x14x1024xf32>
      %cst_336 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1363 = stablehlo.reduce(%1360 init: %cst_336) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %cst_337 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %1364 = stablehlo.broadcast_in_dim %cst_337, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %1365 = stablehlo.divide %1363, %1364 : tensor<1024xf32>
      %cst_338 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %1366 = stablehlo.broadcast_in_dim %cst_338, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %1367 = stablehlo.add %1365, %1366 : tensor<1024xf32>
      %1368 = stablehlo.rsqrt %1367 : tensor<1024xf32>
      %1369 = stablehlo.divide %1368, %1367 : tensor<1024xf32>
      %cst_339 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %1370 = stablehlo.broadcast_in_dim %cst_339, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %1371 = stablehlo.multiply %1370, %1369 : tensor<1024xf32>
      %1372 = stablehlo.multiply %1368, %arg292 : tensor<1024xf32>
      %1373 = stablehlo.broadcast_in_dim %1372, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %1374 = stablehlo.broadcast_in_dim %1373, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
      %1375 = stablehlo.multiply %1356, %1374 : tensor<64x14x14x1024xf32>
      %1376 = stablehlo.broadcast_in_dim %arg293, dims = [3] : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %1377 = stablehlo.broadcast_in_dim %1376, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
      %1378 = stablehlo.add %1375, %1377 : tensor<64x14x14x1024xf32>
      %1379 = stablehlo.add %1378, %1283 : tensor<64x14x14x1024xf32>
      %1380 = func.call @relu_7(%1379) : (tensor<64x14x14x1024xf32>) -> tensor<64x14x14x1024xf32>
      %cst_340 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1381 = stablehlo.broadcast_in_dim %cst_340, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
      %1382 = stablehlo.compare GT, %1379, %1381, FLOAT : (tensor<64x14x14x1024xf32>, tensor<64x14x14x1024xf32>) -> tensor<64x14x14x1024xi1>
      %1383 = stablehlo.convolution(%1380, %arg294) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<1x1x1024x512xf32>) -> tensor<64x14x14x512xf32>
      %cst_341 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1384 = stablehlo.reduce(%1383 init: %cst_341) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x512xf32>, tensor<f32>) -> tensor<512xf32>
      %cst_342 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %1385 = stablehlo.broadcast_in_dim %cst_342, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %1386 = stablehlo.divide %1384, %1385 : tensor<512xf32>
      %1387 = stablehlo.broadcast_in_dim %1386, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %1388 = stablehlo.broadcast_in_dim %1387, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x14x14x512xf32>
      %1389 = stablehlo.subtract %1383, %1388 : tensor<64x14x14x512xf32>
      %1390 = stablehlo.broadcast_in_dim %1386, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %1391 = stablehlo.broadcast_in_dim %1390, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x14x14x512xf32>
      %1392 = stablehlo.subtract %1383, %1391 : tensor<64x14x14x512xf32>
      %1393 = stablehlo.multiply %1392, %1392 : tensor<64x14x14x512xf32>
      %cst_343 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %1394 = stablehlo.broadcast_in_dim %cst_343, dims = [] : (tensor<f32>) -> tensor<64x14x14x512xf32>
      %1395 = stablehlo.multiply %1394, %1392 : tensor<64x14x14x512xf32>
      %cst_344 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1396 = stablehlo.reduce(%1393 init: %cst_344) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x512xf32>, tensor<f32>) -> tensor<512xf32>
      %cst_345 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %1397 = stablehlo.broadcast_in_dim %cst_345, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %1398 = stablehlo.divide %1396, %1397 : tensor<512xf32>
      %cst_346 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %1399 = stablehlo.broadcast_in_dim %cst_346, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %1400 = stablehlo.add %1398, %1399 : tensor<512xf32>
      %1401 = stablehlo.rsqrt %1400 : tensor<512xf32>
      %1402 = stablehlo.divide %1401, %1400 : tensor<512xf32>
      %cst_347 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %1403 = stablehlo.broadcast_in_dim %cst_347, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %1404 = stablehlo.multiply %1403, %1402 : tensor<512xf32>
      %1405 = stablehlo.multiply %1401, %arg295 : tensor<512xf32>
      %1406 = stablehlo.broadcast_in_dim %1405, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %1407 = stablehlo.broadcast_in_dim %1406, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x14x14x512xf32>
      %1408 = stablehlo.multiply %1389, %1407 : tensor<64x14x14x512xf32>
      %1409 = stablehlo.broadcast_in_dim %arg296, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %1410 = stablehlo.broadcast_in_dim %1409, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x14x14x512xf32>
      %1411 = stablehlo.add %1408, %1410 : tensor<64x14x14x512xf32>
      %1412 = func.call @relu_8(%1411) : (tensor<64x14x14x512xf32>) -> tensor<64x14x14x512xf32>
      %cst_348 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1413 = stablehlo.broadcast_in_dim %cst_348, dims = [] : (tensor<f32>) -> tensor<64x14x14x512xf32>
      %1414 = stablehlo.compare GT, %1411, %1413, FLOAT : (tensor<64x14x14x512xf32>, tensor<64x14x14x512xf32>) -> tensor<64x14x14x512xi1>
      %1415 = stablehlo.convolution(%1412, %arg297) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x512xf32>, tensor<3x3x512x512xf32>) -> tensor<64x7x7x512xf32>
      %cst_349 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1416 = stablehlo.reduce(%1415 init: %cst_349) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
      %cst_350 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
      %1417 = stablehlo.broadcast_in_dim %cst_350, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %1418 = stablehlo.divide %1416, %1417 : tensor<512xf32>
      %1419 = stablehlo.broadcast_in_dim %1418, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %1420 = stablehlo.broadcast_in_dim %1419, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
      %1421 = stablehlo.subtract %1415, %1420 : tensor<64x7x7x512xf32>
      %1422 = stablehlo.broadcast_in_dim %1418, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %1423 = stablehlo.broadcast_in_dim %1422, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
      %1424 = stablehlo.subtract %1415, %1423 : tensor<64x7x7x512xf32>
      %1425 = stablehlo.multiply %1424, %1424 : tensor<64x7x7x512xf32>
      %cst_351 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %1426 = stablehlo.broadcast_in_dim %cst_351, dims = [] : (tensor<f32>) -> tensor<64x7x7x512xf32>
      %1427 = stablehlo.multiply %1426, %1424 : tensor<64x7x7x512xf32>
      %cst_352 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1428 = stablehlo.reduce(%1425 init: %cst_352) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
      %cst_353 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
      %1429 = stablehlo.broadcast_in_dim %cst_353, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %1430 = stablehlo.divide %1428, %1429 : tensor<512xf32>
      %cst_354 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %1431 = stablehlo.broadcast_in_dim %cst_354, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %1432 = stablehlo.add %1430, %1431 : tensor<512xf32>
      %1433 = stablehlo.rsqrt %1432 : tensor<512xf32>
      %1434 = stablehlo.divide %1433, %1432 : tensor<512xf32>
      %cst_355 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %1435 = stablehlo.broadcast_in_dim %cst_355, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %1436 = stablehlo.multiply %1435, %1434 : tensor<512xf32>
      %1437 = stablehlo.multiply %1433, %arg298 : tensor<512xf32>
      %1438 = stablehlo.broadcast_in_dim %1437, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %1439 = stablehlo.broadcast_in_dim %1438, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
      %1440 = stablehlo.multiply %1421, %1439 : tensor<64x7x7x512xf32>
      %1441 = stablehlo.broadcast_in_dim %arg299, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %1442 = stablehlo.broadcast_in_dim %1441, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
      %1443 = stablehlo.add %1440, %1442 : tensor<64x7x7x512xf32>
      %1444 = func.call @relu_9(%1443) : (tensor<64x7x7x512xf32>) -> tensor<64x7x7x512xf32>
      %cst_356 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1445 = stablehlo.broadcast_in_dim %cst_356, dims = [] : (tensor<f32>) -> tensor<64x7x7x512xf32>
      %1446 = stablehlo.compare GT, %1443, %1445, FLOAT : (tensor<64x7x7x512xf32>, tensor<64x7x7x512xf32>) -> tensor<64x7x7x512xi1>
      %1447 = stablehlo.convolution(%1444, %arg300) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x512xf32>, tensor<1x1x512x2048xf32>) -> tensor<64x7x7x2048xf32>
      %cst_357 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1448 = stablehlo.reduce(%1447 init: %cst_357) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %cst_358 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
      %1449 = stablehlo.broadcast_in_dim %cst_358, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %1450 = stablehlo.divide %1448, %1449 : tensor<2048xf32>
      %1451 = stablehlo.broadcast_in_dim %1450, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
      %1452 = stablehlo.broadcast_in_dim %1451, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
      %1453 = stablehlo.subtract %1447, %1452 : tensor<64x7x7x2048xf32>
      %1454 = stablehlo.broadcast_in_dim %1450, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
      %1455 = stablehlo.broadcast_in_dim %1454, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
      %1456 = stablehlo.subtract %1447, %1455 : tensor<64x7x7x2048xf32>
      %1457 = stablehlo.multiply %1456, %1456 : tensor<64x7x7x2048xf32>
      %cst_359 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %1458 = stablehlo.broadcast_in_dim %cst_359, dims = [] : (tensor<f32>) -> tensor<64x7x7x2048xf32>
      %1459 = stablehlo.multiply %1458, %1456 : tensor<64x7x7x2048xf32>
      %cst_360 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1460 = stablehlo.reduce(%1457 init: %cst_360) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %cst_361 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
      %1461 = stablehlo.broadcast_in_dim %cst_361, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %1462 = stablehlo.divide %1460, %1461 : tensor<2048xf32>
      %cst_362 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %1463 = stablehlo.broadcast_in_dim %cst_362, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %1464 = stablehlo.add %1462, %1463 : tensor<2048xf32>
      %1465 = stablehlo.rsqrt %1464 : tensor<2048xf32>
      %1466 = stablehlo.divide %1465, %1464 : tensor<2048xf32>
      %cst_363 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %1467 = stablehlo.broadcast_in_dim %cst_363, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %1468 = stablehlo.multiply %1467, %1466 : tensor<2048xf32>
      %1469 = stablehlo.multiply %1465, %arg301 : tensor<2048xf32>
      %1470 = stablehlo.broadcast_in_dim %1469, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
      %1471 = stablehlo.broadcast_in_dim %1470, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
      %1472 = stablehlo.multiply %1453, %1471 : tensor<64x7x7x2048xf32>
      %1473 = stablehlo.broadcast_in_dim %arg302, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
      %1474 = stablehlo.broadcast_in_dim %1473, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
      %1475 = stablehlo.add %1472, %1474 : tensor<64x7x7x2048xf32>
      %1476 = stablehlo.convolution(%1380, %arg303) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<1x1x1024x2048xf32>) -> tensor<64x7x7x2048xf32>
      %cst_364 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1477 = stablehlo.reduce(%1476 init: %cst_364) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %cst_365 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
      %1478 = stablehlo.broadcast_in_dim %cst_365, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %1479 = stablehlo.divide %1477, %1478 : tensor<2048xf32>
      %1480 = stablehlo.broadcast_in_dim %1479, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
      %1481 = stablehlo.broadcast_in_dim %1480, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
      %1482 = stablehlo.subtract %1476, %1481 : tensor<64x7x7x2048xf32>
      %1483 = stablehlo.broadcast_in_dim %1479, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
      %1484 = stablehlo.broadcast_in_dim %1483, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
      %1485 = stablehlo.subtract %1476, %1484 : tensor<64x7x7x2048xf32>
      %1486 = stablehlo.multiply %1485, %1485 : tensor<64x7x7x2048xf32>
      %cst_366 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %1487 = stablehlo.broadcast_in_dim %cst_366, dims = [] : (tensor<f32>) -> tensor<64x7x7x2048xf32>
      %1488 = stablehlo.multiply %1487, %1485 : tensor<64x7x7x2048xf32>
      %cst_367 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1489 = stablehlo.reduce(%1486 init: %cst_367) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %cst_368 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
      %1490 = stablehlo.broadcast_in_dim %cst_368, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %1491 = stablehlo.divide %1489, %1490 : tensor<2048xf32>
      %cst_369 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %1492 = stablehlo.broadcast_in_dim %cst_369, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %1493 = stablehlo.add %1491, %1492 : tensor<2048xf32>
      %1494 = stablehlo.rsqrt %1493 : tensor<2048xf32>
      %1495 = stablehlo.divide %1494, %1493 : tensor<2048xf32>
      %cst_370 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %1496 = stablehlo.broadcast_in_dim %cst_370, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %1497 = stablehlo.multiply %1496, %1495 : tensor<2048xf32>
      %1498 = stablehlo.multiply %1494, %arg304 : tensor<2048xf32>
      %1499 = stablehlo.broadcast_in_dim %1498, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
      %1500 = stablehlo.broadcast_in_dim %1499, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
      %1501 = stablehlo.multiply %1482, %1500 : tensor<64x7x7x2048xf32>
      %1502 = stablehlo.broadcast_in_dim %arg305, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
      %1503 = stablehlo.broadcast_in_dim %1502, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
      %1504 = stablehlo.add %1501, %1503 : tensor<64x7x7x2048xf32>
      %1505 = stablehlo.add %1475, %1504 : tensor<64x7x7x2048xf32>
      %1506 = func.call @relu_10(%1505) : (tensor<64x7x7x2048xf32>) -> tensor<64x7x7x2048xf32>
      %cst_371 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1507 = stablehlo.broadcast_in_dim %cst_371, dims = [] : (tensor<f32>) -> tensor<64x7x7x2048xf32>
      %1508 = stablehlo.compare GT, %1505, %1507, FLOAT : (tensor<64x7x7x2048xf32>, tensor<64x7x7x2048xf32>) -> tensor<64x7x7x2048xi1>
      %1509 = stablehlo.convolution(%1506, %arg306) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x2048xf32>, tensor<1x1x2048x512xf32>) -> tensor<64x7x7x512xf32>
      %cst_372 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1510 = stablehlo.reduce(%1509 init: %cst_372) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
      %cst_373 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
      %1511 = stablehlo.broadcast_in_dim %cst_373, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %1512 = stablehlo.divide %1510, %1511 : tensor<512xf32>
      %1513 = stablehlo.broadcast_in_dim %1512, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %1514 = stablehlo.broadcast_in_dim %1513, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
      %1515 = stablehlo.subtract %1509, %1514 : tensor<64x7x7x512xf32>
      %1516 = stablehlo.broadcast_in_dim %1512, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %1517 = stablehlo.broadcast_in_dim %1516, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
      %1518 = stablehlo.subtract %1509, %1517 : tensor<64x7x7x512xf32>
      %1519 = stablehlo.multiply %1518, %1518 : tensor<64x7x7x512xf32>
      %cst_374 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %1520 = stablehlo.broadcast_in_dim %cst_374, dims = [] : (tensor<f32>) -> tensor<64x7x7x512xf32>
      %1521 = stablehlo.multiply %1520, %1518 : tensor<64x7x7x512xf32>
      %cst_375 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1522 = stablehlo.reduce(%1519 init: %cst_375) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
      %cst_376 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
      %1523 = stablehlo.broadcast_in_dim %cst_376, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %1524 = stablehlo.divide %1522, %1523 : tensor<512xf32>
      %cst_377 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %1525 = stablehlo.broadcast_in_dim %cst_377, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %1526 = stablehlo.add %1524, %1525 : tensor<512xf32>
      %1527 = stablehlo.rsqrt %1526 : tensor<512xf32>
      %1528 = stablehlo.divide %1527, %1526 : tensor<512xf32>
      %cst_378 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %1529 = stablehlo.broadcast_in_dim %cst_378, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %1530 = stablehlo.multiply %1529, %1528 : tensor<512xf32>
      %1531 = stablehlo.multiply %1527, %arg307 : tensor<512xf32>
      %1532 = stablehlo.broadcast_in_dim %1531, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %1533 = stablehlo.broadcast_in_dim %1532, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
      %1534 = stablehlo.multiply %1515, %1533 : tensor<64x7x7x512xf32>
      %1535 = stablehlo.broadcast_in_dim %arg308, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %1536 = stablehlo.broadcast_in_dim %1535, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
      %1537 = stablehlo.add %1534, %1536 : tensor<64x7x7x512xf32>
      %1538 = func.call @relu_9(%1537) : (tensor<64x7x7x512xf32>) -> tensor<64x7x7x512xf32>
      %cst_379 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1539 = stablehlo.broadcast_in_dim %cst_379, dims = [] : (tensor<f32>) -> tensor<64x7x7x512xf32>
      %1540 = stablehlo.compare GT, %1537, %1539, FLOAT : (tensor<64x7x7x512xf32>, tensor<64x7x7x512xf32>) -> tensor<64x7x7x512xi1>
      %1541 = stablehlo.convolution(%1538, %arg309) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x512xf32>, tensor<3x3x512x512xf32>) -> tensor<64x7x7x512xf32>
      %cst_380 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1542 = stablehlo.reduce(%1541 init: %cst_380) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
      %cst_381 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
      %1543 = stablehlo.broadcast_in_dim %cst_381, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %1544 = stablehlo.divide %1542, %1543 : tensor<512xf32>
      %1545 = stablehlo.broadcast_in_dim %1544, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %1546 = stablehlo.broadcast_in_dim %1545, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
      %1547 = stablehlo.subtract %1541, %1546 : tensor<64x7x7x512xf32>
      %1548 = stablehlo.broadcast_in_dim %1544, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %1549 = stablehlo.broadcast_in_dim %1548, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
      %1550 = stablehlo.subtract %1541, %1549 : tensor<64x7x7x512xf32>
      %1551 = stablehlo.multiply %1550, %1550 : tensor<64x7x7x512xf32>
      %cst_382 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %1552 = stablehlo.broadcast_in_dim %cst_382, dims = [] : (tensor<f32>) -> tensor<64x7x7x512xf32>
      %1553 = stablehlo.multiply %1552, %1550 : tensor<64x7x7x512xf32>
      %cst_383 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1554 = stablehlo.reduce(%1551 init: %cst_383) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
      %cst_384 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
      %1555 = stablehlo.broadcast_in_dim %cst_384, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %1556 = stablehlo.divide %1554, %1555 : tensor<512xf32>
      %cst_385 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %1557 = stablehlo.broadcast_in_dim %cst_385, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %1558 = stablehlo.add %1556, %1557 : tensor<512xf32>
      %1559 = stablehlo.rsqrt %1558 : tensor<512xf32>
      %1560 = stablehlo.divide %1559, %1558 : tensor<512xf32>
      %cst_386 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %1561 = stablehlo.broadcast_in_dim %cst_386, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %1562 = stablehlo.multiply %1561, %1560 : tensor<512xf32>
      %1563 = stablehlo.multiply %1559, %arg310 : tensor<512xf32>
      %1564 = stablehlo.broadcast_in_dim %1563, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %1565 = stablehlo.broadcast_in_dim %1564, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
      %1566 = stablehlo.multiply %1547, %1565 : tensor<64x7x7x512xf32>
      %1567 = stablehlo.broadcast_in_dim %arg311, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %1568 = stablehlo.broadcast_in_dim %1567, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
      %1569 = stablehlo.add %1566, %1568 : tensor<64x7x7x512xf32>
      %1570 = func.call @relu_9(%1569) : (tensor<64x7x7x512xf32>) -> tensor<64x7x7x512xf32>
      %cst_387 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1571 = stablehlo.broadcast_in_dim %cst_387, dims = [] : (tensor<f32>) -> tensor<64x7x7x512xf32>
      %1572 = stablehlo.compare GT, %1569, %1571, FLOAT : (tensor<64x7x7x512xf32>, tensor<64x7x7x512xf32>) -> tensor<64x7x7x512xi1>
      %1573 = stablehlo.convolution(%1570, %arg312) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x512xf32>, tensor<1x1x512x2048xf32>) -> tensor<64x7x7x2048xf32>
      %cst_388 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1574 = stablehlo.reduce(%1573 init: %cst_388) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %cst_389 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
      %1575 = stablehlo.broadcast_in_dim %cst_389, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %1576 = stablehlo.divide %1574, %1575 : tensor<2048xf32>
      %1577 = stablehlo.broadcast_in_dim %1576, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
      %1578 = stablehlo.broadcast_in_dim %1577, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
      %1579 = stablehlo.subtract %1573, %1578 : tensor<64x7x7x2048xf32>
      %1580 = stablehlo.broadcast_in_dim %1576, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
      %1581 = stablehlo.broadcast_in_dim %1580, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
      %1582 = stablehlo.subtract %1573, %1581 : tensor<64x7x7x2048xf32>
      %1583 = stablehlo.multiply %1582, %1582 : tensor<64x7x7x2048xf32>
      %cst_390 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %1584 = stablehlo.broadcast_in_dim %cst_390, dims = [] : (tensor<f32>) -> tensor<64x7x7x2048xf32>
      %1585 = stablehlo.multiply %1584, %1582 : tensor<64x7x7x2048xf32>
      %cst_391 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1586 = stablehlo.reduce(%1583 init: %cst_391) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %cst_392 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
      %1587 = stablehlo.broadcast_in_dim %cst_392, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %1588 = stablehlo.divide %1586, %1587 : tensor<2048xf32>
      %cst_393 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %1589 = stablehlo.broadcast_in_dim %cst_393, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %1590 = stablehlo.add %1588, %1589 : tensor<2048xf32>
      %1591 = stablehlo.rsqrt %1590 : tensor<2048xf32>
      %1592 = stablehlo.divide %1591, %1590 : tensor<2048xf32>
      %cst_394 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %1593 = stablehlo.broadcast_in_dim %cst_394, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %1594 = stablehlo.multiply %1593, %1592 : tensor<2048xf32>
      %1595 = stablehlo.multiply %1591, %arg313 : tensor<2048xf32>
      %1596 = stablehlo.broadcast_in_dim %1595, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
      %1597 = stablehlo.broadcast_in_dim %1596, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
      %1598 = stablehlo.multiply %1579, %1597 : tensor<64x7x7x2048xf32>
      %1599 = stablehlo.broadcast_in_dim %arg314, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
      %1600 = stablehlo.broadcast_in_dim %1599, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
      %1601 = stablehlo.add %1598, %1600 : tensor<64x7x7x2048xf32>
      %1602 = stablehlo.add %1601, %1506 : tensor<64x7x7x2048xf32>
      %1603 = func.call @relu_10(%1602) : (tensor<64x7x7x2048xf32>) -> tensor<64x7x7x2048xf32>
      %cst_395 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1604 = stablehlo.broadcast_in_dim %cst_395, dims = [] : (tensor<f32>) -> tensor<64x7x7x2048xf32>
      %1605 = stablehlo.compare GT, %1602, %1604, FLOAT : (tensor<64x7x7x2048xf32>, tensor<64x7x7x2048xf32>) -> tensor<64x7x7x2048xi1>
      %1606 = stablehlo.convolution(%1603, %arg315) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x2048xf32>, tensor<1x1x2048x512xf32>) -> tensor<64x7x7x512xf32>
      %cst_396 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1607 = stablehlo.reduce(%1606 init: %cst_396) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
      %cst_397 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
      %1608 = stablehlo.broadcast_in_dim %cst_397, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %1609 = stablehlo.divide %1607, %1608 : tensor<512xf32>
      %1610 = stablehlo.broadcast_in_dim %1609, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %1611 = stablehlo.broadcast_in_dim %1610, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
      %1612 = stablehlo.subtract %1606, %1611 : tensor<64x7x7x512xf32>
      %1613 = stablehlo.broadcast_in_dim %1609, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %1614 = stablehlo.broadcast_in_dim %1613, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
      %1615 = stablehlo.subtract %1606, %1614 : tensor<64x7x7x512xf32>
      %1616 = stablehlo.multiply %1615, %1615 : tensor<64x7x7x512xf32>
      %cst_398 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %1617 = stablehlo.broadcast_in_dim %cst_398, dims = [] : (tensor<f32>) -> tensor<64x7x7x512xf32>
      %1618 = stablehlo.multiply %1617, %1615 : tensor<64x7x7x512xf32>
      %cst_399 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1619 = stablehlo.reduce(%1616 init: %cst_399) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
      %cst_400 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
      %1620 = stablehlo.broadcast_in_dim %cst_400, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %1621 = stablehlo.divide %1619, %1620 : tensor<512xf32>
      %cst_401 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %1622 = stablehlo.broadcast_in_dim %cst_401, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %1623 = stablehlo.add %1621, %1622 : tensor<512xf32>
      %1624 = stablehlo.rsqrt %1623 : tensor<512xf32>
      %1625 = stablehlo.divide %1624, %1623 : tensor<512xf32>
      %cst_402 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %1626 = stablehlo.broadcast_in_dim %cst_402, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %1627 = stablehlo.multiply %1626, %1625 : tensor<512xf32>
      %1628 = stablehlo.multiply %1624, %arg316 : tensor<512xf32>
      %1629 = stablehlo.broadcast_in_dim %1628, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %1630 = stablehlo.broadcast_in_dim %1629, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
      %1631 = stablehlo.multiply %1612, %1630 : tensor<64x7x7x512xf32>
      %1632 = stablehlo.broadcast_in_dim %arg317, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %1633 = stablehlo.broadcast_in_dim %1632, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
      %1634 = stablehlo.add %1631, %1633 : tensor<64x7x7x512xf32>
      %1635 = func.call @relu_9(%1634) : (tensor<64x7x7x512xf32>) -> tensor<64x7x7x512xf32>
      %cst_403 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1636 = stablehlo.broadcast_in_dim %cst_403, dims = [] : (tensor<f32>) -> tensor<64x7x7x512xf32>
      %1637 = stablehlo.compare GT, %1634, %1636, FLOAT : (tensor<64x7x7x512xf32>, tensor<64x7x7x512xf32>) -> tensor<64x7x7x512xi1>
      %1638 = stablehlo.convolution(%1635, %arg318) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x512xf32>, tensor<3x3x512x512xf32>) -> tensor<64x7x7x512xf32>
      %cst_404 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1639 = stablehlo.reduce(%1638 init: %cst_404) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
      %cst_405 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
      %1640 = stablehlo.broadcast_in_dim %cst_405, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %1641 = stablehlo.divide %1639, %1640 : tensor<512xf32>
      %1642 = stablehlo.broadcast_in_dim %1641, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %1643 = stablehlo.broadcast_in_dim %1642, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
      %1644 = stablehlo.subtract %1638, %1643 : tensor<64x7x7x512xf32>
      %1645 = stablehlo.broadcast_in_dim %1641, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %1646 = stablehlo.broadcast_in_dim %1645, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
      %1647 = stablehlo.subtract %1638, %1646 : tensor<64x7x7x512xf32>
      %1648 = stablehlo.multiply %1647, %1647 : tensor<64x7x7x512xf32>
      %cst_406 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %1649 = stablehlo.broadcast_in_dim %cst_406, dims = [] : (tensor<f32>) -> tensor<64x7x7x512xf32>
      %1650 = stablehlo.multiply %1649, %1647 : tensor<64x7x7x512xf32>
      %cst_407 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1651 = stablehlo.reduce(%1648 init: %cst_407) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
      %cst_408 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
      %1652 = stablehlo.broadcast_in_dim %cst_408, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %1653 = stablehlo.divide %1651, %1652 : tensor<512xf32>
      %cst_409 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %1654 = stablehlo.broadcast_in_dim %cst_409, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %1655 = stablehlo.add %1653, %1654 : tensor<512xf32>
      %1656 = stablehlo.rsqrt %1655 : tensor<512xf32>
      %1657 = stablehlo.divide %1656, %1655 : tensor<512xf32>
      %cst_410 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %1658 = stablehlo.broadcast_in_dim %cst_410, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %1659 = stablehlo.multiply %1658, %1657 : tensor<512xf32>
      %1660 = stablehlo.multiply %1656, %arg319 : tensor<512xf32>
      %1661 = stablehlo.broadcast_in_dim %1660, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %1662 = stablehlo.broadcast_in_dim %1661, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
      %1663 = stablehlo.multiply %1644, %1662 : tensor<64x7x7x512xf32>
      %1664 = stablehlo.broadcast_in_dim %arg320, dims = [3] : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %1665 = stablehlo.broadcast_in_dim %1664, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
      %1666 = stablehlo.add %1663, %1665 : tensor<64x7x7x512xf32>
      %1667 = func.call @relu_9(%1666) : (tensor<64x7x7x512xf32>) -> tensor<64x7x7x512xf32>
      %cst_411 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1668 = stablehlo.broadcast_in_dim %cst_411, dims = [] : (tensor<f32>) -> tensor<64x7x7x512xf32>
      %1669 = stablehlo.compare GT, %1666, %1668, FLOAT : (tensor<64x7x7x512xf32>, tensor<64x7x7x512xf32>) -> tensor<64x7x7x512xi1>
      %1670 = stablehlo.convolution(%1667, %arg321) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x512xf32>, tensor<1x1x512x2048xf32>) -> tensor<64x7x7x2048xf32>
      %cst_412 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1671 = stablehlo.reduce(%1670 init: %cst_412) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %cst_413 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
      %1672 = stablehlo.broadcast_in_dim %cst_413, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %1673 = stablehlo.divide %1671, %1672 : tensor<2048xf32>
      %1674 = stablehlo.broadcast_in_dim %1673, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
      %1675 = stablehlo.broadcast_in_dim %1674, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
      %1676 = stablehlo.subtract %1670, %1675 : tensor<64x7x7x2048xf32>
      %1677 = stablehlo.broadcast_in_dim %1673, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
      %1678 = stablehlo.broadcast_in_dim %1677, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
      %1679 = stablehlo.subtract %1670, %1678 : tensor<64x7x7x2048xf32>
      %1680 = stablehlo.multiply %1679, %1679 : tensor<64x7x7x2048xf32>
      %cst_414 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %1681 = stablehlo.broadcast_in_dim %cst_414, dims = [] : (tensor<f32>) -> tensor<64x7x7x2048xf32>
      %1682 = stablehlo.multiply %1681, %1679 : tensor<64x7x7x2048xf32>
      %cst_415 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1683 = stablehlo.reduce(%1680 init: %cst_415) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %cst_416 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
      %1684 = stablehlo.broadcast_in_dim %cst_416, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %1685 = stablehlo.divide %1683, %1684 : tensor<2048xf32>
      %cst_417 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %1686 = stablehlo.broadcast_in_dim %cst_417, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %1687 = stablehlo.add %1685, %1686 : tensor<2048xf32>
      %1688 = stablehlo.rsqrt %1687 : tensor<2048xf32>
      %1689 = stablehlo.divide %1688, %1687 : tensor<2048xf32>
      %cst_418 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
      %1690 = stablehlo.broadcast_in_dim %cst_418, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %1691 = stablehlo.multiply %1690, %1689 : tensor<2048xf32>
      %1692 = stablehlo.multiply %1688, %arg322 : tensor<2048xf32>
      %1693 = stablehlo.broadcast_in_dim %1692, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
      %1694 = stablehlo.broadcast_in_dim %1693, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
      %1695 = stablehlo.multiply %1676, %1694 : tensor<64x7x7x2048xf32>
      %1696 = stablehlo.broadcast_in_dim %arg323, dims = [3] : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
      %1697 = stablehlo.broadcast_in_dim %1696, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
      %1698 = stablehlo.add %1695, %1697 : tensor<64x7x7x2048xf32>
      %1699 = stablehlo.add %1698, %1603 : tensor<64x7x7x2048xf32>
      %1700 = func.call @relu_10(%1699) : (tensor<64x7x7x2048xf32>) -> tensor<64x7x7x2048xf32>
      %cst_419 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1701 = stablehlo.broadcast_in_dim %cst_419, dims = [] : (tensor<f32>) -> tensor<64x7x7x2048xf32>
      %1702 = stablehlo.compare GT, %1699, %1701, FLOAT : (tensor<64x7x7x2048xf32>, tensor<64x7x7x2048xf32>) -> tensor<64x7x7x2048xi1>
      %cst_420 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1703 = stablehlo.reduce(%1700 init: %cst_420) applies stablehlo.add across dimensions = [1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<64x2048xf32>
      %cst_421 = stablehlo.constant dense<4.900000e+01> : tensor<f32>
      %1704 = stablehlo.broadcast_in_dim %cst_421, dims = [] : (tensor<f32>) -> tensor<64x2048xf32>
      %1705 = stablehlo.divide %1703, %1704 : tensor<64x2048xf32>
      %1706 = stablehlo.dot_general %1705, %arg324, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x2048xf32>, tensor<2048x1000xf32>) -> tensor<64x1000xf32>
      %1707 = stablehlo.broadcast_in_dim %arg325, dims = [1] : (tensor<1000xf32>) -> tensor<1x1000xf32>
      %1708 = stablehlo.broadcast_in_dim %1707, dims = [0, 1] : (tensor<1x1000xf32>) -> tensor<64x1000xf32>
      %1709 = stablehlo.add %1706, %1708 : tensor<64x1000xf32>
      %1710:3 = func.call @log_softmax(%1709) : (tensor<64x1000xf32>) -> (tensor<64x1000xf32>, tensor<64x1000xf32>, tensor<64x1xf32>)
      %1711 = stablehlo.broadcast_in_dim %arg164, dims = [0] : (tensor<64xi32>) -> tensor<64x1xi32>
      %1712:2 = func.call @take_along_axis(%1710#0, %1711) : (tensor<64x1000xf32>, tensor<64x1xi32>) -> (tensor<64x1xf32>, tensor<64x1x1xi32>)
      %cst_422 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1713 = stablehlo.reduce(%1712#0 init: %cst_422) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x1xf32>, tensor<f32>) -> tensor<f32>
      %cst_423 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
      %1714 = stablehlo.divide %1713, %cst_423 : tensor<f32>
      %1715 = stablehlo.negate %1714 : tensor<f32>
      %cst_424 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %1716 = stablehlo.negate %cst_424 : tensor<f32>
      %cst_425 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
      %1717 = stablehlo.divide %1716, %cst_425 : tensor<f32>
      %1718 = stablehlo.broadcast_in_dim %1717, dims = [] : (tensor<f32>) -> tensor<64x1xf32>
      %1719 = func.call @take_along_axis_11(%1712#1, %1718) : (tensor<64x1x1xi32>, tensor<64x1xf32>) -> tensor<64x1000xf32>
      %1720 = func.call @log_softmax_12(%1710#1, %1710#2, %1719) : (tensor<64x1000xf32>, tensor<64x1xf32>, tensor<64x1000xf32>) -> tensor<64x1000xf32>
      %cst_426 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1721 = stablehlo.reduce(%1720 init: %cst_426) applies stablehlo.add across dimensions = [0] : (tensor<64x1000xf32>, tensor<f32>) -> tensor<1000xf32>
      %1722 = stablehlo.reshape %1721 : (tensor<1000xf32>) -> tensor<1x1000xf32>
      %cst_427 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1723 = stablehlo.reduce(%1722 init: %cst_427) applies stablehlo.add across dimensions = [0] : (tensor<1x1000xf32>, tensor<f32>) -> tensor<1000xf32>
      %1724 = stablehlo.dot_general %1720, %1705, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x1000xf32>, tensor<64x2048xf32>) -> tensor<1000x2048xf32>
      %1725 = stablehlo.transpose %1724, dims = [1, 0] : (tensor<1000x2048xf32>) -> tensor<2048x1000xf32>
      %1726 = stablehlo.dot_general %1720, %arg324, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<64x1000xf32>, tensor<2048x1000xf32>) -> tensor<64x2048xf32>
      %cst_428 = stablehlo.constant dense<4.900000e+01> : tensor<f32>
      %1727 = stablehlo.broadcast_in_dim %cst_428, dims = [] : (tensor<f32>) -> tensor<64x2048xf32>
      %1728 = stablehlo.divide %1726, %1727 : tensor<64x2048xf32>
      %1729 = stablehlo.broadcast_in_dim %1728, dims = [0, 3] : (tensor<64x2048xf32>) -> tensor<64x7x7x2048xf32>
      %cst_429 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1730 = stablehlo.broadcast_in_dim %cst_429, dims = [] : (tensor<f32>) -> tensor<64x7x7x2048xf32>
      %1731 = stablehlo.select %1702, %1729, %1730 : tensor<64x7x7x2048xi1>, tensor<64x7x7x2048xf32>
      %cst_430 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1732 = stablehlo.reduce(%1731 init: %cst_430) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %1733 = stablehlo.reshape %1732 : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
      %cst_431 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1734 = stablehlo.reduce(%1733 init: %cst_431) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %1735 = stablehlo.multiply %1676, %1731 : tensor<64x7x7x2048xf32>
      %cst_432 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1736 = stablehlo.reduce(%1735 init: %cst_432) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %1737 = stablehlo.reshape %1736 : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
      %1738 = stablehlo.broadcast_in_dim %1693, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
      %1739 = stablehlo.multiply %1731, %1738 : tensor<64x7x7x2048xf32>
      %cst_433 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1740 = stablehlo.reduce(%1737 init: %cst_433) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %1741 = stablehlo.multiply %1688, %1740 : tensor<2048xf32>
      %1742 = stablehlo.multiply %1740, %arg322 : tensor<2048xf32>
      %1743 = stablehlo.multiply %1742, %1691 : tensor<2048xf32>
      %cst_434 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
      %1744 = stablehlo.broadcast_in_dim %cst_434, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %1745 = stablehlo.divide %1743, %1744 : tensor<2048xf32>
      %1746 = stablehlo.broadcast_in_dim %1745, dims = [3] : (tensor<2048xf32>) -> tensor<64x7x7x2048xf32>
      %1747 = stablehlo.multiply %1746, %1682 : tensor<64x7x7x2048xf32>
      %1748 = stablehlo.negate %1747 : tensor<64x7x7x2048xf32>
      %cst_435 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1749 = stablehlo.reduce(%1748 init: %cst_435) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %1750 = stablehlo.reshape %1749 : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
      %cst_436 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1751 = stablehlo.reduce(%1750 init: %cst_436) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %1752 = stablehlo.negate %1739 : tensor<64x7x7x2048xf32>
      %cst_437 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1753 = stablehlo.reduce(%1752 init: %cst_437) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %1754 = stablehlo.reshape %1753 : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
      %cst_438 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1755 = stablehlo.reduce(%1754 init: %cst_438) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %1756 = stablehlo.add %1747, %1739 : tensor<64x7x7x2048xf32>
      %1757 = stablehlo.add %1751, %1755 : tensor<2048xf32>
      %cst_439 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
      %1758 = stablehlo.broadcast_in_dim %cst_439, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %1759 = stablehlo.divide %1757, %1758 : tensor<2048xf32>
      %1760 = stablehlo.broadcast_in_dim %1759, dims = [3] : (tensor<2048xf32>) -> tensor<64x7x7x2048xf32>
      %1761 = stablehlo.add %1756, %1760 : tensor<64x7x7x2048xf32>
      %1762 = stablehlo.convolution(%1667, %1761) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x512xf32>, tensor<64x7x7x2048xf32>) -> tensor<1x1x512x2048xf32>
      %1763 = stablehlo.reverse %arg321, dims = [0, 1] : tensor<1x1x512x2048xf32>
      %1764 = stablehlo.convolution(%1761, %1763) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x2048xf32>, tensor<1x1x512x2048xf32>) -> tensor<64x7x7x512xf32>
      %cst_440 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1765 = stablehlo.broadcast_in_dim %cst_440, dims = [] : (tensor<f32>) -> tensor<64x7x7x512xf32>
      %1766 = stablehlo.select %1669, %1764, %1765 : tensor<64x7x7x512xi1>, tensor<64x7x7x512xf32>
      %cst_441 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1767 = stablehlo.reduce(%1766 init: %cst_441) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
      %1768 = stablehlo.reshape %1767 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %cst_442 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1769 = stablehlo.reduce(%1768 init: %cst_442) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %1770 = stablehlo.multiply %1644, %1766 : tensor<64x7x7x512xf32>
      %cst_443 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1771 = stablehlo.reduce(%1770 init: %cst_443) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
      %1772 = stablehlo.reshape %1771 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %1773 = stablehlo.broadcast_in_dim %1661, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
      %1774 = stablehlo.multiply %1766, %1773 : tensor<64x7x7x512xf32>
      %cst_444 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1775 = stablehlo.reduce(%1772 init: %cst_444) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %1776 = stablehlo.multiply %1656, %1775 : tensor<512xf32>
      %1777 = stablehlo.multiply %1775, %arg319 : tensor<512xf32>
      %1778 = stablehlo.multiply %1777, %1659 : tensor<512xf32>
      %cst_445 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
      %1779 = stablehlo.broadcast_in_dim %cst_445, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %1780 = stablehlo.divide %1778, %1779 : tensor<512xf32>
      %1781 = stablehlo.broadcast_in_dim %1780, dims = [3] : (tensor<512xf32>) -> tensor<64x7x7x512xf32>
      %1782 = stablehlo.multiply %1781, %1650 : tensor<64x7x7x512xf32>
      %1783 = stablehlo.negate %1782 : tensor<64x7x7x512xf32>
      %cst_446 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1784 = stablehlo.reduce(%1783 init: %cst_446) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
      %1785 = stablehlo.reshape %1784 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %cst_447 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1786 = stablehlo.reduce(%1785 init: %cst_447) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %1787 = stablehlo.negate %1774 : tensor<64x7x7x512xf32>
      %cst_448 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1788 = stablehlo.reduce(%1787 init: %cst_448) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
      %1789 = stablehlo.reshape %1788 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %cst_449 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1790 = stablehlo.reduce(%1789 init: %cst_449) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %1791 = stablehlo.add %1782, %1774 : tensor<64x7x7x512xf32>
      %1792 = stablehlo.add %1786, %1790 : tensor<512xf32>
      %cst_450 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
      %1793 = stablehlo.broadcast_in_dim %cst_450, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %1794 = stablehlo.divide %1792, %1793 : tensor<512xf32>
      %1795 = stablehlo.broadcast_in_dim %1794, dims = [3] : (tensor<512xf32>) -> tensor<64x7x7x512xf32>
      %1796 = stablehlo.add %1791, %1795 : tensor<64x7x7x512xf32>
      %1797 = stablehlo.convolution(%1635, %1796) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x512xf32>, tensor<64x7x7x512xf32>) -> tensor<3x3x512x512xf32>
      %1798 = stablehlo.reverse %arg318, dims = [0, 1] : tensor<3x3x512x512xf32>
      %1799 = stablehlo.convolution(%1796, %1798) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x512xf32>, tensor<3x3x512x512xf32>) -> tensor<64x7x7x512xf32>
      %cst_451 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1800 = stablehlo.broadcast_in_dim %cst_451, dims = [] : (tensor<f32>) -> tensor<64x7x7x512xf32>
      %1801 = stablehlo.select %1637, %1799, %1800 : tensor<64x7x7x512xi1>, tensor<64x7x7x512xf32>
      %cst_452 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1802 = stablehlo.reduce(%1801 init: %cst_452) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
      %1803 = stablehlo.reshape %1802 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %cst_453 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1804 = stablehlo.reduce(%1803 init: %cst_453) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %1805 = stablehlo.multiply %1612, %1801 : tensor<64x7x7x512xf32>
      %cst_454 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1806 = stablehlo.reduce(%1805 init: %cst_454) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
      %1807 = stablehlo.reshape %1806 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %1808 = stablehlo.broadcast_in_dim %1629, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
      %1809 = stablehlo.multiply %1801, %1808 : tensor<64x7x7x512xf32>
      %cst_455 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1810 = stablehlo.reduce(%1807 init: %cst_455) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %1811 = stablehlo.multiply %1624, %1810 : tensor<512xf32>
      %1812 = stablehlo.multiply %1810, %arg316 : tensor<512xf32>
      %1813 = stablehlo.multiply %1812, %1627 : tensor<512xf32>
      %cst_456 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
      %1814 = stablehlo.broadcast_in_dim %cst_456, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %1815 = stablehlo.divide %1813, %1814 : tensor<512xf32>
      %1816 = stablehlo.broadcast_in_dim %1815, dims = [3] : (tensor<512xf32>) -> tensor<64x7x7x512xf32>
      %1817 = stablehlo.multiply %1816, %1618 : tensor<64x7x7x512xf32>
      %1818 = stablehlo.negate %1817 : tensor<64x7x7x512xf32>
      %cst_457 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1819 = stablehlo.reduce(%1818 init: %cst_457) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
      %1820 = stablehlo.reshape %1819 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %cst_458 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1821 = stablehlo.reduce(%1820 init: %cst_458) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %1822 = stablehlo.negate %1809 : tensor<64x7x7x512xf32>
      %cst_459 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1823 = stablehlo.reduce(%1822 init: %cst_459) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
      %1824 = stablehlo.reshape %1823 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %cst_460 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1825 = stablehlo.reduce(%1824 init: %cst_460) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %1826 = stablehlo.add %1817, %1809 : tensor<64x7x7x512xf32>
      %1827 = stablehlo.add %1821, %1825 : tensor<512xf32>
      %cst_461 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
      %1828 = stablehlo.broadcast_in_dim %cst_461, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %1829 = stablehlo.divide %1827, %1828 : tensor<512xf32>
      %1830 = stablehlo.broadcast_in_dim %1829, dims = [3] : (tensor<512xf32>) -> tensor<64x7x7x512xf32>
      %1831 = stablehlo.add %1826, %1830 : tensor<64x7x7x512xf32>
      %1832 = stablehlo.convolution(%1603, %1831) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x2048xf32>, tensor<64x7x7x512xf32>) -> tensor<1x1x2048x512xf32>
      %1833 = stablehlo.reverse %arg315, dims = [0, 1] : tensor<1x1x2048x512xf32>
      %1834 = stablehlo.convolution(%1831, %1833) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x512xf32>, tensor<1x1x2048x512xf32>) -> tensor<64x7x7x2048xf32>
      %1835 = stablehlo.add %1731, %1834 : tensor<64x7x7x2048xf32>
      %cst_462 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1836 = stablehlo.broadcast_in_dim %cst_462, dims = [] : (tensor<f32>) -> tensor<64x7x7x2048xf32>
      %1837 = stablehlo.select %1605, %1835, %1836 : tensor<64x7x7x2048xi1>, tensor<64x7x7x2048xf32>
      %cst_463 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1838 = stablehlo.reduce(%1837 init: %cst_463) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %1839 = stablehlo.reshape %1838 : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
      %cst_464 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1840 = stablehlo.reduce(%1839 init: %cst_464) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %1841 = stablehlo.multiply %1579, %1837 : tensor<64x7x7x2048xf32>
      %cst_465 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1842 = stablehlo.reduce(%1841 init: %cst_465) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %1843 = stablehlo.reshape %1842 : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
      %1844 = stablehlo.broadcast_in_dim %1596, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
      %1845 = stablehlo.multiply %1837, %1844 : tensor<64x7x7x2048xf32>
      %cst_466 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1846 = stablehlo.reduce(%1843 init: %cst_466) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %1847 = stablehlo.multiply %1591, %1846 : tensor<2048xf32>
      %1848 = stablehlo.multiply %1846, %arg313 : tensor<2048xf32>
      %1849 = stablehlo.multiply %1848, %1594 : tensor<2048xf32>
      %cst_467 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
      %1850 = stablehlo.broadcast_in_dim %cst_467, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %1851 = stablehlo.divide %1849, %1850 : tensor<2048xf32>
      %1852 = stablehlo.broadcast_in_dim %1851, dims = [3] : (tensor<2048xf32>) -> tensor<64x7x7x2048xf32>
      %1853 = stablehlo.multiply %1852, %1585 : tensor<64x7x7x2048xf32>
      %1854 = stablehlo.negate %1853 : tensor<64x7x7x2048xf32>
      %cst_468 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1855 = stablehlo.reduce(%1854 init: %cst_468) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %1856 = stablehlo.reshape %1855 : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
      %cst_469 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1857 = stablehlo.reduce(%1856 init: %cst_469) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %1858 = stablehlo.negate %1845 : tensor<64x7x7x2048xf32>
      %cst_470 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1859 = stablehlo.reduce(%1858 init: %cst_470) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %1860 = stablehlo.reshape %1859 : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
      %cst_471 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1861 = stablehlo.reduce(%1860 init: %cst_471) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %1862 = stablehlo.add %1853, %1845 : tensor<64x7x7x2048xf32>
      %1863 = stablehlo.add %1857, %1861 : tensor<2048xf32>
      %cst_472 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
      %1864 = stablehlo.broadcast_in_dim %cst_472, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %1865 = stablehlo.divide %1863, %1864 : tensor<2048xf32>
      %1866 = stablehlo.broadcast_in_dim %1865, dims = [3] : (tensor<2048xf32>) -> tensor<64x7x7x2048xf32>
      %1867 = stablehlo.add %1862, %1866 : tensor<64x7x7x2048xf32>
      %1868 = stablehlo.convolution(%1570, %1867) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x512xf32>, tensor<64x7x7x2048xf32>) -> tensor<1x1x512x2048xf32>
      %1869 = stablehlo.reverse %arg312, dims = [0, 1] : tensor<1x1x512x2048xf32>
      %1870 = stablehlo.convolution(%1867, %1869) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x2048xf32>, tensor<1x1x512x2048xf32>) -> tensor<64x7x7x512xf32>
      %cst_473 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1871 = stablehlo.broadcast_in_dim %cst_473, dims = [] : (tensor<f32>) -> tensor<64x7x7x512xf32>
      %1872 = stablehlo.select %1572, %1870, %1871 : tensor<64x7x7x512xi1>, tensor<64x7x7x512xf32>
      %cst_474 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1873 = stablehlo.reduce(%1872 init: %cst_474) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
      %1874 = stablehlo.reshape %1873 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %cst_475 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1875 = stablehlo.reduce(%1874 init: %cst_475) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %1876 = stablehlo.multiply %1547, %1872 : tensor<64x7x7x512xf32>
      %cst_476 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1877 = stablehlo.reduce(%1876 init: %cst_476) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
      %1878 = stablehlo.reshape %1877 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %1879 = stablehlo.broadcast_in_dim %1564, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
      %1880 = stablehlo.multiply %1872, %1879 : tensor<64x7x7x512xf32>
      %cst_477 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1881 = stablehlo.reduce(%1878 init: %cst_477) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %1882 = stablehlo.multiply %1559, %1881 : tensor<512xf32>
      %1883 = stablehlo.multiply %1881, %arg310 : tensor<512xf32>
      %1884 = stablehlo.multiply %1883, %1562 : tensor<512xf32>
      %cst_478 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
      %1885 = stablehlo.broadcast_in_dim %cst_478, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %1886 = stablehlo.divide %1884, %1885 : tensor<512xf32>
      %1887 = stablehlo.broadcast_in_dim %1886, dims = [3] : (tensor<512xf32>) -> tensor<64x7x7x512xf32>
      %1888 = stablehlo.multiply %1887, %1553 : tensor<64x7x7x512xf32>
      %1889 = stablehlo.negate %1888 : tensor<64x7x7x512xf32>
      %cst_479 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1890 = stablehlo.reduce(%1889 init: %cst_479) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
      %1891 = stablehlo.reshape %1890 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %cst_480 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1892 = stablehlo.reduce(%1891 init: %cst_480) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %1893 = stablehlo.negate %1880 : tensor<64x7x7x512xf32>
      %cst_481 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1894 = stablehlo.reduce(%1893 init: %cst_481) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
      %1895 = stablehlo.reshape %1894 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %cst_482 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1896 = stablehlo.reduce(%1895 init: %cst_482) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %1897 = stablehlo.add %1888, %1880 : tensor<64x7x7x512xf32>
      %1898 = stablehlo.add %1892, %1896 : tensor<512xf32>
      %cst_483 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
      %1899 = stablehlo.broadcast_in_dim %cst_483, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %1900 = stablehlo.divide %1898, %1899 : tensor<512xf32>
      %1901 = stablehlo.broadcast_in_dim %1900, dims = [3] : (tensor<512xf32>) -> tensor<64x7x7x512xf32>
      %1902 = stablehlo.add %1897, %1901 : tensor<64x7x7x512xf32>
      %1903 = stablehlo.convolution(%1538, %1902) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x512xf32>, tensor<64x7x7x512xf32>) -> tensor<3x3x512x512xf32>
      %1904 = stablehlo.reverse %arg309, dims = [0, 1] : tensor<3x3x512x512xf32>
      %1905 = stablehlo.convolution(%1902, %1904) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x512xf32>, tensor<3x3x512x512xf32>) -> tensor<64x7x7x512xf32>
      %cst_484 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1906 = stablehlo.broadcast_in_dim %cst_484, dims = [] : (tensor<f32>) -> tensor<64x7x7x512xf32>
      %1907 = stablehlo.select %1540, %1905, %1906 : tensor<64x7x7x512xi1>, tensor<64x7x7x512xf32>
      %cst_485 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1908 = stablehlo.reduce(%1907 init: %cst_485) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
      %1909 = stablehlo.reshape %1908 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %cst_486 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1910 = stablehlo.reduce(%1909 init: %cst_486) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %1911 = stablehlo.multiply %1515, %1907 : tensor<64x7x7x512xf32>
      %cst_487 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1912 = stablehlo.reduce(%1911 init: %cst_487) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
      %1913 = stablehlo.reshape %1912 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %1914 = stablehlo.broadcast_in_dim %1532, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
      %1915 = stablehlo.multiply %1907, %1914 : tensor<64x7x7x512xf32>
      %cst_488 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1916 = stablehlo.reduce(%1913 init: %cst_488) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %1917 = stablehlo.multiply %1527, %1916 : tensor<512xf32>
      %1918 = stablehlo.multiply %1916, %arg307 : tensor<512xf32>
      %1919 = stablehlo.multiply %1918, %1530 : tensor<512xf32>
      %cst_489 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
      %1920 = stablehlo.broadcast_in_dim %cst_489, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %1921 = stablehlo.divide %1919, %1920 : tensor<512xf32>
      %1922 = stablehlo.broadcast_in_dim %1921, dims = [3] : (tensor<512xf32>) -> tensor<64x7x7x512xf32>
      %1923 = stablehlo.multiply %1922, %1521 : tensor<64x7x7x512xf32>
      %1924 = stablehlo.negate %1923 : tensor<64x7x7x512xf32>
      %cst_490 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1925 = stablehlo.reduce(%1924 init: %cst_490) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
      %1926 = stablehlo.reshape %1925 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %cst_491 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1927 = stablehlo.reduce(%1926 init: %cst_491) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %1928 = stablehlo.negate %1915 : tensor<64x7x7x512xf32>
      %cst_492 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1929 = stablehlo.reduce(%1928 init: %cst_492) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
      %1930 = stablehlo.reshape %1929 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %cst_493 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1931 = stablehlo.reduce(%1930 init: %cst_493) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %1932 = stablehlo.add %1923, %1915 : tensor<64x7x7x512xf32>
      %1933 = stablehlo.add %1927, %1931 : tensor<512xf32>
      %cst_494 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
      %1934 = stablehlo.broadcast_in_dim %cst_494, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %1935 = stablehlo.divide %1933, %1934 : tensor<512xf32>
      %1936 = stablehlo.broadcast_in_dim %1935, dims = [3] : (tensor<512xf32>) -> tensor<64x7x7x512xf32>
      %1937 = stablehlo.add %1932, %1936 : tensor<64x7x7x512xf32>
      %1938 = stablehlo.convolution(%1506, %1937) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x2048xf32>, tensor<64x7x7x512xf32>) -> tensor<1x1x2048x512xf32>
      %1939 = stablehlo.reverse %arg306, dims = [0, 1] : tensor<1x1x2048x512xf32>
      %1940 = stablehlo.convolution(%1937, %1939) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x512xf32>, tensor<1x1x2048x512xf32>) -> tensor<64x7x7x2048xf32>
      %1941 = stablehlo.add %1837, %1940 : tensor<64x7x7x2048xf32>
      %cst_495 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1942 = stablehlo.broadcast_in_dim %cst_495, dims = [] : (tensor<f32>) -> tensor<64x7x7x2048xf32>
      %1943 = stablehlo.select %1508, %1941, %1942 : tensor<64x7x7x2048xi1>, tensor<64x7x7x2048xf32>
      %cst_496 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1944 = stablehlo.reduce(%1943 init: %cst_496) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %1945 = stablehlo.reshape %1944 : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
      %cst_497 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1946 = stablehlo.reduce(%1945 init: %cst_497) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %1947 = stablehlo.multiply %1482, %1943 : tensor<64x7x7x2048xf32>
      %cst_498 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1948 = stablehlo.reduce(%1947 init: %cst_498) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %1949 = stablehlo.reshape %1948 : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
      %1950 = stablehlo.broadcast_in_dim %1499, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
      %1951 = stablehlo.multiply %1943, %1950 : tensor<64x7x7x2048xf32>
      %cst_499 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1952 = stablehlo.reduce(%1949 init: %cst_499) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %1953 = stablehlo.multiply %1494, %1952 : tensor<2048xf32>
      %1954 = stablehlo.multiply %1952, %arg304 : tensor<2048xf32>
      %1955 = stablehlo.multiply %1954, %1497 : tensor<2048xf32>
      %cst_500 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
      %1956 = stablehlo.broadcast_in_dim %cst_500, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %1957 = stablehlo.divide %1955, %1956 : tensor<2048xf32>
      %1958 = stablehlo.broadcast_in_dim %1957, dims = [3] : (tensor<2048xf32>) -> tensor<64x7x7x2048xf32>
      %1959 = stablehlo.multiply %1958, %1488 : tensor<64x7x7x2048xf32>
      %1960 = stablehlo.negate %1959 : tensor<64x7x7x2048xf32>
      %cst_501 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1961 = stablehlo.reduce(%1960 init: %cst_501) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %1962 = stablehlo.reshape %1961 : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
      %cst_502 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1963 = stablehlo.reduce(%1962 init: %cst_502) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %1964 = stablehlo.negate %1951 : tensor<64x7x7x2048xf32>
      %cst_503 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1965 = stablehlo.reduce(%1964 init: %cst_503) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %1966 = stablehlo.reshape %1965 : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
      %cst_504 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1967 = stablehlo.reduce(%1966 init: %cst_504) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %1968 = stablehlo.add %1959, %1951 : tensor<64x7x7x2048xf32>
      %1969 = stablehlo.add %1963, %1967 : tensor<2048xf32>
      %cst_505 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
      %1970 = stablehlo.broadcast_in_dim %cst_505, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %1971 = stablehlo.divide %1969, %1970 : tensor<2048xf32>
      %1972 = stablehlo.broadcast_in_dim %1971, dims = [3] : (tensor<2048xf32>) -> tensor<64x7x7x2048xf32>
      %1973 = stablehlo.add %1968, %1972 : tensor<64x7x7x2048xf32>
      %1974 = stablehlo.convolution(%1380, %1973) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, -1], [0, -1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<64x7x7x2048xf32>) -> tensor<1x1x1024x2048xf32>
      %1975 = stablehlo.reverse %arg303, dims = [0, 1] : tensor<1x1x1024x2048xf32>
      %1976 = stablehlo.convolution(%1973, %1975) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 1], [0, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x2048xf32>, tensor<1x1x1024x2048xf32>) -> tensor<64x14x14x1024xf32>
      %cst_506 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1977 = stablehlo.reduce(%1943 init: %cst_506) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %1978 = stablehlo.reshape %1977 : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
      %cst_507 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1979 = stablehlo.reduce(%1978 init: %cst_507) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %1980 = stablehlo.multiply %1453, %1943 : tensor<64x7x7x2048xf32>
      %cst_508 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1981 = stablehlo.reduce(%1980 init: %cst_508) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %1982 = stablehlo.reshape %1981 : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
      %1983 = stablehlo.broadcast_in_dim %1470, dims = [0, 1, 2, 3] : (tensor<1x1x1x2048xf32>) -> tensor<64x7x7x2048xf32>
      %1984 = stablehlo.multiply %1943, %1983 : tensor<64x7x7x2048xf32>
      %cst_509 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1985 = stablehlo.reduce(%1982 init: %cst_509) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %1986 = stablehlo.multiply %1465, %1985 : tensor<2048xf32>
      %1987 = stablehlo.multiply %1985, %arg301 : tensor<2048xf32>
      %1988 = stablehlo.multiply %1987, %1468 : tensor<2048xf32>
      %cst_510 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
      %1989 = stablehlo.broadcast_in_dim %cst_510, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %1990 = stablehlo.divide %1988, %1989 : tensor<2048xf32>
      %1991 = stablehlo.broadcast_in_dim %1990, dims = [3] : (tensor<2048xf32>) -> tensor<64x7x7x2048xf32>
      %1992 = stablehlo.multiply %1991, %1459 : tensor<64x7x7x2048xf32>
      %1993 = stablehlo.negate %1992 : tensor<64x7x7x2048xf32>
      %cst_511 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1994 = stablehlo.reduce(%1993 init: %cst_511) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %1995 = stablehlo.reshape %1994 : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
      %cst_512 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1996 = stablehlo.reduce(%1995 init: %cst_512) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %1997 = stablehlo.negate %1984 : tensor<64x7x7x2048xf32>
      %cst_513 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1998 = stablehlo.reduce(%1997 init: %cst_513) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %1999 = stablehlo.reshape %1998 : (tensor<2048xf32>) -> tensor<1x1x1x2048xf32>
      %cst_514 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2000 = stablehlo.reduce(%1999 init: %cst_514) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x2048xf32>, tensor<f32>) -> tensor<2048xf32>
      %2001 = stablehlo.add %1992, %1984 : tensor<64x7x7x2048xf32>
      %2002 = stablehlo.add %1996, %2000 : tensor<2048xf32>
      %cst_515 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
      %2003 = stablehlo.broadcast_in_dim %cst_515, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %2004 = stablehlo.divide %2002, %2003 : tensor<2048xf32>
      %2005 = stablehlo.broadcast_in_dim %2004, dims = [3] : (tensor<2048xf32>) -> tensor<64x7x7x2048xf32>
      %2006 = stablehlo.add %2001, %2005 : tensor<64x7x7x2048xf32>
      %2007 = stablehlo.convolution(%1444, %2006) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x512xf32>, tensor<64x7x7x2048xf32>) -> tensor<1x1x512x2048xf32>
      %2008 = stablehlo.reverse %arg300, dims = [0, 1] : tensor<1x1x512x2048xf32>
      %2009 = stablehlo.convolution(%2006, %2008) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x2048xf32>, tensor<1x1x512x2048xf32>) -> tensor<64x7x7x512xf32>
      %cst_516 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2010 = stablehlo.broadcast_in_dim %cst_516, dims = [] : (tensor<f32>) -> tensor<64x7x7x512xf32>
      %2011 = stablehlo.select %1446, %2009, %2010 : tensor<64x7x7x512xi1>, tensor<64x7x7x512xf32>
      %cst_517 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2012 = stablehlo.reduce(%2011 init: %cst_517) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2013 = stablehlo.reshape %2012 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %cst_518 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2014 = stablehlo.reduce(%2013 init: %cst_518) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2015 = stablehlo.multiply %1421, %2011 : tensor<64x7x7x512xf32>
      %cst_519 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2016 = stablehlo.reduce(%2015 init: %cst_519) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2017 = stablehlo.reshape %2016 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %2018 = stablehlo.broadcast_in_dim %1438, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x7x7x512xf32>
      %2019 = stablehlo.multiply %2011, %2018 : tensor<64x7x7x512xf32>
      %cst_520 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2020 = stablehlo.reduce(%2017 init: %cst_520) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2021 = stablehlo.multiply %1433, %2020 : tensor<512xf32>
      %2022 = stablehlo.multiply %2020, %arg298 : tensor<512xf32>
      %2023 = stablehlo.multiply %2022, %1436 : tensor<512xf32>
      %cst_521 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
      %2024 = stablehlo.broadcast_in_dim %cst_521, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %2025 = stablehlo.divide %2023, %2024 : tensor<512xf32>
      %2026 = stablehlo.broadcast_in_dim %2025, dims = [3] : (tensor<512xf32>) -> tensor<64x7x7x512xf32>
      %2027 = stablehlo.multiply %2026, %1427 : tensor<64x7x7x512xf32>
      %2028 = stablehlo.negate %2027 : tensor<64x7x7x512xf32>
      %cst_522 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2029 = stablehlo.reduce(%2028 init: %cst_522) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2030 = stablehlo.reshape %2029 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %cst_523 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2031 = stablehlo.reduce(%2030 init: %cst_523) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2032 = stablehlo.negate %2019 : tensor<64x7x7x512xf32>
      %cst_524 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2033 = stablehlo.reduce(%2032 init: %cst_524) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x7x7x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2034 = stablehlo.reshape %2033 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %cst_525 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2035 = stablehlo.reduce(%2034 init: %cst_525) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2036 = stablehlo.add %2027, %2019 : tensor<64x7x7x512xf32>
      %2037 = stablehlo.add %2031, %2035 : tensor<512xf32>
      %cst_526 = stablehlo.constant dense<3.136000e+03> : tensor<f32>
      %2038 = stablehlo.broadcast_in_dim %cst_526, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %2039 = stablehlo.divide %2037, %2038 : tensor<512xf32>
      %2040 = stablehlo.broadcast_in_dim %2039, dims = [3] : (tensor<512xf32>) -> tensor<64x7x7x512xf32>
      %2041 = stablehlo.add %2036, %2040 : tensor<64x7x7x512xf32>
      %2042 = stablehlo.convolution(%1412, %2041) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x512xf32>, tensor<64x7x7x512xf32>) -> tensor<3x3x512x512xf32>
      %2043 = stablehlo.reverse %arg297, dims = [0, 1] : tensor<3x3x512x512xf32>
      %2044 = stablehlo.convolution(%2041, %2043) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 1], [2, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x7x7x512xf32>, tensor<3x3x512x512xf32>) -> tensor<64x14x14x512xf32>
      %cst_527 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2045 = stablehlo.broadcast_in_dim %cst_527, dims = [] : (tensor<f32>) -> tensor<64x14x14x512xf32>
      %2046 = stablehlo.select %1414, %2044, %2045 : tensor<64x14x14x512xi1>, tensor<64x14x14x512xf32>
      %cst_528 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2047 = stablehlo.reduce(%2046 init: %cst_528) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2048 = stablehlo.reshape %2047 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %cst_529 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2049 = stablehlo.reduce(%2048 init: %cst_529) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2050 = stablehlo.multiply %1389, %2046 : tensor<64x14x14x512xf32>
      %cst_530 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2051 = stablehlo.reduce(%2050 init: %cst_530) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2052 = stablehlo.reshape %2051 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %2053 = stablehlo.broadcast_in_dim %1406, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x14x14x512xf32>
      %2054 = stablehlo.multiply %2046, %2053 : tensor<64x14x14x512xf32>
      %cst_531 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2055 = stablehlo.reduce(%2052 init: %cst_531) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2056 = stablehlo.multiply %1401, %2055 : tensor<512xf32>
      %2057 = stablehlo.multiply %2055, %arg295 : tensor<512xf32>
      %2058 = stablehlo.multiply %2057, %1404 : tensor<512xf32>
      %cst_532 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %2059 = stablehlo.broadcast_in_dim %cst_532, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %2060 = stablehlo.divide %2058, %2059 : tensor<512xf32>
      %2061 = stablehlo.broadcast_in_dim %2060, dims = [3] : (tensor<512xf32>) -> tensor<64x14x14x512xf32>
      %2062 = stablehlo.multiply %2061, %1395 : tensor<64x14x14x512xf32>
      %2063 = stablehlo.negate %2062 : tensor<64x14x14x512xf32>
      %cst_533 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2064 = stablehlo.reduce(%2063 init: %cst_533) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2065 = stablehlo.reshape %2064 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %cst_534 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2066 = stablehlo.reduce(%2065 init: %cst_534) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2067 = stablehlo.negate %2054 : tensor<64x14x14x512xf32>
      %cst_535 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2068 = stablehlo.reduce(%2067 init: %cst_535) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2069 = stablehlo.reshape %2068 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %cst_536 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2070 = stablehlo.reduce(%2069 init: %cst_536) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2071 = stablehlo.add %2062, %2054 : tensor<64x14x14x512xf32>
      %2072 = stablehlo.add %2066, %2070 : tensor<512xf32>
      %cst_537 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %2073 = stablehlo.broadcast_in_dim %cst_537, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %2074 = stablehlo.divide %2072, %2073 : tensor<512xf32>
      %2075 = stablehlo.broadcast_in_dim %2074, dims = [3] : (tensor<512xf32>) -> tensor<64x14x14x512xf32>
      %2076 = stablehlo.add %2071, %2075 : tensor<64x14x14x512xf32>
      %2077 = stablehlo.convolution(%1380, %2076) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<64x14x14x512xf32>) -> tensor<1x1x1024x512xf32>
      %2078 = stablehlo.reverse %arg294, dims = [0, 1] : tensor<1x1x1024x512xf32>
      %2079 = stablehlo.convolution(%2076, %2078) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x512xf32>, tensor<1x1x1024x512xf32>) -> tensor<64x14x14x1024xf32>
      %2080 = stablehlo.add %1976, %2079 : tensor<64x14x14x1024xf32>
      %cst_538 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2081 = stablehlo.broadcast_in_dim %cst_538, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
      %2082 = stablehlo.select %1382, %2080, %2081 : tensor<64x14x14x1024xi1>, tensor<64x14x14x1024xf32>
      %cst_539 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2083 = stablehlo.reduce(%2082 init: %cst_539) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2084 = stablehlo.reshape %2083 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %cst_540 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2085 = stablehlo.reduce(%2084 init: %cst_540) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2086 = stablehlo.multiply %1356, %2082 : tensor<64x14x14x1024xf32>
      %cst_541 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2087 = stablehlo.reduce(%2086 init: %cst_541) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2088 = stablehlo.reshape %2087 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %2089 = stablehlo.broadcast_in_dim %1373, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
      %2090 = stablehlo.multiply %2082, %2089 : tensor<64x14x14x1024xf32>
      %cst_542 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2091 = stablehlo.reduce(%2088 init: %cst_542) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2092 = stablehlo.multiply %1368, %2091 : tensor<1024xf32>
      %2093 = stablehlo.multiply %2091, %arg292 : tensor<1024xf32>
      %2094 = stablehlo.multiply %2093, %1371 : tensor<1024xf32>
      %cst_543 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %2095 = stablehlo.broadcast_in_dim %cst_543, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %2096 = stablehlo.divide %2094, %2095 : tensor<1024xf32>
      %2097 = stablehlo.broadcast_in_dim %2096, dims = [3] : (tensor<1024xf32>) -> tensor<64x14x14x1024xf32>
      %2098 = stablehlo.multiply %2097, %1362 : tensor<64x14x14x1024xf32>
      %2099 = stablehlo.negate %2098 : tensor<64x14x14x1024xf32>
      %cst_544 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2100 = stablehlo.reduce(%2099 init: %cst_544) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2101 = stablehlo.reshape %2100 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %cst_545 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2102 = stablehlo.reduce(%2101 init: %cst_545) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2103 = stablehlo.negate %2090 : tensor<64x14x14x1024xf32>
      %cst_546 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2104 = stablehlo.reduce(%2103 init: %cst_546) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2105 = stablehlo.reshape %2104 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %cst_547 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2106 = stablehlo.reduce(%2105 init: %cst_547) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2107 = stablehlo.add %2098, %2090 : tensor<64x14x14x1024xf32>
      %2108 = stablehlo.add %2102, %2106 : tensor<1024xf32>
      %cst_548 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %2109 = stablehlo.broadcast_in_dim %cst_548, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %2110 = stablehlo.divide %2108, %2109 : tensor<1024xf32>
      %2111 = stablehlo.broadcast_in_dim %2110, dims = [3] : (tensor<1024xf32>) -> tensor<64x14x14x1024xf32>
      %2112 = stablehlo.add %2107, %2111 : tensor<64x14x14x1024xf32>
      %2113 = stablehlo.convolution(%1347, %2112) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<64x14x14x1024xf32>) -> tensor<1x1x256x1024xf32>
      %2114 = stablehlo.reverse %arg291, dims = [0, 1] : tensor<1x1x256x1024xf32>
      %2115 = stablehlo.convolution(%2112, %2114) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<1x1x256x1024xf32>) -> tensor<64x14x14x256xf32>
      %cst_549 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2116 = stablehlo.broadcast_in_dim %cst_549, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
      %2117 = stablehlo.select %1349, %2115, %2116 : tensor<64x14x14x256xi1>, tensor<64x14x14x256xf32>
      %cst_550 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2118 = stablehlo.reduce(%2117 init: %cst_550) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2119 = stablehlo.reshape %2118 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_551 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2120 = stablehlo.reduce(%2119 init: %cst_551) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2121 = stablehlo.multiply %1324, %2117 : tensor<64x14x14x256xf32>
      %cst_552 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2122 = stablehlo.reduce(%2121 init: %cst_552) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2123 = stablehlo.reshape %2122 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %2124 = stablehlo.broadcast_in_dim %1341, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %2125 = stablehlo.multiply %2117, %2124 : tensor<64x14x14x256xf32>
      %cst_553 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2126 = stablehlo.reduce(%2123 init: %cst_553) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2127 = stablehlo.multiply %1336, %2126 : tensor<256xf32>
      %2128 = stablehlo.multiply %2126, %arg289 : tensor<256xf32>
      %2129 = stablehlo.multiply %2128, %1339 : tensor<256xf32>
      %cst_554 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %2130 = stablehlo.broadcast_in_dim %cst_554, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %2131 = stablehlo.divide %2129, %2130 : tensor<256xf32>
      %2132 = stablehlo.broadcast_in_dim %2131, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
      %2133 = stablehlo.multiply %2132, %1330 : tensor<64x14x14x256xf32>
      %2134 = stablehlo.negate %2133 : tensor<64x14x14x256xf32>
      %cst_555 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2135 = stablehlo.reduce(%2134 init: %cst_555) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2136 = stablehlo.reshape %2135 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_556 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2137 = stablehlo.reduce(%2136 init: %cst_556) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2138 = stablehlo.negate %2125 : tensor<64x14x14x256xf32>
      %cst_557 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2139 = stablehlo.reduce(%2138 init: %cst_557) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2140 = stablehlo.reshape %2139 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_558 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2141 = stablehlo.reduce(%2140 init: %cst_558) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2142 = stablehlo.add %2133, %2125 : tensor<64x14x14x256xf32>
      %2143 = stablehlo.add %2137, %2141 : tensor<256xf32>
      %cst_559 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %2144 = stablehlo.broadcast_in_dim %cst_559, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %2145 = stablehlo.divide %2143, %2144 : tensor<256xf32>
      %2146 = stablehlo.broadcast_in_dim %2145, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
      %2147 = stablehlo.add %2142, %2146 : tensor<64x14x14x256xf32>
      %2148 = stablehlo.convolution(%1315, %2147) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<64x14x14x256xf32>) -> tensor<3x3x256x256xf32>
      %2149 = stablehlo.reverse %arg288, dims = [0, 1] : tensor<3x3x256x256xf32>
      %2150 = stablehlo.convolution(%2147, %2149) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<3x3x256x256xf32>) -> tensor<64x14x14x256xf32>
      %cst_560 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2151 = stablehlo.broadcast_in_dim %cst_560, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
      %2152 = stablehlo.select %1317, %2150, %2151 : tensor<64x14x14x256xi1>, tensor<64x14x14x256xf32>
      %cst_561 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2153 = stablehlo.reduce(%2152 init: %cst_561) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2154 = stablehlo.reshape %2153 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_562 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2155 = stablehlo.reduce(%2154 init: %cst_562) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2156 = stablehlo.multiply %1292, %2152 : tensor<64x14x14x256xf32>
      %cst_563 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2157 = stablehlo.reduce(%2156 init: %cst_563) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2158 = stablehlo.reshape %2157 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %2159 = stablehlo.broadcast_in_dim %1309, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %2160 = stablehlo.multiply %2152, %2159 : tensor<64x14x14x256xf32>
      %cst_564 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2161 = stablehlo.reduce(%2158 init: %cst_564) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2162 = stablehlo.multiply %1304, %2161 : tensor<256xf32>
      %2163 = stablehlo.multiply %2161, %arg286 : tensor<256xf32>
      %2164 = stablehlo.multiply %2163, %1307 : tensor<256xf32>
      %cst_565 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %2165 = stablehlo.broadcast_in_dim %cst_565, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %2166 = stablehlo.divide %2164, %2165 : tensor<256xf32>
      %2167 = stablehlo.broadcast_in_dim %2166, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
      %2168 = stablehlo.multiply %2167, %1298 : tensor<64x14x14x256xf32>
      %2169 = stablehlo.negate %2168 : tensor<64x14x14x256xf32>
      %cst_566 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2170 = stablehlo.reduce(%2169 init: %cst_566) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2171 = stablehlo.reshape %2170 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_567 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2172 = stablehlo.reduce(%2171 init: %cst_567) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2173 = stablehlo.negate %2160 : tensor<64x14x14x256xf32>
      %cst_568 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2174 = stablehlo.reduce(%2173 init: %cst_568) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2175 = stablehlo.reshape %2174 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_569 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2176 = stablehlo.reduce(%2175 init: %cst_569) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2177 = stablehlo.add %2168, %2160 : tensor<64x14x14x256xf32>
      %2178 = stablehlo.add %2172, %2176 : tensor<256xf32>
      %cst_570 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %2179 = stablehlo.broadcast_in_dim %cst_570, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %2180 = stablehlo.divide %2178, %2179 : tensor<256xf32>
      %2181 = stablehlo.broadcast_in_dim %2180, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
      %2182 = stablehlo.add %2177, %2181 : tensor<64x14x14x256xf32>
      %2183 = stablehlo.convolution(%1283, %2182) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<64x14x14x256xf32>) -> tensor<1x1x1024x256xf32>
      %2184 = stablehlo.reverse %arg285, dims = [0, 1] : tensor<1x1x1024x256xf32>
      %2185 = stablehlo.convolution(%2182, %2184) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<1x1x1024x256xf32>) -> tensor<64x14x14x1024xf32>
      %2186 = stablehlo.add %2082, %2185 : tensor<64x14x14x1024xf32>
      %cst_571 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2187 = stablehlo.broadcast_in_dim %cst_571, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
      %2188 = stablehlo.select %1285, %2186, %2187 : tensor<64x14x14x1024xi1>, tensor<64x14x14x1024xf32>
      %cst_572 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2189 = stablehlo.reduce(%2188 init: %cst_572) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2190 = stablehlo.reshape %2189 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %cst_573 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2191 = stablehlo.reduce(%2190 init: %cst_573) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2192 = stablehlo.multiply %1259, %2188 : tensor<64x14x14x1024xf32>
      %cst_574 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2193 = stablehlo.reduce(%2192 init: %cst_574) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2194 = stablehlo.reshape %2193 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %2195 = stablehlo.broadcast_in_dim %1276, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
      %2196 = stablehlo.multiply %2188, %2195 : tensor<64x14x14x1024xf32>
      %cst_575 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2197 = stablehlo.reduce(%2194 init: %cst_575) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2198 = stablehlo.multiply %1271, %2197 : tensor<1024xf32>
      %2199 = stablehlo.multiply %2197, %arg283 : tensor<1024xf32>
      %2200 = stablehlo.multiply %2199, %1274 : tensor<1024xf32>
      %cst_576 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %2201 = stablehlo.broadcast_in_dim %cst_576, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %2202 = stablehlo.divide %2200, %2201 : tensor<1024xf32>
      %2203 = stablehlo.broadcast_in_dim %2202, dims = [3] : (tensor<1024xf32>) -> tensor<64x14x14x1024xf32>
      %2204 = stablehlo.multiply %2203, %1265 : tensor<64x14x14x1024xf32>
      %2205 = stablehlo.negate %2204 : tensor<64x14x14x1024xf32>
      %cst_577 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2206 = stablehlo.reduce(%2205 init: %cst_577) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2207 = stablehlo.reshape %2206 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %cst_578 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2208 = stablehlo.reduce(%2207 init: %cst_578) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2209 = stablehlo.negate %2196 : tensor<64x14x14x1024xf32>
      %cst_579 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2210 = stablehlo.reduce(%2209 init: %cst_579) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2211 = stablehlo.reshape %2210 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %cst_580 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2212 = stablehlo.reduce(%2211 init: %cst_580) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2213 = stablehlo.add %2204, %2196 : tensor<64x14x14x1024xf32>
      %2214 = stablehlo.add %2208, %2212 : tensor<1024xf32>
      %cst_581 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %2215 = stablehlo.broadcast_in_dim %cst_581, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %2216 = stablehlo.divide %2214, %2215 : tensor<1024xf32>
      %2217 = stablehlo.broadcast_in_dim %2216, dims = [3] : (tensor<1024xf32>) -> tensor<64x14x14x1024xf32>
      %2218 = stablehlo.add %2213, %2217 : tensor<64x14x14x1024xf32>
      %2219 = stablehlo.convolution(%1250, %2218) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<64x14x14x1024xf32>) -> tensor<1x1x256x1024xf32>
      %2220 = stablehlo.reverse %arg282, dims = [0, 1] : tensor<1x1x256x1024xf32>
      %2221 = stablehlo.convolution(%2218, %2220) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<1x1x256x1024xf32>) -> tensor<64x14x14x256xf32>
      %cst_582 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2222 = stablehlo.broadcast_in_dim %cst_582, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
      %2223 = stablehlo.select %1252, %2221, %2222 : tensor<64x14x14x256xi1>, tensor<64x14x14x256xf32>
      %cst_583 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2224 = stablehlo.reduce(%2223 init: %cst_583) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2225 = stablehlo.reshape %2224 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_584 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2226 = stablehlo.reduce(%2225 init: %cst_584) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2227 = stablehlo.multiply %1227, %2223 : tensor<64x14x14x256xf32>
      %cst_585 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2228 = stablehlo.reduce(%2227 init: %cst_585) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2229 = stablehlo.reshape %2228 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %2230 = stablehlo.broadcast_in_dim %1244, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %2231 = stablehlo.multiply %2223, %2230 : tensor<64x14x14x256xf32>
      %cst_586 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2232 = stablehlo.reduce(%2229 init: %cst_586) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2233 = stablehlo.multiply %1239, %2232 : tensor<256xf32>
      %2234 = stablehlo.multiply %2232, %arg280 : tensor<256xf32>
      %2235 = stablehlo.multiply %2234, %1242 : tensor<256xf32>
      %cst_587 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %2236 = stablehlo.broadcast_in_dim %cst_587, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %2237 = stablehlo.divide %2235, %2236 : tensor<256xf32>
      %2238 = stablehlo.broadcast_in_dim %2237, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
      %2239 = stablehlo.multiply %2238, %1233 : tensor<64x14x14x256xf32>
      %2240 = stablehlo.negate %2239 : tensor<64x14x14x256xf32>
      %cst_588 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2241 = stablehlo.reduce(%2240 init: %cst_588) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2242 = stablehlo.reshape %2241 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_589 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2243 = stablehlo.reduce(%2242 init: %cst_589) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2244 = stablehlo.negate %2231 : tensor<64x14x14x256xf32>
      %cst_590 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2245 = stablehlo.reduce(%2244 init: %cst_590) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2246 = stablehlo.reshape %2245 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_591 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2247 = stablehlo.reduce(%2246 init: %cst_591) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2248 = stablehlo.add %2239, %2231 : tensor<64x14x14x256xf32>
      %2249 = stablehlo.add %2243, %2247 : tensor<256xf32>
      %cst_592 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %2250 = stablehlo.broadcast_in_dim %cst_592, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %2251 = stablehlo.divide %2249, %2250 : tensor<256xf32>
      %2252 = stablehlo.broadcast_in_dim %2251, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
      %2253 = stablehlo.add %2248, %2252 : tensor<64x14x14x256xf32>
      %2254 = stablehlo.convolution(%1218, %2253) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<64x14x14x256xf32>) -> tensor<3x3x256x256xf32>
      %2255 = stablehlo.reverse %arg279, dims = [0, 1] : tensor<3x3x256x256xf32>
      %2256 = stablehlo.convolution(%2253, %2255) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<3x3x256x256xf32>) -> tensor<64x14x14x256xf32>
      %cst_593 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2257 = stablehlo.broadcast_in_dim %cst_593, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
      %2258 = stablehlo.select %1220, %2256, %2257 : tensor<64x14x14x256xi1>, tensor<64x14x14x256xf32>
      %cst_594 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2259 = stablehlo.reduce(%2258 init: %cst_594) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2260 = stablehlo.reshape %2259 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_595 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2261 = stablehlo.reduce(%2260 init: %cst_595) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2262 = stablehlo.multiply %1195, %2258 : tensor<64x14x14x256xf32>
      %cst_596 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2263 = stablehlo.reduce(%2262 init: %cst_596) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2264 = stablehlo.reshape %2263 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %2265 = stablehlo.broadcast_in_dim %1212, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %2266 = stablehlo.multiply %2258, %2265 : tensor<64x14x14x256xf32>
      %cst_597 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2267 = stablehlo.reduce(%2264 init: %cst_597) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2268 = stablehlo.multiply %1207, %2267 : tensor<256xf32>
      %2269 = stablehlo.multiply %2267, %arg277 : tensor<256xf32>
      %2270 = stablehlo.multiply %2269, %1210 : tensor<256xf32>
      %cst_598 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %2271 = stablehlo.broadcast_in_dim %cst_598, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %2272 = stablehlo.divide %2270, %2271 : tensor<256xf32>
      %2273 = stablehlo.broadcast_in_dim %2272, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
      %2274 = stablehlo.multiply %2273, %1201 : tensor<64x14x14x256xf32>
      %2275 = stablehlo.negate %2274 : tensor<64x14x14x256xf32>
      %cst_599 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2276 = stablehlo.reduce(%2275 init: %cst_599) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2277 = stablehlo.reshape %2276 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_600 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2278 = stablehlo.reduce(%2277 init: %cst_600) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2279 = stablehlo.negate %2266 : tensor<64x14x14x256xf32>
      %cst_601 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2280 = stablehlo.reduce(%2279 init: %cst_601) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2281 = stablehlo.reshape %2280 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_602 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2282 = stablehlo.reduce(%2281 init: %cst_602) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2283 = stablehlo.add %2274, %2266 : tensor<64x14x14x256xf32>
      %2284 = stablehlo.add %2278, %2282 : tensor<256xf32>
      %cst_603 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %2285 = stablehlo.broadcast_in_dim %cst_603, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %2286 = stablehlo.divide %2284, %2285 : tensor<256xf32>
      %2287 = stablehlo.broadcast_in_dim %2286, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
      %2288 = stablehlo.add %2283, %2287 : tensor<64x14x14x256xf32>
      %2289 = stablehlo.convolution(%1186, %2288) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<64x14x14x256xf32>) -> tensor<1x1x1024x256xf32>
      %2290 = stablehlo.reverse %arg276, dims = [0, 1] : tensor<1x1x1024x256xf32>
      %2291 = stablehlo.convolution(%2288, %2290) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<1x1x1024x256xf32>) -> tensor<64x14x14x1024xf32>
      %2292 = stablehlo.add %2188, %2291 : tensor<64x14x14x1024xf32>
      %cst_604 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2293 = stablehlo.broadcast_in_dim %cst_604, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
      %2294 = stablehlo.select %1188, %2292, %2293 : tensor<64x14x14x1024xi1>, tensor<64x14x14x1024xf32>
      %cst_605 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2295 = stablehlo.reduce(%2294 init: %cst_605) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2296 = stablehlo.reshape %2295 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %cst_606 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2297 = stablehlo.reduce(%2296 init: %cst_606) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2298 = stablehlo.multiply %1162, %2294 : tensor<64x14x14x1024xf32>
      %cst_607 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2299 = stablehlo.reduce(%2298 init: %cst_607) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2300 = stablehlo.reshape %2299 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %2301 = stablehlo.broadcast_in_dim %1179, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
      %2302 = stablehlo.multiply %2294, %2301 : tensor<64x14x14x1024xf32>
      %cst_608 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2303 = stablehlo.reduce(%2300 init: %cst_608) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2304 = stablehlo.multiply %1174, %2303 : tensor<1024xf32>
      %2305 = stablehlo.multiply %2303, %arg274 : tensor<1024xf32>
      %2306 = stablehlo.multiply %2305, %1177 : tensor<1024xf32>
      %cst_609 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %2307 = stablehlo.broadcast_in_dim %cst_609, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %2308 = stablehlo.divide %2306, %2307 : tensor<1024xf32>
      %2309 = stablehlo.broadcast_in_dim %2308, dims = [3] : (tensor<1024xf32>) -> tensor<64x14x14x1024xf32>
      %2310 = stablehlo.multiply %2309, %1168 : tensor<64x14x14x1024xf32>
      %2311 = stablehlo.negate %2310 : tensor<64x14x14x1024xf32>
      %cst_610 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2312 = stablehlo.reduce(%2311 init: %cst_610) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2313 = stablehlo.reshape %2312 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %cst_611 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2314 = stablehlo.reduce(%2313 init: %cst_611) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2315 = stablehlo.negate %2302 : tensor<64x14x14x1024xf32>
      %cst_612 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2316 = stablehlo.reduce(%2315 init: %cst_612) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2317 = stablehlo.reshape %2316 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %cst_613 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2318 = stablehlo.reduce(%2317 init: %cst_613) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2319 = stablehlo.add %2310, %2302 : tensor<64x14x14x1024xf32>
      %2320 = stablehlo.add %2314, %2318 : tensor<1024xf32>
      %cst_614 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %2321 = stablehlo.broadcast_in_dim %cst_614, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %2322 = stablehlo.divide %2320, %2321 : tensor<1024xf32>
      %2323 = stablehlo.broadcast_in_dim %2322, dims = [3] : (tensor<1024xf32>) -> tensor<64x14x14x1024xf32>
      %2324 = stablehlo.add %2319, %2323 : tensor<64x14x14x1024xf32>
      %2325 = stablehlo.convolution(%1153, %2324) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<64x14x14x1024xf32>) -> tensor<1x1x256x1024xf32>
      %2326 = stablehlo.reverse %arg273, dims = [0, 1] : tensor<1x1x256x1024xf32>
      %2327 = stablehlo.convolution(%2324, %2326) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<1x1x256x1024xf32>) -> tensor<64x14x14x256xf32>
      %cst_615 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2328 = stablehlo.broadcast_in_dim %cst_615, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
      %2329 = stablehlo.select %1155, %2327, %2328 : tensor<64x14x14x256xi1>, tensor<64x14x14x256xf32>
      %cst_616 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2330 = stablehlo.reduce(%2329 init: %cst_616) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2331 = stablehlo.reshape %2330 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_617 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2332 = stablehlo.reduce(%2331 init: %cst_617) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2333 = stablehlo.multiply %1130, %2329 : tensor<64x14x14x256xf32>
      %cst_618 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2334 = stablehlo.reduce(%2333 init: %cst_618) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2335 = stablehlo.reshape %2334 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %2336 = stablehlo.broadcast_in_dim %1147, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %2337 = stablehlo.multiply %2329, %2336 : tensor<64x14x14x256xf32>
      %cst_619 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2338 = stablehlo.reduce(%2335 init: %cst_619) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2339 = stablehlo.multiply %1142, %2338 : tensor<256xf32>
      %2340 = stablehlo.multiply %2338, %arg271 : tensor<256xf32>
      %2341 = stablehlo.multiply %2340, %1145 : tensor<256xf32>
      %cst_620 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %2342 = stablehlo.broadcast_in_dim %cst_620, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %2343 = stablehlo.divide %2341, %2342 : tensor<256xf32>
      %2344 = stablehlo.broadcast_in_dim %2343, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
      %2345 = stablehlo.multiply %2344, %1136 : tensor<64x14x14x256xf32>
      %2346 = stablehlo.negate %2345 : tensor<64x14x14x256xf32>
      %cst_621 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2347 = stablehlo.reduce(%2346 init: %cst_621) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2348 = stablehlo.reshape %2347 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_622 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2349 = stablehlo.reduce(%2348 init: %cst_622) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2350 = stablehlo.negate %2337 : tensor<64x14x14x256xf32>
      %cst_623 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2351 = stablehlo.reduce(%2350 init: %cst_623) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2352 = stablehlo.reshape %2351 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_624 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2353 = stablehlo.reduce(%2352 init: %cst_624) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2354 = stablehlo.add %2345, %2337 : tensor<64x14x14x256xf32>
      %2355 = stablehlo.add %2349, %2353 : tensor<256xf32>
      %cst_625 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %2356 = stablehlo.broadcast_in_dim %cst_625, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %2357 = stablehlo.divide %2355, %2356 : tensor<256xf32>
      %2358 = stablehlo.broadcast_in_dim %2357, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
      %2359 = stablehlo.add %2354, %2358 : tensor<64x14x14x256xf32>
      %2360 = stablehlo.convolution(%1121, %2359) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<64x14x14x256xf32>) -> tensor<3x3x256x256xf32>
      %2361 = stablehlo.reverse %arg270, dims = [0, 1] : tensor<3x3x256x256xf32>
      %2362 = stablehlo.convolution(%2359, %2361) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<3x3x256x256xf32>) -> tensor<64x14x14x256xf32>
      %cst_626 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2363 = stablehlo.broadcast_in_dim %cst_626, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
      %2364 = stablehlo.select %1123, %2362, %2363 : tensor<64x14x14x256xi1>, tensor<64x14x14x256xf32>
      %cst_627 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2365 = stablehlo.reduce(%2364 init: %cst_627) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2366 = stablehlo.reshape %2365 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_628 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2367 = stablehlo.reduce(%2366 init: %cst_628) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2368 = stablehlo.multiply %1098, %2364 : tensor<64x14x14x256xf32>
      %cst_629 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2369 = stablehlo.reduce(%2368 init: %cst_629) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2370 = stablehlo.reshape %2369 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %2371 = stablehlo.broadcast_in_dim %1115, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %2372 = stablehlo.multiply %2364, %2371 : tensor<64x14x14x256xf32>
      %cst_630 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2373 = stablehlo.reduce(%2370 init: %cst_630) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2374 = stablehlo.multiply %1110, %2373 : tensor<256xf32>
      %2375 = stablehlo.multiply %2373, %arg268 : tensor<256xf32>
      %2376 = stablehlo.multiply %2375, %1113 : tensor<256xf32>
      %cst_631 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %2377 = stablehlo.broadcast_in_dim %cst_631, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %2378 = stablehlo.divide %2376, %2377 : tensor<256xf32>
      %2379 = stablehlo.broadcast_in_dim %2378, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
      %2380 = stablehlo.multiply %2379, %1104 : tensor<64x14x14x256xf32>
      %2381 = stablehlo.negate %2380 : tensor<64x14x14x256xf32>
      %cst_632 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2382 = stablehlo.reduce(%2381 init: %cst_632) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2383 = stablehlo.reshape %2382 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_633 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2384 = stablehlo.reduce(%2383 init: %cst_633) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2385 = stablehlo.negate %2372 : tensor<64x14x14x256xf32>
      %cst_634 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2386 = stablehlo.reduce(%2385 init: %cst_634) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2387 = stablehlo.reshape %2386 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_635 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2388 = stablehlo.reduce(%2387 init: %cst_635) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2389 = stablehlo.add %2380, %2372 : tensor<64x14x14x256xf32>
      %2390 = stablehlo.add %2384, %2388 : tensor<256xf32>
      %cst_636 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %2391 = stablehlo.broadcast_in_dim %cst_636, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %2392 = stablehlo.divide %2390, %2391 : tensor<256xf32>
      %2393 = stablehlo.broadcast_in_dim %2392, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
      %2394 = stablehlo.add %2389, %2393 : tensor<64x14x14x256xf32>
      %2395 = stablehlo.convolution(%1089, %2394) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<64x14x14x256xf32>) -> tensor<1x1x1024x256xf32>
      %2396 = stablehlo.reverse %arg267, dims = [0, 1] : tensor<1x1x1024x256xf32>
      %2397 = stablehlo.convolution(%2394, %2396) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<1x1x1024x256xf32>) -> tensor<64x14x14x1024xf32>
      %2398 = stablehlo.add %2294, %2397 : tensor<64x14x14x1024xf32>
      %cst_637 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2399 = stablehlo.broadcast_in_dim %cst_637, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
      %2400 = stablehlo.select %1091, %2398, %2399 : tensor<64x14x14x1024xi1>, tensor<64x14x14x1024xf32>
      %cst_638 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2401 = stablehlo.reduce(%2400 init: %cst_638) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2402 = stablehlo.reshape %2401 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %cst_639 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2403 = stablehlo.reduce(%2402 init: %cst_639) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2404 = stablehlo.multiply %1065, %2400 : tensor<64x14x14x1024xf32>
      %cst_640 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2405 = stablehlo.reduce(%2404 init: %cst_640) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2406 = stablehlo.reshape %2405 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %2407 = stablehlo.broadcast_in_dim %1082, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
      %2408 = stablehlo.multiply %2400, %2407 : tensor<64x14x14x1024xf32>
      %cst_641 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2409 = stablehlo.reduce(%2406 init: %cst_641) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2410 = stablehlo.multiply %1077, %2409 : tensor<1024xf32>
      %2411 = stablehlo.multiply %2409, %arg265 : tensor<1024xf32>
      %2412 = stablehlo.multiply %2411, %1080 : tensor<1024xf32>
      %cst_642 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %2413 = stablehlo.broadcast_in_dim %cst_642, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %2414 = stablehlo.divide %2412, %2413 : tensor<1024xf32>
      %2415 = stablehlo.broadcast_in_dim %2414, dims = [3] : (tensor<1024xf32>) -> tensor<64x14x14x1024xf32>
      %2416 = stablehlo.multiply %2415, %1071 : tensor<64x14x14x1024xf32>
      %2417 = stablehlo.negate %2416 : tensor<64x14x14x1024xf32>
      %cst_643 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2418 = stablehlo.reduce(%2417 init: %cst_643) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2419 = stablehlo.reshape %2418 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %cst_644 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2420 = stablehlo.reduce(%2419 init: %cst_644) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2421 = stablehlo.negate %2408 : tensor<64x14x14x1024xf32>
      %cst_645 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2422 = stablehlo.reduce(%2421 init: %cst_645) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2423 = stablehlo.reshape %2422 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %cst_646 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2424 = stablehlo.reduce(%2423 init: %cst_646) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2425 = stablehlo.add %2416, %2408 : tensor<64x14x14x1024xf32>
      %2426 = stablehlo.add %2420, %2424 : tensor<1024xf32>
      %cst_647 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %2427 = stablehlo.broadcast_in_dim %cst_647, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %2428 = stablehlo.divide %2426, %2427 : tensor<1024xf32>
      %2429 = stablehlo.broadcast_in_dim %2428, dims = [3] : (tensor<1024xf32>) -> tensor<64x14x14x1024xf32>
      %2430 = stablehlo.add %2425, %2429 : tensor<64x14x14x1024xf32>
      %2431 = stablehlo.convolution(%1056, %2430) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<64x14x14x1024xf32>) -> tensor<1x1x256x1024xf32>
      %2432 = stablehlo.reverse %arg264, dims = [0, 1] : tensor<1x1x256x1024xf32>
      %2433 = stablehlo.convolution(%2430, %2432) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<1x1x256x1024xf32>) -> tensor<64x14x14x256xf32>
      %cst_648 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2434 = stablehlo.broadcast_in_dim %cst_648, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
      %2435 = stablehlo.select %1058, %2433, %2434 : tensor<64x14x14x256xi1>, tensor<64x14x14x256xf32>
      %cst_649 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2436 = stablehlo.reduce(%2435 init: %cst_649) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2437 = stablehlo.reshape %2436 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_650 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2438 = stablehlo.reduce(%2437 init: %cst_650) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2439 = stablehlo.multiply %1033, %2435 : tensor<64x14x14x256xf32>
      %cst_651 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2440 = stablehlo.reduce(%2439 init: %cst_651) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2441 = stablehlo.reshape %2440 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %2442 = stablehlo.broadcast_in_dim %1050, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %2443 = stablehlo.multiply %2435, %2442 : tensor<64x14x14x256xf32>
      %cst_652 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2444 = stablehlo.reduce(%2441 init: %cst_652) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2445 = stablehlo.multiply %1045, %2444 : tensor<256xf32>
      %2446 = stablehlo.multiply %2444, %arg262 : tensor<256xf32>
      %2447 = stablehlo.multiply %2446, %1048 : tensor<256xf32>
      %cst_653 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %2448 = stablehlo.broadcast_in_dim %cst_653, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %2449 = stablehlo.divide %2447, %2448 : tensor<256xf32>
      %2450 = stablehlo.broadcast_in_dim %2449, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
      %2451 = stablehlo.multiply %2450, %1039 : tensor<64x14x14x256xf32>
      %2452 = stablehlo.negate %2451 : tensor<64x14x14x256xf32>
      %cst_654 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2453 = stablehlo.reduce(%2452 init: %cst_654) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2454 = stablehlo.reshape %2453 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_655 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2455 = stablehlo.reduce(%2454 init: %cst_655) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2456 = stablehlo.negate %2443 : tensor<64x14x14x256xf32>
      %cst_656 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2457 = stablehlo.reduce(%2456 init: %cst_656) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2458 = stablehlo.reshape %2457 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_657 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2459 = stablehlo.reduce(%2458 init: %cst_657) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2460 = stablehlo.add %2451, %2443 : tensor<64x14x14x256xf32>
      %2461 = stablehlo.add %2455, %2459 : tensor<256xf32>
      %cst_658 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %2462 = stablehlo.broadcast_in_dim %cst_658, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %2463 = stablehlo.divide %2461, %2462 : tensor<256xf32>
      %2464 = stablehlo.broadcast_in_dim %2463, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
      %2465 = stablehlo.add %2460, %2464 : tensor<64x14x14x256xf32>
      %2466 = stablehlo.convolution(%1024, %2465) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<64x14x14x256xf32>) -> tensor<3x3x256x256xf32>
      %2467 = stablehlo.reverse %arg261, dims = [0, 1] : tensor<3x3x256x256xf32>
      %2468 = stablehlo.convolution(%2465, %2467) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<3x3x256x256xf32>) -> tensor<64x14x14x256xf32>
      %cst_659 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2469 = stablehlo.broadcast_in_dim %cst_659, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
      %2470 = stablehlo.select %1026, %2468, %2469 : tensor<64x14x14x256xi1>, tensor<64x14x14x256xf32>
      %cst_660 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2471 = stablehlo.reduce(%2470 init: %cst_660) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2472 = stablehlo.reshape %2471 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_661 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2473 = stablehlo.reduce(%2472 init: %cst_661) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2474 = stablehlo.multiply %1001, %2470 : tensor<64x14x14x256xf32>
      %cst_662 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2475 = stablehlo.reduce(%2474 init: %cst_662) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2476 = stablehlo.reshape %2475 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %2477 = stablehlo.broadcast_in_dim %1018, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %2478 = stablehlo.multiply %2470, %2477 : tensor<64x14x14x256xf32>
      %cst_663 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2479 = stablehlo.reduce(%2476 init: %cst_663) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2480 = stablehlo.multiply %1013, %2479 : tensor<256xf32>
      %2481 = stablehlo.multiply %2479, %arg259 : tensor<256xf32>
      %2482 = stablehlo.multiply %2481, %1016 : tensor<256xf32>
      %cst_664 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %2483 = stablehlo.broadcast_in_dim %cst_664, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %2484 = stablehlo.divide %2482, %2483 : tensor<256xf32>
      %2485 = stablehlo.broadcast_in_dim %2484, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
      %2486 = stablehlo.multiply %2485, %1007 : tensor<64x14x14x256xf32>
      %2487 = stablehlo.negate %2486 : tensor<64x14x14x256xf32>
      %cst_665 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2488 = stablehlo.reduce(%2487 init: %cst_665) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2489 = stablehlo.reshape %2488 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_666 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2490 = stablehlo.reduce(%2489 init: %cst_666) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2491 = stablehlo.negate %2478 : tensor<64x14x14x256xf32>
      %cst_667 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2492 = stablehlo.reduce(%2491 init: %cst_667) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2493 = stablehlo.reshape %2492 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_668 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2494 = stablehlo.reduce(%2493 init: %cst_668) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2495 = stablehlo.add %2486, %2478 : tensor<64x14x14x256xf32>
      %2496 = stablehlo.add %2490, %2494 : tensor<256xf32>
      %cst_669 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %2497 = stablehlo.broadcast_in_dim %cst_669, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %2498 = stablehlo.divide %2496, %2497 : tensor<256xf32>
      %2499 = stablehlo.broadcast_in_dim %2498, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
      %2500 = stablehlo.add %2495, %2499 : tensor<64x14x14x256xf32>
      %2501 = stablehlo.convolution(%992, %2500) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<64x14x14x256xf32>) -> tensor<1x1x1024x256xf32>
      %2502 = stablehlo.reverse %arg258, dims = [0, 1] : tensor<1x1x1024x256xf32>
      %2503 = stablehlo.convolution(%2500, %2502) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<1x1x1024x256xf32>) -> tensor<64x14x14x1024xf32>
      %2504 = stablehlo.add %2400, %2503 : tensor<64x14x14x1024xf32>
      %cst_670 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2505 = stablehlo.broadcast_in_dim %cst_670, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
      %2506 = stablehlo.select %994, %2504, %2505 : tensor<64x14x14x1024xi1>, tensor<64x14x14x1024xf32>
      %cst_671 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2507 = stablehlo.reduce(%2506 init: %cst_671) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2508 = stablehlo.reshape %2507 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %cst_672 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2509 = stablehlo.reduce(%2508 init: %cst_672) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2510 = stablehlo.multiply %968, %2506 : tensor<64x14x14x1024xf32>
      %cst_673 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2511 = stablehlo.reduce(%2510 init: %cst_673) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2512 = stablehlo.reshape %2511 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %2513 = stablehlo.broadcast_in_dim %985, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
      %2514 = stablehlo.multiply %2506, %2513 : tensor<64x14x14x1024xf32>
      %cst_674 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2515 = stablehlo.reduce(%2512 init: %cst_674) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2516 = stablehlo.multiply %980, %2515 : tensor<1024xf32>
      %2517 = stablehlo.multiply %2515, %arg256 : tensor<1024xf32>
      %2518 = stablehlo.multiply %2517, %983 : tensor<1024xf32>
      %cst_675 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %2519 = stablehlo.broadcast_in_dim %cst_675, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %2520 = stablehlo.divide %2518, %2519 : tensor<1024xf32>
      %2521 = stablehlo.broadcast_in_dim %2520, dims = [3] : (tensor<1024xf32>) -> tensor<64x14x14x1024xf32>
      %2522 = stablehlo.multiply %2521, %974 : tensor<64x14x14x1024xf32>
      %2523 = stablehlo.negate %2522 : tensor<64x14x14x1024xf32>
      %cst_676 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2524 = stablehlo.reduce(%2523 init: %cst_676) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2525 = stablehlo.reshape %2524 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %cst_677 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2526 = stablehlo.reduce(%2525 init: %cst_677) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2527 = stablehlo.negate %2514 : tensor<64x14x14x1024xf32>
      %cst_678 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2528 = stablehlo.reduce(%2527 init: %cst_678) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2529 = stablehlo.reshape %2528 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %cst_679 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2530 = stablehlo.reduce(%2529 init: %cst_679) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2531 = stablehlo.add %2522, %2514 : tensor<64x14x14x1024xf32>
      %2532 = stablehlo.add %2526, %2530 : tensor<1024xf32>
      %cst_680 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %2533 = stablehlo.broadcast_in_dim %cst_680, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %2534 = stablehlo.divide %2532, %2533 : tensor<1024xf32>
      %2535 = stablehlo.broadcast_in_dim %2534, dims = [3] : (tensor<1024xf32>) -> tensor<64x14x14x1024xf32>
      %2536 = stablehlo.add %2531, %2535 : tensor<64x14x14x1024xf32>
      %2537 = stablehlo.convolution(%959, %2536) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<64x14x14x1024xf32>) -> tensor<1x1x256x1024xf32>
      %2538 = stablehlo.reverse %arg255, dims = [0, 1] : tensor<1x1x256x1024xf32>
      %2539 = stablehlo.convolution(%2536, %2538) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<1x1x256x1024xf32>) -> tensor<64x14x14x256xf32>
      %cst_681 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2540 = stablehlo.broadcast_in_dim %cst_681, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
      %2541 = stablehlo.select %961, %2539, %2540 : tensor<64x14x14x256xi1>, tensor<64x14x14x256xf32>
      %cst_682 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2542 = stablehlo.reduce(%2541 init: %cst_682) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2543 = stablehlo.reshape %2542 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_683 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2544 = stablehlo.reduce(%2543 init: %cst_683) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2545 = stablehlo.multiply %936, %2541 : tensor<64x14x14x256xf32>
      %cst_684 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2546 = stablehlo.reduce(%2545 init: %cst_684) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2547 = stablehlo.reshape %2546 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %2548 = stablehlo.broadcast_in_dim %953, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %2549 = stablehlo.multiply %2541, %2548 : tensor<64x14x14x256xf32>
      %cst_685 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2550 = stablehlo.reduce(%2547 init: %cst_685) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2551 = stablehlo.multiply %948, %2550 : tensor<256xf32>
      %2552 = stablehlo.multiply %2550, %arg253 : tensor<256xf32>
      %2553 = stablehlo.multiply %2552, %951 : tensor<256xf32>
      %cst_686 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %2554 = stablehlo.broadcast_in_dim %cst_686, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %2555 = stablehlo.divide %2553, %2554 : tensor<256xf32>
      %2556 = stablehlo.broadcast_in_dim %2555, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
      %2557 = stablehlo.multiply %2556, %942 : tensor<64x14x14x256xf32>
      %2558 = stablehlo.negate %2557 : tensor<64x14x14x256xf32>
      %cst_687 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2559 = stablehlo.reduce(%2558 init: %cst_687) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2560 = stablehlo.reshape %2559 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_688 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2561 = stablehlo.reduce(%2560 init: %cst_688) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2562 = stablehlo.negate %2549 : tensor<64x14x14x256xf32>
      %cst_689 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2563 = stablehlo.reduce(%2562 init: %cst_689) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2564 = stablehlo.reshape %2563 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_690 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2565 = stablehlo.reduce(%2564 init: %cst_690) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2566 = stablehlo.add %2557, %2549 : tensor<64x14x14x256xf32>
      %2567 = stablehlo.add %2561, %2565 : tensor<256xf32>
      %cst_691 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %2568 = stablehlo.broadcast_in_dim %cst_691, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %2569 = stablehlo.divide %2567, %2568 : tensor<256xf32>
      %2570 = stablehlo.broadcast_in_dim %2569, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
      %2571 = stablehlo.add %2566, %2570 : tensor<64x14x14x256xf32>
      %2572 = stablehlo.convolution(%927, %2571) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<64x14x14x256xf32>) -> tensor<3x3x256x256xf32>
      %2573 = stablehlo.reverse %arg252, dims = [0, 1] : tensor<3x3x256x256xf32>
      %2574 = stablehlo.convolution(%2571, %2573) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<3x3x256x256xf32>) -> tensor<64x14x14x256xf32>
      %cst_692 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2575 = stablehlo.broadcast_in_dim %cst_692, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
      %2576 = stablehlo.select %929, %2574, %2575 : tensor<64x14x14x256xi1>, tensor<64x14x14x256xf32>
      %cst_693 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2577 = stablehlo.reduce(%2576 init: %cst_693) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2578 = stablehlo.reshape %2577 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_694 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2579 = stablehlo.reduce(%2578 init: %cst_694) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2580 = stablehlo.multiply %904, %2576 : tensor<64x14x14x256xf32>
      %cst_695 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2581 = stablehlo.reduce(%2580 init: %cst_695) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2582 = stablehlo.reshape %2581 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %2583 = stablehlo.broadcast_in_dim %921, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %2584 = stablehlo.multiply %2576, %2583 : tensor<64x14x14x256xf32>
      %cst_696 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2585 = stablehlo.reduce(%2582 init: %cst_696) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2586 = stablehlo.multiply %916, %2585 : tensor<256xf32>
      %2587 = stablehlo.multiply %2585, %arg250 : tensor<256xf32>
      %2588 = stablehlo.multiply %2587, %919 : tensor<256xf32>
      %cst_697 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %2589 = stablehlo.broadcast_in_dim %cst_697, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %2590 = stablehlo.divide %2588, %2589 : tensor<256xf32>
      %2591 = stablehlo.broadcast_in_dim %2590, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
      %2592 = stablehlo.multiply %2591, %910 : tensor<64x14x14x256xf32>
      %2593 = stablehlo.negate %2592 : tensor<64x14x14x256xf32>
      %cst_698 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2594 = stablehlo.reduce(%2593 init: %cst_698) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2595 = stablehlo.reshape %2594 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_699 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2596 = stablehlo.reduce(%2595 init: %cst_699) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2597 = stablehlo.negate %2584 : tensor<64x14x14x256xf32>
      %cst_700 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2598 = stablehlo.reduce(%2597 init: %cst_700) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2599 = stablehlo.reshape %2598 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_701 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2600 = stablehlo.reduce(%2599 init: %cst_701) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2601 = stablehlo.add %2592, %2584 : tensor<64x14x14x256xf32>
      %2602 = stablehlo.add %2596, %2600 : tensor<256xf32>
      %cst_702 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %2603 = stablehlo.broadcast_in_dim %cst_702, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %2604 = stablehlo.divide %2602, %2603 : tensor<256xf32>
      %2605 = stablehlo.broadcast_in_dim %2604, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
      %2606 = stablehlo.add %2601, %2605 : tensor<64x14x14x256xf32>
      %2607 = stablehlo.convolution(%895, %2606) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<64x14x14x256xf32>) -> tensor<1x1x1024x256xf32>
      %2608 = stablehlo.reverse %arg249, dims = [0, 1] : tensor<1x1x1024x256xf32>
      %2609 = stablehlo.convolution(%2606, %2608) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<1x1x1024x256xf32>) -> tensor<64x14x14x1024xf32>
      %2610 = stablehlo.add %2506, %2609 : tensor<64x14x14x1024xf32>
      %cst_703 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2611 = stablehlo.broadcast_in_dim %cst_703, dims = [] : (tensor<f32>) -> tensor<64x14x14x1024xf32>
      %2612 = stablehlo.select %897, %2610, %2611 : tensor<64x14x14x1024xi1>, tensor<64x14x14x1024xf32>
      %cst_704 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2613 = stablehlo.reduce(%2612 init: %cst_704) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2614 = stablehlo.reshape %2613 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %cst_705 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2615 = stablehlo.reduce(%2614 init: %cst_705) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2616 = stablehlo.multiply %871, %2612 : tensor<64x14x14x1024xf32>
      %cst_706 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2617 = stablehlo.reduce(%2616 init: %cst_706) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2618 = stablehlo.reshape %2617 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %2619 = stablehlo.broadcast_in_dim %888, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
      %2620 = stablehlo.multiply %2612, %2619 : tensor<64x14x14x1024xf32>
      %cst_707 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2621 = stablehlo.reduce(%2618 init: %cst_707) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2622 = stablehlo.multiply %883, %2621 : tensor<1024xf32>
      %2623 = stablehlo.multiply %2621, %arg247 : tensor<1024xf32>
      %2624 = stablehlo.multiply %2623, %886 : tensor<1024xf32>
      %cst_708 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %2625 = stablehlo.broadcast_in_dim %cst_708, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %2626 = stablehlo.divide %2624, %2625 : tensor<1024xf32>
      %2627 = stablehlo.broadcast_in_dim %2626, dims = [3] : (tensor<1024xf32>) -> tensor<64x14x14x1024xf32>
      %2628 = stablehlo.multiply %2627, %877 : tensor<64x14x14x1024xf32>
      %2629 = stablehlo.negate %2628 : tensor<64x14x14x1024xf32>
      %cst_709 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2630 = stablehlo.reduce(%2629 init: %cst_709) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2631 = stablehlo.reshape %2630 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %cst_710 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2632 = stablehlo.reduce(%2631 init: %cst_710) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2633 = stablehlo.negate %2620 : tensor<64x14x14x1024xf32>
      %cst_711 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2634 = stablehlo.reduce(%2633 init: %cst_711) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2635 = stablehlo.reshape %2634 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %cst_712 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2636 = stablehlo.reduce(%2635 init: %cst_712) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2637 = stablehlo.add %2628, %2620 : tensor<64x14x14x1024xf32>
      %2638 = stablehlo.add %2632, %2636 : tensor<1024xf32>
      %cst_713 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %2639 = stablehlo.broadcast_in_dim %cst_713, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %2640 = stablehlo.divide %2638, %2639 : tensor<1024xf32>
      %2641 = stablehlo.broadcast_in_dim %2640, dims = [3] : (tensor<1024xf32>) -> tensor<64x14x14x1024xf32>
      %2642 = stablehlo.add %2637, %2641 : tensor<64x14x14x1024xf32>
      %2643 = stablehlo.convolution(%769, %2642) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, -1], [0, -1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x512xf32>, tensor<64x14x14x1024xf32>) -> tensor<1x1x512x1024xf32>
      %2644 = stablehlo.reverse %arg246, dims = [0, 1] : tensor<1x1x512x1024xf32>
      %2645 = stablehlo.convolution(%2642, %2644) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 1], [0, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<1x1x512x1024xf32>) -> tensor<64x28x28x512xf32>
      %cst_714 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2646 = stablehlo.reduce(%2612 init: %cst_714) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2647 = stablehlo.reshape %2646 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %cst_715 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2648 = stablehlo.reduce(%2647 init: %cst_715) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2649 = stablehlo.multiply %842, %2612 : tensor<64x14x14x1024xf32>
      %cst_716 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2650 = stablehlo.reduce(%2649 init: %cst_716) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2651 = stablehlo.reshape %2650 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %2652 = stablehlo.broadcast_in_dim %859, dims = [0, 1, 2, 3] : (tensor<1x1x1x1024xf32>) -> tensor<64x14x14x1024xf32>
      %2653 = stablehlo.multiply %2612, %2652 : tensor<64x14x14x1024xf32>
      %cst_717 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2654 = stablehlo.reduce(%2651 init: %cst_717) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2655 = stablehlo.multiply %854, %2654 : tensor<1024xf32>
      %2656 = stablehlo.multiply %2654, %arg244 : tensor<1024xf32>
      %2657 = stablehlo.multiply %2656, %857 : tensor<1024xf32>
      %cst_718 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %2658 = stablehlo.broadcast_in_dim %cst_718, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %2659 = stablehlo.divide %2657, %2658 : tensor<1024xf32>
      %2660 = stablehlo.broadcast_in_dim %2659, dims = [3] : (tensor<1024xf32>) -> tensor<64x14x14x1024xf32>
      %2661 = stablehlo.multiply %2660, %848 : tensor<64x14x14x1024xf32>
      %2662 = stablehlo.negate %2661 : tensor<64x14x14x1024xf32>
      %cst_719 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2663 = stablehlo.reduce(%2662 init: %cst_719) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2664 = stablehlo.reshape %2663 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %cst_720 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2665 = stablehlo.reduce(%2664 init: %cst_720) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2666 = stablehlo.negate %2653 : tensor<64x14x14x1024xf32>
      %cst_721 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2667 = stablehlo.reduce(%2666 init: %cst_721) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2668 = stablehlo.reshape %2667 : (tensor<1024xf32>) -> tensor<1x1x1x1024xf32>
      %cst_722 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2669 = stablehlo.reduce(%2668 init: %cst_722) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      %2670 = stablehlo.add %2661, %2653 : tensor<64x14x14x1024xf32>
      %2671 = stablehlo.add %2665, %2669 : tensor<1024xf32>
      %cst_723 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %2672 = stablehlo.broadcast_in_dim %cst_723, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %2673 = stablehlo.divide %2671, %2672 : tensor<1024xf32>
      %2674 = stablehlo.broadcast_in_dim %2673, dims = [3] : (tensor<1024xf32>) -> tensor<64x14x14x1024xf32>
      %2675 = stablehlo.add %2670, %2674 : tensor<64x14x14x1024xf32>
      %2676 = stablehlo.convolution(%833, %2675) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<64x14x14x1024xf32>) -> tensor<1x1x256x1024xf32>
      %2677 = stablehlo.reverse %arg243, dims = [0, 1] : tensor<1x1x256x1024xf32>
      %2678 = stablehlo.convolution(%2675, %2677) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x1024xf32>, tensor<1x1x256x1024xf32>) -> tensor<64x14x14x256xf32>
      %cst_724 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2679 = stablehlo.broadcast_in_dim %cst_724, dims = [] : (tensor<f32>) -> tensor<64x14x14x256xf32>
      %2680 = stablehlo.select %835, %2678, %2679 : tensor<64x14x14x256xi1>, tensor<64x14x14x256xf32>
      %cst_725 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2681 = stablehlo.reduce(%2680 init: %cst_725) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2682 = stablehlo.reshape %2681 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_726 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2683 = stablehlo.reduce(%2682 init: %cst_726) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2684 = stablehlo.multiply %810, %2680 : tensor<64x14x14x256xf32>
      %cst_727 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2685 = stablehlo.reduce(%2684 init: %cst_727) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2686 = stablehlo.reshape %2685 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %2687 = stablehlo.broadcast_in_dim %827, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x14x14x256xf32>
      %2688 = stablehlo.multiply %2680, %2687 : tensor<64x14x14x256xf32>
      %cst_728 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2689 = stablehlo.reduce(%2686 init: %cst_728) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2690 = stablehlo.multiply %822, %2689 : tensor<256xf32>
      %2691 = stablehlo.multiply %2689, %arg241 : tensor<256xf32>
      %2692 = stablehlo.multiply %2691, %825 : tensor<256xf32>
      %cst_729 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %2693 = stablehlo.broadcast_in_dim %cst_729, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %2694 = stablehlo.divide %2692, %2693 : tensor<256xf32>
      %2695 = stablehlo.broadcast_in_dim %2694, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
      %2696 = stablehlo.multiply %2695, %816 : tensor<64x14x14x256xf32>
      %2697 = stablehlo.negate %2696 : tensor<64x14x14x256xf32>
      %cst_730 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2698 = stablehlo.reduce(%2697 init: %cst_730) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2699 = stablehlo.reshape %2698 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_731 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2700 = stablehlo.reduce(%2699 init: %cst_731) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2701 = stablehlo.negate %2688 : tensor<64x14x14x256xf32>
      %cst_732 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2702 = stablehlo.reduce(%2701 init: %cst_732) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x14x14x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2703 = stablehlo.reshape %2702 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_733 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2704 = stablehlo.reduce(%2703 init: %cst_733) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2705 = stablehlo.add %2696, %2688 : tensor<64x14x14x256xf32>
      %2706 = stablehlo.add %2700, %2704 : tensor<256xf32>
      %cst_734 = stablehlo.constant dense<1.254400e+04> : tensor<f32>
      %2707 = stablehlo.broadcast_in_dim %cst_734, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %2708 = stablehlo.divide %2706, %2707 : tensor<256xf32>
      %2709 = stablehlo.broadcast_in_dim %2708, dims = [3] : (tensor<256xf32>) -> tensor<64x14x14x256xf32>
      %2710 = stablehlo.add %2705, %2709 : tensor<64x14x14x256xf32>
      %2711 = stablehlo.convolution(%801, %2710) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x256xf32>, tensor<64x14x14x256xf32>) -> tensor<3x3x256x256xf32>
      %2712 = stablehlo.reverse %arg240, dims = [0, 1] : tensor<3x3x256x256xf32>
      %2713 = stablehlo.convolution(%2710, %2712) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 1], [2, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x14x14x256xf32>, tensor<3x3x256x256xf32>) -> tensor<64x28x28x256xf32>
      %cst_735 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2714 = stablehlo.broadcast_in_dim %cst_735, dims = [] : (tensor<f32>) -> tensor<64x28x28x256xf32>
      %2715 = stablehlo.select %803, %2713, %2714 : tensor<64x28x28x256xi1>, tensor<64x28x28x256xf32>
      %cst_736 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2716 = stablehlo.reduce(%2715 init: %cst_736) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2717 = stablehlo.reshape %2716 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_737 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2718 = stablehlo.reduce(%2717 init: %cst_737) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2719 = stablehlo.multiply %778, %2715 : tensor<64x28x28x256xf32>
      %cst_738 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2720 = stablehlo.reduce(%2719 init: %cst_738) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2721 = stablehlo.reshape %2720 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %2722 = stablehlo.broadcast_in_dim %795, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x28x28x256xf32>
      %2723 = stablehlo.multiply %2715, %2722 : tensor<64x28x28x256xf32>
      %cst_739 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2724 = stablehlo.reduce(%2721 init: %cst_739) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2725 = stablehlo.multiply %790, %2724 : tensor<256xf32>
      %2726 = stablehlo.multiply %2724, %arg238 : tensor<256xf32>
      %2727 = stablehlo.multiply %2726, %793 : tensor<256xf32>
      %cst_740 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %2728 = stablehlo.broadcast_in_dim %cst_740, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %2729 = stablehlo.divide %2727, %2728 : tensor<256xf32>
      %2730 = stablehlo.broadcast_in_dim %2729, dims = [3] : (tensor<256xf32>) -> tensor<64x28x28x256xf32>
      %2731 = stablehlo.multiply %2730, %784 : tensor<64x28x28x256xf32>
      %2732 = stablehlo.negate %2731 : tensor<64x28x28x256xf32>
      %cst_741 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2733 = stablehlo.reduce(%2732 init: %cst_741) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2734 = stablehlo.reshape %2733 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_742 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2735 = stablehlo.reduce(%2734 init: %cst_742) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2736 = stablehlo.negate %2723 : tensor<64x28x28x256xf32>
      %cst_743 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2737 = stablehlo.reduce(%2736 init: %cst_743) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2738 = stablehlo.reshape %2737 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_744 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2739 = stablehlo.reduce(%2738 init: %cst_744) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %2740 = stablehlo.add %2731, %2723 : tensor<64x28x28x256xf32>
      %2741 = stablehlo.add %2735, %2739 : tensor<256xf32>
      %cst_745 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %2742 = stablehlo.broadcast_in_dim %cst_745, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %2743 = stablehlo.divide %2741, %2742 : tensor<256xf32>
      %2744 = stablehlo.broadcast_in_dim %2743, dims = [3] : (tensor<256xf32>) -> tensor<64x28x28x256xf32>
      %2745 = stablehlo.add %2740, %2744 : tensor<64x28x28x256xf32>
      %2746 = stablehlo.convolution(%769, %2745) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x512xf32>, tensor<64x28x28x256xf32>) -> tensor<1x1x512x256xf32>
      %2747 = stablehlo.reverse %arg237, dims = [0, 1] : tensor<1x1x512x256xf32>
      %2748 = stablehlo.convolution(%2745, %2747) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x256xf32>, tensor<1x1x512x256xf32>) -> tensor<64x28x28x512xf32>
      %2749 = stablehlo.add %2645, %2748 : tensor<64x28x28x512xf32>
      %cst_746 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2750 = stablehlo.broadcast_in_dim %cst_746, dims = [] : (tensor<f32>) -> tensor<64x28x28x512xf32>
      %2751 = stablehlo.select %771, %2749, %2750 : tensor<64x28x28x512xi1>, tensor<64x28x28x512xf32>
      %cst_747 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2752 = stablehlo.reduce(%2751 init: %cst_747) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2753 = stablehlo.reshape %2752 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %cst_748 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2754 = stablehlo.reduce(%2753 init: %cst_748) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2755 = stablehlo.multiply %745, %2751 : tensor<64x28x28x512xf32>
      %cst_749 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2756 = stablehlo.reduce(%2755 init: %cst_749) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2757 = stablehlo.reshape %2756 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %2758 = stablehlo.broadcast_in_dim %762, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
      %2759 = stablehlo.multiply %2751, %2758 : tensor<64x28x28x512xf32>
      %cst_750 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2760 = stablehlo.reduce(%2757 init: %cst_750) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2761 = stablehlo.multiply %757, %2760 : tensor<512xf32>
      %2762 = stablehlo.multiply %2760, %arg235 : tensor<512xf32>
      %2763 = stablehlo.multiply %2762, %760 : tensor<512xf32>
      %cst_751 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %2764 = stablehlo.broadcast_in_dim %cst_751, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %2765 = stablehlo.divide %2763, %2764 : tensor<512xf32>
      %2766 = stablehlo.broadcast_in_dim %2765, dims = [3] : (tensor<512xf32>) -> tensor<64x28x28x512xf32>
      %2767 = stablehlo.multiply %2766, %751 : tensor<64x28x28x512xf32>
      %2768 = stablehlo.negate %2767 : tensor<64x28x28x512xf32>
      %cst_752 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2769 = stablehlo.reduce(%2768 init: %cst_752) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2770 = stablehlo.reshape %2769 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %cst_753 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2771 = stablehlo.reduce(%2770 init: %cst_753) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2772 = stablehlo.negate %2759 : tensor<64x28x28x512xf32>
      %cst_754 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2773 = stablehlo.reduce(%2772 init: %cst_754) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2774 = stablehlo.reshape %2773 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %cst_755 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2775 = stablehlo.reduce(%2774 init: %cst_755) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2776 = stablehlo.add %2767, %2759 : tensor<64x28x28x512xf32>
      %2777 = stablehlo.add %2771, %2775 : tensor<512xf32>
      %cst_756 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %2778 = stablehlo.broadcast_in_dim %cst_756, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %2779 = stablehlo.divide %2777, %2778 : tensor<512xf32>
      %2780 = stablehlo.broadcast_in_dim %2779, dims = [3] : (tensor<512xf32>) -> tensor<64x28x28x512xf32>
      %2781 = stablehlo.add %2776, %2780 : tensor<64x28x28x512xf32>
      %2782 = stablehlo.convolution(%736, %2781) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<64x28x28x512xf32>) -> tensor<1x1x128x512xf32>
      %2783 = stablehlo.reverse %arg234, dims = [0, 1] : tensor<1x1x128x512xf32>
      %2784 = stablehlo.convolution(%2781, %2783) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x512xf32>, tensor<1x1x128x512xf32>) -> tensor<64x28x28x128xf32>
      %cst_757 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2785 = stablehlo.broadcast_in_dim %cst_757, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
      %2786 = stablehlo.select %738, %2784, %2785 : tensor<64x28x28x128xi1>, tensor<64x28x28x128xf32>
      %cst_758 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2787 = stablehlo.reduce(%2786 init: %cst_758) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %2788 = stablehlo.reshape %2787 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %cst_759 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2789 = stablehlo.reduce(%2788 init: %cst_759) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
      %2790 = stablehlo.multiply %713, %2786 : tensor<64x28x28x128xf32>
      %cst_760 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2791 = stablehlo.reduce(%2790 init: %cst_760) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %2792 = stablehlo.reshape %2791 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %2793 = stablehlo.broadcast_in_dim %730, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
      %2794 = stablehlo.multiply %2786, %2793 : tensor<64x28x28x128xf32>
      %cst_761 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2795 = stablehlo.reduce(%2792 init: %cst_761) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
      %2796 = stablehlo.multiply %725, %2795 : tensor<128xf32>
      %2797 = stablehlo.multiply %2795, %arg232 : tensor<128xf32>
      %2798 = stablehlo.multiply %2797, %728 : tensor<128xf32>
      %cst_762 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %2799 = stablehlo.broadcast_in_dim %cst_762, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %2800 = stablehlo.divide %2798, %2799 : tensor<128xf32>
      %2801 = stablehlo.broadcast_in_dim %2800, dims = [3] : (tensor<128xf32>) -> tensor<64x28x28x128xf32>
      %2802 = stablehlo.multiply %2801, %719 : tensor<64x28x28x128xf32>
      %2803 = stablehlo.negate %2802 : tensor<64x28x28x128xf32>
      %cst_763 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2804 = stablehlo.reduce(%2803 init: %cst_763) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %2805 = stablehlo.reshape %2804 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %cst_764 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2806 = stablehlo.reduce(%2805 init: %cst_764) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
      %2807 = stablehlo.negate %2794 : tensor<64x28x28x128xf32>
      %cst_765 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2808 = stablehlo.reduce(%2807 init: %cst_765) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %2809 = stablehlo.reshape %2808 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %cst_766 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2810 = stablehlo.reduce(%2809 init: %cst_766) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
      %2811 = stablehlo.add %2802, %2794 : tensor<64x28x28x128xf32>
      %2812 = stablehlo.add %2806, %2810 : tensor<128xf32>
      %cst_767 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %2813 = stablehlo.broadcast_in_dim %cst_767, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %2814 = stablehlo.divide %2812, %2813 : tensor<128xf32>
      %2815 = stablehlo.broadcast_in_dim %2814, dims = [3] : (tensor<128xf32>) -> tensor<64x28x28x128xf32>
      %2816 = stablehlo.add %2811, %2815 : tensor<64x28x28x128xf32>
      %2817 = stablehlo.convolution(%704, %2816) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<64x28x28x128xf32>) -> tensor<3x3x128x128xf32>
      %2818 = stablehlo.reverse %arg231, dims = [0, 1] : tensor<3x3x128x128xf32>
      %2819 = stablehlo.convolution(%2816, %2818) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<3x3x128x128xf32>) -> tensor<64x28x28x128xf32>
      %cst_768 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2820 = stablehlo.broadcast_in_dim %cst_768, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
      %2821 = stablehlo.select %706, %2819, %2820 : tensor<64x28x28x128xi1>, tensor<64x28x28x128xf32>
      %cst_769 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2822 = stablehlo.reduce(%2821 init: %cst_769) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %2823 = stablehlo.reshape %2822 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %cst_770 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2824 = stablehlo.reduce(%2823 init: %cst_770) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
      %2825 = stablehlo.multiply %681, %2821 : tensor<64x28x28x128xf32>
      %cst_771 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2826 = stablehlo.reduce(%2825 init: %cst_771) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %2827 = stablehlo.reshape %2826 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %2828 = stablehlo.broadcast_in_dim %698, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
      %2829 = stablehlo.multiply %2821, %2828 : tensor<64x28x28x128xf32>
      %cst_772 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2830 = stablehlo.reduce(%2827 init: %cst_772) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
      %2831 = stablehlo.multiply %693, %2830 : tensor<128xf32>
      %2832 = stablehlo.multiply %2830, %arg229 : tensor<128xf32>
      %2833 = stablehlo.multiply %2832, %696 : tensor<128xf32>
      %cst_773 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %2834 = stablehlo.broadcast_in_dim %cst_773, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %2835 = stablehlo.divide %2833, %2834 : tensor<128xf32>
      %2836 = stablehlo.broadcast_in_dim %2835, dims = [3] : (tensor<128xf32>) -> tensor<64x28x28x128xf32>
      %2837 = stablehlo.multiply %2836, %687 : tensor<64x28x28x128xf32>
      %2838 = stablehlo.negate %2837 : tensor<64x28x28x128xf32>
      %cst_774 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2839 = stablehlo.reduce(%2838 init: %cst_774) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %2840 = stablehlo.reshape %2839 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %cst_775 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2841 = stablehlo.reduce(%2840 init: %cst_775) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
      %2842 = stablehlo.negate %2829 : tensor<64x28x28x128xf32>
      %cst_776 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2843 = stablehlo.reduce(%2842 init: %cst_776) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %2844 = stablehlo.reshape %2843 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %cst_777 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2845 = stablehlo.reduce(%2844 init: %cst_777) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
      %2846 = stablehlo.add %2837, %2829 : tensor<64x28x28x128xf32>
      %2847 = stablehlo.add %2841, %2845 : tensor<128xf32>
      %cst_778 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %2848 = stablehlo.broadcast_in_dim %cst_778, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %2849 = stablehlo.divide %2847, %2848 : tensor<128xf32>
      %2850 = stablehlo.broadcast_in_dim %2849, dims = [3] : (tensor<128xf32>) -> tensor<64x28x28x128xf32>
      %2851 = stablehlo.add %2846, %2850 : tensor<64x28x28x128xf32>
      %2852 = stablehlo.convolution(%672, %2851) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x512xf32>, tensor<64x28x28x128xf32>) -> tensor<1x1x512x128xf32>
      %2853 = stablehlo.reverse %arg228, dims = [0, 1] : tensor<1x1x512x128xf32>
      %2854 = stablehlo.convolution(%2851, %2853) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<1x1x512x128xf32>) -> tensor<64x28x28x512xf32>
      %2855 = stablehlo.add %2751, %2854 : tensor<64x28x28x512xf32>
      %cst_779 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2856 = stablehlo.broadcast_in_dim %cst_779, dims = [] : (tensor<f32>) -> tensor<64x28x28x512xf32>
      %2857 = stablehlo.select %674, %2855, %2856 : tensor<64x28x28x512xi1>, tensor<64x28x28x512xf32>
      %cst_780 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2858 = stablehlo.reduce(%2857 init: %cst_780) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2859 = stablehlo.reshape %2858 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %cst_781 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2860 = stablehlo.reduce(%2859 init: %cst_781) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2861 = stablehlo.multiply %648, %2857 : tensor<64x28x28x512xf32>
      %cst_782 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2862 = stablehlo.reduce(%2861 init: %cst_782) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2863 = stablehlo.reshape %2862 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %2864 = stablehlo.broadcast_in_dim %665, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
      %2865 = stablehlo.multiply %2857, %2864 : tensor<64x28x28x512xf32>
      %cst_783 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2866 = stablehlo.reduce(%2863 init: %cst_783) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2867 = stablehlo.multiply %660, %2866 : tensor<512xf32>
      %2868 = stablehlo.multiply %2866, %arg226 : tensor<512xf32>
      %2869 = stablehlo.multiply %2868, %663 : tensor<512xf32>
      %cst_784 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %2870 = stablehlo.broadcast_in_dim %cst_784, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %2871 = stablehlo.divide %2869, %2870 : tensor<512xf32>
      %2872 = stablehlo.broadcast_in_dim %2871, dims = [3] : (tensor<512xf32>) -> tensor<64x28x28x512xf32>
      %2873 = stablehlo.multiply %2872, %654 : tensor<64x28x28x512xf32>
      %2874 = stablehlo.negate %2873 : tensor<64x28x28x512xf32>
      %cst_785 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2875 = stablehlo.reduce(%2874 init: %cst_785) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2876 = stablehlo.reshape %2875 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %cst_786 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2877 = stablehlo.reduce(%2876 init: %cst_786) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2878 = stablehlo.negate %2865 : tensor<64x28x28x512xf32>
      %cst_787 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2879 = stablehlo.reduce(%2878 init: %cst_787) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2880 = stablehlo.reshape %2879 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %cst_788 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2881 = stablehlo.reduce(%2880 init: %cst_788) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2882 = stablehlo.add %2873, %2865 : tensor<64x28x28x512xf32>
      %2883 = stablehlo.add %2877, %2881 : tensor<512xf32>
      %cst_789 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %2884 = stablehlo.broadcast_in_dim %cst_789, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %2885 = stablehlo.divide %2883, %2884 : tensor<512xf32>
      %2886 = stablehlo.broadcast_in_dim %2885, dims = [3] : (tensor<512xf32>) -> tensor<64x28x28x512xf32>
      %2887 = stablehlo.add %2882, %2886 : tensor<64x28x28x512xf32>
      %2888 = stablehlo.convolution(%639, %2887) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<64x28x28x512xf32>) -> tensor<1x1x128x512xf32>
      %2889 = stablehlo.reverse %arg225, dims = [0, 1] : tensor<1x1x128x512xf32>
      %2890 = stablehlo.convolution(%2887, %2889) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x512xf32>, tensor<1x1x128x512xf32>) -> tensor<64x28x28x128xf32>
      %cst_790 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2891 = stablehlo.broadcast_in_dim %cst_790, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
      %2892 = stablehlo.select %641, %2890, %2891 : tensor<64x28x28x128xi1>, tensor<64x28x28x128xf32>
      %cst_791 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2893 = stablehlo.reduce(%2892 init: %cst_791) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %2894 = stablehlo.reshape %2893 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %cst_792 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2895 = stablehlo.reduce(%2894 init: %cst_792) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
      %2896 = stablehlo.multiply %616, %2892 : tensor<64x28x28x128xf32>
      %cst_793 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2897 = stablehlo.reduce(%2896 init: %cst_793) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %2898 = stablehlo.reshape %2897 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %2899 = stablehlo.broadcast_in_dim %633, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
      %2900 = stablehlo.multiply %2892, %2899 : tensor<64x28x28x128xf32>
      %cst_794 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2901 = stablehlo.reduce(%2898 init: %cst_794) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
      %2902 = stablehlo.multiply %628, %2901 : tensor<128xf32>
      %2903 = stablehlo.multiply %2901, %arg223 : tensor<128xf32>
      %2904 = stablehlo.multiply %2903, %631 : tensor<128xf32>
      %cst_795 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %2905 = stablehlo.broadcast_in_dim %cst_795, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %2906 = stablehlo.divide %2904, %2905 : tensor<128xf32>
      %2907 = stablehlo.broadcast_in_dim %2906, dims = [3] : (tensor<128xf32>) -> tensor<64x28x28x128xf32>
      %2908 = stablehlo.multiply %2907, %622 : tensor<64x28x28x128xf32>
      %2909 = stablehlo.negate %2908 : tensor<64x28x28x128xf32>
      %cst_796 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2910 = stablehlo.reduce(%2909 init: %cst_796) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %2911 = stablehlo.reshape %2910 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %cst_797 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2912 = stablehlo.reduce(%2911 init: %cst_797) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
      %2913 = stablehlo.negate %2900 : tensor<64x28x28x128xf32>
      %cst_798 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2914 = stablehlo.reduce(%2913 init: %cst_798) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %2915 = stablehlo.reshape %2914 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %cst_799 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2916 = stablehlo.reduce(%2915 init: %cst_799) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
      %2917 = stablehlo.add %2908, %2900 : tensor<64x28x28x128xf32>
      %2918 = stablehlo.add %2912, %2916 : tensor<128xf32>
      %cst_800 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %2919 = stablehlo.broadcast_in_dim %cst_800, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %2920 = stablehlo.divide %2918, %2919 : tensor<128xf32>
      %2921 = stablehlo.broadcast_in_dim %2920, dims = [3] : (tensor<128xf32>) -> tensor<64x28x28x128xf32>
      %2922 = stablehlo.add %2917, %2921 : tensor<64x28x28x128xf32>
      %2923 = stablehlo.convolution(%607, %2922) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<64x28x28x128xf32>) -> tensor<3x3x128x128xf32>
      %2924 = stablehlo.reverse %arg222, dims = [0, 1] : tensor<3x3x128x128xf32>
      %2925 = stablehlo.convolution(%2922, %2924) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<3x3x128x128xf32>) -> tensor<64x28x28x128xf32>
      %cst_801 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2926 = stablehlo.broadcast_in_dim %cst_801, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
      %2927 = stablehlo.select %609, %2925, %2926 : tensor<64x28x28x128xi1>, tensor<64x28x28x128xf32>
      %cst_802 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2928 = stablehlo.reduce(%2927 init: %cst_802) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %2929 = stablehlo.reshape %2928 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %cst_803 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2930 = stablehlo.reduce(%2929 init: %cst_803) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
      %2931 = stablehlo.multiply %584, %2927 : tensor<64x28x28x128xf32>
      %cst_804 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2932 = stablehlo.reduce(%2931 init: %cst_804) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %2933 = stablehlo.reshape %2932 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %2934 = stablehlo.broadcast_in_dim %601, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
      %2935 = stablehlo.multiply %2927, %2934 : tensor<64x28x28x128xf32>
      %cst_805 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2936 = stablehlo.reduce(%2933 init: %cst_805) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
      %2937 = stablehlo.multiply %596, %2936 : tensor<128xf32>
      %2938 = stablehlo.multiply %2936, %arg220 : tensor<128xf32>
      %2939 = stablehlo.multiply %2938, %599 : tensor<128xf32>
      %cst_806 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %2940 = stablehlo.broadcast_in_dim %cst_806, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %2941 = stablehlo.divide %2939, %2940 : tensor<128xf32>
      %2942 = stablehlo.broadcast_in_dim %2941, dims = [3] : (tensor<128xf32>) -> tensor<64x28x28x128xf32>
      %2943 = stablehlo.multiply %2942, %590 : tensor<64x28x28x128xf32>
      %2944 = stablehlo.negate %2943 : tensor<64x28x28x128xf32>
      %cst_807 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2945 = stablehlo.reduce(%2944 init: %cst_807) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %2946 = stablehlo.reshape %2945 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %cst_808 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2947 = stablehlo.reduce(%2946 init: %cst_808) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
      %2948 = stablehlo.negate %2935 : tensor<64x28x28x128xf32>
      %cst_809 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2949 = stablehlo.reduce(%2948 init: %cst_809) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %2950 = stablehlo.reshape %2949 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %cst_810 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2951 = stablehlo.reduce(%2950 init: %cst_810) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
      %2952 = stablehlo.add %2943, %2935 : tensor<64x28x28x128xf32>
      %2953 = stablehlo.add %2947, %2951 : tensor<128xf32>
      %cst_811 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %2954 = stablehlo.broadcast_in_dim %cst_811, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %2955 = stablehlo.divide %2953, %2954 : tensor<128xf32>
      %2956 = stablehlo.broadcast_in_dim %2955, dims = [3] : (tensor<128xf32>) -> tensor<64x28x28x128xf32>
      %2957 = stablehlo.add %2952, %2956 : tensor<64x28x28x128xf32>
      %2958 = stablehlo.convolution(%575, %2957) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x512xf32>, tensor<64x28x28x128xf32>) -> tensor<1x1x512x128xf32>
      %2959 = stablehlo.reverse %arg219, dims = [0, 1] : tensor<1x1x512x128xf32>
      %2960 = stablehlo.convolution(%2957, %2959) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<1x1x512x128xf32>) -> tensor<64x28x28x512xf32>
      %2961 = stablehlo.add %2857, %2960 : tensor<64x28x28x512xf32>
      %cst_812 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2962 = stablehlo.broadcast_in_dim %cst_812, dims = [] : (tensor<f32>) -> tensor<64x28x28x512xf32>
      %2963 = stablehlo.select %577, %2961, %2962 : tensor<64x28x28x512xi1>, tensor<64x28x28x512xf32>
      %cst_813 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2964 = stablehlo.reduce(%2963 init: %cst_813) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2965 = stablehlo.reshape %2964 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %cst_814 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2966 = stablehlo.reduce(%2965 init: %cst_814) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2967 = stablehlo.multiply %551, %2963 : tensor<64x28x28x512xf32>
      %cst_815 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2968 = stablehlo.reduce(%2967 init: %cst_815) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2969 = stablehlo.reshape %2968 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %2970 = stablehlo.broadcast_in_dim %568, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
      %2971 = stablehlo.multiply %2963, %2970 : tensor<64x28x28x512xf32>
      %cst_816 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2972 = stablehlo.reduce(%2969 init: %cst_816) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2973 = stablehlo.multiply %563, %2972 : tensor<512xf32>
      %2974 = stablehlo.multiply %2972, %arg217 : tensor<512xf32>
      %2975 = stablehlo.multiply %2974, %566 : tensor<512xf32>
      %cst_817 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %2976 = stablehlo.broadcast_in_dim %cst_817, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %2977 = stablehlo.divide %2975, %2976 : tensor<512xf32>
      %2978 = stablehlo.broadcast_in_dim %2977, dims = [3] : (tensor<512xf32>) -> tensor<64x28x28x512xf32>
      %2979 = stablehlo.multiply %2978, %557 : tensor<64x28x28x512xf32>
      %2980 = stablehlo.negate %2979 : tensor<64x28x28x512xf32>
      %cst_818 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2981 = stablehlo.reduce(%2980 init: %cst_818) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2982 = stablehlo.reshape %2981 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %cst_819 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2983 = stablehlo.reduce(%2982 init: %cst_819) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2984 = stablehlo.negate %2971 : tensor<64x28x28x512xf32>
      %cst_820 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2985 = stablehlo.reduce(%2984 init: %cst_820) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2986 = stablehlo.reshape %2985 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %cst_821 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2987 = stablehlo.reduce(%2986 init: %cst_821) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %2988 = stablehlo.add %2979, %2971 : tensor<64x28x28x512xf32>
      %2989 = stablehlo.add %2983, %2987 : tensor<512xf32>
      %cst_822 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %2990 = stablehlo.broadcast_in_dim %cst_822, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %2991 = stablehlo.divide %2989, %2990 : tensor<512xf32>
      %2992 = stablehlo.broadcast_in_dim %2991, dims = [3] : (tensor<512xf32>) -> tensor<64x28x28x512xf32>
      %2993 = stablehlo.add %2988, %2992 : tensor<64x28x28x512xf32>
      %2994 = stablehlo.convolution(%542, %2993) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<64x28x28x512xf32>) -> tensor<1x1x128x512xf32>
      %2995 = stablehlo.reverse %arg216, dims = [0, 1] : tensor<1x1x128x512xf32>
      %2996 = stablehlo.convolution(%2993, %2995) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x512xf32>, tensor<1x1x128x512xf32>) -> tensor<64x28x28x128xf32>
      %cst_823 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2997 = stablehlo.broadcast_in_dim %cst_823, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
      %2998 = stablehlo.select %544, %2996, %2997 : tensor<64x28x28x128xi1>, tensor<64x28x28x128xf32>
      %cst_824 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2999 = stablehlo.reduce(%2998 init: %cst_824) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %3000 = stablehlo.reshape %2999 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %cst_825 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3001 = stablehlo.reduce(%3000 init: %cst_825) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
      %3002 = stablehlo.multiply %519, %2998 : tensor<64x28x28x128xf32>
      %cst_826 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3003 = stablehlo.reduce(%3002 init: %cst_826) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %3004 = stablehlo.reshape %3003 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %3005 = stablehlo.broadcast_in_dim %536, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
      %3006 = stablehlo.multiply %2998, %3005 : tensor<64x28x28x128xf32>
      %cst_827 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3007 = stablehlo.reduce(%3004 init: %cst_827) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
      %3008 = stablehlo.multiply %531, %3007 : tensor<128xf32>
      %3009 = stablehlo.multiply %3007, %arg214 : tensor<128xf32>
      %3010 = stablehlo.multiply %3009, %534 : tensor<128xf32>
      %cst_828 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %3011 = stablehlo.broadcast_in_dim %cst_828, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %3012 = stablehlo.divide %3010, %3011 : tensor<128xf32>
      %3013 = stablehlo.broadcast_in_dim %3012, dims = [3] : (tensor<128xf32>) -> tensor<64x28x28x128xf32>
      %3014 = stablehlo.multiply %3013, %525 : tensor<64x28x28x128xf32>
      %3015 = stablehlo.negate %3014 : tensor<64x28x28x128xf32>
      %cst_829 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3016 = stablehlo.reduce(%3015 init: %cst_829) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %3017 = stablehlo.reshape %3016 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %cst_830 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3018 = stablehlo.reduce(%3017 init: %cst_830) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
      %3019 = stablehlo.negate %3006 : tensor<64x28x28x128xf32>
      %cst_831 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3020 = stablehlo.reduce(%3019 init: %cst_831) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %3021 = stablehlo.reshape %3020 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %cst_832 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3022 = stablehlo.reduce(%3021 init: %cst_832) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
      %3023 = stablehlo.add %3014, %3006 : tensor<64x28x28x128xf32>
      %3024 = stablehlo.add %3018, %3022 : tensor<128xf32>
      %cst_833 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %3025 = stablehlo.broadcast_in_dim %cst_833, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %3026 = stablehlo.divide %3024, %3025 : tensor<128xf32>
      %3027 = stablehlo.broadcast_in_dim %3026, dims = [3] : (tensor<128xf32>) -> tensor<64x28x28x128xf32>
      %3028 = stablehlo.add %3023, %3027 : tensor<64x28x28x128xf32>
      %3029 = stablehlo.convolution(%510, %3028) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<64x28x28x128xf32>) -> tensor<3x3x128x128xf32>
      %3030 = stablehlo.reverse %arg213, dims = [0, 1] : tensor<3x3x128x128xf32>
      %3031 = stablehlo.convolution(%3028, %3030) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<3x3x128x128xf32>) -> tensor<64x28x28x128xf32>
      %cst_834 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3032 = stablehlo.broadcast_in_dim %cst_834, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
      %3033 = stablehlo.select %512, %3031, %3032 : tensor<64x28x28x128xi1>, tensor<64x28x28x128xf32>
      %cst_835 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3034 = stablehlo.reduce(%3033 init: %cst_835) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %3035 = stablehlo.reshape %3034 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %cst_836 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3036 = stablehlo.reduce(%3035 init: %cst_836) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
      %3037 = stablehlo.multiply %487, %3033 : tensor<64x28x28x128xf32>
      %cst_837 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3038 = stablehlo.reduce(%3037 init: %cst_837) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %3039 = stablehlo.reshape %3038 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %3040 = stablehlo.broadcast_in_dim %504, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
      %3041 = stablehlo.multiply %3033, %3040 : tensor<64x28x28x128xf32>
      %cst_838 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3042 = stablehlo.reduce(%3039 init: %cst_838) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
      %3043 = stablehlo.multiply %499, %3042 : tensor<128xf32>
      %3044 = stablehlo.multiply %3042, %arg211 : tensor<128xf32>
      %3045 = stablehlo.multiply %3044, %502 : tensor<128xf32>
      %cst_839 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %3046 = stablehlo.broadcast_in_dim %cst_839, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %3047 = stablehlo.divide %3045, %3046 : tensor<128xf32>
      %3048 = stablehlo.broadcast_in_dim %3047, dims = [3] : (tensor<128xf32>) -> tensor<64x28x28x128xf32>
      %3049 = stablehlo.multiply %3048, %493 : tensor<64x28x28x128xf32>
      %3050 = stablehlo.negate %3049 : tensor<64x28x28x128xf32>
      %cst_840 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3051 = stablehlo.reduce(%3050 init: %cst_840) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %3052 = stablehlo.reshape %3051 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %cst_841 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3053 = stablehlo.reduce(%3052 init: %cst_841) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
      %3054 = stablehlo.negate %3041 : tensor<64x28x28x128xf32>
      %cst_842 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3055 = stablehlo.reduce(%3054 init: %cst_842) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %3056 = stablehlo.reshape %3055 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %cst_843 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3057 = stablehlo.reduce(%3056 init: %cst_843) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
      %3058 = stablehlo.add %3049, %3041 : tensor<64x28x28x128xf32>
      %3059 = stablehlo.add %3053, %3057 : tensor<128xf32>
      %cst_844 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %3060 = stablehlo.broadcast_in_dim %cst_844, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %3061 = stablehlo.divide %3059, %3060 : tensor<128xf32>
      %3062 = stablehlo.broadcast_in_dim %3061, dims = [3] : (tensor<128xf32>) -> tensor<64x28x28x128xf32>
      %3063 = stablehlo.add %3058, %3062 : tensor<64x28x28x128xf32>
      %3064 = stablehlo.convolution(%478, %3063) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x512xf32>, tensor<64x28x28x128xf32>) -> tensor<1x1x512x128xf32>
      %3065 = stablehlo.reverse %arg210, dims = [0, 1] : tensor<1x1x512x128xf32>
      %3066 = stablehlo.convolution(%3063, %3065) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<1x1x512x128xf32>) -> tensor<64x28x28x512xf32>
      %3067 = stablehlo.add %2963, %3066 : tensor<64x28x28x512xf32>
      %cst_845 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3068 = stablehlo.broadcast_in_dim %cst_845, dims = [] : (tensor<f32>) -> tensor<64x28x28x512xf32>
      %3069 = stablehlo.select %480, %3067, %3068 : tensor<64x28x28x512xi1>, tensor<64x28x28x512xf32>
      %cst_846 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3070 = stablehlo.reduce(%3069 init: %cst_846) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
      %3071 = stablehlo.reshape %3070 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %cst_847 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3072 = stablehlo.reduce(%3071 init: %cst_847) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %3073 = stablehlo.multiply %454, %3069 : tensor<64x28x28x512xf32>
      %cst_848 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3074 = stablehlo.reduce(%3073 init: %cst_848) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
      %3075 = stablehlo.reshape %3074 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %3076 = stablehlo.broadcast_in_dim %471, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
      %3077 = stablehlo.multiply %3069, %3076 : tensor<64x28x28x512xf32>
      %cst_849 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3078 = stablehlo.reduce(%3075 init: %cst_849) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %3079 = stablehlo.multiply %466, %3078 : tensor<512xf32>
      %3080 = stablehlo.multiply %3078, %arg208 : tensor<512xf32>
      %3081 = stablehlo.multiply %3080, %469 : tensor<512xf32>
      %cst_850 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %3082 = stablehlo.broadcast_in_dim %cst_850, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %3083 = stablehlo.divide %3081, %3082 : tensor<512xf32>
      %3084 = stablehlo.broadcast_in_dim %3083, dims = [3] : (tensor<512xf32>) -> tensor<64x28x28x512xf32>
      %3085 = stablehlo.multiply %3084, %460 : tensor<64x28x28x512xf32>
      %3086 = stablehlo.negate %3085 : tensor<64x28x28x512xf32>
      %cst_851 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3087 = stablehlo.reduce(%3086 init: %cst_851) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
      %3088 = stablehlo.reshape %3087 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %cst_852 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3089 = stablehlo.reduce(%3088 init: %cst_852) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %3090 = stablehlo.negate %3077 : tensor<64x28x28x512xf32>
      %cst_853 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3091 = stablehlo.reduce(%3090 init: %cst_853) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
      %3092 = stablehlo.reshape %3091 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %cst_854 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3093 = stablehlo.reduce(%3092 init: %cst_854) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %3094 = stablehlo.add %3085, %3077 : tensor<64x28x28x512xf32>
      %3095 = stablehlo.add %3089, %3093 : tensor<512xf32>
      %cst_855 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %3096 = stablehlo.broadcast_in_dim %cst_855, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %3097 = stablehlo.divide %3095, %3096 : tensor<512xf32>
      %3098 = stablehlo.broadcast_in_dim %3097, dims = [3] : (tensor<512xf32>) -> tensor<64x28x28x512xf32>
      %3099 = stablehlo.add %3094, %3098 : tensor<64x28x28x512xf32>
      %3100 = stablehlo.convolution(%352, %3099) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, -1], [0, -1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x256xf32>, tensor<64x28x28x512xf32>) -> tensor<1x1x256x512xf32>
      %3101 = stablehlo.reverse %arg207, dims = [0, 1] : tensor<1x1x256x512xf32>
      %3102 = stablehlo.convolution(%3099, %3101) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 1], [0, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x512xf32>, tensor<1x1x256x512xf32>) -> tensor<64x56x56x256xf32>
      %cst_856 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3103 = stablehlo.reduce(%3069 init: %cst_856) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
      %3104 = stablehlo.reshape %3103 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %cst_857 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3105 = stablehlo.reduce(%3104 init: %cst_857) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %3106 = stablehlo.multiply %425, %3069 : tensor<64x28x28x512xf32>
      %cst_858 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3107 = stablehlo.reduce(%3106 init: %cst_858) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
      %3108 = stablehlo.reshape %3107 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %3109 = stablehlo.broadcast_in_dim %442, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xf32>) -> tensor<64x28x28x512xf32>
      %3110 = stablehlo.multiply %3069, %3109 : tensor<64x28x28x512xf32>
      %cst_859 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3111 = stablehlo.reduce(%3108 init: %cst_859) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %3112 = stablehlo.multiply %437, %3111 : tensor<512xf32>
      %3113 = stablehlo.multiply %3111, %arg205 : tensor<512xf32>
      %3114 = stablehlo.multiply %3113, %440 : tensor<512xf32>
      %cst_860 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %3115 = stablehlo.broadcast_in_dim %cst_860, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %3116 = stablehlo.divide %3114, %3115 : tensor<512xf32>
      %3117 = stablehlo.broadcast_in_dim %3116, dims = [3] : (tensor<512xf32>) -> tensor<64x28x28x512xf32>
      %3118 = stablehlo.multiply %3117, %431 : tensor<64x28x28x512xf32>
      %3119 = stablehlo.negate %3118 : tensor<64x28x28x512xf32>
      %cst_861 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3120 = stablehlo.reduce(%3119 init: %cst_861) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
      %3121 = stablehlo.reshape %3120 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %cst_862 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3122 = stablehlo.reduce(%3121 init: %cst_862) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %3123 = stablehlo.negate %3110 : tensor<64x28x28x512xf32>
      %cst_863 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3124 = stablehlo.reduce(%3123 init: %cst_863) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x512xf32>, tensor<f32>) -> tensor<512xf32>
      %3125 = stablehlo.reshape %3124 : (tensor<512xf32>) -> tensor<1x1x1x512xf32>
      %cst_864 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3126 = stablehlo.reduce(%3125 init: %cst_864) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x512xf32>, tensor<f32>) -> tensor<512xf32>
      %3127 = stablehlo.add %3118, %3110 : tensor<64x28x28x512xf32>
      %3128 = stablehlo.add %3122, %3126 : tensor<512xf32>
      %cst_865 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %3129 = stablehlo.broadcast_in_dim %cst_865, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %3130 = stablehlo.divide %3128, %3129 : tensor<512xf32>
      %3131 = stablehlo.broadcast_in_dim %3130, dims = [3] : (tensor<512xf32>) -> tensor<64x28x28x512xf32>
      %3132 = stablehlo.add %3127, %3131 : tensor<64x28x28x512xf32>
      %3133 = stablehlo.convolution(%416, %3132) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<64x28x28x512xf32>) -> tensor<1x1x128x512xf32>
      %3134 = stablehlo.reverse %arg204, dims = [0, 1] : tensor<1x1x128x512xf32>
      %3135 = stablehlo.convolution(%3132, %3134) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x512xf32>, tensor<1x1x128x512xf32>) -> tensor<64x28x28x128xf32>
      %cst_866 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3136 = stablehlo.broadcast_in_dim %cst_866, dims = [] : (tensor<f32>) -> tensor<64x28x28x128xf32>
      %3137 = stablehlo.select %418, %3135, %3136 : tensor<64x28x28x128xi1>, tensor<64x28x28x128xf32>
      %cst_867 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3138 = stablehlo.reduce(%3137 init: %cst_867) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %3139 = stablehlo.reshape %3138 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %cst_868 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3140 = stablehlo.reduce(%3139 init: %cst_868) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
      %3141 = stablehlo.multiply %393, %3137 : tensor<64x28x28x128xf32>
      %cst_869 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3142 = stablehlo.reduce(%3141 init: %cst_869) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %3143 = stablehlo.reshape %3142 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %3144 = stablehlo.broadcast_in_dim %410, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x28x28x128xf32>
      %3145 = stablehlo.multiply %3137, %3144 : tensor<64x28x28x128xf32>
      %cst_870 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3146 = stablehlo.reduce(%3143 init: %cst_870) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
      %3147 = stablehlo.multiply %405, %3146 : tensor<128xf32>
      %3148 = stablehlo.multiply %3146, %arg202 : tensor<128xf32>
      %3149 = stablehlo.multiply %3148, %408 : tensor<128xf32>
      %cst_871 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %3150 = stablehlo.broadcast_in_dim %cst_871, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %3151 = stablehlo.divide %3149, %3150 : tensor<128xf32>
      %3152 = stablehlo.broadcast_in_dim %3151, dims = [3] : (tensor<128xf32>) -> tensor<64x28x28x128xf32>
      %3153 = stablehlo.multiply %3152, %399 : tensor<64x28x28x128xf32>
      %3154 = stablehlo.negate %3153 : tensor<64x28x28x128xf32>
      %cst_872 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3155 = stablehlo.reduce(%3154 init: %cst_872) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %3156 = stablehlo.reshape %3155 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %cst_873 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3157 = stablehlo.reduce(%3156 init: %cst_873) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
      %3158 = stablehlo.negate %3145 : tensor<64x28x28x128xf32>
      %cst_874 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3159 = stablehlo.reduce(%3158 init: %cst_874) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x28x28x128xf32>, tensor<f32>) -> tensor<128xf32>
      %3160 = stablehlo.reshape %3159 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %cst_875 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3161 = stablehlo.reduce(%3160 init: %cst_875) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
      %3162 = stablehlo.add %3153, %3145 : tensor<64x28x28x128xf32>
      %3163 = stablehlo.add %3157, %3161 : tensor<128xf32>
      %cst_876 = stablehlo.constant dense<5.017600e+04> : tensor<f32>
      %3164 = stablehlo.broadcast_in_dim %cst_876, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %3165 = stablehlo.divide %3163, %3164 : tensor<128xf32>
      %3166 = stablehlo.broadcast_in_dim %3165, dims = [3] : (tensor<128xf32>) -> tensor<64x28x28x128xf32>
      %3167 = stablehlo.add %3162, %3166 : tensor<64x28x28x128xf32>
      %3168 = stablehlo.convolution(%384, %3167) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x128xf32>, tensor<64x28x28x128xf32>) -> tensor<3x3x128x128xf32>
      %3169 = stablehlo.reverse %arg201, dims = [0, 1] : tensor<3x3x128x128xf32>
      %3170 = stablehlo.convolution(%3167, %3169) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 1], [2, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x28x28x128xf32>, tensor<3x3x128x128xf32>) -> tensor<64x56x56x128xf32>
      %cst_877 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3171 = stablehlo.broadcast_in_dim %cst_877, dims = [] : (tensor<f32>) -> tensor<64x56x56x128xf32>
      %3172 = stablehlo.select %386, %3170, %3171 : tensor<64x56x56x128xi1>, tensor<64x56x56x128xf32>
      %cst_878 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3173 = stablehlo.reduce(%3172 init: %cst_878) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x128xf32>, tensor<f32>) -> tensor<128xf32>
      %3174 = stablehlo.reshape %3173 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %cst_879 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3175 = stablehlo.reduce(%3174 init: %cst_879) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
      %3176 = stablehlo.multiply %361, %3172 : tensor<64x56x56x128xf32>
      %cst_880 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3177 = stablehlo.reduce(%3176 init: %cst_880) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x128xf32>, tensor<f32>) -> tensor<128xf32>
      %3178 = stablehlo.reshape %3177 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %3179 = stablehlo.broadcast_in_dim %378, dims = [0, 1, 2, 3] : (tensor<1x1x1x128xf32>) -> tensor<64x56x56x128xf32>
      %3180 = stablehlo.multiply %3172, %3179 : tensor<64x56x56x128xf32>
      %cst_881 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3181 = stablehlo.reduce(%3178 init: %cst_881) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
      %3182 = stablehlo.multiply %373, %3181 : tensor<128xf32>
      %3183 = stablehlo.multiply %3181, %arg199 : tensor<128xf32>
      %3184 = stablehlo.multiply %3183, %376 : tensor<128xf32>
      %cst_882 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %3185 = stablehlo.broadcast_in_dim %cst_882, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %3186 = stablehlo.divide %3184, %3185 : tensor<128xf32>
      %3187 = stablehlo.broadcast_in_dim %3186, dims = [3] : (tensor<128xf32>) -> tensor<64x56x56x128xf32>
      %3188 = stablehlo.multiply %3187, %367 : tensor<64x56x56x128xf32>
      %3189 = stablehlo.negate %3188 : tensor<64x56x56x128xf32>
      %cst_883 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3190 = stablehlo.reduce(%3189 init: %cst_883) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x128xf32>, tensor<f32>) -> tensor<128xf32>
      %3191 = stablehlo.reshape %3190 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %cst_884 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3192 = stablehlo.reduce(%3191 init: %cst_884) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
      %3193 = stablehlo.negate %3180 : tensor<64x56x56x128xf32>
      %cst_885 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3194 = stablehlo.reduce(%3193 init: %cst_885) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x128xf32>, tensor<f32>) -> tensor<128xf32>
      %3195 = stablehlo.reshape %3194 : (tensor<128xf32>) -> tensor<1x1x1x128xf32>
      %cst_886 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3196 = stablehlo.reduce(%3195 init: %cst_886) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x128xf32>, tensor<f32>) -> tensor<128xf32>
      %3197 = stablehlo.add %3188, %3180 : tensor<64x56x56x128xf32>
      %3198 = stablehlo.add %3192, %3196 : tensor<128xf32>
      %cst_887 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %3199 = stablehlo.broadcast_in_dim %cst_887, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %3200 = stablehlo.divide %3198, %3199 : tensor<128xf32>
      %3201 = stablehlo.broadcast_in_dim %3200, dims = [3] : (tensor<128xf32>) -> tensor<64x56x56x128xf32>
      %3202 = stablehlo.add %3197, %3201 : tensor<64x56x56x128xf32>
      %3203 = stablehlo.convolution(%352, %3202) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x256xf32>, tensor<64x56x56x128xf32>) -> tensor<1x1x256x128xf32>
      %3204 = stablehlo.reverse %arg198, dims = [0, 1] : tensor<1x1x256x128xf32>
      %3205 = stablehlo.convolution(%3202, %3204) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x128xf32>, tensor<1x1x256x128xf32>) -> tensor<64x56x56x256xf32>
      %3206 = stablehlo.add %3102, %3205 : tensor<64x56x56x256xf32>
      %cst_888 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3207 = stablehlo.broadcast_in_dim %cst_888, dims = [] : (tensor<f32>) -> tensor<64x56x56x256xf32>
      %3208 = stablehlo.select %354, %3206, %3207 : tensor<64x56x56x256xi1>, tensor<64x56x56x256xf32>
      %cst_889 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3209 = stablehlo.reduce(%3208 init: %cst_889) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
      %3210 = stablehlo.reshape %3209 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_890 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3211 = stablehlo.reduce(%3210 init: %cst_890) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %3212 = stablehlo.multiply %328, %3208 : tensor<64x56x56x256xf32>
      %cst_891 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3213 = stablehlo.reduce(%3212 init: %cst_891) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
      %3214 = stablehlo.reshape %3213 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %3215 = stablehlo.broadcast_in_dim %345, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
      %3216 = stablehlo.multiply %3208, %3215 : tensor<64x56x56x256xf32>
      %cst_892 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3217 = stablehlo.reduce(%3214 init: %cst_892) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %3218 = stablehlo.multiply %340, %3217 : tensor<256xf32>
      %3219 = stablehlo.multiply %3217, %arg196 : tensor<256xf32>
      %3220 = stablehlo.multiply %3219, %343 : tensor<256xf32>
      %cst_893 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %3221 = stablehlo.broadcast_in_dim %cst_893, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %3222 = stablehlo.divide %3220, %3221 : tensor<256xf32>
      %3223 = stablehlo.broadcast_in_dim %3222, dims = [3] : (tensor<256xf32>) -> tensor<64x56x56x256xf32>
      %3224 = stablehlo.multiply %3223, %334 : tensor<64x56x56x256xf32>
      %3225 = stablehlo.negate %3224 : tensor<64x56x56x256xf32>
      %cst_894 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3226 = stablehlo.reduce(%3225 init: %cst_894) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
      %3227 = stablehlo.reshape %3226 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_895 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3228 = stablehlo.reduce(%3227 init: %cst_895) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %3229 = stablehlo.negate %3216 : tensor<64x56x56x256xf32>
      %cst_896 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3230 = stablehlo.reduce(%3229 init: %cst_896) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
      %3231 = stablehlo.reshape %3230 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_897 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3232 = stablehlo.reduce(%3231 init: %cst_897) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %3233 = stablehlo.add %3224, %3216 : tensor<64x56x56x256xf32>
      %3234 = stablehlo.add %3228, %3232 : tensor<256xf32>
      %cst_898 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %3235 = stablehlo.broadcast_in_dim %cst_898, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %3236 = stablehlo.divide %3234, %3235 : tensor<256xf32>
      %3237 = stablehlo.broadcast_in_dim %3236, dims = [3] : (tensor<256xf32>) -> tensor<64x56x56x256xf32>
      %3238 = stablehlo.add %3233, %3237 : tensor<64x56x56x256xf32>
      %3239 = stablehlo.convolution(%319, %3238) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<64x56x56x256xf32>) -> tensor<1x1x64x256xf32>
      %3240 = stablehlo.reverse %arg195, dims = [0, 1] : tensor<1x1x64x256xf32>
      %3241 = stablehlo.convolution(%3238, %3240) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x256xf32>, tensor<1x1x64x256xf32>) -> tensor<64x56x56x64xf32>
      %cst_899 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3242 = stablehlo.broadcast_in_dim %cst_899, dims = [] : (tensor<f32>) -> tensor<64x56x56x64xf32>
      %3243 = stablehlo.select %321, %3241, %3242 : tensor<64x56x56x64xi1>, tensor<64x56x56x64xf32>
      %cst_900 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3244 = stablehlo.reduce(%3243 init: %cst_900) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3245 = stablehlo.reshape %3244 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %cst_901 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3246 = stablehlo.reduce(%3245 init: %cst_901) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3247 = stablehlo.multiply %296, %3243 : tensor<64x56x56x64xf32>
      %cst_902 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3248 = stablehlo.reduce(%3247 init: %cst_902) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3249 = stablehlo.reshape %3248 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %3250 = stablehlo.broadcast_in_dim %313, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
      %3251 = stablehlo.multiply %3243, %3250 : tensor<64x56x56x64xf32>
      %cst_903 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3252 = stablehlo.reduce(%3249 init: %cst_903) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3253 = stablehlo.multiply %308, %3252 : tensor<64xf32>
      %3254 = stablehlo.multiply %3252, %arg193 : tensor<64xf32>
      %3255 = stablehlo.multiply %3254, %311 : tensor<64xf32>
      %cst_904 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %3256 = stablehlo.broadcast_in_dim %cst_904, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3257 = stablehlo.divide %3255, %3256 : tensor<64xf32>
      %3258 = stablehlo.broadcast_in_dim %3257, dims = [3] : (tensor<64xf32>) -> tensor<64x56x56x64xf32>
      %3259 = stablehlo.multiply %3258, %302 : tensor<64x56x56x64xf32>
      %3260 = stablehlo.negate %3259 : tensor<64x56x56x64xf32>
      %cst_905 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3261 = stablehlo.reduce(%3260 init: %cst_905) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3262 = stablehlo.reshape %3261 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %cst_906 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3263 = stablehlo.reduce(%3262 init: %cst_906) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3264 = stablehlo.negate %3251 : tensor<64x56x56x64xf32>
      %cst_907 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3265 = stablehlo.reduce(%3264 init: %cst_907) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3266 = stablehlo.reshape %3265 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %cst_908 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3267 = stablehlo.reduce(%3266 init: %cst_908) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3268 = stablehlo.add %3259, %3251 : tensor<64x56x56x64xf32>
      %3269 = stablehlo.add %3263, %3267 : tensor<64xf32>
      %cst_909 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %3270 = stablehlo.broadcast_in_dim %cst_909, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3271 = stablehlo.divide %3269, %3270 : tensor<64xf32>
      %3272 = stablehlo.broadcast_in_dim %3271, dims = [3] : (tensor<64xf32>) -> tensor<64x56x56x64xf32>
      %3273 = stablehlo.add %3268, %3272 : tensor<64x56x56x64xf32>
      %3274 = stablehlo.convolution(%287, %3273) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<64x56x56x64xf32>) -> tensor<3x3x64x64xf32>
      %3275 = stablehlo.reverse %arg192, dims = [0, 1] : tensor<3x3x64x64xf32>
      %3276 = stablehlo.convolution(%3273, %3275) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<64x56x56x64xf32>
      %cst_910 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3277 = stablehlo.broadcast_in_dim %cst_910, dims = [] : (tensor<f32>) -> tensor<64x56x56x64xf32>
      %3278 = stablehlo.select %289, %3276, %3277 : tensor<64x56x56x64xi1>, tensor<64x56x56x64xf32>
      %cst_911 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3279 = stablehlo.reduce(%3278 init: %cst_911) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3280 = stablehlo.reshape %3279 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %cst_912 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3281 = stablehlo.reduce(%3280 init: %cst_912) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3282 = stablehlo.multiply %264, %3278 : tensor<64x56x56x64xf32>
      %cst_913 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3283 = stablehlo.reduce(%3282 init: %cst_913) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3284 = stablehlo.reshape %3283 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %3285 = stablehlo.broadcast_in_dim %281, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
      %3286 = stablehlo.multiply %3278, %3285 : tensor<64x56x56x64xf32>
      %cst_914 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3287 = stablehlo.reduce(%3284 init: %cst_914) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3288 = stablehlo.multiply %276, %3287 : tensor<64xf32>
      %3289 = stablehlo.multiply %3287, %arg190 : tensor<64xf32>
      %3290 = stablehlo.multiply %3289, %279 : tensor<64xf32>
      %cst_915 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %3291 = stablehlo.broadcast_in_dim %cst_915, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3292 = stablehlo.divide %3290, %3291 : tensor<64xf32>
      %3293 = stablehlo.broadcast_in_dim %3292, dims = [3] : (tensor<64xf32>) -> tensor<64x56x56x64xf32>
      %3294 = stablehlo.multiply %3293, %270 : tensor<64x56x56x64xf32>
      %3295 = stablehlo.negate %3294 : tensor<64x56x56x64xf32>
      %cst_916 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3296 = stablehlo.reduce(%3295 init: %cst_916) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3297 = stablehlo.reshape %3296 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %cst_917 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3298 = stablehlo.reduce(%3297 init: %cst_917) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3299 = stablehlo.negate %3286 : tensor<64x56x56x64xf32>
      %cst_918 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3300 = stablehlo.reduce(%3299 init: %cst_918) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3301 = stablehlo.reshape %3300 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %cst_919 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3302 = stablehlo.reduce(%3301 init: %cst_919) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3303 = stablehlo.add %3294, %3286 : tensor<64x56x56x64xf32>
      %3304 = stablehlo.add %3298, %3302 : tensor<64xf32>
      %cst_920 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %3305 = stablehlo.broadcast_in_dim %cst_920, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3306 = stablehlo.divide %3304, %3305 : tensor<64xf32>
      %3307 = stablehlo.broadcast_in_dim %3306, dims = [3] : (tensor<64xf32>) -> tensor<64x56x56x64xf32>
      %3308 = stablehlo.add %3303, %3307 : tensor<64x56x56x64xf32>
      %3309 = stablehlo.convolution(%255, %3308) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x256xf32>, tensor<64x56x56x64xf32>) -> tensor<1x1x256x64xf32>
      %3310 = stablehlo.reverse %arg189, dims = [0, 1] : tensor<1x1x256x64xf32>
      %3311 = stablehlo.convolution(%3308, %3310) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<1x1x256x64xf32>) -> tensor<64x56x56x256xf32>
      %3312 = stablehlo.add %3208, %3311 : tensor<64x56x56x256xf32>
      %cst_921 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3313 = stablehlo.broadcast_in_dim %cst_921, dims = [] : (tensor<f32>) -> tensor<64x56x56x256xf32>
      %3314 = stablehlo.select %257, %3312, %3313 : tensor<64x56x56x256xi1>, tensor<64x56x56x256xf32>
      %cst_922 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3315 = stablehlo.reduce(%3314 init: %cst_922) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
      %3316 = stablehlo.reshape %3315 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_923 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3317 = stablehlo.reduce(%3316 init: %cst_923) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %3318 = stablehlo.multiply %231, %3314 : tensor<64x56x56x256xf32>
      %cst_924 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3319 = stablehlo.reduce(%3318 init: %cst_924) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
      %3320 = stablehlo.reshape %3319 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %3321 = stablehlo.broadcast_in_dim %248, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
      %3322 = stablehlo.multiply %3314, %3321 : tensor<64x56x56x256xf32>
      %cst_925 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3323 = stablehlo.reduce(%3320 init: %cst_925) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %3324 = stablehlo.multiply %243, %3323 : tensor<256xf32>
      %3325 = stablehlo.multiply %3323, %arg187 : tensor<256xf32>
      %3326 = stablehlo.multiply %3325, %246 : tensor<256xf32>
      %cst_926 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %3327 = stablehlo.broadcast_in_dim %cst_926, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %3328 = stablehlo.divide %3326, %3327 : tensor<256xf32>
      %3329 = stablehlo.broadcast_in_dim %3328, dims = [3] : (tensor<256xf32>) -> tensor<64x56x56x256xf32>
      %3330 = stablehlo.multiply %3329, %237 : tensor<64x56x56x256xf32>
      %3331 = stablehlo.negate %3330 : tensor<64x56x56x256xf32>
      %cst_927 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3332 = stablehlo.reduce(%3331 init: %cst_927) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
      %3333 = stablehlo.reshape %3332 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_928 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3334 = stablehlo.reduce(%3333 init: %cst_928) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %3335 = stablehlo.negate %3322 : tensor<64x56x56x256xf32>
      %cst_929 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3336 = stablehlo.reduce(%3335 init: %cst_929) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
      %3337 = stablehlo.reshape %3336 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_930 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3338 = stablehlo.reduce(%3337 init: %cst_930) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %3339 = stablehlo.add %3330, %3322 : tensor<64x56x56x256xf32>
      %3340 = stablehlo.add %3334, %3338 : tensor<256xf32>
      %cst_931 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %3341 = stablehlo.broadcast_in_dim %cst_931, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %3342 = stablehlo.divide %3340, %3341 : tensor<256xf32>
      %3343 = stablehlo.broadcast_in_dim %3342, dims = [3] : (tensor<256xf32>) -> tensor<64x56x56x256xf32>
      %3344 = stablehlo.add %3339, %3343 : tensor<64x56x56x256xf32>
      %3345 = stablehlo.convolution(%222, %3344) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<64x56x56x256xf32>) -> tensor<1x1x64x256xf32>
      %3346 = stablehlo.reverse %arg186, dims = [0, 1] : tensor<1x1x64x256xf32>
      %3347 = stablehlo.convolution(%3344, %3346) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x256xf32>, tensor<1x1x64x256xf32>) -> tensor<64x56x56x64xf32>
      %cst_932 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3348 = stablehlo.broadcast_in_dim %cst_932, dims = [] : (tensor<f32>) -> tensor<64x56x56x64xf32>
      %3349 = stablehlo.select %224, %3347, %3348 : tensor<64x56x56x64xi1>, tensor<64x56x56x64xf32>
      %cst_933 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3350 = stablehlo.reduce(%3349 init: %cst_933) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3351 = stablehlo.reshape %3350 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %cst_934 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3352 = stablehlo.reduce(%3351 init: %cst_934) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3353 = stablehlo.multiply %199, %3349 : tensor<64x56x56x64xf32>
      %cst_935 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3354 = stablehlo.reduce(%3353 init: %cst_935) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3355 = stablehlo.reshape %3354 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %3356 = stablehlo.broadcast_in_dim %216, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
      %3357 = stablehlo.multiply %3349, %3356 : tensor<64x56x56x64xf32>
      %cst_936 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3358 = stablehlo.reduce(%3355 init: %cst_936) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3359 = stablehlo.multiply %211, %3358 : tensor<64xf32>
      %3360 = stablehlo.multiply %3358, %arg184 : tensor<64xf32>
      %3361 = stablehlo.multiply %3360, %214 : tensor<64xf32>
      %cst_937 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %3362 = stablehlo.broadcast_in_dim %cst_937, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3363 = stablehlo.divide %3361, %3362 : tensor<64xf32>
      %3364 = stablehlo.broadcast_in_dim %3363, dims = [3] : (tensor<64xf32>) -> tensor<64x56x56x64xf32>
      %3365 = stablehlo.multiply %3364, %205 : tensor<64x56x56x64xf32>
      %3366 = stablehlo.negate %3365 : tensor<64x56x56x64xf32>
      %cst_938 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3367 = stablehlo.reduce(%3366 init: %cst_938) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3368 = stablehlo.reshape %3367 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %cst_939 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3369 = stablehlo.reduce(%3368 init: %cst_939) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3370 = stablehlo.negate %3357 : tensor<64x56x56x64xf32>
      %cst_940 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3371 = stablehlo.reduce(%3370 init: %cst_940) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3372 = stablehlo.reshape %3371 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %cst_941 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3373 = stablehlo.reduce(%3372 init: %cst_941) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3374 = stablehlo.add %3365, %3357 : tensor<64x56x56x64xf32>
      %3375 = stablehlo.add %3369, %3373 : tensor<64xf32>
      %cst_942 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %3376 = stablehlo.broadcast_in_dim %cst_942, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3377 = stablehlo.divide %3375, %3376 : tensor<64xf32>
      %3378 = stablehlo.broadcast_in_dim %3377, dims = [3] : (tensor<64xf32>) -> tensor<64x56x56x64xf32>
      %3379 = stablehlo.add %3374, %3378 : tensor<64x56x56x64xf32>
      %3380 = stablehlo.convolution(%190, %3379) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<64x56x56x64xf32>) -> tensor<3x3x64x64xf32>
      %3381 = stablehlo.reverse %arg183, dims = [0, 1] : tensor<3x3x64x64xf32>
      %3382 = stablehlo.convolution(%3379, %3381) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<64x56x56x64xf32>
      %cst_943 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3383 = stablehlo.broadcast_in_dim %cst_943, dims = [] : (tensor<f32>) -> tensor<64x56x56x64xf32>
      %3384 = stablehlo.select %192, %3382, %3383 : tensor<64x56x56x64xi1>, tensor<64x56x56x64xf32>
      %cst_944 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3385 = stablehlo.reduce(%3384 init: %cst_944) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3386 = stablehlo.reshape %3385 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %cst_945 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3387 = stablehlo.reduce(%3386 init: %cst_945) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3388 = stablehlo.multiply %167, %3384 : tensor<64x56x56x64xf32>
      %cst_946 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3389 = stablehlo.reduce(%3388 init: %cst_946) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3390 = stablehlo.reshape %3389 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %3391 = stablehlo.broadcast_in_dim %184, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
      %3392 = stablehlo.multiply %3384, %3391 : tensor<64x56x56x64xf32>
      %cst_947 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3393 = stablehlo.reduce(%3390 init: %cst_947) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3394 = stablehlo.multiply %179, %3393 : tensor<64xf32>
      %3395 = stablehlo.multiply %3393, %arg181 : tensor<64xf32>
      %3396 = stablehlo.multiply %3395, %182 : tensor<64xf32>
      %cst_948 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %3397 = stablehlo.broadcast_in_dim %cst_948, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3398 = stablehlo.divide %3396, %3397 : tensor<64xf32>
      %3399 = stablehlo.broadcast_in_dim %3398, dims = [3] : (tensor<64xf32>) -> tensor<64x56x56x64xf32>
      %3400 = stablehlo.multiply %3399, %173 : tensor<64x56x56x64xf32>
      %3401 = stablehlo.negate %3400 : tensor<64x56x56x64xf32>
      %cst_949 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3402 = stablehlo.reduce(%3401 init: %cst_949) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3403 = stablehlo.reshape %3402 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %cst_950 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3404 = stablehlo.reduce(%3403 init: %cst_950) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3405 = stablehlo.negate %3392 : tensor<64x56x56x64xf32>
      %cst_951 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3406 = stablehlo.reduce(%3405 init: %cst_951) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3407 = stablehlo.reshape %3406 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %cst_952 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3408 = stablehlo.reduce(%3407 init: %cst_952) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3409 = stablehlo.add %3400, %3392 : tensor<64x56x56x64xf32>
      %3410 = stablehlo.add %3404, %3408 : tensor<64xf32>
      %cst_953 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %3411 = stablehlo.broadcast_in_dim %cst_953, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3412 = stablehlo.divide %3410, %3411 : tensor<64xf32>
      %3413 = stablehlo.broadcast_in_dim %3412, dims = [3] : (tensor<64xf32>) -> tensor<64x56x56x64xf32>
      %3414 = stablehlo.add %3409, %3413 : tensor<64x56x56x64xf32>
      %3415 = stablehlo.convolution(%158, %3414) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x256xf32>, tensor<64x56x56x64xf32>) -> tensor<1x1x256x64xf32>
      %3416 = stablehlo.reverse %arg180, dims = [0, 1] : tensor<1x1x256x64xf32>
      %3417 = stablehlo.convolution(%3414, %3416) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<1x1x256x64xf32>) -> tensor<64x56x56x256xf32>
      %3418 = stablehlo.add %3314, %3417 : tensor<64x56x56x256xf32>
      %cst_954 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3419 = stablehlo.broadcast_in_dim %cst_954, dims = [] : (tensor<f32>) -> tensor<64x56x56x256xf32>
      %3420 = stablehlo.select %160, %3418, %3419 : tensor<64x56x56x256xi1>, tensor<64x56x56x256xf32>
      %cst_955 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3421 = stablehlo.reduce(%3420 init: %cst_955) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
      %3422 = stablehlo.reshape %3421 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_956 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3423 = stablehlo.reduce(%3422 init: %cst_956) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %3424 = stablehlo.multiply %134, %3420 : tensor<64x56x56x256xf32>
      %cst_957 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3425 = stablehlo.reduce(%3424 init: %cst_957) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
      %3426 = stablehlo.reshape %3425 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %3427 = stablehlo.broadcast_in_dim %151, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
      %3428 = stablehlo.multiply %3420, %3427 : tensor<64x56x56x256xf32>
      %cst_958 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3429 = stablehlo.reduce(%3426 init: %cst_958) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %3430 = stablehlo.multiply %146, %3429 : tensor<256xf32>
      %3431 = stablehlo.multiply %3429, %arg178 : tensor<256xf32>
      %3432 = stablehlo.multiply %3431, %149 : tensor<256xf32>
      %cst_959 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %3433 = stablehlo.broadcast_in_dim %cst_959, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %3434 = stablehlo.divide %3432, %3433 : tensor<256xf32>
      %3435 = stablehlo.broadcast_in_dim %3434, dims = [3] : (tensor<256xf32>) -> tensor<64x56x56x256xf32>
      %3436 = stablehlo.multiply %3435, %140 : tensor<64x56x56x256xf32>
      %3437 = stablehlo.negate %3436 : tensor<64x56x56x256xf32>
      %cst_960 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3438 = stablehlo.reduce(%3437 init: %cst_960) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
      %3439 = stablehlo.reshape %3438 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_961 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3440 = stablehlo.reduce(%3439 init: %cst_961) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %3441 = stablehlo.negate %3428 : tensor<64x56x56x256xf32>
      %cst_962 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3442 = stablehlo.reduce(%3441 init: %cst_962) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
      %3443 = stablehlo.reshape %3442 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_963 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3444 = stablehlo.reduce(%3443 init: %cst_963) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %3445 = stablehlo.add %3436, %3428 : tensor<64x56x56x256xf32>
      %3446 = stablehlo.add %3440, %3444 : tensor<256xf32>
      %cst_964 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %3447 = stablehlo.broadcast_in_dim %cst_964, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %3448 = stablehlo.divide %3446, %3447 : tensor<256xf32>
      %3449 = stablehlo.broadcast_in_dim %3448, dims = [3] : (tensor<256xf32>) -> tensor<64x56x56x256xf32>
      %3450 = stablehlo.add %3445, %3449 : tensor<64x56x56x256xf32>
      %3451 = stablehlo.convolution(%34, %3450) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<64x56x56x256xf32>) -> tensor<1x1x64x256xf32>
      %3452 = stablehlo.reverse %arg177, dims = [0, 1] : tensor<1x1x64x256xf32>
      %3453 = stablehlo.convolution(%3450, %3452) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x256xf32>, tensor<1x1x64x256xf32>) -> tensor<64x56x56x64xf32>
      %cst_965 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3454 = stablehlo.reduce(%3420 init: %cst_965) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
      %3455 = stablehlo.reshape %3454 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_966 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3456 = stablehlo.reduce(%3455 init: %cst_966) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %3457 = stablehlo.multiply %105, %3420 : tensor<64x56x56x256xf32>
      %cst_967 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3458 = stablehlo.reduce(%3457 init: %cst_967) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
      %3459 = stablehlo.reshape %3458 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %3460 = stablehlo.broadcast_in_dim %122, dims = [0, 1, 2, 3] : (tensor<1x1x1x256xf32>) -> tensor<64x56x56x256xf32>
      %3461 = stablehlo.multiply %3420, %3460 : tensor<64x56x56x256xf32>
      %cst_968 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3462 = stablehlo.reduce(%3459 init: %cst_968) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %3463 = stablehlo.multiply %117, %3462 : tensor<256xf32>
      %3464 = stablehlo.multiply %3462, %arg175 : tensor<256xf32>
      %3465 = stablehlo.multiply %3464, %120 : tensor<256xf32>
      %cst_969 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %3466 = stablehlo.broadcast_in_dim %cst_969, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %3467 = stablehlo.divide %3465, %3466 : tensor<256xf32>
      %3468 = stablehlo.broadcast_in_dim %3467, dims = [3] : (tensor<256xf32>) -> tensor<64x56x56x256xf32>
      %3469 = stablehlo.multiply %3468, %111 : tensor<64x56x56x256xf32>
      %3470 = stablehlo.negate %3469 : tensor<64x56x56x256xf32>
      %cst_970 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3471 = stablehlo.reduce(%3470 init: %cst_970) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
      %3472 = stablehlo.reshape %3471 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_971 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3473 = stablehlo.reduce(%3472 init: %cst_971) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %3474 = stablehlo.negate %3461 : tensor<64x56x56x256xf32>
      %cst_972 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3475 = stablehlo.reduce(%3474 init: %cst_972) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x256xf32>, tensor<f32>) -> tensor<256xf32>
      %3476 = stablehlo.reshape %3475 : (tensor<256xf32>) -> tensor<1x1x1x256xf32>
      %cst_973 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3477 = stablehlo.reduce(%3476 init: %cst_973) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x256xf32>, tensor<f32>) -> tensor<256xf32>
      %3478 = stablehlo.add %3469, %3461 : tensor<64x56x56x256xf32>
      %3479 = stablehlo.add %3473, %3477 : tensor<256xf32>
      %cst_974 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %3480 = stablehlo.broadcast_in_dim %cst_974, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %3481 = stablehlo.divide %3479, %3480 : tensor<256xf32>
      %3482 = stablehlo.broadcast_in_dim %3481, dims = [3] : (tensor<256xf32>) -> tensor<64x56x56x256xf32>
      %3483 = stablehlo.add %3478, %3482 : tensor<64x56x56x256xf32>
      %3484 = stablehlo.convolution(%96, %3483) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<64x56x56x256xf32>) -> tensor<1x1x64x256xf32>
      %3485 = stablehlo.reverse %arg174, dims = [0, 1] : tensor<1x1x64x256xf32>
      %3486 = stablehlo.convolution(%3483, %3485) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x256xf32>, tensor<1x1x64x256xf32>) -> tensor<64x56x56x64xf32>
      %cst_975 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3487 = stablehlo.broadcast_in_dim %cst_975, dims = [] : (tensor<f32>) -> tensor<64x56x56x64xf32>
      %3488 = stablehlo.select %98, %3486, %3487 : tensor<64x56x56x64xi1>, tensor<64x56x56x64xf32>
      %cst_976 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3489 = stablehlo.reduce(%3488 init: %cst_976) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3490 = stablehlo.reshape %3489 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %cst_977 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3491 = stablehlo.reduce(%3490 init: %cst_977) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3492 = stablehlo.multiply %73, %3488 : tensor<64x56x56x64xf32>
      %cst_978 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3493 = stablehlo.reduce(%3492 init: %cst_978) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3494 = stablehlo.reshape %3493 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %3495 = stablehlo.broadcast_in_dim %90, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
      %3496 = stablehlo.multiply %3488, %3495 : tensor<64x56x56x64xf32>
      %cst_979 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3497 = stablehlo.reduce(%3494 init: %cst_979) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3498 = stablehlo.multiply %85, %3497 : tensor<64xf32>
      %3499 = stablehlo.multiply %3497, %arg172 : tensor<64xf32>
      %3500 = stablehlo.multiply %3499, %88 : tensor<64xf32>
      %cst_980 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %3501 = stablehlo.broadcast_in_dim %cst_980, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3502 = stablehlo.divide %3500, %3501 : tensor<64xf32>
      %3503 = stablehlo.broadcast_in_dim %3502, dims = [3] : (tensor<64xf32>) -> tensor<64x56x56x64xf32>
      %3504 = stablehlo.multiply %3503, %79 : tensor<64x56x56x64xf32>
      %3505 = stablehlo.negate %3504 : tensor<64x56x56x64xf32>
      %cst_981 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3506 = stablehlo.reduce(%3505 init: %cst_981) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3507 = stablehlo.reshape %3506 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %cst_982 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3508 = stablehlo.reduce(%3507 init: %cst_982) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3509 = stablehlo.negate %3496 : tensor<64x56x56x64xf32>
      %cst_983 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3510 = stablehlo.reduce(%3509 init: %cst_983) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3511 = stablehlo.reshape %3510 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %cst_984 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3512 = stablehlo.reduce(%3511 init: %cst_984) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3513 = stablehlo.add %3504, %3496 : tensor<64x56x56x64xf32>
      %3514 = stablehlo.add %3508, %3512 : tensor<64xf32>
      %cst_985 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %3515 = stablehlo.broadcast_in_dim %cst_985, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3516 = stablehlo.divide %3514, %3515 : tensor<64xf32>
      %3517 = stablehlo.broadcast_in_dim %3516, dims = [3] : (tensor<64xf32>) -> tensor<64x56x56x64xf32>
      %3518 = stablehlo.add %3513, %3517 : tensor<64x56x56x64xf32>
      %3519 = stablehlo.convolution(%64, %3518) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<64x56x56x64xf32>) -> tensor<3x3x64x64xf32>
      %3520 = stablehlo.reverse %arg171, dims = [0, 1] : tensor<3x3x64x64xf32>
      %3521 = stablehlo.convolution(%3518, %3520) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<64x56x56x64xf32>
      %cst_986 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3522 = stablehlo.broadcast_in_dim %cst_986, dims = [] : (tensor<f32>) -> tensor<64x56x56x64xf32>
      %3523 = stablehlo.select %66, %3521, %3522 : tensor<64x56x56x64xi1>, tensor<64x56x56x64xf32>
      %cst_987 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3524 = stablehlo.reduce(%3523 init: %cst_987) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3525 = stablehlo.reshape %3524 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %cst_988 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3526 = stablehlo.reduce(%3525 init: %cst_988) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3527 = stablehlo.multiply %41, %3523 : tensor<64x56x56x64xf32>
      %cst_989 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3528 = stablehlo.reduce(%3527 init: %cst_989) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3529 = stablehlo.reshape %3528 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %3530 = stablehlo.broadcast_in_dim %58, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x56x56x64xf32>
      %3531 = stablehlo.multiply %3523, %3530 : tensor<64x56x56x64xf32>
      %cst_990 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3532 = stablehlo.reduce(%3529 init: %cst_990) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3533 = stablehlo.multiply %53, %3532 : tensor<64xf32>
      %3534 = stablehlo.multiply %3532, %arg169 : tensor<64xf32>
      %3535 = stablehlo.multiply %3534, %56 : tensor<64xf32>
      %cst_991 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %3536 = stablehlo.broadcast_in_dim %cst_991, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3537 = stablehlo.divide %3535, %3536 : tensor<64xf32>
      %3538 = stablehlo.broadcast_in_dim %3537, dims = [3] : (tensor<64xf32>) -> tensor<64x56x56x64xf32>
      %3539 = stablehlo.multiply %3538, %47 : tensor<64x56x56x64xf32>
      %3540 = stablehlo.negate %3539 : tensor<64x56x56x64xf32>
      %cst_992 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3541 = stablehlo.reduce(%3540 init: %cst_992) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3542 = stablehlo.reshape %3541 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %cst_993 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3543 = stablehlo.reduce(%3542 init: %cst_993) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3544 = stablehlo.negate %3531 : tensor<64x56x56x64xf32>
      %cst_994 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3545 = stablehlo.reduce(%3544 init: %cst_994) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3546 = stablehlo.reshape %3545 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %cst_995 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3547 = stablehlo.reduce(%3546 init: %cst_995) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3548 = stablehlo.add %3539, %3531 : tensor<64x56x56x64xf32>
      %3549 = stablehlo.add %3543, %3547 : tensor<64xf32>
      %cst_996 = stablehlo.constant dense<2.007040e+05> : tensor<f32>
      %3550 = stablehlo.broadcast_in_dim %cst_996, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3551 = stablehlo.divide %3549, %3550 : tensor<64xf32>
      %3552 = stablehlo.broadcast_in_dim %3551, dims = [3] : (tensor<64xf32>) -> tensor<64x56x56x64xf32>
      %3553 = stablehlo.add %3548, %3552 : tensor<64x56x56x64xf32>
      %3554 = stablehlo.convolution(%34, %3553) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<64x56x56x64xf32>) -> tensor<1x1x64x64xf32>
      %3555 = stablehlo.reverse %arg168, dims = [0, 1] : tensor<1x1x64x64xf32>
      %3556 = stablehlo.convolution(%3553, %3555) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x56x56x64xf32>, tensor<1x1x64x64xf32>) -> tensor<64x56x56x64xf32>
      %3557 = stablehlo.add %3453, %3556 : tensor<64x56x56x64xf32>
      %cst_997 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %3558 = stablehlo.pad %30, %cst_997, low = [0, 0, 0, 0], high = [0, 1, 1, 0], interior = [0, 0, 0, 0] : (tensor<64x112x112x64xf32>, tensor<f32>) -> tensor<64x113x113x64xf32>
      %cst_998 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3559 = "stablehlo.select_and_scatter"(%3558, %3557, %cst_998) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.compare GE, %arg326, %arg327, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %4562 : tensor<i1>
      }, {
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<64x113x113x64xf32>, tensor<64x56x56x64xf32>, tensor<f32>) -> tensor<64x113x113x64xf32>
      %3560 = stablehlo.slice %3559 [0:64, 0:112, 0:112, 0:64] : (tensor<64x113x113x64xf32>) -> tensor<64x112x112x64xf32>
      %cst_999 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3561 = stablehlo.broadcast_in_dim %cst_999, dims = [] : (tensor<f32>) -> tensor<64x112x112x64xf32>
      %3562 = stablehlo.select %32, %3560, %3561 : tensor<64x112x112x64xi1>, tensor<64x112x112x64xf32>
      %cst_1000 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3563 = stablehlo.reduce(%3562 init: %cst_1000) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x112x112x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3564 = stablehlo.reshape %3563 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %cst_1001 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3565 = stablehlo.reduce(%3564 init: %cst_1001) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3566 = stablehlo.multiply %7, %3562 : tensor<64x112x112x64xf32>
      %cst_1002 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3567 = stablehlo.reduce(%3566 init: %cst_1002) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x112x112x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3568 = stablehlo.reshape %3567 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %3569 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<64x112x112x64xf32>
      %3570 = stablehlo.multiply %3562, %3569 : tensor<64x112x112x64xf32>
      %cst_1003 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3571 = stablehlo.reduce(%3568 init: %cst_1003) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3572 = stablehlo.multiply %19, %3571 : tensor<64xf32>
      %3573 = stablehlo.multiply %3571, %arg166 : tensor<64xf32>
      %3574 = stablehlo.multiply %3573, %22 : tensor<64xf32>
      %cst_1004 = stablehlo.constant dense<8.028160e+05> : tensor<f32>
      %3575 = stablehlo.broadcast_in_dim %cst_1004, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3576 = stablehlo.divide %3574, %3575 : tensor<64xf32>
      %3577 = stablehlo.broadcast_in_dim %3576, dims = [3] : (tensor<64xf32>) -> tensor<64x112x112x64xf32>
      %3578 = stablehlo.multiply %3577, %13 : tensor<64x112x112x64xf32>
      %3579 = stablehlo.negate %3578 : tensor<64x112x112x64xf32>
      %cst_1005 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3580 = stablehlo.reduce(%3579 init: %cst_1005) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x112x112x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3581 = stablehlo.reshape %3580 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %cst_1006 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3582 = stablehlo.reduce(%3581 init: %cst_1006) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3583 = stablehlo.negate %3570 : tensor<64x112x112x64xf32>
      %cst_1007 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3584 = stablehlo.reduce(%3583 init: %cst_1007) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x112x112x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3585 = stablehlo.reshape %3584 : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
      %cst_1008 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3586 = stablehlo.reduce(%3585 init: %cst_1008) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x64xf32>, tensor<f32>) -> tensor<64xf32>
      %3587 = stablehlo.add %3578, %3570 : tensor<64x112x112x64xf32>
      %3588 = stablehlo.add %3582, %3586 : tensor<64xf32>
      %cst_1009 = stablehlo.constant dense<8.028160e+05> : tensor<f32>
      %3589 = stablehlo.broadcast_in_dim %cst_1009, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3590 = stablehlo.divide %3588, %3589 : tensor<64xf32>
      %3591 = stablehlo.broadcast_in_dim %3590, dims = [3] : (tensor<64xf32>) -> tensor<64x112x112x64xf32>
      %3592 = stablehlo.add %3587, %3591 : tensor<64x112x112x64xf32>
      %3593 = stablehlo.convolution(%arg163, %3592) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[2, 3], [2, 3]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<64x224x224x3xf32>, tensor<64x112x112x64xf32>) -> tensor<7x7x3x64xf32>
      %3594 = "stablehlo.all_reduce"(%3593) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<7x7x3x64xf32>) -> tensor<7x7x3x64xf32>
      %cst_1010 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3595 = stablehlo.broadcast_in_dim %cst_1010, dims = [] : (tensor<f32>) -> tensor<7x7x3x64xf32>
      %3596 = stablehlo.divide %3594, %3595 : tensor<7x7x3x64xf32>
      %cst_1011 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3597 = stablehlo.broadcast_in_dim %cst_1011, dims = [] : (tensor<f32>) -> tensor<7x7x3x64xf32>
      %3598 = stablehlo.multiply %3597, %3596 : tensor<7x7x3x64xf32>
      %3599 = stablehlo.subtract %arg165, %3598 : tensor<7x7x3x64xf32>
      %3600 = "stablehlo.all_reduce"(%3572) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<64xf32>) -> tensor<64xf32>
      %cst_1012 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3601 = stablehlo.broadcast_in_dim %cst_1012, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3602 = stablehlo.divide %3600, %3601 : tensor<64xf32>
      %cst_1013 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3603 = stablehlo.broadcast_in_dim %cst_1013, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3604 = stablehlo.multiply %3603, %3602 : tensor<64xf32>
      %3605 = stablehlo.subtract %arg166, %3604 : tensor<64xf32>
      %3606 = "stablehlo.all_reduce"(%3565) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<64xf32>) -> tensor<64xf32>
      %cst_1014 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3607 = stablehlo.broadcast_in_dim %cst_1014, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3608 = stablehlo.divide %3606, %3607 : tensor<64xf32>
      %cst_1015 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3609 = stablehlo.broadcast_in_dim %cst_1015, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3610 = stablehlo.multiply %3609, %3608 : tensor<64xf32>
      %3611 = stablehlo.subtract %arg167, %3610 : tensor<64xf32>
      %3612 = "stablehlo.all_reduce"(%3554) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1x1x64x64xf32>) -> tensor<1x1x64x64xf32>
      %cst_1016 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3613 = stablehlo.broadcast_in_dim %cst_1016, dims = [] : (tensor<f32>) -> tensor<1x1x64x64xf32>
      %3614 = stablehlo.divide %3612, %3613 : tensor<1x1x64x64xf32>
      %cst_1017 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3615 = stablehlo.broadcast_in_dim %cst_1017, dims = [] : (tensor<f32>) -> tensor<1x1x64x64xf32>
      %3616 = stablehlo.multiply %3615, %3614 : tensor<1x1x64x64xf32>
      %3617 = stablehlo.subtract %arg168, %3616 : tensor<1x1x64x64xf32>
      %3618 = "stablehlo.all_reduce"(%3533) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<64xf32>) -> tensor<64xf32>
      %cst_1018 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3619 = stablehlo.broadcast_in_dim %cst_1018, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3620 = stablehlo.divide %3618, %3619 : tensor<64xf32>
      %cst_1019 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3621 = stablehlo.broadcast_in_dim %cst_1019, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3622 = stablehlo.multiply %3621, %3620 : tensor<64xf32>
      %3623 = stablehlo.subtract %arg169, %3622 : tensor<64xf32>
      %3624 = "stablehlo.all_reduce"(%3526) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<64xf32>) -> tensor<64xf32>
      %cst_1020 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3625 = stablehlo.broadcast_in_dim %cst_1020, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3626 = stablehlo.divide %3624, %3625 : tensor<64xf32>
      %cst_1021 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3627 = stablehlo.broadcast_in_dim %cst_1021, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3628 = stablehlo.multiply %3627, %3626 : tensor<64xf32>
      %3629 = stablehlo.subtract %arg170, %3628 : tensor<64xf32>
      %3630 = "stablehlo.all_reduce"(%3519) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<3x3x64x64xf32>) -> tensor<3x3x64x64xf32>
      %cst_1022 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3631 = stablehlo.broadcast_in_dim %cst_1022, dims = [] : (tensor<f32>) -> tensor<3x3x64x64xf32>
      %3632 = stablehlo.divide %3630, %3631 : tensor<3x3x64x64xf32>
      %cst_1023 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3633 = stablehlo.broadcast_in_dim %cst_1023, dims = [] : (tensor<f32>) -> tensor<3x3x64x64xf32>
      %3634 = stablehlo.multiply %3633, %3632 : tensor<3x3x64x64xf32>
      %3635 = stablehlo.subtract %arg171, %3634 : tensor<3x3x64x64xf32>
      %3636 = "stablehlo.all_reduce"(%3498) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<64xf32>) -> tensor<64xf32>
      %cst_1024 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3637 = stablehlo.broadcast_in_dim %cst_1024, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3638 = stablehlo.divide %3636, %3637 : tensor<64xf32>
      %cst_1025 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3639 = stablehlo.broadcast_in_dim %cst_1025, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3640 = stablehlo.multiply %3639, %3638 : tensor<64xf32>
      %3641 = stablehlo.subtract %arg172, %3640 : tensor<64xf32>
      %3642 = "stablehlo.all_reduce"(%3491) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<64xf32>) -> tensor<64xf32>
      %cst_1026 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3643 = stablehlo.broadcast_in_dim %cst_1026, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3644 = stablehlo.divide %3642, %3643 : tensor<64xf32>
      %cst_1027 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3645 = stablehlo.broadcast_in_dim %cst_1027, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3646 = stablehlo.multiply %3645, %3644 : tensor<64xf32>
      %3647 = stablehlo.subtract %arg173, %3646 : tensor<64xf32>
      %3648 = "stablehlo.all_reduce"(%3484) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1x1x64x256xf32>) -> tensor<1x1x64x256xf32>
      %cst_1028 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3649 = stablehlo.broadcast_in_dim %cst_1028, dims = [] : (tensor<f32>) -> tensor<1x1x64x256xf32>
      %3650 = stablehlo.divide %3648, %3649 : tensor<1x1x64x256xf32>
      %cst_1029 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3651 = stablehlo.broadcast_in_dim %cst_1029, dims = [] : (tensor<f32>) -> tensor<1x1x64x256xf32>
      %3652 = stablehlo.multiply %3651, %3650 : tensor<1x1x64x256xf32>
      %3653 = stablehlo.subtract %arg174, %3652 : tensor<1x1x64x256xf32>
      %3654 = "stablehlo.all_reduce"(%3463) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<256xf32>) -> tensor<256xf32>
      %cst_1030 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3655 = stablehlo.broadcast_in_dim %cst_1030, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %3656 = stablehlo.divide %3654, %3655 : tensor<256xf32>
      %cst_1031 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3657 = stablehlo.broadcast_in_dim %cst_1031, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %3658 = stablehlo.multiply %3657, %3656 : tensor<256xf32>
      %3659 = stablehlo.subtract %arg175, %3658 : tensor<256xf32>
      %3660 = "stablehlo.all_reduce"(%3456) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<256xf32>) -> tensor<256xf32>
      %cst_1032 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3661 = stablehlo.broadcast_in_dim %cst_1032, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %3662 = stablehlo.divide %3660, %3661 : tensor<256xf32>
      %cst_1033 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3663 = stablehlo.broadcast_in_dim %cst_1033, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %3664 = stablehlo.multiply %3663, %3662 : tensor<256xf32>
      %3665 = stablehlo.subtract %arg176, %3664 : tensor<256xf32>
      %3666 = "stablehlo.all_reduce"(%3451) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1x1x64x256xf32>) -> tensor<1x1x64x256xf32>
      %cst_1034 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3667 = stablehlo.broadcast_in_dim %cst_1034, dims = [] : (tensor<f32>) -> tensor<1x1x64x256xf32>
      %3668 = stablehlo.divide %3666, %3667 : tensor<1x1x64x256xf32>
      %cst_1035 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3669 = stablehlo.broadcast_in_dim %cst_1035, dims = [] : (tensor<f32>) -> tensor<1x1x64x256xf32>
      %3670 = stablehlo.multiply %3669, %3668 : tensor<1x1x64x256xf32>
      %3671 = stablehlo.subtract %arg177, %3670 : tensor<1x1x64x256xf32>
      %3672 = "stablehlo.all_reduce"(%3430) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<256xf32>) -> tensor<256xf32>
      %cst_1036 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3673 = stablehlo.broadcast_in_dim %cst_1036, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %3674 = stablehlo.divide %3672, %3673 : tensor<256xf32>
      %cst_1037 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3675 = stablehlo.broadcast_in_dim %cst_1037, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %3676 = stablehlo.multiply %3675, %3674 : tensor<256xf32>
      %3677 = stablehlo.subtract %arg178, %3676 : tensor<256xf32>
      %3678 = "stablehlo.all_reduce"(%3423) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<256xf32>) -> tensor<256xf32>
      %cst_1038 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3679 = stablehlo.broadcast_in_dim %cst_1038, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %3680 = stablehlo.divide %3678, %3679 : tensor<256xf32>
      %cst_1039 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3681 = stablehlo.broadcast_in_dim %cst_1039, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %3682 = stablehlo.multiply %3681, %3680 : tensor<256xf32>
      %3683 = stablehlo.subtract %arg179, %3682 : tensor<256xf32>
      %3684 = "stablehlo.all_reduce"(%3415) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1x1x256x64xf32>) -> tensor<1x1x256x64xf32>
      %cst_1040 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3685 = stablehlo.broadcast_in_dim %cst_1040, dims = [] : (tensor<f32>) -> tensor<1x1x256x64xf32>
      %3686 = stablehlo.divide %3684, %3685 : tensor<1x1x256x64xf32>
      %cst_1041 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3687 = stablehlo.broadcast_in_dim %cst_1041, dims = [] : (tensor<f32>) -> tensor<1x1x256x64xf32>
      %3688 = stablehlo.multiply %3687, %3686 : tensor<1x1x256x64xf32>
      %3689 = stablehlo.subtract %arg180, %3688 : tensor<1x1x256x64xf32>
      %3690 = "stablehlo.all_reduce"(%3394) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<64xf32>) -> tensor<64xf32>
      %cst_1042 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3691 = stablehlo.broadcast_in_dim %cst_1042, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3692 = stablehlo.divide %3690, %3691 : tensor<64xf32>
      %cst_1043 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3693 = stablehlo.broadcast_in_dim %cst_1043, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3694 = stablehlo.multiply %3693, %3692 : tensor<64xf32>
      %3695 = stablehlo.subtract %arg181, %3694 : tensor<64xf32>
      %3696 = "stablehlo.all_reduce"(%3387) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<64xf32>) -> tensor<64xf32>
      %cst_1044 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3697 = stablehlo.broadcast_in_dim %cst_1044, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3698 = stablehlo.divide %3696, %3697 : tensor<64xf32>
      %cst_1045 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3699 = stablehlo.broadcast_in_dim %cst_1045, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3700 = stablehlo.multiply %3699, %3698 : tensor<64xf32>
      %3701 = stablehlo.subtract %arg182, %3700 : tensor<64xf32>
      %3702 = "stablehlo.all_reduce"(%3380) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<3x3x64x64xf32>) -> tensor<3x3x64x64xf32>
      %cst_1046 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3703 = stablehlo.broadcast_in_dim %cst_1046, dims = [] : (tensor<f32>) -> tensor<3x3x64x64xf32>
      %3704 = stablehlo.divide %3702, %3703 : tensor<3x3x64x64xf32>
      %cst_1047 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3705 = stablehlo.broadcast_in_dim %cst_1047, dims = [] : (tensor<f32>) -> tensor<3x3x64x64xf32>
      %3706 = stablehlo.multiply %3705, %3704 : tensor<3x3x64x64xf32>
      %3707 = stablehlo.subtract %arg183, %3706 : tensor<3x3x64x64xf32>
      %3708 = "stablehlo.all_reduce"(%3359) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<64xf32>) -> tensor<64xf32>
      %cst_1048 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3709 = stablehlo.broadcast_in_dim %cst_1048, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3710 = stablehlo.divide %3708, %3709 : tensor<64xf32>
      %cst_1049 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3711 = stablehlo.broadcast_in_dim %cst_1049, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3712 = stablehlo.multiply %3711, %3710 : tensor<64xf32>
      %3713 = stablehlo.subtract %arg184, %3712 : tensor<64xf32>
      %3714 = "stablehlo.all_reduce"(%3352) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<64xf32>) -> tensor<64xf32>
      %cst_1050 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3715 = stablehlo.broadcast_in_dim %cst_1050, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3716 = stablehlo.divide %3714, %3715 : tensor<64xf32>
      %cst_1051 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3717 = stablehlo.broadcast_in_dim %cst_1051, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3718 = stablehlo.multiply %3717, %3716 : tensor<64xf32>
      %3719 = stablehlo.subtract %arg185, %3718 : tensor<64xf32>
      %3720 = "stablehlo.all_reduce"(%3345) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1x1x64x256xf32>) -> tensor<1x1x64x256xf32>
      %cst_1052 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3721 = stablehlo.broadcast_in_dim %cst_1052, dims = [] : (tensor<f32>) -> tensor<1x1x64x256xf32>
      %3722 = stablehlo.divide %3720, %3721 : tensor<1x1x64x256xf32>
      %cst_1053 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3723 = stablehlo.broadcast_in_dim %cst_1053, dims = [] : (tensor<f32>) -> tensor<1x1x64x256xf32>
      %3724 = stablehlo.multiply %3723, %3722 : tensor<1x1x64x256xf32>
      %3725 = stablehlo.subtract %arg186, %3724 : tensor<1x1x64x256xf32>
      %3726 = "stablehlo.all_reduce"(%3324) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<256xf32>) -> tensor<256xf32>
      %cst_1054 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3727 = stablehlo.broadcast_in_dim %cst_1054, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %3728 = stablehlo.divide %3726, %3727 : tensor<256xf32>
      %cst_1055 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3729 = stablehlo.broadcast_in_dim %cst_1055, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %3730 = stablehlo.multiply %3729, %3728 : tensor<256xf32>
      %3731 = stablehlo.subtract %arg187, %3730 : tensor<256xf32>
      %3732 = "stablehlo.all_reduce"(%3317) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<256xf32>) -> tensor<256xf32>
      %cst_1056 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3733 = stablehlo.broadcast_in_dim %cst_1056, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %3734 = stablehlo.divide %3732, %3733 : tensor<256xf32>
      %cst_1057 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3735 = stablehlo.broadcast_in_dim %cst_1057, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %3736 = stablehlo.multiply %3735, %3734 : tensor<256xf32>
      %3737 = stablehlo.subtract %arg188, %3736 : tensor<256xf32>
      %3738 = "stablehlo.all_reduce"(%3309) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1x1x256x64xf32>) -> tensor<1x1x256x64xf32>
      %cst_1058 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3739 = stablehlo.broadcast_in_dim %cst_1058, dims = [] : (tensor<f32>) -> tensor<1x1x256x64xf32>
      %3740 = stablehlo.divide %3738, %3739 : tensor<1x1x256x64xf32>
      %cst_1059 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3741 = stablehlo.broadcast_in_dim %cst_1059, dims = [] : (tensor<f32>) -> tensor<1x1x256x64xf32>
      %3742 = stablehlo.multiply %3741, %3740 : tensor<1x1x256x64xf32>
      %3743 = stablehlo.subtract %arg189, %3742 : tensor<1x1x256x64xf32>
      %3744 = "stablehlo.all_reduce"(%3288) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<64xf32>) -> tensor<64xf32>
      %cst_1060 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3745 = stablehlo.broadcast_in_dim %cst_1060, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3746 = stablehlo.divide %3744, %3745 : tensor<64xf32>
      %cst_1061 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3747 = stablehlo.broadcast_in_dim %cst_1061, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3748 = stablehlo.multiply %3747, %3746 : tensor<64xf32>
      %3749 = stablehlo.subtract %arg190, %3748 : tensor<64xf32>
      %3750 = "stablehlo.all_reduce"(%3281) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<64xf32>) -> tensor<64xf32>
      %cst_1062 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3751 = stablehlo.broadcast_in_dim %cst_1062, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3752 = stablehlo.divide %3750, %3751 : tensor<64xf32>
      %cst_1063 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3753 = stablehlo.broadcast_in_dim %cst_1063, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3754 = stablehlo.multiply %3753, %3752 : tensor<64xf32>
      %3755 = stablehlo.subtract %arg191, %3754 : tensor<64xf32>
      %3756 = "stablehlo.all_reduce"(%3274) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<3x3x64x64xf32>) -> tensor<3x3x64x64xf32>
      %cst_1064 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3757 = stablehlo.broadcast_in_dim %cst_1064, dims = [] : (tensor<f32>) -> tensor<3x3x64x64xf32>
      %3758 = stablehlo.divide %3756, %3757 : tensor<3x3x64x64xf32>
      %cst_1065 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3759 = stablehlo.broadcast_in_dim %cst_1065, dims = [] : (tensor<f32>) -> tensor<3x3x64x64xf32>
      %3760 = stablehlo.multiply %3759, %3758 : tensor<3x3x64x64xf32>
      %3761 = stablehlo.subtract %arg192, %3760 : tensor<3x3x64x64xf32>
      %3762 = "stablehlo.all_reduce"(%3253) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<64xf32>) -> tensor<64xf32>
      %cst_1066 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3763 = stablehlo.broadcast_in_dim %cst_1066, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3764 = stablehlo.divide %3762, %3763 : tensor<64xf32>
      %cst_1067 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3765 = stablehlo.broadcast_in_dim %cst_1067, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3766 = stablehlo.multiply %3765, %3764 : tensor<64xf32>
      %3767 = stablehlo.subtract %arg193, %3766 : tensor<64xf32>
      %3768 = "stablehlo.all_reduce"(%3246) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<64xf32>) -> tensor<64xf32>
      %cst_1068 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3769 = stablehlo.broadcast_in_dim %cst_1068, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3770 = stablehlo.divide %3768, %3769 : tensor<64xf32>
      %cst_1069 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3771 = stablehlo.broadcast_in_dim %cst_1069, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %3772 = stablehlo.multiply %3771, %3770 : tensor<64xf32>
      %3773 = stablehlo.subtract %arg194, %3772 : tensor<64xf32>
      %3774 = "stablehlo.all_reduce"(%3239) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1x1x64x256xf32>) -> tensor<1x1x64x256xf32>
      %cst_1070 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3775 = stablehlo.broadcast_in_dim %cst_1070, dims = [] : (tensor<f32>) -> tensor<1x1x64x256xf32>
      %3776 = stablehlo.divide %3774, %3775 : tensor<1x1x64x256xf32>
      %cst_1071 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3777 = stablehlo.broadcast_in_dim %cst_1071, dims = [] : (tensor<f32>) -> tensor<1x1x64x256xf32>
      %3778 = stablehlo.multiply %3777, %3776 : tensor<1x1x64x256xf32>
      %3779 = stablehlo.subtract %arg195, %3778 : tensor<1x1x64x256xf32>
      %3780 = "stablehlo.all_reduce"(%3218) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<256xf32>) -> tensor<256xf32>
      %cst_1072 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3781 = stablehlo.broadcast_in_dim %cst_1072, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %3782 = stablehlo.divide %3780, %3781 : tensor<256xf32>
      %cst_1073 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3783 = stablehlo.broadcast_in_dim %cst_1073, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %3784 = stablehlo.multiply %3783, %3782 : tensor<256xf32>
      %3785 = stablehlo.subtract %arg196, %3784 : tensor<256xf32>
      %3786 = "stablehlo.all_reduce"(%3211) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<256xf32>) -> tensor<256xf32>
      %cst_1074 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3787 = stablehlo.broadcast_in_dim %cst_1074, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %3788 = stablehlo.divide %3786, %3787 : tensor<256xf32>
      %cst_1075 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3789 = stablehlo.broadcast_in_dim %cst_1075, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %3790 = stablehlo.multiply %3789, %3788 : tensor<256xf32>
      %3791 = stablehlo.subtract %arg197, %3790 : tensor<256xf32>
      %3792 = "stablehlo.all_reduce"(%3203) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1x1x256x128xf32>) -> tensor<1x1x256x128xf32>
      %cst_1076 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3793 = stablehlo.broadcast_in_dim %cst_1076, dims = [] : (tensor<f32>) -> tensor<1x1x256x128xf32>
      %3794 = stablehlo.divide %3792, %3793 : tensor<1x1x256x128xf32>
      %cst_1077 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3795 = stablehlo.broadcast_in_dim %cst_1077, dims = [] : (tensor<f32>) -> tensor<1x1x256x128xf32>
      %3796 = stablehlo.multiply %3795, %3794 : tensor<1x1x256x128xf32>
      %3797 = stablehlo.subtract %arg198, %3796 : tensor<1x1x256x128xf32>
      %3798 = "stablehlo.all_reduce"(%3182) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<128xf32>) -> tensor<128xf32>
      %cst_1078 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3799 = stablehlo.broadcast_in_dim %cst_1078, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %3800 = stablehlo.divide %3798, %3799 : tensor<128xf32>
      %cst_1079 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3801 = stablehlo.broadcast_in_dim %cst_1079, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %3802 = stablehlo.multiply %3801, %3800 : tensor<128xf32>
      %3803 = stablehlo.subtract %arg199, %3802 : tensor<128xf32>
      %3804 = "stablehlo.all_reduce"(%3175) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<128xf32>) -> tensor<128xf32>
      %cst_1080 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3805 = stablehlo.broadcast_in_dim %cst_1080, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %3806 = stablehlo.divide %3804, %3805 : tensor<128xf32>
      %cst_1081 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3807 = stablehlo.broadcast_in_dim %cst_1081, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %3808 = stablehlo.multiply %3807, %3806 : tensor<128xf32>
      %3809 = stablehlo.subtract %arg200, %3808 : tensor<128xf32>
      %3810 = "stablehlo.all_reduce"(%3168) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<3x3x128x128xf32>) -> tensor<3x3x128x128xf32>
      %cst_1082 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3811 = stablehlo.broadcast_in_dim %cst_1082, dims = [] : (tensor<f32>) -> tensor<3x3x128x128xf32>
      %3812 = stablehlo.divide %3810, %3811 : tensor<3x3x128x128xf32>
      %cst_1083 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3813 = stablehlo.broadcast_in_dim %cst_1083, dims = [] : (tensor<f32>) -> tensor<3x3x128x128xf32>
      %3814 = stablehlo.multiply %3813, %3812 : tensor<3x3x128x128xf32>
      %3815 = stablehlo.subtract %arg201, %3814 : tensor<3x3x128x128xf32>
      %3816 = "stablehlo.all_reduce"(%3147) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<128xf32>) -> tensor<128xf32>
      %cst_1084 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3817 = stablehlo.broadcast_in_dim %cst_1084, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %3818 = stablehlo.divide %3816, %3817 : tensor<128xf32>
      %cst_1085 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3819 = stablehlo.broadcast_in_dim %cst_1085, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %3820 = stablehlo.multiply %3819, %3818 : tensor<128xf32>
      %3821 = stablehlo.subtract %arg202, %3820 : tensor<128xf32>
      %3822 = "stablehlo.all_reduce"(%3140) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<128xf32>) -> tensor<128xf32>
      %cst_1086 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3823 = stablehlo.broadcast_in_dim %cst_1086, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %3824 = stablehlo.divide %3822, %3823 : tensor<128xf32>
      %cst_1087 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3825 = stablehlo.broadcast_in_dim %cst_1087, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %3826 = stablehlo.multiply %3825, %3824 : tensor<128xf32>
      %3827 = stablehlo.subtract %arg203, %3826 : tensor<128xf32>
      %3828 = "stablehlo.all_reduce"(%3133) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1x1x128x512xf32>) -> tensor<1x1x128x512xf32>
      %cst_1088 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3829 = stablehlo.broadcast_in_dim %cst_1088, dims = [] : (tensor<f32>) -> tensor<1x1x128x512xf32>
      %3830 = stablehlo.divide %3828, %3829 : tensor<1x1x128x512xf32>
      %cst_1089 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3831 = stablehlo.broadcast_in_dim %cst_1089, dims = [] : (tensor<f32>) -> tensor<1x1x128x512xf32>
      %3832 = stablehlo.multiply %3831, %3830 : tensor<1x1x128x512xf32>
      %3833 = stablehlo.subtract %arg204, %3832 : tensor<1x1x128x512xf32>
      %3834 = "stablehlo.all_reduce"(%3112) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<512xf32>) -> tensor<512xf32>
      %cst_1090 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3835 = stablehlo.broadcast_in_dim %cst_1090, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %3836 = stablehlo.divide %3834, %3835 : tensor<512xf32>
      %cst_1091 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3837 = stablehlo.broadcast_in_dim %cst_1091, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %3838 = stablehlo.multiply %3837, %3836 : tensor<512xf32>
      %3839 = stablehlo.subtract %arg205, %3838 : tensor<512xf32>
      %3840 = "stablehlo.all_reduce"(%3105) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<512xf32>) -> tensor<512xf32>
      %cst_1092 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3841 = stablehlo.broadcast_in_dim %cst_1092, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %3842 = stablehlo.divide %3840, %3841 : tensor<512xf32>
      %cst_1093 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3843 = stablehlo.broadcast_in_dim %cst_1093, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %3844 = stablehlo.multiply %3843, %3842 : tensor<512xf32>
      %3845 = stablehlo.subtract %arg206, %3844 : tensor<512xf32>
      %3846 = "stablehlo.all_reduce"(%3100) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1x1x256x512xf32>) -> tensor<1x1x256x512xf32>
      %cst_1094 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3847 = stablehlo.broadcast_in_dim %cst_1094, dims = [] : (tensor<f32>) -> tensor<1x1x256x512xf32>
      %3848 = stablehlo.divide %3846, %3847 : tensor<1x1x256x512xf32>
      %cst_1095 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3849 = stablehlo.broadcast_in_dim %cst_1095, dims = [] : (tensor<f32>) -> tensor<1x1x256x512xf32>
      %3850 = stablehlo.multiply %3849, %3848 : tensor<1x1x256x512xf32>
      %3851 = stablehlo.subtract %arg207, %3850 : tensor<1x1x256x512xf32>
      %3852 = "stablehlo.all_reduce"(%3079) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<512xf32>) -> tensor<512xf32>
      %cst_1096 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3853 = stablehlo.broadcast_in_dim %cst_1096, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %3854 = stablehlo.divide %3852, %3853 : tensor<512xf32>
      %cst_1097 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3855 = stablehlo.broadcast_in_dim %cst_1097, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %3856 = stablehlo.multiply %3855, %3854 : tensor<512xf32>
      %3857 = stablehlo.subtract %arg208, %3856 : tensor<512xf32>
      %3858 = "stablehlo.all_reduce"(%3072) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<512xf32>) -> tensor<512xf32>
      %cst_1098 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3859 = stablehlo.broadcast_in_dim %cst_1098, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %3860 = stablehlo.divide %3858, %3859 : tensor<512xf32>
      %cst_1099 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3861 = stablehlo.broadcast_in_dim %cst_1099, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %3862 = stablehlo.multiply %3861, %3860 : tensor<512xf32>
      %3863 = stablehlo.subtract %arg209, %3862 : tensor<512xf32>
      %3864 = "stablehlo.all_reduce"(%3064) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1x1x512x128xf32>) -> tensor<1x1x512x128xf32>
      %cst_1100 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3865 = stablehlo.broadcast_in_dim %cst_1100, dims = [] : (tensor<f32>) -> tensor<1x1x512x128xf32>
      %3866 = stablehlo.divide %3864, %3865 : tensor<1x1x512x128xf32>
      %cst_1101 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3867 = stablehlo.broadcast_in_dim %cst_1101, dims = [] : (tensor<f32>) -> tensor<1x1x512x128xf32>
      %3868 = stablehlo.multiply %3867, %3866 : tensor<1x1x512x128xf32>
      %3869 = stablehlo.subtract %arg210, %3868 : tensor<1x1x512x128xf32>
      %3870 = "stablehlo.all_reduce"(%3043) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<128xf32>) -> tensor<128xf32>
      %cst_1102 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3871 = stablehlo.broadcast_in_dim %cst_1102, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %3872 = stablehlo.divide %3870, %3871 : tensor<128xf32>
      %cst_1103 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3873 = stablehlo.broadcast_in_dim %cst_1103, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %3874 = stablehlo.multiply %3873, %3872 : tensor<128xf32>
      %3875 = stablehlo.subtract %arg211, %3874 : tensor<128xf32>
      %3876 = "stablehlo.all_reduce"(%3036) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<128xf32>) -> tensor<128xf32>
      %cst_1104 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3877 = stablehlo.broadcast_in_dim %cst_1104, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %3878 = stablehlo.divide %3876, %3877 : tensor<128xf32>
      %cst_1105 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3879 = stablehlo.broadcast_in_dim %cst_1105, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %3880 = stablehlo.multiply %3879, %3878 : tensor<128xf32>
      %3881 = stablehlo.subtract %arg212, %3880 : tensor<128xf32>
      %3882 = "stablehlo.all_reduce"(%3029) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<3x3x128x128xf32>) -> tensor<3x3x128x128xf32>
      %cst_1106 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3883 = stablehlo.broadcast_in_dim %cst_1106, dims = [] : (tensor<f32>) -> tensor<3x3x128x128xf32>
      %3884 = stablehlo.divide %3882, %3883 : tensor<3x3x128x128xf32>
      %cst_1107 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3885 = stablehlo.broadcast_in_dim %cst_1107, dims = [] : (tensor<f32>) -> tensor<3x3x128x128xf32>
      %3886 = stablehlo.multiply %3885, %3884 : tensor<3x3x128x128xf32>
      %3887 = stablehlo.subtract %arg213, %3886 : tensor<3x3x128x128xf32>
      %3888 = "stablehlo.all_reduce"(%3008) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<128xf32>) -> tensor<128xf32>
      %cst_1108 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3889 = stablehlo.broadcast_in_dim %cst_1108, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %3890 = stablehlo.divide %3888, %3889 : tensor<128xf32>
      %cst_1109 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3891 = stablehlo.broadcast_in_dim %cst_1109, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %3892 = stablehlo.multiply %3891, %3890 : tensor<128xf32>
      %3893 = stablehlo.subtract %arg214, %3892 : tensor<128xf32>
      %3894 = "stablehlo.all_reduce"(%3001) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<128xf32>) -> tensor<128xf32>
      %cst_1110 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3895 = stablehlo.broadcast_in_dim %cst_1110, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %3896 = stablehlo.divide %3894, %3895 : tensor<128xf32>
      %cst_1111 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3897 = stablehlo.broadcast_in_dim %cst_1111, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %3898 = stablehlo.multiply %3897, %3896 : tensor<128xf32>
      %3899 = stablehlo.subtract %arg215, %3898 : tensor<128xf32>
      %3900 = "stablehlo.all_reduce"(%2994) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1x1x128x512xf32>) -> tensor<1x1x128x512xf32>
      %cst_1112 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3901 = stablehlo.broadcast_in_dim %cst_1112, dims = [] : (tensor<f32>) -> tensor<1x1x128x512xf32>
      %3902 = stablehlo.divide %3900, %3901 : tensor<1x1x128x512xf32>
      %cst_1113 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3903 = stablehlo.broadcast_in_dim %cst_1113, dims = [] : (tensor<f32>) -> tensor<1x1x128x512xf32>
      %3904 = stablehlo.multiply %3903, %3902 : tensor<1x1x128x512xf32>
      %3905 = stablehlo.subtract %arg216, %3904 : tensor<1x1x128x512xf32>
      %3906 = "stablehlo.all_reduce"(%2973) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<512xf32>) -> tensor<512xf32>
      %cst_1114 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3907 = stablehlo.broadcast_in_dim %cst_1114, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %3908 = stablehlo.divide %3906, %3907 : tensor<512xf32>
      %cst_1115 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3909 = stablehlo.broadcast_in_dim %cst_1115, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %3910 = stablehlo.multiply %3909, %3908 : tensor<512xf32>
      %3911 = stablehlo.subtract %arg217, %3910 : tensor<512xf32>
      %3912 = "stablehlo.all_reduce"(%2966) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<512xf32>) -> tensor<512xf32>
      %cst_1116 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3913 = stablehlo.broadcast_in_dim %cst_1116, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %3914 = stablehlo.divide %3912, %3913 : tensor<512xf32>
      %cst_1117 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3915 = stablehlo.broadcast_in_dim %cst_1117, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %3916 = stablehlo.multiply %3915, %3914 : tensor<512xf32>
      %3917 = stablehlo.subtract %arg218, %3916 : tensor<512xf32>
      %3918 = "stablehlo.all_reduce"(%2958) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1x1x512x128xf32>) -> tensor<1x1x512x128xf32>
      %cst_1118 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3919 = stablehlo.broadcast_in_dim %cst_1118, dims = [] : (tensor<f32>) -> tensor<1x1x512x128xf32>
      %3920 = stablehlo.divide %3918, %3919 : tensor<1x1x512x128xf32>
      %cst_1119 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3921 = stablehlo.broadcast_in_dim %cst_1119, dims = [] : (tensor<f32>) -> tensor<1x1x512x128xf32>
      %3922 = stablehlo.multiply %3921, %3920 : tensor<1x1x512x128xf32>
      %3923 = stablehlo.subtract %arg219, %3922 : tensor<1x1x512x128xf32>
      %3924 = "stablehlo.all_reduce"(%2937) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<128xf32>) -> tensor<128xf32>
      %cst_1120 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3925 = stablehlo.broadcast_in_dim %cst_1120, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %3926 = stablehlo.divide %3924, %3925 : tensor<128xf32>
      %cst_1121 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3927 = stablehlo.broadcast_in_dim %cst_1121, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %3928 = stablehlo.multiply %3927, %3926 : tensor<128xf32>
      %3929 = stablehlo.subtract %arg220, %3928 : tensor<128xf32>
      %3930 = "stablehlo.all_reduce"(%2930) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<128xf32>) -> tensor<128xf32>
      %cst_1122 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3931 = stablehlo.broadcast_in_dim %cst_1122, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %3932 = stablehlo.divide %3930, %3931 : tensor<128xf32>
      %cst_1123 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3933 = stablehlo.broadcast_in_dim %cst_1123, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %3934 = stablehlo.multiply %3933, %3932 : tensor<128xf32>
      %3935 = stablehlo.subtract %arg221, %3934 : tensor<128xf32>
      %3936 = "stablehlo.all_reduce"(%2923) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<3x3x128x128xf32>) -> tensor<3x3x128x128xf32>
      %cst_1124 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3937 = stablehlo.broadcast_in_dim %cst_1124, dims = [] : (tensor<f32>) -> tensor<3x3x128x128xf32>
      %3938 = stablehlo.divide %3936, %3937 : tensor<3x3x128x128xf32>
      %cst_1125 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3939 = stablehlo.broadcast_in_dim %cst_1125, dims = [] : (tensor<f32>) -> tensor<3x3x128x128xf32>
      %3940 = stablehlo.multiply %3939, %3938 : tensor<3x3x128x128xf32>
      %3941 = stablehlo.subtract %arg222, %3940 : tensor<3x3x128x128xf32>
      %3942 = "stablehlo.all_reduce"(%2902) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<128xf32>) -> tensor<128xf32>
      %cst_1126 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3943 = stablehlo.broadcast_in_dim %cst_1126, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %3944 = stablehlo.divide %3942, %3943 : tensor<128xf32>
      %cst_1127 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3945 = stablehlo.broadcast_in_dim %cst_1127, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %3946 = stablehlo.multiply %3945, %3944 : tensor<128xf32>
      %3947 = stablehlo.subtract %arg223, %3946 : tensor<128xf32>
      %3948 = "stablehlo.all_reduce"(%2895) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<128xf32>) -> tensor<128xf32>
      %cst_1128 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3949 = stablehlo.broadcast_in_dim %cst_1128, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %3950 = stablehlo.divide %3948, %3949 : tensor<128xf32>
      %cst_1129 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3951 = stablehlo.broadcast_in_dim %cst_1129, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %3952 = stablehlo.multiply %3951, %3950 : tensor<128xf32>
      %3953 = stablehlo.subtract %arg224, %3952 : tensor<128xf32>
      %3954 = "stablehlo.all_reduce"(%2888) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1x1x128x512xf32>) -> tensor<1x1x128x512xf32>
      %cst_1130 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3955 = stablehlo.broadcast_in_dim %cst_1130, dims = [] : (tensor<f32>) -> tensor<1x1x128x512xf32>
      %3956 = stablehlo.divide %3954, %3955 : tensor<1x1x128x512xf32>
      %cst_1131 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3957 = stablehlo.broadcast_in_dim %cst_1131, dims = [] : (tensor<f32>) -> tensor<1x1x128x512xf32>
      %3958 = stablehlo.multiply %3957, %3956 : tensor<1x1x128x512xf32>
      %3959 = stablehlo.subtract %arg225, %3958 : tensor<1x1x128x512xf32>
      %3960 = "stablehlo.all_reduce"(%2867) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<512xf32>) -> tensor<512xf32>
      %cst_1132 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3961 = stablehlo.broadcast_in_dim %cst_1132, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %3962 = stablehlo.divide %3960, %3961 : tensor<512xf32>
      %cst_1133 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3963 = stablehlo.broadcast_in_dim %cst_1133, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %3964 = stablehlo.multiply %3963, %3962 : tensor<512xf32>
      %3965 = stablehlo.subtract %arg226, %3964 : tensor<512xf32>
      %3966 = "stablehlo.all_reduce"(%2860) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<512xf32>) -> tensor<512xf32>
      %cst_1134 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3967 = stablehlo.broadcast_in_dim %cst_1134, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %3968 = stablehlo.divide %3966, %3967 : tensor<512xf32>
      %cst_1135 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3969 = stablehlo.broadcast_in_dim %cst_1135, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %3970 = stablehlo.multiply %3969, %3968 : tensor<512xf32>
      %3971 = stablehlo.subtract %arg227, %3970 : tensor<512xf32>
      %3972 = "stablehlo.all_reduce"(%2852) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1x1x512x128xf32>) -> tensor<1x1x512x128xf32>
      %cst_1136 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3973 = stablehlo.broadcast_in_dim %cst_1136, dims = [] : (tensor<f32>) -> tensor<1x1x512x128xf32>
      %3974 = stablehlo.divide %3972, %3973 : tensor<1x1x512x128xf32>
      %cst_1137 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3975 = stablehlo.broadcast_in_dim %cst_1137, dims = [] : (tensor<f32>) -> tensor<1x1x512x128xf32>
      %3976 = stablehlo.multiply %3975, %3974 : tensor<1x1x512x128xf32>
      %3977 = stablehlo.subtract %arg228, %3976 : tensor<1x1x512x128xf32>
      %3978 = "stablehlo.all_reduce"(%2831) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<128xf32>) -> tensor<128xf32>
      %cst_1138 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3979 = stablehlo.broadcast_in_dim %cst_1138, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %3980 = stablehlo.divide %3978, %3979 : tensor<128xf32>
      %cst_1139 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3981 = stablehlo.broadcast_in_dim %cst_1139, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %3982 = stablehlo.multiply %3981, %3980 : tensor<128xf32>
      %3983 = stablehlo.subtract %arg229, %3982 : tensor<128xf32>
      %3984 = "stablehlo.all_reduce"(%2824) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<128xf32>) -> tensor<128xf32>
      %cst_1140 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3985 = stablehlo.broadcast_in_dim %cst_1140, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %3986 = stablehlo.divide %3984, %3985 : tensor<128xf32>
      %cst_1141 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3987 = stablehlo.broadcast_in_dim %cst_1141, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %3988 = stablehlo.multiply %3987, %3986 : tensor<128xf32>
      %3989 = stablehlo.subtract %arg230, %3988 : tensor<128xf32>
      %3990 = "stablehlo.all_reduce"(%2817) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<3x3x128x128xf32>) -> tensor<3x3x128x128xf32>
      %cst_1142 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3991 = stablehlo.broadcast_in_dim %cst_1142, dims = [] : (tensor<f32>) -> tensor<3x3x128x128xf32>
      %3992 = stablehlo.divide %3990, %3991 : tensor<3x3x128x128xf32>
      %cst_1143 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3993 = stablehlo.broadcast_in_dim %cst_1143, dims = [] : (tensor<f32>) -> tensor<3x3x128x128xf32>
      %3994 = stablehlo.multiply %3993, %3992 : tensor<3x3x128x128xf32>
      %3995 = stablehlo.subtract %arg231, %3994 : tensor<3x3x128x128xf32>
      %3996 = "stablehlo.all_reduce"(%2796) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<128xf32>) -> tensor<128xf32>
      %cst_1144 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %3997 = stablehlo.broadcast_in_dim %cst_1144, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %3998 = stablehlo.divide %3996, %3997 : tensor<128xf32>
      %cst_1145 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %3999 = stablehlo.broadcast_in_dim %cst_1145, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %4000 = stablehlo.multiply %3999, %3998 : tensor<128xf32>
      %4001 = stablehlo.subtract %arg232, %4000 : tensor<128xf32>
      %4002 = "stablehlo.all_reduce"(%2789) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<128xf32>) -> tensor<128xf32>
      %cst_1146 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4003 = stablehlo.broadcast_in_dim %cst_1146, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %4004 = stablehlo.divide %4002, %4003 : tensor<128xf32>
      %cst_1147 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4005 = stablehlo.broadcast_in_dim %cst_1147, dims = [] : (tensor<f32>) -> tensor<128xf32>
      %4006 = stablehlo.multiply %4005, %4004 : tensor<128xf32>
      %4007 = stablehlo.subtract %arg233, %4006 : tensor<128xf32>
      %4008 = "stablehlo.all_reduce"(%2782) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1x1x128x512xf32>) -> tensor<1x1x128x512xf32>
      %cst_1148 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4009 = stablehlo.broadcast_in_dim %cst_1148, dims = [] : (tensor<f32>) -> tensor<1x1x128x512xf32>
      %4010 = stablehlo.divide %4008, %4009 : tensor<1x1x128x512xf32>
      %cst_1149 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4011 = stablehlo.broadcast_in_dim %cst_1149, dims = [] : (tensor<f32>) -> tensor<1x1x128x512xf32>
      %4012 = stablehlo.multiply %4011, %4010 : tensor<1x1x128x512xf32>
      %4013 = stablehlo.subtract %arg234, %4012 : tensor<1x1x128x512xf32>
      %4014 = "stablehlo.all_reduce"(%2761) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<512xf32>) -> tensor<512xf32>
      %cst_1150 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4015 = stablehlo.broadcast_in_dim %cst_1150, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %4016 = stablehlo.divide %4014, %4015 : tensor<512xf32>
      %cst_1151 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4017 = stablehlo.broadcast_in_dim %cst_1151, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %4018 = stablehlo.multiply %4017, %4016 : tensor<512xf32>
      %4019 = stablehlo.subtract %arg235, %4018 : tensor<512xf32>
      %4020 = "stablehlo.all_reduce"(%2754) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<512xf32>) -> tensor<512xf32>
      %cst_1152 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4021 = stablehlo.broadcast_in_dim %cst_1152, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %4022 = stablehlo.divide %4020, %4021 : tensor<512xf32>
      %cst_1153 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4023 = stablehlo.broadcast_in_dim %cst_1153, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %4024 = stablehlo.multiply %4023, %4022 : tensor<512xf32>
      %4025 = stablehlo.subtract %arg236, %4024 : tensor<512xf32>
      %4026 = "stablehlo.all_reduce"(%2746) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1x1x512x256xf32>) -> tensor<1x1x512x256xf32>
      %cst_1154 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4027 = stablehlo.broadcast_in_dim %cst_1154, dims = [] : (tensor<f32>) -> tensor<1x1x512x256xf32>
      %4028 = stablehlo.divide %4026, %4027 : tensor<1x1x512x256xf32>
      %cst_1155 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4029 = stablehlo.broadcast_in_dim %cst_1155, dims = [] : (tensor<f32>) -> tensor<1x1x512x256xf32>
      %4030 = stablehlo.multiply %4029, %4028 : tensor<1x1x512x256xf32>
      %4031 = stablehlo.subtract %arg237, %4030 : tensor<1x1x512x256xf32>
      %4032 = "stablehlo.all_reduce"(%2725) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<256xf32>) -> tensor<256xf32>
      %cst_1156 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4033 = stablehlo.broadcast_in_dim %cst_1156, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4034 = stablehlo.divide %4032, %4033 : tensor<256xf32>
      %cst_1157 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4035 = stablehlo.broadcast_in_dim %cst_1157, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4036 = stablehlo.multiply %4035, %4034 : tensor<256xf32>
      %4037 = stablehlo.subtract %arg238, %4036 : tensor<256xf32>
      %4038 = "stablehlo.all_reduce"(%2718) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<256xf32>) -> tensor<256xf32>
      %cst_1158 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4039 = stablehlo.broadcast_in_dim %cst_1158, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4040 = stablehlo.divide %4038, %4039 : tensor<256xf32>
      %cst_1159 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4041 = stablehlo.broadcast_in_dim %cst_1159, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4042 = stablehlo.multiply %4041, %4040 : tensor<256xf32>
      %4043 = stablehlo.subtract %arg239, %4042 : tensor<256xf32>
      %4044 = "stablehlo.all_reduce"(%2711) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<3x3x256x256xf32>) -> tensor<3x3x256x256xf32>
      %cst_1160 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4045 = stablehlo.broadcast_in_dim %cst_1160, dims = [] : (tensor<f32>) -> tensor<3x3x256x256xf32>
      %4046 = stablehlo.divide %4044, %4045 : tensor<3x3x256x256xf32>
      %cst_1161 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4047 = stablehlo.broadcast_in_dim %cst_1161, dims = [] : (tensor<f32>) -> tensor<3x3x256x256xf32>
      %4048 = stablehlo.multiply %4047, %4046 : tensor<3x3x256x256xf32>
      %4049 = stablehlo.subtract %arg240, %4048 : tensor<3x3x256x256xf32>
      %4050 = "stablehlo.all_reduce"(%2690) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<256xf32>) -> tensor<256xf32>
      %cst_1162 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4051 = stablehlo.broadcast_in_dim %cst_1162, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4052 = stablehlo.divide %4050, %4051 : tensor<256xf32>
      %cst_1163 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4053 = stablehlo.broadcast_in_dim %cst_1163, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4054 = stablehlo.multiply %4053, %4052 : tensor<256xf32>
      %4055 = stablehlo.subtract %arg241, %4054 : tensor<256xf32>
      %4056 = "stablehlo.all_reduce"(%2683) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<256xf32>) -> tensor<256xf32>
      %cst_1164 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4057 = stablehlo.broadcast_in_dim %cst_1164, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4058 = stablehlo.divide %4056, %4057 : tensor<256xf32>
      %cst_1165 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4059 = stablehlo.broadcast_in_dim %cst_1165, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4060 = stablehlo.multiply %4059, %4058 : tensor<256xf32>
      %4061 = stablehlo.subtract %arg242, %4060 : tensor<256xf32>
      %4062 = "stablehlo.all_reduce"(%2676) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1x1x256x1024xf32>) -> tensor<1x1x256x1024xf32>
      %cst_1166 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4063 = stablehlo.broadcast_in_dim %cst_1166, dims = [] : (tensor<f32>) -> tensor<1x1x256x1024xf32>
      %4064 = stablehlo.divide %4062, %4063 : tensor<1x1x256x1024xf32>
      %cst_1167 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4065 = stablehlo.broadcast_in_dim %cst_1167, dims = [] : (tensor<f32>) -> tensor<1x1x256x1024xf32>
      %4066 = stablehlo.multiply %4065, %4064 : tensor<1x1x256x1024xf32>
      %4067 = stablehlo.subtract %arg243, %4066 : tensor<1x1x256x1024xf32>
      %4068 = "stablehlo.all_reduce"(%2655) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1024xf32>) -> tensor<1024xf32>
      %cst_1168 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4069 = stablehlo.broadcast_in_dim %cst_1168, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %4070 = stablehlo.divide %4068, %4069 : tensor<1024xf32>
      %cst_1169 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4071 = stablehlo.broadcast_in_dim %cst_1169, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %4072 = stablehlo.multiply %4071, %4070 : tensor<1024xf32>
      %4073 = stablehlo.subtract %arg244, %4072 : tensor<1024xf32>
      %4074 = "stablehlo.all_reduce"(%2648) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1024xf32>) -> tensor<1024xf32>
      %cst_1170 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4075 = stablehlo.broadcast_in_dim %cst_1170, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %4076 = stablehlo.divide %4074, %4075 : tensor<1024xf32>
      %cst_1171 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4077 = stablehlo.broadcast_in_dim %cst_1171, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %4078 = stablehlo.multiply %4077, %4076 : tensor<1024xf32>
      %4079 = stablehlo.subtract %arg245, %4078 : tensor<1024xf32>
      %4080 = "stablehlo.all_reduce"(%2643) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1x1x512x1024xf32>) -> tensor<1x1x512x1024xf32>
      %cst_1172 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4081 = stablehlo.broadcast_in_dim %cst_1172, dims = [] : (tensor<f32>) -> tensor<1x1x512x1024xf32>
      %4082 = stablehlo.divide %4080, %4081 : tensor<1x1x512x1024xf32>
      %cst_1173 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4083 = stablehlo.broadcast_in_dim %cst_1173, dims = [] : (tensor<f32>) -> tensor<1x1x512x1024xf32>
      %4084 = stablehlo.multiply %4083, %4082 : tensor<1x1x512x1024xf32>
      %4085 = stablehlo.subtract %arg246, %4084 : tensor<1x1x512x1024xf32>
      %4086 = "stablehlo.all_reduce"(%2622) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1024xf32>) -> tensor<1024xf32>
      %cst_1174 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4087 = stablehlo.broadcast_in_dim %cst_1174, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %4088 = stablehlo.divide %4086, %4087 : tensor<1024xf32>
      %cst_1175 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4089 = stablehlo.broadcast_in_dim %cst_1175, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %4090 = stablehlo.multiply %4089, %4088 : tensor<1024xf32>
      %4091 = stablehlo.subtract %arg247, %4090 : tensor<1024xf32>
      %4092 = "stablehlo.all_reduce"(%2615) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1024xf32>) -> tensor<1024xf32>
      %cst_1176 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4093 = stablehlo.broadcast_in_dim %cst_1176, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %4094 = stablehlo.divide %4092, %4093 : tensor<1024xf32>
      %cst_1177 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4095 = stablehlo.broadcast_in_dim %cst_1177, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %4096 = stablehlo.multiply %4095, %4094 : tensor<1024xf32>
      %4097 = stablehlo.subtract %arg248, %4096 : tensor<1024xf32>
      %4098 = "stablehlo.all_reduce"(%2607) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1x1x1024x256xf32>) -> tensor<1x1x1024x256xf32>
      %cst_1178 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4099 = stablehlo.broadcast_in_dim %cst_1178, dims = [] : (tensor<f32>) -> tensor<1x1x1024x256xf32>
      %4100 = stablehlo.divide %4098, %4099 : tensor<1x1x1024x256xf32>
      %cst_1179 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4101 = stablehlo.broadcast_in_dim %cst_1179, dims = [] : (tensor<f32>) -> tensor<1x1x1024x256xf32>
      %4102 = stablehlo.multiply %4101, %4100 : tensor<1x1x1024x256xf32>
      %4103 = stablehlo.subtract %arg249, %4102 : tensor<1x1x1024x256xf32>
      %4104 = "stablehlo.all_reduce"(%2586) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<256xf32>) -> tensor<256xf32>
      %cst_1180 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4105 = stablehlo.broadcast_in_dim %cst_1180, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4106 = stablehlo.divide %4104, %4105 : tensor<256xf32>
      %cst_1181 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4107 = stablehlo.broadcast_in_dim %cst_1181, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4108 = stablehlo.multiply %4107, %4106 : tensor<256xf32>
      %4109 = stablehlo.subtract %arg250, %4108 : tensor<256xf32>
      %4110 = "stablehlo.all_reduce"(%2579) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<256xf32>) -> tensor<256xf32>
      %cst_1182 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4111 = stablehlo.broadcast_in_dim %cst_1182, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4112 = stablehlo.divide %4110, %4111 : tensor<256xf32>
      %cst_1183 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4113 = stablehlo.broadcast_in_dim %cst_1183, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4114 = stablehlo.multiply %4113, %4112 : tensor<256xf32>
      %4115 = stablehlo.subtract %arg251, %4114 : tensor<256xf32>
      %4116 = "stablehlo.all_reduce"(%2572) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<3x3x256x256xf32>) -> tensor<3x3x256x256xf32>
      %cst_1184 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4117 = stablehlo.broadcast_in_dim %cst_1184, dims = [] : (tensor<f32>) -> tensor<3x3x256x256xf32>
      %4118 = stablehlo.divide %4116, %4117 : tensor<3x3x256x256xf32>
      %cst_1185 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4119 = stablehlo.broadcast_in_dim %cst_1185, dims = [] : (tensor<f32>) -> tensor<3x3x256x256xf32>
      %4120 = stablehlo.multiply %4119, %4118 : tensor<3x3x256x256xf32>
      %4121 = stablehlo.subtract %arg252, %4120 : tensor<3x3x256x256xf32>
      %4122 = "stablehlo.all_reduce"(%2551) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<256xf32>) -> tensor<256xf32>
      %cst_1186 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4123 = stablehlo.broadcast_in_dim %cst_1186, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4124 = stablehlo.divide %4122, %4123 : tensor<256xf32>
      %cst_1187 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4125 = stablehlo.broadcast_in_dim %cst_1187, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4126 = stablehlo.multiply %4125, %4124 : tensor<256xf32>
      %4127 = stablehlo.subtract %arg253, %4126 : tensor<256xf32>
      %4128 = "stablehlo.all_reduce"(%2544) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<256xf32>) -> tensor<256xf32>
      %cst_1188 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4129 = stablehlo.broadcast_in_dim %cst_1188, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4130 = stablehlo.divide %4128, %4129 : tensor<256xf32>
      %cst_1189 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4131 = stablehlo.broadcast_in_dim %cst_1189, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4132 = stablehlo.multiply %4131, %4130 : tensor<256xf32>
      %4133 = stablehlo.subtract %arg254, %4132 : tensor<256xf32>
      %4134 = "stablehlo.all_reduce"(%2537) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1x1x256x1024xf32>) -> tensor<1x1x256x1024xf32>
      %cst_1190 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4135 = stablehlo.broadcast_in_dim %cst_1190, dims = [] : (tensor<f32>) -> tensor<1x1x256x1024xf32>
      %4136 = stablehlo.divide %4134, %4135 : tensor<1x1x256x1024xf32>
      %cst_1191 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4137 = stablehlo.broadcast_in_dim %cst_1191, dims = [] : (tensor<f32>) -> tensor<1x1x256x1024xf32>
      %4138 = stablehlo.multiply %4137, %4136 : tensor<1x1x256x1024xf32>
      %4139 = stablehlo.subtract %arg255, %4138 : tensor<1x1x256x1024xf32>
      %4140 = "stablehlo.all_reduce"(%2516) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1024xf32>) -> tensor<1024xf32>
      %cst_1192 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4141 = stablehlo.broadcast_in_dim %cst_1192, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %4142 = stablehlo.divide %4140, %4141 : tensor<1024xf32>
      %cst_1193 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4143 = stablehlo.broadcast_in_dim %cst_1193, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %4144 = stablehlo.multiply %4143, %4142 : tensor<1024xf32>
      %4145 = stablehlo.subtract %arg256, %4144 : tensor<1024xf32>
      %4146 = "stablehlo.all_reduce"(%2509) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1024xf32>) -> tensor<1024xf32>
      %cst_1194 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4147 = stablehlo.broadcast_in_dim %cst_1194, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %4148 = stablehlo.divide %4146, %4147 : tensor<1024xf32>
      %cst_1195 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4149 = stablehlo.broadcast_in_dim %cst_1195, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %4150 = stablehlo.multiply %4149, %4148 : tensor<1024xf32>
      %4151 = stablehlo.subtract %arg257, %4150 : tensor<1024xf32>
      %4152 = "stablehlo.all_reduce"(%2501) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1x1x1024x256xf32>) -> tensor<1x1x1024x256xf32>
      %cst_1196 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4153 = stablehlo.broadcast_in_dim %cst_1196, dims = [] : (tensor<f32>) -> tensor<1x1x1024x256xf32>
      %4154 = stablehlo.divide %4152, %4153 : tensor<1x1x1024x256xf32>
      %cst_1197 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4155 = stablehlo.broadcast_in_dim %cst_1197, dims = [] : (tensor<f32>) -> tensor<1x1x1024x256xf32>
      %4156 = stablehlo.multiply %4155, %4154 : tensor<1x1x1024x256xf32>
      %4157 = stablehlo.subtract %arg258, %4156 : tensor<1x1x1024x256xf32>
      %4158 = "stablehlo.all_reduce"(%2480) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<256xf32>) -> tensor<256xf32>
      %cst_1198 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4159 = stablehlo.broadcast_in_dim %cst_1198, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4160 = stablehlo.divide %4158, %4159 : tensor<256xf32>
      %cst_1199 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4161 = stablehlo.broadcast_in_dim %cst_1199, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4162 = stablehlo.multiply %4161, %4160 : tensor<256xf32>
      %4163 = stablehlo.subtract %arg259, %4162 : tensor<256xf32>
      %4164 = "stablehlo.all_reduce"(%2473) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<256xf32>) -> tensor<256xf32>
      %cst_1200 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4165 = stablehlo.broadcast_in_dim %cst_1200, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4166 = stablehlo.divide %4164, %4165 : tensor<256xf32>
      %cst_1201 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4167 = stablehlo.broadcast_in_dim %cst_1201, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4168 = stablehlo.multiply %4167, %4166 : tensor<256xf32>
      %4169 = stablehlo.subtract %arg260, %4168 : tensor<256xf32>
      %4170 = "stablehlo.all_reduce"(%2466) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<3x3x256x256xf32>) -> tensor<3x3x256x256xf32>
      %cst_1202 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4171 = stablehlo.broadcast_in_dim %cst_1202, dims = [] : (tensor<f32>) -> tensor<3x3x256x256xf32>
      %4172 = stablehlo.divide %4170, %4171 : tensor<3x3x256x256xf32>
      %cst_1203 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4173 = stablehlo.broadcast_in_dim %cst_1203, dims = [] : (tensor<f32>) -> tensor<3x3x256x256xf32>
      %4174 = stablehlo.multiply %4173, %4172 : tensor<3x3x256x256xf32>
      %4175 = stablehlo.subtract %arg261, %4174 : tensor<3x3x256x256xf32>
      %4176 = "stablehlo.all_reduce"(%2445) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<256xf32>) -> tensor<256xf32>
      %cst_1204 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4177 = stablehlo.broadcast_in_dim %cst_1204, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4178 = stablehlo.divide %4176, %4177 : tensor<256xf32>
      %cst_1205 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4179 = stablehlo.broadcast_in_dim %cst_1205, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4180 = stablehlo.multiply %4179, %4178 : tensor<256xf32>
      %4181 = stablehlo.subtract %arg262, %4180 : tensor<256xf32>
      %4182 = "stablehlo.all_reduce"(%2438) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<256xf32>) -> tensor<256xf32>
      %cst_1206 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4183 = stablehlo.broadcast_in_dim %cst_1206, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4184 = stablehlo.divide %4182, %4183 : tensor<256xf32>
      %cst_1207 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4185 = stablehlo.broadcast_in_dim %cst_1207, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4186 = stablehlo.multiply %4185, %4184 : tensor<256xf32>
      %4187 = stablehlo.subtract %arg263, %4186 : tensor<256xf32>
      %4188 = "stablehlo.all_reduce"(%2431) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1x1x256x1024xf32>) -> tensor<1x1x256x1024xf32>
      %cst_1208 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4189 = stablehlo.broadcast_in_dim %cst_1208, dims = [] : (tensor<f32>) -> tensor<1x1x256x1024xf32>
      %4190 = stablehlo.divide %4188, %4189 : tensor<1x1x256x1024xf32>
      %cst_1209 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4191 = stablehlo.broadcast_in_dim %cst_1209, dims = [] : (tensor<f32>) -> tensor<1x1x256x1024xf32>
      %4192 = stablehlo.multiply %4191, %4190 : tensor<1x1x256x1024xf32>
      %4193 = stablehlo.subtract %arg264, %4192 : tensor<1x1x256x1024xf32>
      %4194 = "stablehlo.all_reduce"(%2410) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1024xf32>) -> tensor<1024xf32>
      %cst_1210 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4195 = stablehlo.broadcast_in_dim %cst_1210, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %4196 = stablehlo.divide %4194, %4195 : tensor<1024xf32>
      %cst_1211 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4197 = stablehlo.broadcast_in_dim %cst_1211, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %4198 = stablehlo.multiply %4197, %4196 : tensor<1024xf32>
      %4199 = stablehlo.subtract %arg265, %4198 : tensor<1024xf32>
      %4200 = "stablehlo.all_reduce"(%2403) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1024xf32>) -> tensor<1024xf32>
      %cst_1212 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4201 = stablehlo.broadcast_in_dim %cst_1212, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %4202 = stablehlo.divide %4200, %4201 : tensor<1024xf32>
      %cst_1213 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4203 = stablehlo.broadcast_in_dim %cst_1213, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %4204 = stablehlo.multiply %4203, %4202 : tensor<1024xf32>
      %4205 = stablehlo.subtract %arg266, %4204 : tensor<1024xf32>
      %4206 = "stablehlo.all_reduce"(%2395) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1x1x1024x256xf32>) -> tensor<1x1x1024x256xf32>
      %cst_1214 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4207 = stablehlo.broadcast_in_dim %cst_1214, dims = [] : (tensor<f32>) -> tensor<1x1x1024x256xf32>
      %4208 = stablehlo.divide %4206, %4207 : tensor<1x1x1024x256xf32>
      %cst_1215 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4209 = stablehlo.broadcast_in_dim %cst_1215, dims = [] : (tensor<f32>) -> tensor<1x1x1024x256xf32>
      %4210 = stablehlo.multiply %4209, %4208 : tensor<1x1x1024x256xf32>
      %4211 = stablehlo.subtract %arg267, %4210 : tensor<1x1x1024x256xf32>
      %4212 = "stablehlo.all_reduce"(%2374) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<256xf32>) -> tensor<256xf32>
      %cst_1216 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4213 = stablehlo.broadcast_in_dim %cst_1216, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4214 = stablehlo.divide %4212, %4213 : tensor<256xf32>
      %cst_1217 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4215 = stablehlo.broadcast_in_dim %cst_1217, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4216 = stablehlo.multiply %4215, %4214 : tensor<256xf32>
      %4217 = stablehlo.subtract %arg268, %4216 : tensor<256xf32>
      %4218 = "stablehlo.all_reduce"(%2367) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<256xf32>) -> tensor<256xf32>
      %cst_1218 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4219 = stablehlo.broadcast_in_dim %cst_1218, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4220 = stablehlo.divide %4218, %4219 : tensor<256xf32>
      %cst_1219 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4221 = stablehlo.broadcast_in_dim %cst_1219, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4222 = stablehlo.multiply %4221, %4220 : tensor<256xf32>
      %4223 = stablehlo.subtract %arg269, %4222 : tensor<256xf32>
      %4224 = "stablehlo.all_reduce"(%2360) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<3x3x256x256xf32>) -> tensor<3x3x256x256xf32>
      %cst_1220 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4225 = stablehlo.broadcast_in_dim %cst_1220, dims = [] : (tensor<f32>) -> tensor<3x3x256x256xf32>
      %4226 = stablehlo.divide %4224, %4225 : tensor<3x3x256x256xf32>
      %cst_1221 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4227 = stablehlo.broadcast_in_dim %cst_1221, dims = [] : (tensor<f32>) -> tensor<3x3x256x256xf32>
      %4228 = stablehlo.multiply %4227, %4226 : tensor<3x3x256x256xf32>
      %4229 = stablehlo.subtract %arg270, %4228 : tensor<3x3x256x256xf32>
      %4230 = "stablehlo.all_reduce"(%2339) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<256xf32>) -> tensor<256xf32>
      %cst_1222 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4231 = stablehlo.broadcast_in_dim %cst_1222, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4232 = stablehlo.divide %4230, %4231 : tensor<256xf32>
      %cst_1223 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4233 = stablehlo.broadcast_in_dim %cst_1223, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4234 = stablehlo.multiply %4233, %4232 : tensor<256xf32>
      %4235 = stablehlo.subtract %arg271, %4234 : tensor<256xf32>
      %4236 = "stablehlo.all_reduce"(%2332) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<256xf32>) -> tensor<256xf32>
      %cst_1224 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4237 = stablehlo.broadcast_in_dim %cst_1224, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4238 = stablehlo.divide %4236, %4237 : tensor<256xf32>
      %cst_1225 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4239 = stablehlo.broadcast_in_dim %cst_1225, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4240 = stablehlo.multiply %4239, %4238 : tensor<256xf32>
      %4241 = stablehlo.subtract %arg272, %4240 : tensor<256xf32>
      %4242 = "stablehlo.all_reduce"(%2325) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1x1x256x1024xf32>) -> tensor<1x1x256x1024xf32>
      %cst_1226 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4243 = stablehlo.broadcast_in_dim %cst_1226, dims = [] : (tensor<f32>) -> tensor<1x1x256x1024xf32>
      %4244 = stablehlo.divide %4242, %4243 : tensor<1x1x256x1024xf32>
      %cst_1227 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4245 = stablehlo.broadcast_in_dim %cst_1227, dims = [] : (tensor<f32>) -> tensor<1x1x256x1024xf32>
      %4246 = stablehlo.multiply %4245, %4244 : tensor<1x1x256x1024xf32>
      %4247 = stablehlo.subtract %arg273, %4246 : tensor<1x1x256x1024xf32>
      %4248 = "stablehlo.all_reduce"(%2304) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1024xf32>) -> tensor<1024xf32>
      %cst_1228 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4249 = stablehlo.broadcast_in_dim %cst_1228, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %4250 = stablehlo.divide %4248, %4249 : tensor<1024xf32>
      %cst_1229 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4251 = stablehlo.broadcast_in_dim %cst_1229, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %4252 = stablehlo.multiply %4251, %4250 : tensor<1024xf32>
      %4253 = stablehlo.subtract %arg274, %4252 : tensor<1024xf32>
      %4254 = "stablehlo.all_reduce"(%2297) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1024xf32>) -> tensor<1024xf32>
      %cst_1230 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4255 = stablehlo.broadcast_in_dim %cst_1230, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %4256 = stablehlo.divide %4254, %4255 : tensor<1024xf32>
      %cst_1231 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4257 = stablehlo.broadcast_in_dim %cst_1231, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %4258 = stablehlo.multiply %4257, %4256 : tensor<1024xf32>
      %4259 = stablehlo.subtract %arg275, %4258 : tensor<1024xf32>
      %4260 = "stablehlo.all_reduce"(%2289) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1x1x1024x256xf32>) -> tensor<1x1x1024x256xf32>
      %cst_1232 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4261 = stablehlo.broadcast_in_dim %cst_1232, dims = [] : (tensor<f32>) -> tensor<1x1x1024x256xf32>
      %4262 = stablehlo.divide %4260, %4261 : tensor<1x1x1024x256xf32>
      %cst_1233 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4263 = stablehlo.broadcast_in_dim %cst_1233, dims = [] : (tensor<f32>) -> tensor<1x1x1024x256xf32>
      %4264 = stablehlo.multiply %4263, %4262 : tensor<1x1x1024x256xf32>
      %4265 = stablehlo.subtract %arg276, %4264 : tensor<1x1x1024x256xf32>
      %4266 = "stablehlo.all_reduce"(%2268) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<256xf32>) -> tensor<256xf32>
      %cst_1234 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4267 = stablehlo.broadcast_in_dim %cst_1234, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4268 = stablehlo.divide %4266, %4267 : tensor<256xf32>
      %cst_1235 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4269 = stablehlo.broadcast_in_dim %cst_1235, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4270 = stablehlo.multiply %4269, %4268 : tensor<256xf32>
      %4271 = stablehlo.subtract %arg277, %4270 : tensor<256xf32>
      %4272 = "stablehlo.all_reduce"(%2261) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<256xf32>) -> tensor<256xf32>
      %cst_1236 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4273 = stablehlo.broadcast_in_dim %cst_1236, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4274 = stablehlo.divide %4272, %4273 : tensor<256xf32>
      %cst_1237 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4275 = stablehlo.broadcast_in_dim %cst_1237, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4276 = stablehlo.multiply %4275, %4274 : tensor<256xf32>
      %4277 = stablehlo.subtract %arg278, %4276 : tensor<256xf32>
      %4278 = "stablehlo.all_reduce"(%2254) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<3x3x256x256xf32>) -> tensor<3x3x256x256xf32>
      %cst_1238 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4279 = stablehlo.broadcast_in_dim %cst_1238, dims = [] : (tensor<f32>) -> tensor<3x3x256x256xf32>
      %4280 = stablehlo.divide %4278, %4279 : tensor<3x3x256x256xf32>
      %cst_1239 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4281 = stablehlo.broadcast_in_dim %cst_1239, dims = [] : (tensor<f32>) -> tensor<3x3x256x256xf32>
      %4282 = stablehlo.multiply %4281, %4280 : tensor<3x3x256x256xf32>
      %4283 = stablehlo.subtract %arg279, %4282 : tensor<3x3x256x256xf32>
      %4284 = "stablehlo.all_reduce"(%2233) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<256xf32>) -> tensor<256xf32>
      %cst_1240 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4285 = stablehlo.broadcast_in_dim %cst_1240, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4286 = stablehlo.divide %4284, %4285 : tensor<256xf32>
      %cst_1241 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4287 = stablehlo.broadcast_in_dim %cst_1241, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4288 = stablehlo.multiply %4287, %4286 : tensor<256xf32>
      %4289 = stablehlo.subtract %arg280, %4288 : tensor<256xf32>
      %4290 = "stablehlo.all_reduce"(%2226) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<256xf32>) -> tensor<256xf32>
      %cst_1242 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4291 = stablehlo.broadcast_in_dim %cst_1242, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4292 = stablehlo.divide %4290, %4291 : tensor<256xf32>
      %cst_1243 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4293 = stablehlo.broadcast_in_dim %cst_1243, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4294 = stablehlo.multiply %4293, %4292 : tensor<256xf32>
      %4295 = stablehlo.subtract %arg281, %4294 : tensor<256xf32>
      %4296 = "stablehlo.all_reduce"(%2219) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1x1x256x1024xf32>) -> tensor<1x1x256x1024xf32>
      %cst_1244 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4297 = stablehlo.broadcast_in_dim %cst_1244, dims = [] : (tensor<f32>) -> tensor<1x1x256x1024xf32>
      %4298 = stablehlo.divide %4296, %4297 : tensor<1x1x256x1024xf32>
      %cst_1245 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4299 = stablehlo.broadcast_in_dim %cst_1245, dims = [] : (tensor<f32>) -> tensor<1x1x256x1024xf32>
      %4300 = stablehlo.multiply %4299, %4298 : tensor<1x1x256x1024xf32>
      %4301 = stablehlo.subtract %arg282, %4300 : tensor<1x1x256x1024xf32>
      %4302 = "stablehlo.all_reduce"(%2198) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1024xf32>) -> tensor<1024xf32>
      %cst_1246 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4303 = stablehlo.broadcast_in_dim %cst_1246, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %4304 = stablehlo.divide %4302, %4303 : tensor<1024xf32>
      %cst_1247 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4305 = stablehlo.broadcast_in_dim %cst_1247, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %4306 = stablehlo.multiply %4305, %4304 : tensor<1024xf32>
      %4307 = stablehlo.subtract %arg283, %4306 : tensor<1024xf32>
      %4308 = "stablehlo.all_reduce"(%2191) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1024xf32>) -> tensor<1024xf32>
      %cst_1248 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4309 = stablehlo.broadcast_in_dim %cst_1248, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %4310 = stablehlo.divide %4308, %4309 : tensor<1024xf32>
      %cst_1249 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4311 = stablehlo.broadcast_in_dim %cst_1249, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %4312 = stablehlo.multiply %4311, %4310 : tensor<1024xf32>
      %4313 = stablehlo.subtract %arg284, %4312 : tensor<1024xf32>
      %4314 = "stablehlo.all_reduce"(%2183) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1x1x1024x256xf32>) -> tensor<1x1x1024x256xf32>
      %cst_1250 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4315 = stablehlo.broadcast_in_dim %cst_1250, dims = [] : (tensor<f32>) -> tensor<1x1x1024x256xf32>
      %4316 = stablehlo.divide %4314, %4315 : tensor<1x1x1024x256xf32>
      %cst_1251 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4317 = stablehlo.broadcast_in_dim %cst_1251, dims = [] : (tensor<f32>) -> tensor<1x1x1024x256xf32>
      %4318 = stablehlo.multiply %4317, %4316 : tensor<1x1x1024x256xf32>
      %4319 = stablehlo.subtract %arg285, %4318 : tensor<1x1x1024x256xf32>
      %4320 = "stablehlo.all_reduce"(%2162) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<256xf32>) -> tensor<256xf32>
      %cst_1252 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4321 = stablehlo.broadcast_in_dim %cst_1252, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4322 = stablehlo.divide %4320, %4321 : tensor<256xf32>
      %cst_1253 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4323 = stablehlo.broadcast_in_dim %cst_1253, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4324 = stablehlo.multiply %4323, %4322 : tensor<256xf32>
      %4325 = stablehlo.subtract %arg286, %4324 : tensor<256xf32>
      %4326 = "stablehlo.all_reduce"(%2155) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<256xf32>) -> tensor<256xf32>
      %cst_1254 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4327 = stablehlo.broadcast_in_dim %cst_1254, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4328 = stablehlo.divide %4326, %4327 : tensor<256xf32>
      %cst_1255 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4329 = stablehlo.broadcast_in_dim %cst_1255, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4330 = stablehlo.multiply %4329, %4328 : tensor<256xf32>
      %4331 = stablehlo.subtract %arg287, %4330 : tensor<256xf32>
      %4332 = "stablehlo.all_reduce"(%2148) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<3x3x256x256xf32>) -> tensor<3x3x256x256xf32>
      %cst_1256 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4333 = stablehlo.broadcast_in_dim %cst_1256, dims = [] : (tensor<f32>) -> tensor<3x3x256x256xf32>
      %4334 = stablehlo.divide %4332, %4333 : tensor<3x3x256x256xf32>
      %cst_1257 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4335 = stablehlo.broadcast_in_dim %cst_1257, dims = [] : (tensor<f32>) -> tensor<3x3x256x256xf32>
      %4336 = stablehlo.multiply %4335, %4334 : tensor<3x3x256x256xf32>
      %4337 = stablehlo.subtract %arg288, %4336 : tensor<3x3x256x256xf32>
      %4338 = "stablehlo.all_reduce"(%2127) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<256xf32>) -> tensor<256xf32>
      %cst_1258 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4339 = stablehlo.broadcast_in_dim %cst_1258, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4340 = stablehlo.divide %4338, %4339 : tensor<256xf32>
      %cst_1259 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4341 = stablehlo.broadcast_in_dim %cst_1259, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4342 = stablehlo.multiply %4341, %4340 : tensor<256xf32>
      %4343 = stablehlo.subtract %arg289, %4342 : tensor<256xf32>
      %4344 = "stablehlo.all_reduce"(%2120) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<256xf32>) -> tensor<256xf32>
      %cst_1260 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4345 = stablehlo.broadcast_in_dim %cst_1260, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4346 = stablehlo.divide %4344, %4345 : tensor<256xf32>
      %cst_1261 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4347 = stablehlo.broadcast_in_dim %cst_1261, dims = [] : (tensor<f32>) -> tensor<256xf32>
      %4348 = stablehlo.multiply %4347, %4346 : tensor<256xf32>
      %4349 = stablehlo.subtract %arg290, %4348 : tensor<256xf32>
      %4350 = "stablehlo.all_reduce"(%2113) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1x1x256x1024xf32>) -> tensor<1x1x256x1024xf32>
      %cst_1262 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4351 = stablehlo.broadcast_in_dim %cst_1262, dims = [] : (tensor<f32>) -> tensor<1x1x256x1024xf32>
      %4352 = stablehlo.divide %4350, %4351 : tensor<1x1x256x1024xf32>
      %cst_1263 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4353 = stablehlo.broadcast_in_dim %cst_1263, dims = [] : (tensor<f32>) -> tensor<1x1x256x1024xf32>
      %4354 = stablehlo.multiply %4353, %4352 : tensor<1x1x256x1024xf32>
      %4355 = stablehlo.subtract %arg291, %4354 : tensor<1x1x256x1024xf32>
      %4356 = "stablehlo.all_reduce"(%2092) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1024xf32>) -> tensor<1024xf32>
      %cst_1264 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4357 = stablehlo.broadcast_in_dim %cst_1264, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %4358 = stablehlo.divide %4356, %4357 : tensor<1024xf32>
      %cst_1265 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4359 = stablehlo.broadcast_in_dim %cst_1265, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %4360 = stablehlo.multiply %4359, %4358 : tensor<1024xf32>
      %4361 = stablehlo.subtract %arg292, %4360 : tensor<1024xf32>
      %4362 = "stablehlo.all_reduce"(%2085) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1024xf32>) -> tensor<1024xf32>
      %cst_1266 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4363 = stablehlo.broadcast_in_dim %cst_1266, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %4364 = stablehlo.divide %4362, %4363 : tensor<1024xf32>
      %cst_1267 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4365 = stablehlo.broadcast_in_dim %cst_1267, dims = [] : (tensor<f32>) -> tensor<1024xf32>
      %4366 = stablehlo.multiply %4365, %4364 : tensor<1024xf32>
      %4367 = stablehlo.subtract %arg293, %4366 : tensor<1024xf32>
      %4368 = "stablehlo.all_reduce"(%2077) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1x1x1024x512xf32>) -> tensor<1x1x1024x512xf32>
      %cst_1268 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4369 = stablehlo.broadcast_in_dim %cst_1268, dims = [] : (tensor<f32>) -> tensor<1x1x1024x512xf32>
      %4370 = stablehlo.divide %4368, %4369 : tensor<1x1x1024x512xf32>
      %cst_1269 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4371 = stablehlo.broadcast_in_dim %cst_1269, dims = [] : (tensor<f32>) -> tensor<1x1x1024x512xf32>
      %4372 = stablehlo.multiply %4371, %4370 : tensor<1x1x1024x512xf32>
      %4373 = stablehlo.subtract %arg294, %4372 : tensor<1x1x1024x512xf32>
      %4374 = "stablehlo.all_reduce"(%2056) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<512xf32>) -> tensor<512xf32>
      %cst_1270 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4375 = stablehlo.broadcast_in_dim %cst_1270, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %4376 = stablehlo.divide %4374, %4375 : tensor<512xf32>
      %cst_1271 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4377 = stablehlo.broadcast_in_dim %cst_1271, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %4378 = stablehlo.multiply %4377, %4376 : tensor<512xf32>
      %4379 = stablehlo.subtract %arg295, %4378 : tensor<512xf32>
      %4380 = "stablehlo.all_reduce"(%2049) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<512xf32>) -> tensor<512xf32>
      %cst_1272 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4381 = stablehlo.broadcast_in_dim %cst_1272, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %4382 = stablehlo.divide %4380, %4381 : tensor<512xf32>
      %cst_1273 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4383 = stablehlo.broadcast_in_dim %cst_1273, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %4384 = stablehlo.multiply %4383, %4382 : tensor<512xf32>
      %4385 = stablehlo.subtract %arg296, %4384 : tensor<512xf32>
      %4386 = "stablehlo.all_reduce"(%2042) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<3x3x512x512xf32>) -> tensor<3x3x512x512xf32>
      %cst_1274 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4387 = stablehlo.broadcast_in_dim %cst_1274, dims = [] : (tensor<f32>) -> tensor<3x3x512x512xf32>
      %4388 = stablehlo.divide %4386, %4387 : tensor<3x3x512x512xf32>
      %cst_1275 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4389 = stablehlo.broadcast_in_dim %cst_1275, dims = [] : (tensor<f32>) -> tensor<3x3x512x512xf32>
      %4390 = stablehlo.multiply %4389, %4388 : tensor<3x3x512x512xf32>
      %4391 = stablehlo.subtract %arg297, %4390 : tensor<3x3x512x512xf32>
      %4392 = "stablehlo.all_reduce"(%2021) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<512xf32>) -> tensor<512xf32>
      %cst_1276 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4393 = stablehlo.broadcast_in_dim %cst_1276, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %4394 = stablehlo.divide %4392, %4393 : tensor<512xf32>
      %cst_1277 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4395 = stablehlo.broadcast_in_dim %cst_1277, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %4396 = stablehlo.multiply %4395, %4394 : tensor<512xf32>
      %4397 = stablehlo.subtract %arg298, %4396 : tensor<512xf32>
      %4398 = "stablehlo.all_reduce"(%2014) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<512xf32>) -> tensor<512xf32>
      %cst_1278 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4399 = stablehlo.broadcast_in_dim %cst_1278, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %4400 = stablehlo.divide %4398, %4399 : tensor<512xf32>
      %cst_1279 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4401 = stablehlo.broadcast_in_dim %cst_1279, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %4402 = stablehlo.multiply %4401, %4400 : tensor<512xf32>
      %4403 = stablehlo.subtract %arg299, %4402 : tensor<512xf32>
      %4404 = "stablehlo.all_reduce"(%2007) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1x1x512x2048xf32>) -> tensor<1x1x512x2048xf32>
      %cst_1280 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4405 = stablehlo.broadcast_in_dim %cst_1280, dims = [] : (tensor<f32>) -> tensor<1x1x512x2048xf32>
      %4406 = stablehlo.divide %4404, %4405 : tensor<1x1x512x2048xf32>
      %cst_1281 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4407 = stablehlo.broadcast_in_dim %cst_1281, dims = [] : (tensor<f32>) -> tensor<1x1x512x2048xf32>
      %4408 = stablehlo.multiply %4407, %4406 : tensor<1x1x512x2048xf32>
      %4409 = stablehlo.subtract %arg300, %4408 : tensor<1x1x512x2048xf32>
      %4410 = "stablehlo.all_reduce"(%1986) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<2048xf32>) -> tensor<2048xf32>
      %cst_1282 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4411 = stablehlo.broadcast_in_dim %cst_1282, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %4412 = stablehlo.divide %4410, %4411 : tensor<2048xf32>
      %cst_1283 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4413 = stablehlo.broadcast_in_dim %cst_1283, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %4414 = stablehlo.multiply %4413, %4412 : tensor<2048xf32>
      %4415 = stablehlo.subtract %arg301, %4414 : tensor<2048xf32>
      %4416 = "stablehlo.all_reduce"(%1979) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<2048xf32>) -> tensor<2048xf32>
      %cst_1284 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4417 = stablehlo.broadcast_in_dim %cst_1284, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %4418 = stablehlo.divide %4416, %4417 : tensor<2048xf32>
      %cst_1285 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4419 = stablehlo.broadcast_in_dim %cst_1285, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %4420 = stablehlo.multiply %4419, %4418 : tensor<2048xf32>
      %4421 = stablehlo.subtract %arg302, %4420 : tensor<2048xf32>
      %4422 = "stablehlo.all_reduce"(%1974) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1x1x1024x2048xf32>) -> tensor<1x1x1024x2048xf32>
      %cst_1286 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4423 = stablehlo.broadcast_in_dim %cst_1286, dims = [] : (tensor<f32>) -> tensor<1x1x1024x2048xf32>
      %4424 = stablehlo.divide %4422, %4423 : tensor<1x1x1024x2048xf32>
      %cst_1287 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4425 = stablehlo.broadcast_in_dim %cst_1287, dims = [] : (tensor<f32>) -> tensor<1x1x1024x2048xf32>
      %4426 = stablehlo.multiply %4425, %4424 : tensor<1x1x1024x2048xf32>
      %4427 = stablehlo.subtract %arg303, %4426 : tensor<1x1x1024x2048xf32>
      %4428 = "stablehlo.all_reduce"(%1953) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<2048xf32>) -> tensor<2048xf32>
      %cst_1288 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4429 = stablehlo.broadcast_in_dim %cst_1288, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %4430 = stablehlo.divide %4428, %4429 : tensor<2048xf32>
      %cst_1289 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4431 = stablehlo.broadcast_in_dim %cst_1289, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %4432 = stablehlo.multiply %4431, %4430 : tensor<2048xf32>
      %4433 = stablehlo.subtract %arg304, %4432 : tensor<2048xf32>
      %4434 = "stablehlo.all_reduce"(%1946) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<2048xf32>) -> tensor<2048xf32>
      %cst_1290 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4435 = stablehlo.broadcast_in_dim %cst_1290, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %4436 = stablehlo.divide %4434, %4435 : tensor<2048xf32>
      %cst_1291 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4437 = stablehlo.broadcast_in_dim %cst_1291, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %4438 = stablehlo.multiply %4437, %4436 : tensor<2048xf32>
      %4439 = stablehlo.subtract %arg305, %4438 : tensor<2048xf32>
      %4440 = "stablehlo.all_reduce"(%1938) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1x1x2048x512xf32>) -> tensor<1x1x2048x512xf32>
      %cst_1292 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4441 = stablehlo.broadcast_in_dim %cst_1292, dims = [] : (tensor<f32>) -> tensor<1x1x2048x512xf32>
      %4442 = stablehlo.divide %4440, %4441 : tensor<1x1x2048x512xf32>
      %cst_1293 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4443 = stablehlo.broadcast_in_dim %cst_1293, dims = [] : (tensor<f32>) -> tensor<1x1x2048x512xf32>
      %4444 = stablehlo.multiply %4443, %4442 : tensor<1x1x2048x512xf32>
      %4445 = stablehlo.subtract %arg306, %4444 : tensor<1x1x2048x512xf32>
      %4446 = "stablehlo.all_reduce"(%1917) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<512xf32>) -> tensor<512xf32>
      %cst_1294 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4447 = stablehlo.broadcast_in_dim %cst_1294, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %4448 = stablehlo.divide %4446, %4447 : tensor<512xf32>
      %cst_1295 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4449 = stablehlo.broadcast_in_dim %cst_1295, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %4450 = stablehlo.multiply %4449, %4448 : tensor<512xf32>
      %4451 = stablehlo.subtract %arg307, %4450 : tensor<512xf32>
      %4452 = "stablehlo.all_reduce"(%1910) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<512xf32>) -> tensor<512xf32>
      %cst_1296 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4453 = stablehlo.broadcast_in_dim %cst_1296, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %4454 = stablehlo.divide %4452, %4453 : tensor<512xf32>
      %cst_1297 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4455 = stablehlo.broadcast_in_dim %cst_1297, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %4456 = stablehlo.multiply %4455, %4454 : tensor<512xf32>
      %4457 = stablehlo.subtract %arg308, %4456 : tensor<512xf32>
      %4458 = "stablehlo.all_reduce"(%1903) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<3x3x512x512xf32>) -> tensor<3x3x512x512xf32>
      %cst_1298 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4459 = stablehlo.broadcast_in_dim %cst_1298, dims = [] : (tensor<f32>) -> tensor<3x3x512x512xf32>
      %4460 = stablehlo.divide %4458, %4459 : tensor<3x3x512x512xf32>
      %cst_1299 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4461 = stablehlo.broadcast_in_dim %cst_1299, dims = [] : (tensor<f32>) -> tensor<3x3x512x512xf32>
      %4462 = stablehlo.multiply %4461, %4460 : tensor<3x3x512x512xf32>
      %4463 = stablehlo.subtract %arg309, %4462 : tensor<3x3x512x512xf32>
      %4464 = "stablehlo.all_reduce"(%1882) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<512xf32>) -> tensor<512xf32>
      %cst_1300 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4465 = stablehlo.broadcast_in_dim %cst_1300, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %4466 = stablehlo.divide %4464, %4465 : tensor<512xf32>
      %cst_1301 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4467 = stablehlo.broadcast_in_dim %cst_1301, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %4468 = stablehlo.multiply %4467, %4466 : tensor<512xf32>
      %4469 = stablehlo.subtract %arg310, %4468 : tensor<512xf32>
      %4470 = "stablehlo.all_reduce"(%1875) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<512xf32>) -> tensor<512xf32>
      %cst_1302 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4471 = stablehlo.broadcast_in_dim %cst_1302, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %4472 = stablehlo.divide %4470, %4471 : tensor<512xf32>
      %cst_1303 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4473 = stablehlo.broadcast_in_dim %cst_1303, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %4474 = stablehlo.multiply %4473, %4472 : tensor<512xf32>
      %4475 = stablehlo.subtract %arg311, %4474 : tensor<512xf32>
      %4476 = "stablehlo.all_reduce"(%1868) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1x1x512x2048xf32>) -> tensor<1x1x512x2048xf32>
      %cst_1304 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4477 = stablehlo.broadcast_in_dim %cst_1304, dims = [] : (tensor<f32>) -> tensor<1x1x512x2048xf32>
      %4478 = stablehlo.divide %4476, %4477 : tensor<1x1x512x2048xf32>
      %cst_1305 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4479 = stablehlo.broadcast_in_dim %cst_1305, dims = [] : (tensor<f32>) -> tensor<1x1x512x2048xf32>
      %4480 = stablehlo.multiply %4479, %4478 : tensor<1x1x512x2048xf32>
      %4481 = stablehlo.subtract %arg312, %4480 : tensor<1x1x512x2048xf32>
      %4482 = "stablehlo.all_reduce"(%1847) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<2048xf32>) -> tensor<2048xf32>
      %cst_1306 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4483 = stablehlo.broadcast_in_dim %cst_1306, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %4484 = stablehlo.divide %4482, %4483 : tensor<2048xf32>
      %cst_1307 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4485 = stablehlo.broadcast_in_dim %cst_1307, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %4486 = stablehlo.multiply %4485, %4484 : tensor<2048xf32>
      %4487 = stablehlo.subtract %arg313, %4486 : tensor<2048xf32>
      %4488 = "stablehlo.all_reduce"(%1840) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<2048xf32>) -> tensor<2048xf32>
      %cst_1308 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4489 = stablehlo.broadcast_in_dim %cst_1308, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %4490 = stablehlo.divide %4488, %4489 : tensor<2048xf32>
      %cst_1309 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4491 = stablehlo.broadcast_in_dim %cst_1309, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %4492 = stablehlo.multiply %4491, %4490 : tensor<2048xf32>
      %4493 = stablehlo.subtract %arg314, %4492 : tensor<2048xf32>
      %4494 = "stablehlo.all_reduce"(%1832) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1x1x2048x512xf32>) -> tensor<1x1x2048x512xf32>
      %cst_1310 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4495 = stablehlo.broadcast_in_dim %cst_1310, dims = [] : (tensor<f32>) -> tensor<1x1x2048x512xf32>
      %4496 = stablehlo.divide %4494, %4495 : tensor<1x1x2048x512xf32>
      %cst_1311 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4497 = stablehlo.broadcast_in_dim %cst_1311, dims = [] : (tensor<f32>) -> tensor<1x1x2048x512xf32>
      %4498 = stablehlo.multiply %4497, %4496 : tensor<1x1x2048x512xf32>
      %4499 = stablehlo.subtract %arg315, %4498 : tensor<1x1x2048x512xf32>
      %4500 = "stablehlo.all_reduce"(%1811) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<512xf32>) -> tensor<512xf32>
      %cst_1312 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4501 = stablehlo.broadcast_in_dim %cst_1312, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %4502 = stablehlo.divide %4500, %4501 : tensor<512xf32>
      %cst_1313 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4503 = stablehlo.broadcast_in_dim %cst_1313, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %4504 = stablehlo.multiply %4503, %4502 : tensor<512xf32>
      %4505 = stablehlo.subtract %arg316, %4504 : tensor<512xf32>
      %4506 = "stablehlo.all_reduce"(%1804) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<512xf32>) -> tensor<512xf32>
      %cst_1314 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4507 = stablehlo.broadcast_in_dim %cst_1314, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %4508 = stablehlo.divide %4506, %4507 : tensor<512xf32>
      %cst_1315 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4509 = stablehlo.broadcast_in_dim %cst_1315, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %4510 = stablehlo.multiply %4509, %4508 : tensor<512xf32>
      %4511 = stablehlo.subtract %arg317, %4510 : tensor<512xf32>
      %4512 = "stablehlo.all_reduce"(%1797) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<3x3x512x512xf32>) -> tensor<3x3x512x512xf32>
      %cst_1316 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4513 = stablehlo.broadcast_in_dim %cst_1316, dims = [] : (tensor<f32>) -> tensor<3x3x512x512xf32>
      %4514 = stablehlo.divide %4512, %4513 : tensor<3x3x512x512xf32>
      %cst_1317 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4515 = stablehlo.broadcast_in_dim %cst_1317, dims = [] : (tensor<f32>) -> tensor<3x3x512x512xf32>
      %4516 = stablehlo.multiply %4515, %4514 : tensor<3x3x512x512xf32>
      %4517 = stablehlo.subtract %arg318, %4516 : tensor<3x3x512x512xf32>
      %4518 = "stablehlo.all_reduce"(%1776) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<512xf32>) -> tensor<512xf32>
      %cst_1318 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4519 = stablehlo.broadcast_in_dim %cst_1318, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %4520 = stablehlo.divide %4518, %4519 : tensor<512xf32>
      %cst_1319 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4521 = stablehlo.broadcast_in_dim %cst_1319, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %4522 = stablehlo.multiply %4521, %4520 : tensor<512xf32>
      %4523 = stablehlo.subtract %arg319, %4522 : tensor<512xf32>
      %4524 = "stablehlo.all_reduce"(%1769) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<512xf32>) -> tensor<512xf32>
      %cst_1320 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4525 = stablehlo.broadcast_in_dim %cst_1320, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %4526 = stablehlo.divide %4524, %4525 : tensor<512xf32>
      %cst_1321 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4527 = stablehlo.broadcast_in_dim %cst_1321, dims = [] : (tensor<f32>) -> tensor<512xf32>
      %4528 = stablehlo.multiply %4527, %4526 : tensor<512xf32>
      %4529 = stablehlo.subtract %arg320, %4528 : tensor<512xf32>
      %4530 = "stablehlo.all_reduce"(%1762) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1x1x512x2048xf32>) -> tensor<1x1x512x2048xf32>
      %cst_1322 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4531 = stablehlo.broadcast_in_dim %cst_1322, dims = [] : (tensor<f32>) -> tensor<1x1x512x2048xf32>
      %4532 = stablehlo.divide %4530, %4531 : tensor<1x1x512x2048xf32>
      %cst_1323 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4533 = stablehlo.broadcast_in_dim %cst_1323, dims = [] : (tensor<f32>) -> tensor<1x1x512x2048xf32>
      %4534 = stablehlo.multiply %4533, %4532 : tensor<1x1x512x2048xf32>
      %4535 = stablehlo.subtract %arg321, %4534 : tensor<1x1x512x2048xf32>
      %4536 = "stablehlo.all_reduce"(%1741) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<2048xf32>) -> tensor<2048xf32>
      %cst_1324 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4537 = stablehlo.broadcast_in_dim %cst_1324, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %4538 = stablehlo.divide %4536, %4537 : tensor<2048xf32>
      %cst_1325 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4539 = stablehlo.broadcast_in_dim %cst_1325, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %4540 = stablehlo.multiply %4539, %4538 : tensor<2048xf32>
      %4541 = stablehlo.subtract %arg322, %4540 : tensor<2048xf32>
      %4542 = "stablehlo.all_reduce"(%1734) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<2048xf32>) -> tensor<2048xf32>
      %cst_1326 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4543 = stablehlo.broadcast_in_dim %cst_1326, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %4544 = stablehlo.divide %4542, %4543 : tensor<2048xf32>
      %cst_1327 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4545 = stablehlo.broadcast_in_dim %cst_1327, dims = [] : (tensor<f32>) -> tensor<2048xf32>
      %4546 = stablehlo.multiply %4545, %4544 : tensor<2048xf32>
      %4547 = stablehlo.subtract %arg323, %4546 : tensor<2048xf32>
      %4548 = "stablehlo.all_reduce"(%1725) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<2048x1000xf32>) -> tensor<2048x1000xf32>
      %cst_1328 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4549 = stablehlo.broadcast_in_dim %cst_1328, dims = [] : (tensor<f32>) -> tensor<2048x1000xf32>
      %4550 = stablehlo.divide %4548, %4549 : tensor<2048x1000xf32>
      %cst_1329 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4551 = stablehlo.broadcast_in_dim %cst_1329, dims = [] : (tensor<f32>) -> tensor<2048x1000xf32>
      %4552 = stablehlo.multiply %4551, %4550 : tensor<2048x1000xf32>
      %4553 = stablehlo.subtract %arg324, %4552 : tensor<2048x1000xf32>
      %4554 = "stablehlo.all_reduce"(%1723) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<1000xf32>) -> tensor<1000xf32>
      %cst_1330 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4555 = stablehlo.broadcast_in_dim %cst_1330, dims = [] : (tensor<f32>) -> tensor<1000xf32>
      %4556 = stablehlo.divide %4554, %4555 : tensor<1000xf32>
      %cst_1331 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %4557 = stablehlo.broadcast_in_dim %cst_1331, dims = [] : (tensor<f32>) -> tensor<1000xf32>
      %4558 = stablehlo.multiply %4557, %4556 : tensor<1000xf32>
      %4559 = stablehlo.subtract %arg325, %4558 : tensor<1000xf32>
      %4560 = "stablehlo.all_reduce"(%1715) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh_0, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
      ^bb0(%arg326: tensor<f32>, %arg327: tensor<f32>):
        %4562 = stablehlo.add %arg326, %arg327 : tensor<f32>
        stablehlo.return %4562 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      %cst_1332 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4561 = stablehlo.divide %4560, %cst_1332 : tensor<f32>
      sdy.return %3599, %3605, %3611, %3617, %3623, %3629, %3635, %3641, %3647, %3653, %3659, %3665, %3671, %3677, %3683, %3689, %3695, %3701, %3707, %3713, %3719, %3725, %3731, %3737, %3743, %3749, %3755, %3761, %3767, %3773, %3779, %3785, %3791, %3797, %3803, %3809, %3815, %3821, %3827, %3833, %3839, %3845, %3851, %3857, %3863, %3869, %3875, %3881, %3887, %3893, %3899, %3905, %3911, %3917, %3923, %3929, %3935, %3941, %3947, %3953, %3959, %3965, %3971, %3977, %3983, %3989, %3995, %4001, %4007, %4013, %4019, %4025, %4031, %4037, %4043, %4049, %4055, %4061, %4067, %4073, %4079, %4085, %4091, %4097, %4103, %4109, %4115, %4121, %4127, %4133, %4139, %4145, %4151, %4157, %4163, %4169, %4175, %4181, %4187, %4193, %4199, %4205, %4211, %4217, %4223, %4229, %4235, %4241, %4247, %4253, %4259, %4265, %4271, %4277, %4283, %4289, %4295, %4301, %4307, %4313, %4319, %4325, %4331, %4337, %4343, %4349, %4355, %4361, %4367, %4373, %4379, %4385, %4391, %4397, %4403, %4409, %4415, %4421, %4427, %4433, %4439, %4445, %4451, %4457, %4463, %4469, %4475, %4481, %4487, %4493, %4499, %4505, %4511, %4517, %4523, %4529, %4535, %4541, %4547, %4553, %4559, %4561 : tensor<7x7x3x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<1x1x64x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<3x3x64x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<1x1x64x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x64x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<3x3x64x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<1x1x64x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<3x3x64x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<1x1x64x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<3x3x128x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<1x1x128x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x256x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x512x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<3x3x128x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<1x1x128x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x512x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<3x3x128x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<1x1x128x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x512x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<3x3x128x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<1x1x128x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x512x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<3x3x256x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1x1x512x1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1x1x1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<3x3x256x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1x1x1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<3x3x256x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1x1x1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<3x3x256x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1x1x1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<3x3x256x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1x1x1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<3x3x256x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1x1x1024x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<3x3x512x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x512x2048xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<1x1x1024x2048xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<1x1x2048x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<3x3x512x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x512x2048xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<1x1x2048x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<3x3x512x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x512x2048xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<2048x1000xf32>, tensor<1000xf32>, tensor<f32>
    } : (tensor<128x224x224x3xf32>, tensor<128xi32>, tensor<7x7x3x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<1x1x64x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<3x3x64x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<1x1x64x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x64x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<3x3x64x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<1x1x64x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<3x3x64x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<1x1x64x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<3x3x128x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<1x1x128x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x256x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x512x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<3x3x128x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<1x1x128x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x512x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<3x3x128x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<1x1x128x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x512x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<3x3x128x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<1x1x128x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x512x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<3x3x256x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1x1x512x1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1x1x1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<3x3x256x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1x1x1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<3x3x256x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1x1x1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<3x3x256x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1x1x1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<3x3x256x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1x1x1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<3x3x256x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1x1x1024x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<3x3x512x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x512x2048xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<1x1x1024x2048xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<1x1x2048x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<3x3x512x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x512x2048xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<1x1x2048x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<3x3x512x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x512x2048xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<2048x1000xf32>, tensor<1000xf32>) -> (tensor<7x7x3x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<1x1x64x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<3x3x64x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<1x1x64x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x64x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<3x3x64x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<1x1x64x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<3x3x64x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<1x1x64x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<3x3x128x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<1x1x128x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x256x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x512x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<3x3x128x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<1x1x128x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x512x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<3x3x128x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<1x1x128x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x512x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<3x3x128x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<1x1x128x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x512x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<3x3x256x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1x1x512x1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1x1x1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<3x3x256x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1x1x1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<3x3x256x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1x1x1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<3x3x256x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1x1x1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<3x3x256x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1x1x1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<3x3x256x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1x1x1024x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<3x3x512x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x512x2048xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<1x1x1024x2048xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<1x1x2048x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<3x3x512x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x512x2048xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<1x1x2048x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<3x3x512x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x512x2048xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<2048x1000xf32>, tensor<1000xf32>, tensor<f32>)
    return %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6, %0#7, %0#8, %0#9, %0#10, %0#11, %0#12, %0#13, %0#14, %0#15, %0#16, %0#17, %0#18, %0#19, %0#20, %0#21, %0#22, %0#23, %0#24, %0#25, %0#26, %0#27, %0#28, %0#29, %0#30, %0#31, %0#32, %0#33, %0#34, %0#35, %0#36, %0#37, %0#38, %0#39, %0#40, %0#41, %0#42, %0#43, %0#44, %0#45, %0#46, %0#47, %0#48, %0#49, %0#50, %0#51, %0#52, %0#53, %0#54, %0#55, %0#56, %0#57, %0#58, %0#59, %0#60, %0#61, %0#62, %0#63, %0#64, %0#65, %0#66, %0#67, %0#68, %0#69, %0#70, %0#71, %0#72, %0#73, %0#74, %0#75, %0#76, %0#77, %0#78, %0#79, %0#80, %0#81, %0#82, %0#83, %0#84, %0#85, %0#86, %0#87, %0#88, %0#89, %0#90, %0#91, %0#92, %0#93, %0#94, %0#95, %0#96, %0#97, %0#98, %0#99, %0#100, %0#101, %0#102, %0#103, %0#104, %0#105, %0#106, %0#107, %0#108, %0#109, %0#110, %0#111, %0#112, %0#113, %0#114, %0#115, %0#116, %0#117, %0#118, %0#119, %0#120, %0#121, %0#122, %0#123, %0#124, %0#125, %0#126, %0#127, %0#128, %0#129, %0#130, %0#131, %0#132, %0#133, %0#134, %0#135, %0#136, %0#137, %0#138, %0#139, %0#140, %0#141, %0#142, %0#143, %0#144, %0#145, %0#146, %0#147, %0#148, %0#149, %0#150, %0#151, %0#152, %0#153, %0#154, %0#155, %0#156, %0#157, %0#158, %0#159, %0#160, %0#161 : tensor<7x7x3x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<1x1x64x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<3x3x64x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<1x1x64x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x64x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<3x3x64x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<1x1x64x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<3x3x64x64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<1x1x64x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<3x3x128x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<1x1x128x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x256x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x512x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<3x3x128x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<1x1x128x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x512x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<3x3x128x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<1x1x128x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x512x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<3x3x128x128xf32>, tensor<128xf32>, tensor<128xf32>, tensor<1x1x128x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x512x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<3x3x256x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1x1x512x1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1x1x1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<3x3x256x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1x1x1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<3x3x256x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1x1x1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<3x3x256x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1x1x1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<3x3x256x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1x1x1024x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<3x3x256x256xf32>, tensor<256xf32>, tensor<256xf32>, tensor<1x1x256x1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1x1x1024x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<3x3x512x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x512x2048xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<1x1x1024x2048xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<1x1x2048x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<3x3x512x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x512x2048xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<1x1x2048x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<3x3x512x512xf32>, tensor<512xf32>, tensor<512xf32>, tensor<1x1x512x2048xf32>, tensor<2048xf32>, tensor<2048xf32>, tensor<2048x1000xf32>, tensor<1000xf32>, tensor<f32>
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
