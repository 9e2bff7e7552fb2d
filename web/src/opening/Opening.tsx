import { useState } from "react";
import { Icon } from "../parts/Icon";
import { named } from "../parts/names";
import { Portraits } from "../parts/Portraits";
import { Switch } from "../parts/Switch";
import type { Devices } from "../state/devices";
import { preferences } from "../state/preferences";
import { useStore } from "../state/store";
import type { Offered } from "../wire";
import { Permissions } from "./Permissions";

interface Props {
  readonly offered: Offered;
  readonly devices: Devices;
  readonly enter: () => Promise<void>;
}

/** Read once, before the first conversation: who answers, what this is and is not, and what it may see, hear and keep. */
export function Opening({ offered, devices, enter }: Props) {
  const chosen = useStore(preferences);
  const [entering, setEntering] = useState(false);
  const name = chosen.identity || offered.identity;
  const who = offered.identities.find((each) => each.name === name);
  return (
    <main className="opening">
      <p className="brand">
        <Icon name="heart" /> <span>Heartfelt</span>
      </p>
      <div className="opening-who">
        <h1>Who would you like to talk with?</h1>
        <Portraits people={offered.identities} chosen={name} choose={(identity) => preferences.dispatch({ identity })} />
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
          <p>
            This is an AI, a computer program that listens. It can be wrong, and it is no therapist. <strong>It does not notice emergencies:</strong> if you or somebody else is in danger, call your local emergency number, or someone you trust.
          </p>
        </section>
        {offered.senses && <Permissions devices={devices} />}
        <Switch label="Keep this conversation on this machine" on={chosen.kept} change={(kept) => preferences.dispatch({ kept })}>
          {chosen.kept ? "So that you can come back to it. You can delete it whole at any time. Sound and pictures are never kept." : "It is forgotten as soon as the server stops. Sound and pictures are never kept either way."}
        </Switch>
        <button type="submit" className="button" disabled={entering}>
          Come in
        </button>
      </form>
    </main>
  );
}
