"""How much there is of facts, for one caller: counted by the database, over all rows that they may read.

Each looks through a whole table, so who asks keeps what comes. Knows no relation. Try: pytest tests/test_graph_view.py
"""

import json
from collections.abc import Collection

from storage.reader import Reader


def predicates(reader: Reader) -> dict[str, int]:
    """Each predicate with the number of rows that say something by it."""
    return _grouped(reader, "f.predicate", "count(*)", "evidence n JOIN facts f ON f.id = n.fact_id")


def types(reader: Reader) -> dict[str, int]:
    """Each type with the number of its nodes that have a name to be read; "" for none."""
    return _grouped(reader, "t.type", "count(DISTINCT t.id)", "names n JOIN nodes t ON t.id = n.node_id")


def busiest(reader: Reader, predicates: Collection[str], most: int) -> dict[int, int]:
    """The nodes in the most facts that join two by one of these predicates, and in how many each is, these first."""
    condition, more = reader.readable("e.document_id")
    among = reader.among.format("SELECT value FROM json_each(?)")
    rows = reader.connection.execute(
        "WITH told AS (SELECT DISTINCT f.id, f.subject, f.object FROM facts f JOIN evidence e ON e.fact_id = f.id "
        f"WHERE f.object IS NOT NULL AND f.predicate {among} AND {condition}), "
        "ends AS (SELECT id, subject AS node FROM told UNION SELECT id, object FROM told) "
        "SELECT t.id, count(*) FROM ends JOIN nodes t ON t.id = ends.node GROUP BY t.id, t.type, t.key "
        "ORDER BY count(*) DESC, t.type, t.key LIMIT ?",  # equals by what they are: numbers tell of other documents
        (json.dumps(sorted(predicates)), *more, most),
    )
    return dict(rows.fetchall())


def _grouped(reader: Reader, column: str, count: str, tables: str) -> dict[str, int]:
    condition, more = reader.readable("n.document_id")
    sql = f"SELECT {column}, {count} FROM {tables} WHERE {condition} GROUP BY 1 ORDER BY 1"
    return dict(reader.connection.execute(sql, more).fetchall())
