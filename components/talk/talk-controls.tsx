'use client';

import { useEffect, useEffectEvent, useRef, useState, type FormEvent, type RefObject } from 'react';
import { Grid3x3, Mic, MicOff, PhoneOff, SendHorizontal } from 'lucide-react';
import { StatusDot } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Notice } from '#components/ui/empty-state.tsx';
import { Input } from '#components/ui/input.tsx';
import { takeLostFocus } from '#components/ui/lost-focus.ts';
import type { TalkPhase, useTalk } from './use-talk.ts';

type Talk = ReturnType<typeof useTalk>;

const PHASE_WORDS: Record<TalkPhase, { label: string; tone: 'success' | 'warning' | 'neutral' }> = {
  idle: { label: 'Not started', tone: 'neutral' },
  starting: { label: 'Connecting…', tone: 'neutral' },
  talking: { label: 'Talking', tone: 'success' },
  interrupted: { label: 'The connection was lost, trying again…', tone: 'warning' },
  over: { label: 'Ended', tone: 'neutral' },
};

/** What one does during a talk: mute, hang up, type, press keys, and see that one is heard. */
export function TalkControls({ talk, agentName }: { talk: Talk; agentName: string }) {
  const { state } = talk;
  const [hasKeypad, setHasKeypad] = useState(false);
  const words = PHASE_WORDS[state.phase];
  const isTalking = state.phase === 'talking';
  const mute = useRef<HTMLButtonElement>(null);
  const field = useRef<HTMLInputElement>(null);
  // The button that began the talk is gone. On a phone a field with the focus brings the keyboard.
  useEffect(() => takeLostFocus(mute.current ?? field.current), []);
  return (
    <Card
      title={`Talking to ${agentName}`}
      actions={
        <output className="text-sm">
          <StatusDot tone={words.tone} isLive={isTalking}>
            {words.label}
          </StatusDot>
        </output>
      }
    >
      <div className="flex flex-col gap-4">
        <Levels read={talk.levels} hasMicrophone={state.hasMicrophone} isMuted={state.isMuted} />
        <div className="flex flex-wrap gap-2">
          {state.hasMicrophone ? (
            <Button
              ref={mute}
              size="lg"
              aria-pressed={state.isMuted}
              onClick={() => talk.setMuted(!state.isMuted)}
            >
              {state.isMuted ? <MicOff aria-hidden="true" /> : <Mic aria-hidden="true" />}
              {state.isMuted ? 'Unmute' : 'Mute'}
            </Button>
          ) : null}
          <Button size="lg" aria-expanded={hasKeypad} onClick={() => setHasKeypad(!hasKeypad)}>
            <Grid3x3 aria-hidden="true" />
            Keypad
          </Button>
          <Button variant="danger" size="lg" onClick={talk.hangUp}>
            <PhoneOff aria-hidden="true" />
            Hang up
          </Button>
        </div>
        {hasKeypad ? <Keypad isEnabled={isTalking} onPress={talk.press} /> : null}
        {state.hasMicrophone && !state.understandsSpeech ? (
          <div className="short:sr-only">
            <Notice tone="warning">
              The agent hears that you speak, but no words: no transcription is set up. Type what you want to
              say.
            </Notice>
          </div>
        ) : null}
        <TypedTurn field={field} isEnabled={isTalking} onSend={talk.type} />
      </div>
    </Card>
  );
}

type TypedTurnProps = {
  field: RefObject<HTMLInputElement | null>;
  isEnabled: boolean;
  onSend: (text: string) => void;
};

function TypedTurn({ field, isEnabled, onSend }: TypedTurnProps) {
  const [text, setText] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '' || !isEnabled) return;
    onSend(text.trim());
    setText('');
  };
  return (
    <form onSubmit={submit} className="flex gap-2">
      <Input
        ref={field}
        className="flex-1"
        aria-label="Say it in writing"
        placeholder="Say it in writing…"
        maxLength={2_000}
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" disabled={!isEnabled || text.trim() === ''}>
        <SendHorizontal aria-hidden="true" />
        Send
      </Button>
    </form>
  );
}

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'];

function Keypad({ isEnabled, onPress }: { isEnabled: boolean; onPress: (digit: string) => void }) {
  return (
    <fieldset aria-label="Keypad" className="grid w-40 grid-cols-3 gap-1.5">
      {KEYS.map((key) => (
        <Button
          key={key}
          size="lg"
          disabled={!isEnabled}
          className="figures px-0"
          aria-label={key === '*' ? 'Star' : key === '#' ? 'Hash' : key}
          onClick={() => onPress(key)}
        >
          {key}
        </Button>
      ))}
    </fieldset>
  );
}

type LevelsProps = { read: Talk['levels']; hasMicrophone: boolean; isMuted: boolean };

/** Bars that move with both voices. Drawn past React: sixty renderings a second would be for nothing. */
function Levels({ read, hasMicrophone, isMuted }: LevelsProps) {
  const microphone = useRef<HTMLSpanElement>(null);
  const speaker = useRef<HTMLSpanElement>(null);
  const readLatest = useEffectEvent(() => read());
  useEffect(() => {
    let frame = requestAnimationFrame(function draw() {
      const levels = readLatest();
      if (microphone.current) microphone.current.style.transform = `scaleX(${levels.microphone})`;
      if (speaker.current) speaker.current.style.transform = `scaleX(${levels.speaker})`;
      frame = requestAnimationFrame(draw);
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <div
      aria-hidden="true"
      className="grid grid-cols-[auto_1fr] items-center gap-x-3 gap-y-2 text-sm short:hidden"
    >
      {hasMicrophone ? (
        <>
          <span className="text-ink-subtle">You{isMuted ? ' (muted)' : ''}</span>
          <Bar bar={microphone} className="bg-human" />
        </>
      ) : null}
      <span className="text-ink-subtle">Agent</span>
      <Bar bar={speaker} className="bg-agent" />
    </div>
  );
}

function Bar({ bar, className }: { bar: RefObject<HTMLSpanElement | null>; className: string }) {
  return (
    <span className="block h-1.5 overflow-hidden rounded-full bg-line">
      <span
        ref={bar}
        className={`block h-full origin-left rounded-full ${className}`}
        style={{ transform: 'scaleX(0)' }}
      />
    </span>
  );
}
