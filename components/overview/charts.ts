import { DISPOSITION_WORDS, SENTIMENT_WORDS } from '#components/conversations/wording.ts';
import type { Overview, OverviewFigures } from '#lib/features/overview/contract.ts';
import type { Chart } from './chart-card.tsx';
import type { Series } from './plot.tsx';
import { listPath, type ListFilter } from './range.ts';
import {
  answerRate,
  countText,
  minutesText,
  moneyText,
  periodName,
  periodTick,
  secondsText,
  shareText,
} from './wording.ts';

type Outcome = keyof typeof DISPOSITION_WORDS;
type Sentiment = keyof typeof SENTIMENT_WORDS;

/** From the bottom up. */
const OUTCOME_COLOURS: [Outcome, string][] = [
  ['COMPLETED', 'var(--agent)'],
  ['APPOINTMENT_BOOKED', 'var(--success-solid)'],
  ['SCHEDULED_CALLBACK', 'var(--human)'],
  ['TRANSFERRED', 'var(--violet)'],
  ['VOICEMAIL', 'var(--agent-rest)'],
  ['ABANDONED', 'var(--warning-solid)'],
  ['FAILED', 'var(--danger-solid)'],
];
const SENTIMENT_COLOURS: [Sentiment, string][] = [
  ['POSITIVE', 'var(--success-solid)'],
  ['NEUTRAL', 'var(--agent-rest)'],
  ['NEGATIVE', 'var(--danger-solid)'],
  ['N_A', 'var(--line-strong)'],
];

const OUTCOMES: Series[] = OUTCOME_COLOURS.map(([key, colour]) => ({
  key,
  colour,
  label: DISPOSITION_WORDS[key].label,
}));
const SENTIMENTS: Series[] = SENTIMENT_COLOURS.map(([key, colour]) => ({
  key,
  colour,
  label: SENTIMENT_WORDS[key].label,
}));

type Described = Pick<Chart, 'title' | 'description' | 'kind' | 'series' | 'format' | 'sumName' | 'most'> & {
  valuesOf: (figures: OverviewFigures) => Record<string, number | null>;
  /** What of a period's conversations the chart is about, and of those a series. */
  list: ListFilter;
  listOf?: (key: string) => ListFilter;
};

const DESCRIBED: Described[] = [
  {
    title: 'Outcomes',
    description: 'How calls ended.',
    kind: 'bars',
    series: OUTCOMES,
    sumName: 'Calls',
    valuesOf: ({ outcomes }) => outcomes,
    format: countText,
    list: { channel: 'call' },
    listOf: (disposition) => ({ channel: 'call', disposition }),
  },
  {
    title: 'Sentiment',
    description: 'How people felt about their calls.',
    kind: 'bars',
    series: SENTIMENTS,
    valuesOf: ({ sentiments }) => sentiments,
    format: countText,
    list: { channel: 'call' },
    listOf: (sentiment) => ({ channel: 'call', sentiment }),
  },
  {
    title: 'Answer rate',
    description: 'Of the calls that agents placed, those that a person answered.',
    kind: 'lines',
    series: [{ key: 'rate', label: 'Answered by a person', colour: 'var(--agent)' }],
    valuesOf: (figures) => ({ rate: answerRate(figures) }),
    format: shareText,
    most: 1,
    list: { channel: 'call', direction: 'OUTBOUND' },
  },
  {
    title: 'Time to answer',
    description: "From a person's last sound to the agent's first.",
    kind: 'lines',
    series: [
      { key: 'median', label: 'Median', colour: 'var(--agent)' },
      { key: 'slowest', label: '95 of 100 within', colour: 'var(--human)' },
    ],
    valuesOf: ({ answerTime }) => ({
      median: answerTime?.medianMs ?? null,
      slowest: answerTime?.slowestMs ?? null,
    }),
    format: secondsText,
    list: { channel: 'call' },
  },
  {
    title: 'Minutes',
    description: 'Of calls, from answer to hang-up.',
    kind: 'bars',
    series: [{ key: 'minutes', label: 'Minutes', colour: 'var(--agent)' }],
    valuesOf: ({ minutes }) => ({ minutes }),
    format: minutesText,
    list: { channel: 'call' },
  },
  {
    title: 'Cost',
    description: 'Of calls and chats, by the prices of the workspace.',
    kind: 'bars',
    series: [{ key: 'cost', label: 'Cost', colour: 'var(--agent)' }],
    valuesOf: ({ cost }) => ({ cost }),
    format: moneyText,
    list: {},
  },
];

/** The charts of a range; those that would show nothing but zeros are left out. */
export function chartsOf(overview: Overview, workspaceId: string, ofAgent: ListFilter): Chart[] {
  const { periods, totals, unit, timeZone } = overview;
  return DESCRIBED.flatMap(({ valuesOf, list, listOf, ...chart }) => {
    const whole = valuesOf(totals.current);
    if (!Object.values(whole).some((value) => value)) return [];
    const shown = periods.map((period) => ({
      name: periodName(period, unit, timeZone),
      tick: periodTick(period.startsAt, unit, timeZone),
      href: listPath(workspaceId, period, { ...ofAgent, ...list }),
      values: valuesOf(period),
    }));
    const hrefOf = (key: string, index: number) => {
      const period = periods[index];
      return period && listOf ? listPath(workspaceId, period, { ...ofAgent, ...listOf(key) }) : '';
    };
    return { ...chart, periods: shown, totals: whole, ...(listOf ? { hrefOf } : {}) };
  });
}
