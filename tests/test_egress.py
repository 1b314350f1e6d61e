"""What stands in a restricted source reaches no model server outside: a whole session, every request body read.

The doubles speak the servers' protocols on loopback; `127.1` is another way to write that address, which no rule here
takes for this machine. Try: pytest tests/test_egress.py
"""

import ast
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from access.egress import border, is_inside
from answer import Answer, Assistant
from answering.events import Event
from answering.history import Turn
from calibration.first import calibrated
from checks import chosen
from config import Settings, load
from models.ollama_backend import OllamaChat, OllamaEmbedder
from models.openai_backend import choose
from search import Index, open_index
from service.examples import Examples
from tests.conftest import HashEmbedder, caller, passages, reads, searched_as_stored, write
from tests.doubles import Double
from tests.ollama_double import DEFAULT_MODELS, Model, OllamaDouble
from tests.openai_double import CHAT, EMBED, OpenAIDouble
from tests.test_layout import PRODUCT, name_of, tree_of

SECRET = re.compile("zor", re.I)
"""Stands in every sentence and heading of the restricted page, and nowhere else."""
PLAN = """# Zorplan

## The merger with Zorvelt

The merger costs the zorbank nine million euro in the first spring after the vote.

## How many zorbit shares does each partner of the merger get?

Each partner of the merger gets forty zorbit shares if the supervisory board agrees to it.

## Zordays

The merger is told to the zorstaff thirty days after the vote of the supervisory board.

Every zorclerk keeps the merger papers in a locked zorbox on the second floor until spring.
"""
OPEN = {
    f"handbook/{name}.md": f"# {name.title()}\n\n## Rules\n\nEvery {name} is lent to staff for at most {days} days. "
    f"Whoever loses a {name} tells reception before ten in the morning.\n\n## Repairs\n\n"
    f"A broken {name} is repaired by the helpdesk within {days + 2} working days.\n"
    for days, name in enumerate(("laptop", "bicycle", "projector", "camera", "badge", "phone", "headset", "drill"), 3)
}
MERGER = "What does the merger cost in the first spring after the vote?"
LAPTOP = "For how many days is a laptop lent to staff?"
ROADS = {
    "embedded": "^(?!Instruct:).",
    "asked": "^Instruct:",
    "written": "Answer from the passages",
    "judged": "Judge claims",
    "second look": "Score passages",
    "history": "The last question",
    "calibration": "Write one short question",
}
"""What tells the kinds of calls apart, by a text in them."""
ALL = {"suggest": True, "rerank": True, "verify": "rules+model", "min_score": 0.05, "min_coverage": 0.3}


def thinks(messages: list[dict[str, str]]) -> str:
    """A model that uses all it is shown, in words of its own too, whatever it is asked for."""
    told = messages[-1]["content"]
    if re.search(ROADS["history"], told):
        heard = re.findall(r"\bzor\w+", told, re.I)
        return json.dumps({"question": f"{MERGER[:-1]} {' '.join(heard[:1])}?".replace(" ?", "?")})
    if re.search(ROADS["second look"], told):
        return json.dumps({"scores": [{"n": int(n), "score": 9} for n in re.findall(r'<passage n="(\d+)"', told)]})
    if "Names: " in told:
        return json.dumps({"why": "a slip", "same": "yes"})
    if re.search(ROADS["judged"], told):
        return json.dumps(
            {"verdicts": [{"n": int(n), "why": "", "supported": True} for n in re.findall(r'{"n": (\d+)', told)]}
        )
    if re.search(ROADS["calibration"], messages[0]["content"]):
        word = max(re.findall(r"\w+", told), key=len)
        return json.dumps({"question": f"What is said of the {word}, and whom does it concern here?"})
    free = " The zorbank pays it gladly, as nobody had feared before. [1]" if SECRET.search(told) else ""
    return reads(messages) + free if passages(messages) else "NOT_FOUND"


