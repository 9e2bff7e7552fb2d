"""The part of llama.cpp's C interface that the engine uses, bound once with ctypes.

The same binding serves every build of the library: the one inside the `xllamacpp` wheel, which is always there, and the one
with kernels chosen for the processor at hand. Both are pinned, so the layouts below are known; `_learn_layout` still
compares the library's own defaults with what these layouts say before any model is loaded.
"""

import ctypes as c
from collections import deque
from pathlib import Path

from heartfelt.errors import EngineError

Token = c.c_int32
_Pointer = c.c_void_p
_AbortCallback = c.CFUNCTYPE(c.c_bool, _Pointer)
_LogCallback = c.CFUNCTYPE(None, c.c_int, c.c_char_p, _Pointer)


class ModelParams(c.Structure):
    _fields_ = [
        ("devices", _Pointer),
        ("tensor_buft_overrides", _Pointer),
        ("n_gpu_layers", c.c_int32),
        ("split_mode", c.c_int),
        ("load_mode", c.c_int),
        ("lazy_mode", c.c_int),
        ("main_gpu", c.c_int32),
        ("tensor_split", _Pointer),
        ("progress_callback", _Pointer),
        ("progress_callback_user_data", _Pointer),
        ("kv_overrides", _Pointer),
        ("vocab_only", c.c_bool),
        ("check_tensors", c.c_bool),
        ("use_extra_bufts", c.c_bool),
        ("no_host", c.c_bool),
        ("no_alloc", c.c_bool),
        ("load_mtp", c.c_bool),
    ]


_CONTEXT_FIELDS: list[tuple[str, type]] = [
    ("n_ctx", c.c_uint32),
    ("n_batch", c.c_uint32),
    ("n_ubatch", c.c_uint32),
    ("n_seq_max", c.c_uint32),
    ("n_rs_seq", c.c_uint32),
    ("n_outputs_max", c.c_uint32),
    ("n_outputs_max_per_seq", c.c_uint32),
    ("n_threads", c.c_int32),
    ("n_threads_batch", c.c_int32),
    ("ctx_type", c.c_int),
    ("rope_scaling_type", c.c_int),
    ("pooling_type", c.c_int),
    ("attention_type", c.c_int),
    ("flash_attn_type", c.c_int),
    ("rope_freq_base", c.c_float),
    ("rope_freq_scale", c.c_float),
    ("yarn_ext_factor", c.c_float),
    ("yarn_attn_factor", c.c_float),
    ("yarn_beta_fast", c.c_float),
    ("yarn_beta_slow", c.c_float),
    ("yarn_orig_ctx", c.c_uint32),
    ("defrag_thold", c.c_float),
    ("cb_eval", _Pointer),
    ("cb_eval_user_data", _Pointer),
    ("type_k", c.c_int),
    ("type_v", c.c_int),
    ("abort_callback", _Pointer),
    ("abort_callback_data", _Pointer),
    ("embeddings", c.c_bool),
    ("offload_kqv", c.c_bool),
    ("no_perf", c.c_bool),
    ("op_offload", c.c_bool),
    ("swa_full", c.c_bool),
    ("kv_unified", c.c_bool),
    ("samplers", _Pointer),
    ("n_samplers", c.c_size_t),
    ("ctx_other", _Pointer),
]


class ContextParams(c.Structure):
    """As llama.cpp 0.5 lays it out."""

    _fields_ = _CONTEXT_FIELDS


class ContextParams06(c.Structure):
    """As llama.cpp 0.6 does: there is one more pointer before the switches."""

    _fields_ = [
        field
        for name, kind in _CONTEXT_FIELDS
        for field in ([("new_in_06", _Pointer), (name, kind)] if name == "embeddings" else [(name, kind)])
    ]


class LlamaBatch(c.Structure):
    _fields_ = [
        ("n_tokens", c.c_int32),
        ("token", c.POINTER(Token)),
        ("embd", _Pointer),
        ("pos", c.POINTER(c.c_int32)),
        ("n_seq_id", c.POINTER(c.c_int32)),
        ("seq_id", c.POINTER(c.POINTER(c.c_int32))),
        ("logits", c.POINTER(c.c_int8)),
    ]


