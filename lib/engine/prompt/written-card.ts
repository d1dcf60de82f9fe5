import { type Names, withNames } from './card-names.ts';
import { type ComposeRequest, composeOpening, findNames } from './card-rules.ts';

/**
 * The names that hold: those of the card, else of `owner` (an outbound prompt's agent), else what the prompt's text
 * says, else no persona and the workspace's name.
 */
export function namesThatHold(
  card: Names,
  { owner, prompt, workspaceName }: { owner?: Names; prompt: string; workspaceName: string },
): SpokenNames {
  const personaName = given(card.personaName) ?? given(owner?.personaName);
  const businessName = given(card.businessName) ?? given(owner?.businessName);
  if (personaName !== null && businessName !== null) return { personaName, businessName };
  const said = findNames(prompt);
  return {
    personaName: personaName ?? said.personaName,
    businessName: businessName ?? said.businessName ?? workspaceName,
  };
}

export type SpokenNames = { personaName: string | null; businessName: string };

/** The opening line of a card for which nobody wrote one: the prompt's with these names, else one made of them. */
export function derivedOpening(request: ComposeRequest, names: SpokenNames): string {
  const said = findNames(request.prompt);
  const line = said.opening === null ? null : withNames(said.opening, said, names);
  return line ?? composeOpening(request, names);
}

type CardColumns<Field extends string> = Record<Field, string | null> & {
  writtenCardFields: readonly string[];
};

type EditedCard<Field extends string> = Partial<Record<Field, string | null>> & {
  voiceCardEdited?: true;
  writtenCardFields?: string[];
};

/**
 * What a request makes of a voice card. A field that is sent as it was `shown` is no edit. Derived lines that give a
 * name follow it when it changes; what was written by hand stays as it is.
 */
export function editCard<Field extends string>(edit: {
  card: CardColumns<Field>;
  /** As the API answers the card; undefined where there was none to send back. */
  shown: Partial<Record<Field, string | null>>;
  sent: Partial<Record<Field, string | null | undefined>>;
  fields: readonly Field[];
  /** The fields that may give the names. */
  lines: readonly Field[];
  namesOf: (card: CardColumns<Field>) => Names;
}): EditedCard<Field> {
  const { card, shown, sent, namesOf } = edit;
  const changed = edit.fields.flatMap((field) => {
    const value = sent[field];
    return value === undefined || value === shown[field] ? [] : [{ field, value }];
  });
  if (changed.length === 0) return {};
  const written = new Set([...card.writtenCardFields, ...changed.map(({ field }) => field)]);
  const columns = Object.fromEntries(changed.map(({ field, value }) => [field, value]));
  const [from, to] = [namesOf(card), namesOf({ ...card, ...columns })];
  const followed = edit.lines.flatMap((field) => {
    const line = card[field];
    return line === null || written.has(field) ? [] : [[field, withNames(line, from, to)]];
  });
  return {
    ...columns,
    ...Object.fromEntries(followed),
    voiceCardEdited: true,
    writtenCardFields: [...written],
  } as EditedCard<Field>;
}

function given(text: string | null | undefined): string | null {
  return text === undefined || text === null || text.trim() === '' ? null : text;
}