@dataclass
class House:
    """An index over open pages and a restricted one; `outside` are the servers that must not see that."""

    index: Index
    outside: list[Double]

    def ask(self, question: str, *turns: Turn, **more: Any) -> Answer:
        return Assistant(self.index).ask(caller(), question, history=turns, **more)[0]

    def leaks(self) -> dict[str, list[str]]:
        """The texts with a secret that reached the servers outside, by the kind of call."""
        found: dict[str, list[str]] = {}
        for double in self.outside:
            for _, body in double.requests:
                body = body if isinstance(body, dict) else {}
                given = body.get("input", [])
                texts = [given] if isinstance(given, str) else [*given]
                if body.get("messages"):
                    texts = ["\n".join(str(message["content"]) for message in body["messages"])]
                for text in filter(SECRET.search, texts):
                    kinds = [kind for kind, mark in [*ROADS.items()][::-1] if re.search(mark, text)]
                    found.setdefault(kinds[0], []).append(text)
        return found


Opener = Callable[..., House]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Opener]:
    """house(kind, **settings): "ollama" outside with both models, or "openai" with one of two servers outside."""
    write(tmp_path / "docs", {**OPEN, "board/plan.md": PLAN})
    config = tmp_path / "brain.toml"
    config.write_text('[sources.board]\npath = "board"\nsensitivity = "restricted"\n')
    models = DEFAULT_MODELS | {"other-embedding:latest": Model("embed")}
    opened: list[Index] = []
    with (
        OllamaDouble(handler=thinks, models=models) as ollama,
        OpenAIDouble(handler=thinks) as chats,
        OpenAIDouble(handler=thinks) as embeds,
    ):

        def settings(kind: str, values: dict[str, Any]) -> Settings:
            flags = {"docs_dir": tmp_path / "docs", "db": tmp_path / "i.db", "backend": kind.partition(" ")[0]}
            flags |= {"ollama_host": far(ollama.host)}
            if kind != "ollama":
                chat, embed = (far(chats.url), embeds.url) if kind == "openai chat" else (chats.url, far(embeds.url))
                flags |= {"openai_url": chat, "openai_embed_url": embed, "chat_model": CHAT, "embed_model": EMBED}
                flags |= {"num_ctx": 4096}
            return load(flags | {"min_score": 0.2} | values, {"BRAIN_CONFIG": str(config)})

        def made(kind: str = "ollama", **values: Any) -> House:
            opened.append(open_index(settings(kind, values), notice=lambda text: None))
            return House(opened[-1], {"ollama": [ollama], "openai chat": [chats], "openai embedder": [embeds]}[kind])

        yield made
        for index in opened:
            index.store.close()


def far(url: str) -> str:
    """The same address, which no longer reads as this machine."""
    return url.replace("127.0.0.1", "127.1")


def session(home: House) -> None:
    """Everything that can be asked of an index, once."""
    home.index.sync()
    home.index.sync(retry_refused=True)
    events: list[Event] = []
    first = home.ask(MERGER, tell=events.append)
    assert "nine million euro" in first.answer, "the caller may read it all the same"
    home.ask("And what do the partners of the merger get?", Turn(MERGER, first.answer), tell=events.append)
    home.ask(LAPTOP, Turn(MERGER, first.answer))
    for lang in ("", "en"):
        Examples().of(home.index, caller(), lang)
    calibrated(home.index, [], 3.0)
    calibrated(home.index, [], 3.0, seconds=1.0)
    home.index.searcher().search(caller(), MERGER)


@pytest.mark.parametrize("kind", ["ollama", "openai chat", "openai embedder"])
def test_a_whole_session_sends_nothing_restricted_outside(house: Opener, kind: str) -> None:
    home = house(kind, **ALL)
    session(home)
    assert home.leaks() == {}
    assert all(double.requests for double in home.outside)


