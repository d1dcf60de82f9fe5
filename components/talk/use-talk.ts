'use client';

import { useEffect, useRef, useState } from 'react';
import { createWebCall } from '#lib/features/calls/web/contract.ts';
import { callOperation } from '#lib/http/client.ts';
import { describeFailure } from '#components/forms/server-problems.ts';
import { MicrophoneError, openTalkAudio, type TalkAudio } from './audio.ts';
import { startRecognition, type Recognition } from './recognition.ts';
import { connectTalk, type ServerMessage, type TalkConnection } from './talk-connection.ts';
import { MICROPHONE_WORDS } from './wording.ts';

export type TalkPhase = 'idle' | 'starting' | 'talking' | 'interrupted' | 'over';

export type TalkState = {
  phase: TalkPhase;
  /** Null until the service has begun the call. */
  conversationId: string | null;
  isMuted: boolean;
  hasMicrophone: boolean;
  /** Whether the service turns what it hears into words; false: it takes typed and recognised words only. */
  understandsSpeech: boolean;
  /** What the person is saying just now. */
  interim: string;
  problem: { title: string; description: string } | null;
};

export type TalkRequest = {
  agentId: string;
  outboundPromptId?: string | undefined;
  variables?: Record<string, string> | undefined;
  /** The version of the agent to talk to; left out, what is published. */
  agentVersionId?: string | undefined;
  hasMicrophone: boolean;
  /** BCP 47; the browser itself recognises what is said, in this language. */
  recognizes?: string | undefined;
};

const IDLE: TalkState = {
  phase: 'idle',
  conversationId: null,
  isMuted: false,
  hasMicrophone: false,
  understandsSpeech: true,
  interim: '',
  problem: null,
};

type Running = { connection: TalkConnection; audio: TalkAudio; recognition: Recognition | undefined };

type Change = (changes: Partial<TalkState>) => void;

/** A talk with an agent in this tab, at most one at a time; it ends with the page. */
export function useTalk(workspaceId: string) {
  const [state, setState] = useState<TalkState>(IDLE);
  const running = useRef<Running | undefined>(undefined);
  const change: Change = (changes) => setState((before) => ({ ...before, ...changes }));

  function stop(changes: Partial<TalkState>): void {
    end(running.current);
    running.current = undefined;
    change({ phase: 'over', interim: '', ...changes });
  }

  useEffect(
    () => () => {
      end(running.current);
      running.current = undefined;
    },
    [],
  );

  async function start(request: TalkRequest): Promise<void> {
    setState({ ...IDLE, phase: 'starting', hasMicrophone: request.hasMicrophone });
    let audio: TalkAudio | undefined;
    try {
      // First, while the click is fresh: browsers ask for the microphone and allow sound only then.
      audio = await openTalkAudio({
        isListening: request.hasMicrophone,
        onFrame: (frame) => running.current?.connection.sendFrame(frame),
      });
      const { webSocket } = await prepareTalk(workspaceId, request);
      const address = { ...webSocket, url: ownAddress(webSocket.url) };
      const connection = connectTalk(address, handlersOf({ audio, change, stop }));
      const { recognizes } = request;
      const recognition = recognizes === undefined ? undefined : recognizeFor(connection, recognizes, change);
      running.current = { audio, connection, recognition };
    } catch (error) {
      audio?.close();
      change({ phase: 'idle', problem: problemOf(error) });
    }
  }

  return {
    state,
    start,
    hangUp: () => stop({}),
    setMuted(isMuted: boolean) {
      running.current?.audio.setMuted(isMuted);
      running.current?.recognition?.setPaused(isMuted);
      change({ isMuted });
    },
    type: (text: string) => running.current?.connection.send({ type: 'text', text }),
    press: (digit: string) => running.current?.connection.send({ type: 'digit', digit }),
    levels: () => running.current?.audio.levels() ?? { microphone: 0, speaker: 0 },
  };
}

function end(running: Running | undefined): void {
  running?.recognition?.stop();
  running?.connection.hangUp();
  running?.audio.close();
}

async function prepareTalk(workspaceId: string, request: TalkRequest) {
  const { agentId, outboundPromptId, agentVersionId, variables } = request;
  const body = {
    isTest: true,
    ...(outboundPromptId ? { outboundPromptId } : {}),
    ...(agentVersionId ? { agentVersionId } : {}),
    ...(variables && Object.keys(variables).length > 0 ? { variables } : {}),
  };
  const { data } = await callOperation(createWebCall, { params: { agentId }, body }, { workspaceId });
  return data;
}

function handlersOf({ audio, change, stop }: { audio: TalkAudio; change: Change; stop: Change }) {
  return {
    onFrame: (frame: Int16Array) => audio.play(frame),
    onMessage(message: ServerMessage) {
      if (message.type === 'ready')
        change({
          phase: 'talking',
          conversationId: message.conversationId,
          understandsSpeech: message.understandsSpeech,
        });
      if (message.type === 'clear') audio.clear();
      if (message.type === 'interim') change({ interim: message.text });
      if (message.type === 'dropped')
        change({ problem: { title: 'Not everything was taken', description: message.reason } });
      if (message.type === 'refused')
        stop({ problem: { title: 'The agent cannot talk now', description: message.reason } });
      if (message.type === 'ended') stop({});
    },
    onInterrupted: () => change({ phase: 'interrupted' }),
    onResumed: () => change({ phase: 'talking' }),
    onLost: () =>
      stop({
        problem: {
          title: 'The connection was lost',
          description: 'The talk has ended. What was said until then is kept.',
        },
      }),
  };
}

/** Lets the browser turn what it hears into words, and sends them. */
function recognizeFor(connection: TalkConnection, language: string, change: Change): Recognition | undefined {
  return startRecognition(language, {
    onInterim(text) {
      change({ interim: text });
      connection.send({ type: 'interim', text });
    },
    onWords(text) {
      change({ interim: '' });
      connection.send({ type: 'recognized', text });
    },
    onRefused: () =>
      change({
        problem: {
          title: 'The browser does not recognise speech here',
          description: 'It was not allowed, or its maker could not be reached. You can type instead.',
        },
      }),
  });
}

/** The same path at the address that this page came from: PUBLIC_URL may name one that only others reach. */
function ownAddress(url: string): string {
  const { pathname } = new URL(url);
  const { protocol, host } = window.location;
  return `${protocol === 'https:' ? 'wss' : 'ws'}://${host}${pathname}`;
}

function problemOf(error: unknown): { title: string; description: string } {
  if (error instanceof MicrophoneError) return MICROPHONE_WORDS[error.problem];
  return { title: 'The talk could not begin', description: describeFailure(error) };
}
