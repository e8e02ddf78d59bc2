import os, sys, time, warnings
sys.path[:0] = ["tests", "tests/program", "tests/bench", "."]
os.environ.setdefault("JAX_PLATFORMS", "cpu")
warnings.simplefilter("ignore")
import numpy as np, jax, jax.numpy as jnp
from functools import partial
from jax import lax
import hlo2tiny
from corpus import BY_NAME
from test_batch_invariance import *
from statistics import geometric_mean

def on_gpu(text, number, **more):
    return hlo2tiny.load(text, "CUDA", batch_invariant=True, donate=(), **more).numpy_one_by_one
def exported(f, *a):
    return str(jax.export.export(jax.jit(f))(*a).mlir_module())
r = np.random.RandomState(0)
def mlp(kind):
    w = [(r.standard_normal(s)/30).astype(kind) for s in ((1024,3072),(3072,1030))]
    x = r.standard_normal((2000,1024)).astype(kind)
    f = lambda x, u, v: jax.nn.gelu(x @ u) @ v
    return (lambda b: exported(f, x[:b], *w)), (lambda b: [x[:b], *w]), [2, 8, 17, 64, 300, 2000]
def images(kind):
    w = (r.standard_normal((3,3,64,128))/24).astype(kind); x = r.standard_normal((64,28,28,64)).astype(kind)
    f = lambda x: lax.conv_general_dilated(x, w, (1,1), "SAME", dimension_numbers=("NHWC","HWIO","NHWC"))
    return (lambda b: exported(f, x[:b])), (lambda b: [x[:b]]), [2, 5, 16, 64]
def nchw():
    w = (r.standard_normal((128,32,3,3))/24).astype('f4'); x = r.standard_normal((64,64,28,28)).astype('f4')
    f = lambda x: lax.conv_general_dilated(x, w, (2,2), "SAME", feature_group_count=2)
    return (lambda b: exported(f, x[:b])), (lambda b: [x[:b]]), [2, 5, 64]
def heads(kind):
    x = r.standard_normal((16,512,512)).astype(kind)
    def f(x):
        q = x.reshape(*x.shape[:2], 8, 64)
        s = jnp.einsum("bqhd,bkhd->bhqk", q, q) / 8
        return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(s), q)
    return (lambda b: exported(f, x[:b])), (lambda b: [x[:b]]), [2, 3, 16]
CASES = {}
for n in BATCHES: CASES["corpus "+n] = partial(lambda n: expect_rows(partial(with_batch,n), partial(arrays_of,n), [2,3,7,13,16,17,31,32,33,48,63,64], on_gpu), n)
for l in LAYERS:
    for kind, shape, sizes in (("f32",(130,66),[2,7,29,64]), ("bf16",(48,36),[3,64]), ("f64",(20,36),[2,33])):
        CASES[f"layer {l} {kind}"] = partial(expect_rows_of_layers, [l,l], shape, kind, sizes, on_gpu)
some = lambda size: sorted({*range(0, size, max(1, size//20)), size-1})
for k in ("f4", jnp.bfloat16):
    CASES[f"mlp {np.dtype(k)}"] = lambda k=k: expect_rows(*mlp(k), on_gpu, some)
    CASES[f"images {np.dtype(k)}"] = lambda k=k: expect_rows(*images(k), on_gpu, some)
    CASES[f"heads {np.dtype(k)}"] = lambda k=k: expect_rows(*heads(k), on_gpu, some)
CASES["mlp highest"] = lambda: expect_rows(*mlp("f4"), partial(on_gpu, precision="highest"), some)
CASES["images highest"] = lambda: expect_rows(*images("f4"), partial(on_gpu, precision="highest"), some)
CASES["nchw groups"] = lambda: expect_rows(*nchw(), on_gpu, some)
CASES["solved large"] = lambda: expect_rows_of_layers(["solved"], (200,160), "f32", [2,9], on_gpu)
CASES["norm large"] = lambda: expect_rows_of_layers(["norm of all","norm of columns"], (3000,64), "f32", [2,9], on_gpu)

def product(m,n,k,kind):
    a, b = np.zeros((m,k),kind), np.zeros((k,n),kind)
    return exported(lambda a,b: a@b, a, b)
def models():
    import models as made
    for name, call in {"resnet50": made.resnet50, "resnet50 of 64": partial(made.resnet50, 64), "vit_base": made.vit_base, "cached_token": made.cached_token, "convnext": made.convnext_tiny}.items():
        yield name, lambda call=call: exported((lambda c: c[0])(call()), *call()[1])
TEXTS = {n: (lambda n=n: BY_NAME[n].path.read_text()) for n in BY_NAME}
TEXTS |= {f"product {m}x{k}x{n} {np.dtype(t)}": partial(product,m,n,k,t) for t in ("f4", jnp.bfloat16) for m,n,k in ((1,4096,4096),(16,4096,4096),(64,4096,4096),(512,4096,4096),(4096,4096,4096),(64,1024,16384))}
TEXTS |= dict(models())
def inputs(name, program):
    if name in BY_NAME: return BY_NAME[name].inputs()
    from gpu import inputs_of
    return inputs_of(program)
def prepare(name, text, on):
    from tinygrad import Tensor, Device
    from gpu import placed
    p = hlo2tiny.load(text, "CUDA", batch_invariant=on, donate=())
    t = [placed(x, Tensor) for x in inputs(name, p)]
    def call():
        held = p(*t); Device["CUDA"].synchronize(); del held
    call(); call()
    return call
mode = sys.argv[1]
if mode == "shard":
    k, n = int(sys.argv[2]), int(sys.argv[3])
    jobs = [("warm", x) for x in TEXTS] + [("bits", x) for x in CASES]
    jobs = jobs[k::n]
    for what, name in jobs:
        t = time.time()
        try:
            if what == "warm": text = TEXTS[name](); [prepare(name, text, on) for on in (True, False)]
            else: CASES[name]()
            print(f"{what} ok {name} {time.time()-t:.1f}", flush=True)
        except BaseException as e:
            print(f"{what} FAILED {name} {type(e).__name__} {str(e)[:300]!r}", flush=True)
else:
    found = {}
    end = time.time() + float(sys.argv[2])
    for name in TEXTS:
        if time.time() > end: print("no time for", name); continue
        try:
            text = TEXTS[name]()
            calls = [prepare(name, text, on) for on in (True, False)]
            times = [[], []]
            stop = time.time() + 0.25
            while len(times[0]) < 10 or time.time() < stop:
                for c, f in zip(calls, times):
                    b = time.perf_counter(); c(); f.append(time.perf_counter()-b)
            a, b = (sorted(x)[len(x)//2] for x in times)
            found[name] = a/b
            print(f"{name}: {a*1e6:.1f} us, without {b*1e6:.1f}, {a/b:.2f}", flush=True)
        except BaseException as e:
            print(f"{name} FAILED {type(e).__name__} {str(e)[:200]!r}", flush=True)
    own = [v for n,v in found.items() if n in BY_NAME]
    print("corpus mean", geometric_mean(own), len(own))
    for name in ("resnet50 of 64", "vit_base", "flax_convnet"):
        open("/tmp/one.mlir", "w").write(TEXTS[name]())
        from hlo2tiny.cli import main
        print("PROFILE", name, flush=True)
        try: main(["bench", "/tmp/one.mlir", "--device", "CUDA", "--batch-invariant", "--profile"])
        except BaseException as e: print(repr(e)[:300])
    import json; json.dump(found, open(os.environ.get("OUT", ".")+"/price.json","w"))
    sys.path.insert(0, "tests/bench")