def test_a_move_to_another_model_sends_nothing_restricted_and_ends(house: Opener) -> None:
    house().index.sync()
    home = house(embed_model="other-embedding")
    assert home.index.is_moving()
    home.index.sync()
    assert not home.index.is_moving()
    assert home.index.searcher().moving == ""
    assert "nine million euro" in home.ask(MERGER).answer
    assert home.leaks() == {}


def test_questions_to_measure_by_are_written_of_no_restricted_page(house: Opener) -> None:
    home = house("openai chat")
    home.index.sync()
    calibrated(home.index, [], 3.0)
    assert any(re.search(ROADS["calibration"], str(body)) for _, body in home.outside[0].requests)
    assert home.leaks() == {}


@pytest.mark.parametrize(
    ("kind", "roads"),
    [
        ("ollama", {*ROADS}),
        ("openai chat", {*ROADS} - {"embedded", "asked"}),
        ("openai embedder", {"embedded", "asked"}),
    ],
)
def test_the_session_goes_every_road_where_the_host_is_named(house: Opener, kind: str, roads: set[str]) -> None:
    home = house(kind, restricted_hosts=["127.1"], **ALL)
    session(home)
    assert set(home.leaks()) == roads


# --- what is outside ----------------------------------------------------------------------------------------------

ADDRESSES = [
    ("", True),  # this process
    ("http://localhost:11434", True),
    ("HTTP://LOCALHOST/v1", True),
    ("http://127.0.0.1:8000/v1", True),
    ("https://127.200.3.4", True),
    ("http://[::1]:11434", True),
    ("http://gpu.intranet.example:8000/v1", True),  # listed
    ("http://GPU.intranet.example", True),
    ("http://[fd00::7]:11434", True),
    ("http://192.0.2.7", False),
    ("http://gpu.intranet.example.evil.example", False),
    ("http://evil.example/gpu.intranet.example", False),
    ("https://localhost.evil.example", False),
    ("http://localhost.", False),
    ("http://notlocalhost", False),
    ("http://127.0.0.1.evil.example", False),
    ("http://127.0.0.1@evil.example", False),
    ("http://evil.example@127.0.0.1", False),  # which of the two a client takes is not known here
    ("http://127.0.0.1:80@evil.example:80", False),
    ("http://evil.example#@localhost", False),
    ("http://evil.example\\@127.0.0.1", False),
    ("http://127.0.0.1\\.evil.example", False),
    ("http://127.1", False),
    ("http://2130706433", False),
    ("http://0x7f.0.0.1", False),
    ("http://0177.0.0.1", False),
    ("http://0.0.0.0", False),
    ("http://128.0.0.1", False),
    ("http://[::ffff:127.0.0.1]", False),
    ("http://[::1%25eth0]", False),
    ("http://[::2]", False),
    ("http://[::1", False),
    ("http://loc\talhost", False),
    ("http://loca\u217chost", False),
    ("http://\uff11\uff12\uff17.0.0.1", False),
    ("http://%6cocalhost", False),
    ("http://", False),
    ("localhost", False),
    ("127.0.0.1:11434", False),
    ("unix:///run/model.sock", False),
]


@pytest.mark.parametrize(("url", "inside"), ADDRESSES)
def test_what_is_inside_is_read_from_the_address_alone(url: str, inside: bool) -> None:
    assert is_inside(url, ["gpu.Intranet.example", "[fd00::7]"]) == inside


@pytest.mark.parametrize(
    ("host", "url", "inside"),
    [
        ("", "http://127.0.0.1:11434", True),
        ("0.0.0.0:11434", "http://127.0.0.1:11434", True),  # what a server listens at, as Ollama itself reads it
        ("localhost", "http://localhost:11434", True),
        ("http://127.0.0.1@evil.example", "http://evil.example:80", False),
        ("https://localhost.evil.example", "https://localhost.evil.example:443", False),
        ("gpu-host", "http://gpu-host:11434", False),
    ],
)
def test_a_model_on_ollama_says_where_texts_really_go(host: str, url: str, inside: bool) -> None:
    waits: dict[str, Any] = {"connect_seconds": 1, "read_seconds": 1, "total_seconds": 1, "keep_alive": "1m"}
    chat = OllamaChat(host, "c", num_ctx=2048, num_predict=100, temperature=0, **waits)
    assert OllamaEmbedder(host, "e", **waits).url == chat.url == url
    assert is_inside(url, ()) == inside


