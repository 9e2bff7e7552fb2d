/** What a person chose, kept in this browser. */
import type { ServerOptions, SessionRequest } from "../wire";
import type { Pending } from "./room";
import { Store } from "./store";

export interface Preferences {
  /** Whether the opening was read. */
  readonly opened: boolean;
  readonly theme: "system" | "light" | "dark";
  readonly identity: string;
  readonly recipe: string;
  readonly model: string;
  readonly pace: NonNullable<SessionRequest["pace"]>;
  readonly kept: boolean;
  readonly voice: boolean;
  /** Whether the own picture and what is read of it are shown. */
  readonly readings: boolean;
  readonly microphone: string;
  readonly camera: string;
  /** Where the person is, as far as they said so: whose services are shown. */
  readonly country: string;
  /** Whether one came in here with a token. */
  readonly entered: boolean;
  /** The conversation that was open last. */
  readonly session: string;
}

const KEY = "heartfelt";
const USUAL: Preferences = {
  opened: false,
  theme: "system",
  identity: "",
  recipe: "",
  model: "",
  pace: "quick",
  kept: false,
  voice: true,
  readings: true,
  microphone: "",
  camera: "",
  country: "",
  entered: false,
  session: "",
};

function stored(): Preferences {
  try {
    return { ...USUAL, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Preferences>) };
  } catch {
    return USUAL; // a private window without storage, or something that somebody else wrote
  }
}

function keep(preferences: Preferences, change: Partial<Preferences>): Preferences {
  const changed = { ...preferences, ...change };
  try {
    localStorage.setItem(KEY, JSON.stringify(changed));
  } catch {
    // Without storage it holds until the page is closed.
  }
  return changed;
}

export const preferences = new Store<Preferences, Partial<Preferences>>(stored(), keep);

/** What a new conversation is to be. A country that this server does not know is left out. */
export function wishOf({ identity, recipe, model, pace, kept, country }: Preferences, { countries }: ServerOptions): SessionRequest {
  return { identity, recipe, model, pace, kept, country: countries.some(({ code }) => code === country) ? country : "" };
}

/** What is being written, so that a closed tab does not lose it. */
export const draft = {
  read: (session: string): string => sessionStorage.getItem(`${KEY}:${session}`) ?? "",
  write: (session: string, text: string): void => write(`${KEY}:${session}`, text),
};

/** Words that are not known to have arrived: a page that is loaded again sends them again. */
export const unsent = {
  read: (session: string): readonly Pending[] => JSON.parse(sessionStorage.getItem(`${KEY}:${session}:unsent`) || "[]") as Pending[],
  write: (session: string, pending: readonly Pending[]): void => write(`${KEY}:${session}:unsent`, pending.length ? JSON.stringify(pending) : ""),
};

function write(key: string, text: string): void {
  try {
    if (text) sessionStorage.setItem(key, text);
    else sessionStorage.removeItem(key);
  } catch {
    // Without storage, or with too little for it, it stays where it is written.
  }
}
