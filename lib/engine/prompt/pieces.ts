import type { Operator, TemplateNode } from './template.ts';

export type Variables = Readonly<Record<string, string>>;

/** A template after its choices were made: literal text, values, and gaps where a value was not given. */
export type Piece = (
  | { kind: 'text'; text: string }
  | { kind: 'value'; name: string; value: string }
  /** A faulty placeholder has no name. */
  | { kind: 'gap'; name: string | null }
) & {
  /** The variable whose missing value leaves open whether this or another text would be said. */
  undecidedBy?: string;
};

/** A spoken value longer than this is cut: nobody listens to more, and it must not crowd out the opening. */
const MAX_SPOKEN_VALUE = 300;
/** A value in the instructions: the longest that a call accepts. */
const MAX_MARKED_VALUE = 10_000;
/** All values in one text together. */
const MAX_VALUES = 200_000;

/** The pieces of a template for one call. */
export function piecesOf(nodes: TemplateNode[], variables: Variables): Piece[] {
  return withinBudget(choose(nodes, lookUpIn(variables)));
}

function choose(nodes: TemplateNode[], valueOf: LookUp): Piece[] {
  return nodes.flatMap((node): Piece[] => {
    switch (node.kind) {
      case 'text':
        return [node];
      case 'broken':
        return [{ kind: 'gap', name: null }];
      case 'choice':
        return valueOf(node.name) === undefined
          ? undecided(node, valueOf)
          : choose(holds(node, valueOf(node.name)) ? node.first : node.second, valueOf);
      case 'variable': {
        const value = valueOf(node.name);
        return [
          value === undefined ? { kind: 'gap', name: node.name } : { kind: 'value', name: node.name, value },
        ];
      }
    }
  });
}

/**
 * Without its number a choice says nothing. One of its texts stays as a stand-in, so that the sentence it belongs to
 * is known, and can be shown, when it is left out.
 */
function undecided(
  { name, first, second }: { name: string; first: TemplateNode[]; second: TemplateNode[] },
  valueOf: LookUp,
): Piece[] {
  const [usual, other] = [choose(second, valueOf), choose(first, valueOf)];
  return (isBlank(usual) ? other : usual).map((piece) => ({ ...piece, undecidedBy: name }));
}

function isBlank(pieces: Piece[]): boolean {
  return pieces.every((piece) => piece.kind === 'text' && piece.text.trim() === '');
}

/** Values beyond the budget become gaps: a long value used a thousand times must not make a text of megabytes. */
function withinBudget(pieces: Piece[]): Piece[] {
  let left = MAX_VALUES;
  return pieces.map((piece) => {
    if (piece.kind !== 'value') return piece;
    left -= piece.value.length;
    return left < 0 ? { kind: 'gap', name: piece.name } : piece;
  });
}

type LookUp = (name: string) => string | undefined;

/** The value of a variable; undefined when it was not given, or given blank. Remembered: a name may come often. */
function lookUpIn(variables: Variables): LookUp {
  const known = new Map<string, string | undefined>();
  return (name) => {
    if (!known.has(name)) {
      // Own properties only: `{{constructor}}` is a name like any other.
      const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
      known.set(name, value === undefined || spokenValue(value) === '' ? undefined : value);
    }
    return known.get(name);
  };
}

/** Whether a call with these variables has a value for the name: what is spoken as nothing was not given. */
export function isGiven(name: string, variables: Variables): boolean {
  return lookUpIn(variables)(name) !== undefined;
}

/** A plain decimal number, or undefined: `0x10`, `1e3`, `1,000` and words are no numbers here. */
export function numberOf(value: string | undefined): number | undefined {
  const trimmed = value?.trim() ?? '';
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(trimmed) ? Number(trimmed) : undefined;
}

/** A value that is no number never makes a comparison true: the second text is used. */
function holds(choice: { operator: Operator; number: number }, given: string | undefined): boolean {
  const value = numberOf(given);
  if (value === undefined) return false;
  switch (choice.operator) {
    case '<':
      return value < choice.number;
    case '<=':
      return value <= choice.number;
    case '>':
      return value > choice.number;
    case '>=':
      return value >= choice.number;
    case '==':
      return value === choice.number;
    case '!=':
      return value !== choice.number;
  }
}

/** One line without control characters, invisible direction marks or braces that look like a placeholder. */
export function spokenValue(value: string): string {
  const line = withoutPlaceholders(oneLine(value));
  const characters = Array.from(line);
  return characters.length <= MAX_SPOKEN_VALUE
    ? line
    : `${characters.slice(0, MAX_SPOKEN_VALUE).join('').trimEnd()}…`;
}

/** A value for the language model: escaped, so that it cannot end its element or start a placeholder. */
export function markedValue(name: string, value: string): string {
  const bounded = Array.from(oneLine(value)).slice(0, MAX_MARKED_VALUE).join('');
  const escaped = bounded
    .replace(/\{(?=\{)/g, '{ ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
  return `<var name="${name}">${escaped}</var>`;
}

function oneLine(value: string): string {
  return value
    .toWellFormed()
    .replace(/[\u202A-\u202E\u2066-\u2069\u200B\u2060\uFEFF]/g, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

function withoutPlaceholders(value: string): string {
  return value.replace(/\{{2,}|\}{2,}/g, '').trim();
}
