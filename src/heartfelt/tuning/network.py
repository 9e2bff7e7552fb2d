"""The model as it is trained: frozen base weights, and a low-rank adapter beside every matrix.

Names, layouts and the rotary embedding are those of the GGUF file, so an adapter trained here is the adapter that
llama.cpp applies: nothing has to be permuted or renamed.
"""

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from heartfelt.tuning.base import LINEAR, ModelShape


class Adapted(nn.Module):
    """A frozen matrix and its adapter: W x + (α / r) B A x, and the matrix's own bias where it has one."""

    def __init__(self, weight: Tensor, bias: Tensor | None = None, *, rank: int, scale: float, dropout: float):
        super().__init__()
        out, inner = weight.shape
        self.scale, self.dropout = scale, dropout
        self.register_buffer("weight", weight, persistent=False)
        self.register_buffer("bias", bias, persistent=False)
        self.a = nn.Parameter(torch.empty(rank, inner))
        self.b = nn.Parameter(torch.zeros(out, rank))
        nn.init.normal_(self.a, std=inner**-0.5)

    def forward(self, x: Tensor) -> Tensor:
        low = F.linear(F.dropout(x, self.dropout, self.training), self.a.to(x.dtype))
        return F.linear(x, self.weight, self.bias) + self.scale * F.linear(low, self.b.to(x.dtype))  # type: ignore[arg-type]


class Layer(nn.Module):
    def __init__(self, shape: ModelShape, tensors: dict[str, Tensor], index: int, adapter: dict[str, Any]):
        super().__init__()
        self.shape = shape
        for name in LINEAR:
            place = f"blk.{index}.{name}"
            self.add_module(name, Adapted(tensors[f"{place}.weight"], tensors.get(f"{place}.bias"), **adapter))
        self.register_buffer("attn_norm", tensors[f"blk.{index}.attn_norm.weight"], persistent=False)
        self.register_buffer("ffn_norm", tensors[f"blk.{index}.ffn_norm.weight"], persistent=False)

    def forward(self, x: Tensor, turn: tuple[Tensor, Tensor], mask: Tensor) -> Tensor:
        x = x + self._attend(_normed(x, self.attn_norm, self.shape.epsilon), turn, mask)  # type: ignore[arg-type]
        y = _normed(x, self.ffn_norm, self.shape.epsilon)  # type: ignore[arg-type]
        return x + self.ffn_down(F.silu(self.ffn_gate(y)) * self.ffn_up(y))

    def _attend(self, x: Tensor, turn: tuple[Tensor, Tensor], mask: Tensor) -> Tensor:
        shape, (rows, length, _) = self.shape, x.shape
        rotated = _rotated_halves if shape.architecture == "qwen2" else _rotated_pairs
        q = rotated(self.attn_q(x).view(rows, length, shape.heads, -1), *turn).transpose(1, 2)
        k = rotated(self.attn_k(x).view(rows, length, shape.kv_heads, -1), *turn).transpose(1, 2)
        v = self.attn_v(x).view(rows, length, shape.kv_heads, -1).transpose(1, 2)
        share = shape.heads // shape.kv_heads
        k, v = k.repeat_interleave(share, 1), v.repeat_interleave(share, 1)
        seen = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.attn_output(seen.transpose(1, 2).reshape(rows, length, -1))


class Network(nn.Module):
    def __init__(self, shape: ModelShape, tensors: dict[str, Tensor], *, rank: int, alpha: float, dropout: float = 0.0):
        super().__init__()
        self.shape, self.rank, self.alpha = shape, rank, alpha
        adapter = {"rank": rank, "scale": alpha / rank, "dropout": dropout}
        self.layers = nn.ModuleList(Layer(shape, tensors, i, adapter) for i in range(shape.layers))
        self.register_buffer("embedding", tensors["token_embd.weight"], persistent=False)
        self.register_buffer("output", tensors.get("output.weight", tensors["token_embd.weight"]), persistent=False)
        self.register_buffer("norm", tensors["output_norm.weight"], persistent=False)

    def forward(self, tokens: Tensor, positions: Tensor, mask: Tensor) -> Tensor:
        """The hidden state after each token; `scores` turns the ones that are needed into logits."""
        x = F.embedding(tokens, self.embedding)  # type: ignore[arg-type]
        turn = _angles(positions, self.shape, x.dtype)
        for layer in self.layers:
            x = layer(x, turn, mask)
        return _normed(x, self.norm, self.shape.epsilon)  # type: ignore[arg-type]

    @property
    def device(self) -> torch.device:
        return next(self.parameters()).device

    def scores(self, hidden: Tensor) -> Tensor:
        return F.linear(hidden, self.output)  # type: ignore[arg-type]

    def adapter(self) -> dict[str, Tensor]:
        """The trained tensors under the names that llama.cpp gives them."""
        found: dict[str, Tensor] = {}
        for i, layer in enumerate(self.layers):
            for name in LINEAR:
                part = layer.get_submodule(name)
                found[f"blk.{i}.{name}.weight.lora_a"] = part.a.detach()  # type: ignore[union-attr]
                found[f"blk.{i}.{name}.weight.lora_b"] = part.b.detach()  # type: ignore[union-attr]
        return found

    def load_adapter(self, tensors: dict[str, Any]) -> None:
        for name, value in self.adapter().items():
            value.copy_(torch.from_numpy(tensors[name]).to(value))


def _normed(x: Tensor, weight: Tensor, epsilon: float) -> Tensor:
    return F.rms_norm(x, (x.shape[-1],), weight, epsilon)


def _angles(positions: Tensor, shape: ModelShape, kind: torch.dtype) -> tuple[Tensor, Tensor]:
    half = torch.arange(0, shape.head_width, 2, device=positions.device, dtype=torch.float32)
    angle = positions[..., None].float() * shape.rope_base ** (-half / shape.head_width)
    return angle.cos()[:, :, None].to(kind), angle.sin()[:, :, None].to(kind)


def _rotated_pairs(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Neighbouring numbers turn together: the layout of queries and keys in a llama file."""
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), -1).flatten(-2)


def _rotated_halves(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """A number turns with the one half a head further: the layout in a qwen2 file."""
    first, second = x.chunk(2, -1)
    return torch.cat((first * cos - second * sin, first * sin + second * cos), -1)
