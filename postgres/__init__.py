"""The second engine: an index in PostgreSQL with pgvector, whose rows obey the access lists in the database itself.

Needs the driver, which is loaded only where a database is named.
"""

from errors import UsageError


def check_driver() -> None:
    """Raises UsageError, with the command that helps, where psycopg cannot be loaded."""
    try:
        import psycopg  # noqa: F401
    except ImportError as error:
        raise UsageError(f"PostgreSQL needs its driver ({error}). Run: pip install '.[postgres]'") from error
