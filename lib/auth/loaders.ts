import { headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { cache } from 'react';
import { runtime } from '#lib/current-runtime.ts';
import type { Actor } from './actor.ts';
import type { SessionUser } from './service.ts';

/** The signed-in user of this page request; redirects to the sign-in page where there is none. Once per request. */
export const loadUser = cache(async (): Promise<SessionUser> => {
  const user = await runtime().auth.sessionUser(await headers());
  return user ?? redirect('/sign-in');
});

/** The signed-in user acting in a workspace; a page of a workspace one is not a member of does not exist. Once per request. */
export const loadActor = cache(async (workspaceId: string): Promise<Actor> => {
  const user = await loadUser();
  const actor = await runtime().auth.memberActor(user.id, workspaceId);
  return actor ?? notFound();
});
