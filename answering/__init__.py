"""The insides of answer.py: follow-ups, quoted and written answers, their sources, the cache, what a terminal shows."""
