"""The insides of store.py: schema and migrations, syncs and what asks for them, vectors in memory, care of the file."""
