/** Camera and microphone: each off until it is switched on, and each failure said in words. They outlive a conversation. */
import { Camera } from "../sight/camera";
import { Microphone } from "../sound/microphone";
import { explain, type DeviceKind } from "./failure";
import { Store } from "./store";

export interface DeviceState {
  readonly state: "off" | "asking" | "on" | "failed";
  /** Why it failed, and what to do. */
  readonly problem: string;
}

export interface DevicesState {
  readonly microphone: DeviceState;
  readonly camera: DeviceState;
  /** How the voice sounds may be measured as well. Like the devices, it is off whenever the page is opened. */
  readonly tone: boolean;
  readonly picture: MediaStream | null;
}

export interface Listening {
  level(level: number): void;
  chunk(samples: Int16Array): void;
  picture(jpeg: ArrayBuffer): void;
}

type Action = { readonly tone: boolean } | { readonly kind: DeviceKind; readonly now: DeviceState["state"]; readonly problem?: string; readonly picture?: MediaStream };

const OFF: DeviceState = { state: "off", problem: "" };
const DEAF: Listening = { level: () => undefined, chunk: () => undefined, picture: () => undefined };

function reduce(state: DevicesState, action: Action): DevicesState {
  if ("tone" in action) return { ...state, tone: action.tone };
  const { kind, now, problem = "", picture } = action;
  return { ...state, [kind]: { state: now, problem }, picture: kind === "camera" ? (picture ?? null) : state.picture };
}

export class Devices {
  readonly store = new Store<DevicesState, Action>({ microphone: OFF, camera: OFF, tone: false, picture: null }, reduce);
  /** How loud the microphone is at this moment; read by the meter, frame by frame. */
  level = 0;
  private listening = DEAF;
  private microphone: Microphone | null = null;
  private camera: Camera | null = null;

  /** Who gets what is heard and seen; nobody, before a conversation. */
  to(listening: Listening | null): void {
    this.listening = listening ?? DEAF;
  }

  async turnMicrophone(on: boolean, device = ""): Promise<void> {
    this.microphone?.close();
    this.microphone = null;
    this.level = 0;
    if (!on) return this.store.dispatch({ kind: "microphone", now: "off" });
    await this.tried("microphone", async () => {
      this.microphone = await Microphone.open(device, {
        level: (level) => this.listening.level((this.level = level)),
        chunk: (samples) => this.listening.chunk(samples),
        lost: () => this.lost("microphone"),
      });
      this.store.dispatch({ kind: "microphone", now: "on" });
    });
  }

  async turnCamera(on: boolean, device = ""): Promise<void> {
    this.camera?.close();
    this.camera = null;
    if (!on) return this.store.dispatch({ kind: "camera", now: "off" });
    await this.tried("camera", async () => {
      this.camera = await Camera.open(device, { picture: (jpeg) => this.listening.picture(jpeg), lost: () => this.lost("camera") });
      this.store.dispatch({ kind: "camera", now: "on", picture: this.camera.stream });
    });
  }

  allowTone(tone: boolean): void {
    this.store.dispatch({ tone });
  }

  private async tried(kind: DeviceKind, open: () => Promise<void>): Promise<void> {
    this.store.dispatch({ kind, now: "asking" });
    try {
      if (!isSecureContext || !navigator.mediaDevices) throw new DOMException("", "SecurityError");
      await open();
    } catch (error) {
      this.store.dispatch({ kind, now: "failed", problem: explain(error, kind) });
    }
  }

  private lost(kind: DeviceKind): void {
    void (kind === "camera" ? this.turnCamera(false) : this.turnMicrophone(false));
    this.store.dispatch({ kind, now: "failed", problem: `The ${kind} went away. Plug it in again, or choose another in the settings.` });
  }
}
