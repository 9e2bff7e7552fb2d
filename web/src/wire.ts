// Written by `npm run types` from src/heartfelt/server/wire.py. Change that file and run it again; edits here are lost.

/** What a look back at a turn found, after it had been answered. */
export interface Afterthought {
  /** The step that was to blame; empty where none was. */
  step: string;
  problem: string;
  /** What the next reply is told to do better. */
  instruction: string;
  /** What would rather have been said, if anything. */
  rather: string;
}

/** Answer a turn that is unfinished or failed. */
export interface Again {
  kind: "again";
  turn: number;
}

/** Somebody may be in danger: what the app shows beside the reply, for as long as they want it. */
export interface Alarm {
  /** `active` or `imminent`. */
  tier: "none" | "concern" | "active" | "imminent";
  danger: "suicide" | "self-harm" | "abuse" | "violence" | "medical" | "eating" | "child" | "despair";
  /** The closest first, at most two; empty where the country is not known. */
  help: readonly HelpLine[];
  /** The number of the emergency services; empty where the country is not known. */
  emergency: string;
  /** Whose services these are; empty where that is not known: then ask. */
  country: string;
}

/** screen: whether somebody is in danger, decided before the first step. The gravest sign counts. */
export interface Alert {
  tier: "none" | "concern" | "active" | "imminent";
  danger: "suicide" | "self-harm" | "abuse" | "violence" | "medical" | "eating" | "child" | "despair" | null;
  who: "self" | "other" | null;
  /** Where the talk about a danger stands: a doubt, opened with this turn, still open, checked once more before it is let go, turned away from, or heard: somebody said that it is not so. Empty: nothing of the kind, and the ordinary reply is given. */
  state: "" | "doubt" | "opened" | "open" | "checked" | "turned" | "heard";
  act: "" | "confirmed" | "denied" | "safe" | "joke" | "stop" | "not_me" | "secrecy" | "hospital" | "police" | "numbers" | "wants_service" | "asks_call" | "help_coming" | "coping" | "words_for_other" | "words_for_me" | "what_if_call" | "medical_question" | "just_a_bot" | "angry" | "thanks" | "better" | "worse" | "dont_know" | "brief" | "goodbye" | "going_to_sleep" | "names_helper" | "helper_coming" | "no_one" | "agrees" | "did_it" | "refuses_step" | "let_down" | "consequences" | "costs" | "burden" | "nothing_helps" | "pain" | "self_blame" | "missing_the_dead" | "what_happened" | "part_of_me" | "reason_to_live" | "past_attempt" | "drunk" | "young" | "means_near" | "means_away" | "means_kept" | "when" | "swallowed" | "wound" | "they_refuse" | "promised_them" | "not_answering" | "with_them" | "they_said_yes" | "they_said_no" | "own_fault" | "friendship" | "worn_out" | "far_away" | "watched" | "he_is_here" | "cannot_leave" | "not_that_bad" | "wants_to_leave" | "not_believed" | "deserved" | "walked_away" | "ashamed_of_thoughts" | "not_sick_enough" | "weight_fear" | "tells_more" | "off_topic" | "fiction" | "not_now" | "private_here" | "must_tell" | "locked_up" | "bother" | "waiting" | "does_asking_harm" | "asks_wait" | "asks_drive" | "asks_else" | "corrects";
  /** What the person did with each message that was looked at, the last one's included. */
  acts: readonly ("" | "confirmed" | "denied" | "safe" | "joke" | "stop" | "not_me" | "secrecy" | "hospital" | "police" | "numbers" | "wants_service" | "asks_call" | "help_coming" | "coping" | "words_for_other" | "words_for_me" | "what_if_call" | "medical_question" | "just_a_bot" | "angry" | "thanks" | "better" | "worse" | "dont_know" | "brief" | "goodbye" | "going_to_sleep" | "names_helper" | "helper_coming" | "no_one" | "agrees" | "did_it" | "refuses_step" | "let_down" | "consequences" | "costs" | "burden" | "nothing_helps" | "pain" | "self_blame" | "missing_the_dead" | "what_happened" | "part_of_me" | "reason_to_live" | "past_attempt" | "drunk" | "young" | "means_near" | "means_away" | "means_kept" | "when" | "swallowed" | "wound" | "they_refuse" | "promised_them" | "not_answering" | "with_them" | "they_said_yes" | "they_said_no" | "own_fault" | "friendship" | "worn_out" | "far_away" | "watched" | "he_is_here" | "cannot_leave" | "not_that_bad" | "wants_to_leave" | "not_believed" | "deserved" | "walked_away" | "ashamed_of_thoughts" | "not_sick_enough" | "weight_fear" | "tells_more" | "off_topic" | "fiction" | "not_now" | "private_here" | "must_tell" | "locked_up" | "bother" | "waiting" | "does_asking_harm" | "asks_wait" | "asks_drive" | "asks_else" | "corrects")[];
  /** The language of the last message where it is clearly not English, such as `es`. */
  language: string;
  /** The gravest first. */
  signs: readonly Sign[];
  /** How likely danger or concern is in the last two messages, by the reader of whole talks: too little for a tier may still be too much for cheer. */
  unease: number;
  /** Detectors that could not be asked, each with its reason; the others decided without them. */
  failed: readonly string[];
  ms: number;
}

