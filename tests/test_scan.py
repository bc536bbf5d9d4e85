import json

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from analysis import scan
from sim.schema import HAND_COLUMNS, POOL_COLUMNS, WASHOUT, WIN_COLUMNS
from tests import synthetic

VARIANTS = ("jipinghu", "maima", "zhuama")


@pytest.fixture
def folder(tmp_path):
    return synthetic.write_run(tmp_path / "maima", synthetic.load("maima"), n_tables=6)


@pytest.mark.parametrize("variant", VARIANTS)
def test_an_opened_run_holds_what_was_logged(tmp_path, variant):
    rules = synthetic.load(variant)
    rows, wins = synthetic.make_log(rules, 12, 20, seed=5)
    synthetic.write_run(tmp_path / variant, rules, n_tables=12, hands_per_table=20, seed=5)
    (run,) = scan.open_run(tmp_path)
    hands = rows.select(c.name for c in HAND_COLUMNS)
    key = ["table", "hand"]
    assert_frame_equal(run.hands.collect().sort(key), hands.sort(key))
    assert_frame_equal(run.wins.collect().sort(*key, "winner"), wins.sort(*key, "winner"))
    expected = rows.select(c.name for c in (*HAND_COLUMNS, *POOL_COLUMNS))
    assert_frame_equal(run.pools.collect().sort(key), expected.sort(key), check_column_order=False)
    assert run.rules == rules
    assert run.n_hands == 240
    assert run.is_session


def test_loading_changes_nothing(folder):
    (run,) = scan.open_run(folder)
    loaded = scan.loaded(run)
    for name in ("hands", "wins", "pools"):
        lazy, kept = getattr(run, name), getattr(loaded, name)
        assert_frame_equal(lazy.collect(), kept.collect(), check_row_order=False)


def test_big_runs_stay_on_disk(folder, monkeypatch):
    monkeypatch.setattr(scan, "IN_MEMORY_HANDS", 10)
    (run,) = scan.open_run(folder)
    loaded = scan.loaded(run)
    assert loaded.hands is run.hands
    assert loaded.pools is not run.pools


def test_runs_of_several_rule_sets_come_in_order_of_their_slugs(tmp_path):
    for variant in VARIANTS:
        synthetic.write_run(tmp_path / f"run-{variant[::-1]}", synthetic.load(variant), n_tables=2)
    (tmp_path / "_tmp").mkdir()
    (tmp_path / "_tmp" / "manifest.json").write_text("half", encoding="utf-8")
    assert [run.rules.slug for run in scan.open_run(tmp_path)] == list(VARIANTS)


def test_one_rule_set_under_two_slugs_is_two_runs(tmp_path):
    rules = synthetic.load("zhuama")
    for slug in ("zhuama", "mine"):
        synthetic.write_run(tmp_path / slug, rules.model_copy(update={"slug": slug}), n_tables=2)
    assert [run.rules.slug for run in scan.open_run(tmp_path)] == ["mine", "zhuama"]
    assert len({run.rules.digest() for run in scan.open_run(tmp_path)}) == 1


def fail(path, *words):
    with pytest.raises(scan.RunError) as caught:
        scan.open_run(path)
    message = str(caught.value)
    assert "\n" not in message
    for word in words:
        assert word in message


def rewritten(folder, file, frame):
    """Write another frame into a file, with its facts, and let the manifest tell its bytes."""
    frame.write_parquet(file, metadata={"gdmj": pl.read_parquet_metadata(file)["gdmj"]})
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    for shard in manifest["shards"]:
        for entry in shard["files"].values():
            if entry["name"] == file.name:
                entry |= synthetic.told(file)
    edit(folder, shards=manifest["shards"])


def edit(folder, **changes):
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(manifest | changes), encoding="utf-8")


def test_missing_folder(tmp_path):
    fail(tmp_path / "nowhere", "nowhere", "no such folder")


def test_folder_without_manifest(tmp_path):
    fail(tmp_path, "manifest.json", "not a finished run")


@pytest.mark.parametrize("text", ["", "{", "[" * 5000, "[]", "{}", "\ud800"])
def test_damaged_manifest(folder, text):
    (folder / "manifest.json").write_bytes(text.encode("utf-8", "surrogatepass"))
    fail(folder, "manifest.json")


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"format": 2}, "format 2"),
        ({"rules": "maima"}, "rules"),
        ({"rules": {}}, "manifest.json"),
        ({"shards": [{}]}, "shard"),
        ({"shards": []}, "no hands"),
        ({"seed": "x"}, "seed"),
    ],
)
def test_impossible_manifest(folder, changes, word):
    edit(folder, **changes)
    fail(folder, word)


def test_files_too_small_for_their_rows_are_refused(folder):
    shards = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["shards"]
    n = 10**9
    for shard in shards:
        shard |= {"n_tables": n, "n_hands": 25 * n}
        shard["files"]["hands"]["rows"] = 25 * n
    edit(folder, shards=shards[:1])
    fail(folder, "wrong number of hands")


def test_files_outside_the_folder_are_not_read(folder):
    shards = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["shards"]
    for name in (
        "../hands-0000000000.parquet",
        "/etc/passwd",
        "a\\b",
        "",
        ".",
        "..",
        "manifest.json",
        "x" * 101,
        "a\n",
    ):
        shards[0]["files"]["hands"]["name"] = name
        edit(folder, shards=shards)
        fail(folder, "shard")


def test_missing_parquet(folder):
    (folder / "pool-0000000003.parquet").unlink()
    fail(folder, "pool-0000000003.parquet", "missing")


