"""The limit, measured: questions made from the corpus itself, what they score, the limit that costs least, its picture.

A first sync runs it, `python -m eval.calibrate` runs it again and with questions of one's own.
"""
