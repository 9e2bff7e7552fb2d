"""Makes two networks of Kokoro's ten parts, which are quicker and can be told how to speak: the speaker makes of symbols what
is to be heard (the melody's harmonics, and features for each 12.5 ms), and the vocoder makes sound of that.

- **Numbers.** The parts hold 16-bit numbers, which most processors only store: everything is widened to 32 bits once. Only the
  convolutions of the vocoder, where nearly all time goes, are made of whole numbers of eight bits, where the processor is
  quicker at them.
- **Durations.** A further input stretches each symbol; a further output tells the durations. The network rounds them to frames
  of 25 ms, and most sounds take two or three: so the stretched ones are rounded along the sentence and not one by one, or the
  pace would hardly change.
- **Melody.** Three further inputs move the pitch, widen its range around the sentence's own mean, and make it tremble. They
  work on the logarithm, so that equal steps are heard as equal, and only where the network speaks with a voice at all.
- **Piece by piece.** The vocoder normalises each channel by its mean and variance over the whole sentence, so a piece of one
  sounds otherwise than the same stretch of the whole. It tells these figures, and takes given ones instead of its own: with
  the same figures for all pieces, what is put together of them is what the whole would have been. The harmonics are the
  speaker's work, since their phase runs through the sentence.
"""

import hashlib
import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heartfelt.errors import DamagedError
from heartfelt.weights.graph import save

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from onnx import GraphProto, ModelProto, NodeProto

    Kernel = NDArray[np.float32]

WHOLE = "ba4527a874b42b21e35f468c10d326fdff3c7fc8cac1f85e9eb6c0dfc35c334a"
"""The SHA-256 of the ten parts joined."""
STRETCH, SHIFT, RANGE, TREMOR = "stretch", "shift", "range", "tremor"
DURATIONS, PITCH = "/encoder/Clip_output_0", "melody"
_PITCH_INSIDE = "/encoder/F0_proj/Conv_output_0"
_VOCODER = ("/generator/resblocks", "/generator/noise_res")
FEATURES, SOURCE, STYLE = (
    "/decoder/decoder/decode.3/Div_4_output_0",
    "/decoder/decoder/generator/Concat_3_output_0",
    "/decoder/Slice_output_0",
)
"""What the speaker gives the vocoder: for each 12.5 ms, for each 5 samples, and for the sentence."""
GIVEN, OWN, BLEND = "given", "own", "blend"
"""The vocoder's means and variances, [1, channels of all, 1]: those it is given, those it found, and which of them count."""
WAVEFORM = "waveform"
VOICED = 10.0
"""Hertz: below it the network means that there is no voice."""
LOWEST, HIGHEST = 50.0, 600.0
_STEP = 0.0125
"""Seconds between two values of the pitch."""
TREMBLES = 8.0
"""Times a second: quicker than syllables follow each other, or it would be taken for melody."""


def join(parts: Sequence[Path], expected: str = WHOLE) -> bytes:
    """The parts in the order of their numbers, or DamagedError."""
    ordered = sorted(parts, key=lambda part: int("".join(filter(str.isdigit, part.stem.split(".")[-1]))))
    whole = b"".join(part.read_bytes() for part in ordered)
    if hashlib.sha256(whole).hexdigest() != expected:
        raise DamagedError(
            f"The {len(ordered)} parts of Kokoro do not make the pinned network. Remove them and pull them again: "
            "heartfelt models remove kokoro, then heartfelt models pull kokoro."
        )
    return whole


def write_speaker(whole: bytes, target: Path) -> None:
    """From symbols to what the vocoder needs, with the further inputs and outputs."""
    model = _converted(whole)
    inputs = [each.name for each in model.graph.input]
    save(_part(model, inputs, [FEATURES, SOURCE, STYLE, DURATIONS, PITCH]), target)