/** A performance that was weighed against another one. */
export interface Attempt {
  intensity: number;
  carried: readonly Carried[];
  /** Whether it is the one that is told of and that was written. */
  kept: boolean;
}

/** audit: each step judged in order; the earliest faulty one is to blame. */
export interface Audit {
  verdicts: readonly Verdict[];
  findings: readonly Finding[];
  calls: readonly Call[];
  ms: number;
}

export interface Audited {
  kind: "audited";
  number: number;
  audit: Audit;
}

/** What the person allows and wants from now on; may be sent again whenever that changes. */
export interface Begin {
  kind: "begin";
  /** Sound is taken, and its words are understood. */
  microphone: boolean;
  /** Whether what the voice sounds like may be measured as well. */
  tone: boolean;
  /** Pictures are taken, and what the face shows is measured: they serve nothing else. */
  camera: boolean;
  /** Whether replies are to be spoken. */
  voice: boolean;
}

/** One request to a language model and its answer. */
export interface Call {
  model: string;
  /** Hash of the prompt file, so that a change of wording shows. */
  template: string;
  /** Hash of what was sent. */
  prompt: string;
  /** The step's own part of what was sent, after the shared prefix. */
  sent: string;
  raw: string;
  temperature: number;
  seed: number;
  prompt_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  ms: number;
  attempts: number;
  /** What else could have been said, where the step chose among several. */
  drafts: readonly Draft[];
  /** Why this answer was refused, if it was. */
  error: string;
}

/** Whether the emotion arrived in the voice or in the face, as measured on what was made. */
export interface Carried {
  channel: "voice" | "face";
  /** The emotion that was to be carried. */
  intended: string;
  /** The same in the senses' own label set; empty where they have no class for it, or were not asked. */
  expected: string;
  /** The emotion that the senses recognise, in their own label set; empty where they were not asked. */
  recognised: string;
  /** How likely the senses find each emotion. */
  shares: Record<string, number>;
  /** The changes that were asked for, each in steps that an ear or an eye can tell apart. */
  wanted: Record<string, number>;
  /** The same changes as they were measured. */
  measured: Record<string, number>;
  agrees: boolean;
  /** Why nothing was measured, or what is wrong, in a sentence. */
  note: string;
}

/** cause: what set the emotion off. */
export interface Cause {
  kind: "cause";
  /** One or two verbatim pieces of the dialogue. */
  spans: readonly string[];
  category: string;
  summary: string;
}

/** Senses that contradict each other: a smile over a sad sentence is news. */
export interface Conflict {
  start: number;
  end: number;
  /** From 0, all say the same, to 1, nothing in common. */
  score: number;
  /** Who says what, such as «the face shows joy while the words tell of sadness». */
  text: string;
}

export interface Cue {
  source: "words" | "voice" | "face" | "picture";
  /** Verbatim from the dialogue where the source is words, else what was measured or seen. */
  quote: string;
  /** What it tells about how the speaker feels. */
  meaning: string;
  /** Seconds from the start of the turn, where it was seen or heard. */
  start: number | null;
  end: number | null;
}

/** deliver: the emotion and the identity that voice and face are to carry. */
export interface Delivery {
  kind: "delivery";
  emotion: string;
  /** The entry of the emotion bank: one of the eight classes that voices and faces are made in. */
  bank: string;
  /** The label map that led from the emotion to the bank. */
  mapping: string;
  intensity: number;
  identity: Identity;
}

export interface Dialogue {
  /** In order; the last one is the one to be answered. */
  turns: readonly Turn[];
  /** The name under which Heartfelt answers. */
  listener: string;
  /** Whatever identifies the dialogue in its corpus; memory refuses exemplars with the same id. */
  id: string;
  /** The split that it belongs to, such as `meld/test`; memory refuses exemplars of a split that is being scored. */
  split: string;
  /** Where the last reply was audited only after it had been given, and found wanting. */
  lesson: Lesson | null;
}

