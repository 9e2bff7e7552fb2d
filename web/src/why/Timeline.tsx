import { duration } from "../parts/names";
import { sum, timelineOf, toldOf } from "../trace/cost";
import { titleOf } from "../trace/names";
import type { Trace } from "../trace/story";

/** Where the time went: one row a pass, and after it the voice and the face. */
export function Timeline({ trace }: { trace: Trace }) {
  const rows = timelineOf(trace);
  if (!sum(rows.map((row) => row.ms))) return null;
  const hues = new Map(rows.flatMap((row) => row.segments.map(({ step, hue }) => [step, hue] as const)));
  return (
    <section className="time" aria-labelledby="why-time">
      <h3 id="why-time" className="part">
        Where the time went
      </h3>
      <p className="soft">{toldOf(rows)}</p>
      <div className="timeline" role="img" aria-label="The same as a picture; the numbers are in the table below.">
        {rows.map((row) => (
          <div key={row.label} className="time-row">
            <span>{row.label}</span>
            <div className="track">
              <i style={{ width: `${row.offset}%` }} />
              {row.segments.map(({ step, ms, percent, hue }, index) => (
                <div key={index} className={`segment hue-${hue}`} style={{ width: `${percent}%` }} title={`${titleOf(step)}, ${duration(ms)}`}>
                  <span>{titleOf(step)}</span>
                </div>
              ))}
            </div>
            <span className="soft">{duration(row.ms)}</span>
          </div>
        ))}
      </div>
      <ul className="key" aria-hidden="true">
        {[...hues].map(([step, hue]) => (
          <li key={step}>
            <i className={`swatch hue-${hue}`} />
            {titleOf(step)}
          </li>
        ))}
      </ul>
      <details>
        <summary>The same in numbers</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Step</th>
              <th scope="col">Time</th>
              <th scope="col">Share</th>
            </tr>
          </thead>
          <tbody>
            {rows.flatMap((row) =>
              row.segments.map(({ step, ms, percent }, index) => (
                <tr key={`${row.label} ${index}`}>
                  <td>{row.label}</td>
                  <th scope="row">{titleOf(step)}</th>
                  <td>{duration(ms)}</td>
                  <td>{percent.toFixed(1)} %</td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      </details>
    </section>
  );
}
