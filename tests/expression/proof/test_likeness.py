"""Speaker likeness: the checkpoint's reader, the graph, the spectra and the margin by hand; the network itself in few tests."""

import os
import pickle
from collections import OrderedDict
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.senses.voice.sounds import contour, joined, noise, sentence, silence, tone

from heartfelt.errors import DamagedError, InputError, StoreError
from heartfelt.expression.proof import likeness_sound
from heartfelt.expression.proof.likeness import Likeness, apart, equal_error_rate
from heartfelt.expression.proof.likeness_graph import BANDS, LAYERS, WIDTH, Tensors, build_graph, read_checkpoint, write_graph
from heartfelt.expression.proof.likeness_sound import bands, partial_spectra, partials, raised, spectra, trimmed, voiced
from heartfelt.expression.voice.emotions import manner_of
from heartfelt.expression.voice.kokoro import Kokoro
from heartfelt.senses.voice.detect import FRAME, LoudnessDetector
from heartfelt.senses.voice.samples import RATE, Samples
from heartfelt.weights import Artefact, Store
from heartfelt.weights.session import open_session

# ── a checkpoint in torch's old format, written without torch ───────────────────────────────────────────────────────


class FloatStorage:
    """Stands for torch's class of that name until its name is put in."""


class Storage:
    def __init__(self, key: str, values: NDArray[np.float32]):
        self.key, self.values = key, values


class Tensor:
    def __init__(self, storage: Storage, first: int, shape: tuple[int, ...], strides: tuple[int, ...]):
        hooks: OrderedDict[str, object] = OrderedDict()
        self.parts = storage, first, shape, strides, False, hooks

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return _rebuild_tensor_v2, self.parts


def _rebuild_tensor_v2(*parts: object) -> None:
    raise AssertionError("nothing of the file may be called")


class Writer(pickle.Pickler):
    def persistent_id(self, obj: object) -> object:
        if not isinstance(obj, Storage):
            return None
        return "storage", FloatStorage, obj.key, "cuda:0", len(obj.values), None


def checkpoint(path: Path, content: object, *storages: Storage) -> Path:
    stream = BytesIO()
    for plain in (0x1950A86A20F9469CFC6C, 1001, {"little_endian": True}):
        pickle.dump(plain, stream, 2)
    Writer(stream, 2).dump(content)
    pickle.dump([storage.key for storage in storages], stream, 2)
    for storage in storages:
        stream.write(len(storage.values).to_bytes(8, "little") + storage.values.tobytes())
    raw = stream.getvalue()
    for place, name in (("torch._utils", "_rebuild_tensor_v2"), ("torch", "FloatStorage")):
        raw = raw.replace(f"c{__name__}\n{name}\n".encode(), f"c{place}\n{name}\n".encode())
    path.write_bytes(raw)
    return path


def numbers(count: int) -> NDArray[np.float32]:
    return np.arange(count, dtype=np.float32)


def small(path: Path) -> Path:
    shared, moments = Storage("2", numbers(10)), Storage("1", numbers(1000))
    state = OrderedDict(matrix=Tensor(shared, 0, (2, 3), (3, 1)), row=Tensor(shared, 6, (4,), (1,)))
    content = {"step": 7, "model_state": state, "optimizer_state": {"moments": Tensor(moments, 0, (1000,), (1,))}}
    return checkpoint(path, content, moments, shared)


def test_tensors_that_share_a_storage_are_read_and_the_optimiser_is_passed_over(tmp_path: Path):
    found = read_checkpoint(small(tmp_path / "a.pt"))
    assert {name: values.tolist() for name, values in found.items()} == {
        "matrix": [[0, 1, 2], [3, 4, 5]],
        "row": [6, 7, 8, 9],
    }