/** One of several texts that a step chose among. */
export interface Draft {
  text: string;
  /** Mean log-probability of its tokens; None for a text from elsewhere. */
  likely: number | null;
  /** The same, had nothing been said: what could be said to anyone is as likely then. None where that was not asked. */
  unheard: number | null;
  /** What a rater would give it, from 1 to 5, as the model itself expects; None where it cannot tell. */
  mark: number | null;
  /** Written for this person, or taken from the bank of plain replies that fit anybody in that state. */
  source: "written" | "bank";
}

/** The person has finished, without waiting for silence. */
export interface EndTurn {
  kind: "end turn";
}

/** A token, where a server asks for one. */
export interface Entrance {
  token: string;
}

/** Something that was sent cannot be used, or something here failed. The socket stays open unless it says so. */
export interface ErrorNotice {
  kind: "error";
  code: string;
  message: string;
  turn: number | null;
}

/** perceive: which cues matter, each grounded in a quote or a moment. */
export interface Evidence {
  kind: "evidence";
  cues: readonly Cue[];
  summary: string;
}

/** A remembered exchange that went well. */
export interface Exemplar {
  situation: string;
  reply: string;
  emotion: string;
  /** The id of the dialogue it was taken from. */
  dialogue: string;
  split: string;
  similarity: number;
  /** Precise: the same emotion and near enough in meaning. Fuzzy: near enough in meaning alone. */
  match: "precise" | "fuzzy";
}

/** recall: exemplars for the reply to learn from, never to repeat. */
export interface Exemplars {
  kind: "exemplars";
  found: readonly Exemplar[];
}

/** One frame that was looked at. Where there was no face, the quality is 0 and the rest is empty. */
export interface FaceSeen {
  kind: "face";
  time: number;
  /** How far all of this can be trusted. */
  quality: number;
  /** Action units against the person's own face at rest, from 0 to 1. */
  units: Record<string, number>;
  /** Degrees: `yaw`, `pitch`, `roll`. */
  head: Record<string, number>;
  /** Degrees against the head: `yaw`, `pitch`. */
  gaze: Record<string, number>;
  /** Left, top, right and bottom of the face, as shares of the picture's width and height. */
  box: readonly [number, number, number, number] | null;
  /** The emotion that was read off this frame, where one was: what a contradiction with voice and words is found by. */
  moment: Moment | null;
}

/** One thing that is wrong with a step. */
export interface Finding {
  step: string;
  problem: string;
  /** What the step should do about it, in words for the model. */
  instruction: string;
  by: "code" | "model";
}

/** forecast: the emotion that should guide the reply, and how sure. */
export interface Forecast {
  kind: "forecast";
  emotion: string;
  /** The name of the label set that the emotion is taken from. */
  labels: string;
  confidence: number | null;
  distribution: Record<string, number> | null;
  /** Cues that speak against it, if any: a smile over a sad sentence is news. */
  conflict: string;
  why: string;
}

/** goal: what the reply is meant to do (the fourth link of the chain of empathy). */
export interface Goal {
  kind: "goal";
  goal: string;
}

/** The chosen reply was changed before anybody heard it. */
export interface Guarded {
  kind: "guarded";
  /** The pass whose reply it is. */
  number: number;
  /** What was wrong with it, or what was added and for what reason. */
  why: string;
  /** The words that were not said. */
  kept_back: string;
  /** What is said instead. */
  reply: string;
}

/** One event of a turn, as the trace keeps it, and every piece of the reply as it is written. */
export interface Happened {
  kind: "happened";
  turn: number;
  /** Since the person had finished. */
  ms: number;
  /** Whether it belongs to the audit that goes on after the answer. */
  looking_back: boolean;
  event: TurnStarted | Screened | PassStarted | StepStarted | Wrote | StepFinished | StepSkipped | Audited | Guarded | Notice | TurnFinished | TurnFailed | Performed;
}

/** One stretch of speech. */
export interface HeardSpeech {
  start: number;
  end: number;
  words: readonly Word[];
  /** Its code, where it is clearly not English. */
  language: string;
  prosody: Prosody;
  /** The most telling first. */
  cues: readonly Measured[];
  /** Only where an emotion reader is plugged in. */
  moment: Moment | null;
  reliability: number;
  /** What was wrong with the sound, in a sentence. */
  note: string;
}

