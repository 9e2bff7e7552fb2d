"""What the steps make of what was seen and heard."""

from heartfelt.agents import ForecastEmotion, MakePlan, Perceive
from heartfelt.fusion.fuse import fuse
from heartfelt.records import Cue, Dialogue, Evidence, Forecast, Measured, Moment, Plan, Readings, Sensed, Turn
from scripts import SAID, good, view_of

SMILE = Measured(source="face", text="smiles", start=0.5, end=2.0, strength=0.8)


def moment(emotion: str) -> Moment:
    return Moment(start=0, end=3, shares={emotion: 0.9, "neutral": 0.1}, reliability=0.9)


def seen(face: str, words: str = "sadness") -> Readings:
    sensed = (Sensed(source="words", moments=(moment(words),)), Sensed(source="face", moments=(moment(face),), cues=(SMILE,)))
    return fuse(sensed, duration=3)


def dialogue(readings: Readings | None) -> Dialogue:
    return Dialogue(turns=(Turn(speaker="Ana", text=SAID, readings=readings),))


async def test_perceive_cites_what_was_measured_with_its_time():
    for profile in ("compact", "full"):
        made = await Perceive().run(view_of(dialogue=dialogue(seen("joy")), model=good(profile)))
        assert isinstance(made.output, Evidence) and made.findings == ()
        face = next(cue for cue in made.output.cues if cue.source == "face")
        assert face.quote == "smiles, 0.5–2.0 s, strong" and face.meaning == "joy" and (face.start, face.end) == (0.5, 2.0)


def test_a_face_that_nobody_saw_is_not_cited():
    cue = Cue(source="face", quote="smiles", meaning="joy")
    (finding,) = Perceive().check(Evidence(cues=(cue,)), view_of(dialogue=dialogue(None)))
    assert "nothing to see or hear" in finding.problem and "Only words" in finding.instruction
    assert Perceive().check(Evidence(cues=(cue,)), view_of(dialogue=dialogue(seen("joy")))) == ()


async def test_a_contradiction_is_reported_and_changes_the_plan():
    planned: list[Plan] = []
    for readings in (seen("joy"), seen("sadness")):
        view = view_of(dialogue=dialogue(readings), model=good("compact"))
        forecast = (await ForecastEmotion().run(view)).output
        assert isinstance(forecast, Forecast)
        assert bool(forecast.conflict) == (readings.conflict is not None)
        options = MakePlan().schema(view, compact=True)["properties"]
        planned.append(Plan.model_validate({name: each["enum"][0] for name, each in options.items()}))
    assert (planned[0].goal, planned[0].tactic) == ("explore", "asking an open question")
    assert planned[0] != planned[1]


def test_a_capable_model_reads_the_measurements_and_a_small_one_does_not():
    for profile, told in (("full", True), ("compact", False)):
        prompt = Perceive().prompt(view_of(dialogue=dialogue(seen("joy"))), good(profile), None)
        assert ("face: smiles, 0.5–2.0 s, strong" in prompt.messages[-1].text) is told
