"""Opening what a person recorded: video, sound, picture, or a live camera and microphone, as upright frames and mono sound.

`open_media(path)` gives a `Media`; its `clip` says what is in it, `frames()` and `audio()` walk it. Each walk opens the file
again and reads only its own track: reading an hour twice costs little beside decoding it, nothing has to be held back until
the other side has caught up, and face and voice can each have a core.
"""

from heartfelt.senses.media.camera import Camera
from heartfelt.senses.media.clip import Clip, PictureTrack, SoundTrack
from heartfelt.senses.media.keyframes import Keyframes, jpeg
from heartfelt.senses.media.media import Media, open_media
from heartfelt.senses.media.microphone import Microphone
from heartfelt.senses.media.pieces import SAMPLE_RATE, Picture, Pixels, Samples, Sound
from heartfelt.senses.media.sharpness import sharpness

__all__ = [
    "SAMPLE_RATE",
    "Camera",
    "Clip",
    "Keyframes",
    "Media",
    "Microphone",
    "Picture",
    "PictureTrack",
    "Pixels",
    "Samples",
    "Sound",
    "SoundTrack",
    "jpeg",
    "open_media",
    "sharpness",
]
