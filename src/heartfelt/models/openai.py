"""Models behind an OpenAI-compatible server: vLLM, SGLang, llama-server, OpenAI itself. Address: `openai:URL#NAME`."""

import base64
import json
import os
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import aclosing, contextmanager
from functools import partial, reduce
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit, urlunsplit

import httpx2
import openai
from openai.types.chat import ChatCompletionChunk

from heartfelt.errors import InputError, ModelRefusal, ModelUnavailable
from heartfelt.models.addresses import shown_url
from heartfelt.models.markers import defused
from heartfelt.models.retry import Delta, Retry, Setback, converse, fault, flags, last, server_says, unreadable
from heartfelt.models.seam import Capabilities, Completion, Message, Request, Schema, Usage

OFFICIAL = "https://api.openai.com/v1"
_Ask = Callable[[dict[str, Any]], AsyncGenerator[Delta, None]]
_LIMITS = frozenset({"maxLength", "minItems", "maxItems"})
_CONNECT_SECONDS = 10.0


class OpenAIModel:
    """A chat model over the OpenAI SDK.

    >>> OpenAIModel("http://127.0.0.1:8000/v1", "Qwen/Qwen3-8B", capabilities=Capabilities(images=True))
    OpenAIModel('http://127.0.0.1:8000/v1', 'Qwen/Qwen3-8B')

    The key is taken from OPENAI_API_KEY unless it is given; servers that want none are sent none. A login in the address is
    sent in its place, as a header: an address is written into logs, a header is not.
    """

    def __init__(
        self,
        base_url: str,
        name: str,
        *,
        api_key: str | None = None,
        capabilities: Capabilities | None = None,
        retry: Retry | None = None,
    ):
        self._url, login = _apart(base_url.rstrip("/"))
        self.name = name
        self.capabilities = capabilities or Capabilities()
        self._retry = retry or Retry()
        self._key = api_key or os.environ.get("OPENAI_API_KEY") or ""
        self._secrets = tuple(filter(None, (self._key, login.password, login.header.rpartition(" ")[2])))
        self._client = openai.AsyncOpenAI(
            base_url=self._url,
            api_key=self._key or "none",  # the SDK insists on one
            default_headers={"Authorization": login.header} if login.header else None,
            max_retries=0,
            timeout=httpx2.Timeout(None, connect=_CONNECT_SECONDS),  # the request's own deadline covers the rest
        )
        self._form = _FORMS[0]
        """The way of asking for JSON that this server is known to accept."""

    @classmethod
    def at(cls, address: str, *, api_key: str | None = None, retry: Retry | None = None) -> "OpenAIModel":
        """From the part of an address after `openai:`, such as `http://host:8000/v1?images=1#NAME`."""
        try:
            url = urlsplit(address)
            _ = url.port
        except ValueError:
            raise InputError(
                f"The address openai:{shown_url(address)} cannot be read. In a login, write / ? # and @ as %2F %3F %23 and %40."
            ) from None
        if not url.fragment:
            raise InputError(
                f"The address openai:{shown_url(address)} names no model. Write openai:URL#NAME, for instance "
                "openai:http://127.0.0.1:8000/v1#my-model."
            )
        if url.netloc and url.scheme not in {"http", "https"}:
            raise InputError(f"The address openai:{shown_url(address)} must begin with http:// or https:// after openai:.")
        base = urlunsplit((url.scheme, url.netloc, url.path, "", "")) if url.netloc else OFFICIAL
        return cls(base, url.fragment, api_key=api_key, capabilities=flags(url.query), retry=retry)

    async def complete(self, request: Request) -> Completion:
        return await last(self._converse(request, self._whole))

    def stream(self, request: Request) -> AsyncGenerator[str | Completion, None]:
        return self._converse(request, self._pieces)

    async def close(self) -> None:
        await self._client.close()

    def __repr__(self) -> str:
        return f"OpenAIModel({self._url!r}, {self.name!r})"

    # ── one attempt ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _converse(self, request: Request, ask: _Ask) -> AsyncGenerator[str | Completion, None]:
        return converse(request, model=self.name, attempt=partial(self._attempt, request, ask), retry=self._retry)

    async def _attempt(self, request: Request, ask: _Ask) -> AsyncGenerator[Delta, None]:
        """Ask; where the server refuses the way in which JSON was asked for, ask in a plainer way and remember it."""
        refusal: ModelRefusal | None = None
        for form in _FORMS[_FORMS.index(self._form) :] if request.answer else [_PLAIN]:
            try:
                async with aclosing(ask(self._payload(request, form))) as deltas:
                    async for delta in deltas:
                        self._form = form if request.answer else self._form
                        yield delta
                return
            except _RefusedForm as error:
                # A prompt that is too long is refused in every form: the first refusal is then the one to report.
                refusal = refusal or error
        raise ModelRefusal(str(refusal)) from None

    async def _whole(self, payload: dict[str, Any]) -> AsyncGenerator[Delta, None]:
        with self._explained():
            raw = await self._client.chat.completions.with_raw_response.create(**payload)
        response = raw.http_response
        try:
            body = json.loads(response.text)
            choice = body["choices"][0]
        except (ValueError, LookupError, TypeError):
            raise self._unreadable(response) from None
        yield self._delta(body, choice, choice.get("message") or {})._replace(finish=_finish(choice) or "stop")

    async def _pieces(self, payload: dict[str, Any]) -> AsyncGenerator[Delta, None]:
        count = 0
        with self._explained():
            asked = self._client.chat.completions.create(**payload, stream=True, stream_options={"include_usage": True})
            async with await asked as stream:
                async for chunk in stream:
                    count += 1
                    yield self._chunk_delta(chunk)
                if not count:
                    raise self._unreadable(stream.response)

    def _chunk_delta(self, chunk: Any) -> Delta:
        if not isinstance(chunk, ChatCompletionChunk):
            raise Setback(f"{self._server} sent a piece that is no part of an answer.")
        body = chunk.to_dict()
        choices: Any = body.get("choices") or [{}]  # the chunk with the usage has none
        return self._delta(body, choices[0], choices[0].get("delta") or {})

    def _delta(self, body: dict[str, Any], choice: dict[str, Any], said: dict[str, Any]) -> Delta:
        # Thinking that the server has already set apart is in other fields, such as reasoning_content.
        if refused := said.get("refusal"):
            raise ModelRefusal(f"{self.name} refused to answer: {self._scrubbed(str(refused))}")
        if choice.get("finish_reason") == "content_filter":
            raise ModelRefusal(f"{self._server} withheld the answer of {self.name}: its content filter objected.")
        return Delta(said.get("content") or "", _finish(choice), _usage(body))

    def _payload(self, request: Request, form: "_Form") -> dict[str, Any]:
        limit = "max_completion_tokens" if self._url == OFFICIAL else "max_tokens"  # the new name, where it is a must
        return {
            "model": self.name,
            "messages": [self._message(message) for message in form.messages(request)],
            limit: request.max_tokens,
            "temperature": request.temperature,
            "top_p": request.top_p,
            "seed": request.seed,
            **({"stop": list(request.stop)} if request.stop else {}),
            **form.response_format(request),
        }

    def _message(self, message: Message) -> dict[str, Any]:
        if not (message.images and self.capabilities.images):
            return {"role": message.role, "content": message.text}
        pictures = [
            {"type": "image_url", "image_url": {"url": f"data:{image.mime};base64,{image.data}"}} for image in message.images
        ]
        return {"role": message.role, "content": [*pictures, {"type": "text", "text": message.text}]}

    # ── errors ──────────────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def _server(self) -> str:
        return f"The server at {self._url}"

    @contextmanager
    def _explained(self) -> Generator[None, None, None]:
        # `from None` throughout: the SDK's errors hold the request with its key.
        try:
            yield
        except openai.APIStatusError as error:
            raise self._status_error(error.status_code, error.response) from None
        except openai.APIConnectionError as error:
            reason = type(error.__cause__ or error).__name__
            raise Setback(f"{self._server} cannot be reached or broke off ({reason}). Is it running?") from None
        except openai.APIError as error:
            raise ModelRefusal(f"{self._server} failed within its answer: {self._scrubbed(error.message)}") from None
        except ValueError:
            raise Setback(f"{self._server} sent a piece that is not JSON.") from None

    def _status_error(self, status: int, response: httpx2.Response) -> Exception:
        said = self._scrubbed(response.text)
        if status in {401, 403}:
            hint = "Is OPENAI_API_KEY the right one?" if self._key else "Set OPENAI_API_KEY to a key that it accepts."
            return ModelRefusal(f"{self._server} does not let us in ({status}): {server_says(said)}. {hint}")
        if status == 404:
            return ModelUnavailable(
                f"{self._server} has no model '{self.name}' or does not answer at this address (404): "
                f"{server_says(said)}. See what it has at {self._url}/models."
            )
        error = fault(self._server, status, said, response.headers)
        return _RefusedForm(str(error)) if status in {400, 422} else error

    def _unreadable(self, response: httpx2.Response) -> Exception:
        hint = "Does the address end where the API begins, often with /v1?"
        return unreadable(self._server, response.headers.get("content-type", ""), hint)

    def _scrubbed(self, text: str) -> str:
        """Some servers repeat the key in their error."""
        return reduce(lambda words, secret: words.replace(secret, "[key]"), self._secrets, text)


