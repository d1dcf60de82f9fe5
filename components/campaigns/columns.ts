import type { InspectedFile } from '#lib/features/campaigns/dashboard/contract.ts';

/** What was chosen beside the file. */
export type Chosen = { name: string; from: string; outboundPromptId: string; agentId: string };

/** What a column is: the number, a variable by its name, or nothing (''). */
export type ColumnUse = { kind: 'number' } | { kind: 'variable'; name: string };

/** A name of a variable as the service takes it. */
const VARIABLE_NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,59}$/u;

const plain = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** What the service suggests, with the names that the prompt itself uses where they are the same but for their spelling. */
export function suggestedUses(inspected: InspectedFile, promptVariables: readonly string[]): ColumnUse[] {
  const { columns, suggested } = inspected;
  return columns.map((_, column): ColumnUse => {
    if (column === suggested.numberColumn) return { kind: 'number' };
    const name = suggested.variables.find((each) => each.column === column)?.name ?? '';
    const own = promptVariables.find((variable) => plain(variable) === plain(name));
    return { kind: 'variable', name: own ?? name };
  });
}

/** What is wrong with the uses, in words for a person; null where the list can be checked with them. */
export function usesFault(uses: readonly ColumnUse[]): string | null {
  if (!uses.some((use) => use.kind === 'number')) return 'Say which column has the numbers.';
  const names = uses.flatMap((use) => (use.kind === 'variable' && use.name !== '' ? [use.name] : []));
  const wrong = names.find((name) => !VARIABLE_NAME.test(name));
  if (wrong !== undefined)
    return `“${wrong}” is no name of a variable: letters, digits and _ are, without blanks.`;
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  return repeated === undefined ? null : `Two columns are the variable “${repeated}”.`;
}

export function mappingOf(hasHeader: boolean, uses: readonly ColumnUse[]) {
  return {
    hasHeader,
    numberColumn: uses.findIndex((use) => use.kind === 'number'),
    variables: uses.flatMap((use, column) =>
      use.kind === 'variable' && use.name !== '' ? [{ column, name: use.name }] : [],
    ),
  };
}

/** The variables of one of the sampled rows. */
export function sampleVariables(
  inspected: InspectedFile,
  uses: readonly ColumnUse[],
  row: number,
): Record<string, string> {
  return Object.fromEntries(
    uses.flatMap((use, column) => {
      const value = inspected.columns[column]?.samples[row] ?? '';
      return use.kind === 'variable' && use.name !== '' && value !== '' ? [[use.name, value]] : [];
    }),
  );
}
