// From Go, through cgo: go build example.go
package main

// #cgo CFLAGS: -I.
// #cgo LDFLAGS: -L${SRCDIR} -lmodel -Wl,-rpath,${SRCDIR}
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
	x, cache, doubled := [2]C.float{1, 2}, [6]C.float{}, [2]C.float{}
	for iteration := C.int32_t(0); iteration < 3; iteration++ {
		check(C.model_run(context, &x[0], &iteration, &cache[0], &doubled[0]))
	}
	fmt.Printf("%g %g, cached %g %g\n", doubled[0], doubled[1], cache[4], cache[5])
	C.model_destroy(context)
}
