"""The server in this process: its routes, what they refuse, and what they never show."""

from __future__ import annotations

import asyncio
import io
import json
import re
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from contest import labels, table
from starlette.testclient import TestClient

from rocsolid.board import Leaderboard, verify
from rocsolid.board.access import Access, TooManyUploads
from rocsolid.board.serve import api, forms
from rocsolid.board.serve.app import application
from rocsolid.board.serve.service import Service
from rocsolid.board.serve.settings import ServerSettings, uploaded
from rocsolid.errors import InputError, OutOfMemoryError

N = 40
CSV = {"Content-Type": "text/csv"}
PARQUET = {"Content-Type": "application/vnd.apache.parquet"}


class Site:
    """A client of the application, with tokens of two teams and of the host."""

    def __init__(self, name: str, **settings: Any) -> None:
        self.name = name
        if "made" not in settings:
            Leaderboard.create(name, labels(N), label="ill", id="id", defence="Rounded(2)").close()
        settings.pop("made", None)
        with Leaderboard(name) as board:
            self.ann, self.bob = map(board.access.issue, ("ann", "bob"))
            self.host = board.access.issue_to_host()
        given = {"title": "ECG", "board": name, "uploads_per_minute": 10**6, **settings}
        self.app = application(ServerSettings(**given))
        self.client = TestClient(self.app, follow_redirects=False)

    @property
    def service(self) -> Service:
        found: Service = self.app.state.service
        return found

    def post(self, content: Any, token: str | None = None, **headers: str) -> Any:
        bearer = {"Authorization": f"Bearer {token or self.ann}"}
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.post(
            "/api/submissions", content=content, headers={**bearer, **CSV, **headers}
        )

    def choose(self, answer: Any, token: str | None = None) -> Any:
        bearer = {"Authorization": f"Bearer {token or self.ann}"}
        return self.client.post("/api/choice", json={"answer": answer}, headers=bearer)

    def get(self, path: str, token: str | None = None) -> Any:
        return self.client.get(path, headers={"Authorization": f"Bearer {token or self.ann}"})

    def sign_in(self) -> str:
        """The word for forms of the host's session."""
        answer = self.client.post("/host", data={"token": self.host})
        assert (answer.status_code, answer.headers["location"]) == (303, "/host")
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        found = re.search(r'name="csrf" value="(\w+)"', self.client.get("/host").text)
        assert found is not None
        return found[1]


@pytest.fixture
def site(board_name: str) -> Iterator[Site]:
    made = Site(board_name)
    with made.client:
        yield made


def parquet(columns: dict[str, Any]) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out)
    return out.getvalue()


# --- answers


def test_one_answer_by_every_way_in(site: Site) -> None:
    """CSV and Parquet, program and form: the same ranking, the same receipt, charged once."""
    first = site.post(table(N, 1)).json()
    scores = [float(line.split(",")[1]) for line in table(N, 1).decode().split()[1:]]
    packed = parquet({"id": labels(N)["id"], "score": [3 * s - 1 for s in scores]})
    assert site.post(packed, **PARQUET).json() == first
    for content, name in ((table(N, 1), "../../etc/passwd"), (packed, "C:\\a.csv")):
        page = site.client.post(
            "/submit", data={"token": site.ann}, files={"file": (name, content)}
        )
        assert page.status_code == 200
        assert "passwd" not in page.text
    second = site.post(table(N, 2), site.bob).json()
    assert (first["number"], second["number"]) == (1, 2)
    shown = site.client.get("/api/board").json()
    assert (shown["answers"], len(shown["standings"])) == (2, 2)
    assert site.get("/api/submissions").json() == {"team": "ann", "receipts": [first], "counts": 1}
    history = site.client.post("/history", data={"token": site.bob})
    assert second["request"] in history.text
    assert first["request"] not in history.text
    record = site.client.get("/api/record").json()
    assert verify(record, receipts=[first, second], commitment=shown["commitment"]).holds
    assert record["revealed"] is None


def test_the_description_lists_every_route_and_fits_every_answer(site: Site) -> None:
    described = site.client.get("/api/openapi.json").json()
    routes = {
        (route.path, method.lower())
        for route in api.ROUTES
        if route.path.startswith("/api/")
        for method in route.methods - {"HEAD"}
    }
    assert routes == {(path, how) for path, ways in described["paths"].items() for how in ways}
    given = {
        ("/api/submissions", "post"): site.post(table(N, 1)),
        ("/api/submissions", "get"): site.get("/api/submissions"),
        ("/api/example", "get"): site.get("/api/example"),
        ("/api/choice", "post"): site.choose(1),
        ("/api/board", "get"): site.client.get("/api/board"),
        ("/api/record", "get"): site.client.get("/api/record"),
        ("/api/openapi.json", "get"): site.client.get("/api/openapi.json"),
    }
    assert set(given) == routes
    for (path, how), answer in given.items():
        responses = described["paths"][path][how]["responses"]
        ((kind, content),) = responses["200"]["content"].items()
        assert answer.headers["content-type"].partition(";")[0] == kind
        schema = content["schema"]
        whole = {"components": described["components"], **schema}
        jsonschema.Draft202012Validator.check_schema(whole)
        jsonschema.validate(answer.text if kind == "text/csv" else answer.json(), whole)
    refused = {
        "components": described["components"],
        **responses["default"]["content"]["application/json"]["schema"],
    }
    for answer in (site.post(b""), site.client.get("/api/x"), site.client.put("/api/board")):
        assert answer.status_code in (404, 405, 422)
        jsonschema.validate(answer.json(), refused)


