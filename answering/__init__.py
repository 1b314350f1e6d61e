"""Answers without a chat model: units of the passages that can be quoted, chosen and put in order."""
