import { useCallback, useEffect, useState } from "react";
import * as api from "./api/client";
import { Entrance } from "./entrance/Entrance";
import { HelpPage } from "./help/HelpPage";
import { Conversations } from "./history/Conversations";
import { Opening } from "./opening/Opening";
import { RoomPage } from "./room/RoomPage";
import { Settings } from "./settings/Settings";
import { Devices } from "./state/devices";
import { door } from "./state/door";
import { preferences, wishOf } from "./state/preferences";
import { go, roomPath, useRoute } from "./state/route";
import { useStore } from "./state/store";
import { wear } from "./state/theme";
import { Visit } from "./state/visit";
import { Unreachable } from "./parts/Unreachable";
import type { ServerOptions } from "./wire";

const devices = new Devices();

/** Decides what is shown: the entrance, the opening, or a room with perhaps a page above it. */
export function App() {
  const [options, setOptions] = useState<ServerOptions | null>(null);
  const [problem, setProblem] = useState("");
  const chosen = useStore(preferences);
  const shut = useStore(door) === "shut";
  const route = useRoute();
  useEffect(() => wear(chosen.theme), [chosen.theme]);

  const look = useCallback(() => {
    setProblem("");
    api.options().then(setOptions, (error: Error) => setProblem(error.message));
  }, []);
  useEffect(look, [look]);

  const enter = useCallback(async () => {
    if (!options) return;
    try {
      const made = await api.beginSession(wishOf(preferences.get(), options));
      preferences.dispatch({ opened: true, session: made.id });
      go(roomPath(made.id));
    } catch (error) {
      setProblem((error as Error).message);
    }
  }, [options]);

  const session = route.session || chosen.session;
  const [note, setNote] = useState("");
  const lost = useCallback(() => {
    setNote("That conversation is no longer here. This is a new one.");
    void enter();
  }, [enter]);
  const visit = useVisit(chosen.opened && options && !shut ? session : "", lost);
  useEffect(() => {
    if (!chosen.opened || !options || shut || route.page !== "room") return;
    if (!session) void enter();
    else if (!route.session) go(roomPath(session));
    else preferences.dispatch({ session: route.session });
  }, [chosen.opened, options, shut, route.page, route.session, session, enter]);

  const entered = () => {
    door.dispatch("open");
    look();
  };
  if (shut) return <Entrance entered={entered} />;
  if (problem) return <Unreachable problem={problem} again={look} />;
  if (!options) return null;
  if (!chosen.opened || route.page === "opening") return <Opening options={options} devices={devices} visit={visit} enter={enter} />;
  const back = () => go(roomPath(session));
  return (
    <>
      {visit && <RoomPage key={session} visit={visit} session={session} options={options} devices={devices} why={route.why} note={note} dismiss={() => setNote("")} />}
      {route.page === "settings" && visit && <Settings visit={visit} options={options} devices={devices} close={back} />}
      {route.page === "help" && visit && <HelpPage visit={visit} options={options} close={back} />}
      {route.page === "conversations" && <Conversations session={session} begin={enter} close={back} />}
    </>
  );
}

/** A visit lasts as long as its conversation is the one that is open. */
function useVisit(session: string, lost: () => void): Visit | null {
  const [visit, setVisit] = useState<Visit | null>(null);
  useEffect(() => {
    if (!session) return;
    const made = new Visit(session, devices, preferences.get().voice);
    setVisit(made);
    const unwatch = made.store.subscribe(() => {
      if (made.store.get().link.kind !== "gone") return;
      unwatch();
      lost();
    });
    return () => {
      unwatch();
      made.close();
      setVisit(null);
    };
  }, [session, lost]);
  return visit;
}
