import { inviteText, PEER, US } from './testing.ts';
import { bare, invite, other, response, type TortureMessage } from './torture-testing.ts';

/** Wrong, or nothing that a telephone takes. */
export const INVALID: TortureMessage[] = [
  {
    name: 'empty parameters and elements in its headers',
    text: invite([
      [/Via: .*/, `Via: SIP/2.0/UDP ${PEER};;,;,,`],
      [/Contact: .*/, 'Contact: "Joe" <sip:joe@example.org>;;;;,,<>,'],
    ]),
    becomes: 'ignored or refused',
  },
  {
    name: 'a length beyond its end',
    text: invite([]).replace(/Content-Length: \d+/, 'Content-Length: 9999'),
    becomes: 'ignored',
  },
  {
    name: 'a length below nothing',
    text: bare(['Content-Length: 0', 'Content-Length: -999']),
    becomes: 'ignored',
  },
  {
    name: 'a length that is no number',
    text: bare(['Content-Length: 0', 'Content-Length: 0x10']),
    becomes: 'ignored',
  },
  {
    name: 'two lengths that differ',
    text: bare(['Content-Length: 0', 'Content-Length: 5\nContent-Length: 0']),
    becomes: 'ignored',
  },
  {
    name: 'numbers beyond all bounds',
    text: bare(['1 INVITE', '36893488147419103232 INVITE'], ['Max-Forwards: 70', 'Max-Forwards: 300']),
    becomes: 'ignored',
  },
  {
    name: 'more hops than there are',
    text: bare(['Max-Forwards: 70', 'Max-Forwards: 300']),
    becomes: { answered: 400 },
  },
  {
    name: 'an open quote in To',
    text: bare(['To: <', 'To: "Mr. J. User <']),
    becomes: 'ignored',
  },
  {
    name: 'its address in angle brackets',
    text: bare([/INVITE (\S+) SIP/, `INVITE <sip:+15550100001@${US}> SIP`]),
    becomes: 'ignored or refused',
  },
  {
    name: 'a space in its address',
    text: bare([/INVITE (\S+) SIP/, `INVITE sip:+15550100001@${US}; lr SIP`]),
    becomes: 'ignored',
  },
  {
    name: 'two spaces in its first line',
    text: bare(['INVITE sip', 'INVITE  sip']),
    becomes: 'ignored',
  },
  {
    name: 'a space at the end of its first line',
    text: bare(['SIP/2.0\nVia', 'SIP/2.0  \nVia']),
    becomes: 'ignored',
  },
  {
    name: 'headers in its address',
    text: bare([`@${US} SIP`, `@${US}?Route=%3Csip:203.0.113.7%3E SIP`]),
    becomes: { answered: 400 },
  },
  {
    name: 'a Contact whose address needs brackets',
    text: bare([/Contact: .*/, `Contact: sip:person@${PEER}?Route=%3Csip:sip.example.com%3E`]),
    becomes: { answered: 400 },
  },
  {
    name: 'spaces inside of an address',
    text: bare(
      [/To: .*/, `To: "Watson" < sip:+15550100001@${US}>`],
      [/Contact: .*/, 'Contact: < sip: a b@c >'],
    ),
    becomes: { answered: 400 },
  },
  {
    name: 'a name with a comma and no quotes',
    text: bare(
      [/From: .*/, `From: Bell, Alexander <sip:+15550199999@${PEER}>;tag=peer`],
      [/To: .*/, 'To: <>'],
    ),
    becomes: 'ignored',
  },
  {
    name: 'a version of which nobody has heard',
    text: bare(['SIP/2.0\nVia', 'SIP/7.0\nVia'], ['SIP/2.0/UDP', 'SIP/7.0/UDP']),
    becomes: 'ignored',
  },
  {
    name: 'two methods that differ',
    text: bare(['1 INVITE', '1 OPTIONS']),
    becomes: 'ignored',
  },
  {
    name: 'two unknown methods that differ',
    text: bare([/^INVITE/, 'NEWMETHOD'], ['1 INVITE', '1 OTHERMETHOD']),
    becomes: 'ignored',
  },
  {
    name: 'a branch that says nothing, with two INVITEs',
    text: other('OPTIONS', ['z9hG4bKinvite', 'z9hG4bK']),
    becomes: { answered: 200 },
  },
  {
    name: 'neither From nor To nor Call-ID',
    text: bare([/From: .*\n/, ''], [/To: .*\n/, ''], [/Call-ID: .*\n/, '']),
    becomes: 'ignored',
  },
  {
    name: 'no Via',
    text: bare([/Via: .*\n/, '']),
    becomes: 'ignored',
  },
  {
    name: 'an address of a scheme that nobody knows',
    text: bare([/INVITE (\S+) SIP/, 'INVITE nobodyknowsthisscheme:totallyopaquecontent SIP']),
    becomes: { answered: 416 },
  },
  {
    name: 'an address of a scheme for other things',
    text: bare([/INVITE (\S+) SIP/, 'INVITE https://192.0.2.3:5060/ SIP']),
    becomes: { answered: 416 },
  },
  {
    name: 'no address at all',
    text: bare([/INVITE (\S+) SIP/, 'INVITE +15550100001 SIP']),
    becomes: { answered: 400 },
  },
  {
    name: 'a port beyond the last',
    text: bare([`@${US} SIP`, `@${US}:70000 SIP`]),
    becomes: { answered: 400 },
  },
  {
    name: 'an extension that it requires and nobody has',
    text: bare(['Max-Forwards', 'Require: nothingSupportsThis, nothingSupportsThisEither\nMax-Forwards']),
    becomes: { answered: 420 },
  },
  {
    name: 'a body that nobody understands',
    text: inviteText(undefined, '<audio><pcmu port="443"/></audio>\n').replace(
      'application/sdp',
      'application/unknownformat',
    ),
    becomes: { answered: 415 },
  },
  {
    name: 'the wish to be answered without a description',
    text: invite([['Max-Forwards', 'Accept: text/nobodyKnowsThis\nMax-Forwards']]),
    becomes: { answered: 406 },
  },
  {
    name: 'headers twice that stand once',
    text: bare([
      'CSeq: 1 INVITE',
      'CSeq: 5 INVITE\nCall-ID: another\nCSeq: 59 INVITE\nFrom: Joe <sip:joe@example.com>;tag=2',
    ]),
    becomes: 'ignored',
  },
  {
    name: 'a REGISTER, which has no place here',
    text: other('REGISTER', [/Contact: .*/, 'Contact: <sip:+15550199999@203.0.113.7>;expires=8']),
    becomes: { answered: 405 },
  },
  {
    name: 'a line that is no header',
    text: bare(['Max-Forwards: 70', 'Max-Forwards 70']),
    becomes: 'ignored',
  },
  {
    name: 'a NUL in a header name',
    text: bare(['Max-Forwards: 70', 'Max\0Forwards: 70']),
    becomes: 'ignored',
  },
  {
    name: 'no end of its headers',
    text: bare([/Content-Length: 0\n\n/, 'Content-Length: 0']),
    becomes: 'ignored',
  },
  {
    name: 'ten thousand headers',
    text: bare(['Max-Forwards: 70', `${'x: y\n'.repeat(10_000)}Max-Forwards: 70`]),
    becomes: 'ignored',
  },
  {
    name: 'an answer to a call of nobody here',
    text: bare(
      [/^INVITE/, 'BYE'],
      ['1 INVITE', '2 BYE'],
      [/To: .*/, `To: <sip:+15550100001@${US}>;tag=guess`],
    ),
    becomes: { answered: 481 },
  },
  {
    name: 'a CANCEL of nothing',
    text: other('CANCEL'),
    becomes: { answered: 481 },
  },
  { name: 'an ACK of nothing', text: other('ACK'), becomes: 'ignored' },
  { name: 'nothing but line breaks', text: '\n\n\n\n', becomes: 'ignored' },
  {
    name: 'a request of another protocol',
    text: 'GET / HTTP/1.1\nHost: example.com\n\n',
    becomes: 'ignored',
  },
  {
    name: 'a response with an unusual reason',
    text: response('SIP/2.0 200 = 2**3 * 5**2 но сто'),
    becomes: 'ignored',
  },
  { name: 'a response without a reason', text: response('SIP/2.0 100 '), becomes: 'ignored' },
  {
    name: 'a response with a code beyond all',
    text: response('SIP/2.0 4294967301 better not break'),
    becomes: 'ignored',
  },
  {
    name: 'a response with numbers beyond all bounds',
    text: response(
      'SIP/2.0 503 Service Unavailable',
      ['CSeq: 1 ', 'CSeq: 9292394834772304023312 '],
      [
        'Content-Length: 0',
        'Retry-After: 949302838503028349304023988\nWarning: 1812 overture "In Progress"\nContent-Length: 0',
      ],
    ),
    becomes: 'ignored',
  },
  {
    name: 'a response that was sent to everybody',
    text: response('SIP/2.0 200 OK', [`UDP ${US}:5060`, 'UDP 255.255.255.255']),
    becomes: 'ignored',
  },
  {
    name: 'an answer to an INVITE of nobody, without a tag',
    text: response('SIP/2.0 200 OK', ['1 OPTIONS', '1 INVITE'], [';tag=theirs', '']),
    becomes: 'ignored',
  },
];
