import { numberOf, type Variables } from './expand.ts';
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
  const value = Object.hasOwn(variables, use.name) ? (variables[use.name] ?? '') : '';
  if (value.trim() === '') return 'missing';
  return use.isNumber && numberOf(value) === undefined ? 'not a number' : 'given';
}
