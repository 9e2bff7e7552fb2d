import { chosen, type Story } from "../trace/story";
import { evidenceOf } from "../trace/marks";
import type { TurnView } from "../wire";
import { columnsOf, inDanger, inTries } from "./columns";
import { Comparison } from "./Comparison";
import { Danger } from "./Danger";
import { useReplay } from "./edit/useReplay";
import { Facts } from "./Facts";
import { Gist } from "./Gist";
import { KeptBack } from "./KeptBack";
import { LookBack } from "./LookBack";
import { Seen } from "./Seen";

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
  const over = answer.finished !== undefined && !inDanger(answer);
  return (
    <>
      <Gist pass={chosen(answer)} />
      <Seen trace={answer} readings={turn.readings} cues={evidenceOf(chosen(answer))?.cues ?? []} />
      <section aria-labelledby="why-steps">
        <h3 id="why-steps" className="part">
          How it came to these words
        </h3>
        {answer.screened && <Danger alert={answer.screened} />}
        {answer.passes.length > 1 && <p className="soft">It looked its first try over, found a fault, and went on from there.</p>}
        <Comparison columns={columnsOf(answer)} edit={over ? replay.begin : undefined} />
        {answer.guarded.map((guarded, index) => (
          <KeptBack key={index} guarded={guarded} />
        ))}
        {answer.notices.map((notice) => (
          <p key={notice} className="soft">
            {notice}
          </p>
        ))}
        {answer.finished && answer.passes.length > 1 && <p className="chosen-why">{inTries(answer.finished.why_chosen)}</p>}
        {answer.failed && (
          <p className="problem" role="alert">
            {answer.failed.message}
          </p>
        )}
      </section>
      {replay.view}
      <LookBack thought={turn.afterthought} back={back} name={name} />
      <Facts trace={answer} back={back} times={turn.times} />
    </>
  );
}