@pytest.mark.parametrize("share", [0.0, 0.001, 0.02, 0.05, 0.1, 0.5, 0.999])
def test_a_file_that_is_cut_short_is_damaged(tmp_path: Path, share: float):
    path = small(tmp_path / "a.pt")
    path.write_bytes(path.read_bytes()[: int(share * path.stat().st_size)])
    with pytest.raises(DamagedError, match="models pull resemblyzer") as caught:
        read_checkpoint(path)
    assert "asks for" not in str(caught.value)


def test_a_file_of_another_kind_is_damaged(tmp_path: Path):
    path = tmp_path / "a.pt"
    path.write_bytes(b"PK\x03\x04" + bytes(1000))
    with pytest.raises(DamagedError):
        read_checkpoint(path)


def test_a_pickle_that_wants_something_called_is_refused_and_nothing_is_called(tmp_path: Path):
    class Harm:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return os.mkdir, (str(tmp_path / "harmed"),)

    for harm in (Harm(), pytest.fail, eval):
        path = checkpoint(tmp_path / "a.pt", {"model_state": {"matrix": harm}})
        with pytest.raises(DamagedError, match="it asks for"):
            read_checkpoint(path)
    assert not (tmp_path / "harmed").exists()


@pytest.mark.parametrize(
    ("first", "shape", "strides"),
    [(0, (2, 3), (1, 2)), (-1, (2,), (1,)), (5, (6,), (1,)), (0, (11,), (1,)), (0, (-1, 10), (10, 1))],
    ids=["turned", "before the start", "past the end", "too long", "negative"],
)
def test_a_tensor_that_does_not_lie_in_its_storage_is_refused(
    tmp_path: Path, first: int, shape: tuple[int, ...], strides: tuple[int, ...]
):
    storage = Storage("1", numbers(10))
    path = checkpoint(tmp_path / "a.pt", {"model_state": {"x": Tensor(storage, first, shape, strides)}}, storage)
    with pytest.raises(DamagedError, match=r"in a row|reshape"):
        read_checkpoint(path)


def test_a_count_beyond_the_file_claims_no_memory(tmp_path: Path):
    path = small(tmp_path / "a.pt")
    raw = path.read_bytes()
    path.write_bytes(raw[:-48] + (1 << 60).to_bytes(8, "little") + raw[-40:])
    with pytest.raises(DamagedError, match="too early"):
        read_checkpoint(path)


# ── the graph ───────────────────────────────────────────────────────────────────────────────────────────────────────


@cache
def made_up() -> Tensors:
    chance = np.random.default_rng(0)
    shapes: dict[str, tuple[int, ...]] = {"linear.weight": (WIDTH, WIDTH), "linear.bias": (WIDTH,)}
    for layer in range(LAYERS):
        shapes |= {f"lstm.weight_{part}_l{layer}": (4 * WIDTH, WIDTH) for part in ("ih", "hh")}
        shapes |= {f"lstm.bias_{part}_l{layer}": (4 * WIDTH,) for part in ("ih", "hh")}
    shapes["lstm.weight_ih_l0"] = (4 * WIDTH, BANDS)
    return {name: (0.1 * chance.standard_normal(shape)).astype(np.float32) for name, shape in shapes.items()}


def forward(t: Tensors, rows: NDArray[np.float32]) -> NDArray[np.float64]:
    """The encoder as torch defines it, one stretch, in double precision."""
    states = list(rows.astype(np.float64))
    for layer in range(LAYERS):
        hidden, cell = np.zeros(WIDTH), np.zeros(WIDTH)
        weight, inner = t[f"lstm.weight_ih_l{layer}"], t[f"lstm.weight_hh_l{layer}"]
        bias = t[f"lstm.bias_ih_l{layer}"] + t[f"lstm.bias_hh_l{layer}"]
        for place, row in enumerate(states):
            enter, forget, fresh, leave = np.split(weight @ row + inner @ hidden + bias, 4)
            cell = sigmoid(forget) * cell + sigmoid(enter) * np.tanh(fresh)
            hidden = sigmoid(leave) * np.tanh(cell)
            states[place] = hidden
    raw = np.maximum(t["linear.weight"] @ states[-1] + t["linear.bias"], 0)
    return raw / np.linalg.norm(raw)


