"""Compiles the kernels of the renderer; what was compiled is kept on disk, so that the second start is quick."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from heartfelt.errors import MissingExtra

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def compiled(kernel: Kernel) -> Kernel:
    """The same function as machine code that runs without Python's lock."""
    return cast(Kernel, _njit()(kernel, nogil=True, cache=True, fastmath=True, error_model="numpy"))


def inlined(kernel: Kernel) -> Kernel:
    """The same, for a function that is called once a pixel: it becomes part of its caller, as handing over arrays takes longer
    than most of them do."""
    return cast(Kernel, _njit()(kernel, nogil=True, cache=True, fastmath=True, error_model="numpy", forceinline=True))


def _njit() -> Callable[..., Any]:
    try:
        from numba import njit  # pyright: ignore[reportMissingImports, reportUnknownVariableType]
    except ImportError:
        raise MissingExtra("Drawing the avatar", "video") from None
    return cast(Callable[..., Any], njit)
