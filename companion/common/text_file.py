"""Text that people write with any editor. Those of Windows begin a file with a byte-order mark, which is left out."""

from pathlib import Path


def decode_text(content: bytes) -> str:
    """Return UTF-8 text without its byte-order mark. Raises UnicodeDecodeError."""
    return content.decode("utf-8-sig")


def read_text(path: Path) -> str:
    """Return the content of a UTF-8 file without its byte-order mark. Raises OSError or UnicodeDecodeError."""
    return path.read_text("utf-8-sig")
