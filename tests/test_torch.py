"""Modules of PyTorch, exported in one line, give PyTorch's numbers.

PyTorch is large, so only `.ci/torch` installs it; there HLO2TINY_TORCH=1 makes a missing package a failure.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hlo2tiny

if os.environ.get("HLO2TINY_TORCH") == "1":
    import torch
    import torchax.export
else:
    torch = pytest.importorskip("torch")
    torchax = pytest.importorskip("torchax")
    pytest.importorskip("torchax.export")

nn, functional = torch.nn, torch.nn.functional


class Call(nn.Module):  # type: ignore[misc]
    """A function as a module."""

    def __init__(self, function: Callable[..., Any], **modules: Any) -> None:
        super().__init__()
        self.function = function
        for name, module in modules.items():
            self.add_module(name, module)

    def forward(self, *x: Any) -> Any:
        return self.function(self, *x)


class Tokens(nn.Module):  # type: ignore[misc]
    """A batch of images as a batch of sequences: each pixel is a token."""

    def forward(self, x: Any) -> Any:
        return x.flatten(2).transpose(1, 2)


class Mean(nn.Module):  # type: ignore[misc]
    def forward(self, x: Any) -> Any:
        return x.mean(1)


class Decoder(nn.Module):  # type: ignore[misc]
    """Token numbers of 64 bits, a buffer, and results in a dict."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding, self.last = nn.Embedding(100, 16), nn.Linear(16, 100)
        self.block = nn.TransformerEncoderLayer(16, 4, 32, batch_first=True)
        self.register_buffer("scale", torch.tensor(2.0))

    def forward(self, tokens: Any, *, bias: Any) -> Any:
        logits = self.last(self.block(self.embedding(tokens))) * self.scale + bias
        return {"logits": logits, "next": logits[:, -1].argmax(-1)}


def convolutions() -> Any:
    return nn.Sequential(
        nn.Conv2d(1, 8, 3, stride=2, padding=1),
        nn.BatchNorm2d(8),
        nn.ReLU(),
        nn.Conv2d(8, 8, 3, groups=4),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(8, 10),
    )


def transformer() -> Any:
    return nn.Sequential(
        nn.Conv2d(1, 16, 4, stride=4),
        nn.BatchNorm2d(16),
        Tokens(),
        nn.TransformerEncoderLayer(16, 4, 32, batch_first=True),
        Mean(),
        nn.Linear(16, 10),
        nn.LogSoftmax(-1),
    )


def trained(module: Any) -> Any:
    """A module whose batch norms have seen data, and so have statistics of their own."""
    module.train()
    with torch.no_grad():
        for _ in range(3):
            module(3 * torch.randn(4, 1, 28, 28) + 1)
    return module.eval()


