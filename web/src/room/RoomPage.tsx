import { useEffect, useMemo } from "react";
import { HelpCard } from "../help/HelpCard";
import { Header } from "../parts/Header";
import { named } from "../parts/names";
import type { Devices } from "../state/devices";
import { preferences } from "../state/preferences";
import { useStore } from "../state/store";
import { moodOf } from "../state/words";
import { allowedBy, type Visit } from "../state/visit";
import { Why } from "../why/Why";
import type { ServerOptions } from "../wire";
import { Composer } from "./Composer";
import { Face } from "./Face";
import { Notices } from "./Notices";
import { Readings } from "./Readings";
import { Status } from "./Status";
import { Transcript } from "./Transcript";

interface Props {
  readonly visit: Visit;
  readonly session: string;
  readonly options: ServerOptions;
  readonly devices: Devices;
  readonly why: number | null;
  /** Something to know about how one came here. */
  readonly note: string;
  readonly dismiss: () => void;
}

/** The room: a face, what is said, and, if wished, why. */
export function RoomPage({ visit, session, options, devices, why, note, dismiss }: Props) {
  const room = useStore(visit.store);
  const device = useStore(devices.store);
  const { voice, readings } = useStore(preferences);
  const { microphone, tone, camera } = allowedBy(device, voice);
  useEffect(() => visit.allow({ microphone, tone, camera, voice }), [visit, microphone, tone, camera, voice]);
  const identity = room.session?.identity ?? options.identity;
  const who = useMemo(() => options.identities.find((each) => each.name === identity), [options, identity]);
  const name = named(identity);
  useEffect(() => {
    document.title = `${name} · Heartfelt`;
  }, [name]);
  const mood = moodOf(room);
  const busy = mood === "speaking" || (mood === "thinking" && room.link.kind === "open");
  return (
    <div className={why === null ? "room" : "room reasoned"}>
      <Header session={session} disclosure={options.disclosure} />
      <main className="talk">
        <h1 className="unseen">A conversation with {name}</h1>
        <section className="presence" aria-label={name}>
          <Face who={who} name={name} room={room} clock={visit.clock} />
          <Status room={room} name={name} hearing={microphone} />
          <Readings device={device} sensed={room.sensed} shown={readings} show={(shown) => preferences.dispatch({ readings: shown })} />
        </section>
        <section className="words" aria-label="Conversation">
          <Transcript room={room} visit={visit} name={name} options={options} why={why} />
          <Notices
            room={room}
            device={device}
            note={note}
            dismiss={() => {
              visit.store.dispatch({ type: "error", text: "" });
              dismiss();
            }}
          />
          <HelpCard room={room} visit={visit} options={options} />
          <Composer visit={visit} devices={devices} device={device} options={options} session={session} returned={room.returned} busy={busy} hearing={microphone && room.sensed.heard !== ""} />
        </section>
      </main>
      {why !== null && <Why key={why} visit={visit} room={room} turn={why} session={session} name={named(room.turns[why]?.identity || identity)} voice={options.voice} />}
    </div>
  );
}
