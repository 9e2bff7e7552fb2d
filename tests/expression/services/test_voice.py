"""The voice of a service: what is sent, what comes back, and what is refused."""

import base64
import io
import json
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from heartfelt.errors import GeneratorError, InputError
from heartfelt.expression.persona import Persona
from heartfelt.expression.services import open_voice
from heartfelt.expression.services.contract import MOST_SPEECH
from heartfelt.expression.services.voice import ServiceVoice
from heartfelt.expression.style import Style
from heartfelt.expression.voice import joined
from heartfelt.expression.voice.spoken import RATE, SpokenAudio

from ..voice.doubles import Letters
from .standin import Asked, Reply, about, example, fault, float_wav, hum, scripted, serving, wav

TEXT = "No, mama. Be here."
HUM = hum((0.2, 0.6), (0.9, 1.5), seconds=1.8)
WAV = Reply(wav(HUM), "audio/wav")


def voice(url: str, **options: Any) -> ServiceVoice:
    return ServiceVoice(url, sounds=Letters(), sleep=lambda _: None, **options)


def said(reply: Reply, style: Style, persona: Persona, text: str = TEXT) -> list[SpokenAudio]:
    with scripted({"/v1/about": about(), "/v1/speech": reply}) as url:
        return list(voice(url).say(text, style, persona))


def check(spoken: SpokenAudio) -> None:
    """Phones edge to edge from start to end, words in order and within."""
    assert spoken.phones[0].start == 0 and spoken.phones[-1].end == pytest.approx(spoken.seconds)
    for before, after in pairwise(spoken.phones):
        assert before.end == pytest.approx(after.start)
    times = [time for word in spoken.words for time in (word.start, word.end)]
    assert times == sorted(times)


def test_the_documented_example_serves_a_voice(style: Style, maya: Persona):
    shim, requests = example("voice"), list[dict[str, Any]]()

    def speak(request: dict[str, Any]) -> bytes:
        requests.append(request)
        return wav(HUM)

    shim["speak"] = speak
    with serving(shim["Service"]) as url:
        spoken = list(voice(url).say("It’s $5, mama. Be here — café!", style, maya))
    assert [request["text"] for request in requests] == ["It's five dollars, mama.", "Be here— café!"]
    assert requests[0]["written"] == "It’s $5, mama." and requests[1]["written"] == "Be here — café!"
    assert requests[0]["emotion"] == "happy" and requests[0]["intensity"] == 0.6 and requests[0]["tone"] == "gentle"
    who = maya.identity.model_dump(include={"name", "age", "gender", "timbre"})
    assert requests[0]["speaker"] == who | {"accent": maya.voice.accent, "reference": None}
    assert requests[0]["options"] == {} and 0.8 <= requests[0]["rate"] <= 1.2
    for stretch in spoken:
        check(stretch)
    whole = joined(spoken)
    assert [word.text for word in whole.words] == ["It’s", "$5", "mama", "Be", "here", "café"]
    assert [word.at for word in whole.words] == [0, 5, 9, 15, 18, 25]


def test_an_example_that_fails_says_why(style: Style, maya: Persona):
    with serving(example("voice")["Service"]) as url, pytest.raises(GeneratorError, match=r"500.*call your generator here"):
        list(voice(url).say(TEXT, style, maya))


def test_sounds_lie_where_something_is_heard_and_pauses_at_marks(style: Style, maya: Persona):
    (spoken,) = said(WAV, style, maya, "No, mama be here.")
    check(spoken)
    first, *others = spoken.words
    assert first.start == pytest.approx(0.03, abs=0.01) and first.end == pytest.approx(0.43, abs=0.02)
    assert others[0].start == pytest.approx(0.73, abs=0.02) and others[-1].end == pytest.approx(1.33, abs=0.02)
    silent = [phone for phone in spoken.phones if not phone.symbol]
    assert len(silent) == 3


def test_word_times_of_the_service_are_kept(style: Style, maya: Persona):
    words = [("No,", 0.2, 0.3), ("mama", 0.3, 0.6), ("be", 0.9, 1.3), ("here.", 1.3, 1.5)]
    body = {
        "audio": base64.b64encode(wav(HUM)).decode(),
        "words": [{"text": text, "start": start, "end": end, "score": 1} for text, start, end in words],
    }
    (spoken,) = said(Reply(json.dumps(body).encode()), style, maya, "No, mama be here.")
    check(spoken)
    assert [word.start for word in spoken.words] == pytest.approx([0.03, 0.13, 0.73, 1.13], abs=0.005)


