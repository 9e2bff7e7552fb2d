"""What this machine has, and what of it is left."""

import platform
from pathlib import Path

_MEMINFO, _CPUINFO = Path("/proc/meminfo"), Path("/proc/cpuinfo")


def has_matrix_unit() -> bool:
    """Whether the processor has AMX. Where the system does not say, every x86 processor may."""
    try:
        return " amx_tile" in _CPUINFO.read_text()
    except OSError:
        return platform.machine().lower() in ("x86_64", "amd64")


def free_memory() -> float:
    """Bytes that a program could take without swapping; infinite where the system does not say."""
    try:
        lines = _MEMINFO.read_text().splitlines()
    except OSError:
        return float("inf")
    found = [line.split()[1] for line in lines if line.startswith("MemAvailable:")]
    return int(found[0]) * 1024 if found else float("inf")
