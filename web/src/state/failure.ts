/** Why a camera or a microphone cannot be used, and what to do, in words. */

export type DeviceKind = "camera" | "microphone";

export function explain(error: unknown, kind: DeviceKind): string {
  switch (error instanceof Error ? error.name : "") {
    case "NotAllowedError":
      return `The ${kind} was not allowed. You can allow it in the address bar of your browser, or simply type.`;
    case "NotFoundError":
    case "OverconstrainedError":
      return `No ${kind} was found. Plug one in, or choose another in the settings. Typing always works.`;
    case "NotReadableError":
    case "AbortError":
      return `The ${kind} is there but cannot be opened. Perhaps another program is using it.`;
    case "SecurityError":
      return `Browsers only lend a ${kind} to pages over HTTPS or on localhost. Open this page that way, or simply type.`;
    default:
      return `The ${kind} could not be started. Typing always works.`;
  }
}
