import { Dialog } from "../parts/Dialog";
import { Understood } from "../parts/Understood";
import { useStore } from "../state/store";
import type { Visit } from "../state/visit";
import type { ServerOptions } from "../wire";
import { HelpThere } from "./HelpThere";
import { useCountry } from "./useCountry";
import { Where } from "./Where";

interface Props {
  readonly visit: Visit;
  readonly options: ServerOptions;
  readonly close: () => void;
}

/** All who help, for whoever looks for them, whether or not anything was noticed. */
export function HelpPage({ visit, options, close }: Props) {
  const { session } = useStore(visit.store);
  const { choose, problem } = useCountry(visit);
  const country = session?.country || options.country;
  return (
    <Dialog title="Help by people" close={close}>
      {country ? <HelpThere country={country} open /> : <p>Call your local emergency number, or somebody you trust.</p>}
      <Where label={country ? "Where you are" : "Where are you? Then the right numbers are shown."} options={options} country={country} choose={choose} />
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <Understood languages={options.languages} />
    </Dialog>
  );
}
