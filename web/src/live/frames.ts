/** The binary messages of the live socket. */

const SOUND = 1;
const PICTURE = 2;
const REPLY = 3;
const HEAD_OUT = 9;
const HEAD_IN = 9;

export interface ReplySound {
  readonly turn: number;
  readonly piece: number;
  readonly samples: Float32Array<ArrayBuffer>;
}

export const soundFrame = (time: number, samples: Int16Array): ArrayBuffer => frame(SOUND, time, new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
export const pictureFrame = (time: number, jpeg: ArrayBuffer): ArrayBuffer => frame(PICTURE, time, new Uint8Array(jpeg));

/** A piece of the reply's sound; nothing for a message of another kind. */
export function replySound(message: ArrayBuffer): ReplySound | null {
  const view = new DataView(message);
  if (message.byteLength < HEAD_IN || view.getUint8(0) !== REPLY) return null;
  const count = Math.floor((message.byteLength - HEAD_IN) / 2);
  const samples = new Float32Array(count);
  for (let i = 0; i < count; i++) samples[i] = view.getInt16(HEAD_IN + 2 * i, true) / 32768;
  return { turn: view.getUint32(1, true), piece: view.getUint32(5, true), samples };
}

function frame(kind: number, time: number, bytes: Uint8Array): ArrayBuffer {
  const out = new Uint8Array(HEAD_OUT + bytes.length);
  const view = new DataView(out.buffer);
  view.setUint8(0, kind);
  view.setFloat64(1, time, true);
  out.set(bytes, HEAD_OUT);
  return out.buffer;
}
