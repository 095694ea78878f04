"""Asking public sources over the network: only when a person asks, only HTTPS, and never more than a limit.

Everything that can go wrong on the way (no network, a name that does not resolve, a slow or wrong server, a page
instead of data) becomes a DataError that names the source.
"""

from __future__ import annotations

import http.client
import io
import json
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from enum import StrEnum
from typing import IO

from gpuconfig.engine.provenance.errors import DataError, InputError
from gpuconfig.engine.provenance.message import N_, Message
from gpuconfig.exchange.sheet import Sheet
from gpuconfig.exchange.text_table import decode, parse_text_table

MAX_BYTES = 30 * 2**20
PART_BYTES = 2**16
PLAUSIBLE_CNY = (Decimal(3), Decimal(15))
"""CNY for one USD; anything else is another currency or a broken page."""

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_ECB_DAY = re.compile(r"<Cube time=['\"](\d{4}-\d{2}-\d{2})['\"]")
_ECB_RATE = re.compile(r"currency=['\"](USD|CNY)['\"] rate=['\"]([\d.]+)['\"]")

Fetch = Callable[[str, float], bytes]
"""Bytes of an address within seconds; raises DataError."""


class SourceKind(StrEnum):
    """What a source tells."""

    RATE = "rate"
    CLOUD = "cloud"


@dataclass(frozen=True, slots=True)
class OnlineSource:
    """One line of the setting: `rate ADDRESS` or `cloud PROVIDER ADDRESS`."""

    kind: SourceKind
    provider: str
    address: str


def read_sources(lines: tuple[str, ...]) -> tuple[OnlineSource, ...]:
    """The sources a setting names.

    Raises:
        InputError: a line that is neither `rate ADDRESS` nor `cloud PROVIDER ADDRESS`, or no HTTPS.
    """
    found = []
    for line in lines:
        words = line.split()
        ok = (len(words) == 2 and words[0] == "rate") or (len(words) == 3 and words[0] == "cloud")
        if not ok or urllib.parse.urlsplit(words[-1]).scheme != "https":
            accepted = Message("rate https://... / cloud PROVIDER https://...")
            raise InputError("wrong_type", "price_sources", line, Message(N_("this is no source")), accepted)
        found.append(OnlineSource(SourceKind(words[0]), words[1] if len(words) == 3 else "", words[-1]))
    return tuple(found)


class _OnlyHttps(urllib.request.HTTPRedirectHandler):
    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        if urllib.parse.urlsplit(newurl).scheme != "https":
            raise urllib.error.URLError("redirected away from HTTPS")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def fetch(address: str, timeout: float) -> bytes:
    """What stands at `address`.

    Raises:
        DataError: no whole answer within `timeout` seconds, an error, or more than the limit.
    """
    request = urllib.request.Request(address, headers={"User-Agent": "gpuconfig", "Accept": "*/*"})
    until = time.monotonic() + timeout
    content = bytearray()
    try:
        with urllib.request.build_opener(_OnlyHttps).open(request, timeout=timeout) as answer:
            while len(content) <= MAX_BYTES and (part := answer.read1(PART_BYTES)):
                content += part
                if time.monotonic() > until:
                    raise TimeoutError("timed out")
    except urllib.error.HTTPError as error:
        raise _unusable(address, f"HTTP {error.code} {error.reason}") from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        reason = str(getattr(error, "reason", "") or error) or type(error).__name__
        raise _unusable(address, reason) from None
    if len(content) > MAX_BYTES:
        raise _unusable(address, f"> {MAX_BYTES // 2**20} MiB")
    return bytes(content)


def read_rate(content: bytes, address: str) -> tuple[str, str]:
    """CNY for one USD, and its ISO day: JSON with `base`, `date` and `rates`, or the reference rates of the ECB.

    Raises:
        DataError: neither, or a rate that cannot be.
    """
    text = decode(content, address)
    try:
        rate, day = _json_rate(text) if text.lstrip().startswith("{") else _ecb_rate(text)
    except (ValueError, KeyError, TypeError, ArithmeticError, RecursionError):
        raise _unusable(address, "no rate of USD and CNY") from None
    low, high = PLAUSIBLE_CNY
    if not rate.is_finite() or not low <= rate <= high or not _DAY.fullmatch(day):
        raise _unusable(address, f"{rate} CNY/USD ({day})")
    return format(rate, "f"), day


def read_cloud(content: bytes, source: OnlineSource) -> Sheet:
    """The table of a rental catalogue, or of its provider in an archive of them; raises DataError where it is none."""
    if zipfile.is_zipfile(io.BytesIO(content)):
        content = _member(content, source)
    return parse_text_table(decode(content, source.address), source.address)


def _member(content: bytes, source: OnlineSource) -> bytes:
    """`PROVIDER.csv` of a ZIP archive, as gpuhunt publishes them."""
    wanted = f"{source.provider.lower()}.csv"
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = {name.rpartition("/")[2].lower(): name for name in archive.namelist()}
            if wanted not in names:
                raise _unusable(source.address, f"no {wanted}")
            with archive.open(names[wanted]) as member:
                table = member.read(MAX_BYTES + 1)
    except (OSError, zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError) as error:
        raise _unusable(source.address, str(error) or type(error).__name__) from None
    if len(table) > MAX_BYTES:
        raise _unusable(source.address, f"> {MAX_BYTES // 2**20} MiB")
    return table


def _json_rate(text: str) -> tuple[Decimal, str]:
    """Of Frankfurter and its like (`base`, `date`), or of ExchangeRate-API (`base_code`, a UNIX time)."""
    data = json.loads(text, parse_float=Decimal, parse_int=Decimal)
    base = data["base"] if "base" in data else data["base_code"]
    if base != "USD":
        raise ValueError(base)
    if "date" in data:
        return Decimal(data["rates"]["CNY"]), str(data["date"])
    seconds = data["time_last_update_unix"]
    if not 0 < seconds < 2**33:
        raise ValueError(seconds)
    return Decimal(data["rates"]["CNY"]), datetime.fromtimestamp(int(seconds), UTC).date().isoformat()


def _ecb_rate(text: str) -> tuple[Decimal, str]:
    day, rates = _ECB_DAY.search(text), dict(_ECB_RATE.findall(text))
    if day is None:
        raise ValueError("no day")
    return (Decimal(rates["CNY"]) / Decimal(rates["USD"])).quantize(Decimal("0.0001")), day[1]


def _unusable(address: str, reason: str) -> DataError:
    values = {"address": address, "reason": reason}
    return DataError(
        "no_answer", Message(N_("{address} gave nothing usable: {reason}. Nothing was changed."), values)
    )