def check(found: Any, expected: Any, tolerance: float = 1e-5) -> None:
    """Each result has PyTorch's dtype, shape and numbers."""
    if isinstance(expected, dict):
        assert list(found) == list(expected)
        found, expected = list(found.values()), list(expected.values())
    several = expected if isinstance(expected, (tuple, list)) else [expected]
    assert len(found if isinstance(expected, (tuple, list)) else [found]) == len(several)
    for a, b in zip(found if isinstance(expected, (tuple, list)) else [found], several):
        b = b.detach()
        assert (str(a.dtype), a.shape) == (str(b.dtype).removeprefix("torch."), tuple(b.shape))
        wide = b.double().numpy() if b.dtype.is_floating_point else b.numpy()
        assert np.isfinite(wide).all()
        np.testing.assert_allclose(a.astype(wide.dtype), wide, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("build", [convolutions, transformer])
@pytest.mark.parametrize("weights", ["external", "embed", None])
def test_modules(build: Any, weights: Any, tmp_path: Path) -> None:
    torch.manual_seed(0)
    module, x = trained(build()), torch.randn(3, 1, 28, 28)
    path = hlo2tiny.export(module, "b, 1, 28, 28", path=tmp_path / "torch.mlir", weights=weights)
    program = hlo2tiny.load(path, device="CPU")
    assert [str(argument) for argument in program.inputs] == ["input: float32[b, 1, 28, 28]"]
    assert (tmp_path / "torch.safetensors").exists() == (weights == "external")
    check(program.numpy(x.numpy()), module(x))


@pytest.mark.parametrize("build", [convolutions, transformer])
def test_the_long_way_through_torchax(build: Any, tmp_path: Path) -> None:
    torch.manual_seed(0)
    module, x = trained(build()), torch.randn(2, 1, 28, 28)
    values, function = torchax.export.exported_program_to_jax(torch.export.export(module, (x,)))
    path = hlo2tiny.export(function, values, (x.numpy(),), path=tmp_path / "torch.mlir", weights="external")
    (found,) = hlo2tiny.load(path, device="CPU").numpy((x.numpy(),))
    check(found, module(x))


def test_integers_keep_their_64_bits(tmp_path: Path) -> None:
    torch.manual_seed(0)
    module, tokens, bias = Decoder().eval(), torch.randint(0, 100, (2, 17)), torch.randn(100)
    path = hlo2tiny.export(module, "int64[b, t]", bias="100", path=tmp_path / "m.mlir", weights="external")
    program = hlo2tiny.load(path, device="CPU")
    assert [str(argument) for argument in program.inputs] == ["tokens: int64[b, t]", "bias: float32[100]"]
    check(program.numpy(tokens.numpy(), bias=bias.numpy()), module(tokens, bias=bias))
    check(program.numpy(tokens[:1, :5].numpy(), bias=bias.numpy()), module(tokens[:1, :5], bias=bias))


def test_weights_of_a_state_dict_fit(tmp_path: Path) -> None:
    from safetensors.torch import save_file

    torch.manual_seed(0)
    module, other, x = Decoder(), Decoder().eval(), torch.randint(0, 100, (2, 5))
    path = hlo2tiny.export(module.eval(), x, bias=torch.zeros(100), path=tmp_path / "m.mlir", weights="external")
    save_file(other.state_dict(), tmp_path / "other.safetensors")
    program = hlo2tiny.load(path, device="CPU", weights=tmp_path / "other.safetensors")
    check(program.numpy(x.numpy(), bias=np.zeros(100, np.float32)), other(x, bias=torch.zeros(100)))


def test_programs_of_torch_export_keep_their_open_dimensions(tmp_path: Path) -> None:
    module, x = nn.Sequential(nn.Flatten(), nn.Linear(12, 2)), torch.randn(5, 3, 4)
    exported = torch.export.export(module, (x,), dynamic_shapes=({0: torch.export.Dim("batch", max=64)},))
    program = hlo2tiny.load(hlo2tiny.export(exported, path=tmp_path / "m.mlir"), device="CPU")
    assert [str(argument) for argument in program.inputs] == ["input: float32[d0, 3, 4]"]
    check(program.numpy(x.numpy()), module(x))
    with pytest.raises(hlo2tiny.InputError, match="d0"):
        program.numpy(np.zeros((65, 3, 4), np.float32))
    named = hlo2tiny.load(hlo2tiny.export(exported, "rows, 3, 4", path=tmp_path / "named.mlir"), device="CPU")
    assert [str(argument) for argument in named.inputs] == ["input: float32[rows, 3, 4]"]


ONE, IMAGE = (2, 6, 8), (2, 6, 8, 8)
FUNCTIONS: dict[str, tuple[Any, tuple[int, ...]]] = {
    "attention": (Call(lambda m, x: functional.scaled_dot_product_attention(x, x, x, is_causal=True)), IMAGE),
    "multi-head": (Call(lambda m, x: m.a(x, x, x)[0], a=nn.MultiheadAttention(8, 2, batch_first=True)), ONE),
    "GRU": (Call(lambda m, x: m.r(x), r=nn.GRU(8, 5, batch_first=True)), ONE),
    "LSTM": (Call(lambda m, x: m.r(x)[0], r=nn.LSTM(8, 5, 2, batch_first=True)), ONE),
    "group norm": (nn.GroupNorm(3, 6), IMAGE),
    "instance norm": (nn.InstanceNorm2d(6), IMAGE),
    "Conv1d": (nn.Conv1d(6, 4, 3, padding=1), ONE),
    "transposed convolution": (nn.ConvTranspose2d(6, 3, 2, stride=2), IMAGE),
    "topk": (Call(lambda m, x: tuple(x.topk(3))), ONE),
    "sort": (Call(lambda m, x: tuple(x.sort(descending=True))), ONE),
    "bilinear": (Call(lambda m, x: functional.interpolate(x, scale_factor=2, mode="bilinear")), IMAGE),
    "max pooling": (nn.MaxPool2d(2), IMAGE),
    "cumsum": (Call(lambda m, x: x.cumsum(1)), ONE),
    "integers": (Call(lambda m, x: ((x * 1e3).long() * 3_000_000_000, (x > 0).sum(), x.argmax(-1))), ONE),
    "shapes": (Call(lambda m, x: x.reshape(x.shape[0], -1) / x.shape[1]), ONE),
    "einsum": (Call(lambda m, x: torch.einsum("bij,bkj->bik", x, x)), ONE),
    "arange": (Call(lambda m, x: x + torch.arange(x.shape[-1]) + torch.zeros(8, dtype=torch.float16)), ONE),
    "double": (Call(lambda m, x: x.double().exp().sum()), ONE),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name: str, tmp_path: Path) -> None:
    torch.manual_seed(0)
    module, shape = FUNCTIONS[name]
    x = torch.randn(shape)
    path = hlo2tiny.export(module.eval(), x, path=tmp_path / "m.mlir")
    check(hlo2tiny.load(path, device="CPU").numpy(x.numpy()), module(x))


@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "float64"])
def test_weights_of_each_width(dtype: str, tmp_path: Path) -> None:
    torch.manual_seed(0)
    module, x = nn.Linear(8, 4).to(getattr(torch, dtype)), torch.randn(3, 8).to(getattr(torch, dtype))
    program = hlo2tiny.load(hlo2tiny.export(module, x, path=tmp_path / "m.mlir", weights="external"), device="CPU")
    inputs = x.double().numpy().astype(program.inputs[0].dtype)
    check(program.numpy(inputs), module(x), 2e-2 if dtype == "bfloat16" else 2e-3 if dtype == "float16" else 1e-12)


def test_training_mode_normalises_by_the_batch(tmp_path: Path) -> None:
    module, x = nn.BatchNorm1d(4).train(), 3 * torch.randn(8, 4) + 1
    program = hlo2tiny.load(hlo2tiny.export(module, "b, 4", path=tmp_path / "m.mlir"), device="CPU")
    check(program.numpy(x.numpy()), module(x))


def test_what_torchax_lacks_is_named_with_its_line(tmp_path: Path) -> None:
    module = Call(lambda m, x: torch.special.airy_ai(x))
    with pytest.raises(
        hlo2tiny.UnsupportedOp, match=r"torchax has no version of aten.special_airy_ai.*test_torch.py:\d+"
    ):
        hlo2tiny.export(module, "3", path=tmp_path / "m.mlir")
    assert not list(tmp_path.iterdir())


def test_types_outside_are_as_before(tmp_path: Path) -> None:
    """JAX's 64-bit types are on only while a module is exported."""
    import jax.numpy as jnp

    hlo2tiny.export(nn.Linear(2, 2), "b, 2", path=tmp_path / "m.mlir")
    assert jnp.arange(3).dtype == jnp.int32
