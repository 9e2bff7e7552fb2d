/** The film and the sound of a reply, as the page of a trace holds them; heartfelt/page/media.py writes this. */

export interface Medium {
  readonly kind: "film" | "sound";
  readonly name: string;
  readonly bytes: number;
  /** A data: address; empty where it is too large, and lies beside the page. */
  readonly source: string;
  /** The file beside the page. */
  readonly link: string;
  readonly poster: { readonly width: number; readonly height: number; readonly data: string } | null;
  /** A data: address; empty where nobody wrote down when each word is said. */
  readonly captions: string;
}

/** What there is to play, and what there is to say about what there is not. */
export interface Media {
  readonly shown: readonly Medium[];
  readonly remarks: readonly string[];
}

export const NOTHING: Media = { shown: [], remarks: [] };