class _RefusedForm(ModelRefusal):
    """A refusal that may be about the way in which JSON was asked for."""


# ── ways of asking for JSON, the strictest first ────────────────────────────────────────────────────────────────────


class _Form(NamedTuple):
    kind: str
    limits: bool = True
    """Whether the schema keeps its lengths: engines with grammars use them, OpenAI's strict mode refuses some."""
    told: bool = False
    """Whether the schema is put into words, because the server does not enforce it."""

    def response_format(self, request: Request) -> dict[str, Any]:
        if self.kind == "json_schema" and request.answer:
            schema = request.answer if self.limits else _without_limits(request.answer)
            named = {"name": _identifier(request.purpose), "schema": schema, "strict": True}
            return {"response_format": {"type": "json_schema", "json_schema": named}}
        return {"response_format": {"type": "json_object"}} if self.kind == "json_object" else {}

    def messages(self, request: Request) -> tuple[Message, ...]:
        if not self.told:
            return request.messages
        # At the end, so that the prefix shared by all steps stays the same and stays cached.
        *earlier, final = request.messages
        words = f"{final.text}\n\nAnswer with JSON alone, of this schema: {defused(json.dumps(request.answer))}"
        return (*earlier, final.model_copy(update={"text": words}))


_PLAIN = _Form("text")
_FORMS = (
    _Form("json_schema"),
    _Form("json_schema", limits=False),
    _Form("json_object", told=True),
    _Form("text", told=True),
)


