/** A state, a reducer, and whoever wants to know when it changed. */
import { useSyncExternalStore } from "react";

export class Store<State, Action> {
  private readonly watchers = new Set<() => void>();

  constructor(private state: State, private readonly reduce: (state: State, action: Action) => State) {}

  readonly get = (): State => this.state;

  readonly dispatch = (action: Action): void => {
    const next = this.reduce(this.state, action);
    if (next === this.state) return;
    this.state = next;
    for (const watcher of this.watchers) watcher();
  };

  readonly subscribe = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };
}

export function useStore<State, Action>(store: Store<State, Action>): State {
  return useSyncExternalStore(store.subscribe, store.get);
}
