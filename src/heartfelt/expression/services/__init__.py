"""Generators that you run yourself, as back ends: a voice such as OpenVoice, a face such as DICE-Talk, over a small contract.

`open_voice` and `open_face` give one by its address. Each is asked over HTTP; what comes back is checked before it is used. The
words of a reply are never a service's business: it gets them ready and only says or shows them.
"""

from heartfelt.expression.services.fallback import or_else
from heartfelt.expression.services.open import open_face, open_voice

__all__ = ["open_face", "open_voice", "or_else"]
