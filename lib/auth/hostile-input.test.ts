import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GET as LIST_AUDIT } from '#app/api/dashboard/audit/route.ts';
import { DELETE as REVOKE_KEY } from '#app/api/dashboard/keys/[keyId]/route.ts';
import { POST as CREATE_KEY } from '#app/api/dashboard/keys/route.ts';
import { PUT as CHANGE_PASSWORD } from '#app/api/dashboard/me/password/route.ts';
import { PATCH as UPDATE_ME } from '#app/api/dashboard/me/route.ts';
import { PUT as RESET_PASSWORD } from '#app/api/dashboard/members/[userId]/password/route.ts';
import { DELETE as REMOVE_MEMBER, PATCH as CHANGE_ROLE } from '#app/api/dashboard/members/[userId]/route.ts';
import { POST as ADD_MEMBER } from '#app/api/dashboard/members/route.ts';
import { PATCH as UPDATE_NUMBER } from '#app/api/dashboard/numbers/[numberId]/route.ts';
import { POST as CREATE_NUMBER } from '#app/api/dashboard/numbers/route.ts';
import { DELETE as REVOKE_SESSION } from '#app/api/dashboard/sessions/[sessionId]/route.ts';
import { PATCH as UPDATE_TAG } from '#app/api/dashboard/tags/[name]/route.ts';
import { POST as CREATE_TAG } from '#app/api/dashboard/tags/route.ts';
import { PATCH as UPDATE_WORKSPACE } from '#app/api/dashboard/workspace/route.ts';
import { GET as LIST_DELIVERIES } from '#app/api/dashboard/webhooks/deliveries/route.ts';
import { GET as LIST_CALLS } from '#app/api/dashboard/calls/route.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { addSignedInMember, addWorkspace, callRoute, type SignedInMember } from './testing.ts';

let runtime: TestRuntime;
let owner: SignedInMember;

beforeAll(async () => {
  runtime = await startTestRuntime();
  await addWorkspace(runtime, 'ws_alpha');
  owner = await addSignedInMember(runtime, 'ws_alpha', 'owner');
});

afterAll(() => runtime.close());

const nastyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '\u0000',
    '\ud800',
    "'; drop table users;--",
    '%00',
    '../../etc/passwd',
    '\u202e',
    'null',
    '-1',
    '1e309',
    '999999999999999',
    '999999999999999_x',
  ),
);
const nastyValue = fc.oneof(
  nastyText,
  fc.integer(),
  fc.double(),
  fc.constantFrom(null, true, [], {}, 2 ** 53, -0, 'x'.repeat(3_000)),
  fc.array(nastyText, { maxLength: 3 }),
);
const FIELDS = [
  'name',
  'description',
  'email',
  'password',
  'role',
  'currentPassword',
  'newPassword',
  'number',
  'agentId',
  'maxConcurrentCalls',
  'timeZone',
  'monthlyUsageLimitMinutes',
  'rateCard',
  '__proto__',
  'constructor',
];
const nastyBody = fc.oneof(fc.dictionary(fc.constantFrom(...FIELDS), nastyValue, { maxKeys: 6 }), nastyValue);
const query = fc.dictionary(
  fc.constantFrom(
    'limit',
    'cursor',
    'action',
    'targetId',
    'workspaceId',
    'skip',
    'dateStart',
    'dateEnd',
    'search',
  ),
  nastyText,
);

const HANDLERS = {
  CREATE_KEY,
  REVOKE_KEY,
  UPDATE_ME,
  CHANGE_PASSWORD,
  ADD_MEMBER,
  CHANGE_ROLE,
  REMOVE_MEMBER,
  RESET_PASSWORD,
  CREATE_NUMBER,
  UPDATE_NUMBER,
  REVOKE_SESSION,
  CREATE_TAG,
  UPDATE_TAG,
  UPDATE_WORKSPACE,
  LIST_AUDIT,
  LIST_DELIVERIES,
  LIST_CALLS,
};

test.each(Object.entries(HANDLERS))(
  '%s answers no malformed request with a failure of its own',
  async (_name, handler) => {
    await fc.assert(
      fc.asyncProperty(nastyText, nastyBody, query, async (id, body, given) => {
        const wellFormed = encodeURIComponent(id.toWellFormed());
        const params = {
          keyId: wellFormed,
          userId: wellFormed,
          numberId: wellFormed,
          sessionId: wellFormed,
          name: wellFormed,
        };
        const { status } = await callRoute(handler, { as: owner, params, body: body ?? null, query: given });
        expect(status).toBeLessThan(500);
      }),
      { numRuns: 60, seed: 20_260_302 },
    );
  },
);
