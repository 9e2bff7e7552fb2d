/** What the page of a trace is made of; heartfelt/page/render.py puts it into the page. */
import type { Media } from "../why/performance/media";
import type { TraceEvent } from "../wire";

export interface PageData {
  readonly events: readonly TraceEvent[];
  readonly media: Media;
}

export const readPage = (): PageData => JSON.parse(document.getElementById("trace")!.textContent!) as PageData;
