"""A camera above a marked spot as card reader: `camera:/dev/video0`, `camera:picamera`, `camera:folder:PATH?fps=5`.

A card on the spot is reported once it rests: when AGREEING_FRAMES frames in a row show the same card, certain and at
the same place. A hand, an empty spot or an unsure card is nothing. Reading needs the extra `[camera]`.
"""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from companion.common.errors import DeviceError
from companion.devices.device_thread import DeviceThread, DeviceUnsupported, DeviceUrl
from companion.i18n import gettext_noop
from companion.ports import StatusCallback

AGREEING_FRAMES = 3
MAX_REST_PX = 6.0
"""A card rests if none of its corners moves further between frames."""

DEFAULT_FPS = 5
DEFAULT_CAMERA = "/dev/video0"
CAMERA_SIZE = (1280, 960)

PICAMERA, FOLDER = "picamera", "folder:"
WHOLE_PICTURE = (0.0, 0.0, 1.0, 1.0)

Frame = Any
"""An RGB picture; numpy is loaded only where a camera is used."""


class FrameSource(Protocol):
    """Yields frames; closing it ends them."""

    def frames(self) -> Iterator[Frame]:
        """Yield frames as they are taken."""

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


class CameraScanner:
    """A card reader that looks at a spot of a camera's picture."""

    def __init__(self, address: DeviceUrl, *, seat: int | None) -> None:
        self.url, self.seat = address.url, seat
        self._spot, self._fps = read_spot(address), address.int_option("fps", DEFAULT_FPS, least=1, most=60)
        self._device = address.path or DEFAULT_CAMERA
        self._device_thread: DeviceThread | None = None

    def start(self, seen: Callable[[str], None], status: StatusCallback) -> None:
        """Call `seen(code)` at each frame that shows a card at rest, and `status` when the camera starts or stops."""
        self._device_thread = DeviceThread(gettext_noop("card reader"), partial(self._serve_device, seen), status)
        self._device_thread.start()

    def close(self) -> None:
        """Stop looking."""
        if self._device_thread:
            self._device_thread.close()

    def _serve_device(self, seen: Callable[[str], None], thread: DeviceThread) -> None:
        rest, opened = _open_camera(self._device, self._spot)
        with closing(opened) as source:
            for frame in source.frames():
                thread.report_ok()
                if code := rest.add_frame(frame):
                    seen(code)
                if thread.closing.wait(1 / self._fps):
                    return
            thread.closing.wait()  # a folder has ended


class RestDetector:
    """Finds the card that rests, from frame to frame."""

    def __init__(self) -> None:
        from companion.cards.reader import read_cards

        self._read_cards = read_cards
        self._readings: deque[Any] = deque(maxlen=AGREEING_FRAMES)

    def add_frame(self, frame: Frame) -> str | None:
        """Return the card that rests, None if there is none, more than one, or one that is not certain."""
        found = self._read_cards(frame)
        self._readings.append(found[0] if len(found) == 1 and found[0].card is not None else None)
        first, *others = self._readings
        if first is None or len(others) < AGREEING_FRAMES - 1:
            return None
        if any(other is None or other.card != first.card or not _is_near(first, other) for other in others):
            return None
        return str(first.card)


def _is_near(first: Any, other: Any) -> bool:
    pairs = [(a, b) for p, q in zip(first.corners, other.corners, strict=True) for a, b in zip(p, q, strict=True)]
    return all(abs(a - b) <= MAX_REST_PX for a, b in pairs)


def _open_camera(device: str, spot: tuple[float, float, float, float]) -> tuple[RestDetector, FrameSource]:
    try:
        rest = RestDetector()
        if device.startswith(FOLDER):
            return rest, FolderSource(Path(device.removeprefix(FOLDER)), spot)
        return rest, PiCamera(spot) if device == PICAMERA else VideoCamera(device, spot)
    except ImportError as error:
        raise DeviceUnsupported(
            "A camera as card reader needs the extra [camera]. Run pip install '.[camera]' in the checkout."
        ) from error


def crop_spot(frame: Frame, spot: tuple[float, float, float, float]) -> Frame:
    """Return the part of a picture at the spot."""
    h, w = frame.shape[:2]
    x, y = round(spot[0] * w), round(spot[1] * h)
    return frame[y : y + round(spot[3] * h), x : x + round(spot[2] * w)]


class FolderSource:
    """The pictures of a folder in the order of their names, for tests."""

    def __init__(self, folder: Path, spot: tuple[float, float, float, float]) -> None:
        from companion.cards.photo import decode_photo

        self._decode, self._spot = decode_photo, spot
        self._files = sorted(p for p in folder.glob("*") if p.suffix.lower() in (".jpg", ".jpeg", ".png"))
        if not self._files:
            raise DeviceError("There is no picture in {path}.", path=folder)

    def frames(self) -> Iterator[Frame]:
        """Yield each picture once."""
        for file in self._files:
            yield crop_spot(self._decode(file.read_bytes())[0], self._spot)

    def close(self) -> None:
        """Do nothing."""


class VideoCamera:
    """A camera of Video4Linux, such as a webcam."""

    def __init__(self, device: str, spot: tuple[float, float, float, float]) -> None:
        import cv2

        self._spot, self._camera = spot, cv2.VideoCapture(device, cv2.CAP_V4L2)
        if not self._camera.isOpened():
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
            yield crop_spot(frame[..., ::-1], self._spot)

    def close(self) -> None:
        """Release the camera."""
        self._camera.release()


class PiCamera:
    """The camera of a Raspberry Pi, through its library picamera2."""

    def __init__(self, spot: tuple[float, float, float, float]) -> None:
        try:
            from picamera2 import Picamera2
        except ImportError as error:
            raise DeviceUnsupported(
                "The camera of a Raspberry Pi needs its library. Run sudo apt-get install python3-picamera2 there."
            ) from error
        self._spot, self._camera = spot, Picamera2()
        # picamera2 calls the order red, green, blue in memory "BGR888".
        self._camera.configure(self._camera.create_video_configuration({"size": CAMERA_SIZE, "format": "BGR888"}))
        self._camera.start()

    def frames(self) -> Iterator[Frame]:
        """Yield frames."""
        while True:
            yield crop_spot(self._camera.capture_array(), self._spot)

    def close(self) -> None:
        """Release the camera."""
        self._camera.close()