def test_words_that_the_service_left_out_lie_between_the_others(style: Style, maya: Persona):
    body = {
        "audio": base64.b64encode(wav(HUM)).decode(),
        "words": [{"text": "mama", "start": 0.3, "end": 0.6}, {"text": "HERE", "start": 1.3, "end": 1.5}],
    }
    (spoken,) = said(Reply(json.dumps(body).encode()), style, maya, "No, mama be here.")
    check(spoken)
    assert [word.start for word in spoken.words] == pytest.approx([0.03, 0.13, 0.73, 1.13], abs=0.005)


@pytest.mark.parametrize("rate", [8_000, 24_000, 48_000])
@pytest.mark.parametrize("form", ["mono", "stereo", "float"])
def test_any_rate_and_form_becomes_mono_at_24_khz(rate: int, form: str, style: Style, maya: Persona):
    samples = hum((0.0, 1.0), seconds=1.0, rate=rate)
    content = float_wav(samples, rate) if form == "float" else wav(samples, rate, 2 if form == "stereo" else 1)
    (spoken,) = said(Reply(content, "audio/x-wav"), style, maya, "Mama.")
    assert spoken.rate == RATE and spoken.samples.dtype == np.float32
    heard = spoken.samples[: RATE // 2]
    assert np.abs(heard).max() == pytest.approx(0.3, abs=0.03)
    assert np.argmax(np.abs(np.fft.rfft(heard))) * 2 == pytest.approx(180, abs=3)


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        (Reply(b"<html>no</html>", "audio/wav"), "no WAV"),
        (Reply(b"RIFF\x10\0\0\0WAVEfmt ", "audio/wav"), "no WAV"),
        (Reply(b"", "audio/wav"), "no WAV"),
        (Reply(wav(np.zeros(0)), "audio/wav"), "without sound|no WAV"),
        (Reply(wav(np.zeros(20_000)), "audio/wav"), "silent"),
        (Reply(float_wav(np.full(20_000, np.nan)), "audio/wav"), "no numbers"),
        (Reply(float_wav(np.where(np.arange(20_000) == 9_000, np.inf, 0.1)), "audio/wav"), "no numbers"),
        (Reply(wav(HUM, channels=3), "audio/wav"), "no WAV"),
        (Reply(wav(HUM), "video/mp4"), "video/mp4 instead of audio/wav"),
        (Reply(b"{}"), "does not fit the contract: audio"),
        (Reply(b"[1,"), "cannot be read"),
        (Reply(b'{"audio": "no base64!"}'), "cannot be read"),
        (Reply(b'{"audio": "", "words": [{"text": "a", "start": NaN, "end": 1}]}'), r"words\.0\.start"),
    ],
)
def test_what_cannot_be_heard_is_refused(reply: Reply, says: str, style: Style, maya: Persona):
    with pytest.raises(GeneratorError, match=says) as caught:
        said(reply, style, maya)
    assert "http://127.0.0.1:" in str(caught.value) and "log" in str(caught.value)


@pytest.mark.parametrize("times", [[(0.5, 0.3)], [(0.0, 0.5), (0.4, 0.6)], [(0.2, 9.0)]])
def test_impossible_word_times_are_refused(times: list[tuple[float, float]], style: Style, maya: Persona):
    words = [{"text": "mama", "start": start, "end": end} for start, end in times]
    body = json.dumps({"audio": base64.b64encode(wav(HUM)).decode(), "words": words}).encode()
    with pytest.raises(GeneratorError, match="word times"):
        said(Reply(body), style, maya)


def test_an_answer_without_end_is_not_read(monkeypatch: pytest.MonkeyPatch, style: Style, maya: Persona):
    assert MOST_SPEECH >= 60 * 1024**2
    monkeypatch.setattr("heartfelt.expression.services.voice.MOST_SPEECH", 10_000)
    with pytest.raises(GeneratorError, match="which is the most that is taken"):
        said(WAV, style, maya)


def test_a_sound_of_hours_is_not_decoded_to_its_end(style: Style, maya: Persona):
    with pytest.raises(GeneratorError, match="more than 300 seconds"):
        said(Reply(wav(np.full(8_000 * 301, 0.1), 8_000), "audio/wav"), style, maya, "Mama.")


def test_what_is_wrong_with_the_text_is_told_before_anything_is_asked(style: Style, maya: Persona):
    asked: list[Asked] = []
    with scripted({}, asked) as url:
        for text in ("", "😀", "你好"):
            with pytest.raises(InputError):
                voice(url).say(text, style, maya)
    assert not asked


