import { expect, it } from 'vitest';
import { createRotation } from './rotation.ts';

/** A process with `slots` places for calls, and workspaces with so many waiting ones. */
function setUp(slots: number, waiting: Record<string, number>) {
  const started: string[] = [];
  const errors: unknown[] = [];
  const rotation = createRotation({
    room: () => slots - started.length,
    serve: async (workspaceId, atMost) => {
      if (workspaceId === 'broken') throw new Error('the database is away');
      const count = Math.min(atMost, waiting[workspaceId] ?? 0);
      waiting[workspaceId] = (waiting[workspaceId] ?? 0) - count;
      for (let index = 0; index < count; index += 1) started.push(workspaceId);
      return count === atMost;
    },
    onError: (error) => errors.push(error),
  });
  return { rotation, started, errors };
}

it('shares the places of a process between workspaces, however long their queues are', async () => {
  const { rotation, started } = setUp(10, { long: 10_000, short: 1, middle: 3 });
  await rotation.serve(['long', 'short', 'middle']);
  expect(started.toSorted()).toEqual([...Array(6).fill('long'), ...Array(3).fill('middle'), 'short']);
});

it('serves a workspace that comes while another one is served', async () => {
  const { rotation, started } = setUp(10, { one: 1, two: 1 });
  await Promise.all([rotation.serve(['one']), rotation.serve(['two'])]);
  expect(started).toEqual(['one', 'two']);
});

it('serves who waits longest first when a place becomes free', async () => {
  const { rotation, started } = setUp(4, { long: 10_000, late: 1 });
  await rotation.serve(['long']);
  await rotation.serve(['late']);
  expect(started).toEqual(Array(4).fill('long'));
  started.pop();
  await rotation.serve(['long']);
  started.pop();
  await rotation.serve(['long']);
  expect(started).toContain('late');
});

it('goes on with the others when one cannot be served', async () => {
  const { rotation, started, errors } = setUp(10, { one: 1 });
  await rotation.serve(['broken', 'one']);
  expect(started).toEqual(['one']);
  expect(errors).toHaveLength(1);
});
