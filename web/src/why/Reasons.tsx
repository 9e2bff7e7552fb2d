import { useState } from "react";
import { noticed } from "../trace/marks";
import { chosen, type Story } from "../trace/story";
import type { Keep, StepRecord, TurnView } from "../wire";
import { inDanger, inTries } from "./columns";
import { Facts } from "./Facts";
import { Failure } from "./Failure";
import { Gist } from "./Gist";
import { HowItCame } from "./HowItCame";
import { LookBack } from "./LookBack";
import { Notices } from "./Notices";
import { Performed } from "./performance/Performed";
import { Play } from "./play/Play";
import { Senses } from "./senses/Senses";
import { SetupFacts } from "./SetupFacts";
import { Share } from "./Share";
import { Timeline } from "./Timeline";

interface Props {
  readonly story: Story;
  readonly turn: TurnView;
  readonly session: string;
  readonly name: string;
  /** Whether this server speaks. */
  readonly voice: boolean;
  /** Silences the reply that is being said. */
  readonly hush: () => void;
  /** Gives the turn another answer. */
  readonly keep: (wanted: Keep) => Promise<void>;
}

/** The whole of it, from what was noticed to what it cost. */
export function Reasons({ story, turn, session, name, voice, hush, keep }: Props) {
  const { answer, back } = story;
  const [editing, setEditing] = useState<StepRecord | null>(null);
  const answered = answer.finished !== undefined;
  const playable = answered && !inDanger(answer);
  return (
    <>
      {playable ? <Play trace={answer} session={session} turn={turn.number} voice={voice} hush={hush} keep={keep} editing={editing} stopEditing={() => setEditing(null)} /> : <Gist trace={answer} />}
      {answered && <Share session={session} turn={turn.number} />}
      <Senses trace={answer} readings={turn.readings} cited={noticed(chosen(answer))} />
      <HowItCame trace={answer} readings={turn.readings} over={answered || answer.failed !== undefined} edit={playable ? setEditing : undefined}>
        <Notices notices={answer.notices} />
        {answer.finished && answer.passes.length > 1 && <p className="chosen-why">{inTries(answer.finished.why_chosen)}</p>}
        {answer.failed && <Failure failed={answer.failed} />}
      </HowItCame>
      <LookBack thought={turn.afterthought} back={back} name={name} />
      {answer.performance && <Performed made={answer.performance} />}
      <Timeline trace={answer} />
      <section aria-labelledby="why-facts">
        <h3 id="why-facts" className="part">
          Time and cost
        </h3>
        <Facts trace={answer} back={back} times={turn.times} />
      </section>
      {answer.started && <SetupFacts started={answer.started} />}
    </>
  );
}