/** Where people help in a country. */
export interface Help {
  /** Empty where it is not known: then there are no lines either. */
  country: string;
  name: string;
  emergency: string;
  /** The day on which the table was made. */
  checked: string;
  /** For one danger the closest first, at most two; otherwise all. */
  lines: readonly HelpLine[];
  /** Those that can be asked for. */
  countries: readonly Place[];
}

/** A service where people answer, from the dated table. No model ever names one. */
export interface HelpLine {
  name: string;
  /** Such as «call or text 988». */
  how: string;
  number: string;
  hours: string;
  /** Whether a call is known to cost nothing. */
  free: boolean;
}

/** Be silent at once. */
export interface Hush {
  kind: "hush";
  turn: number;
  why: "spoken over" | "stopped" | "failed";
}

/** Who answers: fixed for a session. */
export interface Identity {
  /** A ready person such as `maya`, or `seed:7`, or `profile:7`; empty: whoever fits the profile. */
  name: string;
  age: "child" | "young" | "middle-aged" | "elderly";
  gender: "male" | "female";
  timbre: "high" | "mid" | "low";
}

/** Which of the answers that a turn has, or that was last tried with it, it is to have from now on. */
export interface Keep {
  /** The pass that the answer was taken from: `chosen` of its `turn finished`. */
  number: number;
  /** Its words, as they were shown: meanwhile something else may have been tried. */
  reply: string;
}

/** One still picture of the speaker, for models that can see. */
export interface Keyframe {
  /** Seconds from the start of the turn. */
  time: number;
  mime: string;
  /** The file's bytes in base64. */
  data: string;
}

/** What can be had in a language other than English. */
export interface LanguageNote {
  /** Of ISO 639. */
  code: string;
  /** As it calls itself. */
  name: string;
  /** What is understood of it and what is not, in that language. */
  note: string;
}

/** What a look back at the last reply found wrong, for the next one to do better. */
export interface Lesson {
  /** The last reply, as it was said. */
  said: string;
  /** What is to be mended, in words for the model. */
  instruction: string;
}

/** One thing that was noticed, said in a sentence. */
export interface Measured {
  start: number;
  end: number;
  source: "words" | "voice" | "face" | "picture";
  /** Such as «brows drawn together»: what was measured, in plain words, without its time. */
  text: string;
  /** From hardly there to as strong as it gets. */
  strength: number;
}

/** How likely each emotion is over a stretch, and how far that can be trusted. */
export interface Moment {
  start: number;
  end: number;
  shares: Record<string, number>;
  /** 0: says nothing; 1: as good as the sense ever is. A blurred face or a noisy second has less. */
  reliability: number;
}

/** Something that the user should know and that stops nothing. */
export interface Notice {
  kind: "notice";
  text: string;
}

export interface PassStarted {
  kind: "pass started";
  number: number;
  started_from: string;
  /** Names of the steps that are kept from the pass before. */
  kept: readonly string[];
  /** Steps that it starts with where they are not the pass before: in a turn that goes on from an earlier one, or where a person has set one by hand. */
  given: readonly StepRecord[];
  instruction: string;
}

/** express: a reply that was spoken and shown. */
export interface Performance {
  emotion: string;
  intensity: number;
  tone: string;
  identity: Identity;
  /** The generator that spoke. */
  voice: string;
  /** The generator that showed a face; empty where only a voice was made. */
  face: string;
  seconds: number;
  /** Names of what was written, beside the trace. */
  files: readonly string[];
  carried: readonly Carried[];
  /** Where what was measured is not what was intended. */
  findings: readonly Finding[];
  /** Where the emotion did not arrive in the face at first: that one and a stronger one. Empty where one was enough. */
  attempts: readonly Attempt[];
  /** How long each part took. */
  ms: Record<string, number>;
}

/** The reply was spoken and shown, after the turn had ended. */
export interface Performed {
  kind: "performed";
  performance: Performance;
}

/** An identity that can answer. */
export interface PersonView {
  name: string;
  about: string;
  age: string;
  gender: string;
  /** Where a portrait of them is, as a path on this server. */
  picture: string;
  /** The same without a smile, for somebody in need. */
  serious_picture: string;
  /** Where their head for the browser is. */
  avatar: string;
}

/** One sound of the language, or a silence. */
export interface Phone {
  start: number;
  end: number;
  /** In the International Phonetic Alphabet, such as «eɪ»; empty for silence. */
  symbol: string;
  /** Whether the main stress of its word is on it. */
  stressed: boolean;
}

export interface Ping {
  kind: "ping";
  /** Anything; it comes back. */
  sent: number;
}

