"""Options that several commands share, and the setup that they amount to."""

from functools import partial
from pathlib import Path
from typing import Annotated, TypeAlias, get_args

import typer

from heartfelt.errors import UnknownName, UsageError
from heartfelt.recipes import RECIPES
from heartfelt.records import Identity, Source

_turn, _ablation, _budget, _shown, _safety = (
    partial(typer.Option, rich_help_panel=panel) for panel in ("Turn", "Ablation", "Budget", "Voice and face", "Safety")
)

RecipeName: TypeAlias = Annotated[
    str, _turn("--recipe", "-r", envvar="HEARTFELT_RECIPE", help=f"One of: {', '.join(RECIPES)}.")
]
ModelAddress: TypeAlias = Annotated[
    str,
    _turn("--model", "-m", envvar="HEARTFELT_MODEL", help="`embedded:`, `ollama:NAME`, `openai:URL#NAME` or `scripted:FILE`."),
]
Voters: TypeAlias = Annotated[list[str] | None, _turn("--voter", help="A further model that votes on the emotion (e3rg).")]
Seed: TypeAlias = Annotated[int, _turn("--seed", help="Seed of every word that is drawn by chance.")]
MemoryName: TypeAlias = Annotated[str, _turn("--memory", help="`starter`, `none`, or a memory that you built.")]
WhoAnswers: TypeAlias = Annotated[
    str,
    _turn(
        "--identity", help="A name of `heartfelt identities`, `seed:NUMBER`, `profile:NUMBER` (AvaMERG), or AGE-GENDER-TIMBRE."
    ),
]
Media: TypeAlias = Annotated[
    str,
    _shown(
        "--media",
        envvar="HEARTFELT_MEDIA",
        help="What is made of the reply beside its text, in the folder of --out: `film` (with sound), `sound` or `none`; "
        "`auto` is a film where the parts for it are installed.",
    ),
]
Size: TypeAlias = Annotated[int, _shown("--size", min=64, max=1024, help="Dots a side of a film.")]
Mark: TypeAlias = Annotated[
    str, _shown("--mark", envvar="HEARTFELT_MARK", help="A small text that every picture of a film bears.")
]
EarsAddress: TypeAlias = Annotated[
    str,
    _turn(
        "--ears",
        envvar="HEARTFELT_EARS",
        help="Who understands speech: `embedded:`, `moonshine:`, `whisper:base`, `whisper:small` or `faster-whisper:MODEL`.",
    ),
]
VoiceAddress: TypeAlias = Annotated[
    str,
    _shown(
        "--voice", envvar="HEARTFELT_VOICE", help="Who speaks: `embedded:`, `openvoice:URL`, `styletts2:URL` or `service:URL`."
    ),
]
FaceAddress: TypeAlias = Annotated[
    str,
    _shown(
        "--face", envvar="HEARTFELT_FACE", help="Who is shown: `embedded:`, `dice-talk:URL`, `dreamtalk:URL` or `service:URL`."
    ),
]
FallBack: TypeAlias = Annotated[
    bool, _shown("--fall-back", help="Use the embedded generator where a service cannot be reached.")
]
Tries: TypeAlias = Annotated[int, _turn("--tries", min=1, max=10, help="How often a step is asked for a usable answer.")]
Timeout: TypeAlias = Annotated[float, _turn("--timeout", min=1, help="Seconds for one call.")]
Scored: TypeAlias = Annotated[
    list[str] | None, _turn("--scored", help="A split that is being scored, such as `meld/test`: never recalled.")
]
Without: TypeAlias = Annotated[list[str] | None, _ablation("--without", help="Leave a step out; may be repeated.")]
Unsensed: TypeAlias = Annotated[
    list[str] | None, _ablation("--without-sense", help="Do without `face`, `voice` or `words` as senses; may be repeated.")
]
Independent: TypeAlias = Annotated[bool, _ablation("--independent", help="Each step sees only the dialogue.")]
Refinements: TypeAlias = Annotated[int | None, _ablation("--refinements", "-T", help="How often a blamed step may be mended.")]
NoSelection: TypeAlias = Annotated[bool, _ablation("--no-selection", help="Take the last pass, not the best.")]
TopK: TypeAlias = Annotated[int | None, _ablation("--top-k", help="How many exemplars.")]
Temperature: TypeAlias = Annotated[float | None, _ablation("--temperature", min=0, max=2, help="For every step.")]
StepModels: TypeAlias = Annotated[
    list[str] | None, _ablation("--step-model", help="STEP=ADDRESS: another model for one step; may be repeated.")
]
Plants: TypeAlias = Annotated[
    list[str] | None, _ablation("--plant", help="STEP.FIELD=VALUE: put a fault into the first pass on purpose.")
]
MaxCalls: TypeAlias = Annotated[int | None, _budget("--max-calls", min=1, help="Model calls in a turn.")]
MaxTokens: TypeAlias = Annotated[int | None, _budget("--max-tokens", min=1, help="Tokens read and written in a turn.")]
MaxMs: TypeAlias = Annotated[float | None, _budget("--max-ms", min=1, help="Milliseconds in a turn.")]
CountryCode: TypeAlias = Annotated[
    str,
    _safety(
        "--country", envvar="HEARTFELT_COUNTRY", help="Two letters such as DE: whose services are named to somebody in danger."
    ),
]
ReaderAddress: TypeAlias = Annotated[
    str,
    _safety(
        "--reader",
        envvar="HEARTFELT_READER",
        help="Who reads between the lines for danger: `embedded:`, `embedded:quick`, a file, or `none` (rules and phrases).",
    ),
]
GuardAddress: TypeAlias = Annotated[
    str,
    _safety(
        "--guard",
        envvar="HEARTFELT_GUARD",
        help="The address of a guard model that looks for danger as well, such as Qwen3Guard's.",
    ),
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
Telemetry: TypeAlias = Annotated[
    bool, typer.Option("--telemetry", help="Send spans to the OpenTelemetry collector that OTEL_ variables name.")
]
OutFolder: TypeAlias = Annotated[
    Path | None,
    typer.Option("--out", "-o", help="Write the reply as text, sound and film, and the trace with its page, into this folder."),
]


def identity_of(text: str) -> Identity:
    """A name, `seed:7`, `profile:7`, or `young-female-mid`; middle-aged has a hyphen of its own."""
    age, gender, timbre = ["", "", *text.rsplit("-", 2)][-3:]
    try:
        return Identity.model_validate({"age": age, "gender": gender, "timbre": timbre})
    except ValueError:
        pass
    from heartfelt.expression.persona import persona_named  # who answers in words alone does without

    try:
        return persona_named(text).identity
    except UnknownName as error:
        raise UsageError(f"{error} Or write seed:NUMBER, profile:NUMBER, or a profile such as elderly-male-low.") from None


def step_models(pairs: list[str] | None) -> dict[str, str]:
    models: dict[str, str] = {}
    for pair in pairs or []:
        step, equals, address = pair.partition("=")
        if not equals:
            raise UsageError(f"'{pair}' is no step model. Write STEP=ADDRESS, for example audit=ollama:qwen3.")
        models[step] = address
    return models


def check_recipe(name: str) -> str:
    if name not in RECIPES:
        raise UnknownName("recipe", name, RECIPES)
    return name


def check_sense(name: str) -> Source:
    if name not in get_args(Source):
        raise UnknownName("sense", name, get_args(Source))
    return name  # type: ignore[return-value]
