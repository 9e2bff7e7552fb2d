"""How long a million replies take: `python bench/metrics.py`.

The replies are made up, with words as frequent as in speech.
"""

import resource
import sys
import time
from collections.abc import Iterator

import numpy as np

from heartfelt.evaluation.metrics.calibration import Brier, CalibrationError
from heartfelt.evaluation.metrics.cost import Cost, Length
from heartfelt.evaluation.metrics.distinct import DifferentReplies, DistCorpus, DistResponse, Ead, EadTrace
from heartfelt.evaluation.metrics.metric import Metric, measure
from heartfelt.evaluation.metrics.recognition import Accuracy, Hit, MacroF1, WeightedF1
from heartfelt.evaluation.metrics.repetition import CopyRate, SelfRepetition
from heartfelt.evaluation.metrics.rows import Row, Spent
from heartfelt.evaluation.metrics.run import read_run
from heartfelt.labels import emotion_maps, label_set

WORDS, LEAST, MOST, A_DIALOGUE = 60_000, 4, 26, 4
_CHUNK = 50_000


def made_up(count: int, *, seed: int = 0) -> Iterator[Row]:
    """Rows with replies of 4 to 26 words, Zipf-distributed; a third of the labels are wrong."""
    random, labels = np.random.default_rng(seed), label_set("ed32").labels
    words = np.array([f"w{number:x}" for number in range(WORDS)], object)
    chances = np.cumsum(1 / np.arange(1, WORDS + 1))
    chances /= chances[-1]
    for start in range(0, count, _CHUNK):
        lengths = random.integers(LEAST, MOST + 1, min(_CHUNK, count - start))
        drawn = words[np.searchsorted(chances, random.random(int(lengths.sum())))]
        ends = np.cumsum(lengths)
        gold = random.integers(0, len(labels), len(lengths))
        named = np.where(random.random(len(lengths)) < 0.67, gold, random.integers(0, len(labels), len(lengths)))
        for i, end in enumerate(ends):
            said = drawn[end - lengths[i] : end]
            yield Row(
                id=str(start + i),
                dialogue=str((start + i) // A_DIALOGUE),
                reply=" ".join(said),
                context=(" ".join(said[:6]),),
                emotion=labels[gold[i]],
                predicted=labels[named[i]],
                labels="ed32",
                distribution={labels[named[i]]: 0.7, labels[gold[i] - 1]: 0.3},
                spent=(Spent(step="respond", calls=1, prompt_tokens=200, ms=12.0),),
            )


def metrics() -> list[Metric]:
    counted = [kind(size) for kind in (DistCorpus, DistResponse, EadTrace, Ead) for size in (1, 2, 3)]
    named = [kind("ed32") for kind in (Accuracy, MacroF1, WeightedF1, CalibrationError, Brier)]
    hits = [Hit(mapping) for mapping in emotion_maps()]
    return [*counted, *named, *hits, DifferentReplies(), SelfRepetition(), CopyRate("context"), Length(), Cost("ms")]


def bench(count: int = 1_000_000) -> dict[str, float]:
    """Processor seconds for reading and for each metric, which a busy machine does not stretch; the most memory, in GB."""
    at = time.process_time()
    for _ in made_up(count):
        pass
    making = time.process_time() - at
    at = time.process_time()
    run = read_run(made_up(count))
    told = {"reading": max(0.0, time.process_time() - at - making)}
    for metric in metrics():
        at = time.process_time()
        measure(metric, run)
        told[metric.name] = time.process_time() - at
    told["all"] = sum(told.values())
    told["making the rows up, not counted"] = making
    told["GB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return told


if __name__ == "__main__":
    for name, value in bench(*map(int, sys.argv[1:])).items():
        print(f"{value:9.2f}  {name}")
