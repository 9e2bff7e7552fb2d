"""Statistics: how sure a figure is, whether two runs differ, and what a sample of this size can show at all.

Everything resamples dialogues, because turns of one dialogue are alike, and gives the same answer for the same seed.
"""
