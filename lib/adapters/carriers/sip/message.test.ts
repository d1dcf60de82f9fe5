import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faultOf, parseNameAddr, parseUri, parseVia, readEssentials } from './grammar.ts';
import {
  header,
  headerList,
  parseMessage,
  responseTo,
  serializeMessage,
  type SipMessage,
  type SipRequest,
} from './message.ts';

const wire = (text: string) => Buffer.from(text.replace(/^\n/, '').replaceAll('\n', '\r\n'));

function parse(text: string): SipMessage {
  const parsed = parseMessage(wire(text));
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.message;
}

/** A request that is right but for what `change` does to its text. */
function invite(change: (text: string) => string = (text) => text): string {
  return change(`
INVITE sip:+15550100001@example.com SIP/2.0
Via: SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bKabc;rport
Max-Forwards: 70
From: "A person" <sip:+15550199999@192.0.2.1>;tag=one
To: <sip:+15550100001@example.com>
Call-ID: 1@192.0.2.1
CSeq: 1 INVITE
Contact: <sip:person@192.0.2.1>
Content-Length: 0

`);
}

/** How a message of the wire is taken: `taken`, `refused` with a status, or `dropped`. */
function judge(text: string): string {
  const parsed = parseMessage(wire(text));
  if (!parsed.ok) return 'dropped';
  const read = readEssentials(parsed.message);
  if (!read.ok) return 'dropped';
  if (parsed.message.kind === 'response') return 'taken';
  const fault = faultOf(parsed.message);
  return fault ? `refused ${fault.status}` : 'taken';
}

