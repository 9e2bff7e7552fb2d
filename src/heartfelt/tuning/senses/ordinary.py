"""What a voice's head claims of ordinary speech, in which nothing is acted: whatever unpleasant it hears there is unfounded."""

from pathlib import Path
from typing import Any

import numpy as np

from heartfelt.errors import InputError
from heartfelt.labels.leaning import leaning
from heartfelt.senses.emotions import EmotionNetwork
from heartfelt.senses.voice.layers import VocalEmotion
from heartfelt.tuning.measure import interval
from heartfelt.tuning.senses import sounds

ENDINGS = {".wav", ".flac"}


def unfounded(folder: Path, network: EmotionNetwork) -> dict[str, Any]:
    """How many of its sound files the head claims anything of, and how many anything unpleasant."""
    paths = sorted(path for path in folder.iterdir() if path.suffix in ENDINGS)
    if not paths:
        raise InputError(f"There is no sound in {folder}; give a folder of .wav or .flac files.")
    emotion = VocalEmotion(network=network)
    said = [max(shares, key=lambda label: shares[label], default="") for shares in map(emotion, map(sounds.decoded, paths))]
    return {
        "claims": interval(np.array([bool(label) for label in said])),
        "claims_something_unpleasant": interval(np.array([bool(label) and leaning(label) < 0 for label in said])),
    }
