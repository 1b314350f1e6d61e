"""The insides of verify.py: markers, facts, negation, and how a claim is held against passages."""