def test_models_at_openai_addresses_say_where_they_are(make_settings: Callable[..., Settings], docs: Path) -> None:
    with OpenAIDouble() as chats, OpenAIDouble() as embeds:
        settings = make_settings(
            docs, backend="openai", openai_url=chats.url, openai_embed_url=embeds.url, chat_model=CHAT,
            embed_model=EMBED, num_ctx=4096,
        )  # fmt: skip
        embedder, chat, _ = choose(settings)
        assert embedder
        assert chat
        assert (embedder.url, chat.url) == (embeds.url, chats.url)


def test_the_nearest_source_says_whether_a_document_is_held_back(make_settings: Callable[..., Settings]) -> None:
    tables = {
        "board": {"path": "board", "sensitivity": "restricted"},
        "minutes": {"path": "board/public", "sensitivity": "public"},
    }
    settings = make_settings(Path("docs"), sources=tables)
    held = border(settings, HashEmbedder(), Away())
    assert held.host == "far.example"
    paths = ["board/a.md", "board/x/a.md", "board/public/a.md", "boards.md", "a.md"]
    assert [held.holds(path) for path in paths] == [True, True, False, False, False]
    assert not border(settings, HashEmbedder(), None).holds("board/a.md")
    assert border(make_settings(Path("docs"), sources={"all": {"sensitivity": "restricted"}}), Away()).holds("a.md")


LEADS = "# Teams {0}\n\n| Team | Lead |\n|---|---|\n| {1} | {2} |\n"


def test_names_are_judged_by_lines_that_may_be_sent(house: Opener) -> None:
    """A pair of which one name stands in the restricted page alone is left to people."""
    home = house("ollama", judge_names=True)
    pages = {"handbook/a.md": ("", "Red", "Siobhan Keane"), "handbook/b.md": ("again", "Blue", "Siobhan Kaene")}
    pages["board/c.md"] = ("of zor", "Zorgreen", "Siobhan Keanne")
    write(home.index.settings.docs_dir, {path: LEADS.format(*told) for path, told in pages.items()})
    home.index.sync()
    asked = [body["messages"][-1]["content"] for _, body in home.outside[0].requests if "Names: " in str(body)]
    assert len(asked) == 1
    assert "| Red | Siobhan Keane |" in asked[0]
    assert "| Blue | Siobhan Kaene |" in asked[0]
    assert home.leaks() == {}
    rows = (
        home.index.store.connection().execute("SELECT outcome, path_a, path_b FROM merges ORDER BY outcome").fetchall()
    )
    assert rows == [("merged", "handbook/b.md", "handbook/a.md"), ("proposed", "", "")]
    home.index.sync()
    assert len([1 for _, body in home.outside[0].requests if "Names: " in str(body)]) == 1, "a pair is asked about once"


def test_prose_that_must_not_be_sent_is_not_read_but_shares_what_was_read_elsewhere(house: Opener) -> None:
    home = house("ollama", read_facts=50)
    pages = {"board/own.md": "# Zor\n\nThe board owns zorgreen, which nobody knows.\n"}
    pages |= {f"{place}/same.md": "# Vans\n\nAll vans are run by Bedrock.\n" for place in ("board", "handbook")}
    write(home.index.settings.docs_dir, pages)
    told = '{"facts": [{"quote": "All vans are run by Bedrock.", "subject": "Bedrock", "subject_type": "Team", '
    told += '"relation": "owns", "object": "vans", "object_type": "System", "since": ""}]}'
    home.outside[0].handler = lambda messages: told
    home.index.sync()
    home.index.sync()
    asked = [body for _, body in home.outside[0].requests if "list the facts" in str(body)]
    assert sum("All vans" in str(body) for body in asked) == 1
    assert home.leaks() == {}
    assert not any("zorgreen" in str(body) for body in asked)
    sql = "SELECT d.path FROM evidence e JOIN documents d ON d.id = e.document_id WHERE e.rank = 0 ORDER BY d.path"
    rows = home.index.store.connection().execute(sql).fetchall()
    assert rows == [("board/same.md",), ("handbook/same.md",)]


