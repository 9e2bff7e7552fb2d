"""The main job on a sample, twice: as it comes, and with a fault planted so that the loop can be seen to mend it."""

import shlex
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
OUT = HERE.parent / "out" / "demo"
HEARTFELT = str(Path(sys.executable).parent / "heartfelt")


def run(title: str, *arguments: str) -> None:
    print(f"\n\033[1m{title}\033[0m\n\033[2m$ heartfelt {shlex.join(arguments)}\033[0m\n", file=sys.stderr, flush=True)
    subprocess.run([HEARTFELT, *arguments], check=True)


def main() -> None:
    sample = str((HERE / "exam.json").relative_to(Path.cwd()))
    run("A dialogue, answered step by step", "respond", "--file", sample, "--out", str(OUT.relative_to(Path.cwd())))
    run(
        "The same with a planted fault: a cue that nobody said. The checks find it, perceive is blamed and mended",
        *("respond", "--file", sample, "--plant", "perceive.cues.0.quote=my dog ran away"),
        *("--out", str((OUT / "planted").relative_to(Path.cwd()))),
    )
    print(f"\nOpen the trace: {(OUT / 'planted' / 'trace.html').relative_to(Path.cwd())}", file=sys.stderr)
    print("Talk to it:     .venv/bin/heartfelt chat", file=sys.stderr)


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)
    except KeyboardInterrupt:
        sys.exit(130)
