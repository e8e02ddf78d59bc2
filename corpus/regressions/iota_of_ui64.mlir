module {
func.func public @main() -> (tensor<3x3xui64>) {
  %0 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> (tensor<3x3xui64>)
  "func.return"(%0) : (tensor<3x3xui64>) -> ()
}
}