MAY_ASK = {
    "search.py": {
        "search",
        "meaning",
        "on",
        "_cosines",
    },  # what comes from documents passes Searcher.sendable, _holds_back
    "storage/syncing.py": {"_embed"},
    "storage/registry.py": {"probes_of"},  # fixed texts
    "storage/phrases.py": {"embedded"},  # the program's own
    "calibration/measure.py": {"embed_documents", "_vector"},
    "calibration/questions.py": {"written"},
    "answering/history.py": {"_reply"},
    "answering/judge.py": {"judged"},
    "answering/write.py": {"_attempt"},
    "retrieval/second_look.py": {"judged"},
    "graph/by_model.py": {"by_model"},  # the question alone
    "graph/texts.py": {"_near", "cosines"},  # nothing where one of the texts may not be sent
    "graph/examples.py": {"likeness", "nearest"},  # names in documents stay inside
    "storage/judging.py": {"_asked"},
    "storage/reading.py": {"_asked"},
}
"""The functions that hand a text to a model. Before another does, the session above must go its road."""


def test_no_other_function_hands_texts_to_a_model() -> None:
    found: dict[str, set[str]] = {}
    for path in PRODUCT:
        if (name := name_of(path)).startswith(("models/", "eval/")):  # how it is done, and measuring of our own texts
            continue
        for function in ast.walk(tree_of(path)):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) and any(map(_asks, ast.walk(function))):
                found.setdefault(name, set()).add(function.name)
    assert found == MAY_ASK


def _asks(node: ast.AST) -> bool:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in ("chat", "rerank")
    return isinstance(node, ast.Attribute) and node.attr in ("embed_documents", "embed_query")


# --- in the index -------------------------------------------------------------------------------------------------

BOARD = {"board": {"path": "board", "sensitivity": "restricted"}}
SHARED = "# Canteen\n\nThe canteen opens at noon and closes at two in the afternoon.\n"


class Away(HashEmbedder):
    """One that embeds on another machine, and units, too."""

    embeds_units = True
    url = "http://far.example:1234"


def vectors(index: Index, path: str, model: str = "hash") -> list[bool]:
    """Of a document's chunks and units: whether each has a vector."""
    sql = (
        "SELECT v.vector IS NOT NULL FROM documents d JOIN chunks c ON c.document_id = d.id "
        "JOIN (SELECT id AS chunk_id, text_hash FROM chunks UNION SELECT chunk_id, text_hash FROM units) t "
        "ON t.chunk_id = c.id JOIN models m ON m.name = ? LEFT JOIN vectors v ON v.model_id = m.id "
        "AND v.text_hash = t.text_hash WHERE d.path = ?"
    )
    return [bool(row[0]) for row in index.store.connection().execute(sql, (model, path))]


Making = Callable[..., Index]
Made = Callable[..., tuple[Index, HashEmbedder]]


@pytest.fixture
def made(tmp_path: Path, make_index: Making) -> Made:
    """made(files, name, **settings): an index over them with a new embedder that is outside, synced."""

    def making(files: dict[str, str], name: str = "hash", **values: Any) -> tuple[Index, HashEmbedder]:
        (tmp_path / "docs").mkdir(exist_ok=True)
        write(tmp_path / "docs", files)
        embedder = Away(name)
        index = make_index(tmp_path / "docs", embedder, **{"sources": BOARD, **values})
        index.sync()
        assert searched_as_stored(index.store)
        return index, embedder

    return making


