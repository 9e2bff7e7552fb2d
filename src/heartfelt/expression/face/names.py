"""The names of the head: its 52 units, its grand lines, its proportions, its parts and its joints."""

_SIDED = (
    "browDown browOuterUp cheekSquint eyeBlink eyeLookDown eyeLookIn eyeLookOut eyeLookUp eyeSquint eyeWide "
    "mouthDimple mouthFrown mouthLowerDown mouthPress mouthSmile mouthStretch mouthUpperUp noseSneer"
)
_SINGLE = (
    "browInnerUp cheekPuff jawForward jawLeft jawOpen jawRight mouthClose mouthFunnel mouthLeft mouthPucker mouthRight "
    "mouthRollLower mouthRollUpper mouthShrugLower mouthShrugUpper tongueOut"
)

UNITS = tuple(sorted([f"{unit}{side}" for unit in _SIDED.split() for side in ("Left", "Right")] + _SINGLE.split()))
"""The 52 face units under the names of ARKit, left and right as the person says them."""

ANCESTRIES = ("african", "asian", "caucasian")
GENDERS = ("female", "male")
AGES = ("young", "old")

PARTS = ("skin", "upper teeth", "lower teeth", "tongue", "left lashes", "right lashes")
JOINTS = ("neck", "head", "head-2", "jaw", "mouth", "l-eye", "r-eye", "l-shoulder", "r-shoulder", "spine-1")


def _both(less: str, more: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The files for less and for more of a proportion; those that begin with * are of both sides of the face."""

    def sides(name: str) -> tuple[str, ...]:
        names = (f"l{name[1:]}", f"r{name[1:]}") if name.startswith("*") else (name,)
        return tuple(f"{one}.target.gz" for one in names)

    return sides(less), sides(more)


PROPORTIONS = {
    "age of the head": _both("head-age-decr", "head-age-incr"),
    "oval head": _both("head-square", "head-oval"),
    "round head": _both("head-rectangular", "head-round"),
    "triangular head": _both("head-invertedtriangular", "head-triangular"),
    "full head": _both("head-fat-decr", "head-fat-incr"),
    "width of head": _both("head-scale-horiz-decr", "head-scale-horiz-incr"),
    "height of forehead": _both("forehead-scale-vert-decr", "forehead-scale-vert-incr"),
    "slope of forehead": _both("forehead-trans-backward", "forehead-trans-forward"),
    "temples": _both("forehead-temple-decr", "forehead-temple-incr"),
    "height of brows": _both("eyebrows-trans-down", "eyebrows-trans-up"),
    "angle of brows": _both("eyebrows-angle-down", "eyebrows-angle-up"),
    "size of eyes": _both("*-eye-scale-decr", "*-eye-scale-incr"),
    "distance of eyes": _both("*-eye-trans-in", "*-eye-trans-out"),
    "inner corner": _both("*-eye-corner1-down", "*-eye-corner1-up"),
    "outer corner": _both("*-eye-corner2-down", "*-eye-corner2-up"),
    "height of eyes": _both("*-eye-height2-decr", "*-eye-height2-incr"),
    "epicanthus": _both("*-eye-epicanthus-out", "*-eye-epicanthus-in"),
    "bags": _both("*-eye-bag-decr", "*-eye-bag-incr"),
    "height of fold": _both("*-eye-eyefold-down", "*-eye-eyefold-up"),
    "cheekbones": _both("*-cheek-bones-decr", "*-cheek-bones-incr"),
    "cheeks": _both("*-cheek-volume-decr", "*-cheek-volume-incr"),
    "inner cheeks": _both("*-cheek-inner-decr", "*-cheek-inner-incr"),
    "height of nose": _both("nose-scale-vert-decr", "nose-scale-vert-incr"),
    "width of nose": _both("nose-scale-horiz-decr", "nose-scale-horiz-incr"),
    "depth of nose": _both("nose-scale-depth-decr", "nose-scale-depth-incr"),
    "width of bridge": _both("nose-width1-decr", "nose-width1-incr"),
    "hump": _both("nose-hump-decr", "nose-hump-incr"),
    "tip of nose": _both("nose-point-down", "nose-point-up"),
    "width of tip": _both("nose-point-width-decr", "nose-point-width-incr"),
    "nostrils": _both("nose-nostrils-width-decr", "nose-nostrils-width-incr"),
    "width of mouth": _both("mouth-scale-horiz-decr", "mouth-scale-horiz-incr"),
    "height of mouth": _both("mouth-trans-down", "mouth-trans-up"),
    "corners of mouth": _both("mouth-angles-down", "mouth-angles-up"),
    "upper lip": _both("mouth-upperlip-height-decr", "mouth-upperlip-height-incr"),
    "lower lip": _both("mouth-lowerlip-height-decr", "mouth-lowerlip-height-incr"),
    "fullness of upper lip": _both("mouth-upperlip-volume-decr", "mouth-upperlip-volume-incr"),
    "fullness of lower lip": _both("mouth-lowerlip-volume-decr", "mouth-lowerlip-volume-incr"),
    "cupid's bow": _both("mouth-cupidsbow-decr", "mouth-cupidsbow-incr"),
    "laugh lines": _both("mouth-laugh-lines-out", "mouth-laugh-lines-in"),
    "width of chin": _both("chin-width-decr", "chin-width-incr"),
    "height of chin": _both("chin-height-decr", "chin-height-incr"),
    "prominence of chin": _both("chin-prominent-decr", "chin-prominent-incr"),
    "bones of jaw": _both("chin-bones-decr", "chin-bones-incr"),
    "size of ears": _both("*-ear-scale-decr", "*-ear-scale-incr"),
    "wings of ears": _both("*-ear-wing-decr", "*-ear-wing-incr"),
    "width of neck": _both("neck-scale-horiz-decr", "neck-scale-horiz-incr"),
    "double chin": _both("neck-double-decr", "neck-double-incr"),
}
"""What makes a face one's own: each from -1 (the first files) over 0 to 1 (the second)."""
