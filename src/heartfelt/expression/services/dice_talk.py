"""DICE-Talk: a talking portrait in one of eight emotions.

The options are those of `DICE_Talk.process`. Its emotion is a file that is named by the label, such as `happy.npy`; which one
the service reads for `emotion` is its own business. Its licence forbids commercial use (CC BY-NC-SA 4.0).
"""

from heartfelt.expression.services.contract import Options
from heartfelt.expression.services.generator import Generator, GeneratorRequest

EMOTIONS = ("neutral", "happy", "surprised", "angry", "fear", "sad", "disgusted", "contempt")
REF_SCALE = 3.0
"""How strongly the person stays the same; its default."""
EMO_SCALE_LEAST, EMO_SCALE_MOST = 2.0, 7.7
"""How strongly the emotion is shown: 6, which is its default, at an intensity of 0.7, which is ours."""
MIN_RESOLUTION, INFERENCE_STEPS = 512, 25


def options(wish: GeneratorRequest) -> Options:
    return {
        "ref_scale": REF_SCALE,
        "emo_scale": round(EMO_SCALE_LEAST + (EMO_SCALE_MOST - EMO_SCALE_LEAST) * wish.intensity, 2),
        "min_resolution": MIN_RESOLUTION,
        "inference_steps": INFERENCE_STEPS,
        "crop": False,  # the portrait is framed already
        "seed": 0,  # the same film for the same reply
    }


DICE_TALK = Generator("dice-talk", "face", project="https://github.com/toto222/DICE-Talk", emotions=EMOTIONS, options=options)
