/** Speech that the browser itself turns into words (Web Speech API), for a service that has no transcription. */
export type Recognition = { setPaused(isPaused: boolean): void; stop(): void };

type RecognitionEvent = {
  resultIndex: number;
  results: ArrayLike<ArrayLike<{ transcript: string }> & { isFinal: boolean }>;
};

/** The part of the browser's object that is used; TypeScript's library does not describe it. */
type Recognizer = {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  onresult: (event: RecognitionEvent) => void;
  onend: () => void;
  onerror: (event: { error: string }) => void;
  start(): void;
  abort(): void;
};
type RecognizerWindow = {
  SpeechRecognition?: new () => Recognizer;
  webkitSpeechRecognition?: new () => Recognizer;
};

function recognizerClass(): (new () => Recognizer) | undefined {
  const { SpeechRecognition, webkitSpeechRecognition } = window as unknown as RecognizerWindow;
  return SpeechRecognition ?? webkitSpeechRecognition;
}

export function canRecognize(): boolean {
  return recognizerClass() !== undefined;
}

/** Begins at once, and again whenever the browser stops by itself, as it does after a silence. */
export function startRecognition(
  language: string,
  handlers: { onInterim(text: string): void; onWords(text: string): void; onRefused(): void },
): Recognition | undefined {
  const Recognizer = recognizerClass();
  if (!Recognizer) return undefined;
  const recognizer = new Recognizer();
  let isWanted = true;
  let isPaused = false;
  recognizer.lang = language;
  recognizer.continuous = true;
  recognizer.interimResults = true;
  recognizer.onresult = ({ results, resultIndex }) => {
    let interim = '';
    for (let index = resultIndex; index < results.length; index += 1) {
      const text = results[index]?.[0]?.transcript.trim() ?? '';
      if (results[index]?.isFinal) handlers.onWords(text);
      else interim = `${interim} ${text}`.trim();
    }
    if (interim !== '') handlers.onInterim(interim);
  };
  recognizer.onerror = ({ error }) => {
    // Others ("no-speech", "aborted", "network" for a moment) pass by themselves.
    if (error !== 'not-allowed' && error !== 'service-not-allowed') return;
    isWanted = false;
    handlers.onRefused();
  };
  recognizer.onend = () => {
    if (isWanted && !isPaused) recognizer.start();
  };
  recognizer.start();
  return {
    setPaused(next) {
      isPaused = next;
      if (isPaused) recognizer.abort();
      else recognizer.start();
    },
    stop() {
      isWanted = false;
      recognizer.abort();
    },
  };
}
