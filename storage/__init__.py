"""The insides of store.py: schema and migrations, one sync, the vectors in memory."""