def _without_limits(schema: Schema) -> Schema:
    kept = {key: value for key, value in schema.items() if key not in _LIMITS}
    if "items" in kept:
        kept["items"] = _without_limits(kept["items"])
    if "properties" in kept:
        kept["properties"] = {name: _without_limits(inner) for name, inner in kept["properties"].items()}
    return kept


def _identifier(purpose: str) -> str:
    return "".join(c if c.isascii() and (c.isalnum() or c in "_-") else "_" for c in purpose)[:64] or "answer"


# ── what the server sent ────────────────────────────────────────────────────────────────────────────────────────────


def _finish(choice: dict[str, Any]) -> Any:
    reason = choice.get("finish_reason")
    return "length" if reason == "length" else "stop" if reason else None


def _usage(body: dict[str, Any]) -> Usage | None:
    usage = body.get("usage")
    if not isinstance(usage, dict):
        return None
    details = usage.get("prompt_tokens_details") or {}
    return Usage(
        prompt_tokens=usage.get("prompt_tokens") or 0,
        cached_tokens=details.get("cached_tokens") or (body.get("timings") or {}).get("cache_n") or 0,
        output_tokens=usage.get("completion_tokens") or 0,
    )


class _Login(NamedTuple):
    header: str = ""
    password: str = ""


def _apart(url: str) -> tuple[str, _Login]:
    """The address without its login, and the login."""
    parts = urlsplit(url)
    login, at, host = parts.netloc.rpartition("@")
    if not at:
        return url, _Login()
    name, _, password = login.partition(":")
    encoded = base64.b64encode(f"{unquote(name)}:{unquote(password)}".encode()).decode()
    return urlunsplit(parts._replace(netloc=host)), _Login(f"Basic {encoded}", unquote(password) or unquote(name))