_SIGNATURES: dict[str, tuple[object, tuple[object, ...]]] = {
    "llama_backend_init": (None, ()),
    "llama_version": (c.c_char_p, ()),
    "llama_print_system_info": (c.c_char_p, ()),
    "llama_log_set": (None, (_LogCallback, _Pointer)),
    "llama_model_default_params": (ModelParams, ()),
    "llama_model_load_from_file": (_Pointer, (c.c_char_p, ModelParams)),
    "llama_model_free": (None, (_Pointer,)),
    "llama_adapter_lora_init": (_Pointer, (_Pointer, c.c_char_p)),
    "llama_set_adapters_lora": (c.c_int32, (_Pointer, c.POINTER(_Pointer), c.c_size_t, c.POINTER(c.c_float))),
    "llama_model_get_vocab": (_Pointer, (_Pointer,)),
    "llama_model_n_ctx_train": (c.c_int32, (_Pointer,)),
    "llama_free": (None, (_Pointer,)),
    "llama_get_memory": (_Pointer, (_Pointer,)),
    "llama_memory_clear": (None, (_Pointer, c.c_bool)),
    "llama_memory_seq_rm": (c.c_bool, (_Pointer, c.c_int32, c.c_int32, c.c_int32)),
    "llama_memory_seq_cp": (None, (_Pointer, c.c_int32, c.c_int32, c.c_int32, c.c_int32)),
    "llama_decode": (c.c_int32, (_Pointer, LlamaBatch)),
    "llama_get_logits_ith": (c.POINTER(c.c_float), (_Pointer, c.c_int32)),
    "llama_set_abort_callback": (None, (_Pointer, _AbortCallback, _Pointer)),
    "llama_set_n_threads": (None, (_Pointer, c.c_int32, c.c_int32)),
    "llama_vocab_n_tokens": (c.c_int32, (_Pointer,)),
    "llama_vocab_is_eog": (c.c_bool, (_Pointer, Token)),
    "llama_tokenize": (
        c.c_int32,
        (_Pointer, c.c_char_p, c.c_int32, c.POINTER(Token), c.c_int32, c.c_bool, c.c_bool),
    ),
    "llama_token_to_piece": (c.c_int32, (_Pointer, Token, c.c_char_p, c.c_int32, c.c_int32, c.c_bool)),
}


class Llama:
    """One loaded build of llama.cpp: its functions as attributes, and the last lines of its log."""

    def __init__(self, library: Path, *, backends: Path | None = None):
        self.path = library
        self.log: deque[str] = deque(maxlen=20)
        self._quiet = _LogCallback(self._keep_log)
        try:
            self._lib = c.CDLL(str(library))
            self._bind()
        except (OSError, AttributeError) as error:
            raise EngineError(f"The language engine at {library} cannot be loaded: {error}") from error
        self.llama_log_set(self._quiet, None)
        if backends is not None:
            self._load_backends(backends)
        self.llama_backend_init()
        self._learn_layout()

    def __getattr__(self, name: str):
        return getattr(self._lib, name)

    @property
    def version(self) -> str:
        return self.llama_version().decode()

    @property
    def last_words(self) -> str:
        """What the library said last, for the message of a failure."""
        return " ".join(line.strip() for line in list(self.log)[-3:])

    def _keep_log(self, _level: int, text: bytes, _data: object) -> None:
        self.log.append(text.decode(errors="replace"))

    def _bind(self) -> None:
        for name, (result, arguments) in _SIGNATURES.items():
            function = getattr(self._lib, name)
            function.restype, function.argtypes = result, list(arguments)

    def _load_backends(self, folder: Path) -> None:
        """Let the library pick, among the kernels beside it, those made for this processor."""
        ggml = c.CDLL(str(next(iter(folder.glob("libggml.*")))))
        ggml.ggml_backend_load_all_from_path.argtypes = [c.c_char_p]
        ggml.ggml_backend_load_all_from_path(str(folder).encode())

    def _learn_layout(self) -> None:
        """Releases differ in one struct. Each layout is held against the library's own defaults before anything is loaded."""
        for layout in (ContextParams, ContextParams06):
            self._lib.llama_context_default_params.restype = layout
            self._lib.llama_context_default_params.argtypes = []
            self._lib.llama_init_from_model.restype = _Pointer
            self._lib.llama_init_from_model.argtypes = [_Pointer, layout]
            if self._fits() and self.llama_model_default_params().main_gpu == 0:
                return
        raise EngineError(
            f"The language engine at {self.path} (llama.cpp {self.version}) has another interface than this release knows. "
            "Install Heartfelt again, or run `heartfelt models pull engine` for the pinned engine."
        )

    def _fits(self) -> bool:
        params = self._lib.llama_context_default_params()
        numbers = (params.n_ctx, params.n_batch, params.n_ubatch, params.n_seq_max, params.type_k, params.n_samplers)
        switches = (
            params.embeddings,
            params.offload_kqv,
            params.no_perf,
            params.op_offload,
            params.swa_full,
            params.kv_unified,
        )
        return numbers == (512, 2048, 512, 1, 1, 0) and switches == (False, True, True, True, True, False)
