"""What this machine has left."""

from pathlib import Path

_MEMINFO = Path("/proc/meminfo")


def free_memory() -> float:
    """Bytes that a program could take without swapping; infinite where the system does not say."""
    try:
        lines = _MEMINFO.read_text().splitlines()
    except OSError:
        return float("inf")
    found = [line.split()[1] for line in lines if line.startswith("MemAvailable:")]
    return int(found[0]) * 1024 if found else float("inf")
