import { Icon } from "../parts/Icon";
import { noticed } from "../trace/marks";
import { chosen, follow, NOTHING } from "../trace/story";
import { HowItCame } from "../why/HowItCame";
import { Performed } from "../why/performance/Performed";
import { Senses } from "../why/senses/Senses";
import { SetupFacts } from "../why/SetupFacts";
import { Timeline } from "../why/Timeline";
import type { PageData } from "./data";
import { Dialogue } from "./Dialogue";
import { Opening } from "./Opening";
import { Theme } from "./Theme";

/** A whole turn on one page: what was said, what was answered, and everything between the two. */
export function Page({ data: { events, media } }: { data: PageData }) {
  const trace = events.reduce(follow, NOTHING);
  const { started, performance } = trace;
  const beside = media.shown.filter(({ source }) => !source).map(({ name }) => name);
  const skip = (event: React.MouseEvent) => {
    event.preventDefault();
    document.getElementById("reasoning")?.focus();
  };
  return (
    <>
      <a className="skip" href="#reasoning" onClick={skip}>
        Skip to the reasoning
      </a>
      <header className="masthead">
        <p className="brand">
          <Icon name="heart" /> <span>Heartfelt</span>
        </p>
        <Theme />
      </header>
      <main className="page">
        <div className="opening">
          <Opening trace={trace} />
          {started && <Dialogue trace={trace} dialogue={started.dialogue} />}
        </div>
        <h2 className="unseen">How this answer came about</h2>
        {performance && <Performed made={performance} media={media} />}
        <Senses trace={trace} cited={noticed(chosen(trace))} />
        <HowItCame trace={trace} whom={started?.dialogue.turns.at(-1)?.speaker ?? ""} over />
        <Timeline trace={trace} />
        {started && <SetupFacts started={started} />}
      </main>
      <footer className="colophon">
        Written by Heartfelt {started?.version}. This page is one file: it holds the whole turn{beside.length > 0 && ` but for ${beside.join(" and ")} beside it`}, and it fetches nothing.
      </footer>
    </>
  );
}
