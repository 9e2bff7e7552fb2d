"""The closed vocabularies of the field: emotions, causes, strategies. Each is a named, cited, ordered set of labels."""

from pydantic import BaseModel, ConfigDict

from heartfelt.errors import UnknownName


class LabelSet(BaseModel, frozen=True):
    """A closed set of labels. Hashable, to key a cache; the order of its labels breaks the last tie of a vote."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    name: str
    """The name by which recipes, scores and reports refer to the set."""
    labels: tuple[str, ...]
    """The labels, in the order of the publication."""
    citation: str
    """Where the set comes from."""
    aliases: tuple[tuple[str, str], ...] = ()
    """Other official spellings and the label they stand for, such as IEMOCAP's three-letter codes."""

    def resolve(self, spelling: str) -> str:
        """The label behind an exact label or alias; anything freer is the business of `fold`."""
        label = dict(self.aliases).get(spelling, spelling)
        if label not in self.labels:
            raise UnknownName(f"label in '{self.name}'", spelling, self.labels)
        return label


def _set(name: str, labels: str, citation: str, **aliases: str) -> LabelSet:
    return LabelSet(name=name, labels=tuple(labels.split()), citation=citation, aliases=tuple(aliases.items()))


ED32 = _set(
    "ed32",
    "afraid angry annoyed anticipating anxious apprehensive ashamed caring confident content devastated disappointed "
    "disgusted embarrassed excited faithful furious grateful guilty hopeful impressed jealous joyful lonely nostalgic "
    "prepared proud sad sentimental surprised terrified trusting",
    "EmpatheticDialogues, Rashkin et al., ACL 2019, arXiv 1811.00207",
)
COARSE = _set(
    "coarse",
    "neutral happy surprise anger fear sad disgust contempt",
    "The classes into which the published maps project ED-32, in one spelling",
)
EKMAN = _set("ekman", "happy surprise anger fear sad disgust", "Ekman 1992, as used by TRACE, arXiv 2509.21849")
MELD = _set("meld", "neutral surprise fear sadness joy disgust anger", "MELD, Poria et al., ACL 2019, arXiv 1810.02508")
IEMOCAP = _set(
    "iemocap",
    "happy sad neutral angry excited frustrated",
    "IEMOCAP, Busso et al., Language Resources and Evaluation 2008; the six-class protocol",
    hap="happy",
    sad="sad",
    neu="neutral",
    ang="angry",
    exc="excited",
    fru="frustrated",
)
MEAD = _set(
    "mead",
    "neutral happy surprised angry fear sad disgusted contempt",
    "MEAD, Wang et al., ECCV 2020, as spelt by the HIT of E3RG, arXiv 2508.12854",
)
CAUSES = LabelSet(
    name="trace_causes",
    labels=(
        "Social Connection & Affection",
        "Conflict & Injustice",
        "Loss & Failure",
        "Achievement & Success",
        "Threat & Potential Danger",
        "Unexpectedness & Novelty",
    ),
    citation="TRACE, arXiv 2509.21849, cause categories of its second agent",
)
MESSAGES = _set(
    "messages",
    "bad loss wrong worry fault nuisance ironic mixed memory good delight chat unclear question correct thanks",
    "Heartfelt's kinds of messages: the one that decides how a kind person would answer",
)
ER_IP_EX = LabelSet(
    name="er_ip_ex",
    labels=("ER", "IP", "EX"),
    citation="EPITOME, Sharma et al., EMNLP 2020, arXiv 2009.08441, as the strategies of TRACE",
    aliases=(("emotional reaction", "ER"), ("interpretation", "IP"), ("exploration", "EX")),
)
ESCONV = LabelSet(
    name="esconv",
    labels=(
        "Question",
        "Restatement or Paraphrasing",
        "Reflection of feelings",
        "Self-disclosure",
        "Affirmation and Reassurance",
        "Providing Suggestions",
        "Information",
        "Others",
    ),
    citation="ESConv, Liu et al., ACL 2021, arXiv 2106.01144",
)

LABEL_SETS = {each.name: each for each in (ED32, COARSE, EKMAN, MELD, IEMOCAP, MEAD, CAUSES, MESSAGES, ER_IP_EX, ESCONV)}


def label_set(name: str) -> LabelSet:
    """The set of that name."""
    if name not in LABEL_SETS:
        raise UnknownName("label set", name, LABEL_SETS)
    return LABEL_SETS[name]
