import { percent } from "../../parts/names";
import { Bar } from "../Bars";
import { judged, SIGNS, type Channel, type Quality, type State } from "./channels";

/** Whether the emotion arrived in the voice or in the face; `noted`: with the note, which may be told elsewhere. */
export function ChannelBody({ channel, noted }: { channel: Channel; noted: boolean }) {
  const right = judged(channel);
  return (
    <article className="step" aria-label={channel.name}>
      <header>
        <h4>{channel.name === "voice" ? "Voice" : "Face"}</h4>
        <code>{channel.madeBy}</code>
      </header>
      <div className="cell">
        <p className="feeling arrived" dir="auto">
          <Sign state={channel.state} /> {channel.verdict}
        </p>
        <dl className="plan">
          <div>
            <dt>intended</dt>
            <dd dir="auto">
              {channel.intended} {channel.meant && channel.meant !== channel.intended && <small className="soft">the senses call it {channel.meant}</small>}
            </dd>
          </div>
          {channel.recognised && (
            <div>
              <dt>recognised</dt>
              <dd dir="auto">
                {channel.recognised} <small className="soft">{percent(channel.share)}</small>
              </dd>
            </div>
          )}
          {right.length > 0 && (
            <div>
              <dt>measured</dt>
              <dd>
                {right.filter(({ state }) => state === "ok").length} of {right.length} changes the right way
              </dd>
            </div>
          )}
        </dl>
        {noted && channel.note && (
          <p className="notice" dir="auto">
            {channel.note}
          </p>
        )}
        {channel.bars.length > 0 && (
          <ul className="bars" aria-label={`What the senses make of the ${channel.name}`}>
            {channel.bars.map(({ emotion, share, recognised, intended }) => (
              <Bar key={emotion} label={intended ? `${emotion} (meant)` : emotion} share={share} value={percent(share)} strong={recognised} meant={intended} />
            ))}
          </ul>
        )}
        {channel.qualities.length > 0 && <Qualities qualities={channel.qualities} scale={channel.scale} />}
      </div>
    </article>
  );
}

const Sign = ({ state }: { state: State }) => (
  <span className={`sign ${state}`} aria-hidden="true">
    {SIGNS[state]}
  </span>
);

function Qualities({ qualities, scale }: { qualities: readonly Quality[]; scale: number }) {
  const steps = `${scale} ${scale === 1 ? "step" : "steps"}`;
  return (
    <>
      <ul className="qualities" aria-label="Qualities of the voice, in steps to the ear">
        {qualities.map(({ name, low, high, state, verdict, told, wanted, got }) => (
          <li key={name}>
            <b dir="auto">{name}</b>
            <span className="soft">{told}</span>
            <span>
              <Sign state={state} /> {verdict}
            </span>
            <div className="scale" aria-hidden="true">
              <span>{low}</span>
              <svg width="100%" height="20">
                <rect className="asked" x={`${wanted.left}%`} width={`${wanted.width}%`} y="2" height="16" rx="3" />
                {got && <rect className={`got ${state}`} x={`${got.left}%`} width={`${got.width}%`} y="7" height="6" rx="1" />}
                <line x1="50%" x2="50%" y1="0" y2="20" />
              </svg>
              <span>{high}</span>
            </div>
          </li>
        ))}
      </ul>
      <div className="scale ends" aria-hidden="true">
        <span />
        <p>
          <span>{steps}</span>
          <span>at rest</span>
          <span>{steps}</span>
        </p>
        <span />
      </div>
      <p className="soft fine-print">
        The wide bars are what was asked for, the narrow ones what was measured, in steps to the ear away from how the same voice sounds at rest. Sentences differ, so all changes are judged together and no single
        one decides.
      </p>
    </>
  );
}
