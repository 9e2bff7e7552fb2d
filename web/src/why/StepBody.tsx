import { named, percent } from "../parts/names";
import { STRATEGIES, type Cause, type Delivery, type Evidence, type Exemplars, type Forecast, type Output, type Plan, type Situation } from "../wire";
import { Bars } from "./Bars";
import { Text } from "./Text";

/** What a step made, in the form that fits it; `before` is what an earlier pass had made of it. */
export function StepBody({ output, before }: { output: Output; before?: Output | undefined }) {
  switch (output.kind) {
    case "evidence":
      return <EvidenceBody now={output} before={alike(output, before)} />;
    case "forecast":
      return <ForecastBody now={output} before={alike(output, before)} />;
    case "cause":
      return <CauseBody now={output} before={alike(output, before)} />;
    case "plan":
      return <PlanBody now={output} before={alike(output, before)} />;
    case "exemplars":
      return <ExemplarsBody now={output} />;
    case "delivery":
      return <DeliveryBody now={output} before={alike(output, before)} />;
    case "reply":
      return <Words now={output.text} before={alike(output, before)?.text} />;
    case "situation":
      return <SituationBody now={output} before={alike(output, before)} />;
    case "scenario":
      return <Words now={output.event} before={alike(output, before)?.event} />;
    case "goal":
      return <Words now={output.goal} before={alike(output, before)?.goal} />;
    case "strategy":
      return <Words now={STRATEGIES[output.choice] ?? output.choice} before={alike(output, before) && (STRATEGIES[alike(output, before)!.choice] ?? "")} />;
  }
}

/** An earlier output, if it is of the same kind. */
function alike<Kind extends Output>(now: Kind, before: Output | undefined): Kind | undefined {
  return before?.kind === now.kind ? (before as Kind) : undefined;
}

const Words = ({ now, before }: { now: string; before?: string | undefined }) => (
  <p className="said">
    <Text now={now} before={before} />
  </p>
);

const SENSES = { voice: "heard", face: "seen", picture: "seen" } as const;

function EvidenceBody({ now, before }: { now: Evidence; before: Evidence | undefined }) {
  return (
    <>
      <ul className="cues">
        {now.cues.map((cue, index) => (
          <li key={index} data-source={cue.source}>
            <span className="said">{cue.source === "words" ? <q>{cue.quote}</q> : cue.quote}</span>
            <span className="soft">
              {cue.meaning}
              {cue.source !== "words" && `, ${SENSES[cue.source]}`}
            </span>
          </li>
        ))}
      </ul>
      {now.summary && (
        <p>
          <Text now={now.summary} before={before?.summary} />
        </p>
      )}
    </>
  );
}

function SituationBody({ now, before }: { now: Situation; before: Situation | undefined }) {
  return (
    <>
      <p className="feeling">
        <Text now={now.message} before={before?.message} />
        {now.confidence !== null && <span className="soft"> {percent(now.confidence)} sure</span>}
      </p>
      {now.distribution && <Bars shares={now.distribution} />}
      {now.meaning && <p>{now.meaning}</p>}
    </>
  );
}

function ForecastBody({ now, before }: { now: Forecast; before: Forecast | undefined }) {
  return (
    <>
      <p className="feeling">
        <Text now={now.emotion} before={before?.emotion} />
        {now.confidence !== null && <span className="soft"> {percent(now.confidence)} sure</span>}
      </p>
      {now.distribution && <Bars shares={now.distribution} />}
      {now.why && <p>{now.why}</p>}
      {now.conflict && <p className="conflict">Against it: {now.conflict}</p>}
    </>
  );
}

function CauseBody({ now, before }: { now: Cause; before: Cause | undefined }) {
  return (
    <>
      <ul className="cues causes">
        {now.spans.map((span) => (
          <li key={span}>
            <q className="said">{span}</q>
          </li>
        ))}
      </ul>
      {now.summary && <p>{now.summary}</p>}
      <p className="soft">
        <Text now={now.category} before={before?.category} />
      </p>
    </>
  );
}

function PlanBody({ now, before }: { now: Plan; before: Plan | undefined }) {
  return (
    <>
      <dl className="plan">
        {(["goal", "stance", "tactic", "tone"] as const).map((name) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Text now={now[name]} before={before?.[name]} />
            </dd>
          </div>
        ))}
      </dl>
      {now.why && (
        <p>
          <Text now={now.why} before={before?.why} />
        </p>
      )}
    </>
  );
}

function ExemplarsBody({ now }: { now: Exemplars }) {
  if (!now.found.length) return <p className="soft">Nothing alike was remembered.</p>;
  return now.found.map((each) => (
    <figure key={each.situation} className="exemplar">
      <blockquote>
        <p className="said">{each.situation}</p>
        <p className="said answer">{each.reply}</p>
      </blockquote>
      <figcaption className="soft">
        {each.emotion}, {each.match === "precise" ? "the same feeling" : "alike in meaning"} ({each.similarity.toFixed(2)}); learnt from, never repeated
      </figcaption>
    </figure>
  ));
}

function DeliveryBody({ now, before }: { now: Delivery; before: Delivery | undefined }) {
  return (
    <p>
      <Text now={now.emotion} before={before?.emotion} />, at {percent(now.intensity)}, by {named(now.identity.name || now.identity.age)}
    </p>
  );
}
