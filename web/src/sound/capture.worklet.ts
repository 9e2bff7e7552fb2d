/** In the audio thread: the microphone as 16 kHz chunks of 40 ms, and how loud it is every 20 ms. */
import { Resampler } from "./resample";

declare const sampleRate: number;
declare function registerProcessor(name: string, processor: unknown): void;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}

const RATE = 16_000;
const LEVEL = RATE / 50;
const CHUNK = RATE / 25;
/** Of a leaky difference that takes out hum and rumble, which are no voice. */
const LEAK = 0.96;

class Capture extends AudioWorkletProcessor {
  private readonly resampler = new Resampler(sampleRate, RATE);
  private chunk = new Int16Array(CHUNK);
  private filled = 0;
  private energy = 0;
  private before = 0;
  private passed = 0;

  process(inputs: Float32Array[][]): boolean {
    const channel = inputs[0]?.[0];
    if (channel) for (const sample of this.resampler.push(channel)) this.take(sample);
    return true;
  }

  private take(sample: number): void {
    this.passed = LEAK * (this.passed + sample - this.before);
    this.before = sample;
    this.energy += this.passed * this.passed;
    this.chunk[this.filled++] = Math.max(-1, Math.min(1, sample)) * 32767;
    if (this.filled % LEVEL === 0) this.tell();
  }

  private tell(): void {
    const level = Math.sqrt(this.energy / LEVEL);
    this.energy = 0;
    if (this.filled < CHUNK) return this.port.postMessage({ level });
    this.port.postMessage({ level, chunk: this.chunk }, [this.chunk.buffer]);
    this.chunk = new Int16Array(CHUNK);
    this.filled = 0;
  }
}

registerProcessor("capture", Capture);
