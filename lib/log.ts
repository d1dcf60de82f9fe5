import { type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/** JSON lines on stdout. Personal data goes only under `pii.`, and that is removed before it is written. */
export function createLogger(level: string): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: ['pii', '*.pii'], remove: true },
  });
}
