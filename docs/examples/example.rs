// From Rust: rustc example.rs -L . -l model
use std::ffi::{c_char, c_int, c_void, CStr};

extern "C" {
    fn model_create(context: *mut *mut c_void, weights: *const c_char, threads: c_int) -> c_int;
    fn model_run(context: *mut c_void, x: *const f32, y: *const f32, calls: *mut i32, sum: *mut f32) -> c_int;
    fn model_destroy(context: *mut c_void);
    fn model_error(code: c_int) -> *const c_char;
}

fn main() {
    let (mut context, x, y) = (std::ptr::null_mut(), [1f32, 2.0], [10f32, 20.0]);
    let (mut calls, mut sum) = (0i32, [0f32; 2]);
    let check = |code| assert!(code == 0, "{:?}", unsafe { CStr::from_ptr(model_error(code)) });
    unsafe {
        check(model_create(&mut context, std::ptr::null(), 1));
        for _ in 0..3 { check(model_run(context, x.as_ptr(), y.as_ptr(), &mut calls, sum.as_mut_ptr())); }
        model_destroy(context);
    }
    println!("{} {} after {} calls", sum[0], sum[1], calls);
}
