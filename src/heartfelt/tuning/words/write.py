"""Many answers at once on a graphics card, each with the mark that the model itself gives it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from heartfelt.tuning.base import LINEAR
from heartfelt.tuning.network import Network, _angles, _normed, _rotated_halves, _rotated_pairs

MOST, TEMPERATURE, AT_ONCE = 40, 1.0, 1024
"""Of drafts: the tokens of one at most, how freely they are drawn, and how many are written side by side."""


@dataclass(frozen=True)
class AnswerForm:
    end: int
    digits: list[int]
    """The tokens of the marks."""
    stops: frozenset[int] = frozenset()
    """Tokens that end an answer without belonging to it."""


@dataclass(frozen=True)
class WrittenAnswer:
    tokens: list[int]
    likely: float
    """The mean log-probability of a token."""
    mark: float
    """The mark that it is expected to get; 0 where it did not come to its end."""


def drawn(
    network: Network,
    prompts: Sequence[list[int]],
    form: AnswerForm,
    *,
    draws: int,
    seed: int,
    told: Callable[[str], object],
) -> list[list[WrittenAnswer]]:
    """To each prompt the likeliest answer, and others drawn by chance; only those that came to their end."""
    network.eval()
    writer, found = BatchWriter(network), [list[WrittenAnswer]() for _ in prompts]
    order = sorted(range(len(prompts)), key=lambda i: len(prompts[i]))  # alike long ones side by side
    for draw in range(1 + draws):
        for start in range(0, len(order), AT_ONCE):
            asked = order[start : start + AT_ONCE]
            heat, chance = (TEMPERATURE if draw else 0.0), seed + draw * len(order) + start
            made = writer.write([prompts[i] for i in asked], form, most=MOST, temperature=heat, seed=chance)
            for i, answer in zip(asked, made, strict=True):
                if answer.tokens and answer.mark and answer.tokens not in [each.tokens for each in found[i]]:
                    found[i].append(answer)
        told(f"answered {len(order)} messages, time {draw + 1} of {1 + draws}")
    return found


class BatchWriter:
    """The network with its adapter merged, and room for what it has read."""

    def __init__(self, network: Network):
        self._n, self._shape = network, network.shape
        self._layers = []
        for layer in network.layers:
            parts = {}
            for name in LINEAR:
                part = layer.get_submodule(name)
                merged = part.weight.float() + part.scale * (part.b.float() @ part.a.float())  # type: ignore[operator]
                parts[name] = (merged.to(part.weight.dtype), part.bias)  # type: ignore[arg-type]
            self._layers.append((parts, layer.attn_norm, layer.ffn_norm))

    @torch.no_grad()
    def write(
        self,
        prompts: list[list[int]],
        form: AnswerForm,
        *,
        most: int = 64,
        temperature: float = 0.0,
        top_p: float = 0.95,
        seed: int = 0,
    ) -> list[WrittenAnswer]:
        """One answer to each prompt."""
        device, end, digits = self._n.device, form.end, form.digits
        random = torch.Generator(device=device).manual_seed(seed)
        count, longest = len(prompts), max(map(len, prompts))
        tokens, positions, mask, read = _padded(prompts, longest, device)
        valid = F.pad(read, (0, most + 2))
        caches = self._room(count, longest + most + 2, device)
        hidden = self._run(tokens, positions, mask, caches, 0)[:, -1]
        made, likely = [[] for _ in prompts], torch.zeros(count, device=device)
        lengths = valid.sum(1)
        ended = torch.zeros(count, dtype=torch.bool, device=device)
        marks = torch.zeros(count, device=device)
        scale = torch.arange(1, len(digits) + 1, device=device, dtype=torch.float32)
        stopped = torch.tensor(sorted(form.stops), dtype=torch.long, device=device)
        for step in range(most + 1):
            logits = self._n.scores(hidden).float()
            fresh = ended & (marks == 0)  # the end was read last: what comes now is the mark
            if fresh.any():
                marks[fresh] = (F.softmax(logits[fresh][:, digits], -1) * scale).sum(1)
            if bool((ended & (marks > 0)).all()) or step == most:
                break
            token = _chosen(logits, temperature, top_p, random)
            if len(stopped):
                token = torch.where(torch.isin(token, stopped), torch.full_like(token, end), token)
            alive = ~ended
            likely += torch.where(alive, F.log_softmax(logits, -1).gather(1, token[:, None])[:, 0], torch.zeros_like(likely))
            token = torch.where(alive, token, torch.full_like(token, end))
            written = token.tolist()  # once for all: one by one, each would wait for the card
            for i in torch.nonzero(alive & (token != end))[:, 0].tolist():
                made[i].append(written[i])
            ended = ended | (token == end)
            place = longest + step
            valid[:, place] = True
            hidden = self._run(token[:, None], lengths[:, None], valid[:, None, None, : place + 1], caches, place)[:, -1]
            lengths = lengths + 1
        return [WrittenAnswer(answer, float(likely[i]) / max(1, len(answer)), float(marks[i])) for i, answer in enumerate(made)]

    def _room(self, count: int, length: int, device: torch.device) -> list[tuple[Tensor, Tensor]]:
        shape = (count, self._shape.kv_heads, length, self._shape.head_width)
        kind = self._n.get_buffer("norm").dtype
        return [
            (torch.zeros(shape, device=device, dtype=kind), torch.zeros(shape, device=device, dtype=kind))  # type: ignore[arg-type]
            for _ in self._layers
        ]

    def _run(self, tokens: Tensor, positions: Tensor, mask: Tensor, caches: list[tuple[Tensor, Tensor]], at: int) -> Tensor:
        shape, (rows, length) = self._shape, tokens.shape
        x = F.embedding(tokens, self._n.embedding)  # type: ignore[arg-type]
        turn = _angles(positions, shape, x.dtype)
        rotated = _rotated_halves if shape.architecture == "qwen2" else _rotated_pairs
        share = shape.heads // shape.kv_heads
        for (parts, before_attention, before_feed), (keys, values) in zip(self._layers, caches, strict=True):
            y = _normed(x, before_attention, shape.epsilon)  # type: ignore[arg-type]
            q = rotated(F.linear(y, *parts["attn_q"]).view(rows, length, shape.heads, -1), *turn).transpose(1, 2)
            k = rotated(F.linear(y, *parts["attn_k"]).view(rows, length, shape.kv_heads, -1), *turn).transpose(1, 2)
            v = F.linear(y, *parts["attn_v"]).view(rows, length, shape.kv_heads, -1).transpose(1, 2)
            keys[:, :, at : at + length], values[:, :, at : at + length] = k, v
            seen_k, seen_v = keys[:, :, : at + length], values[:, :, : at + length]
            if share > 1:
                seen_k, seen_v = seen_k.repeat_interleave(share, 1), seen_v.repeat_interleave(share, 1)
            seen = F.scaled_dot_product_attention(q, seen_k, seen_v, attn_mask=mask)
            x = x + F.linear(seen.transpose(1, 2).reshape(rows, length, -1), *parts["attn_output"])
            y = _normed(x, before_feed, shape.epsilon)  # type: ignore[arg-type]
            gate = F.silu(F.linear(y, *parts["ffn_gate"])) * F.linear(y, *parts["ffn_up"])
            x = x + F.linear(gate, *parts["ffn_down"])
        return _normed(x, self._n.norm, shape.epsilon)  # type: ignore[arg-type]


def _padded(prompts: list[list[int]], longest: int, device: torch.device) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Prompts of different lengths ending together: tokens, positions, who sees whom, and where there is something to read."""
    tokens = torch.zeros(len(prompts), longest, dtype=torch.long, device=device)
    read = torch.zeros(len(prompts), longest, dtype=torch.bool, device=device)
    for i, prompt in enumerate(prompts):
        tokens[i, longest - len(prompt) :] = torch.tensor(prompt, device=device)
        read[i, longest - len(prompt) :] = True
    positions = (read.cumsum(1) - 1).clamp(min=0)
    causal = torch.ones(longest, longest, dtype=torch.bool, device=device).tril()
    mask = (causal[None] & read[:, None]) | torch.eye(longest, dtype=torch.bool, device=device)[None]
    return tokens, positions, mask[:, None], read


def _chosen(logits: Tensor, temperature: float, top_p: float, random: torch.Generator) -> Tensor:
    if temperature <= 0:
        return logits.argmax(-1)
    top, index = logits.topk(100, -1)
    shares = F.softmax(top / temperature, -1)
    inside = shares.cumsum(-1) - shares < top_p
    drawn = torch.multinomial(shares * inside, 1, generator=random)
    return index.gather(1, drawn)[:, 0]
