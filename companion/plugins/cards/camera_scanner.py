"""A camera above a marked spot as card reader: `camera:/dev/video0`, `camera:picamera`, `camera:folder:PATH?fps=5`.

A card on the spot is reported once, when it rests: when AGREEING_FRAMES frames in a row show the same card, certain and
at the same place. A hand, an empty spot or an unsure card is nothing. Reading needs the extra `[camera]`.
"""

import os
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from companion.common.errors import DeviceError
from companion.common.process import missing_extra
from companion.devices.device_thread import DeviceThread, DeviceUnsupported, DeviceUrl, ThreadedDevice, parse_device_url
from companion.i18n import gettext_noop
from companion.ports import StatusCallback

AGREEING_FRAMES = 3
MAX_REST_PX = 6.0
"""A card rests if none of its corners moves further between frames."""

STILL_GRID = (160, 120)
MAX_STILL_CHANGE = 10
"""A picture is unchanged if no cell of this grid becomes lighter or darker by more than this, of 255 levels."""

DEFAULT_FPS = 5
DEFAULT_CAMERA = "/dev/video0"
CAMERA_SIZE = (1280, 960)

PICAMERA, FOLDER = "picamera", "folder:"
WHOLE_PICTURE = (0.0, 0.0, 1.0, 1.0)

Frame = Any
"""An RGB picture; numpy is loaded only where a camera is used."""


class FrameSource(Protocol):
    """Yields frames; closing it ends them."""

    def frames(self) -> Iterator[Frame | None]:
        """Yield frames as they are taken, None while there is no new one."""

    def close(self) -> None:
        """Release the camera."""


def read_spot(url: DeviceUrl) -> tuple[float, float, float, float]:
    """Return the spot of a camera's URL: left, top, width and height as parts of the picture. Raises DeviceError."""
    text = url.options.get("spot")
    if text is None:
        return WHOLE_PICTURE
    try:
        x, y, w, h = (float(part) for part in text.split(","))
    except ValueError:
        x, y, w, h = 0.0, 0.0, 0.0, 0.0
    if not (0 <= x < 1 and 0 <= y < 1 and 0 < w <= 1 - x + 1e-9 and 0 < h <= 1 - y + 1e-9):
        raise DeviceError(f"spot in {url.url!r} must be left,top,width,height in parts of the picture: 0.3,0.2,0.4,0.6")
    return x, y, w, h


class SpotView(NamedTuple):
    """What a camera sees, for the workshop."""

    frame: Frame
    readings: tuple[Any, ...]


class CameraScanner(ThreadedDevice):
    """A card reader that looks at a spot of a camera's picture."""

    view: SpotView | None = None
    """The newest picture of the spot. None without a camera. Any thread may read it."""

    def __init__(self, address: DeviceUrl, *, seat: int | None) -> None:
        super().__init__(address.url, gettext_noop("card reader"))
        self.seat = seat
        self._spot, self._fps = read_spot(address), address.int_option("fps", DEFAULT_FPS, least=1, most=60)
        self._device = address.path or DEFAULT_CAMERA
        self._rest: RestDetector | None = None

    def start(self, seen: Callable[[str], None], status: StatusCallback) -> None:
        """Call `seen(code)` once for each card that is laid, and `status` when the camera starts or stops."""
        self._start_thread(partial(self._serve_device, seen), status)

    def encode_view(self) -> tuple[bytes, Any] | None:
        """Return the newest picture of the spot as JPEG, and what is read in it; None before the first one."""
        from companion.plugins.cards.photo import encode_view

        return encode_view(self.view.frame, self.view.readings) if self.view else None

    def _serve_device(self, seen: Callable[[str], None], thread: DeviceThread) -> None:
        with closing(self._open_camera()) as source:
            try:
                for frame in source.frames():
                    thread.report_ok()
                    if frame is not None:
                        self._look_at_spot(crop_spot(frame, self._spot), seen)
                    if thread.closing.wait(1 / self._fps):
                        return
            finally:
                self.view = None

    def _look_at_spot(self, frame: Frame, seen: Callable[[str], None]) -> None:
        assert self._rest
        code = self._rest.add_frame(frame)
        self.view = SpotView(frame, self._rest.readings)
        if code:
            seen(code)

    def _open_camera(self) -> FrameSource:
        """Open the camera. What lies on the spot is remembered from before a cable was pulled."""
        try:
            self._rest = self._rest or RestDetector()
            if self._device.startswith(FOLDER):
                return FolderSource(Path(self._device.removeprefix(FOLDER)))
            return PiCamera() if self._device == PICAMERA else VideoCamera(self._device)
        except ImportError as error:
            raise DeviceUnsupported(missing_extra("camera")) from error


def open_camera(url: str) -> "CameraScanner":
    """Return the camera of this URL as card reader. Raises DeviceError for an invalid URL, not for a missing camera."""
    # A camera may be left out, so that both forms are valid.
    paths = () if url.removeprefix("camera:")[:1] in ("", "?") else ("camera",)
    options = {"camera": ("seat", "spot", "fps")}
    address = parse_device_url(url, device="card reader", known=options, paths=paths, example=DEFAULT_CAMERA)
    seat = address.int_option("seat", 0, least=0, most=4) if "seat" in address.options else None
    return CameraScanner(address, seat=seat)