def test_restricted_texts_are_stored_without_a_vector_and_found_by_words(made: Made) -> None:
    index, embedder = made({"board/plan.md": PLAN, "board/more.md": SHARED, "open.md": SHARED.replace("noon", "one")})
    for _ in range(2):
        assert not any(vectors(index, "board/plan.md"))
        assert len(vectors(index, "board/plan.md")) > 6, "units are held back, too"
        assert all(vectors(index, "open.md"))
        assert not SECRET.search("\n".join(embedder.texts))
        summary = index.sync(retry_refused=True)
    assert summary.refused == 0
    (note,) = summary.notes
    assert note[0] == "board/"
    assert all(
        part in note[1] for part in ("far.example", "2 documents found by words alone", "BRAIN_RESTRICTED_HOSTS")
    )
    assert summary.warnings == 0
    hit = index.searcher().search(caller(), MERGER).hits[0]
    assert (hit.chunk.path, hit.score, hit.passed) == ("board/plan.md", None, "keywords")
    assert not index.is_moving()


def test_a_text_that_is_also_open_is_not_held_back(made: Made, tmp_path: Path) -> None:
    index, _ = made({"board/a.md": SHARED, "open/b.md": SHARED})
    assert all(vectors(index, "open/b.md"))
    made({"board/c.md": PLAN})
    assert not any(vectors(index, "board/c.md"))
    made({"open/d.md": PLAN})  # its texts stand there without a vector
    assert all(vectors(index, "open/d.md"))
    assert all(vectors(index, "board/c.md")), "a text has one vector, wherever it stands"


def test_such_a_text_is_given_to_a_model_that_was_filled_before_as_well(made: Made) -> None:
    made({"board/a.md": PLAN, "open.md": SHARED})
    made({}, "second")
    made({"board/a.md": PLAN, "also.md": PLAN})  # with the first one again, as during a move
    index, _ = made({}, "second")
    assert all(vectors(index, "also.md", "second"))


def test_a_document_that_leaves_a_restricted_folder_is_embedded(made: Made, tmp_path: Path) -> None:
    index, _ = made({"board/a.md": PLAN, "open.md": SHARED})
    (tmp_path / "docs/board/a.md").rename(tmp_path / "docs/a.md")
    index.sync()
    assert all(vectors(index, "a.md"))
    assert searched_as_stored(index.store)


@pytest.mark.parametrize(
    "values",
    [{"restricted_hosts": ["far.example"]}, {"sources": {}}, {"sources": {"board": {"path": "board"}}}],
)
def test_what_may_be_sent_after_all_is_embedded_by_the_next_sync(made: Made, values: dict[str, Any]) -> None:
    index, _ = made({"board/a.md": PLAN, "open.md": SHARED})
    assert not any(vectors(index, "board/a.md"))
    index, _ = made({}, **values)
    assert all(vectors(index, "board/a.md"))
    generation = index.store.generation()
    assert index.sync().notes == []
    assert index.store.generation() == generation, "nothing is written where nothing changed"
    _, embedder = made({})
    assert embedder.texts == []


def test_a_refused_text_is_not_asked_for_at_each_sync(make_index: Making, tmp_path: Path) -> None:
    write(tmp_path / "docs", {"board/a.md": PLAN, "open.md": SHARED})
    embedder = Away(refuses="canteen")
    index = make_index(tmp_path / "docs", embedder, sources=BOARD)
    index.sync()
    asked = len(embedder.texts)
    assert index.sync().refused == 0
    assert len(embedder.texts) == asked


def test_a_move_between_models_outside_ends(made: Made) -> None:
    made({"board/a.md": PLAN, "open.md": SHARED})
    index, embedder = made({}, "second")
    assert not index.is_moving()
    assert not any(vectors(index, "board/a.md", "second"))
    assert all(vectors(index, "open.md", "second"))
    assert not SECRET.search("\n".join(embedder.texts))


