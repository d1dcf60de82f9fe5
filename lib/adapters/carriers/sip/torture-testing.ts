import { inviteText, OFFER, PEER, US } from './testing.ts';

/**
 * What becomes of a message, in the manner of RFC 4475: `opens` a call, is `answered` with a status, or is `ignored`. What
 * may not open a call may be ignored or refused; the status is named where a peer learns something from it.
 */
export type TortureMessage = {
  name: string;
  text: string;
  becomes: 'opens' | 'ignored' | 'ignored or refused' | { answered: number };
  /** What is read of it. */
  called?: string;
  caller?: string | null;
};

type Change = readonly [RegExp | string, string];

const changed = (text: string, changes: readonly Change[]) =>
  changes.reduce((all, [from, to]) => {
    if (!(typeof from === 'string' ? all.includes(from) : from.test(all)))
      throw new Error(`${String(from)} stands nowhere`);
    return all.replace(from, () => to);
  }, text);

/** The ordinary INVITE, with other headers or another body. */
const invite = (changes: readonly Change[], body = OFFER) =>
  inviteText((headers) => changed(headers, changes), body);
/** The same without an offer, changed anywhere: also in the headers about its body. */
const bare = (...changes: Change[]) => changed(inviteText(undefined, ''), changes);

const other = (method: string, ...changes: Change[]) =>
  bare([/^INVITE/, method], ['1 INVITE', `1 ${method}`], ...changes);

const response = (line: string, ...changes: Change[]) =>
  changed(
    `${line}
Via: SIP/2.0/UDP ${US}:5060;branch=z9hG4bKnobody
From: <sip:+15550100001@${US}>;tag=ours
To: <sip:+15550199999@${PEER}>;tag=theirs
Call-ID: nobody@${US}
CSeq: 1 OPTIONS
Content-Length: 0

`,
    changes,
  );

const MULTIPART = `--unique-boundary
Content-Type: text/plain

A note that is of no use here.
--unique-boundary
Content-Type: application/sdp

${OFFER}--unique-boundary--
`;

