"""Asking sources over the network: answers as the services give them, and servers that answer wrongly."""

from __future__ import annotations

import io
import json
import os
import socket
import ssl
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from gpuconfig.engine.provenance.errors import DataError
from gpuconfig.exchange.cloud_table import read_cloud_prices
from gpuconfig.exchange.online import OnlineSource, SourceKind, fetch, read_cloud, read_rate
from gpuconfig.paths import USER_FOLDER_VARIABLE

KEY_AND_CERTIFICATE = Path(__file__).parent / "fixtures" / "localhost.pem"
FRANKFURTER = b'{"amount":1.0,"base":"USD","date":"2026-12-01","rates":{"CNY":7.0521}}'
EXCHANGE_RATE_API = (
    b'{"result":"success","time_last_update_unix":1796083351,"base_code":"USD","rates":{"CNY":7.06}}'
)
ECB = b"""<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01"><gesmes:subject>Reference rates</gesmes:subject>
<Cube><Cube time='2026-12-01'><Cube currency='USD' rate='1.1630'/><Cube currency='CNY' rate='8.2264'/></Cube></Cube>
</gesmes:Envelope>"""
LAMBDA = b"""InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,SpotPrice
cpu_4x_general,,,4.0,16.0,0.2,us-east-1,,
gpu_8x_a100,A100,8.0,124.0,1800.0,15.92,us-east-1,"{'Gpus': [{'Name': 'A100', 'Count': 8.0, 'MemoryInfo': \
{'SizeInMiB': 40960}}], 'TotalGpuMemoryInMiB': 40960}",
gpu_1x_h100_pcie,H100,1.0,26.0,200.0,3.29,us-east-1,"{'Gpus': [{'Name': 'H100', 'Count': 1.0, 'MemoryInfo': \
{'SizeInMiB': 81920}}], 'TotalGpuMemoryInMiB': 81920}",
"""
RUNPOD = b"""InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Region,SpotPrice,Price,\
AvailabilityZone,GpuInfo
1x_A100-80GB_SECURE,A100-80GB,1.0,8.0,117.0,CA,1.39,1.39,CA-MTL-1,"{'Gpus': [{'Name': 'A100 PCIe', 'Count': 1, \
'MemoryInfo': {'SizeInMiB': 80}}], 'TotalGpuMemoryInMiB': 80}"
1x_A100-80GB_SECURE,A100-80GB,1.0,8.0,117.0,CA,1.29,1.29,CA-MTL-2,"{'Gpus': [{'Name': 'A100 PCIe', 'Count': 1, \
'MemoryInfo': {'SizeInMiB': 80}}], 'TotalGpuMemoryInMiB': 80}"
"""
AWS = b"""InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Price,SpotPrice,Region,AvailabilityZone
g6.xlarge,4,16,L4,1.0,"{'Gpus': [{'Name': 'L4', 'Count': 1, 'MemoryInfo': {'SizeInMiB': 22888}}]}",\
0.8048,0.31,us-east-1,us-east-1a
g6e.xlarge,4,32,L40S,1.0,"{'Gpus': [{'Name': 'L40S', 'Count': 1, 'MemoryInfo': {'SizeInMiB': 45776}}]}",\
1.861,,us-east-1,us-east-1a
a2-highgpu-1g,12,85,A100,1.0,,3.67,,us-central1,us-central1-a
"""
GPUHUNT = b"""instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size,gpu_vendor,flags
gpu_1x_h100_pcie,us-east-1,3.29,26,200.0,1,H100,80.0,False,,nvidia,
"""


class Handler(BaseHTTPRequestHandler):
    """Answers by path; each path is one way a server answers."""

    answers: ClassVar[dict[str, Callable[[BaseHTTPRequestHandler], None]]] = {}

    def do_GET(self) -> None:
        self.answers[self.path.partition("?")[0]](self)

    def log_message(self, *_: Any) -> None:
        """Nothing on the error output."""


def plain(body: bytes, status: int = 200, **headers: str) -> Callable[[BaseHTTPRequestHandler], None]:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def endless(part: bytes, pause: float) -> Callable[[BaseHTTPRequestHandler], None]:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", str(10 * 2**30))
        handler.end_headers()
        try:
            while True:
                handler.wfile.write(part)
                handler.wfile.flush()
                time.sleep(pause)
        except OSError:
            handler.close_connection = True  # the reader had enough

    return answer


@contextmanager
def serving(answers: dict[str, Any], *, tls: bool = False) -> Iterator[str]:
    handler = type("Answers", (Handler,), {"answers": answers})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    if tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(KEY_AND_CERTIFICATE)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"{'https' if tls else 'http'}://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.parametrize(
    ("answer", "rate", "day"),
    [
        (FRANKFURTER, "7.0521", "2026-12-01"),
        (EXCHANGE_RATE_API, "7.06", "2026-12-01"),
        (ECB, "7.0734", "2026-12-01"),
    ],
)
def test_rates_as_the_services_write_them(answer: bytes, rate: str, day: str) -> None:
    assert read_rate(answer, "https://x") == (rate, day)


