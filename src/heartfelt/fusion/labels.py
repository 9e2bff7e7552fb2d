"""The label set in which all senses speak: seven emotions that a face, a voice and words can show alike."""

LABELS = "meld"
