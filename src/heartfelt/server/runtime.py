"""What all sessions share: models, listeners, memory, the voice, the senses and the people who can answer."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from heartfelt.agents.classifier import usual_classifier
from heartfelt.budget import Budget, patient
from heartfelt.errors import UnknownName
from heartfelt.expression.browser import VERSION as AVATAR_VERSION
from heartfelt.expression.browser import draw_people
from heartfelt.expression.persona import Persona, persona_named, personas
from heartfelt.expression.services.open import open_voice
from heartfelt.expression.speech_cache import SpeechCache
from heartfelt.expression.stage import Stage
from heartfelt.expression.style import Style
from heartfelt.intake import LONGEST_TEXT
from heartfelt.languages import notes
from heartfelt.listener import Listener, open_memory
from heartfelt.memory import Memory, usual_embedder
from heartfelt.models import Model, open_model
from heartfelt.models.addresses import shown
from heartfelt.recipes import RECIPES, Ablation, recipe
from heartfelt.safety.detect.reader import Reader
from heartfelt.safety.detect.readers import open_reader
from heartfelt.safety.honesty import DISCLOSURE
from heartfelt.safety.respond.services import known
from heartfelt.safety.settings import Safety
from heartfelt.senses.default import usual_senses
from heartfelt.senses.sense import Senses
from heartfelt.server.helping import places
from heartfelt.server.settings import ServerSettings
from heartfelt.server.speech_warming import SpeechWarming
from heartfelt.server.wire import LanguageNote, PersonView, ServerOptions, SessionView
from heartfelt.setup import Setup
from heartfelt.version import VERSION


class Runtime:
    """Everything heavy is opened once, at its first use, and closed with the server."""

    def __init__(
        self,
        settings: ServerSettings,
        *,
        opening: Callable[[str], Model] = open_model,
        stage: Stage | None = None,
        senses: Callable[[Model], Senses] | None = None,
        reader: Callable[[str], Reader | None] = open_reader,
    ):
        self.settings = settings
        self.stage = stage or Stage(open_voice(settings.voice, embedded=SpeechCache) if settings.speaks else None)
        self.mouth = ThreadPoolExecutor(1, thread_name_prefix="heartfelt-mouth")
        """One thread speaks for everybody: the voice takes all cores that there are."""
        voice = self.stage.voice
        self.warming = SpeechWarming(voice if isinstance(voice, SpeechCache) else None, self.mouth)
        self._opening, self._reader = opening, reader
        self._senses = senses or partial(usual_senses, ears=settings.ears)
        self._addresses = {shown(address): address for address in settings.models}
        """By how they may be told: a login in an address stays here."""
        self._models: dict[str, Model] = {}
        self._listeners: dict[str, Listener] = {}
        self._memory: Memory | None = None

    def model(self, address: str) -> Model:
        if address not in self._models:
            self._models[address] = self._opening(self._addresses.get(address, address))
        return self._models[address]

    def listener(self, session: SessionView, *, audited: bool = True) -> Listener:
        """Who answers in this session: recipe, model and identity decide."""
        without = () if audited or recipe(session.recipe).audit is None else ("audit",)
        setup = Setup(
            recipe=session.recipe,
            model=session.model,
            memory=self.settings.memory,
            identity=self.persona(session.identity).identity,
            ablation=Ablation(without=without),
            safety=self.safety(session.country),
            budget=patient(session.model) if audited else Budget(ms=self.settings.quick_ms),
        )
        return self.listener_for(setup)

    def listener_for(self, setup: Setup) -> Listener:
        key = setup.model_dump_json()
        if key not in self._listeners:
            if len(self._listeners) > 200:  # cheap to make again: models and memory are shared
                self._listeners.clear()
            self._listeners[key] = Listener(setup, opening=self.model, memory=self._remembered(setup), reader=self.reader)
        return self._listeners[key]

    @property
    def reader(self) -> Reader | None:
        """The reader of danger that all sessions share."""
        return self._reader(self.settings.reader)

    def safety(self, country: str = "") -> Safety:
        """`country`: where the person is, as far as they said so."""
        settings = self.settings
        own = settings.model_dump(include={"guard", "reader", "deployment"})
        return Safety(country=country or settings.country, **own)

    def senses(self, address: str) -> Senses:
        return self._senses(self.model(address))

    def persona(self, name: str) -> Persona:
        return persona_named(name)

    def chosen(self, *, recipe: str = "", model: str = "", identity: str = "", country: str = "") -> dict[str, str]:
        """What a session is made of, with the usual where nothing was wished, or the reason why it cannot be."""
        settings = self.settings
        recipe, model, identity = recipe or settings.recipe, model or next(iter(self._addresses)), identity or settings.identity
        if recipe not in RECIPES:
            raise UnknownName("recipe", recipe, RECIPES)
        if model not in self._addresses:
            raise UnknownName("model", shown(model), self._addresses, where="what this server offers")
        self.persona(identity)
        return {"recipe": recipe, "model": model, "identity": identity, "country": known(country)}

    def options(self) -> ServerOptions:
        return ServerOptions(
            version=VERSION,
            recipes={name: each.summary for name, each in RECIPES.items()},
            models=tuple(self._addresses),
            identities=tuple(someone(persona) for persona in personas().values()),
            steps={name: each.step_names for name, each in RECIPES.items()},
            recipe=self.settings.recipe,
            identity=self.settings.identity,
            voice=self.settings.speaks,
            senses=self.settings.senses,
            infers=self.settings.infers,
            disclosure=DISCLOSURE,
            country=self.settings.country,
            countries=places(),
            languages=tuple(LanguageNote(code=code, name=own, note=note) for code, own, note in notes()),
            longest_message=LONGEST_TEXT,
        )

    async def warm(self) -> None:
        """Load what a first turn would otherwise wait for. What is missing is told by the turn that needs it."""
        self.warming.want(self.persona(self.settings.identity))
        await asyncio.gather(
            *(warm() for part in self._warmed() if (warm := getattr(part, "warm", None))),
            asyncio.to_thread(self._remembered, Setup(recipe=self.settings.recipe, memory=self.settings.memory)),
            asyncio.to_thread(usual_classifier().warm),
            asyncio.to_thread(usual_embedder().embed, ["warm"]),
            asyncio.get_running_loop().run_in_executor(self.mouth, self._warm_voice),
            self._draw_people(),
            return_exceptions=True,
        )
        await self.warming.run()

    async def forget(self) -> None:
        """What the reader of danger remembers, so as not to read it again, goes with the session that it came from."""
        if forget := getattr(self.reader, "forget", None):
            await asyncio.to_thread(forget)

    async def close(self) -> None:
        await asyncio.gather(*(model.close() for model in self._models.values()))
        await asyncio.to_thread(self.mouth.shutdown, cancel_futures=True)

    def _warmed(self) -> list[object]:
        return [*map(self.model, self.settings.models), *filter(None, [self.reader])]

    def _warm_voice(self) -> None:
        """The first stretch of sound is what one waits for, so it is made once for nobody."""
        if self.settings.speaks:
            next(iter(self.stage.voice.say("Hello.", Style(), self.persona(self.settings.identity))), None)

    async def _draw_people(self) -> None:
        """Faces that were not drawn when the weights were fetched. One by one, so that whoever closes does not wait for all."""
        for persona in personas().values():
            await asyncio.to_thread(draw_people, [persona.look])

    def _remembered(self, setup: Setup) -> Memory | None:
        if "recall" not in recipe(setup.recipe).step_names:
            return None
        if self._memory is None:
            self._memory = open_memory(setup.memory)
        return self._memory


def someone(persona: Persona) -> PersonView:
    identity, path = persona.identity, f"/api/identities/{persona.name}"
    return PersonView(
        name=persona.name,
        about=persona.about,
        age=identity.age,
        gender=identity.gender,
        picture=f"{path}/picture.jpg",
        serious_picture=f"{path}/picture.jpg?mood=serious",
        avatar=f"{path}/avatar.bin?{AVATAR_VERSION}",
    )
