from heartfelt.evaluation.metrics.bench import bench


def test_it_measures_itself():
    told = bench(400)
    assert told["all"] > 0
    assert told["GB"] < 4
