/** The avatar in the browser: the same person, the same rules and the same light as the films have. */

export { Avatar, type AvatarOptions, type Stats } from "./avatar";
export { BadAvatar, NoGraphics } from "./errors";
export type { Mood, Noticed } from "./attending";
export type { Pose } from "./pose";
