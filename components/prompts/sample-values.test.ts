import { describe, expect, it } from 'vitest';
import { exampleValue, withExamples } from './sample-values.ts';

describe('sample values', () => {
  it('fit what a variable is called, and are numbers where one is compared', () => {
    expect(exampleValue({ name: 'firstName', isNumber: false })).toBe('Alex');
    expect(exampleValue({ name: 'appointment_time', isNumber: false })).toBe('10:30');
    expect(exampleValue({ name: 'count', isNumber: true })).toBe('3');
    expect(exampleValue({ name: 'last_order', isNumber: false })).toBe('last order');
  });

  it('are given once: a value emptied by hand stays empty', () => {
    const variables = [{ name: 'name', isNumber: false }];
    expect(withExamples({}, variables, new Set())).toEqual({ name: 'Alex' });
    expect(withExamples({}, variables, new Set(['name']))).toBeUndefined();
    expect(withExamples({ name: 'Sam' }, variables, new Set())).toBeUndefined();
  });
});