/** A country whose services are known. */
export interface Place {
  /** Two letters of ISO 3166. */
  code: string;
  /** As it stands after the word «in», such as «the United States». */
  name: string;
}

/** plan: four dimensions of how to answer. */
export interface Plan {
  kind: "plan";
  goal: string;
  stance: string;
  tactic: string;
  tone: string;
  why: string;
}

/** How far the reply's sound was played; sent at its first sound and at its end. */
export interface Played {
  kind: "played";
  turn: number;
  at: number;
  over: boolean;
}

export interface Pong {
  kind: "pong";
  sent: number;
}

/** Every refusal of the API has this form. */
export interface Problem {
  /** One word for programs, such as `not_found`, `too_large`, `busy`, `invalid`. */
  code: string;
  /** What happened, and what to do. */
  message: string;
}

/** One stretch of speech. Times are in seconds, of the same clock as the stretch. */
export interface Prosody {
  /** The median in hertz; None where there was no voice. */
  pitch: number | null;
  /** From the 10th to the 90th percentile of the pitch, in semitones: below 2 is monotonous. */
  melody: number;
  /** The median loudness of the voiced sound in decibels, where 0 is full scale. */
  level: number;
  /** How many decibels the last third is quieter than what came before; below 0 where it is louder. */
  fall: number;
  /** Syllables a second, pauses left out. */
  pace: number;
  /** How much the pitch trembles from one 10 ms to the next, in semitones: the coarse cousin of jitter. */
  unsteadiness: number;
  pauses: readonly Span[];
  /** Where the voice gives way in the middle of a vowel. */
  breaks: readonly Span[];
  /** Seconds of voiced sound: what all of this stands on. */
  voiced: number;
  /** How many decibels the voice stands above the background: the signal-to-noise ratio. */
  noise: number;
  /** The share of samples that were cut off at full scale. */
  clipped: number;
}

/** senses: what was measured of a turn, before anybody interprets it. A trace keeps it without the media. */
export interface Readings {
  duration: number;
  sensed: readonly Sensed[];
  /** With their times, where the turn was heard. */
  words: readonly Word[];
  /** All senses together, each by how far it can be trusted; empty where none had anything to go by. */
  shares: Record<string, number>;
  conflict: Conflict | null;
}

export interface Ready {
  kind: "ready";
  session: SessionView;
}

/** A turn again, with something set by hand, to see what follows. The turn itself stays as it was, until that is kept. */
export interface Replay {
  /** Each `STEP.FIELD=VALUE`, such as `forecast.emotion=ashamed`. */
  edits?: readonly string[];
  /** The step to start from; empty: the one after the last edit. */
  start?: string;
}

/** respond: the words. */
export interface Reply {
  kind: "reply";
  text: string;
}

/** A message without media. */
export interface Said {
  text: string;
}

/** One word as it was written, and when it is heard. */
export interface SaidWord {
  start: number;
  end: number;
  text: string;
  confidence: number | null;
  /** Where its first character stands in the text that was to be said. */
  at: number;
  /** The words that were said for it: «five dollars» for «$5». */
  spoken: string;
}

/** A typed message. While a reply is being given it interrupts it. */
export interface Say {
  kind: "say";
  text: string;
  /** Anything that no other message of the session has. Sent again with the same id it is not said twice: what became of it is told. Empty: it is said as often as it is sent. */
  id: string;
}

/** scenario: the event that the speaker is in (the first link of the chain of empathy). */
export interface Scenario {
  kind: "scenario";
  event: string;
}

/** What was said was looked through for danger, before the first step. */
export interface Screened {
  kind: "screened";
  alert: Alert;
}

/** What one sense made of a turn. */
export interface Sensed {
  source: "words" | "voice" | "face" | "picture";
  /** In the order of time; empty where the sense had nothing to go by. */
  moments: readonly Moment[];
  /** The code of the language that was heard, where it was clearly not English. */
  language: string;
  /** The most telling first. */
  cues: readonly Measured[];
  /** Why there is nothing, or what was wrong with the input, in a sentence. */
  note: string;
}

/** What is seen and heard at this moment. */
export interface Sensing {
  kind: "sensing";
  event: FaceSeen | VoiceActivity | Spoken | TurnOver;
}

