import { useId } from "react";
import { percent } from "../../parts/names";
import { marksOf, type Axis, type Place } from "./axis";
import { hueOf, type Lane } from "./lanes";
import { topOf } from "./SensedTurn";

/** Runs that are told to those who do not see the picture. */
const MOST_TOLD = 12;

/** A sense's emotions along the line of time, and under them the cues that it measured. */
export function LaneRows({ lane, axis, ticks }: { lane: Lane; axis: Axis; ticks: readonly Place[] }) {
  return (
    <>
      <div className={lane.disputed ? "lane-row disputed" : "lane-row"}>
        <div className="lane-head">
          <p>
            <b>{lane.source}</b> {lane.emotion && `${lane.emotion} ${percent(lane.share)}`} {lane.disputed && <span className="tag bad">disagrees</span>}
          </p>
          <p className="soft">{lane.emotion ? `reliability ${percent(lane.reliability)} · ${lane.vote ? `vote ${percent(lane.vote)}` : "no vote"}` : "no vote"}</p>
        </div>
        <div className="lane-body">
          {lane.piles.length > 0 ? <Landscape lane={lane} axis={axis} /> : <p className="lane empty soft">{lane.note}</p>}
          {lane.piles.length > 0 && ticks.length > 0 && (
            <svg className="ticks" viewBox="0 0 100 1" preserveAspectRatio="none" role="img" aria-label="When words were heard">
              {ticks.map(({ left, width }, index) => (
                <rect key={index} x={left} width={Math.max(width - 0.25, 0.2)} y="0" height="1" />
              ))}
            </svg>
          )}
          {lane.piles.length > 0 && lane.note && <p className="soft aside">{lane.note}</p>}
        </div>
      </div>
      {lane.marks.map(({ id, text, strength, when, place, cited }) => (
        <div key={id} id={id} tabIndex={-1} className={cited ? "lane-row cue-row cited" : "lane-row cue-row"}>
          <p className="lane-head">
            {text} {cited && <span className="tag quiet">cited</span>} <span className="soft">{[when, strength].filter(Boolean).join(", ")}</span>
          </p>
          <svg className={`span ${strength}`} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
            <rect x={place.left} width={place.width} y="0" height="1" />
          </svg>
        </div>
      ))}
      {lane.unshown > 0 && (
        <div className="lane-row cue-row">
          <p className="lane-head soft">
            and {lane.unshown} weaker {lane.unshown === 1 ? "cue" : "cues"}
          </p>
        </div>
      )}
    </>
  );
}

function Landscape({ lane, axis }: { lane: Lane; axis: Axis }) {
  const told = useId();
  return (
    <div className="lane">
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-labelledby={told}>
        <desc id={told}>
          {lane.source}: {lane.runs.slice(0, MOST_TOLD).map(({ emotion, share, when }) => `${emotion} ${percent(share)}${when && ` at ${when}`}`).join(", then ")}.
        </desc>
        {lane.piles.map(({ place, slices, reliability, when, shares }, index) => (
          <g key={index} opacity={(0.35 + 0.65 * reliability).toFixed(2)}>
            <title>{`${when && `${when}: `}${topOf(shares)}; reliability ${percent(reliability)}`}</title>
            {slices.map(({ emotion, top, height }) => (
              <rect key={emotion} className={`fill-${hueOf(emotion)}`} x={place.left} width={place.width} y={top} height={height} />
            ))}
          </g>
        ))}
        {marksOf(axis).map(([left]) => left > 0 && left < 100 && <path key={left} className="grid" d={`M${left} 0V100`} />)}
      </svg>
      {lane.runs.map(({ place, emotion, share }, index) => (
        <span key={index} className="run" style={{ left: `${place.left}%`, width: `${place.width}%` }} aria-hidden="true">
          <span>
            {emotion} <small>{percent(share)}</small>
          </span>
        </span>
      ))}
    </div>
  );
}
