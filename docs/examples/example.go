// From Go, through cgo: go build example.go
package main

// #cgo CFLAGS: -I.
// #cgo LDFLAGS: -L. -lmodel -Wl,-rpath,.
// #include "model.h"
import "C"
import "fmt"

func check(code C.int) {
	if code != 0 {
		panic(C.GoString(C.model_error(code)))
	}
}

func main() {
	var context *C.model_context
	check(C.model_create(&context, nil, 1))
	x, y, sum, calls := [2]C.float{1, 2}, [2]C.float{10, 20}, [2]C.float{}, C.int32_t(0)
	for turn := 0; turn < 3; turn++ {
		check(C.model_run(context, &x[0], &y[0], &calls, &sum[0]))
	}
	fmt.Println(sum[0], sum[1], "after", calls, "calls")
	C.model_destroy(context)
}
