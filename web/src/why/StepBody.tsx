import { useContext } from "react";
import { named, percent } from "../parts/names";
import { find } from "../trace/marks";
import { messageName } from "../trace/messages";
import { STRATEGIES, type Cause, type Cue, type Delivery, type Evidence, type Exemplars, type Forecast, type Identity, type Output, type Plan, type Situation, type Strategy } from "../wire";
import { Bars } from "./Bars";
import { FactList } from "./FactList";
import { Technical } from "./Technical";
import { Text, Was } from "./Text";

/** What a step stands on: quotes are held against it. */
export interface Grounds {
  /** All that was said; without it nothing is held against it. */
  readonly said?: readonly string[] | undefined;
  /** The anchor of what was measured, where it is drawn; empty where it is not. */
  readonly drawnAt?: ((cue: Cue) => string) | undefined;
}

interface Props extends Grounds {
  readonly output: Output;
  /** What an earlier pass had made of it. */
  readonly before?: Output | undefined;
}

/** What a step made, in the form that fits it. */
export function StepBody({ output, before, ...grounds }: Props) {
  switch (output.kind) {
    case "evidence":
      return <EvidenceBody now={output} before={alike(output, before)} {...grounds} />;
    case "forecast":
      return <ForecastBody now={output} before={alike(output, before)} />;
    case "cause":
      return <CauseBody now={output} before={alike(output, before)} {...grounds} />;
    case "plan":
      return <PlanBody now={output} before={alike(output, before)} />;
    case "exemplars":
      return <ExemplarsBody now={output} />;
    case "delivery":
      return <DeliveryBody now={output} before={alike(output, before)} />;
    case "reply":
      return <ReplyBody now={output.text} before={alike(output, before)?.text} />;
    case "situation":
      return <SituationBody now={output} before={alike(output, before)} />;
    case "scenario":
      return <Words now={output.event} before={alike(output, before)?.event} />;
    case "goal":
      return <Words now={output.goal} before={alike(output, before)?.goal} />;
    case "strategy":
      return <StrategyBody now={output} before={alike(output, before)} />;
  }
}

/** The same in a few words, for where it is folded away. */
export function gistOf(output: Output): string {
  const sure = (confidence: number | null) => (confidence === null ? "" : `, ${percent(confidence)} sure`);
  const short = (text: string) => (text.length > 80 ? `${text.slice(0, 79)}…` : text);
  switch (output.kind) {
    case "evidence":
      return `${output.cues.length} ${output.cues.length === 1 ? "cue" : "cues"}`;
    case "scenario":
      return short(output.event);
    case "situation":
      return messageName(output.message) + sure(output.confidence);
    case "forecast":
      return output.emotion + sure(output.confidence);
    case "cause":
      return output.category;
    case "plan":
      return [output.goal, output.stance, output.tactic, output.tone].join(", ");
    case "strategy":
      return strategyOf(output);
    case "goal":
      return short(output.goal);
    case "exemplars":
      return `${output.found.length} remembered`;
    case "reply":
      return short(output.text);
    case "delivery":
      return `${output.emotion}, as ${output.bank}`;
  }
}

const strategyOf = ({ choice }: Strategy): string => (Object.hasOwn(STRATEGIES, choice) ? STRATEGIES[choice]! : choice);

/** An earlier output, if it is of the same kind. */
function alike<Kind extends Output>(now: Kind, before: Output | undefined): Kind | undefined {
  return before?.kind === now.kind ? (before as Kind) : undefined;
}

const Words = ({ now, before }: { now: string; before?: string | undefined }) => (
  <p className="said" dir="auto">
    <Text now={now} before={before} />
  </p>
);

/** The words as they stand, and under them what changed. */
const ReplyBody = ({ now, before }: { now: string; before: string | undefined }) => (
  <>
    <Words now={now} />
    {before !== undefined && (
      <p className="against" dir="auto">
        <span className="soft">Against the one before: </span>
        <Text now={now} before={before} />
      </p>
    )}
  </>
);

/** A sentence or two of explanation, where there are any. */
const Why = ({ now, before }: { now: string; before?: string | undefined }) =>
  now && (
    <p dir="auto">
      <Text now={now} before={before} />
    </p>
  );

const isUnsaid = (quote: string, said: Grounds["said"]): boolean => !!said && !said.some((text) => find(quote, text));
const NeverSaid = () => <span className="tag bad">never said</span>;
const Dropped = ({ quote }: { quote: string }) => (
  <li className="dropped">
    <del dir="auto">{quote}</del>
  </li>
);

function EvidenceBody({ now, before, said, drawnAt }: { now: Evidence; before: Evidence | undefined } & Grounds) {
  const has = ({ cues }: Evidence, quote: string) => cues.some((cue) => cue.quote === quote);
  return (
    <>
      {!now.cues.length && <p className="soft">Nothing stood out.</p>}
      <ul className="cues">
        {now.cues.map((cue, index) => (
          <li key={index} data-source={cue.source}>
            <span>
              <span className={before && !has(before, cue.quote) ? "said fresh" : "said"} dir="auto">
                <Quoted cue={cue} anchor={drawnAt?.(cue)} />
              </span>
              {cue.source === "words" ? isUnsaid(cue.quote, said) && <NeverSaid /> : <span className="tag quiet">{cue.source}</span>}
            </span>
            <span className="soft" dir="auto">
              {cue.meaning}
            </span>
          </li>
        ))}
        {before?.cues.filter(({ quote }) => !has(now, quote)).map(({ quote }, index) => <Dropped key={`-${index}`} quote={quote} />)}
      </ul>
      <Why now={now.summary} before={before?.summary} />
    </>
  );
}

