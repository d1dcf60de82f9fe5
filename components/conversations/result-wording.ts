import { type FieldType, readResultFilter, type ResultValue } from '#lib/features/agents/results/rules.ts';

export type Comparison = 'equals' | 'contains' | 'greater' | 'less' | 'empty' | 'filled';

const ALWAYS: { value: Comparison; label: string }[] = [
  { value: 'empty', label: 'is empty' },
  { value: 'filled', label: 'has a value' },
];
const IS: { value: Comparison; label: string } = { value: 'equals', label: 'is' };

/** What a value of a type can be compared by. */
export const COMPARISONS: Record<FieldType, { value: Comparison; label: string }[]> = {
  text: [IS, { value: 'contains', label: 'contains' }, ...ALWAYS],
  choice: [IS, ...ALWAYS],
  yes_no: [IS, ...ALWAYS],
  number: [
    IS,
    { value: 'greater', label: 'is more than' },
    { value: 'less', label: 'is less than' },
    ...ALWAYS,
  ],
  date: [IS, { value: 'greater', label: 'is after' }, { value: 'less', label: 'is before' }, ...ALWAYS],
};

/** Where a turn stands on the page of its conversation. */
export function turnAnchor(seq: number): string {
  return `turn-${seq}`;
}

export function resultLabel(value: NonNullable<ResultValue>): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return String(value);
}

/** The parts of a filter in an address; undefined for what is none. */
export function resultFilterParts(text: string | null) {
  if (!text || !readResultFilter(text)) return undefined;
  const [name = '', type = '', is = '', ...value] = text.split(':');
  return { name, type: type as FieldType, is: is as Comparison, value: value.join(':') };
}

/** "guests is more than 4" */
export function resultFilterLabel(text: string): string {
  const parts = resultFilterParts(text);
  if (!parts) return text;
  const words = COMPARISONS[parts.type].find(({ value }) => value === parts.is)?.label ?? parts.is;
  return [parts.name, words, parts.value].filter((part) => part !== '').join(' ');
}
