"""Where members of collectives meet, and what is sent to it."""

from __future__ import annotations

import random
import shutil
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from tf1compat.core import dtypes, errors
from tf1compat.runtime.cluster import channel, collect, endpoint, wire
from tf1compat.runtime.cluster.hub import Hub, Offer, put_together
from tf1compat.runtime.cluster.worker_step import Step

pytest.importorskip("grpc")

SUM = ("reduce", "sum", 1.0, 1.0, "", "among 2")


def offer(who, value, name="a", what=SUM):
    value = np.asarray(value)
    return Offer(name, who, what, dtypes.as_dtype(value.dtype).name, value.shape, value)


def meet(hub, who, *offers, session=None):
    return hub.meet(who, "g", 2, [offer(who, value, name) for name, value in offers], session)


def together(*calls):
    """What each call gives, or the error that it raises; they are made at once."""

    def result(call):
        try:
            return call()
        except errors.OpError as error:
            return error

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(result, calls))


@pytest.mark.parametrize("dtype", ["float32", "float16", "int32", "int64"])
@pytest.mark.parametrize(
    ("how", "expected"),
    [("sum", [0, 8]), ("mean", [0, 2]), ("product", [-3, 5]), ("min", [-3, 1]), ("max", [1, 5])],
)
def test_reductions(how, expected, dtype):
    values = {"r 10": [1, 1], "r 2": [-3, 5], "r 1": [1, 1], "r 3": [1, 1]}
    what = ("reduce", how, 1.0, 1.0, "", "among 4")
    found = put_together([offer(k, np.array(v, dtype), "a", what) for k, v in values.items()])
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, expected)


def test_the_mean_of_integers_is_cut_off():
    what = ("reduce", "mean", 1.0, 1.0, "", "among 2")
    np.testing.assert_array_equal(
        put_together([offer("a", [-3, 3], "x", what), offer("b", [0, 0], "x", what)]), [-1, 1]
    )


def test_joined_in_the_order_of_numbers():
    what = ("gather", "", 1.0, 1.0, "", "among 3")
    offers = [offer(f"rank {n}", [[n]] * n, "a", what) for n in (10, 9, 1)]
    np.testing.assert_array_equal(put_together(offers)[:, 0], [1] + [9] * 9 + [10] * 10)


def test_whoever_comes_first():
    hub = Hub()
    for _ in range(3):
        found = together(
            lambda: meet(hub, "one", ("a", [1]), ("b", [5])),
            lambda: meet(hub, "two", ("b", [2]), ("a", [3])),
        )
        assert [[int(each[name][0]) for name in "ab"] for each in found] == [[4, 7], [4, 7]]
    assert not hub._meetings


def test_sets_of_others_may_be_larger():
    """What one does in two turns, another may do in one."""
    hub = Hub()
    found = together(
        lambda: meet(hub, "one", ("a", [1]), ("b", [5])),
        lambda: meet(hub, "two", ("b", [2])) | meet(hub, "two", ("a", [3])),
    )
    assert [[int(each[name][0]) for name in "ab"] for each in found] == [[4, 7], [4, 7]]
    assert not hub._meetings


@pytest.mark.parametrize(
    ("first", "second", "text"),
    [
        (("a", [1]), ("a", [1, 2]), r"'a': one: reduce, sum.* int64 \[1\]; two: .*int64 \[2\]"),
        (("a", [1]), ("a", [1.5]), "int64.*float64"),
        (("a", [1]), ("b", [1]), "(one waits in 'a'; two waits in 'b'|two.*; one.*)"),
    ],
)
def test_members_that_ask_for_something_else(first, second, text):
    hub = Hub(patience=0.1)
    found = together(lambda: meet(hub, "one", first), lambda: meet(hub, "two", second))
    for error in found:
        with pytest.raises(errors.FailedPreconditionError, match=text):
            raise error
    assert not hub._meetings


