'use client';

import { useEffect, useRef, useState } from 'react';
import { createWebCall } from '#lib/features/calls/web/contract.ts';
import { callOperation } from '#lib/http/client.ts';
import { describeFailure } from '#components/forms/server-problems.ts';
import { MicrophoneError, openTalkAudio, type TalkAudio } from './audio.ts';
import { startRecognition, type Recognition } from './recognition.ts';
import { connectTalk, type TalkConnection } from './talk-connection.ts';
import { MICROPHONE_WORDS } from './wording.ts';

export type TalkPhase = 'idle' | 'starting' | 'talking' | 'interrupted' | 'over';

export type TalkState = {
  phase: TalkPhase;
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

/** A talk with an agent in this tab, at most one at a time; it ends with the page. */
export function useTalk(workspaceId: string) {
  const [state, setState] = useState<TalkState>(IDLE);
  const running = useRef<Running | undefined>(undefined);
  const change = (changes: Partial<TalkState>) => setState((before) => ({ ...before, ...changes }));

  function stop(changes: Partial<TalkState>): void {
    const { connection, audio, recognition } = running.current ?? {};
    running.current = undefined;
    recognition?.stop();
    connection?.hangUp();
    audio?.close();
    change({ phase: 'over', interim: '', ...changes });
  }

  useEffect(
    () => () => {
      running.current?.recognition?.stop();
      running.current?.connection.hangUp();
      running.current?.audio.close();
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
      const { agentId, outboundPromptId, variables } = request;
      const body = {
        isTest: true,
        ...(outboundPromptId ? { outboundPromptId } : {}),
        ...(variables && Object.keys(variables).length > 0 ? { variables } : {}),
      };
      const { data } = await callOperation(createWebCall, { params: { agentId }, body }, { workspaceId });
      running.current = {
        audio,
        connection: connect(data.webSocketUrl, audio),
        recognition: undefined,
      };
      change({ conversationId: data.conversationId });
      if (request.recognizes !== undefined) recognize(request.recognizes);
    } catch (error) {
      audio?.close();
      running.current = undefined;
      change({ phase: 'idle', problem: problemOf(error) });
    }
  }

  function connect(url: string, audio: TalkAudio): TalkConnection {
    return connectTalk(ownAddress(url), {
      onFrame: (frame) => audio.play(frame),
      onMessage(message) {
        if (message.type === 'ready')
          change({ phase: 'talking', understandsSpeech: message.understandsSpeech });
        if (message.type === 'clear') audio.clear();
        if (message.type === 'interim') change({ interim: message.text });
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
    });
  }

  function recognize(language: string): void {
    const { connection } = running.current ?? {};
    if (!running.current || !connection) return;
    running.current.recognition = startRecognition(language, {
      onInterim: (text) => {
        change({ interim: text });
        connection.send({ type: 'interim', text });
      },
      onWords: (text) => {
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

/** The same path at the address that this page came from: PUBLIC_URL may name one that only others reach. */
function ownAddress(url: string): string {
  const { pathname, search } = new URL(url);
  const { protocol, host } = window.location;
  return `${protocol === 'https:' ? 'wss' : 'ws'}://${host}${pathname}${search}`;
}

function problemOf(error: unknown): { title: string; description: string } {
  if (error instanceof MicrophoneError) return MICROPHONE_WORDS[error.problem];
  return { title: 'The talk could not begin', description: describeFailure(error) };
}
