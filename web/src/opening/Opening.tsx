import { useState } from "react";
import { Consent } from "../consent/Consent";
import { HelpThere } from "../help/HelpThere";
import { useGrave } from "../help/useGrave";
import { Where } from "../help/Where";
import { Icon } from "../parts/Icon";
import { InLanguage } from "../parts/InLanguage";
import { named } from "../parts/names";
import { Portraits } from "../parts/Portraits";
import { Switch } from "../parts/Switch";
import { ENGLISH, OTHERS } from "../parts/Understood";
import type { Devices } from "../state/devices";
import { preferences } from "../state/preferences";
import { useStore } from "../state/store";
import type { Visit } from "../state/visit";
import type { ServerOptions } from "../wire";

interface Props {
  readonly options: ServerOptions;
  readonly devices: Devices;
  /** The conversation from which somebody came back to read this again. */
  readonly visit: Visit | null;
  readonly enter: () => Promise<void>;
}

/** Read once, before the first conversation: who answers, what this is and is not, and what it may see, hear and keep. */
export function Opening({ options, devices, visit, enter }: Props) {
  const chosen = useStore(preferences);
  const grave = useGrave(visit);
  const [entering, setEntering] = useState(false);
  const name = chosen.identity || options.identity;
  const own = options.languages.find(({ code }) => code === navigator.language.split("-")[0]);
  const who = options.identities.find((each) => each.name === name);
  return (
    <main className="opening">
      <p className="brand">
        <Icon name="heart" /> <span>Heartfelt</span>
      </p>
      <div className="opening-who">
        <h1>Who would you like to talk with?</h1>
        <Portraits people={options.identities} chosen={name} choose={(identity) => preferences.dispatch({ identity })} grave={grave} />
        <p className="about-them" aria-live="polite">
          {who && (
            <>
              {named(who.name)} is {who.about}. None of these people exist.
            </>
          )}
        </p>
      </div>
      <form
        className="opening-what"
        onSubmit={(event) => {
          event.preventDefault();
          setEntering(true);
          void enter().finally(() => setEntering(false));
        }}
      >
        <section aria-labelledby="honest">
          <h2 id="honest">Before you come in</h2>
          <p>{options.disclosure}</p>
          {own ? <InLanguage own={own} className="own-language" /> : <p className="soft">{OTHERS}</p>}
          <p className="soft">It can be wrong. It looks for signs of danger, and then shows you people who help, but it can miss them.</p>
        </section>
        {options.senses && <Consent devices={devices} infers={options.infers} />}
        <Switch label="Keep this conversation on this machine" on={chosen.kept} change={(kept) => preferences.dispatch({ kept })}>
          {chosen.kept ? "Its words and what was measured, until you delete them." : "Otherwise it stays in memory only, and is gone when Heartfelt is closed."}
        </Switch>
        <Where label="Where are you? So that the right numbers are there if needed." options={options} country={chosen.country} choose={(country) => preferences.dispatch({ country })} />
        {chosen.country && <HelpThere country={chosen.country} />}
        <p className="opening-enter">
          <span className="soft">{ENGLISH}</span>
          <button type="submit" className="button" disabled={entering}>
            Come in
          </button>
        </p>
      </form>
    </main>
  );
}
