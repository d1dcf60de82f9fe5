export type TagEdit = { tag: string; kind: 'added' | 'removed' };

/** What a person asks of a tag; and what becomes of the edits of the conversation then. */
export type TagChange =
  | { does: 'nothing' }
  | { does: 'write'; edit: TagEdit; tags: string[] }
  | { does: 'take back'; tags: string[] };

/**
 * `tags` are those that the conversation shows: the analyzer's, without what people removed, with what they added. A change
 * to what the analyzer said by itself is no edit any more.
 */
export function addTag(tags: readonly string[], edits: readonly TagEdit[], tag: string): TagChange {
  if (tags.includes(tag)) return { does: 'nothing' };
  const withIt = [...tags, tag];
  return edits.some((edit) => edit.tag === tag && edit.kind === 'removed')
    ? { does: 'take back', tags: withIt }
    : { does: 'write', edit: { tag, kind: 'added' }, tags: withIt };
}

export function removeTag(tags: readonly string[], edits: readonly TagEdit[], tag: string): TagChange {
  if (!tags.includes(tag)) return { does: 'nothing' };
  const without = tags.filter((each) => each !== tag);
  return edits.some((edit) => edit.tag === tag && edit.kind === 'added')
    ? { does: 'take back', tags: without }
    : { does: 'write', edit: { tag, kind: 'removed' }, tags: without };
}
