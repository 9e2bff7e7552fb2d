/** Where one is, in the address after the #: a conversation, perhaps with a turn whose reasons are open. */
import { useSyncExternalStore } from "react";

export interface Route {
  readonly session: string;
  /** The turn whose reasons are shown. */
  readonly why: number | null;
  readonly page: "room" | "conversations" | "settings" | "help" | "opening";
}

export const readRoute = (hash: string): Route => {
  const [first, session = "", second, turn] = hash.replace(/^#\/?/, "").split("/");
  if (first === "conversations" || first === "settings" || first === "help" || first === "opening") return { page: first, session, why: null };
  if (first !== "c") return { page: "room", session: "", why: null };
  return { page: "room", session, why: second === "why" && turn ? Number(turn) : null };
};

export const roomPath = (session: string, why: number | null = null): string => `#/c/${session}${why === null ? "" : `/why/${why}`}`;
export const pagePath = (page: Exclude<Route["page"], "room">, session: string): string => `#/${page}${session && `/${session}`}`;

export function go(path: string): void {
  if (location.hash !== path) location.hash = path;
}

function subscribe(watcher: () => void): () => void {
  addEventListener("hashchange", watcher);
  return () => removeEventListener("hashchange", watcher);
}

export function useRoute(): Route {
  return readRoute(useSyncExternalStore(subscribe, () => location.hash));
}
