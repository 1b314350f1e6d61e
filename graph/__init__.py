"""What one caller sees of the company's facts, and the typed questions that are asked of it.

`view` puts rows together into things and what holds of them; `tools` are the questions; `route` chooses one for a
sentence. Rows with their evidence come out; who phrases and checks them stands above (answering/). Knows no HTTP and
writes nothing. Try: python -m graph "who owns plan-store?"
"""
