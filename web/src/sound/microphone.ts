/** The microphone, from the moment it is switched on until it is switched off. */
import capture from "./capture.worklet.ts?worker&url";

export interface MicrophoneEvents {
  /** How loud it is, as the root mean square of 20 ms. */
  level(level: number): void;
  /** 40 ms at 16 kHz. */
  chunk(samples: Int16Array): void;
  /** It was unplugged, or the permission was taken back. */
  lost(): void;
}

export class Microphone {
  private constructor(private readonly stream: MediaStream, private readonly context: AudioContext) {}

  static async open(device: string, events: MicrophoneEvents): Promise<Microphone> {
    const audio = { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1, ...(device && { deviceId: { ideal: device } }) };
    const stream = await navigator.mediaDevices.getUserMedia({ audio });
    const context = new AudioContext({ latencyHint: "interactive" });
    await context.audioWorklet.addModule(capture);
    const node = new AudioWorkletNode(context, "capture", { numberOfOutputs: 0, channelCount: 1, channelCountMode: "explicit" });
    node.port.onmessage = ({ data }: MessageEvent<{ level: number; chunk?: Int16Array }>) => {
      events.level(data.level);
      if (data.chunk) events.chunk(data.chunk);
    };
    context.createMediaStreamSource(stream).connect(node);
    stream.getAudioTracks()[0]?.addEventListener("ended", () => events.lost());
    await context.resume();
    return new Microphone(stream, context);
  }

  close(): void {
    for (const track of this.stream.getTracks()) track.stop();
    void this.context.close();
  }
}
