/** The API, by the names of the wire. Every refusal becomes a `Refused` with words that can be shown. */
import { door } from "../state/door";
import type { Alarm, FromServer, Help, Keep, ServerOptions, Problem, Replay, SessionChange, SessionLine, SessionView, SessionRequest, TurnView } from "../wire";
import type { Told } from "../trace/story";
import { eventsOf } from "./stream";

export class Refused extends Error {
  constructor(readonly status: number, readonly code: string, message: string) {
    super(message);
  }
}

export const options = (): Promise<ServerOptions> => json("/api/options");
export const sessions = (): Promise<SessionLine[]> => json("/api/sessions");
export const session = (id: string): Promise<SessionView> => json(`/api/sessions/${id}`);
export const beginSession = (wish: SessionRequest): Promise<SessionView> => json("/api/sessions", sent("POST", wish));
export const changeSession = (id: string, change: SessionChange): Promise<SessionView> => json(`/api/sessions/${id}`, sent("PATCH", change));
export const help = (country: string, danger?: Alarm["danger"]): Promise<Help> => json(`/api/help?${new URLSearchParams({ country, ...(danger && { danger }) }).toString()}`);
/** A page to read, or everything for programs; without names, addresses and numbers, unless they are wanted. */
export const exportPath = (id: string, format: "html" | "json", names: boolean): string => `/api/sessions/${id}/export?${new URLSearchParams({ format, redacted: String(!names) }).toString()}`;

/** Come in with a token; the server remembers it in a cookie that no script can read. */
export async function comeIn(token: string): Promise<void> {
  await asked("/api/entrance", sent("POST", { token }));
}

export async function leave(): Promise<void> {
  await asked("/api/entrance", { method: "DELETE" });
}

export async function deleteSession(id: string): Promise<void> {
  await asked(`/api/sessions/${id}`, { method: "DELETE" });
}

/** The stored events of a turn. */
export async function trace(id: string, turn: number): Promise<readonly Told[]> {
  const lines = (await (await asked(`/api/sessions/${id}/turns/${turn}/trace`)).text()).split("\n");
  return lines.filter((line) => line.trim()).map((line) => JSON.parse(line) as Told);
}

/** What would follow from edits, as it happens. */
export async function* replay(id: string, turn: number, wish: Replay, signal: AbortSignal): AsyncGenerator<FromServer> {
  const answer = await asked(`/api/sessions/${id}/turns/${turn}/replay`, { ...sent("POST", wish), signal });
  for await (const message of eventsOf(answer)) {
    if (message.kind === "error") throw new Refused(500, message.code, message.message);
    yield message;
  }
}

export const keep = (id: string, turn: number, wanted: Keep): Promise<TurnView> => json(`/api/sessions/${id}/turns/${turn}/keep`, sent("POST", wanted));

/** One of a turn's answers, spoken; by the number of its pass. */
export const speech = async (id: string, turn: number, answer: number): Promise<Blob> => (await asked(`/api/sessions/${id}/turns/${turn}/speech.wav?answer=${answer}`)).blob();

/** The turn as a page of its own: to be opened, or taken away as one file. */
export const pagePath = (id: string, turn: number, download = false): string => `/api/sessions/${id}/turns/${turn}/trace.html${download ? "?download=true" : ""}`;

const sent = (method: string, body: unknown): RequestInit => ({ method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

async function json<T>(path: string, init?: RequestInit): Promise<T> {
  return (await asked(path, init)).json() as Promise<T>;
}

async function asked(path: string, init: RequestInit = {}): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(path, { credentials: "same-origin", ...init });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Refused(0, "unreachable", "The server cannot be reached. Is it running? Your words are still here.");
  }
  if (answer.ok) return answer;
  if (answer.status === 401) door.dispatch("shut");
  const problem = (await answer.json().catch(() => null)) as Problem | null;
  throw new Refused(answer.status, problem?.code ?? "failed", problem?.message ?? `The server answered ${answer.status}.`);
}
