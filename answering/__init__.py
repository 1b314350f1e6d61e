"""The insides of answer.py: quoted and written answers, follow-ups before them, their sources, the cache, their text."""
