"""The company over which the router's questions are asked: a port with its teams, services, systems and decisions.

Some of its names are words of everyday language ("identity", "notify", "Platform"), which a question may use as such.
Knows no router. Try: pytest tests/test_route.py
"""

from tests.told_facts import Company

PORT: Company = {
    "a/services.md": [
        ("Team/Kestrel", "owns", "Service/berth-planner"),
        ("Team/Heron", "owns", "Service/cargo-ledger"),
        ("Team/Heron", "owns", "Service/invoice-run"),
        ("Team/Platform", "owns", "Service/identity"),
        ("Team/Platform", "owns", "Service/notify"),
        ("Person/Ingrid Solberg|emp_11", "owns", "Service/tide-feed"),
        ("Team/Platform", "owns", "System/Keyhole"),
        ("Service/berth-planner", "depends_on", "Service/tide-feed"),
        ("Service/berth-planner", "depends_on", "System/RabbitMQ"),
        ("Service/cargo-ledger", "depends_on", "System/Oracle 12"),
        ("Service/invoice-run", "depends_on", "Service/cargo-ledger"),
        ("Service/notify", "depends_on", "System/RabbitMQ"),
        ("Service/identity", "depends_on", "System/Keyhole"),
        ("Service/berth-planner", "tier", "1"),
        ("Service/cargo-ledger", "tier", "1"),
        ("Service/notify", "tier", "3"),
        ("Service/tide-feed", "tier", "2"),
        ("Service/berth-planner", "business unit", "Harbour"),
        ("Service/cargo-ledger", "business unit", "FIN"),
        ("Service/invoice-run", "business unit", "FIN"),
        ("Service/cargo-ledger", "externally audited", "true"),
        ("Service/invoice-run", "externally audited", "true"),
        ("Service/notify", "externally audited", "false"),
        ("Service/berth-planner", "hosting region", "Oslo"),
        ("Service/cargo-ledger", "hosting region", "Bergen"),
    ],
    "a/decisions.md": [
        ("Decision/Drop Oracle 12|D-0003", "deprecates", "System/Oracle 12", {"valid_from": "2025-11-02"}),
        ("Decision/Drop Oracle 12|D-0003", "status", "accepted"),
        ("Decision/Drop Oracle 12|D-0003", "approved_by", "Person/Mateo Ruiz|emp_12"),
        ("Decision/Drop Oracle 12|D-0003", "written_by", "Person/Yuki Tanaka|emp_13"),
        ("Decision/Use RabbitMQ for all events|D-0004", "status", "accepted"),
        ("Decision/Use RabbitMQ for all events|D-0004", "supersedes", "Decision/Poll the database|D-0001"),
        ("Decision/Use RabbitMQ for all events|D-0004", "affects", "Service/notify"),
        ("Decision/Use RabbitMQ for all events|D-0004", "written_by", "Person/Ingrid Solberg|emp_11"),
        ("Decision/Poll the database|D-0001", "status", "superseded"),
        ("Decision/Berths are planned per tide|D-0005", "status", "proposed"),
        ("Decision/Berths are planned per tide|D-0005", "affects", "Service/berth-planner"),
        ("Decision/Keep invoices in euro|D-0006", "status", "rejected"),
        ("Decision/Keep invoices in euro|D-0006", "approved_by", "Person/Ada Blom|emp_14"),
        ("Document/Parental leave", "written_by", "Person/Ada Blom|emp_14"),
    ],
    "a/people.md": [
        ("Person/Ingrid Solberg|emp_11", "leads", "Team/Kestrel"),
        ("Person/Mateo Ruiz|emp_12", "leads", "Team/Heron"),
        ("Person/Ada Blom|emp_14", "leads", "Team/Platform"),
        ("Person/Yuki Tanaka|emp_13", "member_of", "Team/Heron"),
        ("Person/Tom Reyes|emp_15", "member_of", "Team/Kestrel"),
        ("Person/Tom Reyes|emp_15", "reports_to", "Person/Ingrid Solberg|emp_11"),
        ("Person/Yuki Tanaka|emp_13", "reports_to", "Person/Mateo Ruiz|emp_12"),
        ("Person/Ingrid Solberg|emp_11", "reports_to", "Person/Ada Blom|emp_14"),
        ("Person/Mateo Ruiz|emp_12", "reports_to", "Person/Ada Blom|emp_14"),
        (
            "Person/Tom Reyes|emp_15", "on_call_for", "Service/berth-planner",
            {"valid_from": "2026-03-01", "valid_to": "2026-04-01"},
        ),
        ("Person/Tom Reyes|emp_15", "department", "Engineering"),
        ("Person/Yuki Tanaka|emp_13", "department", "Engineering"),
        ("Person/Ada Blom|emp_14", "department", "Management"),
    ],
    "a/access.md": [
        ("Team/Kestrel", "has_access", "Service/berth-planner", {"qualifier": "production"}),
        ("Team/Kestrel", "has_access", "Service/tide-feed", {"qualifier": "development"}),
        ("Team/Heron", "has_access", "Service/cargo-ledger", {"qualifier": "production; read-only"}),
        ("Team/night-watch-oncall", "has_access", "Service/berth-planner", {"qualifier": "preproduction"}),
    ],
    "a/2026-02-11-talk.md": [
        ("Message/|talk#1", "written_by", "Person/Tom Reyes|emp_15", {"rank": 1}),
        ("Message/|talk#1", "contradicts", "Decision/Use RabbitMQ for all events|D-0004", {"rank": 1}),
        ("Message/|talk#1", "mentions", "System/Oracle 12", {"rank": 1}),
    ],
}  # fmt: skip