def sigmoid(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return 1 / (1 + np.exp(-values))


def test_the_graph_is_the_encoder(tmp_path: Path):
    import onnx

    onnx.save(build_graph(made_up()), tmp_path / "a.onnx")
    rows = np.random.default_rng(1).random((2, 9, BANDS), np.float32)
    found = cast(Samples, open_session(tmp_path / "a.onnx", 1).run(["vector"], {"spectra": rows})[0])
    assert np.abs(found - np.stack([forward(made_up(), each) for each in rows])).max() < 1e-5


def test_weights_of_another_shape_are_refused(tmp_path: Path):
    with pytest.raises(DamagedError, match=r"lstm\.weight_ih_l0 is not 1024 × 40"):
        build_graph(made_up() | {"lstm.weight_ih_l0": np.zeros((1024, 80), np.float32)})
    with pytest.raises(DamagedError, match=r"linear\.weight is not 256 × 256"):
        write_graph(small(tmp_path / "a.pt"), tmp_path / "a.onnx")


# ── the sound ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("band", "place", "value"),
    [(0, 2, 0.0124045), (10, 20, 0.0118795), (20, 44, 0.00719192), (30, 94, 0.00335015), (39, 185, 0.00172494)],
)
def test_the_bands_are_those_that_the_encoder_was_taught_with(band: int, place: int, value: float):
    """Against librosa 0.11's `filters.mel(sr=16000, n_fft=400, n_mels=40)`."""
    assert bands().shape == (40, 201)
    assert bands()[band].argmax() == place
    assert bands()[band, place] == pytest.approx(value, rel=1e-5)


def test_a_tone_is_loudest_in_its_band_and_four_times_as_strong_where_it_is_twice_as_loud():
    rows = spectra(tone(1000, 1.0, peak=0.2))
    assert rows.shape == (101, 40)
    assert set(rows[2:-2].argmax(axis=1)) == {int(bands()[:, 25].argmax())}
    assert np.allclose(spectra(tone(1000, 1.0, peak=0.4)), 4 * rows, rtol=1e-3, atol=1e-8)


def test_long_sound_is_taken_in_blocks_without_a_seam(monkeypatch: pytest.MonkeyPatch):
    whole = spectra(noise(2.0))
    monkeypatch.setattr(likeness_sound, "_BLOCK", 7)
    assert np.allclose(spectra(noise(2.0)), whole, rtol=1e-4)


def test_quiet_sound_is_raised_and_loud_sound_stays():
    quiet, loud = noise(1.0, level=0.001), noise(1.0, level=0.2)
    assert np.sqrt(np.mean(np.square(raised(quiet)))) == pytest.approx(10 ** (-30 / 20), rel=1e-4)
    assert np.array_equal(raised(loud), loud)


def test_silences_are_cut_but_for_three_frames_on_either_side_of_speech():
    sound = np.repeat(np.arange(40, dtype=np.float32), FRAME)
    speech = np.zeros(40, bool)
    speech[[1, 10, 11, 17, 30]] = True
    kept = [*range(5), *range(7, 21), *range(27, 34)]
    assert trimmed(np.append(sound, 1), speech).tolist() == np.repeat(kept, FRAME).tolist()


def test_speech_is_found_frame_by_frame_and_the_rest_is_left():
    sound = joined(np.zeros(5 * FRAME, np.float32), tone(200, 1.0)[: 3 * FRAME + 100])
    assert voiced(sound, LoudnessDetector()).tolist() == [False] * 5 + [True] * 3


@pytest.mark.parametrize(
    ("length", "expected"),
    [(6400, 1), (25600, 1), (32000, 2), (37920, 2), (43839, 2), (44800, 3), (50240, 3), (62560, 4), (160000, 12)],
)
def test_partials_lie_where_the_original_has_them(length: int, expected: int):
    assert partials(length) == [77 * number for number in range(expected)]


