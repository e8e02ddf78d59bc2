// From Rust: rustc example.rs -L . -l model
use std::ffi::{c_char, c_int, c_void, CStr};

extern "C" {
    fn model_create(context: *mut *mut c_void, weights: *const c_char, threads: c_int) -> c_int;
    fn model_run(context: *mut c_void, x: *const f32, iteration: *const i32, cache: *mut f32, doubled: *mut f32) -> c_int;
    fn model_destroy(context: *mut c_void);
    fn model_error(code: c_int) -> *const c_char;
}

fn main() {
    let (mut context, x) = (std::ptr::null_mut(), [1f32, 2.0]);
    let (mut cache, mut doubled) = ([0f32; 6], [0f32; 2]);
    let check = |code| assert!(code == 0, "{:?}", unsafe { CStr::from_ptr(model_error(code)) });
    unsafe {
        check(model_create(&mut context, std::ptr::null(), 1));
        for iteration in 0..3 { check(model_run(context, x.as_ptr(), &iteration, cache.as_mut_ptr(), doubled.as_mut_ptr())); }
        model_destroy(context);
    }
    println!("{} {}, cached {} {}", doubled[0], doubled[1], cache[4], cache[5]);
}