@pytest.mark.parametrize("keep", [0, 3, 0.5, -1])
def test_truncated_parquet(folder, keep):
    file = folder / "hands-0000000000.parquet"
    data = file.read_bytes()
    file.write_bytes(data[: int(keep * len(data)) if isinstance(keep, float) else keep])
    fail(folder, "hands-0000000000.parquet", "cut short")


def test_rows_that_the_manifest_does_not_count(folder):
    file = folder / "hands-0000000000.parquet"
    rewritten(folder, file, pl.read_parquet(file).head(3))
    fail(folder, "hands-0000000000.parquet", "3 rows")


def test_parquet_of_another_version(folder):
    file = folder / "hands-0000000003.parquet"
    rewritten(folder, file, pl.read_parquet(file).drop("dealer"))
    fail(folder, "dealer", "missing")


def test_damage_inside_a_file_is_told_in_one_line(folder):
    file = folder / "hands-0000000000.parquet"
    (run,) = scan.open_run(folder)
    data = bytearray(file.read_bytes())
    for place in range(60, len(data) // 2, 30):
        data[place] ^= 0xFF
    file.write_bytes(data)
    with pytest.raises(scan.RunError, match="damaged") as caught:
        scan.collect([run.hands, run.wins])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("kind", ["hands", "pool"])
@pytest.mark.parametrize("place", [0.2, 0.5, 0.7])
def test_a_single_changed_bit_is_found(folder, kind, place):
    file = folder / f"{kind}-0000000000.parquet"
    data = bytearray(file.read_bytes())
    data[int(place * len(data))] ^= 1
    file.write_bytes(data)
    with pytest.raises(scan.RunError, match=r"checksum|damaged"):
        scan.open_run(folder)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: m["rules"]["win"].update(passed="off"), "digest"),
        (lambda m: m.update(mode="foo"), "mode"),
        (lambda m: m.update(bots=[1, 2]), "bots"),
        (lambda m: m.update(format=True), "format"),
        (lambda m: m["shards"].append(m["shards"][0]), "follow"),
        (lambda m: m["shards"].reverse(), "follow"),
    ],
)
def test_a_changed_manifest_is_refused(folder, change, message):
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    change(manifest)
    path.write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(scan.RunError, match=message):
        scan.open_run(folder)


def test_other_failures_are_not_called_damage():
    with pytest.raises(pl.exceptions.ColumnNotFoundError):
        scan.collect([pl.LazyFrame({"a": [1]}).select("b")])


@pytest.mark.parametrize("mode", ["session", "duplicate"])
def test_seats_are_the_hands_in_long_form(mode):
    rows, _ = synthetic.make_log(synthetic.load("jipinghu"), 10, 8, mode=mode)
    long = scan.seats(rows.lazy()).collect()
    assert long.height == 4 * rows.height
    by_hand = long.group_by("table", "hand").agg(
        pl.col("points", "hand_points", "kong_points", "horse_points").sum(),
        dealers=pl.col("is_dealer").sum(),
        winners=pl.col("has_won").sum(),
        payers=pl.col("has_dealt_in").sum(),
        bots=pl.col("bot").n_unique(),
    )
    joined = by_hand.join(rows.select("table", "hand", "outcome", "winners", "from_seat"), on=["table", "hand"])
    assert (joined["points"] == 0).all()
    assert (joined["dealers"] == 1).all()
    assert (joined["bots"] == 4).all()
    assert (joined["winners"] == joined["winners_right"].bitwise_count_ones()).all()
    assert (joined["payers"] == (joined["from_seat"] >= 0)).all()
    assert ((joined["winners"] == 0) == (joined["outcome"] == WASHOUT)).all()
    sums = long.select(
        (pl.col("points") - pl.col("hand_points") - pl.col("kong_points") - pl.col("horse_points")).abs().sum()
    )
    assert sums.item() == 0
    assert long.filter(pl.col("position") == 0)["is_dealer"].all()


def test_wins_have_every_column_of_the_schema(folder):
    (run,) = scan.open_run(folder)
    assert run.wins.collect_schema().names() == [c.name for c in WIN_COLUMNS]


def parts(folder, *ranges, **options):
    for first, n in ranges:
        rules = synthetic.load("maima")
        synthetic.write_run(folder / f"maima-{first}", rules, n_tables=n, first_table=first, **options)


def test_parts_of_one_plan_are_one_run(tmp_path):
    parts(tmp_path, (10, 3), (4, 6), (0, 4))
    (run,) = scan.open_run(tmp_path)
    shards = run.manifest["shards"]
    assert [shard["first_table"] for shard in shards] == [0, 2, 4, 7, 10, 11]
    assert (run.manifest["first_table"], run.manifest["n_tables"], run.path) == (0, 13, tmp_path)
    assert run.n_hands == run.manifest["n_hands"] == run.hands.collect().height == 13 * 25
    assert run.hands.collect()["table"].unique().sort().to_list() == list(range(13))


@pytest.mark.parametrize(("ranges", "word"), [([(0, 4), (5, 2)], "gap"), ([(0, 4), (3, 2)], "overlap")])
def test_parts_that_do_not_follow_each_other(tmp_path, ranges, word):
    parts(tmp_path, *ranges)
    fail(tmp_path, word, *(f"maima-{first}" for first, _ in ranges))


def test_parts_of_other_plans_stay_apart(tmp_path):
    parts(tmp_path, (0, 4))
    parts(tmp_path, (4, 3), seed=2)
    synthetic.write_run(tmp_path / "b", synthetic.load("maima"), n_tables=2, code_hash="1" * 16)
    assert len(scan.open_run(tmp_path)) == 3
