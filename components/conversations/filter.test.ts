import { describe, expect, it } from 'vitest';
import { changedQuery, isFiltered, readFilter, readSkip, requestedFilter } from './filter.ts';

describe('the filter in the address', () => {
  it('reads every filter of the list', () => {
    const params = {
      agentId: 'agent_1',
      direction: 'INBOUND',
      sentiment: 'NEGATIVE',
      disposition: 'VOICEMAIL',
      tag: 'voicemail',
      status: 'live',
      search: 'invoice',
      dateStart: '1700000000000',
      dateEnd: '1700000099999',
    };
    expect(readFilter({ ...params, skip: '25', other: 'x' })).toEqual(params);
  });

  it('leaves out what the service would refuse instead of failing', () => {
    expect(
      readFilter({ direction: 'SIDEWAYS', dateStart: 'yesterday', status: 'asleep', agentId: '' }),
    ).toEqual({});
  });

  it('takes the first of repeated values', () => {
    expect(readFilter({ direction: ['OUTBOUND', 'INBOUND'] })).toEqual({ direction: 'OUTBOUND' });
  });

  it('asks for finished calls unless another status is named', () => {
    expect(requestedFilter({})).toEqual({ status: 'ended' });
    expect(requestedFilter({ status: 'live' })).toEqual({ status: 'live' });
    expect(requestedFilter({ status: 'any' })).toEqual({});
  });

  it.each([
    ['50', 50],
    ['-1', 0],
    ['1.5', 0],
    ['x', 0],
    [undefined, 0],
  ])('reads the page position %j as %d', (skip, expected) => {
    expect(readSkip({ skip })).toBe(expected);
  });

  it('knows whether anything narrows the list', () => {
    expect(isFiltered({ skip: '25' })).toBe(false);
    expect(isFiltered({ tag: 'voicemail' })).toBe(true);
  });
});

describe('changing the address', () => {
  it('goes back to the first page when a filter changes', () => {
    expect(changedQuery(new URLSearchParams('direction=INBOUND&skip=50'), { sentiment: 'POSITIVE' })).toBe(
      '?direction=INBOUND&sentiment=POSITIVE',
    );
  });

  it('keeps the filters when the page changes', () => {
    expect(changedQuery(new URLSearchParams('direction=INBOUND'), { skip: '25' })).toBe(
      '?direction=INBOUND&skip=25',
    );
  });

  it('drops what is emptied, down to a bare address', () => {
    expect(changedQuery(new URLSearchParams('search=x&skip=25'), { search: '' })).toBe('');
  });
});