def write_vocoder(whole: bytes, target: Path, *, rounded: bool = True) -> None:
    """From there to the sound. `rounded`: with convolutions of whole numbers."""
    from onnx import TensorProto, helper

    model = _part(_converted(whole, rounded=rounded), [FEATURES, SOURCE, STYLE], [WAVEFORM])
    channels = _normalise_by_given(model.graph)
    for name, shape in ((GIVEN, [1, channels, 1]), (BLEND, [1])):
        model.graph.input.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, shape))
    model.graph.output.append(helper.make_tensor_value_info(OWN, TensorProto.FLOAT, [1, channels, 1]))
    save(model, target)


def _converted(whole: bytes, *, rounded: bool = False) -> "ModelProto":
    import onnx
    from onnx import TensorProto, helper

    model = onnx.load_model_from_string(whole)
    graph = model.graph
    made = {output for node in graph.node for output in node.output}
    if not made >= {DURATIONS, _PITCH_INSIDE, FEATURES, SOURCE, STYLE, WAVEFORM}:
        raise DamagedError("This network is not the Kokoro that Heartfelt knows. Remove it and pull it again.")
    _widen(graph)
    _insert(graph, DURATIONS, _stretching)
    _insert(graph, _PITCH_INSIDE, _melody)
    if rounded:
        _round_vocoder(graph)
    for name, shape in ((STRETCH, [1, "symbols"]), (SHIFT, [1]), (RANGE, [1]), (TREMOR, [1])):
        graph.input.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, shape))
    for name, shape in ((DURATIONS, [1, "symbols"]), (PITCH, [1, 1, "steps"])):
        graph.output.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, shape))
    for name, shape in ((FEATURES, [1, "features", "frames"]), (SOURCE, [1, "harmonics", "hops"]), (STYLE, [1, "styles"])):
        graph.value_info.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, shape))
    return model


def _part(model: "ModelProto", inputs: list[str], outputs: list[str]) -> "ModelProto":
    from onnx.utils import Extractor

    return Extractor(model).extract_model(inputs, outputs)


def _normalise_by_given(graph: "GraphProto") -> int:
    """Put the blend of own and given behind each mean and variance of the vocoder; the number of all their channels."""
    from onnx import TensorProto, helper

    weights = {weight.name: weight for weight in graph.initializer}
    found = [node for node in graph.node if node.op_type == "ReduceMean"]
    # What a channel is scaled and moved by stands in one matrix beside it, so that has twice as many rows.
    widths = [weights[f"{node.name.rpartition('/')[0].strip('/').replace('/', '.')}.fc.weight"].dims[0] // 2 for node in found]
    sizes = helper.make_tensor("", TensorProto.INT64, [len(widths)], widths)
    names = [node.output[0] for node in found]
    first = [
        helper.make_node("Constant", [], ["norm/sizes"], value=sizes),
        helper.make_node("Split", [GIVEN, "norm/sizes"], [f"{name}/given" for name in names], axis=1),
    ]
    _replace(graph, [*first, *graph.node])
    for name in names:
        _insert(graph, name, _blended)
    _replace(graph, [*graph.node, helper.make_node("Concat", [f"{name}/plain" for name in names], [OWN], axis=1)])
    return sum(widths)


def _blended(plain: str, name: str) -> "Iterator[NodeProto]":
    """own + blend · (given - own)"""
    yield from _calls(
        ("Sub", [f"{name}/given", plain], f"{name}/apart"),
        ("Mul", [f"{name}/apart", BLEND], f"{name}/moved"),
        ("Add", [plain, f"{name}/moved"], name),
    )


def _widen(graph: "GraphProto") -> None:
    """16-bit weights, constants and casts to 32 bits; what is known of the shapes between is forgotten with their types."""
    import numpy as np
    from onnx import TensorProto, numpy_helper

    def widened(tensor: Any) -> None:
        if tensor.data_type == TensorProto.FLOAT16:
            tensor.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(tensor).astype(np.float32), tensor.name))

    for weight in graph.initializer:
        widened(weight)
    for attribute in (attribute for node in graph.node for attribute in node.attribute):
        if attribute.HasField("t"):
            widened(attribute.t)
        if attribute.name == "to" and attribute.i == TensorProto.FLOAT16:
            attribute.i = TensorProto.FLOAT
    del graph.value_info[:]


