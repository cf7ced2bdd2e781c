"""What progress=True shows."""

from __future__ import annotations

import sys
import time


class Line:
    """One line on stderr that says how far the work has come."""

    def __init__(self) -> None:
        self.what = ""
        self.done = self.total = 0
        self.start = 0.0
        self.width = 0

    def __call__(self, what: str, done: int, total: int) -> None:
        if self.width == 0 or done < self.done or total != self.total:
            self.start = time.monotonic()  # parts of one work count on; other work begins again
        self.what, self.done, self.total = what, done, total
        share = done / total if total > 0 else 0.0
        spent = time.monotonic() - self.start
        left = f", {spent * (1 - share) / share:.0f} s left" if 0.02 < share < 1 else ""
        text = f"{what}: {100 * share:.0f} %{left}"
        print("\r" + text.ljust(self.width), end="", file=sys.stderr, flush=True)
        self.width = len(text)

    def end(self, whole: bool) -> None:
        """The line's end; whole: the work came to its own."""
        if not self.width:
            return
        if whole:
            print("\r" + f"{self.what}: 100 %".ljust(self.width), end="", file=sys.stderr)
        print(file=sys.stderr, flush=True)
