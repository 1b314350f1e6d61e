"""The house: imports go one way, and no room is too large, unnamed or named so that Python cannot find it."""

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FLOORS = (
    ("errors",),
    ("config", "settings", "database"),
    ("commandline", "language"),
    ("chunk", "chunking"),
    ("models",),
    ("access", "masking"),
    ("sources", "facts"),
    ("store", "storage", "postgres"),
    ("search", "retrieval", "calibration"),
    ("verify", "proof"),
    ("graph",),
    ("answer", "answering"),
    ("doctor", "checks", "server", "service", "mcp_server", "assistants", "eval"),
)
"""From the ground up. A module imports what is below it or on its floor; a door (`main`, `command`) may call up."""
FLOOR = {name: number for number, names in enumerate(FLOORS) for name in names}
DOORS = ("main", "command")
MOST_ROOT, MOST_LINES, MOST_FUNCTION_LINES = 12, 500, 60
NOT_OURS = ("tests", "docs", "data", "build", "dist", "skills")


def product() -> list[Path]:
    found = [
        path
        for path in ROOT.rglob("*.py")
        if not any(part.startswith(".") or part in NOT_OURS for part in path.relative_to(ROOT).parts)
    ]
    assert len(found) > 20
    return sorted(found)


PRODUCT = product()
SKILLS = sorted((ROOT / "skills").rglob("*.py"))
"""Scripts on no floor: they judge the product from outside."""


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(node: ast.AST) -> Iterator[tuple[int, str]]:
    """(line, module) of every import outside doors and `if TYPE_CHECKING`."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) and child.name in DOORS:
            continue
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        if isinstance(child, ast.If) and "__name__" in ast.unparse(child.test):
            continue  # `python module.py`: a door, too
        if isinstance(child, ast.Import):
            yield from ((child.lineno, alias.name) for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            assert child.level == 0, f"line {child.lineno}: imports are absolute"
            yield child.lineno, str(child.module)
        yield from imported(child)


@pytest.mark.parametrize("path", PRODUCT, ids=name_of)
def test_imports_go_down(path: Path) -> None:
    here = path.relative_to(ROOT).parts[0].removesuffix(".py")
    assert here in FLOOR, f"{here} has no floor: add it to FLOORS"
    upward = [
        f"{name_of(path)}:{line} imports {module}"
        for line, module in imported(tree_of(path))
        if FLOOR.get(module.split(".")[0], -1) > FLOOR[here]
    ]
    assert upward == []


def test_the_reader_of_imports_sees_them_everywhere() -> None:
    source = """
import a
from b.c import d
def f():
    import e
    if 1:
        import g
class C:
    async def m(self):
        from h import i
def main():
    import up
if TYPE_CHECKING:
    import up
if __name__ == "__main__":
    import up
"""
    assert [module for _, module in imported(ast.parse(source))] == ["a", "b.c", "e", "g", "h"]


def test_the_ground_floors_know_neither_http_nor_chat() -> None:
    above = {"fastapi", "uvicorn", "starlette", "mcp"}
    for path in PRODUCT:
        here = path.relative_to(ROOT).parts[0].removesuffix(".py")
        if here not in ("server", "service", "mcp_server", "assistants", "eval", "doctor"):
            assert above.isdisjoint(module.split(".")[0] for _, module in imported(tree_of(path))), path
    for path in [ROOT / "errors.py", ROOT / "config.py", *ROOT.glob("settings/*.py")]:
        modules = {module.split(".")[0] for _, module in imported(tree_of(path))}
        assert modules <= sys.stdlib_module_names | {"errors", "settings"}, path


def test_skills_import_nothing_of_the_product() -> None:
    assert SKILLS
    assert [module for path in SKILLS for _, module in imported(tree_of(path)) if module.split(".")[0] in FLOOR] == []


def test_the_root_is_small() -> None:
    assert len(list(ROOT.glob("*.py"))) <= MOST_ROOT


@pytest.mark.parametrize("path", [*PRODUCT, *SKILLS], ids=name_of)
def test_sizes_and_docstrings(path: Path) -> None:
    text, tree = path.read_text(encoding="utf-8"), tree_of(path)
    assert len(text.splitlines()) <= MOST_LINES
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            assert (node.end_lineno or 0) - first < MOST_FUNCTION_LINES, f"{node.name} is too long"
    said = ast.get_docstring(tree) or ""
    assert len(said.splitlines()) > 1 or re.search(r"\w\.( |$)", said), "a sentence on what it is"


TRIALS = [
    pytest.param(trial.replace("\\\\", "\\"), id=path.relative_to(ROOT).as_posix())
    for path in PRODUCT
    if path.parent.name in ("proof", "conflict", "language")
    for trial in re.findall(r'python -c "(.*?)"$', ast.get_docstring(tree_of(path)) or "", re.M)
]


@pytest.mark.parametrize("trial", TRIALS)
def test_what_a_head_says_to_try_shows_something(trial: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(trial, {})
    assert capsys.readouterr().out.strip() not in ("", "None", "[]")


def test_no_package_hides_a_module() -> None:
    """Python takes the package `x/` and the file `x.py` is dead; a package of a library's name hides the library."""
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} | {path.name for path in ROOT.glob("*/")}
    modules = {path.stem for path in ROOT.glob("*.py")}
    assert packages.isdisjoint(modules)
    assert {name for name in packages if not name.startswith(".")}.isdisjoint(sys.stdlib_module_names)
    for path in PRODUCT:
        if path.parent != ROOT and path.name != "__init__.py":
            assert (path.parent / "__init__.py").exists(), f"{path.parent.name} is no package"


def test_the_readme_names_every_program() -> None:
    readme = ROOT / "README.md"
    if not readme.exists():
        pytest.skip("no README.md yet")
    text = readme.read_text(encoding="utf-8")
    assert [path.name for path in ROOT.glob("*.py") if path.name not in text] == []


@pytest.mark.parametrize("path", PRODUCT, ids=name_of)
def test_a_test_that_a_module_names_is_there(path: Path) -> None:
    named = re.findall(r"pytest [^\n\"]*?(tests/\w+\.py)", path.read_text(encoding="utf-8"))
    assert [one for one in named if not (ROOT / one).is_file()] == []
