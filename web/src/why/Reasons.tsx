import { noticed } from "../trace/marks";
import { chosen, type Story } from "../trace/story";
import type { TurnView } from "../wire";
import { inDanger, inTries } from "./columns";
import { useReplay } from "./edit/useReplay";
import { Facts } from "./Facts";
import { Failure } from "./Failure";
import { Gist } from "./Gist";
import { HowItCame } from "./HowItCame";
import { LookBack } from "./LookBack";
import { Notices } from "./Notices";
import { Performed } from "./performance/Performed";
import { Senses } from "./senses/Senses";
import { SetupFacts } from "./SetupFacts";
import { Timeline } from "./Timeline";

interface Props {
  readonly story: Story;
  readonly turn: TurnView;
  readonly session: string;
  readonly name: string;
}

/** The whole of it, from what was noticed to what it cost. */
export function Reasons({ story, turn, session, name }: Props) {
  const { answer, back } = story;
  const replay = useReplay(session, turn.number);
  const answered = answer.finished !== undefined;
  return (
    <>
      <Gist trace={answer} />
      <Senses trace={answer} readings={turn.readings} cited={noticed(chosen(answer))} />
      <HowItCame trace={answer} readings={turn.readings} over={answered || answer.failed !== undefined} edit={answered && !inDanger(answer) ? replay.begin : undefined}>
        <Notices notices={answer.notices} />
        {answer.finished && answer.passes.length > 1 && <p className="chosen-why">{inTries(answer.finished.why_chosen)}</p>}
        {answer.failed && <Failure failed={answer.failed} />}
      </HowItCame>
      {replay.view}
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