@given(st.integers(1, 200_000))
def test_partials_cover_all_sound_but_a_short_rest(length: int):
    firsts = partials(length)
    assert len(firsts) == 1 or firsts[-1] * 160 + 0.75 * 25600 <= length
    assert length - (firsts[-1] + 160) * 160 < 0.75 * 25600


@pytest.mark.parametrize("seconds", [0.4, 1.6, 2.9])
def test_every_partial_has_160_frames(seconds: float):
    sound = noise(seconds)
    assert partial_spectra(sound).shape == (len(partials(len(sound))), 160, 40)


# ── what is refused ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def by_loudness(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Likeness:
    monkeypatch.setattr("heartfelt.weights.store._installed", none_installed)
    return Likeness(Store(tmp_path), detector=LoudnessDetector())


def none_installed(artefact: Artefact) -> list[Path]:
    return []


def broken() -> Samples:
    sound = tone(200, 1.0)
    sound[100] = np.nan
    return sound


@pytest.mark.parametrize(
    ("sound", "rate", "words"),
    [
        (broken(), RATE, "not numbers"),
        (silence(2.0), RATE, "silent"),
        (noise(2.0, level=0.0001), RATE, "silent"),
        (silence(0.0), RATE, "silent"),
        (joined(silence(1.0), tone(200, 0.3), silence(1.0)), RATE, r"0\.\d\d seconds of speech"),
        (np.stack([tone(200, 1.0)] * 2), RATE, "one channel"),
        (np.ones(RATE, np.int16), RATE, "divide"),
        (tone(200, 1.0), 4000, "too few"),
    ],
    ids=["nan", "silence", "near silence", "nothing", "short", "stereo", "integers", "low rate"],
)
def test_sound_that_cannot_be_compared_is_refused(by_loudness: Likeness, sound: Samples, rate: int, words: str):
    with pytest.raises(InputError, match=words):
        by_loudness.of(sound, rate)


def test_missing_weights_say_how_to_get_them(by_loudness: Likeness):
    with pytest.raises(StoreError, match="models pull resemblyzer"):
        by_loudness.of(tone(200, 1.0), RATE)


# ── the margin ──────────────────────────────────────────────────────────────────────────────────────────────────────


def at(degrees: float) -> NDArray[np.float32]:
    return np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))], np.float32)


def cosine(degrees: float) -> float:
    return float(np.cos(np.radians(degrees)))


def test_likeness_is_the_cosine():
    assert Likeness.between(at(0), 3 * at(60)) == pytest.approx(0.5)
    assert Likeness.between(at(20), at(20)) == pytest.approx(1.0)
    for nothing in (np.zeros(2), np.array([np.nan, 1.0])):
        with pytest.raises(InputError, match="no voice's vector"):
            Likeness.between(at(0), nothing)


def test_a_margin_by_hand():
    margin = apart({"ann": [at(0), at(10), at(30)], "bob": [at(90)]})
    assert margin.same == pytest.approx((cosine(10) + cosine(30) + cosine(20)) / 3)
    assert margin.same_lowest == pytest.approx(cosine(30))
    assert margin.different == pytest.approx((cosine(90) + cosine(80) + cosine(60)) / 3)
    assert margin.different_highest == pytest.approx(0.5)
    assert margin.margin == pytest.approx(margin.same - margin.different)
    assert (margin.equal_error_rate, margin.same_pairs, margin.different_pairs) == (0.0, 3, 3)


@pytest.mark.parametrize("groups", [{}, {"ann": [at(0), at(1)]}, {"ann": [at(0)], "bob": [at(1)]}])
def test_a_margin_needs_both_kinds_of_pairs(groups: dict[str, list[NDArray[np.float32]]]):
    with pytest.raises(InputError, match="two people"):
        apart(groups)


