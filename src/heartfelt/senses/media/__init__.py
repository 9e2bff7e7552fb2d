"""Opening what a person recorded: video, sound, picture, or a live camera and microphone, as upright frames and mono sound.

`open_media(path)` gives a `Media`; its `clip` says what is in it, `frames()` and `audio()` walk it. Each walk opens the file
again and reads only its own track: reading an hour twice costs little beside decoding it, nothing has to be held back until
the other side has caught up, and face and voice can each have a core.
"""

from heartfelt.senses.media.media import open_media
from heartfelt.senses.media.pieces import Picture, Sound

__all__ = ["Picture", "Sound", "open_media"]
