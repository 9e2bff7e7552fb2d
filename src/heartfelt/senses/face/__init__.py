"""Faces, really measured: who is there, where they look, what their muscles do, and how far the picture can be trusted.

The order of the parts is the order of a frame: `frame` checks it, `detect` and `track` find the faces, `mesh` lays 478 points
over each, `pose` and `gaze` say where it is turned, `shape`, `neutral` and `units` what it does against its own rest, `signs`
and `cues` put that into sentences over time, `align` and `moments` serve the expression network, and `sense` leads through all.
"""