/** What a session can be made of. */
export interface ServerOptions {
  version: string;
  /** Each with what it does, in a line. */
  recipes: Record<string, string>;
  /** The addresses that this server lets one choose; the first is the usual one. */
  models: readonly string[];
  identities: readonly PersonView[];
  /** The steps of each recipe, in order. */
  steps: Record<string, readonly string[]>;
  recipe: string;
  identity: string;
  /** Whether replies can be spoken here. */
  voice: boolean;
  /** Whether this server may look and listen: a deployment can turn that off. */
  senses: boolean;
  /** Whether anything may be inferred from a face or the sound of a voice. False at work and in schools: no picture is taken there, and of sound only the words. */
  infers: boolean;
  /** What a person is told before they say anything: that no human answers. */
  disclosure: string;
  /** Where this server takes people to be unless they say so; empty: it does not know. */
  country: string;
  /** Those whose services are known, by name. */
  countries: readonly Place[];
  /** Those, beside English, that are told apart. */
  languages: readonly LanguageNote[];
  /** Letters that one message may have. */
  longest_message: number;
}

/** What is to be otherwise from now on; what is left out stays. */
export interface SessionChange {
  recipe?: string | null;
  model?: string | null;
  identity?: string | null;
  pace?: "quick" | "thorough" | null;
  title?: string | null;
  /** A session that was in memory only is kept from now on. To undo that, delete it. */
  kept?: true | null;
  country?: string | null;
}

/** A session as a list shows it. */
export interface SessionLine {
  id: string;
  title: string;
  made: string;
  touched: string;
  turns: number;
  identity: string;
  kept: boolean;
}

/** What a new session is to be. Everything has a usual value. */
export interface SessionRequest {
  recipe?: string;
  model?: string;
  identity?: string;
  /** `quick`: the first pass is said at once and audited afterwards; `thorough`: audited first. */
  pace?: "quick" | "thorough";
  /** False: it lives in the server's memory only and is gone when the server stops. */
  kept?: boolean;
  title?: string;
  /** Whose services are named should somebody be in danger; empty: not known. */
  country?: string;
}

export interface SessionView {
  id: string;
  title: string;
  made: string;
  touched: string;
  turns: number;
  identity: string;
  kept: boolean;
  recipe: string;
  model: string;
  pace: "quick" | "thorough";
  country: string;
  conversation: readonly TurnView[];
}

/** What one detector found in what was said, or in how somebody sounded and looked. */
export interface Sign {
  /** The detector, such as `rules`, `reader`, `guard`, `before` for what was said in earlier turns, `face` or `voice`. */
  by: string;
  tier: "none" | "concern" | "active" | "imminent";
  danger: "suicide" | "self-harm" | "abuse" | "violence" | "medical" | "eating" | "child" | "despair";
  /** Verbatim from the dialogue, where the detector can point at words. */
  quote: string;
  why: string;
  confidence: number | null;
}

/** understand: what happened and what it means to the person, and of what kind the message is. */
export interface Situation {
  kind: "situation";
  /** Such as `loss`, `worry`, `good`, `ironic`, `question`. */
  message: string;
  confidence: number | null;
  /** How likely each kind is, where the model tells. */
  distribution: Record<string, number> | null;
  /** How likely each emotion is, where the model tells. */
  feelings: Record<string, number> | null;
  /** One plain sentence, in the third person, from models that have the words for it. */
  meaning: string;
  /** The classifier that found it, where no language model was asked. */
  by: string;
}

/** A stretch of the turn, in seconds from its start. */
export interface Span {
  start: number;
  end: number;
}

/** A stretch of the reply is about to be heard: its face, its words, and, in the binary message after it, its sound. */
export interface Speech {
  kind: "speech";
  turn: number;
  piece: number;
  /** Seconds of the reply's sound before it. */
  start: number;
  seconds: number;
  timeline: Timeline;
  last: boolean;
}

/** A stretch of speech that is over and understood. */
export interface Spoken {
  kind: "spoken";
  heard: HeardSpeech;
}

export interface StepFinished {
  kind: "step finished";
  number: number;
  record: StepRecord;
}

/** A step that was carried out. A later pass that keeps the step holds this very object. */
export interface StepRecord {
  step: string;
  /** The number of the pass that made it. */
  made_in: number;
  output: Evidence | Scenario | Situation | Forecast | Cause | Plan | Strategy | Goal | Exemplars | Reply | Delivery;
  calls: readonly Call[];
  /** What code could verify and found wrong. */
  findings: readonly Finding[];
  ms: number;
  /** True where a fault was put into the output on purpose. */
  planted: boolean;
  /** True where a person set the output: the audit leaves it alone, for a person's word stands. */
  edited: boolean;
}

export interface StepSkipped {
  kind: "step skipped";
  number: number;
  step: string;
  why: string;
}

