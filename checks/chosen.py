"""The settings: whether they can be read at all, and which of them are risky.

Try: BRAIN_OPEN=1 python doctor.py
"""

import os
import sqlite3
from collections.abc import Iterator, Mapping
from typing import Any

from access.identity import Row, is_open, may_be_reached, signs_in
from checks import Check, fail, ok, warn
from config import CONFIG_VARIABLE, SETTINGS, Settings, load
from errors import UsageError


def settings_of(flags: Mapping[str, Any]) -> tuple[Settings, list[Check]]:
    """The settings in force, and what is wrong with them: then those that can be read without the part that is wrong.

    Raises UsageError for a flag that is wrong.
    """
    own = {name: value for name, value in os.environ.items() if name == CONFIG_VARIABLE}
    without_file = {**os.environ, CONFIG_VARIABLE: os.devnull}
    try:
        return load(flags), []
    except UsageError as error:
        what = str(error).removesuffix(" Run: python config.py")
        told = fail("settings", f"{what} The rest is looked at without it.", "python config.py")
        for environment in (without_file, own):
            try:
                return load(flags, environment), [told]
            except UsageError:
                continue
        return load(flags, {CONFIG_VARIABLE: os.devnull}), [told]


def settings(chosen: Settings) -> Iterator[Check]:
    """Which settings are risky, and how many are set by hand."""
    defaults = {setting.name: setting.default for setting in SETTINGS}
    changed = [name for name, value in defaults.items() if name != "db" and getattr(chosen, name) != value]
    yield ok("settings", f"{', '.join(changed)} set by hand" if changed else "all as they come")
    yield from who_asks(chosen)
    if names := ", ".join(one.name for one in chosen.sources if one.sensitivity == "restricted"):
        yield _restricted(chosen, names)


def _restricted(chosen: Settings, names: str) -> Check:
    """Whether models would run where what stands in restricted sources is not sent."""
    from access.egress import SETTING, host_of, is_inside  # they need packages; where they lack, the others are told

    served = {"embedded": [], "openai": [chosen.openai_url, chosen.openai_embed_url]}
    urls = served.get(chosen.backend, [_ollama(chosen)])
    outside = sorted({host_of(url) for url in urls if url and not is_inside(url, chosen.restricted_hosts)})
    if not outside:
        return ok("restricted", f"{names}: sent to no model but on this machine or in {SETTING}")
    hosts = ",".join((*chosen.restricted_hosts, *outside))
    told = f"{names}: not sent to models at {', '.join(outside)}: those find it by words alone, and it is only quoted"
    return warn("restricted", told, f"{SETTING}={hosts} if it may be read there, or a model on this machine")


def _ollama(chosen: Settings) -> str:
    from models.ollama_server import server_url

    try:
        return server_url(chosen.ollama_host)
    except UsageError:
        return chosen.ollama_host


def who_asks(chosen: Settings) -> Iterator[Check]:
    """What says who asks, and who may reach a server without saying it."""
    try:
        Row(chosen, lambda: sqlite3.connect(":memory:"))  # makes what the settings name and asks nothing of it
    except UsageError as error:
        yield fail("sign-in", str(error), "python config.py")
        return
    if signs_in(chosen):
        yield ok("sign-in", f"by {', '.join(chosen.auth)}")
    elif not chosen.open:
        yield ok("sign-in", f"none: whoever is at this machine asks as {chosen.caller}, with every right")
    if is_open(chosen):
        told = (
            f"BRAIN_OPEN: everyone who reaches port {chosen.port} of {chosen.host} reads everything that everyone may"
        )
        yield warn("open", told, "BRAIN_OPEN=0 and BRAIN_AUTH=tokens (manual/access.md)")
    elif not may_be_reached(chosen) and chosen.host not in ("localhost", "::1") and not chosen.host.startswith("127."):
        told = f"BRAIN_HOST={chosen.host} is not this machine alone and nobody signs in: no server starts"
        yield fail("open", told, "BRAIN_HOST=127.0.0.1, or BRAIN_AUTH=tokens (manual/access.md)")