/** Right, however strange it looks. */
export const VALID: TortureMessage[] = [
  {
    name: 'folded lines, short names, odd capitals and spaces',
    text: `INVITE sip:+15550100001@${US};unknownparam SIP/2.0
TO :
 sip:+15550100001@${US} ;   x    = 1918181833n
f   : "A \\\\\\" person"       <sip:+15550199999@${PEER}>
  ;
  tag = 98asjd8
MaX-fOrWaRdS: 0068
i: wsinv.ndaksdj@${PEER}
l   : 0
cseq: 0009
  INVITE
s :
NewFangledHeader:   newfangled value
 continued newfangled value
UnknownHeaderWithUnusualValue: ;;,,;;,;
Route:
 <sip:${US};lr;unknownwith=value;unknown-no-value>
v:  SIP  / 2.0  / UDP     ${PEER}   ;
  branch  =   z9hG4bK9ikj8  ;rport ,
 SIP  /    2.0   / TCP  198.51.100.5   ; branch=
 z9hG4bK30239
m:"Quoted string \\"\\"" <sip:person@${PEER}> ; newparam =
      newvalue ;
  secondparam ; q = 0.33

`,
    becomes: 'opens',
    called: '+15550100001',
    caller: '+15550199999',
  },
  {
    name: 'a method of every character that may stand in one',
    text: other("!interesting-Method0123456789_*+`.%indeed'~"),
    becomes: { answered: 405 },
  },
  {
    name: 'escaped characters in its addresses',
    text: invite([
      [`INVITE sip:+15550100001@`, `INVITE sip:%2B1555%30100001@`],
      ['<sip:+15550199999@', '<sip:%2b15550199999@'],
    ]),
    becomes: 'opens',
    called: '+15550100001',
    caller: '+15550199999',
  },
  {
    name: 'an escaped NUL in an address, which stays as it was written',
    text: invite([['<sip:+15550199999@', '<sip:null-%00-null@']]),
    becomes: 'opens',
    caller: 'null-%00-null',
  },
  {
    name: 'a percent sign in its method, which escapes nothing',
    text: other('RE%47IST%45R'),
    becomes: { answered: 405 },
  },
  {
    name: 'no space between a name and its angle bracket',
    text: invite([['From: <', 'From: caller<']]),
    becomes: 'opens',
    caller: '+15550199999',
  },
  {
    name: 'very long values',
    text: invite([
      ['From: <', `From: "I have a user name of ${'extreme '.repeat(60)}proportion" <`],
      ['Call-ID: call-1', `Call-ID: ${'long'.repeat(60)}`],
      ['Max-Forwards: 70', `Max-Forwards: 70\nUnknown-${'Long'.repeat(20)}-Name: ${'value '.repeat(200)}`],
      ['rport', `rport;unknown=${'x'.repeat(500)}`],
    ]),
    becomes: 'opens',
  },
  {
    name: 'an INVITE behind the end of another request in one datagram',
    text: `${other('REGISTER')}${inviteText()}`,
    becomes: { answered: 405 },
  },
  {
    name: 'semicolons in the user part',
    text: other('OPTIONS', [`sip:+15550100001@${US} SIP`, `sip:user;par=u%40example.net@${US} SIP`]),
    becomes: { answered: 200 },
  },
  {
    name: 'transports that nobody knows',
    text: invite([
      [
        'Max-Forwards',
        `Via: SIP/2.0/SCTP 198.51.100.1;branch=z9hG4bKone
Via: SIP/2.0/TLS 198.51.100.2;branch=z9hG4bKtwo
Via: SIP/2.0/UNKNOWN 198.51.100.3;branch=z9hG4bKthree
Max-Forwards`,
      ],
    ]),
    becomes: 'opens',
  },
  {
    name: 'its offer as one part of several',
    text: inviteText(undefined, MULTIPART).replace(
      'Content-Type: application/sdp',
      'Content-Type: multipart/mixed;boundary=unique-boundary',
    ),
    becomes: 'opens',
  },
  {
    name: 'no offer at all',
    text: bare(),
    becomes: 'opens',
  },
  {
    name: 'an IPv6 address in its Via, and names for hosts',
    text: invite([
      [`UDP ${PEER}:5060`, 'UDP [2001:db8::9:1]:5060'],
      [`<sip:person@${PEER}>`, '<sip:person@[2001:db8::9:1]:5060;ob>'],
      [`+15550199999@${PEER}`, '+15550199999@telephones.example.com'],
    ]),
    becomes: 'opens',
  },
  {
    name: 'two zeros in place of the plus',
    text: invite([[`INVITE sip:+1555`, 'INVITE sip:001555']]),
    becomes: 'opens',
    called: '+15550100001',
  },
  {
    name: 'the manners of RFC 2543: no tag, no branch, no Max-Forwards',
    text: invite([
      [';branch=z9hG4bKinvite;rport', ''],
      [';tag=peer', ''],
      ['Max-Forwards: 70\n', ''],
    ]),
    becomes: 'opens',
  },
  {
    name: 'a date that is none',
    text: invite([['Max-Forwards', 'Date: Fri, 01 Jan 2010 16:00:00 EST\nMax-Forwards']]),
    becomes: 'opens',
  },
  {
    name: 'no hop left, which concerns proxies only',
    text: other('OPTIONS', ['Max-Forwards: 70', 'Max-Forwards: 0']),
    becomes: { answered: 200 },
  },
  {
    name: 'credentials of a scheme that nobody asked for',
    text: invite([['Max-Forwards', 'Authorization: NoOneKnowsThisScheme opaque-data=here\nMax-Forwards']]),
    becomes: 'opens',
  },
  {
    name: 'a caller who hides',
    text: invite([[`<sip:+15550199999@${PEER}>`, '"Anonymous" <sip:anonymous@anonymous.invalid>']]),
    becomes: 'opens',
    caller: null,
  },
];

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
