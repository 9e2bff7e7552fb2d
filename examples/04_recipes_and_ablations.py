"""The same words through three setups: the baseline, a published system, and that system with a step taken away."""

from heartfelt import Ablation, respond

SAID = "My sister forgot my birthday again."

SETUPS = {
    "direct": {"recipe": "direct"},
    "trace": {"recipe": "trace"},
    "trace without strategy": {"recipe": "trace", "ablation": Ablation(without=("strategy",))},
}

for name, setup in SETUPS.items():
    outcome = respond(SAID, **setup)
    steps = " → ".join(record.step for record in outcome.best.steps)
    print(f"{name}\n  {steps}\n  {outcome.reply}")
