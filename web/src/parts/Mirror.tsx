import { useEffect, useRef } from "react";

/** The person's own picture, the way a mirror shows it. */
export function Mirror({ picture }: { picture: MediaStream }) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (video.current) video.current.srcObject = picture;
  }, [picture]);
  return <video ref={video} className="mirror" autoPlay muted playsInline aria-label="Your own picture" />;
}
