"""The people that somebody in danger spoke of: who is near counts for more than a number that strangers answer."""

import re

RELATIONS = (
    r"best friend|friend|girlfriend|boyfriend|partner|husband|wife|brother|sister|mother|mum|mom|mam|father|dad|son|"
    r"daughter|cousin|aunt|auntie|uncle|grandmother|grandma|gran|nan|grandfather|grandad|grandpa|niece|nephew|"
    r"neighbour|neighbor|flatmate|roommate|housemate|colleague|coworker|co-worker|teacher|coach|pastor|priest|imam|"
    r"rabbi|nurse|doctor|counsellor|counselor|therapist|sponsor|foreman|tutor|landlady|godmother|godfather|mate|"
    r"stepmother|stepdad|stepmum"
)
NEAR = (
    r"calls?|called|rings?|rang|phones?|phoned|texts?|texted|checks?|checked|visits?|visited|comes?|coming|came|asks?|"
    r"asked|knows?|noticed|offered|brings?|brought|downstairs|upstairs|next door|next room|at home|is home|here|"
    r"asleep|sleeping|awake|lives?|always|maybe|might|would|could|trust|listens?|writes?|wrote|messaged?|works?|"
    r"on shift|round the corner|kind|nice|good to me"
)
"""Words that tell that somebody can be reached, or cares."""
AGAINST = (
    r"died?|dead|death|passed|funeral|buried|grave|late|killed|lost|misses|missed|miss|ex|hates?|hit|hits|beat|beats|"
    r"hurts?|hurting|yells?|shouts?|screams?|threw|drunk|drinks|cheated|cheating|left|leaving|never|not|n't|dont|doesnt|"
    r"wont|cant|no longer|without|nobody|angry|mad at|kill|leave|divorc\w+|secret|afraid|scared|blames?|jail|prison|sick|"
    r"ill|hospital|coma|dementia|worried|insurance|better off|money|said to|laughs?|laughed|mocks?|touch\w*|shame|"
    r"ashamed|fault|sued?|fired|owe|whose|cut|pills|gone|called me|goes through|known to|rather|thinks?|murder|fucking|"
    r"jammed|mean to me"
)
"""Words that tell that they cannot, or must not be named: better nobody than the wrong one."""
_NAMED = re.compile(
    rf"\b(?i:my) (?P<who>(?:(?i:older|younger|big|little|old) )?(?i:{RELATIONS}))\b(?P<name>,? [A-Z][a-z]+\b)?(?!['’]s|s\b)"
)
_BY_NAME = re.compile(
    r"\b(?:There(?:['’]s| is) )?(?P<name>[A-Z][a-z]{2,})(?: across the (?:road|street|hall)| next door| upstairs| downstairs"
    r"|(?: would|['’]d| could| might) (?:come|hold|take|sit|listen|know|keep))\b"
)
_NO_NAMES = frozenset(
    [
        "There",
        "That",
        "They",
        "Who",
        "God",
        "Nobody",
        "Somebody",
        "She",
        "Anybody",
        "Everyone",
        "What",
        "This",
        "Then",
        "Mum",
        "Dad",
        "You",
    ]
)
_NEAR = re.compile(rf"\b(?:{NEAR})\b", re.IGNORECASE)
_AGAINST = re.compile(rf"(?:\b(?:{AGAINST})\b|n['’]t\b)", re.IGNORECASE)
_SENTENCE = re.compile(r"[^.!?;\n]+")


def helper_in(told: list[str]) -> str:
    """Whoever was spoken of last as somebody who is there, such as «your brother»; empty where nobody was."""
    for message in reversed(told):
        for sentence in reversed(_SENTENCE.findall(message)):
            found = _NAMED.search(sentence)
            if found and _NEAR.search(sentence) and not _AGAINST.search(sentence):
                return f"your {found['who'].lower()}" + (found["name"] or "").replace(",", "")
            named = _BY_NAME.search(sentence)
            if named and named["name"] not in _NO_NAMES and not _AGAINST.search(sentence):
                return named["name"]
    return ""
