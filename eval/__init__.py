"""How good the answers are and what they cost, measured: `run` asks, `calibrate` sets the limit, `bench` times.

Each is a program; none is imported by the product. Nothing here knows HTTP.
Try: python -m eval.run --help
"""
