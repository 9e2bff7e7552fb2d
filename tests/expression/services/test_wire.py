"""All that can go wrong between Heartfelt and a service."""

import socket
import time

import pytest

from heartfelt.errors import GeneratorError, GeneratorUnavailable, InputError, TurnError
from heartfelt.expression.services.address import read_address
from heartfelt.expression.services.wire import Wire

from .standin import Asked, Reply, about, fault, scripted


def wire(url: str, *, attempts: int = 2, timeout: float = 10.0, slept: list[float] | None = None) -> Wire:
    address = read_address(url, timeout=timeout)
    return Wire(address, "stand-in", attempts=attempts, sleep=(slept if slept is not None else []).append)


def free_address() -> str:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{held.getsockname()[1]}"


def test_a_service_that_is_not_there_is_named_with_its_address_and_what_to_do():
    url, slept = free_address(), list[float]()
    with pytest.raises(GeneratorUnavailable) as caught:
        wire(url, slept=slept).about("voice")
    told = str(caught.value)
    assert url in told and "stand-in" in told and "Start it" in told and "embedded:" in told
    assert len(slept) == 1 and isinstance(caught.value, TurnError) and caught.value.exit_code == 3


@pytest.mark.parametrize("status", [429, 500, 503])
def test_what_may_pass_is_asked_again(status: int):
    asked, slept = list[Asked](), list[float]()
    with scripted({"/v1/about": [fault(status, "busy", Retry_After="3"), about()]}, asked) as url:
        assert wire(url, slept=slept).about("voice").name == "Stand-in"
    assert len(asked) == 2 and slept == [3.0]


def test_what_does_not_pass_is_unavailable_with_the_words_of_the_service():
    with (
        scripted({"/v1/about": fault(500, "CUDA out\x1b[31m of memory.")}) as url,
        pytest.raises(GeneratorUnavailable) as caught,
    ):
        wire(url).about("voice")
    assert "500: CUDA out [31m of memory" in str(caught.value)


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        (fault(404, "nothing"), r"has no /v1/about \(answered 404: nothing\)"),
        (fault(401), "USER:PASSWORD@HOST"),
        (fault(413, "too large"), "413: too large"),
        (fault(422, "no such clip"), "422: no such clip"),
        (Reply(b"<html>hi</html>", "text/html"), "which contract"),
        (Reply(b"[]"), "which contract"),
        (Reply(b'{"name": "x"}'), "which contract"),
        (about(contract=2), "speaks contract 2, and this Heartfelt speaks 1"),
        (about(contract="1.0-beta"), r"speaks contract 1\.0-beta"),
        (about(contract="\x1b[2J9"), r"speaks contract \[2J9"),
        (about(kind="dog"), "do not fit the contract: kind"),
        (about(emotions="sad"), "do not fit the contract: emotions"),
        (about(kind="face"), "is a face, and a voice is needed"),
        (Reply(b" " * 70_000), "most that is taken"),
        (Reply(b"xx", headers={"Content-Encoding": "gzip"}), "compressed"),
    ],
)
def test_what_breaks_the_contract_is_an_error_at_once(reply: Reply, says: str):
    asked: list[Asked] = []
    with scripted({"/v1/about": reply}, asked) as url, pytest.raises(GeneratorError, match=says) as caught:
        wire(url).about("voice")
    assert not isinstance(caught.value, GeneratorUnavailable) and len(asked) == 1


def test_a_service_may_say_more_than_is_known():
    with scripted({"/v1/about": about(gpu="yes", licence="CC")}) as url:
        assert wire(url).about("voice").licence == "CC"


def test_no_answer_in_time_is_unavailable_and_says_how_to_allow_more():
    began = time.monotonic()
    with (
        scripted({"/v1/about": Reply(b"x" * 4000, drip=0.05)}) as url,
        pytest.raises(GeneratorUnavailable, match=r"within 0\.3 seconds.*\?timeout="),
    ):
        wire(url, timeout=0.3).about("voice")
    assert time.monotonic() - began < 60


def test_a_service_that_accepts_and_says_nothing_is_given_up():
    with socket.create_server(("127.0.0.1", 0)) as deaf, pytest.raises(GeneratorUnavailable, match="did not finish"):
        wire(f"http://127.0.0.1:{deaf.getsockname()[1]}", timeout=0.3).about("voice")


def test_an_answer_that_breaks_off_is_asked_for_again():
    asked: list[Asked] = []
    with scripted({"/v1/about": [Reply(b"{", cut=True), about()]}, asked) as url:
        assert wire(url).about("voice")
    assert len(asked) == 2


def test_redirects_are_not_followed():
    there: list[Asked] = []
    with scripted({"/v1/about": about()}, there) as elsewhere:
        sent_on = fault(302, Location=f"{elsewhere}/v1/about")
        with scripted({"/v1/about": sent_on}) as url, pytest.raises(GeneratorError, match="redirects are not followed"):
            wire(url).about("voice")
    assert not there


def test_no_proxy_is_used(monkeypatch: pytest.MonkeyPatch):
    proxied: list[Asked] = []
    with scripted({}, proxied) as proxy, scripted({"/v1/about": about()}) as url:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy)
        assert wire(url).about("voice")
    assert not proxied


def test_a_login_is_sent_and_never_told():
    asked: list[Asked] = []
    with scripted({"/v1/about": fault(403, "no")}, asked) as url:
        with_login = url.replace("http://", "http://eva:se%63ret@")
        with pytest.raises(GeneratorError) as caught:
            wire(with_login).about("voice")
    assert asked[0].headers["authorization"].startswith("Basic ")
    assert "secret" not in str(caught.value) and "eva" not in str(caught.value)
    assert "secret" not in repr(read_address(with_login, timeout=1))


@pytest.mark.parametrize(
    ("written", "url"),
    [
        ("http://localhost:8001/", "http://localhost:8001"),
        ("https://host/voices/v1", "https://host/voices"),
        ("http://[::1]:9?timeout=5", "http://[::1]:9"),
    ],
)
def test_addresses_as_people_write_them(written: str, url: str):
    assert read_address(written, timeout=120).url == url


@pytest.mark.parametrize(
    "written",
    [
        *(
            "",
            "localhost:8001",
            "ftp://host",
            "http://",
            "http://host:port",
            "http://h#x",
            "http://[::1",
            "file:///etc/passwd",
            "http://\0h",
        ),
        *("http://h?timeout=0", "http://h?timeout=soon", "http://h?timeout=nan", "http://h?voice=1"),
    ],
)
def test_what_is_no_address_is_refused(written: str):
    with pytest.raises(InputError):
        read_address(written, timeout=1)


def test_a_wrong_address_does_not_tell_its_login():
    with pytest.raises(InputError) as caught:
        read_address("ftp://eva:secret@host", timeout=1)
    assert "secret" not in str(caught.value)
