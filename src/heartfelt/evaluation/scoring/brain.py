"""The embedded model as a judge of replies: not asked what it thinks of one, but how likely it would have written it.

The prompt is the very one of the `respond` step in TRACE's recipe, with the feeling that the model itself reads in the
dialogue, the cause by rule, and one strategy's name. What the prompts differ in is that name alone.
"""

from functools import cached_property
from math import exp

from heartfelt.agents import ForecastEmotion, Respond, Services, View
from heartfelt.budget import Budget, Meter
from heartfelt.evaluation.metrics.presence import BRAIN, MECHANISMS
from heartfelt.evaluation.weak import cause_of
from heartfelt.models.embedded.engine import Engine
from heartfelt.models.embedded.guided import GuidedWriter, Sampler
from heartfelt.models.embedded.model import EmbeddedModel, chat_tokens
from heartfelt.prompts import Prompt
from heartfelt.records import Dialogue, Forecast, Output, Scores, StepRecord, Strategy
from heartfelt.text import sentences_of

TURNS = 4
"""The latest turns that are read: the reply is to the last of them."""
SENTENCES = 4
"""The first so many of a reply are marked: replies have two."""


class Brain:
    def __init__(self, model: EmbeddedModel | None = None):
        self.model = model or EmbeddedModel()

    @cached_property
    def engine(self) -> Engine:
        return self.model.load()

    def close(self) -> None:
        if "engine" in self.__dict__:
            self.engine.close()

    def presence(self, dialogue: Dialogue, reply: str) -> Scores:
        """The marks: for each mechanism its largest share in a sentence."""
        shares = self.shares(dialogue, reply)
        return (
            {f"presence/{BRAIN}/{name}": round(max(each[name] for each in shares), 4) for name in MECHANISMS} if shares else {}
        )

    def shares(self, dialogue: Dialogue, reply: str) -> list[Scores]:
        """For each sentence how its likelihood is shared among the strategies, all being equally likely beforehand."""
        sentences = sentences_of(reply)[:SENTENCES]
        logs = {name: self._likely(prompt, sentences) for name, prompt in self._prompts(dialogue).items()} if sentences else {}
        return [_softmax({name: each[place] for name, each in logs.items()}) for place in range(len(sentences))]

    def _prompts(self, dialogue: Dialogue) -> dict[str, list[int]]:
        dialogue = dialogue.model_copy(update={"turns": dialogue.turns[-TURNS:]})
        felt = self._felt(dialogue)
        notes, respond = (felt, cause_of(dialogue, felt.emotion)), Respond()
        views = {name: self._view(dialogue, *notes, Strategy(choice=name)) for name in MECHANISMS}
        return {name: self._tokens(respond.prompt(view, self.model, None)) for name, view in views.items()}

    def _felt(self, dialogue: Dialogue) -> Forecast:
        """As TRACE's first step would read it."""
        agent, view = ForecastEmotion(labels="ekman", recognise=True), self._view(dialogue)
        schema = agent.schema(view, compact=True)
        cursor = self.engine.read(self._tokens(agent.prompt(view, self.model, schema)))
        sampler = Sampler(temperature=0.0, top_p=1.0, seed=0)
        writer = GuidedWriter(self.engine, cursor, sampler, self.model.calibrated, agent.prompt_file)
        return Forecast(emotion=writer.value(schema)["emotion"], labels="ekman")

    def _tokens(self, prompt: Prompt) -> list[int]:
        return chat_tokens(self.engine, prompt.messages)

    def _likely(self, prompt: list[int], sentences: list[str]) -> list[float]:
        """The log-probability of each sentence after those before it."""
        read, logs = list(prompt), list[float]()
        for place, sentence in enumerate(sentences):
            tokens = self.engine.tokens((" " if place else "") + sentence)
            logs.append(self.engine.read(read).likely([tokens])[0])
            read += tokens
        return logs

    def _view(self, dialogue: Dialogue, *notes: Output) -> View:
        services = Services(model=self.model, emit=lambda _event: None, meter=Meter(Budget()))
        return View(dialogue, services, done=tuple(StepRecord(step=each.kind, made_in=0, output=each) for each in notes))


def _softmax(logs: Scores) -> Scores:
    top = max(logs.values())
    weights = {name: exp(each - top) for name, each in logs.items()}
    return {name: each / sum(weights.values()) for name, each in weights.items()}
