/*
 * Scenarios for SIPp (sipp.readthedocs.io), which ends with a fault as soon as one of our messages is not the one that
 * it expects.
 */

const scenario = (name: string, steps: string[]) =>
  `<?xml version="1.0" encoding="ISO-8859-1" ?>\n<!DOCTYPE scenario SYSTEM "sipp.dtd">\n<scenario name="${name}">\n${steps.join('\n')}\n</scenario>\n`;

const sdp = (direction = 'sendrecv') => `v=0
o=peer 1 1 IN IP[local_ip_type] [local_ip]
s=-
c=IN IP[media_ip_type] [media_ip]
t=0 0
m=audio [media_port] RTP/AVP 0 101
a=rtpmap:0 PCMU/8000
a=rtpmap:101 telephone-event/8000
a=${direction}`;

const send = (text: string, attributes = '') =>
  `<send${attributes}><![CDATA[\n${text.replace(/^\n/, '')}\n]]></send>`;
const receive = (what: string, attributes = '', inside = '') => `<recv ${what}${attributes}>${inside}</recv>`;
const pause = (ms: number) => `<pause milliseconds="${ms}"/>`;
const withBody = (body: string) => `Content-Type: application/sdp\nContent-Length: [len]\n\n${body}`;
const EMPTY = 'Content-Length: 0\n';
const RETRANSMIT = ' retrans="500"';

/** A request of the caller; `to`: with what stands behind the To of the answers. */
function fromCaller(method: string, seq: number, rest: string, to = '[peer_tag_param]'): string {
  return `
${method} sip:[service]@[remote_ip]:[remote_port] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
From: <sip:+15550199999@[local_ip]:[local_port]>;tag=[pid]caller[call_number]
To: <sip:[service]@[remote_ip]:[remote_port]>${to}
Call-ID: [call_id]
CSeq: ${seq} ${method}
Contact: <sip:caller@[local_ip]:[local_port]>
Max-Forwards: 70
${rest}`;
}

const invite = (seq: number, direction?: string) =>
  send(fromCaller('INVITE', seq, withBody(sdp(direction)), seq === 1 ? '' : undefined), RETRANSMIT);
const ack = (seq: number) => send(fromCaller('ACK', seq, EMPTY));
const hangUp = (seq: number) => [send(fromCaller('BYE', seq, EMPTY), RETRANSMIT), receive('response="200"')];
const rings = [receive('response="100"', ' optional="true"'), receive('response="180"', ' optional="true"')];

/** Whether the answer has this line. */
const checkBody = (pattern: string) =>
  `<action><ereg regexp="${pattern}" search_in="body" check_it="true" assign_to="found"/><log message="[$found]"/></action>`;

/** Calls, stays on the line for so long, and hangs up. */
export const staysFor = (ms: number) =>
  scenario('stays', [
    invite(1),
    ...rings,
    receive('response="200"', ' rtd="true"'),
    ack(1),
    pause(ms),
    ...hangUp(2),
  ]);

/** Puts the call on hold, takes it back, and hangs up. */
export const HOLDS = scenario('hold', [
  invite(1),
  ...rings,
  receive('response="200"', ' rtd="true"'),
  ack(1),
  pause(100),
  invite(2, 'sendonly'),
  receive('response="200"', '', checkBody('a=recvonly')),
  ack(2),
  pause(300),
  invite(3, 'sendrecv'),
  receive('response="200"', '', checkBody('a=sendrecv')),
  ack(3),
  pause(100),
  ...hangUp(4),
]);

