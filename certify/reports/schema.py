"""The JSON Schema of the certificate format, from the same dataclasses and type hints that the reader decodes by.

A file that the reader accepts is valid; what a schema cannot say (lowest terms, shapes that agree, the conditions of a
claim) is left to the reader, which is the authority.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import StrEnum
from importlib.resources import files
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from flint import fmpq

from certify.checker.certificate import FORMAT, VERSION
from certify.checker.claims import Claim
from certify.checker.codec import INDEX_LIMIT, TEXT_LIMIT, Triangle
from certify.checker.exact import Matrix
from certify.checker.witnesses import Witness

INTEGER = "(?:0|-?[1-9][0-9]*)"
DENOMINATOR = "(?:[1-9][0-9]*|2\\^[1-9][0-9]{0,6})"
FRACTION = f"^(?:{INTEGER}|-?[1-9][0-9]*/(?:[2-9]|[1-9][0-9]+))$"
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def published_schema() -> str:
    """Return the schema as this package ships it, in ``certify/schema/certificate.schema.json``."""
    return (files("certify") / "schema" / "certificate.schema.json").read_text(encoding="utf-8")


def certificate_schema() -> str:
    """Return the schema of the certificate format, generated anew.

    Raises:
        TypeError: If a type hint is none that certificates are made of, or two dataclasses share a name.
    """
    classes = {each.__name__: each for each in _reachable([Claim, Witness])}
    schema = {
        "$schema": DIALECT,
        "$id": f"urn:certify:certificate:{VERSION}",
        "title": f"A {FORMAT}, version {VERSION}: a claim with the exact witness that is said to prove it",
        **_object({"format": {"const": FORMAT}, "version": {"const": VERSION}, **_both()}),
        "$defs": {**_numbers(), **{name: _definition(classes[name]) for name in sorted(classes)}},
    }
    return json.dumps(schema, indent=1) + "\n"


def _both() -> dict[str, Any]:
    return {"claim": _schema_of(Claim), "witness": _schema_of(Witness)}


def _numbers() -> dict[str, Any]:
    integer = {"type": "string", "pattern": f"^{INTEGER}$"}
    rows = {"type": "array", "items": {"type": "array", "items": integer}}
    denominator = {"type": "string", "pattern": f"^{DENOMINATOR}$"}
    columns = {"type": "integer", "minimum": 0, "maximum": INDEX_LIMIT}
    return {
        "rational": {
            "description": "An exact rational as a canonical decimal string: -3, 5/7.",
            "type": "string",
            "pattern": FRACTION,
        },
        "matrix": {
            "description": "A rational matrix: integers over one denominator, in lowest terms, row by row.",
            **_object({"denominator": denominator, "columns": columns, str(Triangle.ROWS): rows}),
        },
        "symmetric_matrix": {
            "description": "A symmetric rational matrix by its lower triangle: row i has i + 1 integers.",
            **_object({"denominator": denominator, str(Triangle.LOWER): rows}),
        },
    }


def _definition(cls: Any) -> dict[str, Any]:
    hints = get_type_hints(cls, include_extras=True)
    members = {field.name: _schema_of(hints[field.name]) for field in fields(cls)}
    summary = (cls.__doc__ or "").strip().split("\n\n")[0].replace("\n", " ")
    return {"description": " ".join(summary.split()), **_object({"kind": {"const": cls.__name__}, **members})}


def _object(members: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": members,
        "required": sorted(members),
        "additionalProperties": False,
    }


def _schema_of(hint: Any) -> dict[str, Any]:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return {"anyOf": [_schema_of(each) for each in arguments]}
    if origin is tuple:
        return {"type": "array", "items": _schema_of(arguments[0])}
    if origin is Annotated:
        return {"$ref": f"#/$defs/{'symmetric_matrix' if Triangle.LOWER in arguments else 'matrix'}"}
    if hint is Matrix or hint is fmpq:
        return {"$ref": f"#/$defs/{'matrix' if hint is Matrix else 'rational'}"}
    if is_dataclass(hint) and isinstance(hint, type):
        return {"$ref": f"#/$defs/{hint.__name__}"}
    return _scalar(hint)


def _scalar(hint: Any) -> dict[str, Any]:
    if hint is NoneType:
        return {"type": "null"}
    if hint is int:
        return {"type": "integer", "minimum": 0, "maximum": INDEX_LIMIT}
    if hint is str:
        return {"type": "string", "maxLength": TEXT_LIMIT}
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return {"enum": [str(member) for member in hint]}
    raise TypeError(f"{hint} is not data of a certificate")


def _reachable(hints: list[Any]) -> list[type[Any]]:
    """Return every dataclass that the hints lead to.

    Raises:
        TypeError: If two of them share a name.
    """
    found: dict[str, type[Any]] = {}
    waiting = list(hints)
    while waiting:
        for cls in _classes(waiting.pop()):
            if found.setdefault(cls.__name__, cls) is not cls:
                raise TypeError(f"two dataclasses of the certificate format are called {cls.__name__}")
            waiting += [hint for hint in get_type_hints(cls, include_extras=True).values() if _is_new(hint, found)]
    return list(found.values())


def _is_new(hint: Any, found: dict[str, type[Any]]) -> bool:
    return any(found.get(cls.__name__) is not cls for cls in _classes(hint))


def _classes(hint: Any) -> Iterator[type[Any]]:
    if hint is Matrix:
        return
    if is_dataclass(hint) and isinstance(hint, type):
        yield hint
    for argument in get_args(hint):
        yield from _classes(argument)
