"""The main job on samples: a dialogue, the same with a planted fault, and a person on film, answered by a talking face."""

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
    sample, talk = (str((HERE / name).relative_to(Path.cwd())) for name in ("exam.json", "talk.mp4"))
    out = OUT.relative_to(Path.cwd())
    run("A dialogue, answered step by step", "respond", "--file", sample, "--out", str(out), "--media", "none")
    run(
        "The same with a planted fault: a feeling that does not fit. The audit finds it, forecast is blamed and mended",
        *("respond", "--file", sample, "--plant", "forecast.emotion=excited"),
        *("--out", str(out / "planted"), "--media", "none"),
    )
    run(
        "A person on film who smiles over sad words, answered by a voice and a face",
        *("respond", "--video", talk, "--out", str(out / "talk")),
    )
    print(f"\nWatch the reply: {out / 'talk' / 'reply.mp4'}", file=sys.stderr)
    print(f"Open its trace:  {out / 'talk' / 'trace.html'}", file=sys.stderr)
    print("Talk to it:      make serve, and open the address that it prints", file=sys.stderr)


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)
    except KeyboardInterrupt:
        sys.exit(130)
