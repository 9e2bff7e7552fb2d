"""Detectors of danger. Each looks on its own; any one of them can raise an alert and none can lower it."""
