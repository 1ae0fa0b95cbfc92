"""What a long bench is doing just now."""

import sys
import time


def tell(what: str) -> None:
    print(f"  {time.strftime('%H:%M:%S')} {what}", file=sys.stderr, flush=True)
