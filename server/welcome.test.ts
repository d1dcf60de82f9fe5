import { expect, it } from 'vitest';
import { parseEnv } from '#lib/env.ts';
import { welcome } from './welcome.ts';

const provisioned = {
  signIn: undefined,
  example: undefined,
  phoneNumber: '+15550100003',
  runDemoCalls: undefined,
};

it('says what to type into a softphone where the demo has a number for one', () => {
  const said = welcome(parseEnv({ SIP_LISTEN: 'udp:127.0.0.1:5070' }), provisioned);
  expect(said).toContain('address to call       sip:+15550100003@127.0.0.1:5070\n');
  expect(said).toContain('port               5070 (UDP)');
  expect(said).toContain('takes a message by key');
  const other = parseEnv({ SIP_LISTEN: 'tcp:[::1]:5060', OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' });
  expect(welcome(other, provisioned)).toContain('sip:+15550100003@[::1]:5060;transport=tcp\n');
});

it('says nothing of softphones where none can call', () => {
  expect(welcome(parseEnv({}), { ...provisioned, phoneNumber: undefined })).not.toContain('softphone');
});
