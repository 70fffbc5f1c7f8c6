"""Ed25519 signatures, which anybody can check with the host's public key."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

from rocsolid.errors import MissingExtraError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


def public_key(secret: bytes) -> str:
    """That of 32 random bytes.

    >>> secret = bytes(32)
    >>> is_signed(public_key(secret), "text", sign(secret, "text"))
    True
    """
    return _private(secret).public_key().public_bytes_raw().hex()


def sign(secret: bytes, text: str) -> str:
    return _private(secret).sign(text.encode()).hex()


def is_signed(public: str, text: str, signature: str) -> bool | None:
    """Whether the signature is that key's for this text; `None` without the package for it."""
    if not _is_there():
        return None
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(bytes.fromhex(signature), text.encode())
    except (InvalidSignature, ValueError):
        return False
    return True


def _private(secret: bytes) -> Ed25519PrivateKey:
    if not _is_there():
        raise MissingExtraError(
            "signed receipts need the package cryptography, which is not installed",
            fix="pip install cryptography, or make a board without signatures",
        )
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(secret)


def _is_there() -> bool:
    return importlib.util.find_spec("cryptography") is not None
