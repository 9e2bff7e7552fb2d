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
    heard = [emotion(sounds.decoded(path)) for path in paths]
    claims = np.array([network.sure(shares) for shares in heard])
    unpleasant = np.array([leaning(max(shares, key=lambda label: shares[label])) < 0 for shares in heard])
    return {"claims": interval(claims), "claims_something_unpleasant": interval(claims & unpleasant)}
