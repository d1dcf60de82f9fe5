import { inviteText, OFFER, PEER, US } from './testing.ts';
import { bare, invite, other, type TortureMessage } from './torture-testing.ts';

const MULTIPART = `--unique-boundary
Content-Type: text/plain

A note that is of no use here.
--unique-boundary
Content-Type: application/sdp

${OFFER}--unique-boundary--
`;

/** Right, however strange it looks. */
/** The message of RFC 4475, section 3.1.1.2, with another method where one is given. */
function wacky(method: string): string {
  return `${method} sip:1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*:&it+has=1,weird!*pas$wo~d_too.(doesn't-it)@${US} SIP/2.0
Via: SIP/2.0/UDP ${PEER}:5060;branch=z9hG4bK-.!%66*_+\`'~
To: "BEL:\\\u0007 NUL:\\\u0000 DEL:\\\u007f" <sip:1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*@${US}>
From: token1~\` token2'+_ token3*%!.- <sip:mundane@${PEER}>;fromParam''~+*_!.-%="работающий";tag=_token~1'+\`*%!-.
Call-ID: intmeth.word%ZK-!.*_+'@word\`~)(><:\\/"][?}{
CSeq: 139122385 ${method}
Max-Forwards: 255
extensionHeader-!.%*+_\`'~: \ufeff大停電
Content-Length: 0

`;
}

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
    name: 'every character that may stand in tokens, names, addresses and Call-IDs (RFC 4475, 3.1.1.2)',
    text: wacky('OPTIONS'),
    becomes: { answered: 200 },
  },
  {
    name: 'the same with the method of the RFC',
    text: wacky("!interesting-Method0123456789_*+`.%indeed'~"),
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
