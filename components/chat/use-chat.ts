'use client';

import { useEffect, useState, useSyncExternalStore } from 'react';
import {
  type ChatProblem,
  type ChatStore,
  type ChatTransport,
  createChatStore,
} from '#lib/chat-client/chat-store.ts';
import { readEvents } from '#lib/chat-client/read-events.ts';
import { createChat, endChat, getChat, sendChatMessage } from '#lib/features/chats/contract.ts';
import { ApiError, callOperation, operationUrl, toApiError } from '#lib/http/client.ts';

/** The chat of one agent in this tab: kept over reloads, and not beyond the tab. */
const keyOf = (agentId: string, versionId: string | undefined) =>
  `callwright.chat.${agentId}${versionId === undefined ? '' : `.${versionId}`}`;

/** A chat with an agent from its page: a test. With a version of it, or with what is published. */
export function useChat(workspaceId: string, agentId: string, versionId: string | undefined) {
  const key = keyOf(agentId, versionId);
  const [store] = useState<ChatStore>(() =>
    createChatStore(transportOf(workspaceId, { agentId, versionId, key })),
  );
  const view = useSyncExternalStore(store.subscribe, store.view, store.view);
  useEffect(() => {
    if (sessionStorage.getItem(key) !== null) void store.resume();
    const reconnect = () => void store.reconnect();
    window.addEventListener('online', reconnect);
    return () => window.removeEventListener('online', reconnect);
  }, [store, key]);
  const startAgain = () => {
    sessionStorage.removeItem(key);
    store.reset();
  };
  return { view, store, startAgain };
}

type Chatted = { agentId: string; versionId: string | undefined; key: string };

function transportOf(workspaceId: string, { agentId, versionId, key }: Chatted): ChatTransport {
  const idOf = () => sessionStorage.getItem(key) ?? '';
  const scope = { workspaceId };
  return {
    async start() {
      const body = { isTest: true, ...(versionId === undefined ? {} : { agentVersionId: versionId }) };
      const created = callOperation(createChat, { params: { agentId }, body }, scope);
      const { data } = await created.catch(asProblem);
      sessionStorage.setItem(key, data.conversationId);
      return data;
    },
    async read() {
      try {
        return (await callOperation(getChat, { params: { chatId: idOf() } }, scope)).data;
      } catch (error) {
        if (!(error instanceof ApiError) || (error.status !== 404 && error.status !== 403))
          return asProblem(error);
        sessionStorage.removeItem(key);
        return undefined;
      }
    },
    async send(message) {
      const response = await fetch(operationUrl(sendChatMessage, { params: { chatId: idOf() } }), {
        method: 'POST',
        headers: { 'x-workspace-id': workspaceId, 'content-type': 'application/json' },
        body: JSON.stringify(message),
      });
      if (!response.ok || !response.body)
        return asProblem(toApiError(response.status, await response.json().catch(() => undefined)));
      return readEvents(response.body);
    },
    async end() {
      await callOperation(endChat, { params: { chatId: idOf() } }, scope).catch(asProblem);
    },
  };
}

/** The service's own sentence where it refused; anything else is the connection. */
function asProblem(error: unknown): never {
  if (!(error instanceof ApiError)) throw error;
  const problem: ChatProblem = {
    kind: error.status === 429 ? 'busy' : 'refused',
    message: error.message,
  };
  // oxlint-disable-next-line no-throw-literal -- a store tells problems from failures by their kind
  throw problem;
}
