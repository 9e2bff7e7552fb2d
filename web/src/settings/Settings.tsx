import { useState } from "react";
import * as api from "../api/client";
import { Choice } from "../parts/Choice";
import { Dialog } from "../parts/Dialog";
import { Portraits } from "../parts/Portraits";
import { Switch } from "../parts/Switch";
import type { Devices } from "../state/devices";
import { preferences, type Preferences } from "../state/preferences";
import { pagePath } from "../state/route";
import { useStore } from "../state/store";
import type { Visit } from "../state/visit";
import type { Offered, SessionChange } from "../wire";
import { DeviceChoice } from "./DeviceChoice";

interface Props {
  readonly visit: Visit;
  readonly offered: Offered;
  readonly devices: Devices;
  readonly close: () => void;
}

const THEMES = [
  ["system", "As the system"],
  ["light", "Light"],
  ["dark", "Dark"],
] as const;
const PACES = [
  ["quick", "Quick: answers at once, and looks back afterwards"],
  ["thorough", "Thorough: checks itself before it answers"],
] as const;

/** What can be otherwise: for this conversation and for those to come. */
export function Settings({ visit, offered, devices, close }: Props) {
  const { session } = useStore(visit.store);
  const chosen = useStore(preferences);
  const [problem, setProblem] = useState("");
  const change = (wish: SessionChange & Partial<Preferences>) => {
    if (!session) return;
    setProblem("");
    api.changeSession(session.id, wish).then(
      (changed) => {
        visit.store.dispatch({ type: "session", session: changed });
        preferences.dispatch(wish);
      },
      (error: Error) => setProblem(error.message),
    );
  };
  if (!session) return null;
  return (
    <Dialog title="Settings" close={close} className="settings">
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <section aria-labelledby="s-who">
        <h3 id="s-who">Who answers</h3>
        <Portraits people={offered.identities} chosen={session.identity} choose={(identity) => change({ identity })} />
      </section>
      <section aria-labelledby="s-how">
        <h3 id="s-how">How it answers</h3>
        <Choice label="Pace" value={session.pace} options={PACES} change={(pace) => change({ pace: pace as Preferences["pace"] })} />
        <Choice label="Recipe" value={session.recipe} options={Object.entries(offered.recipes).map(([name, about]) => [name, `${name}: ${about}`])} change={(recipe) => change({ recipe })} />
        <Choice label="Model" value={session.model} options={offered.models.map((model) => [model, model])} change={(model) => change({ model })} />
        {offered.voice && (
          <Switch label="Speak the answers" on={chosen.voice} change={(voice) => preferences.dispatch({ voice })}>
            Otherwise they are only written.
          </Switch>
        )}
      </section>
      <section aria-labelledby="s-page">
        <h3 id="s-page">This page</h3>
        <Choice label="Theme" value={chosen.theme} options={THEMES} change={(theme) => preferences.dispatch({ theme: theme as Preferences["theme"] })} />
        {offered.senses && <DeviceChoice devices={devices} />}
        <p>
          <a href={pagePath("opening", session.id)}>Read the opening page again</a>
        </p>
      </section>
    </Dialog>
  );
}
