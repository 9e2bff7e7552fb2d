"""One line for each step that is done, as the steps after it read it."""

from heartfelt.prompts.lines import one_line, quotable
from heartfelt.records import Cause, Cue, Evidence, Forecast, Goal, Output, Plan, Reply, Scenario, Situation, Strategy

STRATEGIES = {"ER": "emotional reaction", "IP": "interpretation", "EX": "exploration"}


def note(output: Output) -> str:
    """Always one line: what a model wrote into a field cannot become the note of another step."""
    return one_line(_note(output))


def _note(output: Output) -> str:
    match output:
        case Evidence(cues=cues):
            return "Seen: " + "; ".join(_cue(cue) for cue in cues)
        case Scenario(event=event):
            return f"Event: {event}"
        case Situation(message=message, meaning=meaning):  # a small model tells no meaning, and was not taught to read kinds
            return f"Meaning: {meaning} ({message})" if meaning else ""
        case Forecast(emotion=emotion, conflict=conflict):
            return f"Feeling: {emotion}" + (f" (against it: {conflict})" if conflict else "")
        case Cause(spans=spans, category=category):
            return "Cause: " + ", ".join(f'"{quotable(span)}"' for span in spans) + f" ({category})"
        case Plan():
            return (
                f"Plan: {output.goal}, as {_article(output.stance)} {output.stance}, {output.tactic}, in a {output.tone} tone"
            )
        case Strategy(choice=choice):
            return f"Strategy: {STRATEGIES.get(choice, choice)}"
        case Goal(goal=goal):
            return f"Goal: {goal}"
        case Reply(text=text):
            return f"Reply: {text}"
        case _:  # exemplars stand in the reply's own part, a delivery is not for words
            return ""


def _article(word: str) -> str:
    return "an" if word[:1] in "aeiou" else "a"


def _cue(cue: Cue) -> str:
    quote = quotable(cue.quote)
    return f'"{quote}" ({cue.meaning})' if cue.source == "words" else f"{cue.source}: {quote} ({cue.meaning})"
