"""JSON output and option texts shared by the commands."""

import sys
from collections.abc import Mapping
from typing import Any

from companion.common.errors import CompanionError
from companion.common.process import discard_output
from companion.protocol.json_codec import dump_json

OPTION_HELP = "An option of the game, such as target=61; may be repeated."


def print_json(line: Mapping[str, Any]) -> None:
    """Write one line of JSON and flush it. Raises CompanionError if that fails."""
    try:
        sys.stdout.write(dump_json(line) + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        discard_output()
        raise CompanionError(f"Cannot write the answer: {error.strerror}.") from error
