module {
func.func public @main() -> (tensor<1xf64>) {
  %0 = "stablehlo.constant"() <{value = dense<-0.75> : tensor<1xf64>}> : () -> (tensor<1xf64>)
  %1 = "stablehlo.constant"() <{value = dense<0.5> : tensor<f64>}> : () -> (tensor<f64>)
  %2 = "stablehlo.constant"() <{value = dense<8.0> : tensor<f64>}> : () -> (tensor<f64>)
  %3 = "stablehlo.clamp"(%1, %0, %2) : (tensor<f64>, tensor<1xf64>, tensor<f64>) -> (tensor<1xf64>)
  %4 = "stablehlo.floor"(%3) : (tensor<1xf64>) -> (tensor<1xf64>)
  "func.return"(%4) : (tensor<1xf64>) -> ()
}
}
