"""The insides of chunk.py: from a passage to the units of it that can be quoted."""
