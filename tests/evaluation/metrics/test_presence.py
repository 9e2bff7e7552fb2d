from tests.evaluation.made import row

from heartfelt.evaluation.metrics import catalogue, measure


def test_marks_are_known_by_name_and_say_who_gave_them():
    known = {name: metric for name, metric in catalogue().items() if name.startswith("judged/presence/")}
    assert len(known) == 6
    for name, metric in known.items():
        assert ("word lists" if "/rule/" in name else "embedded model") in metric.about.definition
    rows = [row(0, judged={"presence/rule/EX": 1.0}), row(1, judged={"presence/rule/EX": 0.0})]
    assert measure(known["judged/presence/rule/EX"], rows).value == 0.5
