import type { TraceContext } from '#lib/trace/context.ts';

/** Something that took time, when it is over. Attributes hold ids and words from closed lists, never what people said or are. */
export type FinishedSpan = {
  name: string;
  /** The span itself; its trace is its parent's. */
  trace: TraceContext;
  parentSpanId?: string | undefined;
  kind: 'server' | 'client' | 'internal';
  startedAt: Date;
  endedAt: Date;
  attributes?: Readonly<Record<string, string | number | boolean | null | undefined>>;
  /** In one of a few words; undefined where it went well. */
  error?: string | undefined;
};

/** Where spans go. They are told when they are over, by whichever process knows it. */
export type Tracer = {
  /** False: nobody wants them, and none need be made. */
  isOn: boolean;
  record(span: FinishedSpan): void;
  /** Sends what waits. */
  stop(): Promise<void>;
};

export const noTracer: Tracer = { isOn: false, record() {}, stop: async () => {} };
