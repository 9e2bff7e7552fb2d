"""One question to the judge, and its answer as a row. An error is a row too."""

from typing import NamedTuple, cast

from heartfelt.errors import BadOutput, ModelError, ModelUnavailable
from heartfelt.evaluation.experiments.answered import Failed
from heartfelt.evaluation.judging.asking import OPTIONS, JudgeManner, Side, form, request
from heartfelt.evaluation.judging.criteria import Criterion
from heartfelt.evaluation.judging.pairs import Pair
from heartfelt.evaluation.judging.rulings import Key, Ruling
from heartfelt.evaluation.statistics.judging import Verdict
from heartfelt.models.answers import parse
from heartfelt.models.seam import Completion, Model, Schema


class Question(NamedTuple):
    pair: Pair
    criterion: Criterion
    first: Side
    repeat: int

    @property
    def key(self) -> Key:
        return self.pair.id, self.criterion.name, self.first, self.repeat


async def answer(question: Question, model: Model, manner: JudgeManner) -> Ruling:
    """Only a judge that is not there at all is no row: no other question would get through either."""
    try:
        return await _asked(question, model, manner)
    except ModelUnavailable:
        raise
    except ModelError as error:
        failed = Failed(error=type(error).__name__, message=str(error), step="judge")
        return _blank(question).model_copy(update={"failed": failed})


async def _asked(question: Question, model: Model, manner: JudgeManner) -> Ruling:
    pair, criterion, first, repeat = question
    able, problem = model.capabilities, ""
    for attempt in range(manner.tries):
        asked = request(pair, criterion, first=first, repeat=repeat, able=able, manner=manner, attempt=attempt, problem=problem)
        completion = await model.complete(asked)
        try:
            return _ruling(question, completion, form(able))
        except BadOutput as error:
            problem = str(error)
    raise BadOutput(f"{model.name} gave no verdict in {manner.tries} tries: {problem} Use a more capable judge with --model.")


def _ruling(question: Question, completion: Completion, schema: Schema) -> Ruling:
    said = parse(completion.text, schema)
    read = {
        "verdict": _verdict(said["better"]),
        "reason": said.get("reason", ""),
        "shares": {option: round(share, 4) for option, share in completion.probabilities.get("better", {}).items()},
        "tokens": completion.usage.prompt_tokens + completion.usage.output_tokens,
        "ms": round(completion.ms, 1),
    }
    return _blank(question).model_copy(update=read)


def _blank(question: Question) -> Ruling:
    pair, criterion, first, repeat = question
    return Ruling(
        kind="ruling",
        pair=pair.id,
        task=pair.task,
        dialogue=f"{pair.task}/{pair.dialogue.id or pair.item}",
        criterion=criterion.name,
        first=first,
        repeat=repeat,
        verdict="none",
    )


def _verdict(word: str) -> Verdict:
    """Models say «Reply 1» or «First.» however plainly they are told not to."""
    plain = word.strip().strip(".'\"`*").lower().removeprefix("reply ").removeprefix("the ").removesuffix(" reply")
    found = {"1": "first", "2": "second", "equal": "tie", "both": "tie", "neither": "tie"}.get(plain, plain)
    if found not in OPTIONS:
        raise BadOutput(f"The answer says '{word[:40]}' where it must say first, second or tie.", raw=word)
    return cast(Verdict, found)
