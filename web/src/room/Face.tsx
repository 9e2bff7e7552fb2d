import { useEffect, useRef, useState } from "react";
import { Avatar, NoGraphics } from "../avatar";
import type { Room } from "../state/room";
import type { PersonView } from "../wire";
import { pictureOf, standing } from "../help/standing";
import { moodOf } from "../state/words";

interface Props {
  readonly who: PersonView | undefined;
  readonly name: string;
  readonly room: Room;
  readonly clock: () => number;
}

/** Asked for by whoever takes pictures of the app: as fine as the screen, however long it takes to draw. */
const FINE = new URLSearchParams(location.search).has("fine");
const STILL = "(prefers-reduced-motion: reduce)";

/** The face that listens and answers. Where there are no graphics, the portrait. */
export function Face({ who, name, room, clock }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [avatar, setAvatar] = useState<Avatar | null>(null);
  const [portrait, setPortrait] = useState(false);
  const url = who?.avatar;
  const grave = standing(room) !== null;

  useEffect(() => {
    if (!canvas.current || !url) return;
    let made: Avatar | null = null;
    let gone = false;
    try {
      made = new Avatar(canvas.current, { reducedMotion: matchMedia(STILL).matches, background: null, fine: FINE });
      made.grave(grave);
      made.load(url).then(
        () => gone || setAvatar(made),
        (error: unknown) => {
          console.warn("The head cannot be shown:", error);
          if (!gone) setPortrait(true);
        },
      );
    } catch (error) {
      if (!(error instanceof NoGraphics)) throw error;
      setPortrait(true);
    }
    return () => {
      gone = true;
      setAvatar(null);
      made?.dispose();
    };
  }, [url]);

  useEffect(() => avatar?.grave(grave), [avatar, grave]);
  useResize(canvas, avatar);
  useMood(avatar, room);
  useSpeech(avatar, room, clock);

  return (
    <div className="face" data-mood={moodOf(room)}>
      <canvas ref={canvas} key={url} className={avatar ? "there" : ""} role="img" aria-label={`${name}'s face`} hidden={portrait} />
      {who && (portrait || !avatar) && <img className={portrait ? "portrait" : "portrait coming"} src={pictureOf(who, grave)} alt={portrait ? `${name}, ${who.about}` : ""} />}
    </div>
  );
}

function useResize(canvas: React.RefObject<HTMLCanvasElement | null>, avatar: Avatar | null): void {
  useEffect(() => {
    if (!canvas.current || !avatar) return;
    const watch = new ResizeObserver(() => avatar.resize());
    watch.observe(canvas.current);
    return () => watch.disconnect();
  }, [canvas, avatar]);
}

/** What the face does while it listens and thinks, and what it notices of the person. */
function useMood(avatar: Avatar | null, room: Room): void {
  const mood = moodOf(room);
  const { speaking } = room.sensed;
  const felt = topOf(room.sensed.face?.moment?.shares);
  const wasSpeaking = useRef(false);
  useEffect(() => {
    avatar?.attend(mood === "thinking" ? "thinking" : mood === "listening" ? "listening" : "idle");
  }, [avatar, mood]);
  useEffect(() => {
    if (speaking) avatar?.notice("speech");
    else if (wasSpeaking.current) avatar?.notice("pause");
    wasSpeaking.current = speaking;
  }, [avatar, speaking]);
  useEffect(() => {
    if (felt === "joy" || felt === "happy") avatar?.notice("smile");
    if (felt === "sadness" || felt === "sad") avatar?.notice("sadness");
  }, [avatar, felt]);
}

function useSpeech(avatar: Avatar | null, room: Room, clock: () => number): void {
  const given = useRef(0);
  const { sounding } = room;
  const turn = sounding?.turn;
  const pieces = sounding?.pieces;
  useEffect(() => {
    given.current = 0;
    if (!avatar || turn === undefined) return;
    avatar.clock(clock);
    return () => {
      avatar.hush();
      avatar.clock(null);
    };
  }, [avatar, turn, clock]);
  useEffect(() => {
    if (!avatar || !pieces) return;
    for (const piece of pieces.slice(given.current)) avatar.speak(piece.timeline);
    given.current = pieces.length;
  }, [avatar, pieces]);
}

function topOf(shares: Record<string, number> | undefined): string {
  const [top] = Object.entries(shares ?? {}).sort(([, a], [, b]) => b - a);
  return top && top[1] > 0.5 ? top[0] : "";
}
