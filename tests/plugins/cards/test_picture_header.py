"""Files made to cost a decoder memory or time: they are refused before it sees them."""

import struct
import zlib

import cv2
import numpy as np
import pytest

from companion.plugins.cards.photo import decode_photo
from companion.plugins.cards.picture_header import (
    MAX_BUFFERED_PIXELS,
    MAX_FILE_BYTES,
    MAX_PIXELS,
    MAX_SCANS,
    NotAPicture,
    PictureTooLarge,
    read_header,
    strip_picture,
)

PICTURE = np.full((48, 64, 3), 200, np.uint8)
PNG_START = b"\x89PNG\r\n\x1a\n"


def encode(kind, *options):
    return cv2.imencode(kind, PICTURE, options)[1].tobytes()


def segment(marker, content):
    """Return a segment of a JPEG."""
    return bytes([0xFF, marker]) + struct.pack(">H", len(content) + 2) + content


def chunk(name, content):
    """Return a chunk of a PNG."""
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def frame(width, height, marker=0xC0):
    """Return the segment with the size of a grey JPEG."""
    return segment(marker, b"\x08" + struct.pack(">HH", height, width) + b"\x01\x01\x11\x00")


def progressive_jpeg(scans):
    """Return a grey progressive JPEG with this many scans, each of which decodes all 64 blocks."""
    tables = segment(0xDB, b"\0" + bytes([1] * 64))
    tables += b"".join(
        segment(0xC4, head + bytes([1, *[0] * 15]) + code) for head, code in ((b"\0", b"\0"), (b"\x10", b"\0"))
    )
    first = segment(0xDA, b"\x01\x01\x00\x00\x00\x00") + bytes(8)
    others = (segment(0xDA, b"\x01\x01\x00\x01\x3f\x00") + bytes(8)) * (scans - 1)
    return b"\xff\xd8" + tables + frame(64, 64, 0xC2) + first + others + b"\xff\xd9"


@pytest.mark.parametrize(
    ("kind", "options", "must_be_buffered"),
    [
        (".png", (), True),
        (".webp", (), True),
        (".webp", (cv2.IMWRITE_WEBP_QUALITY, 80), True),
        (".jpg", (), False),
        (".jpg", (cv2.IMWRITE_JPEG_PROGRESSIVE, 1), True),
        (".jpg", (cv2.IMWRITE_JPEG_RST_INTERVAL, 1), False),
    ],
)
def test_pictures_of_usual_encoders_are_read(kind, options, must_be_buffered):
    data = encode(kind, *options)

    assert read_header(data)[1:] == (64, 48, must_be_buffered)
    assert decode_photo(data)[0].shape == PICTURE.shape


def test_a_second_picture_and_a_film_behind_the_first_do_not_matter():
    data = encode(".jpg")

    assert decode_photo(data + data + b"\xff\xda" * 500)[0].shape == PICTURE.shape


def test_a_size_that_only_the_decoder_finds_is_found_here_too():
    """TEM has no length. Whoever reads one jumps into the comment, and finds a small size there."""
    hidden = segment(0xFE, bytes(65505 - 4) + frame(64, 48) + bytes(15))
    data = b"\xff\xd8\xff\x01" + hidden + frame(12_000, 12_000) + encode(".jpg")[2:]

    with pytest.raises(NotAPicture):
        decode_photo(data)


@pytest.mark.parametrize("marker", [0xC3, 0xC5, 0xC9, 0xCA])
def test_kinds_of_jpeg_that_no_camera_writes_are_refused(marker):
    with pytest.raises(NotAPicture):
        read_header(b"\xff\xd8" + frame(64, 48, marker) + segment(0xDA, bytes(6)))


def test_a_jpeg_has_a_bounded_number_of_scans():
    assert decode_photo(progressive_jpeg(MAX_SCANS))[0].shape == (64, 64, 3)
    with pytest.raises(NotAPicture):
        decode_photo(progressive_jpeg(MAX_SCANS + 1))


def test_what_must_be_held_in_full_may_have_fewer_pixels():
    side = int(MAX_BUFFERED_PIXELS**0.5) + 1

    assert read_header(b"\xff\xd8" + frame(side, side) + segment(0xDA, bytes(6))).width == side
    with pytest.raises(PictureTooLarge):
        read_header(b"\xff\xd8" + frame(side, side, 0xC2) + segment(0xDA, bytes(6)))


@pytest.mark.parametrize("length", [0x7FFFFFF0, 0xFFFFFFFF])
def test_a_png_chunk_longer_than_the_file_is_refused(length):
    head = encode(".png")[: 8 + 25]

    with pytest.raises(NotAPicture):
        decode_photo(head + struct.pack(">I", length) + b"tEXt" + b"abcd")


def test_only_the_chunks_of_a_picture_reach_the_decoder():
    data = encode(".png")
    texts = chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(1_000_000))) + chunk(b"acTL", struct.pack(">II", 9, 0))

    assert strip_picture(data[:33] + texts + data[33:], "png") == strip_picture(data, "png")
    assert decode_photo(data[:33] + texts + data[33:])[0].shape == PICTURE.shape


def test_a_file_of_endless_size_is_too_large():
    with pytest.raises(PictureTooLarge):
        read_header(PNG_START + bytes(MAX_FILE_BYTES))


@pytest.mark.parametrize("quality", [80, 101])
def test_only_the_frame_of_a_webp_reaches_the_decoder(quality):
    """Colour profiles, EXIF and films do not; a size in another chunk counts for nothing."""
    data = encode(".webp", cv2.IMWRITE_WEBP_QUALITY, quality)
    extended = b"VP8X" + struct.pack("<I", 10) + b"\x04" + bytes(3) + b"\xff" * 6
    exif = b"EXIF" + struct.pack("<I", 3) + bytes(4)
    whole = data[:12] + extended + exif + data[12:] + exif
    frame_only = strip_picture(whole, "webp")

    assert frame_only == data
    assert decode_photo(whole)[0].shape == PICTURE.shape
    for length in (12, 20, 29, len(data) - 2):
        with pytest.raises(NotAPicture):
            decode_photo(data[:length])
    with pytest.raises(NotAPicture):
        decode_photo(data[:12] + b"ANMF" + struct.pack("<I", len(data)) + data)


def test_a_webp_of_many_pixels_is_refused():
    """It must be held in full."""
    head = b"VP8L" + struct.pack("<IBI", 5, 0x2F, 0x0FFFFFFF) + b"\0"

    with pytest.raises(PictureTooLarge):
        read_header(b"RIFF" + struct.pack("<I", 4 + len(head)) + b"WEBP" + head)


def test_a_heic_says_what_to_choose():
    """OpenCV does not decode it."""
    with pytest.raises(NotAPicture, match=r"HEIC.*Most Compatible"):
        read_header(b"\0\0\0\x18ftypheic" + bytes(12))


@pytest.mark.parametrize(("kind", "options"), [(".jpg", ()), (".jpg", (cv2.IMWRITE_JPEG_PROGRESSIVE, 1)), (".png", ())])
def test_a_phones_50_megapixels_are_decoded_smaller(kind, options):
    """8192 x 6144 are those of a sensor of 50 megapixels. Only a command may hold so many in full."""
    data = cv2.imencode(kind, np.full((6144, 8192), 200, np.uint8), options)[1].tobytes()

    picture, scale = decode_photo(data, MAX_PIXELS)
    assert (picture.shape, scale) == ((1536, 2048, 3), 4)
    if (kind, options) != (".jpg", ()):
        with pytest.raises(PictureTooLarge):
            decode_photo(data)