export interface StepStarted {
  kind: "step started";
  number: number;
  step: string;
}

/** The reply was stopped, by speaking over it or by a button. */
export interface Stop {
  kind: "stop";
  turn: number;
  /** Seconds of its sound that were heard. */
  at: number;
}

/** strategy: emotional reaction (ER), interpretation (IP) or exploration (EX). */
export interface Strategy {
  kind: "strategy";
  choice: string;
  why: string;
}

/** One emotion decision for voice and face. */
export interface Style {
  /** A label of any set of emotions, or a word that can be read as one. */
  emotion: string;
  intensity: number;
  /** The tone of a plan, such as «gentle», or none. */
  tone: string;
}

/** A stretch of a performance. Several that follow each other are `strung` into one. */
export interface Timeline {
  format: "heartfelt timeline 1";
  style: Style;
  /** The name of who shows it; any other can show it too. */
  persona: string;
  /** Seconds of the performance before this stretch. */
  start: number;
  seconds: number;
  /** Moments a second. */
  rate: number;
  /** With their times in seconds from the start of this stretch. */
  words: readonly SaidWord[];
  phones: readonly Phone[];
  /** For each unit of the face that moves (0 to 1) and each angle (degrees) its value at each moment; the rest is at rest. */
  channels: Record<string, readonly number[]>;
}

/** Milliseconds of a turn, each from the moment when the person had finished (the last sound of speech, or the sending). */
export interface Times {
  /** The words were there. */
  understood_ms: number | null;
  first_step_ms: number | null;
  first_word_ms: number | null;
  last_word_ms: number | null;
  /** The first sound of the reply left the server. */
  first_sound_ms: number | null;
  /** The first sound of the reply was played, as the browser says. */
  heard_ms: number | null;
  last_sound_ms: number | null;
  /** Of all this, what was spent in the queue. */
  waited_ms: number | null;
}

export interface Turn {
  speaker: string;
  text: string;
  /** A label that came with the data. No step reads it: it is there to score against. */
  emotion: string | null;
  keyframes: readonly Keyframe[];
  /** What was seen and heard while it was said. */
  readings: Readings | null;
}

export interface TurnChanged {
  kind: "turn";
  turn: TurnView;
}

export interface TurnFailed {
  kind: "turn failed";
  error: string;
  message: string;
  step: string;
  /** The model's last answer, where it was the answer that failed. */
  raw: string;
}

export interface TurnFinished {
  kind: "turn finished";
  reply: string;
  chosen: number;
  why_chosen: string;
  stopped: "no audit" | "all checks passed" | "refinements spent" | "budget spent" | "danger";
  left_out: readonly string[];
  guarded: readonly string[];
  ms: number;
}

/** Everything told before this belongs to the turn that it closes. Its start is the zero of that turn's times. */
export interface TurnOver {
  start: number;
  end: number;
  kind: "turn over";
}

export interface TurnStarted {
  kind: "turn started";
  /** The release of Heartfelt that made the trace. */
  version: string;
  /** Everything that is needed to run the turn again: recipe, model, ablation, seed, budget. */
  setup: Record<string, unknown>;
  dialogue: Dialogue;
  dialogue_hash: string;
  steps: readonly string[];
  audited: readonly string[];
  model: string;
}

/** One thing that a person said, and what became of it. */
export interface TurnView {
  number: number;
  state: "waiting" | "answering" | "answered" | "unfinished" | "failed";
  /** The person's words. */
  said: string;
  /** The code of the language, where it is clearly not English. */
  language: string;
  by: "typed" | "spoken" | "uploaded";
  /** The `id` of the `Say` that it came with. */
  message_id: string;
  readings: Readings | null;
  /** As it was written. */
  reply: string;
  interrupted: boolean;
  /** What of the reply was heard before it was interrupted: only this is remembered as said. */
  heard: string;
  /** Who answered; empty: nobody yet. */
  identity: string;
  /** What was taken to be felt. */
  emotion: string;
  /** When the person had finished. */
  made: string;
  times: Times;
  /** Why it failed, and what can be done. */
  error: string;
  afterthought: Afterthought | null;
  /** Set where what was said tells of danger; the reply is then a reviewed one. */
  alarm: Alarm | null;
  /** Shown beside the reply: that a break is due after long talk, or that danger could not be fully looked for. */
  reminder: string;
}

export interface Verdict {
  step: string;
  ok: boolean;
  confidence: number | null;
}