def _insert(graph: "GraphProto", name: str, between: "Callable[[str, str], Iterator[NodeProto]]") -> None:
    """Put nodes behind the one that makes `name`: it makes `name/plain` now, and the nodes make `name` of that."""
    nodes: list[NodeProto] = []
    for node in graph.node:
        nodes.append(node)
        if name in node.output:
            node.output[list(node.output).index(name)] = f"{name}/plain"
            nodes += between(f"{name}/plain", name)
    _replace(graph, nodes)


def _stretching(plain: str, name: str) -> "Iterator[NodeProto]":
    """How far each symbol reaches, rounded, less how far the ones before it reach; nothing is shorter than a frame."""
    from onnx import TensorProto, helper

    axis, least = (helper.make_tensor("", kind, [], [1]) for kind in (TensorProto.INT64, TensorProto.FLOAT))
    yield helper.make_node("Constant", [], ["pace/axis"], value=axis)
    yield helper.make_node("Constant", [], ["pace/least"], value=least)
    yield helper.make_node("Mul", [plain, STRETCH], ["pace/wanted"])
    yield helper.make_node("CumSum", ["pace/wanted", "pace/axis"], ["pace/ends"])
    yield helper.make_node("CumSum", ["pace/wanted", "pace/axis"], ["pace/starts"], exclusive=1)
    yield helper.make_node("Round", ["pace/ends"], ["pace/end"])
    yield helper.make_node("Round", ["pace/starts"], ["pace/start"])
    yield helper.make_node("Sub", ["pace/end", "pace/start"], ["pace/length"])
    yield helper.make_node("Max", ["pace/length", "pace/least"], [name])


def _melody(plain: str, name: str) -> "Iterator[NodeProto]":
    """exp(mean + range · (log f - mean) + shift + tremor · sin(time)), where mean is that of the voiced log f."""
    yield from _constants()
    yield from _calls(
        ("Greater", [plain, "voice/least"], "voice/on"),
        ("Cast", ["voice/on"], "voice/mask"),
        ("Max", [plain, "voice/least"], "voice/safe"),
        ("Log", ["voice/safe"], "voice/log"),
        ("Mul", ["voice/log", "voice/mask"], "voice/kept"),
        ("ReduceSum", ["voice/kept"], "voice/sum"),
        ("ReduceSum", ["voice/mask"], "voice/found"),
        ("Max", ["voice/found", "voice/one"], "voice/count"),
        ("Div", ["voice/sum", "voice/count"], "voice/mean"),
        ("Sub", ["voice/log", "voice/mean"], "voice/offset"),
        ("Mul", ["voice/offset", RANGE], "voice/ranged"),
        ("Add", ["voice/ranged", "voice/mean"], "voice/centred"),
        ("Add", ["voice/centred", SHIFT], "voice/shifted"),
        ("Mul", [plain, "voice/zero"], "voice/nothing"),
        ("Add", ["voice/nothing", "voice/one"], "voice/ones"),
        ("CumSum", ["voice/ones", "voice/axis"], "voice/index"),
        ("Mul", ["voice/index", "voice/turn"], "voice/angle"),
        ("Sin", ["voice/angle"], "voice/sine"),
        ("Mul", ["voice/sine", TREMOR], "voice/trembling"),
        ("Add", ["voice/shifted", "voice/trembling"], "voice/moved"),
        ("Exp", ["voice/moved"], "voice/hertz"),
        ("Clip", ["voice/hertz", "voice/lowest", "voice/highest"], "voice/clipped"),
        ("Where", ["voice/on", "voice/clipped", plain], name),
        ("Identity", [name], PITCH),
    )


