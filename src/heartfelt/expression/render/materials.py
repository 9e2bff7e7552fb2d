"""What a triangle is made of. A row of the palette: the kind, red, green and blue as light, and six numbers of its own."""

SKIN, EYE, TEETH, MOUTH, HAIR, CLOTH, GLOSSY = range(7)
"""The kinds. Their own numbers are: of an eye the pupil, the way of its gaze, and how high its lids stand; of teeth and mouth
the light that comes in; of hair its gloss and its share of grey; of cloth its sheen, the strength of its ribs and the width of
its hem; of the glossy the gloss."""

WIDTH = 10