describe('a SIP message', () => {
  it('is read whole: folded lines, compact and strange names, lists in one line and in several', () => {
    const message = parse(`
INVITE sip:vivekg@chair.example.com;unknownparam SIP/2.0
TO :
 sip:vivekg@chair.example.com ;   tag    = 1918181833n
f   : "J Rosenberg \\\\\\""       <sip:jdrosen@example.com>
  ;
  tag = 98asjd8
MaX-fOrWaRdS: 0068
i: wsinv.ndaksdj@192.0.2.1
Content-Length   : 5
cseq: 0009
  INVITE
Via  : SIP  /   2.0
 /UDP
    192.0.2.2;rport;branch=390skdjuw
s :
NewFangledHeader:   newfangled value
 continued newfangled value
UnknownHeaderWithUnusualValue: ;;,,;;,;
Route:
 <sip:services.example.com;lr;unknownwith=value;unknown-no-value>
v:  SIP  / 2.0  / TCP     spindle.example.com   ;
  branch  =   z9hG4bK9ikj8  ,
 SIP  /    2.0   / UDP  192.168.255.111   ; branch=
 z9hG4bK30239
m:"Quoted string \\"\\"" <sip:jdrosen@example.com> ; newparam =
      newvalue ;
  secondparam ; q = 0.33

v=0
 and more`);
    expect(readEssentials(message)).toMatchObject({
      ok: true,
      essentials: {
        callId: 'wsinv.ndaksdj@192.0.2.1',
        seq: 9,
        fromTag: '98asjd8',
        toTag: '1918181833n',
        branch: '390skdjuw',
      },
    });
    expect(headerList(message, 'via')).toHaveLength(3);
    expect(headerList(message, 'via').map((value) => parseVia(value)?.params.get('branch'))).toEqual([
      '390skdjuw',
      'z9hG4bK9ikj8',
      'z9hG4bK30239',
    ]);
    expect(parseNameAddr(header(message, 'from') ?? '')?.displayName).toBe('J Rosenberg \\"');
    expect(parseNameAddr(header(message, 'contact') ?? '')?.params.get('secondparam')).toBe('');
    expect(header(message, 'unknownheaderwithunusualvalue')).toBe(';;,,;;,;');
    expect(header(message, 'newfangledheader')).toBe('newfangled value continued newfangled value');
    expect(message.body).toBe('v=0\r\n');
    expect(judge(invite())).toBe('taken');
  });

  it('is written so that it reads the same', () => {
    const message = parse(invite());
    expect(parseMessage(serializeMessage(message))).toEqual({ ok: true, message });
  });

  it('cannot be given a second header by a line break in a value', () => {
    const request = parse(invite());
    request.headers.set('subject', ['a\r\nEvil: yes']);
    expect(header(parse(serializeMessage(request).toString().replaceAll('\r\n', '\n')), 'evil')).toBe(
      undefined,
    );
  });

  it.each([
    ['no number as its length', /Content-Length: 0/, 'Content-Length: -5'],
    ['a length beyond its end', /Content-Length: 0/, 'Content-Length: 999'],
    ['two lengths', /Content-Length: 0/, 'Content-Length: 0\nContent-Length: 5'],
    ['a CSeq of another method', /CSeq: 1 INVITE/, 'CSeq: 1 OPTIONS'],
    ['a CSeq that is too large', /CSeq: 1 /, 'CSeq: 36893488147419103232 '],
    ['two Call-IDs', /Call-ID: .*/, 'Call-ID: 1\nCall-ID: 2'],
    ['no From', /From: .*\n/, ''],
    ['an open quote in From', /"A person"/, '"A person'],
    ['a Via of garbage', /Via: .*/, 'Via: SIP/2.0/UDP ,,,;;;'],
    ['a header without a colon', /Max-Forwards: 70/, 'Max-Forwards 70'],
    ['another version', /SIP\/2\.0\nVia/, 'SIP/7.0\nVia'],
    ['white space in its first line', /INVITE sip/, 'INVITE  sip'],
    ['an address in angle brackets', /sip:\+15550100001@example.com SIP/, '<sip:x@example.com> SIP'],
  ])('with %s opens nothing', (_, pattern, replacement) => {
    expect(judge(invite((text) => text.replace(pattern, replacement)))).not.toBe('taken');
  });

  it.each([
    ['Bad Max-Forwards', /Max-Forwards: 70/, 'Max-Forwards: many'],
    ['Bad Contact', /Contact: .*/, 'Contact: "open <sip:a@b>, <sip:'],
    ['Bad Request-URI', /sip:\+15550100001@example.com SIP/, 'sip:a@b@c SIP'],
    ['Bad Request-URI', /sip:\+15550100001@example.com SIP/, 'nothing SIP'],
  ])('that can be answered is told %s', (_, pattern, replacement) => {
    expect(judge(invite((text) => text.replace(pattern, replacement)))).toMatch(/refused 400|dropped/);
  });

  it('never throws and never takes long, whatever arrives', () => {
    const pieces = fc.constantFrom(
      ...invite().split(''),
      'SIP/2.0',
      '\r\n',
      '\0',
      '"',
      '<',
      ';',
      '@@@',
      'é',
      '%00',
      'Via: ',
      'INVITE ',
    );
    const noise = fc.array(pieces, { maxLength: 400 }).map((parts) => Buffer.from(parts.join('')));
    fc.assert(
      fc.property(fc.oneof(noise, fc.uint8Array({ maxLength: 2_000 }).map(Buffer.from)), (bytes) => {
        const parsed = parseMessage(bytes);
        if (parsed.ok) readEssentials(parsed.message);
      }),
      { numRuns: 500 },
    );
    const cut = wire(invite());
    for (let end = 0; end < cut.length; end += 1) parseMessage(cut.subarray(0, end));
    for (const filler of [':', ' ', '"', ';x="', '<', 'a:', ',', '\n a']) {
      const long = filler.repeat(Math.floor(60_000 / filler.length));
      judge(invite((text) => text.replace('A person', long)));
      judge(invite((text) => text.replace('+15550100001@', `${long}@`)));
      judge(invite((text) => text.replace(';rport', long)));
    }
  });
});

describe('an address', () => {
  it('is read with its parts', () => {
    expect(parseUri('sips:%61lice:secret@[2001:db8::9]:5061;transport=TCP;lr?Subject=x')).toMatchObject({
      scheme: 'sips',
      user: 'alice',
      host: '[2001:db8::9]',
      port: 5061,
    });
    expect(parseUri('sip:user;par=u%40example.net@example.com')?.user).toBe('user;par=u@example.net');
    for (const bad of [
      'tel:+1555',
      'sip:',
      'sip:a@b c',
      'sip:a@b:99999',
      'sip:a@b@c',
      `sip:${'a'.repeat(2_000)}`,
    ])
      expect(parseUri(bad)).toBeUndefined();
  });
});

describe('a response', () => {
  it('carries what finds its way back, and a tag of ours only where there is none', () => {
    const request = parse(invite()) as SipRequest;
    const ringing = responseTo(request, 180, 'ours');
    expect(header(ringing, 'to')).toBe('<sip:+15550100001@example.com>;tag=ours');
    expect(headerList(ringing, 'via')).toEqual(headerList(request, 'via'));
    const inDialog = parse(invite((text) => text.replace(/To: (.*)/, 'To: $1;tag=there'))) as SipRequest;
    expect(header(responseTo(inDialog, 200, 'ours'), 'to')).toBe('<sip:+15550100001@example.com>;tag=there');
  });
});
