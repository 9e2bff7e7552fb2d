"""What a triangle is made of. A row of the palette: the kind, red, green and blue as light, and four numbers of its own."""

SKIN, EYE, TEETH, MOUTH, HAIR, CLOTH, GLOSSY = range(7)
"""The kinds. The four numbers are: of an eye the pupil and the way of its gaze; of teeth and mouth the light that comes in; of
hair its gloss, its share of white strands and their whiteness; of cloth its sheen, the strength of its weave, and whether it is
a jacket over a shirt; of the glossy the gloss."""

WIDTH = 8
