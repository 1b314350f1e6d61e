"""Every place in postgres/ where who may read is asked, each with an edit that takes it away; see access_mutants.

What a statement asks by itself is missed only where the policies are off: with them on, nothing more is read, which is
what two filters are for. Under a Filter the lists are asked twice, so neither is missed alone and none stands here.
Try: python -m tests.prove_access --engine postgres --only policy
"""

from tests.access_mutants import Mutant

CONNECTION, LISTS, PREPARE = "postgres/connection.py", "postgres/lists.py", "postgres/prepare.py"
READER, SCHEMA, SHELF, STORE = "postgres/reader.py", "postgres/schema.py", "postgres/shelf.py", "postgres/store.py"
OFF = "{condition.replace(' AND ', ' AND (true OR ', 1)})"
"""The condition with the same values, and true."""
ALONE, SAYS, NOTHING = "statements_alone", "each_say_what", "holds_nothing or obeys_its_document"


def _unasked(name: str, file: str, old: str, by: str = ALONE) -> Mutant:
    """The statement without its condition on the caller's lists."""
    return Mutant(f"statement: {name}", file, old, old.replace("{condition}", OFF), by)


POSTGRES = (
    _unasked("places", READER, "c.terms > 0{condition} ORDER"),
    _unasked("nearest", READER, "{self._model_id}{condition} ORDER BY"),
    _unasked("cosines", READER, "e.chunk_id = ANY(?){condition} ORDER"),
    _unasked("postings", READER, "',') \"\n            f\"FROM postings p WHERE p.term = ANY(?){condition}"),
    _unasked("phrases", READER, "w.terms || ' ') > 0{condition} ORDER", "others_have_too"),
    _unasked("documents", READER, "c.id = ANY(?){condition}"),
    _unasked("last line", READER, "d.path = ?{condition}"),
    Mutant(
        "statement: facts",
        "storage/facts.py",
        "condition, more = self._reader.guard\n        rows",
        "condition, more = '', ()\n        rows",
        ALONE,
    ),
    _unasked("count", STORE, "chunks c WHERE true{condition}"),
    _unasked("languages", STORE, "d WHERE true{condition} {order}"),
    Mutant("statement: rows", READER, 'self.guard = rights.of("d.list_id", "d.id")', 'self.guard = "", ()', ALONE),
    Mutant(
        "statement: every list",
        STORE,
        "lists.readable(connection, caller, old), wanted",
        "list(range(10_000)), wanted",
        ALONE,
    ),
    Mutant("statement: allow", LISTS, 'f" AND {let} AND', 'f" AND ({let} OR true) AND', SAYS),
    Mutant("statement: narrow", LISTS, "(narrow IS NULL OR {narrowed})", "({narrowed} OR true)", SAYS),
    Mutant("statement: deny", LISTS, " AND NOT {denied}", " AND ({denied} OR true)", SAYS),
    Mutant("statement: all sets", LISTS, "    for held in caller.sets:", "    for held in caller.sets[:1]:", SAYS),
    Mutant("statement: old lists", LISTS, "IS_OPEN if only_open else", "IS_OPEN if False else", "old_lists"),
    Mutant("statement: open", LISTS, " AND deny = '{{}}'\"", '"', "open_to_everyone"),
    Mutant("rights are a caller's", STORE, "key = (caller.sets, wanted, old)", "key = (wanted, old)", "every_road"),
    Mutant("rights are of all sets", STORE, "key = (caller.sets,", "key = (caller.principals,", "others_have_too"),
    Mutant(
        "rights are of now",
        STORE,
        "        if held is None or held.generation != generation:",
        "        if held is None:",
        "every_road",
    ),
    Mutant(
        "who asks is the reader",
        SCHEMA,
        "set_config('role', 'brain_reader', true)",
        "set_config('role', 'brain_writer', true)",
        "policies_alone or carried",
    ),
    Mutant(
        "its role ends with it",
        SCHEMA,
        "set_config('role', 'brain_reader', true)",
        "set_config('role', 'brain_reader', false)",
        "carried",
    ),
    Mutant(
        "its principals end with it",
        SCHEMA,
        "set_config('app.principals', principals, true)",
        "set_config('app.principals', principals, false)",
        "carried",
    ),
    Mutant("all sets are told", LISTS, "[_keys(held) for held in sets]", "[_keys(sets[0])]", SAYS),
    Mutant(
        "lists are noted for whom they show",
        SCHEMA,
        "current_setting('app.lists_of', true) = current_setting('app.principals', true)",
        "current_setting('app.lists_of', true) <> ''",
        "noted_lists",
    ),
    Mutant("no reader in a reader", CONNECTION, "if sql in _BEGINS and self.in_transaction:", "if False:", "carried"),
    Mutant("who connects", STORE, "if found := dangers(connection, role):", "if found := []:", "refused"),
    Mutant("what holds", STORE, "if found := unguarded(connection):", "if found := []:", "does_not_hold"),
    Mutant(
        "a role it may act as",
        PREPARE,
        "pg_has_role(?, oid, 'MEMBER') AND {column}",
        "rolname = ? AND {column}",
        "past_the_lists",
    ),
    Mutant("the owner", PREPARE, "if _asked(connection, owns, (SCHEMA, role)):", "if False:", "owner_of_the_tables"),
    Mutant(
        "reader and writer apart", PREPARE, "if _asked(connection, joined, (READER, WRITER)):", "if False:", "act_as"
    ),
    Mutant("the policy says something", PREPARE, " AND pg_get_expr(p.polqual, c.oid) <> 'true'", "", "does_not_hold"),
    Mutant(
        "policy: allow",
        SCHEMA,
        "    jsonb_exists_any((SELECT sets() -> 0), allow)\n",
        "    jsonb_array_length(sets()) > 0\n",
        NOTHING,
    ),
    Mutant(
        "policy: narrow",
        SCHEMA,
        "    AND (narrow IS NULL OR jsonb_exists_any((SELECT sets() -> 0), narrow))\n",
        "",
        f"{NOTHING} or {SAYS}",
    ),
    Mutant(
        "policy: deny",
        SCHEMA,
        "    AND (deny = '{}' OR NOT jsonb_exists_any((SELECT sets() -> 0), deny))\n",
        "",
        f"{NOTHING} or {SAYS}",
    ),
    Mutant("policy: other sets", SCHEMA, "= 1) OR others_let(", "> 0) OR others_let(", NOTHING),
    Mutant(
        "policy: other sets' allow",
        SCHEMA,
        "        jsonb_exists_any(listed, allowed) AND",
        "        true AND",
        NOTHING,
    ),
    Mutant(
        "policy: other sets' narrow",
        SCHEMA,
        "(narrowed IS NULL OR jsonb_exists_any(listed, narrowed))",
        "true",
        NOTHING,
    ),
    Mutant(
        "policy: other sets' deny",
        SCHEMA,
        "        AND NOT jsonb_exists_any(listed, denied)\n",
        "",
        f"{NOTHING} or {SAYS}",
    ),
    Mutant(
        "policy: rows of a list",
        SCHEMA,
        "THEN true ELSE false END);",
        "THEN true ELSE true END);",
        NOTHING,
    ),
    Mutant("policy: rows of a chunk", SCHEMA, "c WHERE c.id = {}));", "c WHERE c.id = {}) OR 1 = 1);", NOTHING),
    Mutant(
        "policy: vectors of chunks",
        SCHEMA,
        "EXISTS (SELECT 1 FROM chunks c WHERE c.text_hash = vectors.text_hash)",
        "vectors.id > 0",
        NOTHING,
    ),
    Mutant(
        "policy: vectors of units",
        SCHEMA,
        "OR EXISTS (SELECT 1 FROM units u WHERE u.text_hash = vectors.text_hash)",
        "OR vectors.id > 0",
        NOTHING,
    ),
    Mutant("policy: enabled", SCHEMA, "ALTER TABLE {0} ENABLE ROW LEVEL SECURITY;\n", "", NOTHING),
    Mutant("policy: forced", SCHEMA, "ALTER TABLE {0} FORCE ROW LEVEL SECURITY;\n", "", "holds_nothing or every_table"),
    Mutant("policy: all rows are the writer's", SCHEMA, "all_rows ON {0} TO brain_writer", "all_rows ON {0}", NOTHING),
    Mutant(
        "rights: who asks reads only",
        SCHEMA,
        "GRANT SELECT ON {0} TO brain_reader",
        "GRANT ALL ON {0} TO brain_reader",
        "writes_nothing",
    ),
    Mutant(
        "rights: no records for who asks",
        SCHEMA,
        "GRANT SELECT ON meta, models TO",
        "GRANT SELECT ON meta, models, tokens TO",
        "writes_nothing",
    ),
    Mutant(
        "rights: the log stays",
        SCHEMA,
        "REVOKE UPDATE, DELETE ON identity_decisions, audit FROM brain_writer;\n",
        "",
        "takes_a_guard_away",
    ),
    Mutant(
        "rights: cut by a retention alone",
        SCHEMA,
        "WHERE kind = 'retention' AND number > last",
        "WHERE kind = 'sync' OR number > 0",
        "retention_row",
    ),
    Mutant(
        "rights: cut by who syncs alone", SCHEMA, "REVOKE ALL ON FUNCTION cut_audit FROM PUBLIC;\n", "", "retention_row"
    ),
    Mutant(
        "rights: the log grows at its end",
        SCHEMA,
        "    IF NEW.number IS DISTINCT FROM (SELECT",
        "    IF false AND NEW.number <> (SELECT",
        "retention_row",
    ),
    Mutant("revoked: rows", LISTS, "for table in FOLLOWING:", "for table in ():", "revoked_everywhere"),
    *(
        Mutant(
            f"revoked: {table}",
            LISTS,
            "for table in FOLLOWING:",
            f"for table in (one for one in FOLLOWING if one != '{table}'):",
            "revoked_everywhere",
        )
        for table in ("texts", "embeddings", "names", "evidence")
    ),
    Mutant(
        "revoked: postings",
        LISTS,
        "UPDATE postings p SET list_id = ? {_OF_WORDS}",
        "UPDATE postings p SET list_id = p.list_id + 0 * ? {_OF_WORDS}",
        "revoked_everywhere",
    ),
    Mutant(
        "new rows have their list",
        SCHEMA,
        "    SELECT d.list_id INTO STRICT NEW.list_id FROM documents d WHERE d.id = NEW.document_id;\n",
        "    SELECT max(id) INTO STRICT NEW.list_id FROM access_lists;\n",
        "revoked_everywhere or obeys_its",
    ),
)
"""Each must be noticed."""
POSTGRES_SLICE = ("statement: nearest", "its role ends with it", "policy: rows of a chunk", "revoked: postings")
"""Those that every CI run tries."""
