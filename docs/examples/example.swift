// From Swift: swiftc example.swift -import-objc-header model.h -L . -lmodel
var context: OpaquePointer?
var code = model_create(&context, nil, 1)
let x: [Float] = [1, 2], y: [Float] = [10, 20]
var calls: Int32 = 0
var sum: [Float] = [0, 0]
for _ in 0..<3 where code == 0 {
  code = model_run(context, x, y, &calls, &sum)
}
guard code == 0 else { fatalError(String(cString: model_error(code))) }
print(sum[0], sum[1], "after", calls, "calls")
model_destroy(context)
