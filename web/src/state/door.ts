/** Whether the server lets this browser in, where it asks for a token. Any request can find out that it does not. */
import { Store } from "./store";

export type Door = "open" | "shut";

export const door = new Store<Door, Door>("open", (_before, now) => now);
