// A program in MLIR's generic form, written by hand: no short forms, no locations, attributes in both places.
"builtin.module"() <{sym_name = "handwritten"}> ({
  "func.func"() <{sym_name = "main", sym_visibility = "public", function_type = (tensor<4x3xf32>, tensor<3x5xf32>, tensor<5xi32>) -> (tensor<4x5xf32>, tensor<4xf32>, tensor<5xi32>, tensor<4x2xf32>, tensor<i32>)}> ({
  ^bb0(%x: tensor<4x3xf32>, %w: tensor<3x5xf32>, %n: tensor<5xi32>):
    // relu(x @ w)
    %0 = "stablehlo.dot_general"(%x, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
    %zero = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%zero) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x5xf32>
    %2 = "stablehlo.maximum"(%0, %1) : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>

    // the largest of each row, by a reduction with a region
    %lowest = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.reduce"(%0, %lowest) <{dimensions = array<i64: 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %m = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%m) : (tensor<f32>) -> ()
    }) : (tensor<4x5xf32>, tensor<f32>) -> tensor<4xf32>

    // a call, and two results under one name
    %4:2 = "func.call"(%n, %n) <{callee = @sum_and_difference}> : (tensor<5xi32>, tensor<5xi32>) -> (tensor<5xi32>, tensor<5xi32>)
    %ids = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<5xi32>
    %5 = "stablehlo.compare"(%n, %ids) <{comparison_direction = #stablehlo<comparison_direction GT>, compare_type = #stablehlo<comparison_type SIGNED>}> : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %6 = "stablehlo.select"(%5, %4#0, %4#1) : (tensor<5xi1>, tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>

    // the columns 0 and 2 of x, reversed and scaled
    %7 = "stablehlo.slice"(%x) <{start_indices = array<i64: 0, 0>, limit_indices = array<i64: 4, 3>, strides = array<i64: 1, 2>}> : (tensor<4x3xf32>) -> tensor<4x2xf32>
    %8 = "stablehlo.reverse"(%7) {dimensions = array<i64: 1>} : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %factors = "stablehlo.constant"() {value = dense<[[1.0, -2.0], [0.5, 4.0], [1.0e1, 0.0], [-1.0, 0x40490FDB]]> : tensor<4x2xf32>} : () -> tensor<4x2xf32>
    %9 = "stablehlo.multiply"(%8, %factors) {mhlo.note = "discardable", mhlo.frontend_attributes = {kept = "yes"}} : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>

    // double 1 until it passes 100
    %one = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %hundred = "stablehlo.constant"() <{value = dense<100> : tensor<i32>}> : () -> tensor<i32>
    %10 = "stablehlo.while"(%one) ({
    ^bb0(%i: tensor<i32>):
      %c = "stablehlo.compare"(%i, %hundred) <{comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%c) : (tensor<i1>) -> ()
    }, {
    ^bb0(%i: tensor<i32>):
      %d = "stablehlo.add"(%i, %i) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%d) : (tensor<i32>) -> ()
    }) : (tensor<i32>) -> tensor<i32>

    "func.return"(%2, %3, %6, %9, %10) : (tensor<4x5xf32>, tensor<4xf32>, tensor<5xi32>, tensor<4x2xf32>, tensor<i32>) -> ()
  }) : () -> ()
  "func.func"() <{sym_name = "sum_and_difference", sym_visibility = "private", function_type = (tensor<5xi32>, tensor<5xi32>) -> (tensor<5xi32>, tensor<5xi32>)}> ({
  ^bb0(%a: tensor<5xi32>, %b: tensor<5xi32>):
    %0 = "stablehlo.add"(%a, %b) : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
    %1 = "stablehlo.subtract"(%a, %b) : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
    "func.return"(%0, %1) : (tensor<5xi32>, tensor<5xi32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