def _constants() -> "Iterator[NodeProto]":
    from onnx import TensorProto, helper

    turn = 2 * math.pi * TREMBLES * _STEP
    values = {"least": VOICED, "one": 1.0, "zero": 0.0, "turn": turn, "lowest": LOWEST, "highest": HIGHEST}
    for key, value in values.items():
        tensor = helper.make_tensor(f"voice/{key}", TensorProto.FLOAT, [], [value])
        yield helper.make_node("Constant", [], [f"voice/{key}"], value=tensor)
    axis = helper.make_tensor("voice/axis", TensorProto.INT64, [], [2])
    yield helper.make_node("Constant", [], ["voice/axis"], value=axis)


def _calls(*calls: tuple[str, list[str], str]) -> "Iterator[NodeProto]":
    """Nodes from (operator, inputs, output), with the attributes that some operators need."""
    from onnx import TensorProto, helper

    needs: dict[str, dict[str, Any]] = {"Cast": {"to": TensorProto.FLOAT}, "ReduceSum": {"keepdims": 1}}
    for operator, inputs, output in calls:
        yield helper.make_node(operator, inputs, [output], **needs.get(operator, {}))


def _round_vocoder(graph: "GraphProto") -> None:
    """The vocoder's convolutions in whole numbers of eight bits: weights with a step for each channel, sound as it comes."""
    from onnx import numpy_helper

    weights = {weight.name: numpy_helper.to_array(weight) for weight in graph.initializer}
    nodes: list[NodeProto] = []
    for node in graph.node:
        if node.op_type == "Conv" and any(place in node.name for place in _VOCODER):
            nodes += _rounded(graph, node, *(weights[name] for name in node.input[1:]))
        else:
            nodes.append(node)
    _replace(graph, nodes)
    _forget_unused(graph)


def _rounded(graph: "GraphProto", conv: "NodeProto", kernel: "Kernel", bias: "Kernel | None" = None) -> "Iterator[NodeProto]":
    import numpy as np
    from onnx import TensorProto, helper, numpy_helper

    name = conv.output[0]
    steps = np.abs(kernel).max((1, 2), keepdims=True) / 127 + 1e-12
    constants = {
        "kernel": np.round(kernel / steps).astype(np.int8),
        "steps": steps.reshape(1, -1, 1).astype(np.float32),
        "bias": (np.zeros(len(kernel)) if bias is None else bias).reshape(1, -1, 1).astype(np.float32),
    }
    graph.initializer.extend(numpy_helper.from_array(value, f"{name}/{key}") for key, value in constants.items())
    shape = {attribute.name: helper.get_attribute_value(attribute) for attribute in conv.attribute}
    whole = [f"{name}/{part}" for part in ("whole", "step", "zero")]
    yield helper.make_node("DynamicQuantizeLinear", [conv.input[0]], whole)
    yield helper.make_node("ConvInteger", [whole[0], f"{name}/kernel", whole[2]], [f"{name}/sum"], name=conv.name, **shape)
    yield helper.make_node("Cast", [f"{name}/sum"], [f"{name}/wide"], to=TensorProto.FLOAT)
    yield helper.make_node("Mul", [f"{name}/step", f"{name}/steps"], [f"{name}/scale"])
    yield helper.make_node("Mul", [f"{name}/wide", f"{name}/scale"], [f"{name}/product"])
    yield helper.make_node("Add", [f"{name}/product", f"{name}/bias"], [name])


def _forget_unused(graph: "GraphProto") -> None:
    used = {name for node in graph.node for name in node.input}
    kept = [weight for weight in graph.initializer if weight.name in used]
    del graph.initializer[:]
    graph.initializer.extend(kept)


def _replace(graph: "GraphProto", nodes: "list[NodeProto]") -> None:
    from onnx import NodeProto

    copies: list[NodeProto] = []
    for node in nodes:
        copy = NodeProto()
        copy.CopyFrom(node)
        copies.append(copy)
    del graph.node[:]
    graph.node.extend(copies)
