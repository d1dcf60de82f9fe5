/** What is kept of a JSON Schema: enough to tell a model what to give, and cheap to check whoever wrote it. */
export type ArgumentSchema = {
  type: 'object';
  properties: Record<string, Record<string, unknown>>;
  required: string[];
};

const LIMITS = { depth: 6, nodes: 300, text: 1000, list: 100, bytes: 32 * 1024 };

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']);
/** `pattern` is told and not checked: a pattern can take a processor for minutes. */
const NUMBERS = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
];
const TEXTS = ['description', 'title', 'format'];
const PROPERTY_NAME = /^[\w$][\w.$-]{0,63}$/;

export const NO_ARGUMENTS: ArgumentSchema = { type: 'object', properties: {}, required: [] };

/**
 * Keeps of a schema the keywords that are known, within bounds; undefined where it describes no object or is too large.
 * Whoever wrote it may be a stranger's server.
 */
export function readArgumentSchema(schema: unknown): ArgumentSchema | undefined {
  const budget = { nodes: LIMITS.nodes };
  const kept = keep(schema, 0, budget);
  if (!kept || budget.nodes < 0) return undefined;
  const properties = asRecord(kept['properties']) ?? {};
  if (kept['type'] !== undefined && kept['type'] !== 'object') return undefined;
  const required = Array.isArray(kept['required']) ? kept['required'] : [];
  const found: ArgumentSchema = {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, value]) => [name, asRecord(value) ?? {}]),
    ),
    required: required.filter((name): name is string => typeof name === 'string' && name in properties),
  };
  return JSON.stringify(found).length > LIMITS.bytes ? undefined : found;
}

type Budget = { nodes: number };

function keep(schema: unknown, depth: number, budget: Budget): Record<string, unknown> | undefined {
  const given = asRecord(schema);
  budget.nodes -= 1;
  if (!given || budget.nodes < 0) return undefined;
  const kept: Record<string, unknown> = { ...keepWords(given), ...keepValues(given) };
  // What lies deeper may be anything: the other side checks it.
  if (depth >= LIMITS.depth) return kept;
  const properties = asRecord(given['properties']);
  if (properties) {
    const names = Object.keys(properties).filter(isPropertyName).slice(0, LIMITS.list);
    kept['properties'] = Object.fromEntries(
      names.map((name) => [name, keep(properties[name], depth + 1, budget) ?? {}]),
    );
    if (Array.isArray(given['required']))
      kept['required'] = [...new Set(given['required'])].filter((name) => names.includes(String(name)));
  }
  if (given['items'] !== undefined) kept['items'] = keep(given['items'], depth + 1, budget) ?? {};
  for (const word of ['anyOf', 'oneOf', 'allOf']) {
    const list = given[word];
    if (Array.isArray(list) && list.length > 0)
      kept[word] = list.slice(0, 10).map((each) => keep(each, depth + 1, budget) ?? {});
  }
  if (given['additionalProperties'] === false) kept['additionalProperties'] = false;
  return kept;
}

function keepWords(given: Record<string, unknown>): Record<string, unknown> {
  const types = [given['type']].flat().filter((type): type is string => TYPES.has(String(type)));
  const [type] = types;
  return {
    ...(type === undefined ? {} : { type: types.length === 1 ? type : types }),
    ...pick(given, TEXTS, (value) => (typeof value === 'string' ? value.slice(0, LIMITS.text) : undefined)),
    ...pick(given, NUMBERS, (value) => (Number.isFinite(value) ? value : undefined)),
  };
}

function keepValues(given: Record<string, unknown>): Record<string, unknown> {
  const list = Array.isArray(given['enum']) ? given['enum'].filter(isPlain).slice(0, LIMITS.list) : [];
  return {
    ...(list.length > 0 ? { enum: list } : {}),
    ...pick(given, ['const', 'default'], (value) => (isPlain(value) ? value : undefined)),
  };
}

function pick(
  given: Record<string, unknown>,
  words: readonly string[],
  read: (value: unknown) => unknown,
): Record<string, unknown> {
  const entries = words.map((word) => [word, read(given[word])] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function isPlain(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= LIMITS.text;
  return value === null || typeof value === 'boolean' || Number.isFinite(value);
}

function isPropertyName(name: string): boolean {
  return PROPERTY_NAME.test(name) && name !== '__proto__' && name !== 'constructor';
}

export function asRecord(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : undefined;
}
