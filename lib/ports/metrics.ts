import type { ProcessFigures } from '#lib/media/process-figures.ts';

/** Where figures of what the service does are counted. Every word that becomes a label is from a closed list. */
export type Metrics = {
  /** An answer of an operation of the API or the dashboard. */
  request(answered: { operation: string; status: number; seconds: number }): void;
  /** `outcome`: the call's disposition. */
  callEnded(call: { direction: string; channel: string; carrier: string; outcome: string }): void;
  /** The parts of an answer to a turn of a person. */
  turn(timings: {
    endOfTurnMs: number;
    transcriptionMs: number;
    firstTokenMs: number | null;
    firstAudioMs: number;
    totalMs: number;
  }): void;
  /** A model did not do what it was asked for on a call. */
  modelFailed(kind: string): void;
  /** `ageSeconds`: since the delivery was committed. */
  webhook(sent: { kind: string; outcome: string; ageSeconds: number }): void;
  /** What a process of conversations told of itself since it told the last time. */
  conversationProcess(figures: ProcessFigures): void;
  /** The exposition in Prometheus' text format; undefined where nobody may ask for it. */
  expose(): Promise<{ contentType: string; text: string } | undefined>;
};

/** Counts nothing: nobody asks for figures. */
export const noMetrics: Metrics = {
  request() {},
  callEnded() {},
  turn() {},
  modelFailed() {},
  webhook() {},
  conversationProcess() {},
  expose: async () => undefined,
};
