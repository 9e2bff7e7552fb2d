"""The voice of the avatar: a text is put into words that can be said, said in a manner, and every sound of it has its time.

`Kokoro` is the embedded voice, `Hummer` its double; both are a `Speaker`. `manner_of` is the emotion bank.
"""

from heartfelt.expression.voice.spoken import joined

__all__ = ["joined"]
