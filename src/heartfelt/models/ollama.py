"""Models of an Ollama server, over its own API. Address: `ollama:NAME`."""

import json
import os
from collections.abc import AsyncGenerator, Generator
from contextlib import contextmanager
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import httpx2

from heartfelt.errors import InputError, ModelRefusal, ModelUnavailable
from heartfelt.models.retry import Delta, Retry, Setback, converse, fault, flags, last, server_says, unreadable
from heartfelt.models.seam import Capabilities, Completion, Message, Request, Usage

_PORT = 11434
_CONNECT_SECONDS = 10.0


def installed(host: str | None = None) -> list[str] | None:
    """The models that the server has; None where no server answers."""
    try:
        answer = httpx2.get(_address(host or os.environ.get("OLLAMA_HOST") or "127.0.0.1") + "/api/tags", timeout=2.0)
        return [model["name"] for model in answer.json()["models"]]
    except (httpx2.HTTPError, ValueError, KeyError, TypeError):
        return None


class OllamaModel:
    """A chat model that Ollama runs.

    >>> OllamaModel("qwen3:4b", "127.0.0.1")
    OllamaModel('qwen3:4b', 'http://127.0.0.1:11434')

    Without a host it is OLLAMA_HOST, and without that the server of this machine.
    """

    def __init__(
        self,
        name: str,
        host: str | None = None,
        *,
        capabilities: Capabilities | None = None,
        keep_alive: str = "10m",
        retry: Retry | None = None,
    ):
        self.name, self._url = name, _address(host or os.environ.get("OLLAMA_HOST") or "127.0.0.1")
        self.capabilities = capabilities or Capabilities()
        self._keep_alive = keep_alive
        self._retry = retry or Retry()
        # The request's own deadline covers all but the connecting.
        self._client = httpx2.AsyncClient(base_url=self._url, timeout=httpx2.Timeout(None, connect=_CONNECT_SECONDS))

    @classmethod
    def at(cls, address: str, *, retry: Retry | None = None) -> "OllamaModel":
        """From the part of an address after `ollama:`, such as `qwen3:4b` or `llava?images=1`."""
        name, _, query = address.partition("?")
        if not name:
            raise InputError("The address ollama: names no model. Write ollama:NAME, as `ollama list` shows it.")
        return cls(name, capabilities=flags(query), retry=retry)

    async def complete(self, request: Request) -> Completion:
        return await last(self._converse(request, in_pieces=False))

    def stream(self, request: Request) -> AsyncGenerator[str | Completion, None]:
        return self._converse(request, in_pieces=True)

    async def close(self) -> None:
        await self._client.aclose()

    def __repr__(self) -> str:
        return f"OllamaModel({self.name!r}, {self._url!r})"

    # ── one attempt ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _converse(self, request: Request, *, in_pieces: bool) -> AsyncGenerator[str | Completion, None]:
        attempt = partial(self._attempt, self._payload(request) | {"stream": in_pieces})
        return converse(request, model=self.name, attempt=attempt, retry=self._retry)

    async def _attempt(self, payload: dict[str, Any]) -> AsyncGenerator[Delta, None]:
        """An answer that is not streamed is a stream of one line."""
        with self._explained():
            async with self._client.stream("POST", "/api/chat", json=payload) as response:
                if response.is_error:
                    raise self._status_error(response, (await response.aread()).decode(errors="replace"))
                async for line in response.aiter_lines():
                    if line.strip():
                        yield self._delta(line, response)

    def _payload(self, request: Request) -> dict[str, Any]:
        options = {
            "seed": request.seed,
            "temperature": request.temperature,
            "top_p": request.top_p,
            "num_predict": request.max_tokens,
            "num_ctx": self.capabilities.context,
            **({"stop": list(request.stop)} if request.stop else {}),
        }
        return {
            "model": self.name,
            "messages": [self._message(message) for message in request.messages],
            "options": options,
            "think": False,
            "keep_alive": self._keep_alive,
            **({"format": request.answer} if request.answer else {}),
        }

    def _message(self, message: Message) -> dict[str, Any]:
        plain: dict[str, Any] = {"role": message.role, "content": message.text}
        if not (message.images and self.capabilities.images):
            return plain
        return plain | {"images": [image.data for image in message.images]}

    def _delta(self, line: str, response: httpx2.Response) -> Delta:
        try:
            body: Any = json.loads(line)
        except ValueError:
            body = None
        if not isinstance(body, dict):
            hint = "Is it an Ollama server? OLLAMA_HOST says where to look."
            raise unreadable(self._server, response.headers.get("content-type", ""), hint)
        if body.get("error"):
            raise ModelRefusal(f"{self._server} failed within its answer: {server_says(line)}.")
        text = (body.get("message") or {}).get("content") or ""
        if not body.get("done"):
            return Delta(text)
        return Delta(text, "length" if body.get("done_reason") == "length" else "stop", _usage(body))

    # ── errors ──────────────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def _server(self) -> str:
        return f"Ollama at {self._url}"

    @contextmanager
    def _explained(self) -> Generator[None, None, None]:
        try:
            yield
        except (httpx2.ConnectError, httpx2.ConnectTimeout):
            raise Setback(
                f"No server answers at {self._url}. Start Ollama with `ollama serve`, "
                "or say where it runs with OLLAMA_HOST. To install it: https://ollama.com/download."
            ) from None
        except httpx2.RequestError as error:
            raise Setback(f"{self._server} broke off ({type(error).__name__}).") from None

    def _status_error(self, response: httpx2.Response, body: str) -> Exception:
        if response.status_code == 404:
            return ModelUnavailable(f"{self._server} has no model '{self.name}'. Get it with: ollama pull {self.name}")
        return fault(self._server, response.status_code, body, response.headers)


def _usage(body: dict[str, Any]) -> Usage:
    # Ollama does not say how much of the prompt it had cached.
    return Usage(prompt_tokens=body.get("prompt_eval_count") or 0, output_tokens=body.get("eval_count") or 0)


def _address(host: str) -> str:
    """OLLAMA_HOST as people write it: with or without a scheme and a port, or as the server's own 0.0.0.0."""
    bare = "://" not in host
    url = urlsplit(f"http://{host}" if bare else host)
    name = "127.0.0.1" if url.hostname in {None, "", "0.0.0.0", "::"} else str(url.hostname)
    port = url.port or (_PORT if bare else None)
    shown = f"[{name}]" if ":" in name else name
    return f"{url.scheme}://{shown}{f':{port}' if port else ''}{url.path.rstrip('/')}"
