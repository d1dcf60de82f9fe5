/** `a.b[0].c` and `a.items[*].name`; the `$` of JSONPath in front may be written. */
const STEP = /\.?(?:([^.[\]]+)|\[(\d+|\*)\]|\["([^"\]]*)"\])/gy;
const MAX_STEPS = 30;
const MAX_FOUND = 200;

/** Why a path cannot be followed; undefined where it can. */
export function pathFault(path: string): string | undefined {
  return stepsOf(path) ? undefined : 'must be a path such as data.items[0].name, or items[*].name';
}

/**
 * The value at a path; undefined where there is none. `[*]` gives a list of what is found in each. One step after the
 * other: libraries for JSONPath search whole documents, for as long as whoever wrote the path likes.
 */
export function readPath(json: unknown, path: string): unknown {
  const steps = stepsOf(path);
  return steps && follow(json, steps);
}

function follow(value: unknown, steps: readonly string[]): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (step === '[*]') {
    const each = Array.isArray(value) ? value.slice(0, MAX_FOUND) : [];
    const found = each.map((item: unknown) => follow(item, rest)).filter((item) => item !== undefined);
    return rest.includes('[*]') ? found.flat().slice(0, MAX_FOUND) : found;
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
  return follow(Reflect.get(value, step), rest);
}

function stepsOf(path: string): string[] | undefined {
  const text = path.trim().replace(/^\$(?=$|[.[])\.?/, '');
  const steps: string[] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < text.length) {
    const found = STEP.exec(text);
    if (!found || steps.length >= MAX_STEPS) return undefined;
    const [, name, index, quoted] = found;
    steps.push(index === '*' ? '[*]' : (name ?? index ?? quoted ?? '').trim());
  }
  return steps;
}
