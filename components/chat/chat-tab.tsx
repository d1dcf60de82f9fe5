'use client';

import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { MessageSquareOff, RotateCcw, SendHorizontal } from 'lucide-react';
import { useAgent, useMayEdit } from '#components/agents/use-agent.ts';
import { Link } from '#components/ui/link.tsx';
import { DraftChoice, type Tried, triedVersionId } from '#components/versions/draft-choice.tsx';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button, buttonClasses } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { EmptyState, Notice } from '#components/ui/empty-state.tsx';
import { Textarea } from '#components/ui/input.tsx';
import type { ChatProblem, ChatView } from '#lib/chat-client/chat-store.ts';
import { CHAT_LIMITS } from '#lib/features/chats/rules.ts';
import { ChatLog } from './chat-log.tsx';
import { useChat } from './use-chat.ts';

/** Chatting with an agent on its page, as a visitor of a website would. */
export function ChatTab({ agentId }: { agentId: string }) {
  const kept = useAgent(agentId);
  const { agent } = kept;
  const [chosen, setChosen] = useState<Tried>();
  const mayChat = useMayEdit();
  if (!mayChat)
    return (
      <EmptyState
        icon={<MessageSquareOff />}
        title="Viewers cannot chat with agents"
        description="Your role in this workspace is to read. An owner can change it under Settings, Members."
      />
    );
  if (!agent.isActive)
    return (
      <EmptyState
        icon={<MessageSquareOff />}
        title="The agent is inactive"
        description="An inactive agent takes no chats. Activate it in the menu above to chat with it."
      />
    );
  const versionId = triedVersionId(kept, chosen);
  return (
    <div className="flex max-w-3xl flex-col gap-4">
      <DraftChoice agentId={agentId} chosen={chosen} onChoose={setChosen} />
      <Chat
        key={`${agentId} ${versionId ?? ''}`}
        agentId={agentId}
        versionId={versionId}
        agentName={agent.personaName ?? agent.name}
      />
    </div>
  );
}

type ChatProps = { agentId: string; versionId: string | undefined; agentName: string };

function Chat({ agentId, versionId, agentName }: ChatProps) {
  const { id: workspaceId } = useWorkspace();
  const { view, store, startAgain } = useChat(workspaceId, agentId, versionId);
  const field = useRef<HTMLTextAreaElement>(null);
  const { messages, partial } = view;
  useEffect(() => {
    // The log grows above the field: whoever writes goes on seeing what they write.
    if (document.activeElement === field.current) field.current?.form?.scrollIntoView({ block: 'nearest' });
  }, [messages.length, partial]);
  return (
    <div className="flex max-w-3xl flex-col gap-4">
      <WhichPrompt agentId={agentId} />
      <Card
        title={`Chat with ${agentName}`}
        description="Chats from here are tests: they are not in the API's lists or the webhook, do not count for the monthly limit and are never refused for it."
        actions={<Actions view={view} onEnd={() => void store.end()} />}
      >
        <div className="flex flex-col gap-4">
          {view.status === 'new' && view.messages.length === 0 ? (
            <p className="flex min-h-40 items-center justify-center text-center text-sm text-ink-subtle">
              Write the first message; the agent's greeting comes with it.
            </p>
          ) : (
            <ChatLog view={view} agentName={agentName} />
          )}
          {view.problem ? <Problem problem={view.problem} onRetry={() => void store.retry()} /> : null}
          {view.status === 'ended' ? (
            <Ended
              onAgain={() => {
                startAgain();
                requestAnimationFrame(() => field.current?.focus());
              }}
            />
          ) : (
            <MessageField field={field} isBusy={view.isAnswering} onSend={(text) => void store.send(text)} />
          )}
        </div>
      </Card>
    </div>
  );
}

function WhichPrompt({ agentId }: { agentId: string }) {
  const { id: workspaceId } = useWorkspace();
  const { agent, chatPrompt } = useAgent(agentId);
  if (chatPrompt !== null) return null;
  const path = workspacePath(workspaceId, `agents/${encodeURIComponent(agentId)}/chat-prompt`);
  return (
    <Notice title="This agent has no chat prompt">
      {agent.inboundPrompt === null
        ? 'It has no inbound prompt either, so it knows only its voice card and its knowledge bases. '
        : 'It chats by its inbound prompt, with the rules for writing instead of those for speaking. '}
      <Link href={path} className="text-accent-text underline">
        Write a chat prompt
      </Link>
    </Notice>
  );
}

function Actions({ view, onEnd }: { view: ChatView; onEnd: () => void }) {
  const { id: workspaceId } = useWorkspace();
  if (view.chatId === null) return null;
  const path = workspacePath(workspaceId, `conversations/${encodeURIComponent(view.chatId)}`);
  return (
    <div className="flex flex-wrap gap-2">
      <Link href={path} className={buttonClasses({ variant: 'ghost' })}>
        Open conversation
      </Link>
      {view.status === 'open' ? <Button onClick={onEnd}>End chat</Button> : null}
    </div>
  );
}

const PROBLEMS: Record<ChatProblem['kind'], string> = {
  offline: 'The service cannot be reached. What you wrote is kept: try again once the connection is back.',
  busy: 'That was a little fast. Try again in a moment.',
  failed: 'No answer came. The conversation tells why.',
  unavailable: 'The chat is not available.',
  refused: 'The message was refused.',
};

function Problem({ problem, onRetry }: { problem: ChatProblem; onRetry: () => void }) {
  return (
    <Notice tone="danger">
      <span className="flex flex-wrap items-center gap-3">
        {problem.message ?? PROBLEMS[problem.kind]}
        <Button size="sm" onClick={onRetry}>
          Try again
        </Button>
      </span>
    </Notice>
  );
}

function Ended({ onAgain }: { onAgain: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  // The field that had the focus is gone.
  useEffect(() => button.current?.focus(), []);
  return (
    <div className="flex flex-wrap items-center gap-3">
      <output className="text-sm text-ink-muted">The chat has ended.</output>
      <Button ref={button} variant="primary" onClick={onAgain}>
        <RotateCcw aria-hidden="true" />
        Start again
      </Button>
    </div>
  );
}

type MessageFieldProps = {
  field: React.RefObject<HTMLTextAreaElement | null>;
  isBusy: boolean;
  onSend: (text: string) => void;
};

/** Enter sends, Shift and Enter makes a line. One may go on writing while the agent answers. */
function MessageField({ field, isBusy, onSend }: MessageFieldProps) {
  const [text, setText] = useState('');
  const send = () => {
    if (text.trim() === '' || isBusy) return;
    onSend(text.trim());
    setText('');
    field.current?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // In languages that compose their signs, Enter chooses one.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form onSubmit={submit} className="flex scroll-mb-4 items-end gap-2">
      <Textarea
        ref={field}
        aria-label="Your message"
        placeholder="Your message…"
        rows={2}
        maxLength={CHAT_LIMITS.messageCharacters}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        className="flex-1 resize-y"
      />
      <Button type="submit" variant="primary" aria-disabled={isBusy || text.trim() === ''}>
        <SendHorizontal aria-hidden="true" />
        Send
      </Button>
    </form>
  );
}
