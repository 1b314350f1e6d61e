"""Tests of the readers of formats, on files that the formats' own libraries write."""
