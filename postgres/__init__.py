"""The second engine: an index in PostgreSQL with pgvector, whose rows obey the access lists in the database itself."""
