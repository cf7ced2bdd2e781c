"""Archives of searches and evolutions: what they kept, in shards and merged, and their motions again."""

import numpy as np
import pytest

import legwork as lw

SEARCH = {"random": 32, "vary": 16, "gaits": 2, "tune": 2, "seconds": 2}


@pytest.fixture(scope="module")
def search(tmp_path_factory):
    path = tmp_path_factory.mktemp("search") / "search.db"
    return path, lw.discover("bounder", archive=path, **SEARCH)


@pytest.fixture(scope="module")
def evolution(tmp_path_factory):
    path = tmp_path_factory.mktemp("evolution") / "bodies.db"
    options = {"generations": 1, "children": 2, "budget": 16, "seconds": 1, "metric": "distance"}
    return path, lw.evolve("bounder", archive=path, **options)


def test_an_archive_and_its_replay(search):
    path, found = search
    kept = lw.archive(path)
    assert (kept["verb"], kept["creature"], kept["version"]) == ("discover", "bounder", lw.__version__)
    assert kept["evaluations"] == kept["tables"]["evaluation"] >= 48
    assert [gait["rank"] for gait in kept["gaits"]] == list(range(1, 1 + len(found.others) + 1))
    assert np.array_equal(lw.replay(path, rank=1).q, found.q)
    assert np.array_equal(lw.replay(path, number=kept["gaits"][0]["number"]).q, found.q)
    checked = lw.check_archive(path)
    assert checked == {key: kept[key] for key in checked}


def test_a_table_of_an_archive(search, legwork):
    path, _ = search
    for table in ("", "gait"):
        done = legwork("archive", "export", path, *(["--table", table] if table else []))
        assert lw.archive_csv(path, table) == done.stdout
    with pytest.raises(lw.Error, match="has no table 'gate'; one of: evaluation, gait"):
        lw.archive_csv(path, "gate")


def test_shards_that_are_merged_find_what_one_search_finds(search, tmp_path):
    path, found = search
    parts = [tmp_path / f"part_{k}.db" for k in (1, 2)]
    for k, part in enumerate(parts, 1):
        lw.discover("bounder", shard=f"{k}/2", archive=part, **SEARCH)
    whole = tmp_path / "whole.db"
    assert lw.merge_archives(whole, parts)["tables"]["evaluation"] == 32
    assert np.array_equal(lw.discover("bounder", archive=whole, **SEARCH).q, found.q)
    assert lw.archive(whole)["fingerprint"] == lw.archive(path)["fingerprint"]


def test_the_bodies_of_an_evolution(evolution):
    path, found = evolution
    kept = lw.archive(path)
    assert kept["verb"] == "evolve" and len(kept["bodies"]) == kept["tables"]["body"] == 3
    first, second = kept["bodies"][:2]
    assert first["parent"] == -1 and second["parent"] == 0 and first["how"] == "given: bounder" and "gaits" not in kept
    again = lw.replay(path, body=0)
    assert again.creature.name == "bounder" and len(again) > 1
    assert np.array_equal(lw.evolution(path).q, found.q)


def test_what_an_archive_does_not_hold_is_an_error(search, evolution, tmp_path):
    junk = tmp_path / "junk.db"
    junk.write_bytes(bytes(range(256)) * 8)
    (searched, _), (evolved, _) = search, evolution
    for call in (
        lambda: lw.replay(searched, body=1), lambda: lw.replay(evolved, rank=1), lambda: lw.replay(evolved, body=99),
        lambda: lw.replay(evolved, body=-1), lambda: lw.replay(searched), lambda: lw.replay(searched, rank=1, number=1),
        lambda: lw.evolution(searched), lambda: lw.merge_archives(tmp_path / "a.db", []),
        lambda: lw.merge_archives(tmp_path / "a.db", str(searched)), lambda: lw.merge_archives(tmp_path / "a.db", [searched, evolved]),
        lambda: lw.archive(junk), lambda: lw.check_archive(junk), lambda: lw.archive_csv(junk), lambda: lw.evolution(junk),
    ):
        with pytest.raises(lw.Error) as caught:
            call()
        assert caught.value.problem
