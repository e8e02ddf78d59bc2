// From Swift: swiftc example.swift -import-objc-header model.h -L . -lmodel
var context: OpaquePointer?
var code = model_create(&context, nil, 1)
let x: [Float] = [1, 2]
var cache = [Float](repeating: 0, count: 6), doubled: [Float] = [0, 0]
for number in 0..<3 where code == 0 {
  var iteration = Int32(number)
  code = model_run(context, x, &iteration, &cache, &doubled)
}
guard code == 0 else { fatalError(String(cString: model_error(code))) }
print("\(Int(doubled[0])) \(Int(doubled[1])), cached \(Int(cache[4])) \(Int(cache[5]))")
model_destroy(context)
