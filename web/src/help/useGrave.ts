import { useSyncExternalStore } from "react";
import type { Visit } from "../state/visit";
import { standing } from "./standing";

const nothing = () => () => undefined;

/** Whether somebody in this visit, if there is one, may be in danger at this moment. */
export const useGrave = (visit: Visit | null): boolean => useSyncExternalStore(visit?.store.subscribe ?? nothing, () => visit !== null && standing(visit.store.get()) !== null);