def test_a_second_thread_may_come_late():
    hub = Hub(patience=30)
    found = together(
        lambda: meet(hub, "one", ("a", [1])),
        lambda: meet(hub, "two", ("b", [1])),
        lambda: (time.sleep(0.2), meet(hub, "two", ("a", [1])))[1],
        lambda: (time.sleep(0.2), meet(hub, "one", ("b", [3])))[1],
    )
    assert [int(next(iter(each.values()))[0]) for each in found] == [2, 4, 2, 4]


def test_one_that_goes_away_and_comes_back():
    hub = Hub()
    hub.come("two", "first", ["g"], lambda: None)
    hub.come("one", "x", ["g"], lambda: None)
    gone = lambda: (time.sleep(0.1), hub.go("two", "first"))  # noqa: E731
    error, _ = together(lambda: meet(hub, "one", ("a", [1])), gone)
    assert isinstance(error, errors.UnavailableError)
    assert error.message == "two has gone away, and takes no part in collective 'a'"
    with pytest.raises(errors.UnavailableError):  # Nobody waits for what will not come.
        meet(hub, "one", ("a", [1]))
    hub.come("two", "second", ["g"], lambda: None)
    hub.go("two", "first")  # What is said late of the one before.
    found = together(lambda: meet(hub, "one", ("a", [1])), lambda: meet(hub, "two", ("a", [1])))
    assert [int(each["a"][0]) for each in found] == [2, 2]


def test_one_that_is_cancelled_takes_no_part():
    hub, step = Hub(), Step()
    cancel = lambda: (time.sleep(0.1), setattr(step, "cancelled", True))  # noqa: E731
    error, _ = together(lambda: meet(hub, "one", ("a", [1]), session=step), cancel)
    assert isinstance(error, errors.CancelledError) and not hub._meetings
    found = together(lambda: meet(hub, "one", ("a", [10])), lambda: meet(hub, "two", ("a", [1])))
    assert [int(each["a"][0]) for each in found] == [11, 11]


@pytest.fixture
def served():
    """A hub that others reach, and its address."""
    hub = Hub()
    found = endpoint.Endpoint(collect.calls(hub), "localhost:0", [])
    found.start()
    yield hub, f"localhost:{found.port}", found
    hub.close()
    found.stop(5)


def test_through_grpc(served):
    hub, address, _ = served
    here, there = collect.Link("one", ["g"], hub), collect.Link("two", ["g"], address=address)
    there.open()
    for value in (np.float32([1, 2]), np.zeros((0, 3), "int64"), np.array(2.0)):
        found = together(
            lambda value=value: here.collect("g", 2, [offer("one", value)], None),
            lambda value=value: there.collect("g", 2, [offer("two", value)], None),
        )
        for each in found:
            np.testing.assert_array_equal(each["a"], value + value)
    there.close()
    with pytest.raises(errors.UnavailableError, match="two has gone away"):
        here.collect("g", 2, [offer("one", [1])], None)


def test_large_values_go_in_pieces(served, monkeypatch):
    monkeypatch.setattr(collect, "_LARGEST", 40)
    hub, address, _ = served
    here, there = collect.Link("one", ["g"], hub), collect.Link("two", ["g"], address=address)
    values = {"a": np.arange(33.0).reshape(3, 11), "b": np.float32([1, 2]), "c": np.arange(7)}

    def offers(who):
        return [offer(who, value, name) for name, value in values.items()]

    found = together(
        lambda: here.collect("g", 2, offers("one"), None),
        lambda: there.collect("g", 2, offers("two")[::-1], None),
    )
    for each in found:
        for name, value in values.items():
            np.testing.assert_array_equal(each[name], value * 2)
    text = r"Mismatched collective 'a': .*pieces of \[3, 11\].*; .*pieces of \[11, 3\]"
    turned = offer("two", values["a"].T)
    for error in together(
        lambda: here.collect("g", 2, offers("one")[:1], None),
        lambda: there.collect("g", 2, [turned], None),
    ):
        with pytest.raises(errors.FailedPreconditionError, match=text):
            raise error
    there.close()


