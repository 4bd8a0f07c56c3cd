"""The certificate file: a claim with its witness, as canonical JSON. Reading is strict and total."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any, NoReturn

from certify.checker.claims import Claim
from certify.checker.codec import Malformed, decode, encode
from certify.checker.exact import shown
from certify.checker.witnesses import Witness

FORMAT = "certify certificate"
VERSION = 1
SIZE_LIMIT = 1 << 30


@dataclass(frozen=True, slots=True)
class Certificate:
    """A claim with the witness that is said to prove it.

    Example:
        >>> import certify
        >>> square = certify.matrix([[0, 0], [0, 1], [1, 0], [1, 1]])
        >>> certificate = certify.design(square, certify.GDP(certify.rational("1")))
        >>> type(certificate.claim).__name__
        'CovarianceOptimum'
    """

    claim: Claim
    witness: Witness


def read_certificate(data: bytes) -> Certificate:
    """Return the certificate that the bytes of a file spell.

    Raises:
        Malformed: If they spell none; the exception names the place. No other exception is raised for any bytes.

    Example:
        >>> import certify
        >>> square = certify.matrix([[0, 0], [0, 1], [1, 0], [1, 1]])
        >>> certificate = certify.design(square, certify.GDP(certify.rational("1")))
        >>> certify.read_certificate(certify.write_certificate(certificate)) == certificate
        True
    """
    document = _parse(data)
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise Malformed("format", f"this is not a certificate: the field format must be {FORMAT!r}")
    if type(document.get("version")) is not int or document["version"] != VERSION:
        found = shown(str(document.get("version")))
        raise Malformed("version", f"version {found} is not supported; this program reads version {VERSION}")
    if set(document) != {"format", "version", "claim", "witness"}:
        raise Malformed("$", "a certificate has exactly the fields format, version, claim and witness")
    return Certificate(decode(document["claim"], Claim, "claim"), decode(document["witness"], Witness, "witness"))


def write_certificate(certificate: Certificate) -> bytes:
    r"""Return the canonical bytes of a certificate: the same certificate, the same bytes.

    Example:
        >>> import certify
        >>> square = certify.matrix([[0, 0], [0, 1], [1, 0], [1, 1]])
        >>> certificate = certify.design(square, certify.GDP(certify.rational("1")))
        >>> certify.write_certificate(certificate)[:31]
        b'{\n "claim": {\n  "covariance": {'
    """
    document = {
        "format": FORMAT,
        "version": VERSION,
        "claim": encode(certificate.claim, Claim),
        "witness": encode(certificate.witness, Witness),
    }
    return ("".join(_lines(document, "")) + "\n").encode("ascii")


def claim_digest(claim: Claim) -> str:
    """Return the SHA-256 of the canonical encoding of a claim, which names its data and all its numbers."""
    return hashlib.sha256("".join(_lines(encode(claim, Claim), "")).encode("ascii")).hexdigest()


def _parse(data: bytes) -> Any:
    if len(data) > SIZE_LIMIT:
        raise Malformed("$", f"the file is larger than {SIZE_LIMIT} bytes")
    try:
        return json.loads(
            data.decode("utf-8"),
            object_pairs_hook=_object,
            parse_float=_no_float,
            parse_constant=_no_float,
            parse_int=_int,
        )
    except UnicodeDecodeError as error:
        raise Malformed(f"byte {error.start}", "the file is not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise Malformed(f"line {error.lineno}, column {error.colno}", f"not JSON: {error.msg}") from None
    except RecursionError:
        raise Malformed("$", "the JSON document is nested too deeply") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Malformed(f"key {shown(twice)}", "appears twice in one object")
    return result


def _no_float(text: str) -> NoReturn:
    raise Malformed(f"number {shown(text)}", "exact numbers are written as strings, never as JSON floats")


def _int(text: str) -> int:
    if len(text) > 20:
        raise Malformed(f"number {shown(text)}", "large integers are written as strings")
    return int(text)


def _lines(value: Any, indent: str) -> list[str]:
    """Write JSON canonically: keys sorted, one line for each member, a list of scalars on one line."""
    inner = indent + " "
    if isinstance(value, dict) and value:
        parts = [[f"{inner}{json.dumps(key)}: ", *_lines(value[key], inner)] for key in sorted(value)]
        return ["{\n", *_joined(parts), f"\n{indent}}}"]
    if isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        return ["[\n", *_joined([[inner, *_lines(item, inner)] for item in value]), f"\n{indent}]"]
    return [json.dumps(value, separators=(",", ":"))]


def _joined(parts: list[list[str]]) -> list[str]:
    joined = [piece for part in parts for piece in (*part, ",\n")]
    return joined[:-1]
