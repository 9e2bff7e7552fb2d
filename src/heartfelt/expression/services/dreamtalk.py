"""DreamTalk: a talking portrait in the style of a clip, with the head movement of another.

The options are those of `inference_for_demo_video.py`. It comes with clips of MEAD for one man and two women, each emotion at
its third level and neutral at its first. Those who have the others of MEAD take `level`, from 1 to 3 by the intensity.
"""

from math import ceil

from heartfelt.expression.services.contract import Options
from heartfelt.expression.services.generator import Generator, GeneratorRequest

EMOTIONS = ("neutral", "happy", "surprised", "angry", "fear", "sad", "disgusted", "contempt")
"""As MEAD spells them in the names of its clips."""
CLIPS = {"male": "M030", "female": "W009"}
"""Whose style is borrowed."""
CLIP = "data/style_clip/3DMM/{who}_front_{emotion}_level{level}_001.mat"
POSE = "data/pose/RichardShelby_front_neutral_level1_001.mat"
"""The only head movement that it comes with."""
SHIPPED = 3
CFG_SCALE_LEAST, CFG_SCALE_MOST = 0.3, 1.3
"""How strongly the style is shown: 1, which is its default, at an intensity of 0.7, which is ours."""


def options(wish: GeneratorRequest) -> Options:
    felt = wish.intensity > 0
    who = CLIPS[wish.persona.identity.gender]
    clip = CLIP.format(who=who, emotion=wish.emotion, level=SHIPPED if felt else 1)
    return {
        "style_clip_path": clip,
        "level": level(wish.intensity),
        "pose_path": POSE,
        "cfg_scale": round(CFG_SCALE_LEAST + (CFG_SCALE_MOST - CFG_SCALE_LEAST) * wish.intensity, 2) if felt else 1.0,
        "max_gen_len": ceil(wish.seconds) + 1,
        "img_crop": True,
    }


def level(intensity: float) -> int:
    """MEAD's three levels, a third of the way each."""
    return min(int(intensity * 3) + 1, 3)


DREAMTALK = Generator("dreamtalk", "face", project="https://github.com/ali-vilab/dreamtalk", emotions=EMOTIONS, options=options)
