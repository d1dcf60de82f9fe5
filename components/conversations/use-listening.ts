'use client';

import { useEffect, useRef, useState } from 'react';
import {
  LISTENING_REVOKED,
  listeningMessage,
  listeningSocketPath,
} from '#lib/features/calls/supervision/contract.ts';
import { type ListeningAudio, openListeningAudio } from './listening-audio.ts';

export type ListeningPhase = 'off' | 'connecting' | 'listening';
type State = { phase: ListeningPhase; problem: string | null };

const OFF: State = { phase: 'off', problem: null };

/** Listening in on a call, in this tab; it ends with the page. */
export function useListening(workspaceId: string, callId: string) {
  const [state, setState] = useState<State>(OFF);
  const running = useRef<{ audio: ListeningAudio; socket: WebSocket } | undefined>(undefined);

  function stop(problem: string | null): void {
    running.current?.socket.close();
    running.current?.audio.close();
    running.current = undefined;
    setState({ phase: 'off', problem });
  }

  useEffect(
    () => () => {
      running.current?.socket.close();
      running.current?.audio.close();
      running.current = undefined;
    },
    [],
  );

  async function start(): Promise<void> {
    setState({ phase: 'connecting', problem: null });
    try {
      const audio = await openListeningAudio();
      const socket = connect(addressOf(workspaceId, callId), {
        onSound: audio.play,
        onListening: () => setState({ phase: 'listening', problem: null }),
        onOver: (problem) => stop(problem),
      });
      running.current = { audio, socket };
    } catch {
      stop('This browser cannot play the sound of the call.');
    }
  }

  return {
    ...state,
    start,
    stop: () => stop(null),
    levels: () => running.current?.audio.levels() ?? { agent: 0, human: 0 },
  };
}

type Handlers = {
  onSound(samples: Int16Array): void;
  onListening(): void;
  /** `problem`: null where the call is over. Told once. */
  onOver(problem: string | null): void;
};

function connect(url: string, handlers: Handlers): WebSocket {
  const socket = new WebSocket(url);
  socket.binaryType = 'arraybuffer';
  let problem: string | null = 'The connection was lost.';
  socket.onmessage = ({ data }) => {
    if (data instanceof ArrayBuffer) return handlers.onSound(new Int16Array(data));
    const message = listeningMessage.safeParse(parseJson(data));
    if (!message.success) return undefined;
    if (message.data.type === 'listening') handlers.onListening();
    if (message.data.type === 'ended') problem = null;
    if (message.data.type === 'refused') problem = message.data.reason;
    return undefined;
  };
  socket.onclose = ({ code }) =>
    handlers.onOver(code === LISTENING_REVOKED ? 'You may not listen to this call any more.' : problem);
  return socket;
}

function addressOf(workspaceId: string, callId: string): string {
  const { protocol, host } = window.location;
  return `${protocol === 'https:' ? 'wss' : 'ws'}://${host}${listeningSocketPath(workspaceId, callId)}`;
}

function parseJson(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}
