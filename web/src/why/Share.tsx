import { pagePath } from "../api/client";
import { Icon } from "../parts/Icon";

/** The turn as one file, to be looked at, kept or sent. */
export const Share = ({ session, turn }: { session: string; turn: number }) => (
  <section className="share" aria-label="This answer as one page">
    <a href={pagePath(session, turn)} target="_blank" rel="noopener">
      <Icon name="page" /> Open as a page
    </a>
    <a href={pagePath(session, turn, true)} download>
      <Icon name="save" /> Save as a file
    </a>
    <p className="soft">All of this on one page, with what you said word for word. It works anywhere, and fetches nothing.</p>
  </section>
);
