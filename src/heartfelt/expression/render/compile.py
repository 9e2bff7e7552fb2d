"""Compiles the kernels of the renderer; what was compiled is kept on disk, so that the second start is quick."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from heartfelt.errors import MissingExtra

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def compiled(kernel: Kernel) -> Kernel:
    """The same function as machine code that runs without Python's lock."""
    return _kept(kernel, _njit())


def inlined(kernel: Kernel) -> Kernel:
    """The same, for a function that is called once a pixel: it becomes part of its caller, as handing over arrays takes longer
    than most of them do."""
    return _kept(kernel, _njit(), forceinline=True)


def _kept(kernel: Kernel, njit: Callable[..., Any], **options: bool) -> Kernel:
    options = {"nogil": True, "fastmath": True, **options}
    try:
        return cast(Kernel, njit(kernel, cache=True, error_model="numpy", **options))
    except RuntimeError:  # numba found no folder that it may write: every start compiles again
        return cast(Kernel, njit(kernel, cache=False, error_model="numpy", **options))


def _njit() -> Callable[..., Any]:
    try:
        from numba import njit  # pyright: ignore[reportMissingImports, reportUnknownVariableType]
    except ImportError:
        raise MissingExtra("Drawing the avatar", "video") from None
    return cast(Callable[..., Any], njit)