@pytest.mark.parametrize(
    "answer",
    [
        b"", b"<html>moved</html>", b"{}", b"[]", b"null", b'{"base":"EUR","date":"2026-12-01","rates":{"CNY":8.2}}',
        b'{"base":"USD","date":"2026-12-01","rates":{"CNY":0.14}}', b'{"base":"USD","date":"2026-12-01","rates":[]}',
        b'{"base":"USD","date":"yesterday","rates":{"CNY":7}}',
        b'{"base":"USD","date":"2026-12-01","rates":{"CNY":NaN}}', b"true",
        b'{"a":' * 100_000, b"\x00\x01\x02", b'{"base_code":"USD","time_last_update_unix":1e400,"rates":{"CNY":7}}',
        ECB.replace(b"1.1630", b"0"), b'{"base":"USD","date":"2026-12-01","rates":{"CNY":"1e999999999"}}',
    ],
)  # fmt: skip
def test_what_is_no_rate_is_refused(answer: bytes) -> None:
    with pytest.raises(DataError):
        read_rate(answer, "https://x")


def test_a_slow_stream_ends_at_the_time_and_a_fast_one_at_the_limit() -> None:
    answers = {
        "/slow": endless(b"x", 0.05),
        "/fast": endless(b"x" * 2**20, 0),
        "/silent": lambda _: time.sleep(2),
    }
    with serving(answers) as address:
        for path, said in (("/slow", "timed out"), ("/fast", "30 MiB"), ("/silent", "timed out")):
            with pytest.raises(DataError) as refused:
                fetch(address + path, 20.0 if path == "/fast" else 0.4)
            assert said in str(refused.value.message.values["reason"])


def test_servers_that_answer_wrongly_are_named() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{unused.getsockname()[1]}/"
        answers = {
            "/gone": plain(b"gone", 404),
            "/broken": plain(b"", 500),
            "/away": plain(b"", 302, Location="http://127.0.0.1:9/plain"),
            "/round": plain(b"", 302, Location="/round"),
            "/half": lambda handler: handler.wfile.write(
                b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhalf"
            ),
            "/noise": lambda handler: handler.wfile.write(b"\x00\x01 no HTTP\r\n\r\n"),
        }
        with serving(answers) as address:
            for url in (
                *(address + path for path in answers if path != "/half"),
                nobody,
                "https://no.invalid/",
            ):
                with pytest.raises(DataError) as refused:
                    fetch(url, 5.0)
                assert refused.value.message.values["address"] == url
            with pytest.raises(DataError):
                read_rate(fetch(address + "/half", 5.0), address)


def cards(content: bytes, provider: str = "p") -> list[tuple[object, ...]]:
    source = OnlineSource(SourceKind.CLOUD, provider, "https://x/y")
    found = read_cloud_prices(read_cloud(content, source), provider, "2026-12-02", "x", lambda name: name)
    return [(row["accelerator_id"], row["count"], row["per_hour"], row["kind"]) for row in found]


def test_rental_catalogues_tell_the_very_card() -> None:
    assert cards(LAMBDA) == [
        ("A100 40GB", 8, "15.92", "on_demand"),
        ("H100 PCIE 80GB", 1, "3.29", "on_demand"),
    ]
    assert cards(RUNPOD) == [("A100-80GB PCIE", 1, "1.29", "on_demand")], "cheapest zone, no spot of its own"
    assert cards(AWS) == [
        ("L4 24GB", 1, "0.8048", "on_demand"), ("L4 24GB", 1, "0.31", "spot"),
        ("L40S 48GB", 1, "1.861", "on_demand"), ("A100 40GB", 1, "3.67", "on_demand"),
    ]  # fmt: skip
    assert cards(GPUHUNT) == [("H100 PCIE 80GB", 1, "3.29", "on_demand")]


def test_the_provider_of_an_archive_is_read() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("lambdalabs.csv", GPUHUNT)
        archive.writestr("bomb.csv", b"0" * (40 * 2**20))
    assert cards(stream.getvalue(), "LambdaLabs") == cards(GPUHUNT)
    for provider, broken in (
        ("other", stream.getvalue()),
        ("bomb", stream.getvalue()),
        ("x", b"PK\x03\x04 no more"),
    ):
        with pytest.raises(DataError):
            cards(broken, provider)


def test_the_command_asks_shows_and_writes_only_when_told(tmp_path: Path) -> None:
    answers = {"/rate": plain(FRANKFURTER), "/runpod": plain(RUNPOD), "/gone": plain(b"", 404)}
    database = tmp_path / "own.sqlite"
    environment = {
        **os.environ,
        USER_FOLDER_VARIABLE: str(tmp_path),
        "SSL_CERT_FILE": str(KEY_AND_CERTIFICATE),
    }

    def ask(*words: str) -> tuple[list[tuple[str, str]], str]:
        command = [
            sys.executable,
            "-m",
            "gpuconfig",
            "prices",
            "online",
            "--json",
            "--database",
            str(database),
        ]
        done = subprocess.run(
            [*command, *words], capture_output=True, text=True, check=False, env=environment
        )
        assert "Traceback" not in done.stderr
        return [(row["name"], row["state"]) for row in json.loads(done.stdout)["rows"]], done.stderr

    with serving(answers, tls=True) as address:
        lines = [f"rate {address}/rate", f"cloud runpod {address}/runpod", f"cloud x {address}/gone"]
        (tmp_path / "config").mkdir()
        (tmp_path / "config" / "settings.json").write_text(json.dumps({"price_sources": lines}))
        shown, problems = ask()
        assert "404" in problems
        assert not database.exists()
        assert ask("--apply")[0] == shown
        assert ask()[0] == [], "what stays as it is is not listed"
    assert shown[0][0] == "USD/CNY"
    silent, problems = ask()
    assert (silent, problems.count("Nothing was changed")) == ([], 3)
