'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ChatLog } from '#components/chat/chat-log.tsx';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { useToast } from '#components/ui/toast.tsx';
import type { ChatView } from '#lib/chat-client/chat-store.ts';
import { endChat } from '#lib/features/chats/contract.ts';
import type { CallDetail } from '#lib/features/conversations/contract.ts';
import { conversationQueries } from '#lib/features/conversations/queries.ts';
import { callOperation } from '#lib/http/client.ts';
import { transcriptText } from './transcript-entries.ts';

/** What was written in a chat, also while it goes on. There is nothing to listen to. */
export function ChatTranscript({ call }: { call: CallDetail }) {
  return (
    <Card
      title="Chat"
      actions={
        call.turns.length > 0 ? (
          <CopyButton text={transcriptText(call.turns)} label="Copy chat" size="md" />
        ) : null
      }
    >
      <ChatLog view={viewOf(call)} agentName="Agent" personName="Visitor" isWhole />
    </Card>
  );
}

function viewOf({ id, turns, toolUses }: CallDetail): ChatView {
  const messages = turns
    .toSorted((one, other) => one.seq - other.seq)
    .map((turn) => ({
      seq: turn.seq,
      from: turn.speaker === 'agent' ? ('agent' as const) : ('person' as const),
      text: turn.text,
    }));
  const heard = turns.filter(({ speaker }) => speaker === 'human');
  const uses = toolUses.map((use) => ({
    ...use,
    afterSeq: Math.max(
      0,
      ...heard.filter(({ startedMs }) => startedMs <= use.startedMs).map(({ seq }) => seq),
    ),
  }));
  return {
    status: 'ended',
    messages,
    toolUses: uses,
    partial: '',
    isAnswering: false,
    problem: null,
    chatId: id,
  };
}

/** Ends a chat that goes on; whoever writes in it sees that it has ended. */
export function EndChat({ chatId }: { chatId: string }) {
  const workspace = useWorkspace();
  const toast = useToast();
  const queryClient = useQueryClient();
  const end = useMutation({
    mutationFn: () => callOperation(endChat, { params: { chatId } }, { workspaceId: workspace.id }),
    onSuccess: () => toast({ title: 'Chat ended' }),
    onError: (error) =>
      toast({ tone: 'danger', title: 'The chat could not be ended', description: error.message }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: conversationQueries.root(workspace.id) }),
  });
  if (workspace.role === 'viewer') return null;
  return (
    <section aria-label="This chat" className="mt-3 border-t border-line pt-3">
      <Button isBusy={end.isPending} onClick={() => end.mutate()}>
        End chat
      </Button>
    </section>
  );
}
