"""Every face once more as the runtime would show it: found, meshed, turned upright and cropped by the code of the live path.

    python -m heartfelt.tuning.senses.twins --data DIR --run DIR

On one core, for half an hour. Run it again to go on.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from heartfelt.files import whole
from heartfelt.senses.face.align import aligned
from heartfelt.senses.face.networks import FaceNetworks, MediaPipeNetworks
from heartfelt.senses.face.sense import FaceSense
from heartfelt.tuning.senses import pictures, runs
from heartfelt.tuning.senses.pictures import SIDE, Faces

LARGE, MARGIN, GROUND = 192, 64, 90
"""Pixels a side to which a picture is enlarged, those around it, and their grey: the detector wants room around a face."""
KEPT_EVERY = 1_000
"""Pictures: what an interrupted run loses at most."""

Picture = NDArray[np.uint8]


def make(data: Path, run: Path, *, networks: FaceNetworks | None = None) -> None:
    """The twins of the pictures to learn from and of the public test, each in a file of the run's folder."""
    looking = networks or MediaPipeNetworks()
    run.mkdir(parents=True, exist_ok=True)
    for name, read in ((pictures.TWINS, pictures.read_training), (pictures.DEV_TWINS, pictures.read_dev)):
        if not any((folder / name).exists() for folder in (run, data)):
            faces, begun = read(data), run / f"begun_{name}"
            pictures.save_twins(run / name, faces, *twins(faces, looking, begun))
            begun.unlink(missing_ok=True)


def twins(faces: Faces, networks: FaceNetworks, begun: Path) -> tuple[Picture, NDArray[np.bool_]]:
    """(n, side, side) pictures, black where no face was found, and where one was. `begun` holds what is made so far."""
    made, found = np.zeros((len(faces), SIDE, SIDE), np.uint8), np.zeros(len(faces), bool)
    start = 0
    if begun.exists():
        with np.load(begun) as data:
            start = len(data["found"])
            made[:start], found[:start] = data["made"], data["found"]
    for row in range(start, len(faces)):
        crop = twin(faces.pictures[row], networks)
        if crop is not None:
            made[row], found[row] = crop, True
        if (done := row + 1) % KEPT_EVERY == 0:
            with whole(begun) as draft, draft.open("wb") as file:
                np.savez(file, made=made[:done], found=found[:done])
            print(f"{done:,} of {len(faces):,} pictures, a face in {found[:done].mean():.1%}", flush=True)
    return made, found


def twin(picture: Picture, networks: FaceNetworks) -> Picture | None:
    """As the expression network is shown it. Faces are found best before an even ground; the crop sees the edges drawn out."""
    large = np.asarray(Image.fromarray(picture).resize((LARGE, LARGE)))
    face = FaceSense(networks).see(np.pad(large, MARGIN, constant_values=GROUND), 0.0).main
    return None if face is None else aligned(np.pad(large, MARGIN, mode="edge"), face)


def main(arguments: list[str] | None = None) -> None:
    asked = runs.parser(__doc__).parse_args(arguments)
    make(asked.data, asked.run)


if __name__ == "__main__":
    main()
