"""Put a fault into the first pass on purpose: a cue that nobody said. Code finds it, perceive is blamed and runs again."""

from heartfelt import Ablation, Edit, respond

outcome = respond(
    "I failed my exam. I studied for weeks and I still failed it.",
    recipe="reflective",
    memory="none",
    ablation=Ablation(refinements=1),
    plants=(Edit.parse("perceive.cues.0.quote=my dog ran away"),),
)

for made in outcome.passes:
    assert made.audit is not None
    print(f"pass {made.number}, from {made.started_from}: {made.score}")
    print(f"  cues: {[cue.quote for cue in made.steps[0].output.cues]}")
    print(f"  blamed: {made.audit.blamed}. {made.audit.instruction}")

first, second = outcome.passes[:2]
assert first.audit.blamed == "perceive" and first.audit.findings[0].by == "code"
assert second.audit.blamed != "perceive"
print(outcome.why_chosen)
