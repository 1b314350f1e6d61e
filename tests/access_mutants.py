"""Every place where the filter stands, each with an edit that takes it away; the tests must fail for each.

One a line: what is lost, the file, the text that stands there once, what takes its place.
Try: python -m tests.prove_access
"""

from typing import NamedTuple


class Mutant(NamedTuple):
    """A filter taken away."""

    name: str
    file: str
    old: str
    new: str
    by: str = "every_road"  # the tests that are run first, as pytest's -k has them; where these pass, all are


LISTS, READER, MASKED, STORE = "storage/lists.py", "storage/reader.py", "storage/masked.py", "store.py"
RULES, FOLDER, SYNCING = "access/rules.py", "sources/folder.py", "storage/syncing.py"
GRANTING, DRIVE, GOOGLE = "storage/granting.py", "sources/drive/mirror.py", "access/readers/google.py"
FACTS, TYPED = "storage/facts.py", "answering/typed.py"
UNGUARDED = "(lambda sql, values, at, rest='': self._reader.connection.execute(sql + rest, values).fetchall())("
MUTANTS = (
    Mutant("sql: allow", LISTS, "kind = 'allow' AND principal IN {mine}", "kind = 'allow'"),
    Mutant("sql: deny", LISTS, "WHERE kind = 'deny' AND", "WHERE kind = 'none' AND"),
    Mutant("sql: narrow", LISTS, "n.kind = 'narrow' AND n.principal", "n.kind = 'none' AND n.principal"),
    Mutant("sql: both, for an agent", LISTS, '" INTERSECT "', '" UNION "'),
    Mutant("sql: all sets of a caller", LISTS, "for held in caller.sets:", "for held in (caller.principals,):"),
    Mutant("an empty narrow is nobody", LISTS, "(_IS_NARROWED, *found.narrow)", "found.narrow", "every_text_may_say"),
    Mutant("deny is written", LISTS, '("deny", found.deny)', '("deny", ())'),
    Mutant("open means without deny", LISTS, "kind <> 'allow') = 0", "kind <> 'allow') >= 0", "old_lists"),
    Mutant("the sets of a caller", "access/__init__.py", "(self.principals, *self.within)", "(self.principals,)"),
    Mutant("mask: lengths", MASKED, "np.where(self._mask, self._snapshot.terms, 0)", "self._snapshot.terms"),
    Mutant("mask: nearest", MASKED, "self._mask & (taken.vectors > 0)", "taken.vectors > 0"),
    Mutant("mask: cosines", MASKED, "self._mask[wanted] & (self._snapshot", "(self._snapshot"),
    Mutant("mask: postings", MASKED, "readable = self._mask[places]", "readable = places >= 0"),
    Mutant("mask: chunks and units", MASKED, "for place in places if self._mask[place]}", "for place in places}"),
    Mutant("mask: one chunk", MASKED, "return bool(self._mask[places].any())", "return True"),
    Mutant("mask: documents", MASKED, "for place in places if self._mask[place]]", "for place in places]"),
    Mutant("mask: section", READER, "            return []  # removed", "            pass  # removed"),
    Mutant("mask: last line", MASKED, "if not self._mask[places].any():  # lest", "if not row:  # lest"),
    Mutant(
        "mask: lines", READER,
        "path):\n            return []\n        return list",
        "path) and False:\n            return []\n        return list",
    ),
    Mutant("mask: converted text", READER, "if row and self.last_line(path) else", "if row else", "converted_from"),
    Mutant("mask: phrases", MASKED, "places[self._mask[places]]", "places"),
    Mutant("mask: state", MASKED, "for row in rows if row[0] in mine]", "for row in rows]", "others_got"),
    Mutant("count of the readable", STORE, "mask, int(np.count_nonzero(mask)), [row", "mask, len(mask), [row"),
    Mutant("languages of the readable", STORE, "documents WHERE id IN ({granted}) GROUP", "documents GROUP"),
    Mutant("the mask itself", STORE, "np.isin(taken.documents, documents), taken", "taken.documents > 0, taken"),
    Mutant(
        "rights are a caller's", STORE,
        "(taken.model_id, caller.sets, wanted, old)",
        "(taken.model_id, wanted, old)",
    ),
    Mutant("rights of all sets", STORE, "model_id, caller.sets, wanted", "model_id, caller.principals, wanted"),
    Mutant(
        "rights are of now", STORE,
        "held is not None and held.generation == taken.generation",
        "held is not None",
        "a_changed_rule or every_road",
    ),
    Mutant("rights under a filter", STORE, "d.id IN ({granted}){condition}", "1{condition}"),
    Mutant("rights without some", STORE, "mask = rights.mask & ~np.repeat", "mask = ~np.repeat"),
    Mutant("old lists", STORE, "        if old:\n", "        if False:\n", "old_lists"),
    Mutant(
        "old lists, never synced", STORE,
        "return age is None or abs",
        "return age is not None and abs",
        "old_lists",
    ),
    Mutant("old lists, kept rights", STORE, "caller.sets, wanted, old)", "caller.sets, wanted)", "old_lists"),
    Mutant("deny of every file", RULES, "deny |= found.denied(below)", "pass", "nearest_file_allows"),
    Mutant(
        "the nearest file", RULES,
        "for folder in reversed(folders)",
        "for folder in folders",
        "nearest_file_allows",
    ),
    Mutant("the owner's alone", RULES, "if texts else default", "if False else default", "no_rule_names"),
    Mutant(
        "half a file is none", RULES,
        "        if any(folder in faults for folder in folders):",
        "        if False:",
        "half_a_file",
    ),
    Mutant(
        "both patterns allow", RULES,
        "frozenset.intersection(*lists)",
        "frozenset().union(*lists)",
        "as_narrow_both",
    ),
    Mutant(
        "the narrowest pattern", RULES,
        "for rule in found if rule.letters == most",
        "for rule in found",
        "most_letters",
    ),
    Mutant("any case of letters", RULES, 'unicodedata.normalize("NFC", path).casefold()', "path", "most_letters"),
    Mutant(
        "a line that is no list", RULES,
        "return replace(listed, narrow=frozenset()), f",
        "return listed, f",
        "may_only_narrow",
    ),
    Mutant("a line narrows", RULES, "return replace(listed, narrow=found)", "return listed", "may_only_narrow"),
    Mutant("guarded is closed", RULES, "return CLOSED if guarded else", "return", "default_of_a_source"),
    Mutant(
        "rules that vanished", FOLDER,
        "self._gone = {\n            path: text",
        "self._gone = {\n            path: None",
        "vanish",
    ),
    Mutant("vanished rules are recalled", GRANTING, "self._source.recall(held)", "self._source.recall({})", "vanish"),
    Mutant(
        "rules that cannot be read", FOLDER,
        "            text = None\n",
        '            text = ""\n',
        "unreadable_rules",
    ),
    Mutant(
        "rules behind a link outwards", FOLDER,
        "if not self._leads_out(child, below + child.name)",
        "if True",
        "behind_a_link",
    ),
    Mutant("which of two files of rules", FOLDER, "None if twice else text", "text", "two_files_of_rules"),
    Mutant("rules above a source", FOLDER, " or area.startswith(path.removesuffix(RULES_FILE))", "", "every_road"),
    Mutant(
        "the nearest source", "access/sources.py",
        "key=lambda one: -len(one.path)",
        "key=lambda one: len(one.path)",
        "guarded_source",
    ),
    Mutant("revocation", SYNCING, "if (*now, listed) != (", "if (*now, old.access) != (", "a_changed_rule"),
    Mutant(
        "narrow of an unread file", SYNCING,
        "replace(listed, narrow=old.access.narrow)",
        "listed",
        "malformed_line",
    ),
    Mutant(
        "the document's own line", SYNCING,
        "        if ACCESS in document.meta:",
        "        if False:",
        "every_text_may_say",
    ),
    Mutant(
        "front matter half read", "chunking/front.py",
        '    return {ACCESS: ""} if',
        '    return {} if "" and',
        "does_not_end",
    ),
    Mutant("the line of a .txt", "chunk.py", "if ACCESS in said else {}", "if False else {}", "every_text_may_say"),
    Mutant("kept answers", "answering/cache.py", "caller.sets, state,", ""),
    Mutant("kept answers are one caller's", "answering/cache.py", "caller.id, caller.person, ", "", "caller_s_alone"),
    Mutant("kept answers are of now", "answering/cache.py", "caller.sets, state,", "caller.sets,", "a_kept_answer"),
    Mutant(
        "kept examples", "service/examples.py",
        "held = self._made.get(rights)",
        "held = next(iter(self._made.values()), None)",
        "changes_no_byte",
    ),
    Mutant(
        "examples' search", "service/examples.py",
        "searcher.search(caller, candidate",
        "searcher.search(searcher.store.custodian(), candidate",
        "tried_as_the_caller",
    ),
    Mutant(
        "suggestions' search", "answering/next.py",
        "searcher.search(caller, text",
        "searcher.search(searcher.store.custodian(), text",
        "tried_as_the_caller",
    ),
    Mutant(
        "what is joined to a hit", "search.py",
        "with self.store.reader(caller, self.model_id, wanted) as reader:\n            words",
        "with self.store.reader(self.store.custodian(), self.model_id, wanted) as reader:\n            words",
        "every_road or changes_no_byte",
    ),
    Mutant(
        "judging another's answer", "service/recent.py",
        " or (given.caller, given.held) != (caller.id, caller.sets)",
        "",
    ),
    Mutant("facts: all of them", FACTS, "return self._reader.own(rows, at)", "return rows"),
    Mutant("facts: of documents", MASKED, "return [row for row in rows if row[at] in mine]", "return [*rows]"),
    Mutant(
        "facts: names", FACTS,
        'self._guarded(\n                "SELECT n.node_id, t.type, n.kind, n.name, n.key, n.place',
        UNGUARDED + '\n                "SELECT n.node_id, t.type, n.kind, n.name, n.key, n.place',
    ),
    Mutant(
        "facts: statements", FACTS,
        'self._guarded(\n                "SELECT e.id, f.id,',
        UNGUARDED + '\n                "SELECT e.id, f.id,',
    ),
    Mutant(
        "facts: how many there are", MASKED,
        'return f"{column} IN (SELECT value FROM json_each(?))", (json.dumps(sorted(self._documents)),)',
        'return "1 = 1", ()',
        "facts_api",
    ),
    Mutant(
        "facts: what things are called", MASKED,
        'return len(self._documents.intersection(map(int, joined.split(","))))',
        'return len(joined.split(","))',
    ),
    Mutant(
        "facts: kept for one's rights", FACTS,
        "decided, kept = changes(self.connection), self._reader.kept",
        'decided, kept = changes(self.connection), globals().setdefault("_for_all", {})',
        "facts_api",
    ),
    Mutant(
        "facts: things by name", FACTS,
        'self._guarded(\n            "SELECT n.node_id, t.type, n.kind',
        UNGUARDED + '\n            "SELECT n.node_id, t.type, n.kind',
        "facts_api",
    ),
    Mutant(
        "facts: by whoever asks", TYPED,
        "store.reader(caller, searcher", "store.reader(index.store.custodian(), searcher",
    ),
    Mutant(
        "facts: an answer from them", "answering/facts_road.py",
        "store.reader, caller, searcher.model_id",
        "store.reader, searcher.store.custodian(), searcher.model_id",
    ),
    Mutant(
        "facts: the caller over HTTP", "service/facts.py",
        "        caller = caller_of(request)\n        given",
        "        caller = brain.index().store.custodian()\n        given",
        "facts_api",
    ),
    Mutant(
        "facts: the caller of the map", "service/facts.py",
        'brain, caller_of(request), "map"',
        'brain, brain.index().store.custodian(), "map"',
        "facts_api",
    ),
    Mutant(
        "facts: the caller of an assistant", "assistants/tools.py",
        "lambda: answered(index, caller, ask",
        "lambda: answered(index, index.store.custodian(), ask",
        "facts_api",
    ),
    Mutant(
        "facts: names that were decided on", "storage/decided.py",
        "if all(side in anywhere for side in sides):",
        "if True:",
        "decide",
    ),
    Mutant("the limit's notice", "search.py", "self.store.open_count()\n", "self.store.chunk_count()\n", "others_got"),
    Mutant(
        "the limit's notice to strangers", "search.py",
        "or all(EVERYONE in held for held in caller.sets)",
        "or True",
        "others_got",
    ),
    Mutant(
        "documents: as if not there", "service/documents.py",
        '"There is no such document, or it is not yours to read."',
        'f"{path} is not yours." if path in dict(index.store.connection().execute('
        '"SELECT path, id FROM documents")) else "There is no such document."',
    ),
    Mutant("names go before patterns", RULES, "if below in self.files:", "if False:", "letter_goes_before"),
    Mutant("anyone is not everyone", GOOGLE, "return self.anyone if", "return frozenset({EVERYONE}) if", "grant_means"),
    Mutant("with the link alone", GOOGLE, " and kind not in self.with_link:", " and False:", "grant_means"),
    Mutant("a part of a file", GOOGLE, 'and not grant.get("view") and', "and", "grant_means"),
    Mutant("wider for another text", DRIVE, "if is_here and held and who <= held.who:", "if is_here:", "cut_and_then"),
    Mutant("a text that was looked at", DRIVE, "if now.mark == item.mark and (", "if (", "cut_and_then"),
    Mutant("lists alone, another text", DRIVE, "now.mark != held.mark or", "False or", "lists_alone"),
    Mutant("a text of both lists", DRIVE, "path, file.who & who", "path, who", "new_content_waits"),
    Mutant("no sync between", DRIVE, "with self.lock():", "with contextlib.nullcontext():", "new_content_waits"),
    Mutant("strangers in a copy", "sources/drive/state.py", "closes=not folder)", "closes=False)", "rules_above_open"),
    Mutant("copies without lists", FOLDER, "CLOSED if is_far else default", "default", "copy_s_alone"),
    Mutant("lists of long ago", FOLDER, "0 < self._max_hours < self", "0 > self._max_hours > self", "for_long_hold"),
)  # fmt: skip
"""Each must be noticed."""
SLICE = (
    "sql: narrow",
    "mask: postings",
    "rights are of now",
    "kept answers",
    "rules that vanished",
    "the nearest file",
)
"""Those that every CI run tries."""
