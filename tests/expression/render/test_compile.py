from typing import Any

import pytest

from heartfelt.expression.render import compile as compiling


def test_kernels_compile_where_nothing_can_be_kept(monkeypatch: pytest.MonkeyPatch):
    asked: list[bool] = []

    def njit(kernel: Any, *, cache: bool, **_: Any) -> Any:
        asked.append(cache)
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return kernel

    monkeypatch.setattr(compiling, "_njit", lambda: njit)
    kernel = compiling.compiled(lambda: 3)
    assert kernel() == 3 and asked == [True, False]
