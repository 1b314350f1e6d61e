"""Passages that disagree: what their sentences state, of what, and whether two of them can be about the same.

`find` is the door; `statements` takes sentences apart, `values` reads what they state, `apart` and `scope` say what
keeps two of them apart, `twins` lays them over each other, `foreign` compares two languages. Knows no markers and no
verdicts of claims.
Try: python -m pytest tests/test_conflict.py
"""
