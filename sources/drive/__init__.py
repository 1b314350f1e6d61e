"""Google Drive as a folder: a copy of a shared drive or a folder of it, with who may read each file as access.toml.

The copy is written only here: lists before the files they speak of, so that the folder source and its rules need know
nothing of Drive. One module what Drive tells, one the names, one what is kept, one the pass itself.
Try: python -m access.sources --now NAME
"""
