"""What the commands that answer other programs have in common."""

import sys
from collections.abc import Mapping
from typing import Any

from companion.common.errors import CompanionError
from companion.common.process import stop_talking
from companion.protocol.json_codec import dumps

OPTION_HELP = "An option of the game, such as target=61; may be repeated."


def say(line: Mapping[str, Any]) -> None:
    """Write one line of JSON and flush it. Raises CompanionError where it cannot be written."""
    try:
        sys.stdout.write(dumps(line) + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        stop_talking()
        raise CompanionError(f"The answer cannot be written: {error.strerror}.") from error
