/** The browser cannot draw in three dimensions; a still portrait can be shown instead. */
export class NoGraphics extends Error {
  override readonly name = "NoGraphics";

  constructor(why: string) {
    super(`The avatar cannot be drawn here: ${why}. Show the portrait instead.`);
  }
}

/** The avatar's file is missing, broken, or of another form than this page knows. */
export class BadAvatar extends Error {
  override readonly name = "BadAvatar";
}
