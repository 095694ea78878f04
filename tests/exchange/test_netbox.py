"""Device types of the NetBox library: what they become, and what is refused."""

from pathlib import Path

import pytest

from gpuconfig.engine.catalogue.vocabulary import Kind
from gpuconfig.engine.provenance.errors import Cancelled, DataError
from gpuconfig.exchange.netbox import LICENCE, plan_netbox
from gpuconfig.exchange.plan import RowState

FOLDER = Path(__file__).parent / "fixtures" / "netbox"


class Stop:
    """A person who cancels at the first word."""

    def report(self, fraction, what):  # noqa: ARG002
        raise Cancelled


def test_a_folder_of_device_types():
    plan = plan_netbox(FOLDER, {})
    added = {row.kind: row.data for row in plan.rows if row.state is RowState.ADDED}
    switch, pdu, server = added[Kind.SWITCH], added[Kind.PDU], added[Kind.SERVER]
    assert (switch["ports"], switch["port_bits_per_s"], switch["tdp_w"]) == (8, 100e9, 650.0)
    assert switch["interface"] == "Ethernet QSFP28"
    assert (pdu["watts"], pdu["outlets_text"]) == (7400.0, "2× iec-60320-c13, 1× iec-60320-c19")
    assert (server["psu_count"], server["psu_w"], server["rack_units"]) == (3, 3000.0, 4)
    assert server["weight_kg"] == 61
    assert all(LICENCE in str(data["sources"]) for data in added.values())


def test_objects_and_strangers_are_refused_with_the_reason():
    refused = {
        row.name: row.reasons for row in plan_netbox(FOLDER, {}).rows if row.state is RowState.REJECTED
    }
    assert set(refused) == {"hostile.yaml", "camera.yaml"}
    assert all(refused.values())


@pytest.mark.parametrize(
    "text", ["", "- 1\n- 2\n", "a: &a [*a]\n", "\tbad", "manufacturer: 3\nmodel: x\n", "x: " * 500]
)
def test_no_text_breaks_the_reader(tmp_path, text):
    (tmp_path / "one.yaml").write_text(text)
    assert plan_netbox(tmp_path / "one.yaml", {}).counts()[RowState.REJECTED] == 1


def test_an_empty_folder_says_so(tmp_path):
    with pytest.raises(DataError):
        plan_netbox(tmp_path, {})


def test_cancelling_leaves_no_plan(tmp_path):
    for number in range(150):
        (tmp_path / f"{number}.yaml").write_text("manufacturer: a\nmodel: b\n")
    with pytest.raises(Cancelled):
        plan_netbox(tmp_path, {}, Stop())


MINIMAL = "manufacturer: Dell\nmodel: R760xa\nslug: dell-r760xa\n"
PORTS = "interfaces:\n" + "".join(f"  - {{name: g{n}, type: 1000base-t}}\n" for n in range(48))


@pytest.mark.parametrize(
    "rest",
    [
        "u_height: 2\npower-ports:\n  - {name: PSU1, type: iec-60320-c14}\n",
        "u_height: 2\ninterfaces:\n  - {name: eth0, type: 10gbase-t}\n",
    ],
)
def test_a_server_that_tells_little_is_taken_and_what_lacks_is_told(tmp_path, rest):
    (tmp_path / "one.yaml").write_text(MINIMAL + rest)
    (row,) = plan_netbox(tmp_path / "one.yaml", {}).rows
    assert (row.state, row.kind, row.data["rack_units"]) == (RowState.ADDED, Kind.SERVER, 2)
    assert row.data.get("psu_count") in (None, 1)
    (told,) = row.reasons
    assert "Weight" in told.english()


@pytest.mark.parametrize(
    ("rest", "why"),
    [
        ("", "u_height"),
        ("u_height: 2\n", "power-ports, interfaces, module-bays"),
        (
            "u_height: 1\npower-ports:\n  - {name: PSU1, type: iec-60320-c14}\n" + PORTS,
            "slower than 10 Gbit/s",
        ),
        ("u_height: 1\nfront-ports:\n  - {name: a, type: lc}\n", "passes cables"),
    ],
)
def test_what_is_no_server_is_refused_with_what_it_lacks(tmp_path, rest, why):
    (tmp_path / "one.yaml").write_text(MINIMAL + rest)
    (row,) = plan_netbox(tmp_path / "one.yaml", {}).rows
    assert row.state is RowState.REJECTED
    assert why in row.reasons[0].english()
