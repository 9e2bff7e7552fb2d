/** Turns of heads and eyes as axis times angle, and as matrices; as in `face/rig.py`. */

import { Matrix3, Vector3 } from "three";

const RADIANS = Math.PI / 180;

/** Left, up and towards the left shoulder, as one turn. */
export function axisOf(yaw: number, pitch: number, roll: number, out = new Vector3()): Vector3 {
  return out.set(-pitch, yaw, -roll).multiplyScalar(RADIANS);
}

/** The matrix of a turn about an axis by its length in radians. */
export function matrixOf(turn: Vector3, out = new Matrix3()): Matrix3 {
  const angle = turn.length();
  if (angle < 1e-9) return out.identity();
  const x = turn.x / angle;
  const y = turn.y / angle;
  const z = turn.z / angle;
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  const rest = 1 - c;
  return out.set(
    c + x * x * rest, x * y * rest - z * s, x * z * rest + y * s,
    y * x * rest + z * s, c + y * y * rest, y * z * rest - x * s,
    z * x * rest - y * s, z * y * rest + x * s, c + z * z * rest,
  );
}