/** A cue; one that was measured leads to where it is drawn. */
export function Quoted({ cue, anchor }: { cue: Cue; anchor: string | undefined }) {
  if (cue.source === "words") return <q>{cue.quote}</q>;
  if (!anchor) return cue.quote;
  const show = (event: React.MouseEvent) => {
    event.preventDefault(); // the address of the app is its own
    const row = document.getElementById(anchor);
    row?.scrollIntoView({ block: "center" });
    row?.focus({ preventScroll: true });
  };
  return (
    <a className="at" href={`#${anchor}`} onClick={show}>
      {cue.quote}
    </a>
  );
}

function SituationBody({ now, before }: { now: Situation; before: Situation | undefined }) {
  return (
    <>
      <Sure now={messageName(now.message)} before={before && messageName(before.message)} confidence={now.confidence} />
      {now.distribution && <Bars shares={inWords(now.distribution)} first={messageName(now.message)} />}
      <Why now={now.meaning} before={before?.meaning} />
    </>
  );
}

const inWords = (shares: Readonly<Record<string, number>>) => Object.fromEntries(Object.entries(shares).map(([kind, share]) => [messageName(kind), share]));

function ForecastBody({ now, before }: { now: Forecast; before: Forecast | undefined }) {
  return (
    <>
      <Sure now={now.emotion} before={before?.emotion} confidence={now.confidence} />
      {now.distribution && <Bars shares={now.distribution} first={now.emotion} />}
      <Why now={now.why} before={before?.why} />
      {now.conflict && (
        <p className="conflict" dir="auto">
          Against it: {now.conflict}
        </p>
      )}
    </>
  );
}

const Sure = ({ now, before, confidence }: { now: string; before: string | undefined; confidence: number | null }) => (
  <p className="feeling" dir="auto">
    <Was now={now} before={before} />
    {confidence !== null && <span className="soft"> {percent(confidence)} sure</span>}
  </p>
);

function CauseBody({ now, before, said }: { now: Cause; before: Cause | undefined } & Grounds) {
  return (
    <>
      <ul className="cues causes">
        {now.spans.map((span, index) => (
          <li key={index}>
            <span>
              <q className={before && !before.spans.includes(span) ? "said fresh" : "said"} dir="auto">
                {span}
              </q>
              {isUnsaid(span, said) && <NeverSaid />}
            </span>
          </li>
        ))}
        {before?.spans.filter((span) => !now.spans.includes(span)).map((span) => <Dropped key={`-${span}`} quote={span} />)}
      </ul>
      <Why now={now.summary} before={before?.summary} />
      <p className="soft" dir="auto">
        <Was now={now.category} before={before?.category} />
      </p>
    </>
  );
}

const DIMENSIONS = ["goal", "stance", "tactic", "tone"] as const;

function PlanBody({ now, before }: { now: Plan; before: Plan | undefined }) {
  return (
    <>
      <FactList className="plan" facts={DIMENSIONS.map((name) => [name, <Was now={now[name]} before={before?.[name]} />])} />
      <Why now={now.why} before={before?.why} />
    </>
  );
}

function StrategyBody({ now, before }: { now: Strategy; before: Strategy | undefined }) {
  return (
    <>
      <p className="feeling" dir="auto">
        <Was now={strategyOf(now)} before={before && strategyOf(before)} />
      </p>
      <Why now={now.why} before={before?.why} />
    </>
  );
}

function ExemplarsBody({ now }: { now: Exemplars }) {
  if (!now.found.length) return <p className="soft">Nothing alike was remembered.</p>;
  return now.found.map((each, index) => (
    <figure key={index} className="exemplar">
      <blockquote dir="auto">
        <p className="said">{each.situation}</p>
        <p className="said answer">{each.reply}</p>
      </blockquote>
      <figcaption className="soft" dir="auto">
        {each.emotion}, {each.match === "precise" ? "the same feeling" : "alike in meaning"} ({each.similarity.toFixed(2)}){each.split && `, from ${each.split}`}; learnt from, never repeated
      </figcaption>
    </figure>
  ));
}

const AGES = ["child", "young", "middle-aged", "elderly"];
/** The number that AvaMERG gives a profile: age · 6 + gender · 3 + timbre. */
const profileOf = ({ age, gender, timbre }: Identity): number => AGES.indexOf(age) * 6 + ["male", "female"].indexOf(gender) * 3 + ["high", "mid", "low"].indexOf(timbre);
export const wordsOf = ({ age, gender, timbre }: Identity): string => `${age}-${gender}-${timbre}`;

function DeliveryBody({ now, before }: { now: Delivery; before: Delivery | undefined }) {
  const technical = useContext(Technical);
  return (
    <>
      <p className="said" dir="auto">
        <Was now={now.emotion} before={before?.emotion} />, at <Was now={percent(now.intensity)} before={before && percent(before.intensity)} />, by {named(now.identity.name) || wordsOf(now.identity)}
      </p>
      <p className="soft" dir="auto">
        {technical ? `In the bank of eight: ${now.bank}, by the map ${now.mapping}; profile ${profileOf(now.identity)} (${wordsOf(now.identity)}).` : `Of the eight ways to say it, the nearest is: ${now.bank}.`}
      </p>
    </>
  );
}
