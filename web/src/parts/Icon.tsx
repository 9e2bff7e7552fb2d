const PATHS = {
  heart: "M12 20.3 4.6 13a4.9 4.9 0 0 1 6.9-6.9l.5.5.5-.5a4.9 4.9 0 0 1 6.9 6.9Z",
  microphone: "M12 3.5a2.75 2.75 0 0 1 2.75 2.75v5a2.75 2.75 0 0 1-5.5 0v-5A2.75 2.75 0 0 1 12 3.5ZM6 11.2a6 6 0 0 0 12 0M12 17.2v3.3",
  camera: "M4.5 7h9A1.5 1.5 0 0 1 15 8.500v7a1.5 1.5 0 0 1-1.500 1.500h-9A1.500 1.500 0 0 1 3 15.500v-7A1.500 1.500 0 0 1 4.500 7ZM15 11l6-3v8l-6-3",
  slash: "M4 4l16 16",
  send: "M12 19V5.500M6 11l6-6 6 6",
  stop: "M7.500 7.500h9v9h-9Z",
  close: "M6 6l12 12M18 6 6 18",
  talks: "M4 6.500h11M4 12h16M4 17.500h8",
  settings: "M4 7.500h9M19 7.500h1M4 16.500h1M11 16.500h9M16 5.250a2.250 2.250 0 1 1 0 4.500 2.250 2.250 0 0 1 0-4.500ZM8 14.250a2.250 2.250 0 1 1 0 4.500 2.250 2.250 0 0 1 0-4.500Z",
  theme: "M12 4a8 8 0 1 0 0 16ZM12 4a8 8 0 0 1 0 16",
  before: "M14.500 6l-6 6 6 6",
  after: "M9.500 6l6 6-6 6",
  phone: "M7.200 4h2.300l1.500 4-2 1.600a11 11 0 0 0 5.400 5.400l1.600-2 4 1.500v2.300A2.200 2.200 0 0 1 17.600 19 13.600 13.600 0 0 1 5 6.400 2.200 2.200 0 0 1 7.200 4Z",
  text: "M5.500 5h13A1.500 1.500 0 0 1 20 6.500v8a1.500 1.500 0 0 1-1.500 1.500H11l-4.500 3.500V16h-1A1.500 1.500 0 0 1 4 14.500v-8A1.500 1.500 0 0 1 5.500 5Z",
  fold: "M6 9.500l6 6 6-6",
  unfold: "M6 14.500l6-6 6 6",
  eye: "M3 12s3.300-5.500 9-5.500S21 12 21 12s-3.300 5.500-9 5.500S3 12 3 12ZM12 9.500a2.500 2.500 0 1 1 0 5 2.500 2.500 0 0 1 0-5Z",
  play: "M8.500 5.500l10 6.500-10 6.500Z",
  save: "M12 4.500v10M7.500 10.500l4.500 4.500 4.500-4.500M5.500 19.500h13",
  page: "M7 3.500h7l4 4v13H7ZM14 3.500v4h4",
} as const;

export type IconName = keyof typeof PATHS;

/** Always beside or inside something that has a name in words. */
export function Icon({ name, off = false }: { name: IconName; off?: boolean }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
      {off && <path d={PATHS.slash} />}
    </svg>
  );
}