@pytest.mark.parametrize(
    ("same", "different", "rate"),
    [
        ([0.9, 0.8], [0.1, 0.2, 0.3], 0.0),
        ([0.9, 0.8, 0.7, 0.2], [0.1, 0.3, 0.1, 0.1], 0.25),
        ([0.5, 0.5], [0.5], 0.5),
        ([0.1], [0.9], 1.0),
        ([0.1], [0.0, 0.0, 0.0, 0.05, 0.05], 0.0),
        ([0.4, 0.6], [0.3, 0.5, 0.55], 0.5),
        ([0.9] * 3 + [0.4], [0.1] * 9 + [0.5], 0.1),
    ],
)
def test_equal_error_rates_by_hand(same: list[float], different: list[float], rate: float):
    assert equal_error_rate(same, different) == pytest.approx(rate)


scores = st.lists(st.integers(-20, 20).map(lambda number: number / 20), min_size=1, max_size=12)


@given(scores, scores)
def test_the_equal_error_rate_goes_by_order_alone_and_mirrors(same: list[float], different: list[float]):
    rate = equal_error_rate(same, different)
    assert 0 <= rate <= 1
    assert equal_error_rate([each**3 for each in same], [each**3 for each in different]) == pytest.approx(rate)
    assert equal_error_rate(different, same) == pytest.approx(1 - rate)
    assert (rate == 0) == (min(same) > max(different))


# ── the encoder itself ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.embedded
@pytest.mark.parametrize(
    ("sound", "largest"),
    [
        (sentence(contour(120, 160, 110, seconds=3)), {62: 0.24019, 168: 0.22998, 177: 0.20299, 218: 0.1984, 138: 0.18712}),
        (sentence(contour(210, 250, 190, seconds=1.1)), {187: 0.2651, 159: 0.20968, 245: 0.19898, 168: 0.19444, 89: 0.19291}),
    ],
    ids=["three partials", "a padded one"],
)
def test_the_vector_is_the_original_packages_own(sound: Samples, largest: dict[int, float]):
    """The numbers were made with Resemblyzer 0.1.4, librosa 0.11 and torch 2.13."""
    vector = Likeness().of_speech(sound)
    assert np.argsort(-vector)[:5].tolist() == list(largest)
    assert vector[list(largest)] == pytest.approx(list(largest.values()), abs=1e-4)
    assert np.linalg.norm(vector) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.embedded
def test_loudness_and_silence_around_do_not_change_who_speaks():
    likeness = Likeness()
    sound = sentence(contour(120, 160, 110, seconds=3))
    plain = likeness.of(sound, RATE)
    assert likeness.between(plain, likeness.of(0.01 * sound, RATE)) > 0.98
    assert likeness.between(plain, likeness.of(joined(silence(1.5), sound, silence(2.0)), RATE)) > 0.98


@pytest.mark.embedded
@pytest.mark.parametrize("sound", [noise(3.0), tone(220, 3.0)], ids=["noise", "tone"])
def test_what_is_no_speech_has_no_likeness(sound: Samples):
    with pytest.raises(InputError, match="seconds of speech"):
        Likeness().of(sound, RATE)


@pytest.mark.slow
@pytest.mark.embedded
@pytest.mark.xdist_group("kokoro")
def test_a_voice_stays_itself_in_sorrow_and_another_voice_is_another():
    kokoro, likeness = Kokoro(), Likeness()

    def said(voice: str, emotion: str) -> NDArray[np.float32]:
        spoken = kokoro.say("I did not expect to see you, not today.", voice=voice, manner=manner_of(emotion))
        return likeness.of(spoken.samples, spoken.rate)

    margin = apart({"heart": [said("heart", "neutral"), said("heart", "sad")], "michael": [said("michael", "neutral")]})
    assert margin.same_lowest > 0.8
    assert margin.different_highest < 0.7
