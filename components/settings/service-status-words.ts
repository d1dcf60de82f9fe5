import { linesInUse } from '#lib/features/numbers/rules.ts';
import type { ServiceStatus } from '#lib/features/status/contract.ts';

const SMALLEST_FREE_SHARE = 0.1;
const SMALLEST_FREE_BYTES = 2 * 1024 ** 3;
const LATE_SECONDS = 60;
/** Fewer sends say nothing of a receiver. */
const FEWEST_SENDS = 3;
const MANY_FAILED = 0.2;

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const oneDigit = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** What somebody should look at, in a sentence each. */
export function concernsOf(status: ServiceStatus): string[] {
  const { parts, disk, calls, webhooks, carriers, models, conversations } = status;
  const silent = parts.flatMap(({ name, problem }) => (problem === null ? [] : name));
  const isFull =
    disk !== null &&
    (disk.freeBytes < disk.totalBytes * SMALLEST_FREE_SHARE || disk.freeBytes < SMALLEST_FREE_BYTES);
  const missing = carriers.filter(({ isSetUp, numbers }) => !isSetUp && numbers > 0);
  const areWebhooksFailing = webhooks.sent >= FEWEST_SENDS && webhooks.failed / webhooks.sent > MANY_FAILED;
  const { processes } = conversations;
  return [
    ...silent.map((name) => `The ${name} does not answer.`),
    ...(isFull ? [`Only ${sizeOf(disk.freeBytes)} of the disk are free.`] : []),
    ...(calls.oldestSeconds > LATE_SECONDS
      ? [`A call that is due has waited for ${durationOf(calls.oldestSeconds)}.`]
      : []),
    ...(calls.lines.inUse >= calls.lines.limit
      ? [`${linesInUse({ of: 'workspace', most: calls.lines.limit })}.`]
      : []),
    ...calls.lines.fullNumbers.map(
      ({ number, limit }) => `${linesInUse({ of: 'number', number, most: limit })}.`,
    ),
    ...(webhooks.oldestSeconds > LATE_SECONDS
      ? [`A webhook has waited for ${durationOf(webhooks.oldestSeconds)}.`]
      : []),
    ...(areWebhooksFailing
      ? [`${webhooks.failed} of ${webhooks.sent} webhooks of the last hour were not taken.`]
      : []),
    ...missing.map(
      ({ kind, numbers }) =>
        `${countOf(numbers, 'number')} of the carrier ${kind}, which is not set up here.`,
    ),
    ...(models.problem ? [`The model ${models.problem.model} refuses to work.`] : []),
    ...(processes && processes.ready > 0 && processes.ready < processes.wanted
      ? [`Only ${processes.ready} of ${processes.wanted} processes of conversations run.`]
      : []),
  ];
}

/**
 * Each model with what it does; one that refused to work says so where it stands, with the call that it refused. A model that
 * is no longer set up has no place of its own: the first of its kind tells.
 */
export function modelRowsOf(
  models: ServiceStatus['models'],
): { term: string; value: string; refusedOn: string | undefined }[] {
  const { problem } = models;
  const isFallback = problem?.model === models.fallback || problem?.model === models.transcriptionFallback;
  const row = (term: string, value: string, part?: 'language' | 'transcription', isSecond = false) => {
    const isRefused = problem !== null && problem.part === part && isSecond === isFallback;
    return {
      term,
      value: isRefused ? `${problem.model} needs somebody to act` : value,
      refusedOn: isRefused ? problem.callId : undefined,
    };
  };
  return [
    row('Language', models.language ?? 'none: the keyless agent', 'language'),
    ...(models.fallback ? [row('Language fallback', models.fallback, 'language', true)] : []),
    ...(models.realtime ? [row('Speech to speech', models.realtime)] : []),
    row('Transcription', models.transcription ?? 'none: speech is not understood', 'transcription'),
    ...(models.transcriptionFallback
      ? [row('Transcription fallback', models.transcriptionFallback, 'transcription', true)]
      : []),
    row('Voices', models.speech ?? 'local'),
    row('Search', models.embedding),
  ];
}

export function sizeOf(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(
    units.length - 1,
    Math.max(0, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(1024))),
  );
  return `${(power < 3 ? whole : oneDigit).format(bytes / 1024 ** power)} ${units[power]}`;
}

/** The largest unit that fits, with the next smaller one: "3 h 12 min". */
export function durationOf(seconds: number): string {
  const units = [
    { name: 'd', seconds: 86_400 },
    { name: 'h', seconds: 3_600 },
    { name: 'min', seconds: 60 },
    { name: 's', seconds: 1 },
  ];
  const at = Math.max(
    0,
    units.findIndex((unit) => seconds >= unit.seconds),
  );
  const [first, second] = seconds < 1 ? [units[3], undefined] : [units[at], units[at + 1]];
  if (!first) return '';
  const count = Math.floor(seconds / first.seconds);
  const rest = second ? Math.floor((seconds - count * first.seconds) / second.seconds) : 0;
  return `${count} ${first.name}${second && rest > 0 ? ` ${rest} ${second.name}` : ''}`;
}

/** As commits are usually written: long enough to be one of a kind. */
const COMMIT_LETTERS = 12;

export function releaseOf({ version, commit }: Pick<ServiceStatus, 'version' | 'commit'>): string {
  return commit === null ? version : `${version} (${commit.slice(0, COMMIT_LETTERS)})`;
}

export function countOf(count: number, noun: string): string {
  return `${whole.format(count)} ${noun}${count === 1 ? '' : 's'}`;
}
