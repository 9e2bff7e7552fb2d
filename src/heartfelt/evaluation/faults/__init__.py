"""Planted faults: is the earliest faulty step blamed, is it mended, and are good passes left alone?"""
