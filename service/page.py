"""The page at /docs: every endpoint of the OpenAPI schema as plain HTML, without a script and without another host.

FastAPI's own page loads its assets from a public network, which a local assistant must not.
Knows the schema only, nothing of the server. Try: http://127.0.0.1:8000/docs
"""

import json
from collections.abc import Sequence
from html import escape
from typing import Any

POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""The Content-Security-Policy of the page."""


def page(schema: dict[str, Any]) -> str:
    """The HTML page for an OpenAPI schema."""
    info, models = schema["info"], schema.get("components", {}).get("schemas", {})
    operations = [
        _operation(method, path, operation, models)
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
    ]
    shapes = [_model(name, model) for name, model in models.items()]
    title = escape(f"{info['title']} {info['version']}")
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/web/docs.css"></head><body>'
        f"<h1>{title}</h1>{_paragraphs(info.get('description', ''))}"
        f'<p>The same for programs: <a href="/openapi.json">/openapi.json</a></p>'
        f"{''.join(operations)}<h2>Shapes</h2>{''.join(shapes)}</body></html>\n"
    )


def _operation(method: str, path: str, operation: dict[str, Any], models: dict[str, Any]) -> str:
    shape = _json_schema(operation.get("requestBody", {}))
    parts = [f"<h2><code>{method.upper()} {escape(path)}</code> {escape(operation.get('summary', ''))}</h2>"]
    parts.append(_paragraphs(operation.get("description", "")))
    if shape:
        example = models.get(shape.get("$ref", "").rpartition("/")[2], {}).get("example")
        parts.append(f"<p>Request: {_type(shape)}</p><pre>{escape(json.dumps(example))}</pre>")
    rows = [
        (f"<code>{code}</code>", _marked(reply.get("description", "")), _type(_json_schema(reply)))
        for code, reply in operation.get("responses", {}).items()
    ]
    return "".join(parts) + _table(("Code", "When", "Body"), rows)


def _json_schema(reply: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = reply.get("content", {}).get("application/json", {}).get("schema", {})
    return found


def _model(name: str, model: dict[str, Any]) -> str:
    required = model.get("required", [])
    rows = [
        (
            f"<code>{escape(field)}</code>" + ("" if field in required else " (optional)"),
            _type(shape),
            _marked(_limits(shape)),
        )
        for field, shape in model.get("properties", {}).items()
    ]
    heading = f'<h3 id="{escape(name)}">{escape(name)}</h3>{_paragraphs(model.get("description", ""))}'
    return heading + _table(("Field", "Type", "Meaning and limits"), rows)


def _type(shape: dict[str, Any]) -> str:
    """The type as HTML, with links to the shapes it names."""
    if "$ref" in shape:
        name = escape(shape["$ref"].rpartition("/")[2])
        return f'<a href="#{name}">{name}</a>'
    if "enum" in shape:
        return " | ".join(f"<code>{escape(str(value))}</code>" for value in shape["enum"])
    if "anyOf" in shape:
        return " | ".join(_type(one) for one in shape["anyOf"])
    if shape.get("type") == "array":
        return f"list of {_type(shape.get('items', {}))}"
    return escape(str(shape.get("type", "")))


def _limits(shape: dict[str, Any]) -> str:
    names = {"description": "{},", "minLength": "characters from {:g}", "maxLength": "to {:g}"}
    names |= {"minimum": "from {:g}", "maximum": "to {:g}", "default": "default {}"}
    shapes = [shape, *shape.get("anyOf", [])]
    told = [text.format(one[key]) for one in shapes for key, text in names.items() if one.get(key) is not None]
    return " ".join(told).removesuffix(",")


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    cells = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><tr>{''.join(f'<th>{name}</th>' for name in head)}</tr>{cells}</table>"


def _paragraphs(text: str) -> str:
    return "".join(f"<p>{_marked(part)}</p>" for part in text.split("\n\n") if part.strip())


def _marked(text: str) -> str:
    """The text as HTML, what stands between backticks as code."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if place % 2 else part for place, part in enumerate(parts))