def test_a_link_to_a_restricted_file_is_held_back_like_the_file(made: Made, tmp_path: Path) -> None:
    write(tmp_path / "docs", {"board/a.md": PLAN, "open.md": SHARED})
    try:
        (tmp_path / "docs/link.md").symlink_to("board/a.md")
        (tmp_path / "docs/near.md").symlink_to("open.md")
    except OSError:
        pytest.skip("links cannot be made here")
    index, embedder = made({})
    assert all(vectors(index, "open.md"))
    assert not any(vectors(index, "link.md"))
    assert all(vectors(index, "near.md"))
    index.sync(retry_refused=True)
    assert not SECRET.search("\n".join(embedder.texts))


# --- what is told -------------------------------------------------------------------------------------------------


def test_a_quoted_answer_says_why_and_which_setting(house: Opener) -> None:
    home = house()
    home.index.sync()
    answer = home.ask(MERGER)
    assert (answer.status, answer.attempts) == ("answered", 0)
    assert answer.model.endswith("+ quotes")
    (told,) = [problem for problem in answer.problems if problem.code == "restricted"]
    assert told.severity == "notice"
    assert all(part in told.text for part in ("board/plan.md", "127.1", "BRAIN_RESTRICTED_HOSTS"))
    other = home.ask(LAPTOP, k=1)
    assert other.attempts
    assert "restricted" not in [problem.code for problem in other.problems]


def test_one_notice_also_where_there_would_be_a_second_look(house: Opener) -> None:
    home = house(rerank=True)
    home.index.sync()
    codes = [problem.code for problem in home.ask(MERGER).problems]
    assert codes.count("restricted") == 1
    assert "not_judged" not in codes


def test_a_follow_up_is_understood_from_questions_alone(house: Opener) -> None:
    home = house()
    home.index.sync()
    home.ask("And who lends it?", Turn("Is there a projector?", "Zorbank has one."))
    (body,) = [body for _, body in home.outside[0].requests if "The last question" in str(body)]
    assert "Is there a projector?" in str(body)
    assert home.leaks() == {}


def test_nothing_is_held_back_where_no_source_is_restricted(house: Opener) -> None:
    home = house(sources={"board": {"path": "board", "sensitivity": "confidential"}})
    assert home.index.sync().notes == []
    assert home.ask(MERGER).attempts
    assert {"embedded", "written"} <= set(home.leaks())


DOCTOR = [
    ({"backend": "ollama", "ollama_host": "http://127.0.0.1@gpu.example"}, "warn", "gpu.example"),
    ({"backend": "auto", "ollama_host": "gpu.example"}, "warn", "BRAIN_RESTRICTED_HOSTS=gpu.example"),
    ({"backend": "auto", "ollama_host": "gpu.example", "restricted_hosts": ["gpu.example"]}, "ok", ""),
    ({"backend": "ollama", "ollama_host": "ftp://gpu.example"}, "warn", "gpu.example"),
    (
        {"backend": "openai", "openai_url": "http://a.example", "openai_embed_url": "http://localhost"},
        "warn",
        "a.example",
    ),
    ({"backend": "openai", "openai_url": "http://[::1]:8000/v1"}, "ok", ""),
    ({"backend": "embedded", "ollama_host": "gpu.example"}, "ok", ""),
]


@pytest.mark.parametrize(("values", "status", "told"), DOCTOR)
def test_doctor_names_restricted_sources_and_hosts_outside(
    make_settings: Callable[..., Settings], docs: Path, values: dict[str, Any], status: str, told: str
) -> None:
    (check,) = [
        one for one in chosen.settings(make_settings(docs, sources=BOARD, **values)) if one.name == "restricted"
    ]
    assert (check.status, "board" in check.text) == (status, True)
    assert told in f"{check.text} {check.mends}"
    assert [one.name for one in chosen.settings(make_settings(docs, **values))] == ["settings", "sign-in"]