/** Somebody began or ceased to speak. What was said follows once it is understood, and never does for a mere click. */
export interface VoiceActivity {
  kind: "voice activity";
  /** Where in the sound. */
  time: number;
  speaking: boolean;
}

/** Others are being answered first. */
export interface Waiting {
  kind: "waiting";
  turn: number;
  /** 1: next. */
  place: number;
  /** About how long, from how long turns took lately. */
  seconds: number;
}

/** One word that was heard. */
export interface Word {
  start: number;
  end: number;
  text: string;
  confidence: number | null;
}

/** A piece of the reply, as it is written. */
export interface Wrote {
  kind: "wrote";
  number: number;
  piece: string;
}

export type FromClient = Begin | Say | EndTurn | Stop | Played | Again | Ping;

export type FromServer = Ready | Waiting | TurnChanged | Happened | Sensing | Speech | Hush | ErrorNotice | Pong;

export type TraceEvent = TurnStarted | Screened | PassStarted | StepStarted | Wrote | StepFinished | StepSkipped | Audited | Guarded | Notice | TurnFinished | TurnFailed | Performed;

export type Output = Evidence | Scenario | Situation | Forecast | Cause | Plan | Strategy | Goal | Exemplars | Reply | Delivery;

export const SOUND_IN = 16000;
export const SOUND_OUT = 24000;

/** The label sets that emotions, causes and the like are taken from. */
export const LABELS: Record<string, readonly string[]> = {
  "ed32": [
    "afraid",
    "angry",
    "annoyed",
    "anticipating",
    "anxious",
    "apprehensive",
    "ashamed",
    "caring",
    "confident",
    "content",
    "devastated",
    "disappointed",
    "disgusted",
    "embarrassed",
    "excited",
    "faithful",
    "furious",
    "grateful",
    "guilty",
    "hopeful",
    "impressed",
    "jealous",
    "joyful",
    "lonely",
    "nostalgic",
    "prepared",
    "proud",
    "sad",
    "sentimental",
    "surprised",
    "terrified",
    "trusting"
  ],
  "coarse": [
    "neutral",
    "happy",
    "surprise",
    "anger",
    "fear",
    "sad",
    "disgust",
    "contempt"
  ],
  "ekman": [
    "happy",
    "surprise",
    "anger",
    "fear",
    "sad",
    "disgust"
  ],
  "meld": [
    "neutral",
    "surprise",
    "fear",
    "sadness",
    "joy",
    "disgust",
    "anger"
  ],
  "iemocap": [
    "happy",
    "sad",
    "neutral",
    "angry",
    "excited",
    "frustrated"
  ],
  "mead": [
    "neutral",
    "happy",
    "surprised",
    "angry",
    "fear",
    "sad",
    "disgusted",
    "contempt"
  ],
  "trace_causes": [
    "Social Connection & Affection",
    "Conflict & Injustice",
    "Loss & Failure",
    "Achievement & Success",
    "Threat & Potential Danger",
    "Unexpectedness & Novelty"
  ],
  "messages": [
    "bad",
    "loss",
    "wrong",
    "worry",
    "fault",
    "nuisance",
    "ironic",
    "mixed",
    "memory",
    "good",
    "delight",
    "chat",
    "unclear",
    "question",
    "correct",
    "thanks"
  ],
  "er_ip_ex": [
    "ER",
    "IP",
    "EX"
  ],
  "esconv": [
    "Question",
    "Restatement or Paraphrasing",
    "Reflection of feelings",
    "Self-disclosure",
    "Affirmation and Reassurance",
    "Providing Suggestions",
    "Information",
    "Others"
  ]
};

/** The four vocabularies of a plan. */
export const PLAN: Record<string, readonly string[]> = {
  "goal": [
    "comfort",
    "reassure",
    "validate",
    "encourage",
    "celebrate",
    "explore",
    "calm",
    "connect"
  ],
  "stance": [
    "friend",
    "ally",
    "witness",
    "companion",
    "admirer",
    "coach",
    "peer",
    "confidant"
  ],
  "tactic": [
    "reflecting the feeling",
    "asking an open question",
    "naming what was hard",
    "affirming a strength",
    "sharing the joy",
    "normalising the reaction",
    "offering a perspective",
    "thanking for the trust"
  ],
  "tone": [
    "gentle",
    "warm",
    "calm",
    "steady",
    "tender",
    "bright",
    "playful",
    "sincere"
  ]
};

/** The strategies by their codes. */
export const STRATEGIES: Record<string, string> = {
  "ER": "emotional reaction",
  "IP": "interpretation",
  "EX": "exploration"
};
