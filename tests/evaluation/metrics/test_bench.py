import importlib.util
from pathlib import Path


def test_it_measures_itself():
    spec = importlib.util.spec_from_file_location("metrics_bench", Path(__file__).parents[3] / "bench" / "metrics.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    told = module.bench(400)
    assert told["all"] > 0
    assert told["GB"] < 4
