'use client';

import { useSuspenseQuery } from '@tanstack/react-query';
import { type ReactNode, useSyncExternalStore } from 'react';
import { EarOff, TriangleAlert } from 'lucide-react';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { StatusDot } from '#components/ui/badge.tsx';
import { Card } from '#components/ui/card.tsx';
import { CodeBlock, InlineCode } from '#components/ui/code-block.tsx';
import { Notice } from '#components/ui/empty-state.tsx';
import { QrCode } from '#components/ui/qr-code.tsx';
import type { NumberSetup as Setup } from '#lib/features/numbers/contract.ts';
import { numberQueries } from '#lib/features/numbers/queries.ts';

/** How a softphone, a trunk and Twilio reach this service: what is on, and what to copy where. */
export function NumberSetup() {
  const { id: workspaceId } = useWorkspace();
  const { data: setup } = useSuspenseQuery(numberQueries.setup(workspaceId));
  const { data: numbers } = useSuspenseQuery(numberQueries.list(workspaceId));
  const example = numbers.find(({ carrier }) => carrier === 'sip')?.number ?? '+15550100001';
  return (
    <div className="flex max-w-4xl flex-col gap-4">
      {setup.canHear ? null : <CannotHear />}
      <Softphone setup={setup} example={example} />
      <Trunk setup={setup} />
      <Twilio setup={setup} />
    </div>
  );
}

export function CannotHear() {
  return (
    <Notice tone="warning" icon={<EarOff aria-hidden="true" />} title="Phone calls cannot be understood">
      No transcription is configured. An agent speaks on the phone and takes keys, and never pretends to
      listen. Set <InlineCode>OPENAI_API_KEY</InlineCode> or <InlineCode>OPENAI_BASE_URL</InlineCode> and
      start the service again.
    </Notice>
  );
}

function Part({ title, isOn, children }: { title: string; isOn: boolean; children: ReactNode }) {
  return (
    <Card
      title={title}
      actions={<StatusDot tone={isOn ? 'success' : 'neutral'}>{isOn ? 'On' : 'Off'}</StatusDot>}
    >
      <div className="flex flex-col gap-3 text-sm text-ink-muted">{children}</div>
    </Card>
  );
}

function Softphone({ setup, example }: { setup: Setup; example: string }) {
  const { sip } = setup;
  const endpoint = sip?.listen[0];
  return (
    <Part title="Softphone" isOn={sip !== null}>
      {sip && endpoint ? (
        <>
          <p>Call this address from any softphone that calls addresses directly; no account is needed.</p>
          <AddressToCall endpoint={endpoint} number={example} publicUrl={setup.twilio.voiceUrl} />
          <p>{`Calls are taken from ${sip.allowedPeers.join(', ')}.`}</p>
        </>
      ) : (
        <>
          <p>
            Start the service with an endpoint and with the softphone’s network allowed, then add a number
            whose carrier is SIP.
          </p>
          <CodeBlock
            code={'SIP_LISTEN=udp:0.0.0.0:5060\nSIP_ALLOWED_PEERS=192.168.1.0/24'}
            label="Variables for a softphone"
          />
        </>
      )}
    </Part>
  );
}

const subscribeNever = () => () => undefined;
const LOOPBACK = /^(?:localhost|127\..*|\[?::1\]?)$/;

/** The address in words and as a code. Where the service listens on every address, the browser knows one that leads here. */
function AddressToCall({
  endpoint: { protocol, address, port },
  number,
  publicUrl,
}: {
  endpoint: NonNullable<Setup['sip']>['listen'][number];
  number: string;
  publicUrl: string;
}) {
  const here = useSyncExternalStore(
    subscribeNever,
    () => location.hostname,
    () => new URL(publicUrl).hostname,
  );
  const host = address === '0.0.0.0' || address === '::' ? here : address;
  const uri = `sip:${number}@${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}${protocol === 'udp' ? '' : `;transport=${protocol}`}`;
  return (
    <>
      <CodeBlock code={uri} label="Address to call" />
      {LOOPBACK.test(host) ? (
        <p>
          Only this machine reaches that address. For a softphone on a telephone, listen on the machine’s
          address in your network.
        </p>
      ) : (
        <div className="flex flex-wrap items-center gap-4">
          <QrCode text={uri} label={`QR code of ${uri}`} />
          <p className="max-w-sm text-pretty">
            The same address as a code. A telephone with a softphone that opens sip: addresses offers to call
            when its camera sees it; where it shows text only, copy the text into the softphone.
          </p>
        </div>
      )}
    </>
  );
}

function Trunk({ setup }: { setup: Setup }) {
  const { sip } = setup;
  const isOn = sip?.trunkUri !== null && sip !== null;
  return (
    <Part title="SIP trunk" isOn={isOn}>
      {isOn ? (
        <>
          <p>{`Calls go out through ${sip.trunkUri}, ${sip.hasCredentials ? 'with a user name and a password' : 'without credentials'}${sip.registers ? ', and this service registers there' : ''}.`}</p>
          {sip.mediaIp === null ? null : <p>{`Sound is expected at ${sip.mediaIp}.`}</p>}
        </>
      ) : (
        <>
          <p>Set these variables with what the telephone company gave you, and start the service again.</p>
          <CodeBlock
            code={
              'SIP_LISTEN=udp:0.0.0.0:5060\nSIP_MEDIA_IP=198.51.100.7\nSIP_TRUNK_URI=sip:trunk.example.com;transport=udp\nSIP_TRUNK_USERNAME=acme\nSIP_TRUNK_PASSWORD=…\nSIP_ALLOWED_PEERS=203.0.113.0/24'
            }
            label="Variables for a trunk"
          />
        </>
      )}
    </Part>
  );
}

function Twilio({ setup }: { setup: Setup }) {
  return (
    <Part title="Twilio" isOn={setup.twilio.isOn}>
      {setup.twilio.isOn ? null : (
        <>
          <p>Set both variables and start the service again.</p>
          <CodeBlock code={'TWILIO_ACCOUNT_SID=AC…\nTWILIO_AUTH_TOKEN=…'} label="Variables for Twilio" />
        </>
      )}
      <p>
        At Twilio, enter this address for each number: Voice Configuration, “A call comes in”, Webhook, HTTP
        POST.
      </p>
      <CodeBlock code={setup.twilio.voiceUrl} label="Voice webhook" />
      {setup.isPublic ? null : (
        <Notice tone="warning" icon={<TriangleAlert aria-hidden="true" />} title="Twilio cannot reach it">
          Set <InlineCode>PUBLIC_URL</InlineCode> to the https address of this service that the internet
          reaches.
        </Notice>
      )}
    </Part>
  );
}
