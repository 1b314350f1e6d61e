"""A converter that does what its file says: loops, eats memory, crashes, chatters or lies."""

import os
import signal
import sys
import time

from sources.formats import Converted, Limits, Unreadable

kept: list[bytes] = []


def convert(data: bytes, name: str, limits: Limits) -> Converted:
    order = data.decode("utf-8", "replace").split("\n")[0]
    if order == "loop":
        while True:
            pass
    if order == "sleep":
        time.sleep(600)
    if order == "memory":
        while True:
            kept.append(b"x" * 10_000_000)
    if order == "keep":  # most of what it may have, for good
        kept.append(b"x" * 150_000_000)
    if order == "need":
        len(b"x" * 150_000_000)
    if order == "crash":
        os.abort()
    if order == "exit":
        os._exit(0)
    if order == "exception":
        raise ValueError("line one\nline two")
    if order == "deep":
        return convert(data, name, limits)
    if order == "encrypted":
        raise Unreadable("is encrypted")
    if order == "bomb":
        return Converted("x" * (limits.characters + 1), ("p1",))
    if order == "chatter":
        print("999999999999")
        os.write(1, b"17\n{}" * 1000)
        os.write(2, b"x" * 1_000_000)
        sys.stdin.read()
    if order == "no number":
        os.write(3, b"hello\n")
    if order == "interrupted":
        os.kill(os.getpid(), signal.SIGINT)
    if order == "environment":
        return Converted("\n".join(sorted(os.environ)) + "\n", ())
    if order == "lie":
        return Converted("one\r\ntwo\rthree\ud800\n", ("p1",) * 9, {"title": "\udc00"}, ("n" * 9999,))
    return Converted(f"{os.getpid()}\n", ("p1",))
