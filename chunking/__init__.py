"""The insides of chunk.py: front matter, and from a passage to the units of it that can be quoted."""
