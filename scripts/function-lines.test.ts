import { describe, expect, it } from 'vitest';
import { functionFaults } from './function-lines.ts';

const statements = (count: number) => 'work();\n'.repeat(count);

describe('the length of a function', () => {
  it('is told with its place and name where it has more than 60 lines of its own', () => {
    const text = `\nfunction long() {\n${statements(60)}}\n`;
    expect(functionFaults('a.ts', text)).toEqual(['a.ts:2 long has 62 lines of its own, more than 60']);
    expect(functionFaults('a.ts', `function fits() {\n${statements(58)}}\n`)).toEqual([]);
  });

  it('leaves out blank lines and comments', () => {
    const empty = '\n// a remark\n/** a text\n * of two lines */\n'.repeat(30);
    expect(functionFaults('a.ts', `function fits() {\n${statements(58)}${empty}}\n`)).toEqual([]);
  });

  it('leaves out functions inside it, which are counted by themselves', () => {
    const inner = (count: number) => `function inner() {\n${statements(count)}}\n`;
    expect(functionFaults('a.ts', `function outer() {\n${inner(50)}${inner(50)}}\n`)).toEqual([]);
    const faults = functionFaults('a.ts', `const outer = () => {\n${inner(70)}};\n`);
    expect(faults).toEqual(['a.ts:2 inner has 72 lines of its own, more than 60']);
  });

  it('counts a function that is one expression as part of where it stands', () => {
    const text = `function outer() {\n  return list.map((item) => [\n${'    item,\n'.repeat(60)}  ]);\n}\n`;
    expect(functionFaults('a.tsx', text)).toHaveLength(2);
  });
});
