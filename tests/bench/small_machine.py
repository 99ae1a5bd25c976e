"""`make bench-small`: the table with a part of one core and little memory, as on a small Pi, in turn with all of them.

The programs that measure are not limited. Needs root, and the control groups `cpu` and `memory` of version 1.
"""

import argparse
import json
import os
import sys
from pathlib import Path

from tests.bench import live

PERIOD_US = 100_000
MEASURES = (
    live.measure_start_to_page, live.measure_due_to_light, live.measure_submit_to_sse, live.measure_scan_to_sse,
    live.measure_pss, live.measure_photos,
)  # fmt: skip
JOIN = 'for group in $JOIN; do echo $$ >"$group/cgroup.procs"; done; exec "$@"'


class ControlGroup:
    """A group of processes with limits, in both controllers. Raises OSError if the system refuses it.

    Its share of a busy processor is the largest, so that only the limit counts and not what else runs.
    """

    def __init__(self, root: Path, name: str) -> None:
        self.folders = (root / "cpu" / name, root / "memory" / name)
        for folder in self.folders:
            if not folder.parent.is_dir():
                raise FileNotFoundError(2, "no such control group", str(folder.parent))
            folder.mkdir(exist_ok=True)
        (self.folders[0] / "cpu.shares").write_text("262144")

    def limit(self, core_pct: int, memory_mib: int) -> None:
        """Limit processor time, in percent of one core, and memory; 0 stands for everything."""
        (self.folders[0] / "cpu.cfs_period_us").write_text(str(PERIOD_US))
        (self.folders[0] / "cpu.cfs_quota_us").write_text(str(core_pct * PERIOD_US // 100 if core_pct else -1))
        (self.folders[1] / "memory.limit_in_bytes").write_text(str(memory_mib * 2**20 if memory_mib else -1))

    def join_command(self) -> tuple[str, ...]:
        """Return the words that make a command after them run in the group."""
        return ("env", f"JOIN={' '.join(map(str, self.folders))}", "sh", "-c", JOIN, "sh")

    def close(self) -> None:
        for folder in self.folders:
            folder.rmdir()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--core", type=int, default=15, help="percent of one core (15)")
    parser.add_argument("--memory", type=int, default=256, help="MiB (256)")
    parser.add_argument("--phones", type=int, default=4, help="phones that listen (4)")
    arguments = parser.parse_args()
    try:
        group = ControlGroup(Path("/sys/fs/cgroup"), f"companion-bench-{os.getpid()}")
    except OSError as error:
        print(f"SKIPPED: make bench-small needs root and control groups of version 1 ({error}).")
        sys.exit(os.environ.get("CI") == "true")
    live.RUN_BEFORE, live.PHONE_COUNT = group.join_command(), arguments.phones
    try:
        for limits in ((0, 0), (arguments.core, arguments.memory)):
            group.limit(*limits)
            for measure in MEASURES:
                for name, value, unit in measure():
                    figure = {"name": name, "value": round(value, 3), "unit": unit}
                    figure |= {"core_pct": limits[0] or None, "memory_mib": limits[1] or None}
                    print(json.dumps(figure), flush=True)
    finally:
        group.close()


if __name__ == "__main__":
    main()