/** Gives up while it rings. */
export const GIVES_UP = scenario('cancel', [
  invite(1),
  receive('response="100"', ' optional="true"'),
  receive('response="180"'),
  send(
    `
CANCEL sip:[service]@[remote_ip]:[remote_port] SIP/2.0
[last_Via:]
From: <sip:+15550199999@[local_ip]:[local_port]>;tag=[pid]caller[call_number]
To: <sip:[service]@[remote_ip]:[remote_port]>
Call-ID: [call_id]
CSeq: 1 CANCEL
Max-Forwards: 70
${EMPTY}`,
    RETRANSMIT,
  ),
  receive('response="200"'),
  receive('response="487"'),
  send(
    `
ACK sip:[service]@[remote_ip]:[remote_port] SIP/2.0
[last_Via:]
From: <sip:+15550199999@[local_ip]:[local_port]>;tag=[pid]caller[call_number]
[last_To:]
Call-ID: [call_id]
CSeq: 1 ACK
Max-Forwards: 70
${EMPTY}`,
  ),
]);

const answer = (status: string, rest: string, to = '[last_To:];tag=[pid]trunk[call_number]') =>
  `
SIP/2.0 ${status}
[last_Via:]
[last_From:]
${to}
[last_Call-ID:]
[last_CSeq:]
Contact: <sip:trunk@[local_ip]:[local_port];transport=[transport]>
${rest}`;

const answerKnown = (status: string) => send(answer(status, EMPTY, '[last_To:]'));
const acceptCall = [
  send(answer('180 Ringing', EMPTY)),
  send(answer('200 OK', withBody(sdp())), RETRANSMIT),
  receive('request="ACK"'),
];
const untilHungUp = [receive('request="BYE"'), answerKnown('200 OK')];

/** A trunk that is busy. */
export const IS_BUSY = scenario('busy', [
  receive('request="INVITE"'),
  send(answer('100 Trying', EMPTY, '[last_To:]')),
  send(answer('486 Busy Here', EMPTY), RETRANSMIT),
  receive('request="ACK"'),
]);

/** A trunk that answers, and stays until it is hung up on. */
export const ANSWERS = scenario('answers', [receive('request="INVITE"'), ...acceptCall, ...untilHungUp]);

/** A trunk that wants to know who calls, and checks the password `open sesame` of `alice`: by MD5, as Debian's SIPp can. */
export const CHALLENGES = scenario('digest', [
  receive('request="INVITE"'),
  send(
    answer(
      '401 Who is that',
      `WWW-Authenticate: Digest realm="trunk", nonce="47ebe028cda119c35d4877b383027d28da013815", qop="auth", algorithm=MD5\n${EMPTY}`,
    ),
    RETRANSMIT,
  ),
  receive('request="ACK"'),
  receive(
    'request="INVITE"',
    '',
    '<action><verifyauth assign_to="isRight" username="alice" password="open sesame"/></action>',
  ),
  '<nop test="isRight" next="right"/>',
  '<nop><action><error message="that is not the password"/></action></nop>',
  '<label id="right"/>',
  ...acceptCall,
  ...untilHungUp,
]);

/** A trunk that takes a REFER and tells that the other party has answered. */
export const TRANSFERS = scenario('refer', [
  receive('request="INVITE"'),
  ...acceptCall,
  receive(
    'request="REFER"',
    '',
    `<action>
      <ereg regexp="sip:.15550142000@" search_in="hdr" header="Refer-To:" check_it="true" assign_to="target"/>
      <ereg regexp="sip:callwright@[0-9.:]*" search_in="hdr" header="Contact:" assign_to="contact"/>
      <ereg regexp=".*" search_in="hdr" header="From:" assign_to="ours"/>
      <ereg regexp=".*" search_in="hdr" header="To:" assign_to="theirs"/>
      <log message="[$target]"/>
    </action>`,
  ),
  answerKnown('202 Accepted'),
  send(
    `
NOTIFY [$contact] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
From:[$theirs]
To:[$ours]
Call-ID: [call_id]
CSeq: 1 NOTIFY
Contact: <sip:trunk@[local_ip]:[local_port]>
Max-Forwards: 70
Event: refer
Subscription-State: terminated;reason=noresource
Content-Type: message/sipfrag
Content-Length: [len]

SIP/2.0 200 OK`,
    RETRANSMIT,
  ),
  // Our answer and our BYE come in either order.
  receive('response="200"'),
  ...untilHungUp,
]);
