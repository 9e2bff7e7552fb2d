"""TRACE (arXiv 2509.21849): emotion, cause, strategy, reply; temperatures 0, 0, 0, 0.5; precise then fuzzy retrieval, k = 2.

Two faults of the published code are not repeated: the threshold τ is applied, and the query is what the user said, for no
live user gives the gold situation text.
"""

from heartfelt.agents import ChooseStrategy, FindCause, ForecastEmotion, Recall, Respond
from heartfelt.recipes.recipe import Recipe

TRACE = Recipe(
    name="trace",
    summary="emotion, cause, strategy, reply, with exemplars by emotion and meaning",
    cites="arXiv 2509.21849",
    steps=(
        ForecastEmotion(alias="ASI", labels="ekman", recognise=True, temperature=0.0),
        FindCause(alias="CAE", temperature=0.0),
        ChooseStrategy(alias="SRP", temperature=0.0),
        Recall(top_k=2, threshold=0.3),
        Respond(alias="ERS", temperature=0.5, sentences=2),
    ),
)
