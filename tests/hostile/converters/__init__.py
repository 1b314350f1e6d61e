"""Converters that misbehave, for the process that runs them (tests/test_formats.py)."""