def test_the_example_has_all_rows_and_is_refused_until_it_has_scores(tmp_path: Path) -> None:
    name, ids = str(tmp_path / "a"), [*labels(N)["id"][:-2], 'b"', "a,b"]
    truth = {"id": ids, "ill": np.arange(N) % 2}
    Leaderboard.create(name, truth, label="ill", id="id", score="risk").close()
    site = Site(name, made=True)
    page = site.client.post("/example", data={"token": site.ann})
    assert page.content == site.get("/api/example").content
    assert "example.csv" in page.headers["content-disposition"]
    head, *rows = page.text.splitlines()
    assert head == "id,risk"
    assert len(rows) == N
    assert rows == sorted(rows, key=lambda row: row.lstrip('"'))
    refused = site.post(page.content)
    assert (refused.status_code, refused.json()["fix"]) == (422, "submit scores that rank the rows")
    filled = "\n".join([head, *(f"{row[:-1]}{i}" for i, row in enumerate(rows))])
    assert site.post(filled.encode()).status_code == 200
    assert site.client.post("/example", data={"token": "x"}).status_code == 401
    assert site.get("/api/example", "x").status_code == 401


def test_an_upload_is_refused_in_sentences(site: Site) -> None:
    page = site.client.post("/submit", data={"token": site.ann}, files={"file": b"id,scor\nr1,2"})
    assert "(the upload). Name the two columns &#x27;id&#x27; and &#x27;score&#x27;." in page.text
    assert "There is no column &#x27;score&#x27;" in page.text


def test_a_worse_file_hears_that_its_number_is_of_the_best(tmp_path: Path) -> None:
    name = str(tmp_path / "a")
    Leaderboard.create(name, labels(N), label="ill", id="id", defence="Ladder(0.06)").close()
    site = Site(name, made=True)
    for path in ("/", "/submit"):
        page = site.client.get(path).text
        assert "The board reports an improvement of 0.06 over your best so far" in page
        assert "0.56 means that the AUC is at least 0.56 and below 0.62" in page
        assert "&#x27;id&#x27; and &#x27;score&#x27;. Include each of the 40 rows once" in page
        assert "id,score\nROW-1,0.83" in page
        assert "The board reports no more because every precise answer reveals something" in page
    good = "id,score\n" + "".join(f"r{i},{i % 2 * 9 + i / 40}\n" for i in range(N))
    worse = "id,score\n" + "".join(f"r{i},{i / 40}\n" for i in range(N))
    first, second = site.post(good.encode()).json(), site.post(worse.encode()).json()
    assert (first["value"], first["improved"]) == ("49/50", True)
    assert (second["value"], second["improved"]) == ("49/50", False)
    said = "no improvement of 0.06 over your best, 0.98"
    assert second["meaning"] == said
    page = site.client.post("/submit", data={"token": site.ann}, files={"file": worse.encode()})
    history = site.client.post("/history", data={"token": site.ann})
    assert said in page.text
    assert said in history.text
    assert "rounded down: the AUC of this file is at least 0.98" in history.text


@pytest.mark.parametrize("path", ["/", "/submit", "/host", "/nothing", "/api/board", "/metrics"])
def test_headers_are_strict(site: Site, path: str) -> None:
    answer = site.client.get(path)
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'")
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert "set-cookie" not in answer.headers
    assert all("access-control" not in name for name in answer.headers)


def test_health_and_measurements(site: Site) -> None:
    site.post(table(N, 1))
    site.post(b"a,b\n1,2\n")
    assert site.client.get("/health").json() == {"status": "ok"}
    lines = site.client.get("/metrics").text.splitlines()
    assert "rocsolid_answers_total 1" in lines
    assert "rocsolid_uploads_total 2" in lines
    assert all(
        re.fullmatch(r"# TYPE \w+ (counter|gauge)|\w+(\{(\w+=\"[^\"]*\",?)+\})? [\d.]+", line)
        for line in lines
    )
    assert any('route="/api/submissions",status="422"' in line for line in lines)


# --- who may ask


def test_tokens_of_others_of_the_past_and_of_nobody(site: Site) -> None:
    for token in ("x", site.host, site.ann[:-1], site.ann + "x", "Ä" * 9 + "\x7f"):
        headers = {"Authorization": f"Bearer {token}".encode("latin-1")}
        answer = site.client.get("/api/submissions", headers=headers)
        assert (answer.status_code, answer.json()["error"]) == (
            401,
            "this token belongs to no team",
        )
        assert answer.headers["www-authenticate"] == "Bearer"
    for headers in ({}, {"Authorization": site.ann}, {"Authorization": f"Basic {site.ann}"}):
        assert site.client.post("/api/submissions", headers=headers).status_code == 401
    page = site.client.post("/submit", data={"token": "x"}, files={"file": ("a", table(N, 1))})
    assert page.status_code == site.client.post("/history").status_code == 401
    assert site.client.post("/submit", files={"file": table(N, 1)}).status_code == 401
    new = site.service.board.access.issue("ann")
    assert site.get("/api/submissions").status_code == 401
    assert site.get("/api/submissions", new).status_code == 200
    assert site.service.board.state[0] == site.service.board.access.uploads() == 0


