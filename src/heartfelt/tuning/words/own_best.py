"""Learning from its own best answers.

The model answers many messages several times and marks what it wrote, as raters taught it to; the best of each is a lesson. So
the likeliest answer comes to be what was the best of several, and nobody waits for the others.
"""

from collections.abc import Callable, Sequence
from random import Random

from heartfelt.tuning.network import Network
from heartfelt.tuning.words.lessons import WordsLesson
from heartfelt.tuning.words.write import BatchWriter, WrittenAnswer

TEMPERATURE, MOST = 0.8, 40
"""How freely answers are drawn, and the tokens of one at most."""
LIKELY = 0.66
"""What the mean log-probability of a token counts beside the mark."""
WORTH = 2.6
"""The mark from which the best is worth learning: nothing good was written where it has less."""
AT_ONCE = 1024
AGAIN, MARKED_AGAIN = 0.18, 0.6
"""The shares of earlier lessons, written and marked, that are taught again beside the new ones, so that none is forgotten."""


def own_best(
    network: Network,
    prompts: Sequence[list[int]],
    *,
    draws: int,
    end: int,
    digits: list[int],
    stops: frozenset[int],
    seed: int,
    told: Callable[[str], object],
) -> list[WordsLesson]:
    """A lesson for each prompt to which something good was written."""
    network.eval()
    writer = BatchWriter(network)
    best: dict[int, WrittenAnswer] = {}
    order = sorted(range(len(prompts)), key=lambda i: len(prompts[i]))  # alike long ones side by side
    for draw in range(draws):
        for start in range(0, len(order), AT_ONCE):
            asked = order[start : start + AT_ONCE]
            made = writer.write(
                [prompts[i] for i in asked],
                end=end,
                digits=digits,
                stops=stops,
                most=MOST,
                temperature=TEMPERATURE,
                seed=seed + draw * len(order) + start,
            )
            for i, answer in zip(asked, made, strict=True):
                if answer.tokens and answer.mark and (i not in best or _worth(answer) > _worth(best[i])):
                    best[i] = answer
        told(f"answered {len(order)} messages, time {draw + 1} of {draws}")
    kept = {i: answer.tokens for i, answer in best.items() if answer.mark >= WORTH}
    told(f"something good was written to {len(kept)}")
    return [_lesson(prompts[i], [*said, end]) for i, said in sorted(kept.items())]


def again(lessons: Sequence[WordsLesson], random: Random) -> list[WordsLesson]:
    """Lessons from before, to be taught beside the new ones."""
    return [lesson for lesson in lessons if random.random() < (MARKED_AGAIN if lesson.mark else AGAIN)]


def _lesson(prompt: list[int], answer: list[int]) -> WordsLesson:
    return WordsLesson(prompt + answer, len(prompt), (True,) * len(answer))


def _worth(answer: WrittenAnswer) -> float:
    return answer.mark + LIKELY * answer.likely
