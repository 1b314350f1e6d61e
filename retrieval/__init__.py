"""The insides of search.py: what is looked for, ranked, gated, joined into passages and explained."""
