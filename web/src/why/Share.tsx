import { pagePath } from "../api/client";
import { Icon } from "../parts/Icon";

/** The turn as one file, to be looked at, kept or sent. */
export const Share = ({ session, turn }: { session: string; turn: number }) => (
  <section className="share" aria-labelledby="why-share">
    <h3 id="why-share" className="part">
      Take it with you
    </h3>
    <p className="soft">One page with all of this in it. It works anywhere, fetches nothing, and holds what you said word for word.</p>
    <p className="share-do">
      <a href={pagePath(session, turn)} target="_blank" rel="noopener">
        <Icon name="page" /> Open the page
      </a>
      <a href={pagePath(session, turn, true)} download>
        <Icon name="save" /> Save it as a file
      </a>
    </p>
  </section>
);
