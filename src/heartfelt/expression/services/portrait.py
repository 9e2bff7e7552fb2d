"""The still picture that a face generator brings to life: the persona at rest, as the embedded face draws it."""

import io

from PIL import Image

from heartfelt.expression.persona import Persona

SIZE = 512


def drawn(persona: Persona) -> bytes:
    """A PNG of the person who looks at us and feels nothing much."""
    from heartfelt.expression.render import Renderer  # compiles, so only who needs a portrait waits for it

    file = io.BytesIO()
    Image.fromarray(Renderer(persona.look, SIZE).frame()).save(file, "PNG")
    return file.getvalue()
