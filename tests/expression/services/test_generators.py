"""How styles and people become the inputs of each generator."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heartfelt.errors import GeneratorError, UnknownName
from heartfelt.expression.persona import personas
from heartfelt.expression.services.bank import at_rest, entry
from heartfelt.expression.services.contract import ServiceInfo
from heartfelt.expression.services.dice_talk import DICE_TALK
from heartfelt.expression.services.dreamtalk import DREAMTALK, level
from heartfelt.expression.services.generator import Generator, GeneratorRequest
from heartfelt.expression.services.open import FACES, VOICES
from heartfelt.expression.services.openvoice import OPENVOICE
from heartfelt.expression.services.styletts2 import STYLETTS2
from heartfelt.expression.style import Style
from heartfelt.labels import translate
from heartfelt.labels.sets import ED32, MEAD

GENERATORS = [*VOICES.values(), *FACES.values()]


def wish(
    generator: Generator, emotion: str, intensity: float = 0.7, tone: str = "", bank: tuple[str, ...] = ()
) -> GeneratorRequest:
    about = ServiceInfo(name="x", kind=generator.kind, contract=1, emotions=bank)
    style = Style(emotion=emotion, intensity=intensity, tone=tone)
    return generator.wish(style, personas()["daniel"], about, seconds=2.4)


@given(
    st.sampled_from(GENERATORS),
    st.sampled_from([*ED32.labels, *MEAD.labels, "joy", "neu", "heartbroken"]),
    st.floats(0, 1),
)
def test_every_style_has_an_entry_and_options_that_are_plain_data(generator: Generator, emotion: str, intensity: float):
    wished = wish(generator, emotion, intensity)
    assert wished.emotion in (generator.emotions or ("",))
    assert all(isinstance(value, str | int | float | bool) for value in generator.options(wished).values())


@pytest.mark.parametrize("emotion", ED32.labels)
def test_the_faces_take_the_map_of_e3rg(emotion: str):
    expected = translate(emotion, ED32, MEAD, via="e3rg")
    assert wish(DICE_TALK, emotion).emotion == wish(DREAMTALK, emotion).emotion == expected


@pytest.mark.parametrize(
    ("emotion", "style"),
    [
        ("joyful", "cheerful"),
        ("caring", "friendly"),
        ("devastated", "sad"),
        ("furious", "angry"),
        ("afraid", "terrified"),
        ("neutral", "default"),
        ("disgusted", "default"),
        ("surprised", "default"),
    ],
)
def test_openvoice_speaks_in_its_own_styles(emotion: str, style: str):
    wished = wish(OPENVOICE, emotion)
    assert wished.emotion == style and OPENVOICE.options(wished)["speaker"] == style


def test_openvoice_has_no_faint_styles():
    assert OPENVOICE.options(wish(OPENVOICE, "sad", 0.1))["speaker"] == "default"


def test_a_feeling_is_in_the_pace_only_where_no_style_carries_it():
    assert OPENVOICE.options(wish(OPENVOICE, "sad", 1.0))["speed"] == 1.0
    assert OPENVOICE.options(wish(OPENVOICE, "sad", 1.0, tone="tender"))["speed"] < 1.0
    assert OPENVOICE.options(wish(OPENVOICE, "disgusted", 1.0))["speed"] < 0.95


def test_styletts2_stresses_a_stronger_feeling_and_keeps_to_its_clip():
    bank = ("neutral", "sad")
    rest, felt = (STYLETTS2.options(wish(STYLETTS2, "sad", strength, bank=bank)) for strength in (0.0, 1.0))
    assert rest == {"alpha": 0.3, "beta": 0.7, "diffusion_steps": 10, "embedding_scale": 1.0}
    assert felt["embedding_scale"] == 2.0 and felt["beta"] == 0.3 and felt["alpha"] == 0.3
    bare = STYLETTS2.options(wish(STYLETTS2, "sad", 1.0))
    assert bare["embedding_scale"] == 2.0 and bare["beta"] == 0.7


def test_dice_talk_shows_more_of_a_stronger_emotion():
    scales = [DICE_TALK.options(wish(DICE_TALK, "joyful", strength))["emo_scale"] for strength in (0, 0.5, 0.7, 1)]
    assert scales == sorted(scales) and scales[2] == pytest.approx(6.0, abs=0.05)


def test_dreamtalk_takes_clips_that_it_comes_with():
    felt, rest = (DREAMTALK.options(wish(DREAMTALK, emotion, 0.5)) for emotion in ("terrified", "neutral"))
    assert felt["style_clip_path"] == "data/style_clip/3DMM/M030_front_fear_level3_001.mat" and felt["level"] == 2
    assert rest["style_clip_path"] == "data/style_clip/3DMM/M030_front_neutral_level1_001.mat" and rest["level"] == 1
    assert felt["max_gen_len"] == 4 and [level(x) for x in (0, 0.3, 0.5, 0.7, 1)] == [1, 1, 2, 3, 3]


@pytest.mark.parametrize(
    ("emotion", "bank", "found"),
    [
        ("sad", ("Neutral", "Sad"), "Sad"),
        ("lonely", ("neutral", "sadness"), "sadness"),
        ("jealous", ("neutral", "disgust"), "disgust"),
        ("disgusted", ("neutral", "contempt"), "contempt"),
        ("furious", ("calm", "joy"), "calm"),
        ("joyful", ("angry", "amused", "happy"), "happy"),
        ("terrified", ("fearful", "terrified"), "terrified"),
    ],
)
def test_a_bank_in_its_own_spelling_is_understood(emotion: str, bank: tuple[str, ...], found: str):
    assert entry(emotion, bank) == found


def test_a_bank_with_nothing_near_is_an_error_that_lists_it():
    with pytest.raises(GeneratorError, match=r"'furious'.*happy, 3\.wav"):
        entry("furious", ("happy", "3.wav"))


def test_what_is_no_emotion_never_reaches_a_generator():
    with pytest.raises(UnknownName):
        wish(OPENVOICE, "xyzzy")


def test_rest_has_many_names():
    assert at_rest("") and at_rest("Default") and at_rest("neutral") and not at_rest("sad")
