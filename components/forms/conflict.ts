type Fields = Readonly<Record<string, unknown>>;

/** A field that two people changed: what each of them made of it. */
export type Conflict = { name: string; mine: unknown; theirs: unknown };

/** What was changed by somebody else (`merged`, where this form left it alone) and what by both, differently. */
export type Conflicts = { merged: Fields; both: Conflict[] };

export function conflictsOf({ base, mine, theirs }: Record<'base' | 'mine' | 'theirs', Fields>): Conflicts {
  const changed = Object.keys(theirs).filter((name) => !isSame(theirs[name], base[name]));
  const isBoth = (name: string) => !isSame(mine[name], base[name]) && !isSame(mine[name], theirs[name]);
  return {
    merged: Object.fromEntries(changed.filter((name) => !isBoth(name)).map((name) => [name, theirs[name]])),
    both: changed.filter(isBoth).map((name) => ({ name, mine: mine[name], theirs: theirs[name] })),
  };
}

/** An empty text and none are the same to whoever fills in a form. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (value === undefined || value === '') return null;
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, each]) => [name, sorted(each)]));
}
