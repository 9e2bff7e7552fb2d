import type { ReactNode } from "react";
import { Icon } from "../../parts/Icon";
import { difference } from "../../trace/difference";
import type { Hearing } from "./useHearing";

/** One of the two answers. */
export interface Version {
  readonly title: string;
  readonly reply: string;
  /** Of the pass that it was taken from. */
  readonly number: number;
  /** Whether it is the one that the conversation has. */
  readonly current: boolean;
}

interface Props {
  readonly versions: readonly [Version, Version | null];
  /** In place of the second, while it is not there yet. */
  readonly coming?: ReactNode;
  /** Under the second. */
  readonly remark?: ReactNode;
  /** Nothing where the server does not speak. */
  readonly hearing: Hearing | null;
  readonly keep: (version: Version) => void;
  /** Whether the choice is open: then either can be kept. */
  readonly open: boolean;
}

/** Two answers beside each other, with what differs between their words. */
export function Answers({ versions: [first, second], coming, remark, hearing, keep, open }: Props) {
  const footer = (version: Version) => (
    <footer>
      {hearing && <Hear version={version} hearing={hearing} />}
      {(open || !version.current) && (
        <button type="button" className="plain" onClick={() => keep(version)}>
          Keep this one<span className="unseen">: {version.title}</span>
        </button>
      )}
    </footer>
  );
  return (
    <div className="answers" role="group" aria-label="Both answers">
      <Card version={first} told={!open} words={<Words text={first.reply} other={second?.reply} kind="gone" />}>
        {footer(first)}
      </Card>
      {second ? (
        <Card version={second} told={!open} words={<Words text={second.reply} other={first.reply} kind="new" />}>
          {remark}
          {footer(second)}
        </Card>
      ) : (
        <article className="version" aria-label="With your change">
          <h4>With your change</h4>
          {coming}
        </article>
      )}
    </div>
  );
}

const Card = ({ version: { title, current }, told, words, children }: { version: Version; told: boolean; words: ReactNode; children: ReactNode }) => (
  <article className="version" aria-label={title} data-current={current}>
    <h4>
      {title} {current && told && <span className="tag quiet">kept</span>}
    </h4>
    {words}
    {children}
  </article>
);

/** How much two texts must have in common for their differences to be worth marking. */
const ALIKE = 0.25;

function Words({ text, other, kind }: { text: string; other: string | undefined; kind: "gone" | "new" }) {
  const pieces = other === undefined || other === text ? [] : (kind === "gone" ? difference(text, other) : difference(other, text)).filter((piece) => piece.kind === "same" || piece.kind === kind);
  const common = pieces.filter((piece) => piece.kind === "same").reduce((sum, piece) => sum + piece.text.trim().length, 0);
  const marked = common >= ALIKE * text.length;
  return (
    <p className="said" dir="auto">
      {marked ? pieces.map((piece, index) => (piece.kind === "same" ? piece.text : <Changed key={index} text={piece.text} kind={kind} />)) : text}
    </p>
  );
}

/** The space before a word stays outside the mark. */
function Changed({ text, kind }: { text: string; kind: "gone" | "new" }) {
  const words = text.trimStart();
  const Mark = kind === "gone" ? "del" : "ins";
  return (
    <>
      {text.slice(0, text.length - words.length)}
      <Mark>{words}</Mark>
    </>
  );
}

function Hear({ version: { title, number }, hearing: { now, hear } }: { version: Version; hearing: Hearing }) {
  const mine = now?.number === number ? now : null;
  return (
    <button type="button" className="plain hear" aria-busy={mine?.making ?? false} onClick={() => hear(number)}>
      <Icon name={mine ? "stop" : "play"} /> {mine ? (mine.making ? "Finding the voice" : "Stop") : "Hear it"}
      <span className="unseen">: {title}</span>
    </button>
  );
}
