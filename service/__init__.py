"""Insides of server.py: the door (who may ask), the line (how many at once), the brain (what is ready), the page."""

VERSION = "0.1.0"
"""Of the product, as it is told to clients."""
