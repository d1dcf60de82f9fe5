import { isGiven, numberOf, type Variables } from './pieces.ts';
import type { TemplateNode } from './template.ts';

export type VariableUse = {
  name: string;
  /** Compared with a number somewhere in the text. */
  isNumber: boolean;
};

/** Every variable a template may use, both texts of its choices included, each once, in order of appearance. */
export function variableUses(nodes: TemplateNode[]): VariableUse[] {
  const uses = new Map<string, VariableUse>();
  const note = (name: string, isNumber: boolean) =>
    uses.set(name, { name, isNumber: isNumber || (uses.get(name)?.isNumber ?? false) });
  const visit = (node: TemplateNode) => {
    if (node.kind === 'variable') note(node.name, false);
    if (node.kind !== 'choice') return;
    note(node.name, true);
    [...node.first, ...node.second].forEach(visit);
  };
  nodes.forEach(visit);
  return [...uses.values()];
}

/** What a call would make of a variable: blank values count as missing. */
export function stateOf(use: VariableUse, variables: Variables): 'given' | 'missing' | 'not a number' {
  if (!isGiven(use.name, variables)) return 'missing';
  return use.isNumber && numberOf(variables[use.name]) === undefined ? 'not a number' : 'given';
}

/** Usual names of the variable that holds the name of the person, the surest first. */
const PERSON_VARIABLES = [
  'firstname',
  'name',
  'customername',
  'patientname',
  'clientname',
  'contactname',
  'recipientname',
  'guestname',
  'membername',
  'leadname',
  'fullname',
  'customer',
  'vorname',
  'nachname',
  'nombre',
  'prenom',
];

/** The variable for the person's name, where one of the names is a usual one for it. */
export function findPersonVariable(names: readonly string[]): string | undefined {
  for (const wanted of PERSON_VARIABLES) {
    const found = names.find((name) => plain(name) === wanted);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function isPersonVariable(name: string): boolean {
  return PERSON_VARIABLES.includes(plain(name));
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[_.-]/g, '');
}
