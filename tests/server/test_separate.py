"""Two people at once, each with many sessions: nobody ever reads, hears or changes anything of the other."""

import asyncio
import base64
import json
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import httpx2 as httpx
import pytest

from heartfelt.models import Completion, Request, Scripted
from heartfelt.server import tokens
from scripts import FULL, fine

from .live.person import person
from .serving import Served, serving

SESSIONS, TURNS = 8, 3
WAYS = (
    ("GET", ""),
    ("PATCH", ""),
    ("DELETE", ""),
    ("GET", "/export"),
    ("GET", "/turns/0/trace"),
    ("GET", "/turns/0/trace.html"),
    ("GET", "/turns/0/speech.wav"),
    ("GET", "/turns/0/timeline.json"),
    ("POST", "/messages"),
    ("POST", "/turns/0/again"),
    ("POST", "/turns/0/replay"),
)
"""Every way to a session; its recordings are tried apart, since they are a form."""


class Echo(Scripted):
    """Answers with the last secret word that it was told, so that whatever reaches the wrong person gives itself away."""

    def __init__(self) -> None:
        super().__init__(FULL | {"audit": fine})

    async def complete(self, request: Request) -> Completion:
        await asyncio.sleep(0.002)
        found = await super().complete(request)
        if request.purpose != "respond":
            return found
        secrets = [word for message in request.messages for word in message.text.split() if word.startswith("secret-")]
        return found.model_copy(update={"text": f"I hear you about {secrets[-1].strip('.,')}, and I stay here with you."})


@dataclass
class Someone:
    """A person with their own sessions, and all that they were ever told."""

    name: str
    token: str
    other: str = ""
    sessions: list[str] = field(default_factory=list[str])
    told: list[str] = field(default_factory=list[str])
    numbers: "count[int]" = field(default_factory=count)

    def says(self) -> str:
        return f"It went wrong again, and I cannot stop thinking of secret-{self.name}-{next(self.numbers)}."


@pytest.mark.parametrize("guarded", [False, True], ids=["anybody", "tokens"])
async def test_two_people_never_meet(tmp_path: Path, guarded: bool):
    ana, ben = _people(tmp_path, guarded)
    settings = {"tokens": str(tmp_path / "tokens.toml")} if guarded else {}
    with serving(tmp_path, model=Echo(), at_once=8, **settings) as served:
        async with _client(served, ana) as first, _client(served, ben) as second:
            await asyncio.gather(_begin(first, ana), _begin(second, ben))
            talks = [_talk(client, who, session) for client, who in ((first, ana), (second, ben)) for session in who.sessions]
            pries = [_pry(first, ana, ben), _pry(second, ben, ana)]
            lives = [_listen(served, ana), _listen(served, ben)]
            await asyncio.gather(*talks, *pries, *lives)
            await asyncio.gather(_look(first, ana), _look(second, ben))
    for who in (ana, ben):
        everything = "\n".join(who.told)
        assert f"secret-{who.name}-" in everything
        assert f"secret-{who.other}-" not in everything


def test_ids_cannot_be_guessed(served: Served):
    ids = [served.session() for _ in range(20)]
    raw = [base64.urlsafe_b64decode(each + "=" * (-len(each) % 4)) for each in ids]
    assert all(len(each) * 8 >= 128 for each in raw) and len(set(ids)) == 20
    assert all(len({each[place] for each in raw}) > 1 for place in range(16))


def _people(folder: Path, guarded: bool) -> tuple[Someone, Someone]:
    file = folder / "tokens.toml"
    ana, ben = (Someone(name, tokens.add(file, name) if guarded else name) for name in ("ana", "ben"))
    ana.other, ben.other = ben.name, ana.name
    return ana, ben


def _client(served: Served, who: Someone) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=served.url, headers={"authorization": f"Bearer {who.token}"}, timeout=60)


async def _begin(client: httpx.AsyncClient, who: Someone) -> None:
    made = await asyncio.gather(*(client.post("/api/sessions", json={"title": f"of {who.name}"}) for _ in range(SESSIONS)))
    who.sessions += [answer.json()["id"] for answer in made]


async def _talk(client: httpx.AsyncClient, who: Someone, session: str) -> None:
    """Half of it as streams."""
    for turn in range(TURNS):
        said, headers = who.says(), {"accept": "text/event-stream"} if turn % 2 else {}
        answer = await client.post(f"/api/sessions/{session}/messages", json={"text": said}, headers=headers)
        who.told.append(answer.text)
        told = [json.loads(line[6:]) for line in answer.text.splitlines() if line.startswith("data: ")] if turn % 2 else []
        done = told[-1]["turn"] if told else answer.json()
        assert done["state"] == "answered" and done["said"] == said and said.split()[-1].strip(".") in done["reply"]


async def _pry(client: httpx.AsyncClient, who: Someone, other: Someone) -> None:
    """Whatever is asked of the other's sessions, while both talk, there is nothing."""
    for _ in range(2):
        for session in other.sessions:
            for method, path in WAYS:
                body = {"text": "x"} if path == "/messages" else {"title": "mine"} if method == "PATCH" else {}
                answer = await client.request(method, f"/api/sessions/{session}{path}", json=body if method != "GET" else None)
                assert answer.status_code == 404, (method, path, answer.text)
                who.told.append(answer.text)
        files = {"media": ("me.wav", b"RIFF")}
        assert (await client.post(f"/api/sessions/{other.sessions[0]}/recordings", files=files)).status_code == 404
        listed = await client.get("/api/sessions")
        assert not {line["id"] for line in listed.json()} & set(other.sessions)
        who.told.append(listed.text)


async def _listen(served: Served, who: Someone) -> None:
    """In the room of one's own session one hears what is said there and nothing else."""
    async with person(served, who.sessions[0], who=who.token) as present:
        await present.turn("answered", TURNS - 1, seconds=60)
        who.told.append(json.dumps(present.told))


async def _look(client: httpx.AsyncClient, who: Someone) -> None:
    for session in who.sessions:
        for path in ("", "/export?redacted=false", "/turns/0/trace"):
            answer = await client.get(f"/api/sessions/{session}{path}")
            assert answer.status_code == 200
            who.told.append(answer.text)
        whole = (await client.get(f"/api/sessions/{session}")).json()
        assert len(whole["conversation"]) == TURNS and whole["title"] == f"of {who.name}"
