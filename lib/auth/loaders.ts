import { headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { cache } from 'react';
import { runtime } from '#lib/current-runtime.ts';
import { isAppError } from '#lib/errors.ts';
import type { Actor } from './actor.ts';
import type { SessionUser } from './service.ts';

/** The signed-in user of this page request, or undefined. Looked up once per request. */
export const loadUser = cache(async (): Promise<SessionUser | undefined> =>
  runtime().auth.sessionUser(await headers()),
);

/** The signed-in user; redirects to the sign-in page, and back afterwards, where there is none. */
export async function loadUserOrSignIn(): Promise<SessionUser> {
  return (await loadUser()) ?? redirect(await signInAddress());
}

/** The sign-in page, with the way back to what was asked for; `_rsc` only marks how Next fetched it. */
async function signInAddress(): Promise<string> {
  const wanted = new URL((await headers()).get('x-address') ?? '/', 'http://localhost');
  wanted.searchParams.delete('_rsc');
  const next = wanted.pathname + wanted.search;
  return next === '/' ? '/sign-in' : `/sign-in?${new URLSearchParams({ next })}`;
}

/**
 * The signed-in user acting in a workspace, once per request. A workspace that one is not a member of does not exist
 * for them: its pages answer 404.
 */
export const loadActor = cache(async (workspaceId: string): Promise<Actor> => {
  const user = await loadUserOrSignIn();
  return (await runtime().auth.memberActor(user.id, workspaceId)) ?? notFound();
});

/** A page about something that is missing, or another workspace's, does not exist. */
export async function orNotFound<Loaded>(loading: Promise<Loaded>): Promise<Loaded> {
  try {
    return await loading;
  } catch (error) {
    if (isAppError(error) && error.status < 500) notFound();
    throw error;
  }
}
