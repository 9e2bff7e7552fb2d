/** The camera, from the moment it is switched on until it is switched off: a small picture about ten times a second. */

const [WIDTH, HEIGHT] = [640, 480];
const EVERY_MS = 100;
const QUALITY = 0.8;

export interface CameraEvents {
  picture(jpeg: ArrayBuffer): void;
  /** It was unplugged, or the permission was taken back. */
  lost(): void;
}

export class Camera {
  private readonly timer: ReturnType<typeof setInterval>;
  private busy = false;

  private constructor(
    readonly stream: MediaStream,
    private readonly video: HTMLVideoElement,
    private readonly canvas: OffscreenCanvas,
    private readonly events: CameraEvents,
  ) {
    this.timer = setInterval(() => void this.grab(), EVERY_MS);
  }

  static async open(device: string, events: CameraEvents): Promise<Camera> {
    const wished = { width: { ideal: WIDTH }, height: { ideal: HEIGHT }, frameRate: { ideal: 15 } };
    const video = { ...wished, ...(device ? { deviceId: { ideal: device } } : { facingMode: "user" }) };
    const stream = await navigator.mediaDevices.getUserMedia({ video });
    const element = Object.assign(document.createElement("video"), { srcObject: stream, muted: true, playsInline: true });
    await element.play();
    stream.getVideoTracks()[0]?.addEventListener("ended", () => events.lost());
    return new Camera(stream, element, new OffscreenCanvas(WIDTH, HEIGHT), events);
  }

  close(): void {
    clearInterval(this.timer);
    for (const track of this.stream.getTracks()) track.stop();
    this.video.srcObject = null;
  }

  /** A picture that is still being made is not waited for: the next one is newer. */
  private async grab(): Promise<void> {
    if (this.busy || !this.video.videoWidth) return;
    this.busy = true;
    try {
      const scale = Math.min(1, WIDTH / this.video.videoWidth);
      this.canvas.width = Math.round(this.video.videoWidth * scale);
      this.canvas.height = Math.round(this.video.videoHeight * scale);
      this.canvas.getContext("2d")?.drawImage(this.video, 0, 0, this.canvas.width, this.canvas.height);
      const blob = await this.canvas.convertToBlob({ type: "image/jpeg", quality: QUALITY });
      this.events.picture(await blob.arrayBuffer());
    } finally {
      this.busy = false;
    }
  }
}
