"""Redaction: who it was goes, what was felt stays, and the same words come out the same everywhere."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import heartfelt
from cost import growth
from heartfelt import Dialogue, Trace, TraceWriter, Turn
from heartfelt.labels.sets import ED32
from heartfelt.safety.redact import Redactor, redact_text, redacted_json, redacted_trace
from heartfelt.safety.redact.spans import STAND_IN
from heartfelt.safety.respond import crisis_plan, services
from scripts import blaming, fine, good, listening

PACKAGE = Path(heartfelt.__file__).parent

# ── what goes ───────────────────────────────────────────────────────────────────────────────────────────────────────

NAMES = {
    "My name is Maria Lopez.": "My name is [name 1].",
    "my name is wojtek and i am sad": "my name is [name 1] and i am sad",
    "My name's Priya, by the way.": "My name's [name 1], by the way.",
    "my name is qorvin": "my name is [name 1]",
    "Hi, I'm Thandiwe and I can't sleep.": "Hi, I'm [name 1] and I can't sleep.",
    "This is Will speaking.": "This is [name 1] speaking.",
    "My sister Joy died in March.": "My sister [name 1] died in March.",
    "my boss Karen yelled at me": "my boss [name 1] yelled at me",
    "My best friend Mark lied to me.": "My best friend [name 1] lied to me.",
    "I told my doctor Vandermeersch that I am scared.": "I told my doctor [name 1] that I am scared.",
    "Dr. Brown says it is cancer.": "Dr. [name 1] says it is cancer.",
    "mr quillfeather fired me": "mr [name 1] fired me",
    "Mrs. O'Donnell next door died.": "Mrs. [name 1] next door died.",
    "Aunt Mildred hates me.": "Aunt [name 1] hates me.",
    "I have a dog named Biscuit.": "I have a dog named [name 1].",
    "There is a boy called Hunter in my class.": "There is a boy called [name 1] in my class.",
    "Hi Tom, thank you!": "Hi [name 1], thank you!",
    "Dear Grace, I miss you.": "Dear [name 1], I miss you.",
    "I feel better now.\n- Oksana": "I feel better now.\n- [name 1]",
    "Thank you for listening.\nLove,\nHope": "Thank you for listening.\nLove,\n[name 1]",
    "maria broke up with me": "[name 1] broke up with me",
    "I MISS AHMED SO MUCH": "I MISS [name 1] SO MUCH",
    "Yesterday I met Zbyszko again.": "Yesterday I met [name 1] again.",
    "I moved to Wuppertal after the divorce.": "I moved to [name 1] after the divorce.",
    "Zbyszko told me to leave.": "[name 1] told me to leave.",
    "Zbyszko and I broke up.": "[name 1] and I broke up.",
    "Mark told me that he is gay.": "[name 1] told me that he is gay.",
    "I love Mark but he hates me.": "I love [name 1] but he hates me.",
    "José's mother died.": "[name 1]'s mother died.",
    "I called Maria de la Cruz and John F. Kennedy.": "I called [name 1] and [name 2].",
    "Jean-Luc and Anne-Marie got married.": "[name 1] and [name 2] got married.",
    "Maria cried. I held Maria. MARIA!": "[name 1] cried. I held [name 1]. [name 1]!",
    "Maria Lopez came. Lopez left, Maria stayed.": "[name 1] came. [name 1] left, [name 1] stayed.",
    "Ludmiła Wójcik is my therapist.": "[name 1] is my therapist.",
    "Даша Иванова и Олег": "[name 1] и [name 2]",
    "maria_92 wrote to me": "[name 1] wrote to me",
}
NUMBERS = {
    "Call me at 555-123-4567.": "Call me at [number 1].",
    "My cell is (212) 555 0187, text me.": "My cell is [number 1], text me.",
    "+44 20 7946 0958 is my mum's number": "[number 1] is my mum's number",
    "Ring 06 12 34 56 78 after six.": "Ring [number 1] after six.",
    "It's 0171/2345678 or 0171 2345678.": "It's [number 1] or [number 1].",
    "His number is 9876543210!": "His number is [number 1]!",
    "whatsapp +91 98765 43210": "whatsapp [number 1]",
    "My number is five five five one two three four.": "My number is [number 1].",
    "Card 4111 1111 1111 1111 was stolen.": "Card [number 1] was stolen.",
    "They took it from DE89 3704 0044 0532 0130 00.": "They took it from [number 1].",
    "My account number is 12345.": "My account number is [number 1].",
    "my pin is 4321 and he knows it": "my pin is [number 1] and he knows it",
    "My SSN is 123-45-6789.": "My SSN is [number 1].",
    "passport number X1234567": "passport number [number 1]",
    "National insurance QQ 12 34 56 C": "National insurance [number 1]",
    "A car with the plate ABC 1234 hit me.": "A car with the plate [number 1] hit me.",
    "It was AB12 CDE, a red one.": "It was [number 1], a red one.",
    "My case number is 77-2231.": "My case number is [number 1].",
    "They logged 192.168.1.20 and 2001:db8:85a3:0:0:8a2e:370:7334": "They logged [number 1] and [number 2]",
}
PLACES = {
    "I live at 12 Elm Street.": "I live at [address 1].",
    "Come to 221B Baker Street, London!": "Come to [address 1], [name 1]!",
    "Send it to 742 Evergreen Terrace, Springfield, IL 62704.": "Send it to [address 1].",
    "I live on Maple Avenue with my kids.": "I live on [address 1] with my kids.",
    "he waits at 48 oak road every night": "he waits at [address 1] every night",
    "Ich wohne in der Hauptstraße 12.": "Ich wohne in der [address 1].",
    "We met at 5 rue de la Paix.": "We met at [address 1].",
    "P.O. Box 1234 is mine.": "[address 1] is mine.",
    "My zip code is 90210.": "My zip code is [address 1].",
    "Near SW1A 1AA, on the left": "Near [address 1], on the left",
    "I am at 52.5200, 13.4050 now.": "I am at [address 1] now.",
    "Find me at 40°26'46\"N 79°58'56\"W": "Find me at [address 1]",
}
LINKS = {
    "Write to jane.doe+x@mail.example.org.": "Write to [e-mail 1].",
    "jane at gmail dot com works": "[e-mail 1] works",
    "See https://example.org/~jane?tab=1, please.": "See [link 1], please.",
    "It's on www.janes-diary.net!": "It's on [link 1]!",
    "My page is janesdiary.com/about": "My page is [link 1]",
    "I am @jane_doe there.": "I am [link 1] there.",
    "my insta is sunny.girl_92": "my insta is [link 1]",
    "The model is in /home/jdoe/models": "The model is in /home/[name 1]/models",
}
DATES = {
    "I was born on 3 March 1990.": "I was born on [date 1].",
    "My date of birth is 1990-03-12.": "My date of birth is [date 1].",
    "DOB: 12/03/1985": "DOB: [date 1]",
    "July 4th, 1976 is my birthday.": "[date 1] is my birthday.",
    "I was born on May 5, 2001. May 5, 2001 was a good day.": "I was born on [date 1]. [date 1] was a good day.",
}
GOES = NAMES | NUMBERS | PLACES | LINKS | DATES


@pytest.mark.parametrize("said", GOES)
def test_what_tells_who_it_was_goes(said: str):
    assert redact_text(said) == GOES[said]


# ── what stays ──────────────────────────────────────────────────────────────────────────────────────────────────────

STAYS = (
    "I'm 34 and I have three kids.",
    "That was 10 years ago, in 2014.",
    "I weigh 54 kg and eat 800 calories a day.",
    "I took 20 pills of 500 mg at 3:30 am.",
    "It cost $1,500,000 or 1000000 dollars.",
    "We lost 250 000 euros between 2019-2020.",
    "From 2008 to 2012 I lived with 4 roommates.",
    "Call 988 now.",
    "Call 112 in Europe or 911 in North America.",
    "Samaritans: call 116 123, day and night.",
    "Call 1-800-799-7233 or text START to 88788.",
    "You can reach TelefonSeelsorge under 0800 111 0 111.",
    "You can find a free, confidential helpline in your country at findahelpline.com.",
    "I want to kill myself tonight.",
    "I have been cutting my arms again, and I can't stop.",
    "He said he would kill me with a knife.",
    "She raped me when I was 12.",
    "I'm on a pro-ana site all day.",
    "I'm Sad, Angry and Hopeless.",
    "I AM SO ANGRY AT ALL OF YOU",
    "Hope is gone. Joy as well.",
    "I hope so. I have faith in you.",
    "Grace and mercy are what I need.",
    "Will you help me? I will try. May I stay?",
    "Don't leave. Can't you see?",
    "It's Monday, and Christmas is in December.",
    "On Friday I go to France to learn French.",
    "I'm American, my wife is Irish, and we are Catholic.",
    "I'm a Muslim from Turkey who lives in Germany.",
    "I take Prozac and Xanax for my ADHD.",
    "I deleted Facebook, Instagram and TikTok.",
    "We watched Netflix on Thanksgiving.",
    "Thank God it's over. Jesus, what a day.",
    "My Mom and Dad got divorced.",
    "I told Mom about it, and Grandma too.",
    "I have PTSD since I came back from the Army.",
    "The CEO sent HR to the IT department.",
    "OMG, I passed my driving test!",
    "Oh. Wow. Okay. Thanks for that.",
    "My wedding is on 3 March 2025.",
    "My exam is at 10:30 on 12/05.",
    "I was born in 1990 in a small town.",
    "My birthday is next week!",
    "I ran 10 km in 55 minutes, 2 days in a row.",
    "One two three four five six seven, all good children go to heaven.",
    "She is 5 minutes down the road.",
    "It's a one way street.",
    "The doctor said it's stage 4.",
    "my friend is sad",
    "My boss is a bully and my teacher was nice.",
    "I called home. I called the police.",
    "Hi there, how are you?",
    "Dear diary, today was awful.",
    "I mark my words. The rose is red. Bill the customer.",
    "I have a sunny room and a jasmine tea in May.",
    "I bought it on amazon.com and on eBay.",
    "He scored 98.6 and 0.123456789 on it.",
    "Shares: joy 0.512, 0.123; sadness 0.25",
    "The hash is 532e5dc8e47b15f4.",
    "id 123e4567-e89b-12d3-a456-426614174000 at 2026-11-16T10:00:00.123Z",
    "24/7, 50/50, 9-5, 1/2 of it",
    "Social Connection & Affection | Conflict & Injustice | Loss & Failure | Threat & Potential Danger",
    '{"emotion": "ashamed", "why": "Laughed at after a failure."}',
    "The Sun Also Rises Over The Great Big Hill",
    "Listener: How did it go?\nUser: Not well.",
    "I'm drinking Dr Pepper.",
    "[name 1] told [name 2] to call [number 1].",
    "",
    "   ",
    "🙂🙂🙂",
)


@pytest.mark.parametrize("said", STAYS)
def test_what_was_felt_stays(said: str):
    assert redact_text(said) == said


@pytest.mark.parametrize("label", ED32.labels)
@pytest.mark.parametrize("form", [str.lower, str.title, str.upper])
def test_every_emotion_survives_in_every_case(label: str, form: Callable[[str], str]):
    said = f"I think that I am {form(label)} because of it."
    assert redact_text(said) == said


def strings(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    for value in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from strings(value)


def test_our_own_words_survive():
    prompts = [file.read_text("utf-8") for folder in ("prompts", "agents") for file in (PACKAGE / folder).rglob("*.md")]
    replies = crisis_plan.texts()
    assert len(prompts) > 20 and len(replies) > 40
    for text in (*prompts, *replies):
        assert redact_text(text) == text


def test_every_service_can_be_named():
    for country in services.countries():
        for line in country.lines:
            said = f"In {country.name} you can {line.how} ({line.name}), {line.hours}. Or call {country.emergency}."
            assert redact_text(said) == said


# ── one export ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_redactor_remembers():
    redactor = Redactor()
    assert redactor.text("My sister Joy called.") == "My sister [name 1] called."
    assert redactor.text("Joy was crying, and so was Ahmed.") == "[name 1] was crying, and so was [name 2]."
    assert redactor.text("Is Ahmed all right? Is Joy?") == "Is [name 2] all right? Is [name 1]?"


def test_what_is_given_away_late_is_taken_out_early():
    said = [{"text": "Rowanne laughed."}, {"text": "So I asked Rowanne."}, {"text": "4321?"}, {"text": "Yes, my pin is 4321."}]
    assert [turn["text"] for turn in redacted_json(said)] == [
        "[name 1] laughed.",
        "So I asked [name 1].",
        "[number 1]?",
        "Yes, my pin is [number 1].",
    ]


def test_speakers_are_names_whatever_they_are_called():
    turns = [
        {"speaker": "Hope", "text": "Hope is what I am called, and I hope so."},
        {"speaker": "qorvin_x", "text": "It's qorvin_x here."},
        {"speaker": "Listener", "text": "The listener hears you, Hope."},
        {"speaker": "User", "text": "A user."},
        {"speaker": "Person", "text": "A person."},
    ]
    assert [(turn["speaker"], turn["text"]) for turn in redacted_json(turns)] == [
        ("[name 1]", "[name 1] is what I am called, and I hope so."),
        ("[name 2]", "It's [name 2] here."),
        ("Listener", "The listener hears you, [name 1]."),
        ("User", "A user."),
        ("Person", "A person."),
    ]


def test_new_stand_ins_do_not_take_the_numbers_of_old_ones():
    assert redact_text("[name 3] met Ahmed.") == "[name 3] met [name 4]."


def test_json_within_a_text_is_read_through_its_escapes():
    raw = json.dumps({"event": "It failed.\nMaria cried.", "who": "Renée"})
    assert json.loads(redact_text(raw)) == {"event": "It failed.\n[name 1] cried.", "who": "[name 2]"}


def test_labels_keys_and_numbers_stay():
    data = {
        "kind": "forecast",
        "emotion": "Joy",
        "labels": "Maria",
        "Maria": 5551234567,
        "steps": ["Mark", "Rose"],
        "setup": {"model": "openai:http://10.0.0.7#Claude", "identity": {"name": "maya"}, "seed": 7, "on": True, "none": None},
        "template": "580d032d867b5896",
        "ms": 1234567.891,
        "signs": [{"tier": "active", "danger": "suicide", "quote": "Maria wants to die", "confidence": 0.5}],
    }
    assert redacted_json(data) == data | {"signs": [data["signs"][0] | {"quote": "[name 1] wants to die"}]}  # type: ignore[index]


@pytest.mark.parametrize("data", [None, True, 0, 5551234567, -1.5, [], {}, [[], {}, None, 1], {"a": {"b": [1, 2.5, False]}}])
def test_what_holds_no_words_is_left_alone(data: Any):
    assert redacted_json(data) == data


def test_pictures_are_dropped():
    data = {
        "keyframes": [{"time": 0.0, "mime": "image/jpeg", "data": "/9j/4AAQ" * 99}],
        "other": "data:image/png;base64,iVBORw0KGgo=",
        "raw": "QUJD" * 100,
        "audio": ["x"],
    }
    assert redacted_json(data) == {"keyframes": [], "other": "", "raw": "", "audio": []}


def test_a_number_that_was_heard_word_by_word_goes_whole():
    heard = ["Call", "me,", "Maria,", "at", "555", "123", "4567", "please"]
    words = [{"text": word, "start": float(i), "end": i + 0.5, "confidence": None} for i, word in enumerate(heard)]
    found = [word["text"] for word in redacted_json({"words": words})["words"]]
    assert found == ["Call", "me,", "[name 1],", "at", "[number 1]", "[number 1]", "[number 1]", "please"]


def test_a_name_where_a_label_was_due_goes():
    data = {
        "speaker": "Ndidi",
        "tone": "gentle with Ndidi",
        "category": "Conflict & Injustice",
        "model": "scripted:/home/ndidi/a",
    }
    assert redacted_json(data) == {
        "speaker": "[name 1]",
        "tone": "gentle with [name 1]",
        "category": "Conflict & Injustice",
        "model": "scripted:/home/[name 1]/a",
    }


def test_a_session_comes_out_whole():
    event = {"looking_back": False, "event": {"kind": "notice", "text": "Ahmed is not known."}}
    session = {
        "id": "0f8c2d4e6a1b4c3d9e7f5a6b7c8d9e0f",
        "owner": "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9",
        "title": "Ahmed left me",
        "made": "2026-11-16T03:15:00.000000Z",
        "identity": "maya",
        "kept": True,
        "conversation": [
            {"number": 0, "said": "My boyfriend Ahmed left me.", "reply": "Ahmed leaving hurts.", "events": [event]}
        ],
    }
    turn = {"number": 0, "said": "My boyfriend [name 1] left me.", "reply": "[name 1] leaving hurts."}
    events = [{"looking_back": False, "event": {"kind": "notice", "text": "[name 1] is not known."}}]
    assert redacted_json(session) == session | {"title": "[name 1] left me", "conversation": [turn | {"events": events}]}


def test_what_lies_too_deep_is_dropped():
    deep: Any = "My name is Maria."
    for _ in range(500):
        deep = [deep]
    assert "Maria" not in str(redacted_json(deep))


# ── a trace ─────────────────────────────────────────────────────────────────────────────────────────────────────────

PLANTED = ("Ndidi", "ndidi", "Zbyszko", "Elm Street", "867-5309", "jdoe@example.org", "4111 1111", "Renée", "Ren\\u00e9e")
SAID = "I failed, and Zbyszko from 12 Elm Street laughed at me. Call me at 555-867-5309 or jdoe@example.org."
DIALOGUE = Dialogue(
    turns=(
        Turn(speaker="Ndidi", text="It was my third try. My card 4111 1111 1111 1111 is gone, too, and Renée knows."),
        Turn(speaker="Listener", text="How did it go, Ndidi?"),
        Turn(speaker="Ndidi", text=SAID),
    ),
    id="ndidi's",
)
QUOTE = "Zbyszko from 12 Elm Street laughed at me"


async def planted(path: Path) -> bytes:
    perceived = {"cues": [{"source": "words", "quote": QUOTE, "meaning": "humiliated by Zbyszko"}], "summary": "Ndidi failed."}
    changes: dict[str, Any] = {
        "perceive": perceived,
        "cause": {"spans": [QUOTE], "summary": "Zbyszko's scorn.", "category": "Conflict & Injustice"},
        "respond": "Being mocked by Zbyszko must hurt, Ndidi. Renée can call 988 with you.",
        "audit": [blaming("plan", instruction="Mind that ndidi was hurt by Zbyszko."), blaming("forecast"), fine],
    }
    await listening("heartfelt", good(**changes)).answer(DIALOGUE, observers=(TraceWriter(path),))
    return recorded(path)


def recorded(path: Path) -> bytes:
    return path.read_bytes()


async def test_a_trace_comes_out_readable_and_without_anybody(tmp_path: Path):
    before = await planted(tmp_path / "trace.jsonl")
    after = redacted_trace(before)
    assert all(word.encode() in before for word in ("Ndidi", "Zbyszko", "Elm Street", "555-867-5309"))
    assert not [word for word in PLANTED if word.encode() in after]
    was, trace = Trace.parse(before, "before"), Trace.parse(after, "after")
    assert trace.outcome is not None and was.outcome is not None and trace.setup == was.setup
    assert [record.step for record in trace.best.steps] == [record.step for record in was.best.steps]
    assert len(trace.passes) == len(was.passes) == 3


async def test_quotes_replies_and_prompts_of_a_trace_agree(tmp_path: Path):
    trace = Trace.parse(redacted_trace(await planted(tmp_path / "trace.jsonl")), "after")
    said = trace.start.dialogue.last.text
    assert said == "I failed, and [name 3] from [address 1] laughed at me. Call me at [number 2] or [e-mail 1]."
    assert {turn.speaker for turn in trace.start.dialogue.turns} == {"[name 1]", "Listener"}
    evidence, *_ = [record.output for record in trace.best.steps if record.output.kind == "evidence"]
    assert evidence.kind == "evidence" and evidence.cues[0].quote in said
    assert trace.outcome is not None
    assert trace.outcome.reply == "Being mocked by [name 3] must hurt, [name 1]. [name 2] can call 988 with you."
    calls = next(record.calls for record in trace.best.steps if record.step == "perceive")
    assert calls and all("how [name 1] feels" in call.sent for call in calls)
    assert any("[name 3]" in call.raw for call in calls)


async def test_a_trace_cut_short_is_redacted_as_far_as_it_goes(tmp_path: Path):
    whole = await planted(tmp_path / "trace.jsonl")
    after = redacted_trace(whole[: len(whole) // 2])
    assert Trace.parse(after, "after").outcome is None
    assert not [word for word in PLANTED if word.encode() in after]


async def test_redacting_a_trace_twice_changes_nothing(tmp_path: Path):
    once = redacted_trace(await planted(tmp_path / "trace.jsonl"))
    assert redacted_trace(once) == once


@pytest.mark.parametrize("data", [b"", b"\n\n", b"no trace", b"\xff\xfe", b"[" * 9999, b'{"kind": "Maria'])
def test_what_is_no_trace_gives_nothing_away(data: bytes):
    assert redacted_trace(data) == b""


# ── properties ──────────────────────────────────────────────────────────────────────────────────────────────────────

PIECES = st.sampled_from(
    [*GOES, *STAYS, "Maria", "maria", "Mark", "Hope", "and", "my friend", "told", "is", "555-123-4567", "born", "3 March",
     "12 ", "Elm", "Street", "hi", "Dr.", "name", "'s", "-", ".", ",", ":", "\n", "\\n", '"', "[name 1]", "pin is", "4321", "@",
     "http://", "é", "de"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=12).map(" ".join))
@settings(max_examples=300, deadline=None)
def test_redacting_twice_changes_nothing(said: str):
    once = redact_text(said)
    assert redact_text(once) == once


@given(st.text(max_size=200))
@settings(max_examples=200, deadline=None)
def test_any_text_comes_out(said: str):
    once = redact_text(said)
    assert redact_text(once) == once


@given(st.lists(PIECES, min_size=1, max_size=8))
@settings(max_examples=100, deadline=None)
def test_the_same_text_comes_out_the_same_everywhere(said: list[str]):
    data = [{"text": text} for text in said]
    found = redacted_json([data, data])
    assert found[0] == found[1] and len({str(redacted_json([data, data])) for _ in range(2)}) == 1


HOSTILE = (
    "a", "a.", "1", "1 ", "12-", "(1", "A ", "Aa ", "Maria ", "Maria-", "@", "a@", "a@a.", "http://", "www.", "my name is ",
    "[", "[name 1", "12 Elm ", "1.1.1.1.", "0:", "born ", "\\u00e9", "\\n", "'", "x's ", "- ", "one two ", "account number ",
    "é", "\n", " ", "a-", "/home/", "de la ", "A. ", "AB12 ", "call me at ", "1/1/1/", "Dr. ", ",", "° ", "Aa Street ",
    "12 rue de ", "0" * 17 + "A",
)  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_text_takes_linear_time(piece: str):
    short, long = piece * (2_000 // len(piece) + 1), piece * (32_000 // len(piece) + 1)
    assert growth(redact_text, short, long, enough=96) <= 96  # were it quadratic, it would be 256 times as long


def test_stand_ins_look_like_this():
    found = redact_text("Maria, 555-123-4567, 12 Elm Street, a@b.org, https://a.org/b, born on 3 March 1990")
    assert STAND_IN.sub("*", found) == "*, *, *, *, *, born on *"
    assert found == "[name 1], [number 1], [address 1], [e-mail 1], [link 1], born on [date 1]"
