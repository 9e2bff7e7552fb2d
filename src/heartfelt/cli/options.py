"""Options that several commands share, and the setup that they amount to."""

from pathlib import Path
from typing import Annotated, TypeAlias, get_args

import typer

from heartfelt.budget import Budget
from heartfelt.edits import Edit
from heartfelt.errors import UnknownName, UsageError
from heartfelt.recipes import RECIPES, Ablation
from heartfelt.records import Identity, Source
from heartfelt.safety.respond.services import known
from heartfelt.safety.settings import Safety
from heartfelt.setup import Setup

_TURN, _ABLATION, _BUDGET, _SHOWN, _SAFETY = "Turn", "Ablation", "Budget", "Voice and face", "Safety"

RecipeName: TypeAlias = Annotated[
    str, typer.Option("--recipe", "-r", envvar="HEARTFELT_RECIPE", help=f"One of: {', '.join(RECIPES)}.", rich_help_panel=_TURN)
]
ModelAddress: TypeAlias = Annotated[
    str,
    typer.Option(
        "--model",
        "-m",
        envvar="HEARTFELT_MODEL",
        help="`embedded:`, `ollama:NAME`, `openai:URL#NAME` or `scripted:FILE`.",
        rich_help_panel=_TURN,
    ),
]
Voters: TypeAlias = Annotated[
    list[str] | None, typer.Option("--voter", help="A further model that votes on the emotion (e3rg).", rich_help_panel=_TURN)
]
Seed: TypeAlias = Annotated[
    int, typer.Option("--seed", help="Seed of every word that is drawn by chance.", rich_help_panel=_TURN)
]
MemoryName: TypeAlias = Annotated[
    str, typer.Option("--memory", help="`starter`, `none`, or a memory that you built.", rich_help_panel=_TURN)
]
WhoAnswers: TypeAlias = Annotated[
    str,
    typer.Option(
        "--identity",
        help="A name of `heartfelt identities`, `seed:NUMBER`, `profile:NUMBER` (AvaMERG), or AGE-GENDER-TIMBRE.",
        rich_help_panel=_TURN,
    ),
]
Media: TypeAlias = Annotated[
    str,
    typer.Option(
        "--media",
        envvar="HEARTFELT_MEDIA",
        help="What is made of the reply beside its text, in the folder of --out: `film` (with sound), `sound` or `none`; "
        "`auto` is a film where the parts for it are installed.",
        rich_help_panel=_SHOWN,
    ),
]
Size: TypeAlias = Annotated[
    int, typer.Option("--size", min=64, max=1024, help="Dots a side of a film.", rich_help_panel=_SHOWN)
]
Mark: TypeAlias = Annotated[
    str,
    typer.Option(
        "--mark", envvar="HEARTFELT_MARK", help="A small text that every picture of a film bears.", rich_help_panel=_SHOWN
    ),
]
VoiceAddress: TypeAlias = Annotated[
    str,
    typer.Option(
        "--voice",
        envvar="HEARTFELT_VOICE",
        help="Who speaks: `embedded:`, `openvoice:URL`, `styletts2:URL` or `service:URL`.",
        rich_help_panel=_SHOWN,
    ),
]
FaceAddress: TypeAlias = Annotated[
    str,
    typer.Option(
        "--face",
        envvar="HEARTFELT_FACE",
        help="Who is shown: `embedded:`, `dice-talk:URL`, `dreamtalk:URL` or `service:URL`.",
        rich_help_panel=_SHOWN,
    ),
]
FallBack: TypeAlias = Annotated[
    bool,
    typer.Option("--fall-back", help="Use the embedded generator where a service cannot be reached.", rich_help_panel=_SHOWN),
]
Tries: TypeAlias = Annotated[
    int, typer.Option("--tries", min=1, max=10, help="How often a step is asked for a usable answer.", rich_help_panel=_TURN)
]
Timeout: TypeAlias = Annotated[float, typer.Option("--timeout", min=1, help="Seconds for one call.", rich_help_panel=_TURN)]
Scored: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--scored", help="A split that is being scored, such as `meld/test`: never recalled.", rich_help_panel=_TURN),
]
Without: TypeAlias = Annotated[
    list[str] | None, typer.Option("--without", help="Leave a step out; may be repeated.", rich_help_panel=_ABLATION)
]
Unsensed: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--without-sense", help="Do without `face`, `voice` or `words` as senses; may be repeated.", rich_help_panel=_ABLATION
    ),
]
Independent: TypeAlias = Annotated[
    bool, typer.Option("--independent", help="Each step sees only the dialogue.", rich_help_panel=_ABLATION)
]
Refinements: TypeAlias = Annotated[
    int | None, typer.Option("--refinements", "-T", help="How often a blamed step may be mended.", rich_help_panel=_ABLATION)
]
NoSelection: TypeAlias = Annotated[
    bool, typer.Option("--no-selection", help="Take the last pass, not the best.", rich_help_panel=_ABLATION)
]
TopK: TypeAlias = Annotated[int | None, typer.Option("--top-k", help="How many exemplars.", rich_help_panel=_ABLATION)]
Temperature: TypeAlias = Annotated[
    float | None, typer.Option("--temperature", min=0, max=2, help="For every step.", rich_help_panel=_ABLATION)
]
StepModels: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--step-model", help="STEP=ADDRESS: another model for one step; may be repeated.", rich_help_panel=_ABLATION),
]
Plants: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--plant", help="STEP.FIELD=VALUE: put a fault into the first pass on purpose.", rich_help_panel=_ABLATION),
]
MaxCalls: TypeAlias = Annotated[
    int | None, typer.Option("--max-calls", min=1, help="Model calls in a turn.", rich_help_panel=_BUDGET)
]
MaxTokens: TypeAlias = Annotated[
    int | None, typer.Option("--max-tokens", min=1, help="Tokens read and written in a turn.", rich_help_panel=_BUDGET)
]
MaxMs: TypeAlias = Annotated[
    float | None, typer.Option("--max-ms", min=1, help="Milliseconds in a turn.", rich_help_panel=_BUDGET)
]
CountryCode: TypeAlias = Annotated[
    str,
    typer.Option(
        "--country",
        envvar="HEARTFELT_COUNTRY",
        help="Two letters such as DE: whose services are named to somebody in danger.",
        rich_help_panel=_SAFETY,
    ),
]
ReaderAddress: TypeAlias = Annotated[
    str,
    typer.Option(
        "--reader",
        envvar="HEARTFELT_READER",
        help="Who reads between the lines for danger: `embedded:`, `embedded:quick`, a file, or `none` (rules and phrases).",
        rich_help_panel=_SAFETY,
    ),
]
GuardAddress: TypeAlias = Annotated[
    str,
    typer.Option(
        "--guard",
        envvar="HEARTFELT_GUARD",
        help="The address of a guard model that looks for danger as well, such as Qwen3Guard's.",
        rich_help_panel=_SAFETY,
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


def _sense(name: str) -> Source:
    if name not in get_args(Source):
        raise UnknownName("sense", name, get_args(Source))
    return name  # type: ignore[return-value]


def make_setup(
    *,
    recipe: str,
    model: str,
    voters: list[str] | None,
    seed: int,
    memory: str,
    identity: str,
    tries: int,
    timeout: float,
    scored: list[str] | None,
    without: list[str] | None,
    unsensed: list[str] | None,
    independent: bool,
    refinements: int | None,
    no_selection: bool,
    top_k: int | None,
    temperature: float | None,
    models: list[str] | None,
    plants: list[str] | None,
    budget: Budget,
    country: str = "",
    guard: str = "",
    reader: str = "embedded:",
) -> Setup:
    """The setup that the options of `respond` amount to."""
    return Setup(
        recipe=check_recipe(recipe),
        model=model,
        voters=tuple(voters or ()),
        ablation=Ablation(
            without=tuple(without or ()),
            unsensed=tuple(_sense(name) for name in unsensed or ()),
            independent=independent,
            refinements=refinements,
            selection=not no_selection,
            top_k=top_k,
            temperature=temperature,
            models=step_models(models),
        ),
        plants=tuple(Edit.parse(plant) for plant in plants or ()),
        memory=memory,
        scored=tuple(scored or ()),
        identity=identity_of(identity),
        budget=budget,
        safety=Safety(country=known(country), guard=guard, reader=reader),
        seed=seed,
        tries=tries,
        timeout=timeout,
    )
