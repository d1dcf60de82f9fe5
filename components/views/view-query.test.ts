import { expect, it } from 'vitest';
import { viewQuery } from './view-query.ts';

it('is the same for the same filters in any order, without the page and what is no filter', () => {
  const one = viewQuery(new URLSearchParams('tag=x&sentiment=NEGATIVE&skip=25&utm=1'));
  expect(one).toBe('sentiment=NEGATIVE&tag=x');
  expect(viewQuery(new URLSearchParams('sentiment=NEGATIVE&tag=x'))).toBe(one);
});

it('is empty for the whole list, and keeps a list of every status', () => {
  expect(viewQuery(new URLSearchParams('skip=50&sentiment=SAD'))).toBe('');
  expect(viewQuery(new URLSearchParams('status=any'))).toBe('status=any');
});
