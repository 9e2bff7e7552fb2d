import { useState } from "react";
import * as api from "../api/client";
import { Consent } from "../consent/Consent";
import { HelpThere } from "../help/HelpThere";
import { useGrave } from "../help/useGrave";
import { Where } from "../help/Where";
import { Choice } from "../parts/Choice";
import { Dialog } from "../parts/Dialog";
import { modelName, named } from "../parts/names";
import { Portraits } from "../parts/Portraits";
import { Switch } from "../parts/Switch";
import type { Devices } from "../state/devices";
import { door } from "../state/door";
import { preferences, type Preferences } from "../state/preferences";
import { pagePath } from "../state/route";
import { useStore } from "../state/store";
import type { Visit } from "../state/visit";
import { titleOf } from "../trace/names";
import type { ServerOptions, SessionChange } from "../wire";
import { DeviceChoice } from "./DeviceChoice";

interface Props {
  readonly visit: Visit;
  readonly options: ServerOptions;
  readonly devices: Devices;
  readonly close: () => void;
}

const THEMES = [
  ["system", "As the system"],
  ["light", "Light"],
  ["dark", "Dark"],
] as const;
const PACES = [
  ["quick", "At once, and looks back afterwards"],
  ["thorough", "After it has checked itself"],
] as const;

/** What can be otherwise: for this conversation and for those to come. */
export function Settings({ visit, options, devices, close }: Props) {
  const { session } = useStore(visit.store);
  const grave = useGrave(visit);
  const chosen = useStore(preferences);
  const [problem, setProblem] = useState("");
  const failed = (error: Error) => setProblem(error.message);
  const leave = () => {
    const left = () => {
      preferences.dispatch({ entered: false });
      door.dispatch("shut");
    };
    api.leave().then(left, failed);
  };
  const change = (wish: SessionChange & Partial<Preferences>) => {
    setProblem("");
    visit.change(wish).then(() => preferences.dispatch(wish), failed);
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
        <Portraits people={options.identities} chosen={session.identity} choose={(identity) => change({ identity })} grave={grave} />
      </section>
      <section aria-labelledby="s-how">
        <h3 id="s-how">How it answers</h3>
        <Choice label="When it answers" value={session.pace} options={PACES} change={(pace) => change({ pace: pace as Preferences["pace"] })} />
        {options.voice && (
          <Switch label="Speak the answers" on={chosen.voice} change={(voice) => preferences.dispatch({ voice })}>
            Otherwise they are only written.
          </Switch>
        )}
        <details className="behind-it">
          <summary>How it comes to its answers</summary>
          <Choice label="Way of thinking" value={session.recipe} options={Object.keys(options.recipes).map((name) => [name, named(name)])} change={(recipe) => change({ recipe })} />
          <p className="fine">Its steps: {options.steps[session.recipe]?.map((step) => titleOf(step).toLowerCase()).join(", ")}.</p>
          <Choice label="Language model" value={session.model} options={options.models.map((model) => [model, modelName(model)])} change={(model) => change({ model })} />
        </details>
      </section>
      {options.senses && (
        <section aria-labelledby="s-taken">
          <h3 id="s-taken">What it may hear and see</h3>
          <Consent devices={devices} infers={options.infers} />
          <p className="fine">What was measured belongs to the conversation, and goes when you delete it.</p>
        </section>
      )}
      <section aria-labelledby="s-help">
        <h3 id="s-help">Help by people</h3>
        <Where label="Where you are" options={options} country={session.country} choose={(country) => change({ country })} />
        <HelpThere country={session.country || options.country} />
      </section>
      <section aria-labelledby="s-page">
        <h3 id="s-page">This page</h3>
        <Choice label="Theme" value={chosen.theme} options={THEMES} change={(theme) => preferences.dispatch({ theme: theme as Preferences["theme"] })} />
        {options.senses && <DeviceChoice devices={devices} infers={options.infers} />}
        <p>
          <a href={pagePath("opening", session.id)}>Read the opening page again</a>
        </p>
        {chosen.entered && (
          <p>
            <button type="button" className="plain" onClick={leave}>
              Forget my access token in this browser
            </button>
          </p>
        )}
      </section>
    </Dialog>
  );
}