class RestDetector:
    """Finds each card that is laid on the spot, from frame to frame.

    A card that was left lying does not count again, however long a hand hid it: it counts again after another card, or
    if it lies elsewhere after the spot was seen empty.
    """

    def __init__(self) -> None:
        from companion.plugins.cards.reader import read_cards

        self._read_cards = read_cards
        self._readings: deque[tuple[Any, ...]] = deque(maxlen=AGREEING_FRAMES)
        self._still: Any = None
        self._still_frames = 0
        self._last_card: Any = None
        self._was_empty = False
        """Whether the spot has been seen empty since the last card."""

    @property
    def readings(self) -> tuple[Any, ...]:
        """The cards in the last frame."""
        return self._readings[-1] if self._readings else ()

    def add_frame(self, frame: Frame) -> str | None:
        """Return the card that has been laid, None if there is none, more than one, or one that is not certain."""
        self._count_still_frames(frame)
        if self._still_frames > AGREEING_FRAMES and self._is_settled():
            return None  # saves the time of reading
        self._readings.append(self._read_cards(frame))
        if self._is_empty():
            self._was_empty = True
        resting = self._find_resting()
        return str(resting.card) if resting and self._is_new(resting) else None

    def _count_still_frames(self, frame: Frame) -> None:
        import cv2

        grid = cv2.resize(frame, STILL_GRID, interpolation=cv2.INTER_AREA)
        is_still = self._still is not None and cv2.absdiff(grid, self._still).max() <= MAX_STILL_CHANGE
        self._still_frames = self._still_frames + 1 if is_still else 1
        if not is_still:
            self._still = grid

    def _is_settled(self) -> bool:
        return not any(self._readings) or self._find_resting() is not None

    def _is_empty(self) -> bool:
        """Return whether the last frames show no certain card and did not change, so that no hand was on its way."""
        is_still = len(self._readings) == AGREEING_FRAMES <= self._still_frames
        return is_still and all(reading.card is None for found in self._readings for reading in found)

    def _find_resting(self) -> Any:
        """Return the reading of the only card if all of the last frames show it, certain and at the same place."""
        certain = [found[0] for found in self._readings if len(found) == 1 and found[0].card is not None]
        if len(certain) < AGREEING_FRAMES:
            return None
        first, *others = certain
        return first if all(other.card == first.card and _is_near(first, other) for other in others) else None

    def _is_new(self, resting: Any) -> bool:
        before, was_empty = self._last_card, self._was_empty
        self._last_card, self._was_empty = resting, False
        if before is None or resting.card != before.card:
            return True
        return was_empty and not _is_near(before, resting)


def _is_near(first: Any, other: Any) -> bool:
    pairs = [(a, b) for p, q in zip(first.corners, other.corners, strict=True) for a, b in zip(p, q, strict=True)]
    return all(abs(a - b) <= MAX_REST_PX for a, b in pairs)


def crop_spot(frame: Frame, spot: tuple[float, float, float, float]) -> Frame:
    """Return the part of a picture at the spot."""
    h, w = frame.shape[:2]
    x, y = round(spot[0] * w), round(spot[1] * h)
    return frame[y : y + round(spot[3] * h), x : x + round(spot[2] * w)]


class FolderSource:
    """The pictures of a folder in the order of their names, for tests. Pictures may be added; each is shown once."""

    def __init__(self, folder: Path) -> None:
        from companion.plugins.cards.photo import decode_photo
        from companion.plugins.cards.picture_header import NotAPicture

        self._decode, self._not_a_picture = decode_photo, NotAPicture
        self._folder = folder
        if not self._list_files():
            raise DeviceError("There is no picture in {path}.", path=folder)

    def frames(self) -> Iterator[Frame | None]:
        """Yield each picture once, and None until there is another. Other files are left out."""
        shown: set[Path] = set()
        while True:
            new = [file for file in self._list_files() if file not in shown]
            for file in new:
                with suppress(self._not_a_picture, OSError):
                    yield self._decode(file.read_bytes())[0]
            shown.update(new)
            yield None

    def close(self) -> None:
        """Do nothing."""

    def _list_files(self) -> list[Path]:
        pictures = (p for p in self._folder.glob("*") if p.suffix.lower() in (".jpg", ".jpeg", ".png"))
        return sorted(p for p in pictures if p.is_file())  # reading a pipe would wait for ever


class VideoCamera:
    """A camera of Video4Linux, such as a webcam."""

    def __init__(self, device: str) -> None:
        import cv2

        self._camera = cv2.VideoCapture(device, cv2.CAP_V4L2)
        if not self._camera.isOpened():
            if os.access(device, os.R_OK | os.W_OK):
                raise DeviceError("{path} is in use by another program, or is not a camera.", path=device)
            raise DeviceError("Cannot open {path}. Check the cable.", path=device)
        self._device = device
        self._camera.set(cv2.CAP_PROP_FRAME_WIDTH, CAMERA_SIZE[0])
        self._camera.set(cv2.CAP_PROP_FRAME_HEIGHT, CAMERA_SIZE[1])
        self._camera.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def frames(self) -> Iterator[Frame]:
        """Yield frames. Raises DeviceError when the camera was disconnected."""
        while True:
            is_taken, frame = self._camera.read()
            if not is_taken:
                raise DeviceError("{port} was disconnected.", port=self._device)
            yield frame[..., ::-1]

    def close(self) -> None:
        """Release the camera."""
        self._camera.release()


class PiCamera:
    """The camera of a Raspberry Pi, through its library picamera2."""

    def __init__(self) -> None:
        try:
            from picamera2 import Picamera2
        except ImportError as error:
            raise DeviceUnsupported(
                "The camera of a Raspberry Pi needs its library. Run sudo apt-get install python3-picamera2 there."
            ) from error
        self._camera = Picamera2()
        # picamera2 calls the order red, green, blue in memory "BGR888".
        self._camera.configure(self._camera.create_video_configuration({"size": CAMERA_SIZE, "format": "BGR888"}))
        self._camera.start()

    def frames(self) -> Iterator[Frame]:
        """Yield frames."""
        while True:
            yield self._camera.capture_array()

    def close(self) -> None:
        """Release the camera."""
        self._camera.close()
