import { dateFormat } from '#lib/date-format.ts';

/** How an agent says a moment: `Tuesday, March 24 at 3:30 PM`, in the wall-clock time of `timeZone`. */
export function speakMoment(instant: Date, timeZone: string): string {
  const day = dateFormat({
    timeZone,
    weekday: 'long',
    month: 'long',
    day: 'numeric',
  }).format(instant);
  const time = dateFormat({ timeZone, hour: 'numeric', minute: '2-digit' }).format(instant);
  // Intl puts a narrow no-break space before AM and PM.
  return `${day} at ${time.replace(/\s/g, ' ').replace(':00 ', ' ')}`;
}
