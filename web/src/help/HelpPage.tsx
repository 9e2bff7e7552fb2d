import { Dialog } from "../parts/Dialog";
import { useStore } from "../state/store";
import type { Visit } from "../state/visit";
import type { ServerOffer } from "../wire";
import { HelpThere } from "./HelpThere";
import { useCountry } from "./useCountry";
import { Where } from "./Where";

interface Props {
  readonly visit: Visit;
  readonly offered: ServerOffer;
  readonly close: () => void;
}

/** All who help, for whoever looks for them, whether or not anything was noticed. */
export function HelpPage({ visit, offered, close }: Props) {
  const { session } = useStore(visit.store);
  const { choose, problem } = useCountry(visit);
  const country = session?.country || offered.country;
  return (
    <Dialog title="Help by people" close={close}>
      {country ? <HelpThere country={country} open /> : <p>Call your local emergency number, or somebody you trust.</p>}
      <Where label={country ? "Where you are" : "Where are you? Then the right numbers are shown."} offered={offered} country={country} choose={choose} />
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  );
}
