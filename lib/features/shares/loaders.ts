import { cache } from 'react';
import { runtime } from '#lib/current-runtime.ts';

/** What a link shows, once per request; undefined where it shows nothing. */
export const loadShared = cache((token: string) => runtime().openShares.open(decodeURIComponent(token)));
