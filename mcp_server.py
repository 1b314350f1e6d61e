"""MCP: the company's documents as tools of an assistant (Claude, an editor, a local client), over stdin and stdout.

Only opens the index in the background and hands it to assistants/. Over HTTP the same tools are at /mcp of server.py.
Try: add `python /path/to/mcp_server.py` to a client (manual/mcp.md)
"""

if __name__ == "__main__":
    import commandline

    commandline.stop_quietly()

from collections.abc import Sequence

import commandline
from access.identity import Identity
from access.local import local_identity
from assistants.stdio import serve
from service import logs
from service.admission import Tables
from service.brain import Brain
from storage.schema import translated


def main(argv: Sequence[str] | None = None) -> int:
    """Serves a client on stdin and stdout until it is gone. Raises UsageError for settings that cannot work."""
    parser = commandline.bare_parser(
        "Offer the documents to an assistant as MCP tools on stdin and stdout; a client starts this.",
        "python mcp_server.py --docs ~/handbook",
    )
    commandline.add_index_flags(parser)
    parser.add_argument("-k", type=int, metavar="N", help="passages given to an answer (BRAIN_K)")
    settings = commandline.settings_of(parser.parse_args(argv))
    tables = Tables(settings)

    def identified() -> Identity:
        with translated(settings.db):
            return local_identity(settings, tables)

    if settings.database or settings.db.exists():
        identified()  # a wrong token ends the program at once, in words that the client's log shows
    serve(Brain(settings, logs.notice_for(settings)), identified)


if __name__ == "__main__":
    commandline.run(main)