def test_the_place_goes_away(served):
    hub, address, server = served
    there = collect.Link("two", ["g"], address=address)
    there.open()
    end = lambda: (time.sleep(0.1), server.stop())  # noqa: E731
    error, _ = together(lambda: there.collect("g", 2, [offer("two", [1])], None), end)
    assert isinstance(error, errors.UnavailableError | errors.CancelledError)
    said, late = "", time.monotonic() + 10
    while "has gone away" not in said:  # gRPC tells of the end in a thread of its own.
        assert time.monotonic() < late, said
        with pytest.raises(errors.UnavailableError) as caught:
            there.collect("g", 2, [offer("two", [1])], None)
        said = str(caught.value)


def test_strangers_are_refused(served, monkeypatch):
    monkeypatch.setenv(wire.TOKEN, "another")
    stranger = channel.Channel(served[1])
    for method in ("Collect", "Stay", "Greet"):
        with pytest.raises(errors.UnauthenticatedError):
            stranger.call(method, {}, wait=10)


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    """Two folders: of a cluster, and of a stranger."""
    if shutil.which("openssl") is None:
        pytest.skip("there is no openssl to make certificates")
    folders = []
    for name in ("own", "strange"):
        folder = tmp_path_factory.mktemp(name)
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
             "-nodes", "-keyout", folder / "key.pem", "-out", folder / "cert.pem", "-days", "2",
             "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"],
            check=True, capture_output=True, timeout=60,
        )  # fmt: skip
        shutil.copy(folder / "cert.pem", folder / "ca.pem")
        folders.append(folder)
    return folders


def test_what_is_sent_is_encrypted(certificates, monkeypatch):
    """With a certificate of the same authority; the token is not enough."""
    own, strange = certificates
    monkeypatch.delenv(endpoint.INSECURE, raising=False)
    monkeypatch.setenv(endpoint.CERTIFICATES, str(own))
    endpoint.check_allowed(["elsewhere:1"])
    server = endpoint.Endpoint(collect.calls(Hub()), "localhost:0", [])
    server.start()
    address = f"localhost:{server.port}"
    assert channel.Channel(address).call("Greet", {}, wait=10) == {}
    for folder in (str(strange), ""):  # Another authority's, and none.
        monkeypatch.setenv(endpoint.CERTIFICATES, folder)
        with pytest.raises(errors.UnavailableError):
            channel.Channel(address).call("Greet", {})
    server.stop()


def test_mutated_messages_give_clean_errors(served):
    """Also those whose parts are well-formed by themselves; the next one is served as ever."""
    hub, address, _ = served
    threads = threading.active_count()
    line = channel.Channel(address)
    good = {
        "caller": "two", "group": "g", "size": 1,
        "offers": [["a", "two", list(SUM), "int32", [2], True]],
    }  # fmt: skip
    arrays = [np.int32([1, 2])]
    rng = random.Random(5)
    worse = [None, -1, "", [], {}, [None], "x" * 50, 1e300]
    for _ in range(60):
        message = {**good, "offers": [list(good["offers"][0])]}
        if rng.random() < 0.4:
            message[rng.choice(list(message))] = rng.choice(worse)
        else:
            message["offers"][0][rng.randrange(6)] = rng.choice(worse)
        call = channel.Call(0.3, is_alone=True)  # It may ask for others, who never come.
        try:
            line.call("Collect", message, arrays if rng.random() < 0.8 else [], call)
        except errors.OpError as error:
            kinds = (
                errors.InvalidArgumentError, errors.DeadlineExceededError, errors.InternalError,
                errors.FailedPreconditionError,
            )  # fmt: skip
            assert isinstance(error, kinds), error
    found = line.call("Collect", good, arrays)
    np.testing.assert_array_equal(found[0], [1, 2])
    assert threading.active_count() - threads < 60  # not one for each message
