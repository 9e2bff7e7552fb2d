import { article, duration, percent, size } from "../../parts/names";
import { sum } from "../../trace/cost";
import type { Performance } from "../../wire";
import { Bar } from "../Bars";
import { FactList, type Fact } from "../FactList";
import { Findings } from "../Findings";
import { clock } from "../senses/axis";
import { wordsOf } from "../StepBody";
import { Code } from "../Technical";
import { channelsOf, clausesOf, whoOf, type Channel } from "./channels";
import { ChannelBody } from "./ChannelBody";
import { NOTHING, type Media, type Medium } from "./media";

const PARTS: ReadonlyMap<string, string> = new Map([
  ["voice", "speaking"],
  ["face", "drawing"],
  ["proof", "checking"],
]);
const told = (text: string): string => text.replace(/^[ .]+|[ .]+$/g, "").toLowerCase();

/** The reply as it was spoken and shown: the film, what voice and face were to carry, and what arrived of it. */
export function Performed({ made, media = NOTHING }: { made: Performance; media?: Media }) {
  const channels = channelsOf(made);
  const repeated = (channel: Channel) => made.findings.some(({ problem }) => told(problem) === told(channel.note));
  return (
    <section className="performed" aria-labelledby="why-performed">
      <h3 id="why-performed" className="part">
        Voice and face
      </h3>
      <Summary made={made} channels={channels} />
      <div className="stage" data-filmed={media.shown.some(({ kind, source, poster }) => kind === "film" && (source || poster))}>
        <Players made={made} media={media} />
        <Carry made={made} />
      </div>
      <div className="channels">
        {channels.map((channel, index) => (
          <ChannelBody key={index} channel={channel} noted={!repeated(channel)} />
        ))}
        {made.findings.length > 0 && (
          <article className="step" data-audit="fault" aria-label="Looking back at the performance">
            <header>
              <h4>Looked over</h4>
              <Code name="express" />
            </header>
            <div className="cell">
              <Findings findings={made.findings} mend />
            </div>
          </article>
        )}
      </div>
    </section>
  );
}

function Summary({ made, channels }: { made: Performance; channels: readonly Channel[] }) {
  const plain = made.emotion === "neutral" || made.intensity <= 0;
  return (
    <p className="gist" dir="auto">
      {whoOf(made.identity)} says it{" "}
      {plain ? (
        <b>without a feeling to carry</b>
      ) : (
        <>
          with <b>{made.emotion}</b> at {percent(made.intensity)}
        </>
      )}
      {made.tone && (
        <>
          , in {article(made.tone)} <b>{made.tone}</b> tone
        </>
      )}
      {clausesOf(made, channels).map((clause) => `; ${clause}`)}.
    </p>
  );
}

function Players({ made, media }: { made: Performance; media: Media }) {
  if (!media.shown.length && !media.remarks.length) return null;
  return (
    <div className="players">
      {media.shown.map((medium) => (
        <figure key={medium.name}>
          <Player medium={medium} label={`${whoOf(made.identity)} says the reply`} />
          <figcaption className="soft">
            {medium.source ? (
              <span dir="auto">{medium.name}</span>
            ) : (
              <>
                The {medium.kind} lies beside this page:{" "}
                <a href={medium.link} dir="auto">
                  {medium.name}
                </a>
              </>
            )}
            , {clock(made.seconds)}, {size(medium.bytes)}
            {medium.source && ", in this page"}
          </figcaption>
        </figure>
      ))}
      {media.remarks.map((remark) => (
        <p key={remark} className="notice" dir="auto">
          {remark}
        </p>
      ))}
    </div>
  );
}

function Player({ medium: { kind, source, poster, captions, link }, label }: { medium: Medium; label: string }) {
  const still = poster ? `data:image/jpeg;base64,${poster.data}` : undefined;
  if (kind === "sound") return source && <audio controls preload="metadata" aria-label={label} src={source} />;
  if (source)
    return (
      <video controls playsInline preload="metadata" aria-label={label} width={poster?.width} height={poster?.height} poster={still} src={source}>
        {captions && <track kind="captions" label="The reply" src={captions} />}
      </video>
    );
  return (
    still && (
      <a href={link}>
        <img src={still} width={poster?.width} height={poster?.height} alt={`${label}, a picture of the film; open the film`} />
      </a>
    )
  );
}

function Carry({ made }: { made: Performance }) {
  const parts = Object.entries(made.ms);
  const longest = Math.max(...parts.map(([, ms]) => ms), 1e-9);
  const facts: readonly Fact[] = [
    ["tone", made.tone],
    ["identity", `${whoOf(made.identity)}, ${wordsOf(made.identity)}`],
    ["voice made by", made.voice],
    ["face made by", made.face],
    ["length", clock(made.seconds)],
    ["written", made.files.join(", ")],
  ];
  return (
    <div className="carry">
      <h4>What was to be carried</h4>
      <p className="feeling" dir="auto">
        {made.emotion}
      </p>
      <ul className="bars">
        <Bar label="intensity" share={made.intensity} value={percent(made.intensity)} strong />
      </ul>
      <FactList className="plan" facts={facts} />
      {parts.length > 0 && (
        <>
          <h4>Time it took, {duration(sum(parts.map(([, ms]) => ms)))}</h4>
          <ul className="bars">
            {parts.map(([name, ms]) => (
              <Bar key={name} label={PARTS.get(name) ?? name} share={ms / longest} value={duration(ms)} />
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
