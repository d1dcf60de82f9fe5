import type { VersionContent, VersionedPrompt } from '#lib/features/versions/rules.ts';

/** A field that was published with another value since the draft changed it. `field` null: the prompt as a whole. */
export type DraftConflict = { promptId: string | null; field: string | null };

type Row = Record<string, unknown>;

/**
 * What a draft is after something else was published: it keeps what it changed of `base`, and has the rest from `live`.
 * Fields that both changed, differently, are conflicts: the draft keeps its own, and the page says so.
 */
export function mergeContents(
  base: VersionContent,
  live: VersionContent,
  draft: VersionContent,
): { content: VersionContent; conflicts: DraftConflict[] } {
  const conflicts: DraftConflict[] = [];
  const agent = mergeRows(base.agent, live.agent, draft.agent, (field) =>
    conflicts.push({ promptId: null, field }),
  );
  const [ofBase, ofLive, ofDraft] = [base, live, draft].map(byId) as [Prompts, Prompts, Prompts];
  const merged: VersionedPrompt[] = [];
  for (const id of new Set([...ofLive.keys(), ...ofDraft.keys()])) {
    const prompts = { base: ofBase.get(id), live: ofLive.get(id), draft: ofDraft.get(id) };
    const prompt = mergePrompt(prompts, (field) => conflicts.push({ promptId: id, field }));
    if (prompt) merged.push(prompt);
  }
  const outboundPrompts = merged.toSorted(
    (one, other) => compare(one.createdAt, other.createdAt) || compare(one.id, other.id),
  );
  return { content: { agent, outboundPrompts }, conflicts };
}

type Prompts = Map<string, VersionedPrompt>;

function byId({ outboundPrompts }: VersionContent): Prompts {
  return new Map(outboundPrompts.map((prompt) => [prompt.id, prompt]));
}

function mergePrompt(
  { base, live, draft }: Record<'base' | 'live' | 'draft', VersionedPrompt | undefined>,
  onConflict: (field: string | null) => void,
): VersionedPrompt | undefined {
  // New in one of them.
  if (!base) return draft ?? live;
  if (live && draft) return mergeRows(base, live, draft, onConflict) as VersionedPrompt;
  const [kept, isDraft] = draft ? [draft, true] : [live, false];
  if (!kept || isSame(kept, base)) return undefined;
  // One of them removed what the other one changed: the draft is what was asked for last.
  onConflict(null);
  return isDraft ? kept : undefined;
}

function mergeRows(base: Row, live: Row, draft: Row, onConflict: (field: string) => void): Row {
  const names = new Set([...Object.keys(live), ...Object.keys(draft)]);
  return Object.fromEntries(
    [...names].map((name) => {
      if (isSame(draft[name], base[name])) return [name, live[name]];
      if (!isSame(live[name], base[name]) && !isSame(live[name], draft[name])) onConflict(name);
      return [name, draft[name]];
    }),
  );
}

/** Conflicts from before and from now, each once, without those that `resolved` names. */
export function joinConflicts(
  one: readonly DraftConflict[],
  other: readonly DraftConflict[],
  resolved: (conflict: DraftConflict) => boolean = () => false,
): DraftConflict[] {
  const all = new Map([...one, ...other].map((each) => [`${each.promptId}:${each.field}`, each]));
  return [...all.values()].filter((conflict) => !resolved(conflict));
}

/** Both were read from JSON, where the keys of an object have one order. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one) ?? null) === JSON.stringify(sorted(other) ?? null);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => compare(one, other));
  return Object.fromEntries(entries.map(([name, each]) => [name, sorted(each)]));
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
