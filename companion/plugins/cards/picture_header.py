"""The structure of JPEG, PNG and WebP files, read without decoding them.

A file made for it lets a decoder reserve gigabytes or work for an hour: with a second size in a place that only the
decoder finds, with a chunk longer than the file, or with thousands of scans. So markers and chunks are followed as
libjpeg, libpng and libwebp do, and what no camera writes is refused.
"""

import re
import struct
from collections.abc import Iterator
from typing import NamedTuple

from companion.common.errors import CompanionError

MAX_PIXELS = 65_000_000
"""Largest JPEG that is decoded: the 64 megapixels of phones, because a decoder makes it smaller while it reads."""

MAX_BUFFERED_PIXELS = 16_000_000
"""Largest picture that a decoder must hold in full: a PNG, a WebP, or a JPEG with several scans. It takes up to 6 bytes
a pixel."""

MAX_SCANS = 20
"""Most scans of a JPEG; libjpeg writes up to 10. Even a short one takes a decoder through the whole picture."""

MAX_FILE_BYTES = 64 * 1024 * 1024
"""Largest file that is read."""

_PNG_START = b"\x89PNG\r\n\x1a\n"
_PNG_CHUNKS = frozenset((b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"))
"""Chunks that a picture needs. Others, such as compressed texts, can cost more time than the picture."""

_WEBP_FRAMES = (b"VP8 ", b"VP8L")
"""Chunks of a WebP with a picture, of which only the first is decoded. A film has none outside its frames."""
_HEIC_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"mif1", b"msf1")

_MARKER = re.compile(rb"\xff+([^\x00\xff])")
_LONE_MARKERS = frozenset((0x01, *range(0xD0, 0xD8)))
"""Markers without a segment: TEM, and the restarts in a scan."""
_MARKERS = _LONE_MARKERS | frozenset(range(0xC0, 0xFF))
_START_OF_FRAME = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_HUFFMAN_FRAMES = frozenset((0xC0, 0xC1, 0xC2))
"""Baseline, extended and progressive. Arithmetic coding and lossless frames are refused."""
_PROGRESSIVE, _START, _END, _SCAN = 0xC2, 0xD8, 0xD9, 0xDA


class NotAPicture(CompanionError, ValueError):
    """Bytes that are not a JPEG, PNG or WebP, or a damaged picture."""


class PictureTooLarge(NotAPicture):
    """A picture with too many pixels."""


class PictureHeader(NamedTuple):
    """What a decoder will find: `kind` is jpeg, png or webp. `must_be_buffered` if it must hold the whole picture."""

    kind: str
    width: int
    height: int
    must_be_buffered: bool


def read_header(data: bytes, max_buffered_pixels: int = MAX_BUFFERED_PIXELS) -> PictureHeader:
    """Return the header of a picture. Raises NotAPicture, or PictureTooLarge."""
    if len(data) > MAX_FILE_BYTES:
        raise _size_error()
    if data.startswith(_PNG_START):
        header = _read_png_header(data)
    elif data.startswith(b"\xff\xd8"):
        header = _read_jpeg_header(data)
    elif data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        header = _read_webp_header(data)
    elif data[4:8] == b"ftyp" and data[8:12] in _HEIC_BRANDS:
        raise NotAPicture(
            "This is a HEIC, which the table cannot read. Send a JPEG: on an iPhone choose Settings, Camera, Formats, "
            "Most Compatible."
        )
    else:
        raise NotAPicture("This is not a picture. Send a JPEG, a PNG or a WebP.")
    most = max_buffered_pixels if header.must_be_buffered else MAX_PIXELS
    if header.width * header.height > most or min(header.width, header.height) < 1:
        raise _size_error()
    return header


def strip_picture(data: bytes, kind: str) -> bytes:
    """Return a PNG or WebP with only the chunks that a picture needs, another kind as it is. Raises NotAPicture."""
    if kind == "webp":
        at, end = _find_webp_frame(data)
        return b"RIFF" + struct.pack("<I", 4 + end - at) + b"WEBP" + data[at:end]
    return _strip_png(data) if kind == "png" else data


def _strip_png(data: bytes) -> bytes:
    kept = (data[at:end] for at, end in _list_png_chunks(data) if data[at + 4 : at + 8] in _PNG_CHUNKS)
    return _PNG_START + b"".join(kept)


def _read_png_header(data: bytes) -> PictureHeader:
    at, end = next(_list_png_chunks(data))
    if data[at + 4 : at + 8] != b"IHDR" or end - at != 25:
        raise _damage_error()
    width, height = struct.unpack_from(">II", data, at + 8)
    return PictureHeader("png", width, height, must_be_buffered=True)


def _list_png_chunks(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where each chunk begins and ends, up to the last. Raises NotAPicture for a chunk that is cut off."""
    at = len(_PNG_START)
    while at + 12 <= len(data):
        end = at + 12 + int(struct.unpack_from(">I", data, at)[0])
        if end > len(data):
            break
        yield at, end
        if data[at + 4 : at + 8] == b"IEND":
            return
        at = end
    raise _damage_error()


def _read_webp_header(data: bytes) -> PictureHeader:
    at, end = _find_webp_frame(data)
    head = data[at + 8 : min(end, at + 18)]
    if data[at : at + 4] == b"VP8 " and len(head) == 10 and head[3:6] == b"\x9d\x01\x2a":
        width, height = (side & 0x3FFF for side in struct.unpack_from("<HH", head, 6))
    elif data[at : at + 4] == b"VP8L" and len(head) >= 5 and head[0] == 0x2F:
        (bits,) = struct.unpack_from("<I", head, 1)
        width, height = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    else:
        raise _damage_error()
    return PictureHeader("webp", width, height, must_be_buffered=True)


def _find_webp_frame(data: bytes) -> tuple[int, int]:
    """Return where the chunk with the picture begins and ends. Raises NotAPicture if it is missing or cut off."""
    at = 12
    while at + 8 <= len(data):
        length = int(struct.unpack_from("<I", data, at + 4)[0])
        end = at + 8 + length + length % 2
        if data[at : at + 4] in _WEBP_FRAMES and at + 8 + length <= len(data):
            return at, end
        at = end
    raise _damage_error()


def _read_jpeg_header(data: bytes) -> PictureHeader:
    frame, size, scans = None, (0, 0), 0
    for marker, at in _list_jpeg_segments(data):
        if marker in _START_OF_FRAME:
            if frame is not None or marker not in _HUFFMAN_FRAMES or at + 5 > len(data):
                raise _damage_error()
            frame, size = marker, struct.unpack_from(">HH", data, at + 1)
        scans += marker == _SCAN
    if frame is None or scans > MAX_SCANS:
        raise _damage_error()
    return PictureHeader("jpeg", size[1], size[0], must_be_buffered=frame == _PROGRESSIVE or scans > 1)


def _list_jpeg_segments(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield each marker of a JPEG and where its content begins, up to the end of its picture. Raises NotAPicture."""
    at = 2
    while found := _MARKER.search(data, at):
        marker, at = found[1][0], found.end()
        if marker == _END:
            return
        if marker == _START or marker not in _MARKERS or at + 2 > len(data):
            raise _damage_error()
        if marker not in _LONE_MARKERS:
            yield marker, at + 2
            at += max(2, int(struct.unpack_from(">H", data, at)[0]))


def _damage_error() -> NotAPicture:
    return NotAPicture("The picture is damaged. Take it again.")


def _size_error() -> PictureTooLarge:
    return PictureTooLarge("The picture is too large. Send a JPEG with at most 64 megapixels, or a smaller picture.")
