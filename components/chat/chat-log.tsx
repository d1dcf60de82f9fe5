'use client';

import { useEffect, useRef } from 'react';
import { Wrench } from 'lucide-react';
import { classNames } from '#components/ui/class-names.ts';
import type { ChatView, ClientMessage, ClientToolUse } from '#lib/chat-client/chat-store.ts';
import { turnAnchor } from '#components/conversations/result-wording.ts';
import { tagLabel } from '#components/conversations/wording.ts';
import { ChatText } from './chat-text.tsx';

type ChatLogProps = {
  view: ChatView;
  agentName: string;
  personName?: string;
  /** As long as it is, and where it is: a chat to be read afterwards. */
  isWhole?: boolean;
};

/**
 * What was written. Finished messages are announced; the words of an answer in the making are not, which would be read one
 * by one.
 */
export function ChatLog({ view, agentName, personName = 'You', isWhole = false }: ChatLogProps) {
  const log = useRef<HTMLElement>(null);
  const { messages, partial, isAnswering, toolUses } = view;
  useEffect(() => {
    if (isWhole) return;
    const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    // Only the log: the page, with the field in which somebody writes, stays where it is.
    log.current?.scrollTo({ top: log.current.scrollHeight, behavior: isStill ? 'auto' : 'smooth' });
  }, [messages.length, partial, isAnswering, isWhole]);
  return (
    <section
      ref={log}
      aria-label="Chat"
      {...(isWhole ? {} : { tabIndex: 0 })}
      className={classNames(
        'flex flex-col gap-3 rounded-md p-1',
        !isWhole && 'max-h-[60vh] min-h-64 overflow-y-auto short:h-[35vh] short:min-h-0',
      )}
    >
      <div role="log" aria-label="Messages" className="flex flex-col gap-3">
        {messages.map((message) => (
          <div
            key={`${message.from}-${message.seq}`}
            {...(isWhole ? { id: turnAnchor(message.seq) } : {})}
            className="flex scroll-mt-24 flex-col gap-3 rounded-lg target:ring-1 target:ring-accent-line"
          >
            <Bubble message={message} name={message.from === 'agent' ? agentName : personName} />
            {toolUses
              .filter((use) => use.afterSeq === message.seq)
              .map((use) => (
                <ToolUse key={use.seq} use={use} />
              ))}
          </div>
        ))}
      </div>
      {isAnswering ? (
        <div aria-hidden={partial !== ''}>
          {partial === '' ? (
            <output className="text-sm text-ink-subtle">{agentName} is writing…</output>
          ) : (
            <Bubble message={{ seq: 0, from: 'agent', text: partial }} name={agentName} />
          )}
        </div>
      ) : null}
    </section>
  );
}

function Bubble({ message, name }: { message: ClientMessage; name: string }) {
  const isAgent = message.from === 'agent';
  return (
    <div className={classNames('flex max-w-[85%] flex-col gap-1', isAgent ? 'self-start' : 'self-end')}>
      <span className={classNames('text-xs font-semibold', isAgent ? 'text-agent' : 'self-end text-human')}>
        {name}
      </span>
      <div
        className={classNames(
          'rounded-lg border px-3 py-2 text-base text-ink',
          isAgent ? 'border-line bg-sunken/60' : 'border-accent-line bg-accent-soft',
        )}
      >
        <ChatText text={message.text} />
      </div>
    </div>
  );
}

function ToolUse({ use }: { use: ClientToolUse }) {
  return (
    <details className="self-start rounded-md border border-line bg-sunken/60 text-sm">
      <summary className="focus-inset flex h-7 items-center gap-2 rounded-md px-2.5 text-ink-muted marker:content-none">
        <Wrench aria-hidden="true" className="size-3.5 shrink-0" />
        {tagLabel(use.name)}
      </summary>
      <pre className="max-h-64 overflow-auto border-t border-line px-2.5 py-2 font-mono text-xs wrap-anywhere whitespace-pre-wrap text-ink">
        {JSON.stringify({ arguments: use.arguments, result: use.result }, null, 2)}
      </pre>
    </details>
  );
}
