"""The proof that the emotion arrived.

`heard` measures the voice, `seen` shows the film to the senses, `step` finds whether mouth and sound go together, `likeness`
whether the voice stays one person's, and `prover` puts it together after a performance.
"""

from heartfelt.expression.proof.prover import Prover

__all__ = ["Prover"]
