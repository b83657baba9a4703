"""What the accounts server tells at /metrics is what Prometheus' own library reads."""

import math

import requests
from prometheus_client.parser import text_string_to_metric_families

TIMEOUT_SECONDS = 60


def families(accounts):
    answer = requests.get(f"{accounts}/metrics", timeout=TIMEOUT_SECONDS)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    return {family.name: family for family in text_string_to_metric_families(answer.text)}


def test_every_metric_is_read_with_its_type(accounts):
    told = families(accounts)
    assert all(family.documentation for family in told.values())
    assert {family.type for family in told.values()} == {"counter", "gauge", "histogram"}
    for family in told.values():
        series = [(sample.name, tuple(sorted(sample.labels.items()))) for sample in family.samples]
        assert len(series) == len(set(series))


def test_buckets_of_histograms_rise_to_the_count(accounts):
    for family in families(accounts).values():
        if family.type != "histogram":
            continue
        counts, buckets = {}, {}
        for sample in family.samples:
            labels = tuple(sorted((k, v) for k, v in sample.labels.items() if k != "le"))
            if sample.name.endswith("_count"):
                counts[labels] = sample.value
            elif sample.name.endswith("_bucket"):
                buckets.setdefault(labels, []).append((float(sample.labels["le"]), sample.value))
        assert counts.keys() == buckets.keys()
        for labels, rising in buckets.items():
            assert rising == sorted(rising)
            assert [count for _, count in rising] == sorted(count for _, count in rising)
            assert rising[-1] == (math.inf, counts[labels])