def test_a_long_sentence_is_cut_and_short_ones_are_not(style: Style, maya: Persona):
    asked: list[Asked] = []
    long = " ".join(["mama be here"] * 40) + "."
    with scripted({"/v1/about": about(), "/v1/speech": WAV}, asked) as url:
        list(voice(url).say(f"Be here now, mama, and be no more alone here. {long}", style, maya))
    texts = [each.json["text"] for each in asked[1:]]
    assert texts[0] == "Be here now, mama, and be no more alone here." and len(texts) == 4
    assert max(map(len, texts)) <= 200 and sum(text.count("mama") for text in texts) == 41


def test_the_service_is_asked_sentence_by_sentence_and_about_itself_once(style: Style, maya: Persona):
    asked: list[Asked] = []
    with scripted({"/v1/about": about(), "/v1/speech": WAV}, asked) as url:
        stretches = voice(url + "/v1/?reference=maya.wav").say("No mama. Be here. No.", style, maya)
        assert not asked
        next(stretches)
        assert [each.path for each in asked] == ["/v1/about", "/v1/speech"]
        list(stretches)
    assert len(asked) == 4 and asked[1].json["speaker"]["reference"] == "maya.wav"


def test_a_service_without_emotions_gets_the_feeling_as_pace_and_pitch(maya: Persona):
    felt = Style(emotion="sad", intensity=1.0)
    asked: list[Asked] = []
    for emotions in ([], ["neutral", "sad"]):
        with scripted({"/v1/about": about(emotions=emotions), "/v1/speech": WAV}, asked) as url:
            list(voice(url).say("Mama.", felt, maya))
    without, with_sad = (each.json for each in asked if each.path == "/v1/speech")
    assert without["emotion"] == "" and without["rate"] < 0.9 and without["pitch"] < -1
    assert with_sad["emotion"] == "sad" and with_sad["rate"] > 0.95


def test_an_emotion_for_which_there_is_nothing_is_one_clear_error(maya: Persona):
    with (
        scripted({"/v1/about": about(emotions=["happy"]), "/v1/speech": WAV}) as url,
        pytest.raises(GeneratorError, match=r"nothing for 'furious'.*happy"),
    ):
        list(voice(url).say("Mama.", Style(emotion="furious"), maya))


def test_an_interrupt_in_the_middle_comes_through(monkeypatch: pytest.MonkeyPatch, style: Style, maya: Persona):
    def interrupted(content: bytes) -> np.ndarray:
        raise KeyboardInterrupt

    monkeypatch.setattr("heartfelt.expression.services.voice.read_wav", interrupted)
    with pytest.raises(KeyboardInterrupt):
        said(WAV, style, maya)


def test_a_known_generator_gets_its_own_options(maya: Persona):
    asked: list[Asked] = []
    with scripted({"/v1/about": about(emotions=[]), "/v1/speech": [fault(503, Retry_After="0"), WAV]}, asked) as url:
        speaking = open_voice(f"openvoice:{url}")
        assert isinstance(speaking, ServiceVoice)
        speaking._sounds = Letters()
        list(speaking.say("Mama.", Style(emotion="terrified", intensity=0.9), maya))
    assert asked[-1].json["emotion"] == "terrified"
    assert asked[-1].json["options"] | {"speed": 1} == {"speaker": "terrified", "language": "English", "speed": 1, "tau": 0.3}


def test_wav_files_with_an_unknown_length_are_read(style: Style, maya: Persona):
    content = bytearray(wav(HUM))
    content[4:8] = content[40:44] = b"\xff\xff\xff\xff"  # as programs write it that cannot go back in their output
    (spoken,) = said(Reply(io.BytesIO(content).getvalue(), "audio/wav"), style, maya, "Mama.")
    assert spoken.seconds > 1


def test_the_sounds_are_those_of_the_language(style: Style, maya: Persona):
    pytest.importorskip("espeakng_loader")
    with scripted({"/v1/about": about(), "/v1/speech": WAV}) as url:
        (spoken,) = ServiceVoice(url).say("Yes, my friend.", style, maya)
    check(spoken)
    assert "".join(phone.symbol or "|" for phone in spoken.phones) == "|jɛs|maɪfɹɛnd|"
    assert [phone.symbol for phone in spoken.phones if phone.stressed] == ["ɛ", "ɛ"]
