"""StyleTTS 2: the style of a reference clip, mixed with one that is sampled for the text.

The options are those of its `inference`. Its bank is the clips that the service keeps, one for each emotion of a speaker, so it
is the service that lists the emotions; with none it speaks from one clip, and `embedding_scale` alone carries the strength.
"""

from heartfelt.expression.services.contract import Options
from heartfelt.expression.services.generator import Generator, GeneratorRequest

ALPHA = 0.3
"""How much of the timbre comes from the text instead of the reference; its default. The speaker must stay the same."""
BETA_AT_REST, BETA_FELT = 0.7, 0.3
"""The same for the prosody: its default at rest; with feeling more of it is kept from the emotional reference."""
STEPS = 10
"""Of the diffusion. Five is its default; more are more varied."""
SCALE_AT_REST, SCALE_FELT = 1.0, 2.0
"""How strongly the text's own feeling is stressed. Beyond two the speech becomes unsteady."""


def options(wish: GeneratorRequest) -> Options:
    strength = wish.intensity if wish.emotion else wish.style.intensity
    return {
        "alpha": ALPHA,
        "beta": _between(BETA_AT_REST, BETA_FELT, wish.intensity),
        "diffusion_steps": STEPS,
        "embedding_scale": _between(SCALE_AT_REST, SCALE_FELT, strength),
    }


def _between(rest: float, full: float, share: float) -> float:
    return round(rest + (full - rest) * share, 3)


STYLETTS2 = Generator("styletts2", "voice", project="https://github.com/yl4579/StyleTTS2", options=options)
