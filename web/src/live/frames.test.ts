import { expect, test } from "vitest";
import { replySound, soundFrame } from "./frames";

test("sound goes out with its kind and its time before it", () => {
  const view = new DataView(soundFrame(1.25, Int16Array.of(1, -2)));
  expect([view.getUint8(0), view.getFloat64(1, true), view.getInt16(9, true), view.getInt16(11, true)]).toEqual([1, 1.25, 1, -2]);
});

test("a reply's sound comes in with its turn and piece", () => {
  const bytes = new DataView(new ArrayBuffer(13));
  bytes.setUint8(0, 3);
  bytes.setUint32(1, 7, true);
  bytes.setUint32(5, 2, true);
  bytes.setInt16(9, 16384, true);
  bytes.setInt16(11, -32768, true);
  expect(replySound(bytes.buffer)).toEqual({ turn: 7, piece: 2, samples: Float32Array.of(0.5, -1) });
});

test("what is no sound is nothing", () => {
  expect(replySound(new ArrayBuffer(3))).toBeNull();
  expect(replySound(soundFrame(0, Int16Array.of(1)))).toBeNull();
});