def test_only_teams_on_the_list_are_answered(tmp_path: Path) -> None:
    site = Site(str(tmp_path / "a"), teams=("bob",))
    with site.client:
        assert site.post(table(N, 1)).status_code == 403
        assert site.post(table(N, 1), site.bob).status_code == 200
    for other in ("Bob", "b\u043eb", "bob "):
        with pytest.raises(InputError, match=r"of the team 'bob'|Fix: write 'bob'"):
            Site(str(tmp_path / "a"), made=True, teams=("ann", other))
    Site(str(tmp_path / "a"), made=True, teams=("not yet",))


def test_a_file_of_tokens_holds_no_token(tmp_path: Path) -> None:
    site = Site(str(tmp_path / "a"))
    with site.client:
        content = (tmp_path / "a").read_bytes()
    assert all(one.encode() not in content for one in (site.ann, site.bob, site.host))


# --- how often


def test_uploads_a_minute_are_counted_over_processes_by_a_clock_that_may_jump(
    board_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1e9
    monkeypatch.setattr(time, "time_ns", lambda: int(now * 1e9))
    one = Site(board_name, uploads_per_minute=3)
    two = application(ServerSettings(title="x", board=board_name, uploads_per_minute=3))
    bearer = {"Authorization": f"Bearer {one.ann}", **CSV}

    def let_through() -> int:
        """How many of ten uploads, by turns to two processes, good ones and bad ones."""
        return sum(
            [one.client, other][k % 2]
            .post("/api/submissions", content=(table(N, k), b"x")[k // 2 % 2], headers=bearer)
            .status_code
            != 429
            for k in range(10)
        )

    with one.client, TestClient(two) as other:
        assert let_through() == 3
        answer = one.post(table(N, 1))
        assert (answer.status_code, answer.headers["retry-after"]) == (429, "21")
        assert one.post(table(N, 1), one.bob).status_code == 200  # each team has its own
        now += 20.5
        assert let_through() == 1
        for jump in (-3600, -1, -(10**6)):
            now += jump
            assert let_through() == 0
        now += 61
        assert let_through() == 0  # as if the clock stood a minute before it was set back
        now += 60
        assert let_through() == 3
        now += 10**6
        assert let_through() == 3


def test_uploads_that_never_end_count_and_are_forgiven_within_a_minute(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1e9
    monkeypatch.setattr(time, "time_ns", lambda: int(now * 1e9))

    def admitted(access: Access, uploads: int) -> list[int]:
        """The seconds to wait, 0 for an upload that is admitted."""
        return [_wait(access.admit, "ann", 2) for _ in range(uploads)]

    with Leaderboard(site.name) as board:
        one, other = site.service.board.access, board.access
        assert admitted(one, 3) == [0, 0, 31]
        assert one.uploads() == 2  # the refusal stored them
        assert admitted(other, 1) == [31]
        now += 60
        assert admitted(one, 2) == admitted(other, 2) == [0, 0]
        # two in the other process, and four that began earlier or now: the last two are too many
        assert [_wait(other.count_upload, "ann") for _ in range(2)] == [0, 0]
        assert [_wait(one.count_upload, "ann") for _ in range(4)] == [0, 0, 31, 31]
        assert one.uploads() == 4
        other.count_upload("ann")  # nothing is left to count
        assert admitted(one, 1) == admitted(other, 1) == [31]
        now += 30
        assert admitted(one, 1) == [0]


def _wait(act: Callable[..., None], *given: Any) -> int:
    try:
        act(*given)
    except TooManyUploads as error:
        return error.seconds
    return 0


def test_many_uploads_at_a_time_to_several_processes_are_not_more_than_allowed(
    board_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All are admitted, because none has ended. The answers decide, and charge nothing above."""
    monkeypatch.setattr(time, "time_ns", lambda: 10**18)
    one = Site(board_name, uploads_per_minute=3)
    two = application(ServerSettings(title="x", board=board_name, uploads_per_minute=3))
    services: list[Service] = [one.service, two.state.service]
    with one.client, TestClient(two):
        for service in services * 3:
            service.admit("ann")
        answers = [service.submit("ann", table(N, k)) for k, service in enumerate(services)]
        with pytest.raises(InputError):
            one.service.submit("ann", b"x")  # counts too
        bits = one.service.board.spent()["most_bits"]
        for k, content in enumerate((table(N, 3), table(N, 1), b"x")):
            with pytest.raises(TooManyUploads, match=r"wait 21 s"):
                services[1 - k % 2].submit("ann", content)
        assert one.service.board.spent()["most_bits"] == bits
        assert one.service.board.receipts("ann") == answers
        assert one.service.board.access.uploads() == 3


def test_every_page_follows_choices_and_pauses(site: Site) -> None:
    for seed in (1, 2):
        site.post(table(N, seed))
    version = site.service.board.version
    paths = ("/", "/api/board", "/api/record")
    before = [site.client.get(path).text for path in paths]
    site.choose(2)
    assert site.service.board.version != version
    assert site.client.get("/api/record").json()["chosen"] == {"ann": 2}
    site.service.board.freeze()
    after = [site.client.get(path).text for path in paths]
    assert all(one != other for one, other in zip(before, after, strict=True))


def test_a_deadline_is_shown_and_kept(tmp_path: Path) -> None:
    now = datetime.now(UTC)
    early = Site(str(tmp_path / "a"), deadline=now + timedelta(hours=1), about="<b>Find</b> them.")
    late = Site(str(tmp_path / "a"), made=True, deadline=now - timedelta(seconds=1))
    page = early.client.get("/").text
    assert f"Files are accepted until {now + timedelta(hours=1):%Y-%m-%d %H:%M} UTC." in page
    assert "&lt;b&gt;Find&lt;/b&gt; them." in page
    token = early.service.board.access.issue("ann")
    receipt = early.post(table(N, 1), token).json()
    refused = late.post(table(N, 2), token)
    assert (refused.status_code, refused.json()["error"][:16]) == (409, "the deadline has")
    form = {"data": {"token": token}, "files": {"file": table(N, 2)}}
    assert late.client.post("/submit", **form).status_code == 409
    assert late.get("/api/submissions", token).json()["receipts"] == [receipt]
    assert late.choose(1, token).status_code == 200


def _form(token: str) -> bytes:
    """The start of a form that a browser sends, up to the first bytes of the file."""
    part = '--x\r\nContent-Disposition: form-data; name="{}"\r\n\r\n{}'
    file = part.format('file"; filename="a.csv', "id,score\n")
    return f"{part.format('token', token)}\r\n{file}".encode()


LONG_FILE = b"--x" + _form("").rpartition(b"--x")[2] + b"x" * 10**5


@pytest.mark.parametrize(
    ("path", "start", "status"),
    [
        ("/api/submissions", None, 429),
        ("/submit", _form("ANN"), 429),
        ("/submit", _form("stranger"), 401),
        ("/submit", LONG_FILE, 401),
    ],
)
def test_an_upload_too_many_is_refused_before_it_is_read(
    tmp_path: Path, path: str, start: bytes | None, status: int
) -> None:
    """The body never ends: only who does not read it answers. A form is read up to its token."""
    site = Site(str(tmp_path / "a"), uploads_per_minute=1)
    assert site.post(table(N, 1)).status_code == 200
    kind = b"text/csv" if start is None else b"multipart/form-data; boundary=x"
    bodies = [] if start is None else list(_pieces(start.replace(b"ANN", site.ann.encode())))
    scope = {
        "type": "http", "http_version": "1.1", "method": "POST", "scheme": "http",
        "path": path, "raw_path": path.encode(), "query_string": b"",
        "root_path": "", "server": ("a", 80), "client": ("b", 1),
        "headers": [(b"authorization", f"Bearer {site.ann}".encode()), (b"content-type", kind)],
    }  # fmt: skip
    sent: list[Any] = []

    async def receive() -> Any:
        if not bodies:
            raise AssertionError("the body is read")
        return {"type": "http.request", "body": bodies.pop(0), "more_body": True}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(site.app(scope, receive, send))
    assert sent[0]["status"] == status


def _pieces(content: bytes) -> Iterator[bytes]:
    step = max(1, len(content) // 7)
    return (content[at : at + step] for at in range(0, len(content), step))


# --- uploads that are no tables


def bomb() -> bytes:
    """A few kilobytes that unpack to a hundred megabytes of names."""
    long = ["a" * 10**8, *labels(N)["id"][1:]]
    out = io.BytesIO()
    pq.write_table(pa.table({"id": long, "score": np.arange(N) / N}), out, compression="zstd")
    return out.getvalue()


def shared_bomb(kind: Any) -> bytes:
    """A few kilobytes, and few more when unpacked, of one name that all rows share."""
    long = pa.array(["a" * (N * 4096 - 10_000)]).cast(kind)
    shared = pa.DictionaryArray.from_arrays(pa.array(np.zeros(N, np.int32)), long)
    out = io.BytesIO()
    scores = np.arange(N) / N
    pq.write_table(pa.table({"id": shared, "score": scores}), out, compression="zstd")
    return out.getvalue()


def _as_varint(number: int, length: int = 0) -> bytes:
    """A zigzag number of Thrift, filled up to so many bytes."""
    left, out = number << 1, []
    while True:
        left, low = left >> 7, left & 127
        out.append(low)
        if not left and len(out) >= length:
            return bytes([byte | 128 for byte in out[:-1]] + out[-1:])


def lying_bomb(**settings: Any) -> bytes:
    """A few kilobytes with one name of a hundred megabytes, of which the footer says nothing."""
    out = io.BytesIO()
    rows = {"id": ["a" * 10**8, *labels(N)["id"][1:]], "score": np.arange(N) / N}
    pq.write_table(pa.table(rows), out, compression="zstd", write_statistics=False, **settings)
    content = out.getvalue()
    group = pq.read_metadata(io.BytesIO(content)).row_group(0)
    split = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    footer = content[split:]
    for true in {group.total_byte_size, group.column(0).total_uncompressed_size}:
        written = _as_varint(true)
        assert written in footer
        footer = footer.replace(written, _as_varint(1000, len(written)))
    said = pq.read_metadata(io.BytesIO(content[:split] + footer)).row_group(0)
    assert said.total_byte_size == said.column(0).total_uncompressed_size == 1000
    return content[:split] + footer


def malformed() -> dict[str, bytes]:
    good = table(N, 1)
    packed = parquet({"id": labels(N)["id"], "score": np.arange(N) / N})
    many = parquet({"id": np.zeros(10**7, np.int8), "score": np.zeros(10**7, np.int8)})
    rng = np.random.default_rng(1)
    noise = {f"noise {i}": rng.bytes(300) for i in range(5)}
    flipped = {}
    for i in range(25):
        broken = bytearray(packed)
        for at in rng.integers(4, len(packed), 6):
            broken[at] = rng.integers(256)
        flipped[f"flipped {i}"] = bytes(broken)
    return {
        "nothing": b"",
        "no header": good.split(b"\n", 1)[1],
        "header alone": b"id,score\n",
        "one column": b"id\n" + b"r1\n" * N,
        "zeros": b"\0" * 1000,
        "UTF-16": good.decode().encode("utf-16"),
        "not UTF-8": b"id,score\n\xff\xfe,1\n",
        "gzip": b"\x1f\x8b\x08" + b"x" * 50,
        "text": b"id,score\n" + b"".join(b"r%d,x\n" % i for i in range(N)),
        "markup": b"id,score\n<script>alert(1)</script>,1\n",
        "quotes": b'id,score\n"' + b"a" * 5000,
        "huge number": good.replace(b"r1,", b"r1,1e99999", 1),
        "nan": b"id,score\n" + b"".join(b"r%d,nan\n" % i for i in range(N)),
        "constant": b"id,score\n" + b"".join(b"r%d,1\n" % i for i in range(N)),
        "row twice": good.replace(b"r1,", b"r2,", 1),
        "unknown row": good.replace(b"r1,", b"../../etc/passwd,", 1),
        "long lines": b"id,score\n" + b"," * 10**6,
        "many lines": b"id,score\n" + b"r1,1\n" * 10**5,
        "many old lines": b"id,score\r" + b"r1,1\r" * 10**5,
        "many columns": b"id,score" + b",a" * 10**5 + good[8:],
        "magic alone": b"PAR1",
        "cut short": packed[:-20],
        "no footer": packed[:50] + b"PAR1",
        "many rows": many,
        "bomb": bomb(),
        "shared bomb": shared_bomb(pa.string()),
        "shared bytes": shared_bomb(pa.binary()),
        "lying bomb": lying_bomb(),
        "lying plain bomb": lying_bomb(use_dictionary=False),
        "lying new bomb": lying_bomb(data_page_version="2.0"),
        "long name": b"id,score\n" + b"a" * 10**6 + b",1\n",
        "nested": parquet({"id": [[name] for name in labels(N)["id"]], "score": [1] * N}),
        **noise,
        **flipped,
    }


UNREAD = {
    "many lines": "the upload has 100,001 lines",
    "many old lines": "the upload has 100,001 lines",
    "many columns": "the first line of the upload is too long",
    "many rows": "the upload has 10,000,000 rows",
    **dict.fromkeys(
        (
            *("bomb", "shared bomb", "shared bytes"),
            *("lying bomb", "lying plain bomb", "lying new bomb"),
        ),
        "too large when unpacked",
    ),
    "nested": "a cell holds several values",
}
"""What is refused before it is unpacked."""


@pytest.mark.parametrize("more", [{}, {"use_dictionary": False}, {"data_page_version": "2.0"}])
def test_a_page_is_not_unpacked_on_the_word_of_the_footer(
    more: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even to look for the longest name, which takes what the page unpacks to."""
    content = lying_bomb(**more)

    def unpack(*_: Any) -> int:
        raise AssertionError("the page is unpacked")

    monkeypatch.setattr("rocsolid.board.serve.settings._longest", unpack)
    with pytest.raises(InputError, match="too large when unpacked"):
        uploaded(content, N, ("id", "score"))


def test_malformed_uploads_are_refused_in_words(
    site: Site, capfd: pytest.CaptureFixture[str]
) -> None:
    """No traceback, no path of this machine, nothing answered, nothing spent."""
    for name, content in malformed().items():
        answer = site.post(content)
        if name.startswith("flipped") and answer.status_code == 200:
            continue  # a flipped score is another ranking
        assert answer.status_code in (413, 422), (name, answer.text)
        said = answer.json()
        assert set(said) == {"error", "where", "fix"}
        assert UNREAD.get(name, "") in said["error"] != "", name
        assert len(answer.text) < 5000, name
        for text in (answer.text, site.client.get("/api/board").text):
            assert not re.search(r"Traceback|/tmp|/work|/home|site-packages|\.py", text), name
        page = site.client.post("/submit", data={"token": site.ann}, files={"file": content})
        assert page.status_code == answer.status_code, name
        assert "<script>alert" not in page.text
    log = capfd.readouterr().err
    assert "Traceback" not in log
    assert '"failure"' not in log
    assert site.service.board.state[0] <= 25


@pytest.mark.parametrize("sent", ["at once", "in pieces", "a form"])
def test_an_upload_that_is_too_large_is_not_read_to_its_end(tmp_path: Path, sent: str) -> None:
    site = Site(str(tmp_path / "a"), upload_bytes=100_000)
    read = 0

    def pieces() -> Iterator[bytes]:
        nonlocal read
        for _ in range(1000):
            read += 10_000
            yield b"x" * 10_000

    with site.client:
        if sent == "a form":
            files = {"file": b"x" * 200_000}
            answer = site.client.post("/submit", data={"token": site.ann}, files=files)
        else:
            answer = site.post(pieces() if sent == "in pieces" else b"x" * 200_000)
            assert answer.json()["fix"] == "send at most 100,000 bytes"
        assert answer.status_code == 413
        admitted = sent != "a form"  # its declared length is refused before its token is read
        assert site.service.board.access.uploads() == admitted
        assert site.post(table(N, 1)).status_code == 200
        assert site.service.board.access.uploads() == admitted + 1
        files = {"another": b"x"}
        answer = site.client.post("/submit", data={"token": site.ann}, files=files)
        assert (answer.status_code, "There is no file" in answer.text) == (422, True)
        assert site.service.board.access.uploads() == admitted + 2


def test_other_kinds_of_upload(site: Site) -> None:
    for kind in ("application/json", "", "text/csvx", "multipart/form-data"):
        assert site.post(table(N, 1), Content_Type=kind).status_code == 415
    assert site.post(table(N, 1), Content_Type="Text/CSV; charset=utf-8").status_code == 200
    for data, files in (
        ({}, {}),
        ({"token": site.ann}, {}),
        ({"token": site.ann, "file": "text"}, {}),
        ({"token": site.ann}, [("file", b"a"), ("file", b"b")]),
        ({str(i): "x" for i in range(50)}, {"file": b"a"}),
    ):
        answer = site.client.post("/submit", data=data, files=files)
        assert answer.status_code in (400, 401, 422), data
    broken = {"Content-Type": "multipart/form-data; boundary=x"}
    assert site.client.post("/submit", content=b"--y\r\n", headers=broken).status_code in (400, 401)


# --- the host


def test_the_host_freezes_opens_and_reveals(site: Site) -> None:
    first = site.post(table(N, 1)).json()
    csrf = site.sign_in()
    for word in ("", "x", csrf[:-1]):
        assert site.client.post("/host/freeze", data={"csrf": word}).status_code == 403
    assert site.service.board.state == (1, False, False)
    assert site.client.post("/host/freeze", data={"csrf": csrf}).status_code == 303
    assert site.client.get("/api/board").json()["frozen"]
    refused = site.post(table(N, 2))
    assert (refused.status_code, refused.json()["fix"]) == (409, "wait until it is opened")
    assert site.post(table(N, 1)).json() == first  # what was answered still is
    site.client.post("/host/open", data={"csrf": csrf})
    second = site.post(table(N, 2)).json()
    for typed in ({}, {"confirm": "yes"}):
        assert site.client.post("/host/reveal", data={"csrf": csrf, **typed}).status_code == 422
    assert site.service.board.state == (2, False, False)
    reveal = {"csrf": csrf, "confirm": "reveal"}
    assert site.client.post("/host/reveal", data=reveal).status_code == 303
    assert site.post(table(N, 3)).status_code == 409
    site.client.post("/host/open", data={"csrf": csrf})
    assert site.post(table(N, 3)).status_code == 409  # for ever
    record = json.loads(site.client.get("/api/record").content)
    found = verify(record, receipts=[first, second])
    assert found.holds
    assert all(check.passed for check in found.checks)


def test_the_host_closes_and_the_labels_stay(board_name: str) -> None:
    """Final standings for everybody; no upload, no choice, no way back, and nothing revealed."""
    Leaderboard.create(
        board_name, labels(N), label="ill", id="id", defence="Rounded(2)", public=0.5
    ).close()
    site = Site(board_name, made=True, deadline=datetime.now(UTC) + timedelta(hours=1))
    with site.client:
        first, second = (site.post(table(N, seed)).json() for seed in (1, 2))
        csrf = site.sign_in()
        assert "Final standings" not in site.client.get("/").text
        history = site.client.post("/history", data={"token": site.ann}).text
        for page in (site.client.get("/submit").text, history):
            assert "The contest is over" not in page
            assert 'action="/choose"' in page
        for typed in ({}, {"confirm": "reveal"}):
            assert site.client.post("/host/close", data={"csrf": csrf, **typed}).status_code == 422
        assert site.choose(second["number"]).json()["counts"] == second["number"]
        end = {"csrf": csrf, "confirm": "close"}
        assert site.client.post("/host/close", data=end).status_code == 303
        for action in ("open", "freeze"):
            site.client.post(f"/host/{action}", data={"csrf": csrf})
        assert site.post(table(N, 3)).status_code == 409
        assert site.choose(first["number"]).status_code == 409
        assert site.post(table(N, 1)).json() == first
        shown = site.client.get("/api/board").json()
        assert (shown["closed"], shown["labels_revealed"], shown["frozen"]) == (True, False, False)
        assert [row["team"] for row in shown["final"]] == ["ann"]
        record = site.client.get("/api/record").json()
        assert record["revealed"] is None
        assert site.service.board.settings.labels not in json.dumps(record)
        page = site.client.get("/").text
        assert "The contest is over." in page
        assert "ann wins with" in page
        assert "Take part" not in page
        assert "curl" not in page
        _only_answers_are_left(site, second["request"])
        host = site.client.get("/host").text
        assert "The labels are secret." in host
        reveal = {"csrf": csrf, "confirm": "reveal"}
        assert site.client.post("/host/reveal", data=reveal).status_code == 303
        record = site.client.get("/api/record").json()
        assert record["revealed"] is not None
        assert verify(record, receipts=[first, second]).holds
        assert site.client.get("/api/board").json()["final_bits"] is None
        assert "The labels are revealed." in site.client.get("/host").text
        _only_answers_are_left(site, second["request"])


def _only_answers_are_left(site: Site, request: str) -> None:
    """The page for teams says that the contest is over, and invites to nothing that is refused."""
    files = {"file": table(N, 9)}
    refused = site.client.post("/submit", data={"token": site.ann}, files=files)
    assert refused.status_code == 409
    history = site.client.post("/history", data={"token": site.ann}).text
    assert request in history
    for page in (site.client.get("/submit").text, refused.text):
        assert "The contest is over" in page
        assert re.findall(r'action="([^"]*)"', page) == ["/history"]
        for gone in ("curl", "ROW-1", "per minute", "Submit on the page", "until"):
            assert gone not in page
    assert "<form" not in history


def test_a_team_chooses_on_the_page_and_by_the_api(site: Site) -> None:
    receipts = [site.post(table(N, seed)).json() for seed in (1, 2, 3)]
    other = site.post(table(N, 4), site.bob).json()
    best = max(receipts, key=lambda one: (one["decimal"], -one["number"]))
    assert site.get("/api/submissions").json()["counts"] == best["number"]
    for answer in (receipts[0]["number"], receipts[2]["number"]):
        assert site.choose(answer).json()["counts"] == answer
    for wrong in (other["number"], 99, "1", None, True, 1.5, [1]):
        refused = site.choose(wrong)
        assert refused.status_code == 422, wrong
    for body in (b"", b"x", b"[]", b"{}"):
        headers = {"Authorization": f"Bearer {site.ann}"}
        assert site.client.post("/api/choice", content=body, headers=headers).status_code == 422
    assert site.choose(1, "x").status_code == 401
    form = {"token": site.ann, "answer": f" {receipts[1]['number']} "}
    page = site.client.post("/choose", data=form)
    assert page.status_code == 200
    assert page.text.count("this file counts") == 1
    assert site.get("/api/submissions").json()["counts"] == receipts[1]["number"]
    wrong_forms = ({"token": "x"}, *({"answer": text} for text in ("٣", "", "-1", "9" * 5000)))
    for wrong in wrong_forms:
        assert site.client.post("/choose", data={**form, **wrong}).status_code in (401, 422)
    assert 'action="/choose"' in site.client.get("/submit").text


def test_choices_that_nobody_can_read_are_refused(
    site: Site, capfd: pytest.CaptureFixture[str]
) -> None:
    """Brackets within brackets and long numbers: no failure, whichever part of the server meets
    the limit of recursion."""
    receipt = site.post(table(N, 1)).json()
    headers = {"Authorization": f"Bearer {site.ann}"}
    depths = (1, 300, 600, *range(880, 1000, 12), 1100, 8000)
    bodies = [start * depth + "]" * (depth * whole) for depth in depths
              for start, whole in (("[", 0), ("[", 1), ('{"answer":', 0))]  # fmt: skip
    bodies += [f'{{"answer":{"[" * depth}{"]" * depth}}}' for depth in depths]
    bodies += [f'{{"answer":{"9" * digits}}}' for digits in (25, 5000)]
    for body in bodies:
        answer = site.client.post("/api/choice", content=body, headers=headers)
        large = len(body) > 2**14
        assert answer.status_code == (413 if large else 422), (body[:20], len(body))
        assert len(answer.text) < 1000
    assert '"failure"' not in capfd.readouterr().err
    assert site.get("/api/submissions").json()["receipts"] == [receipt]


@pytest.mark.parametrize("path", ["/api/choice", "/choose", "/history", "/example", "/host"])
def test_only_an_upload_may_be_large(site: Site, path: str) -> None:
    """A token, a number or a word is short, so that nothing parses more."""
    headers = {"Authorization": f"Bearer {site.ann}",
               "Content-Type": "application/x-www-form-urlencoded"}  # fmt: skip
    for size, refused in ((2**14, False), (2**14 + 1, True)):
        answer = site.client.post(path, content=b"[" * size, headers=headers)
        assert (answer.status_code == 413) is refused
        assert ("the request is too large" in answer.text.lower()) is refused


def test_the_host_sees_teams_that_sent_the_same_file(tmp_path: Path) -> None:
    """The second of them hears what the first did, at no cost."""
    name = str(tmp_path / "a")
    Leaderboard.create(name, labels(N), label="ill", id="id", defence="Ladder(0.06)").close()
    site = Site(name, made=True)
    assert (
        site.post(table(N, 1)).json()["value"] == site.post(table(N, 1), site.bob).json()["value"]
    )
    site.sign_in()
    assert "2 releases to 2 accounts" in site.client.get("/host").text


def test_a_session_is_the_hosts_alone_and_ends(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    for token in ("", "x", site.ann):
        answer = site.client.post("/host", data={"token": token})
        assert answer.status_code == 401
        assert "set-cookie" not in answer.headers
    csrf = site.sign_in()
    session = site.client.cookies["host"]
    ends, signature = session.split(".")
    later = time.time() + 9 * 3600
    for forged in (
        f"{int(ends) + 9}.{signature}",
        f"{ends}.{signature[:-1]}",
        "x",
        f"{ends}.",
        "é",
    ):
        with pytest.raises(ValueError, match="session"):
            site.service.csrf(forged)
    assert site.client.post("/host/freeze", data={"csrf": csrf}).status_code == 303
    monkeypatch.setattr(time, "time", lambda: later)
    with pytest.raises(ValueError, match="session has ended"):
        site.service.csrf(session)
    monkeypatch.undo()
    site.service.board.access.issue_to_host()
    assert site.client.get("/host").status_code == 401
    assert site.client.post("/host/open", data={"csrf": csrf}).status_code == 401
    site.client.cookies.clear()
    assert site.client.post("/host/open", data={"csrf": csrf}).status_code == 401
    assert site.service.board.state[1]


# --- what is logged, and failures


def test_the_log_has_a_line_for_each_request_and_no_secret(
    site: Site, capfd: pytest.CaptureFixture[str]
) -> None:
    site.post(table(N, 1))
    site.get("/api/submissions")
    site.post(b"id,score\nr1,0.123456\n")
    site.client.get("/no/such?token=" + site.ann)
    site.sign_in()
    text = capfd.readouterr().err
    lines = [json.loads(line) for line in text.splitlines()]
    assert [(one["route"], one["status"]) for one in lines[:4]] == [
        ("POST /api/submissions", 200),
        ("GET /api/submissions", 200),
        ("POST /api/submissions", 422),
        ("GET none", 404),
    ]
    assert (lines[0]["team"], lines[0]["rows"]) == ("ann", N)
    allowed = {"time", "route", "status", "milliseconds", "team", "rows"}
    assert all(set(one) <= allowed for one in lines)
    settings = site.service.board.settings
    kept = [one["value"] for one in site.client.get("/api/record").json()["told"]]
    secrets = (site.ann, site.bob, site.host, settings.salt, settings.key, settings.labels)
    assert not any(one in text for one in (*secrets, *kept, "0.123456", "csrf"))


def test_a_failure_is_a_status_and_a_place_in_the_log(
    site: Site, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("the labels are 0101")

    monkeypatch.setattr(Leaderboard, "submit", fail)
    monkeypatch.setattr(Leaderboard, "to_dict", fail)
    answer, page = site.post(table(N, 1)), site.client.get("/")
    assert answer.status_code == page.status_code == 500
    assert answer.json()["error"] == "the server failed; its log says where"
    assert page.headers["content-type"].startswith("text/html")
    text = capfd.readouterr().err
    line = json.loads(text.splitlines()[0])
    assert line["failure"] == "KeyError"
    assert re.fullmatch(r"test_app\.py:\d+", line["at"])
    assert not re.search("Traceback|0101", text + answer.text + page.text)


def test_a_board_that_cannot_be_reached(site: Site) -> None:
    site.service.board._ledger.database._db.close()
    board = site.client.get("/api/board")
    if board.status_code != 200:  # PostgreSQL is connected to again
        for answer in (board, site.client.get("/health"), site.post(table(N, 1))):
            assert answer.status_code in (500, 503)
            assert "board" in answer.json()["error"]


def test_every_form_is_a_route_and_no_route_answers_other_methods(site: Site) -> None:
    paths = {route.path for route in (*forms.ROUTES, *api.ROUTES)}
    for path in paths:
        assert site.client.request("PATCH", path).status_code == 405
    assert site.client.get("/host/").status_code == 404
    assert site.client.get("/api/none").json() == {
        "error": "this address does not exist (/api/none)",
        "where": "/api/none",
        "fix": "see /api/openapi.json for all addresses",
    }
    assert "Use GET or HEAD." in site.client.request("PATCH", "/").text
    refused = site.client.request("PATCH", "/api/board")
    assert refused.json()["error"] == "PATCH is not allowed here (/api/board)"
    assert refused.json()["fix"] == "use GET or HEAD"


def test_a_lack_of_memory_shows_nothing_of_the_machine(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def short(*_: Any) -> None:
        raise OutOfMemoryError("bounded by the 24,000 MB of this machine", fix="allow it more")

    monkeypatch.setattr(Leaderboard, "submit", short)
    answer = site.post(table(N, 1))
    assert answer.status_code == 503
    assert "24,000" not in answer.text
    assert answer.json()["fix"].startswith("send the two columns alone")
