import type { ServerResponse } from 'node:http';
import { startEndpoint } from './testing.ts';

export type SpeechRequest = { model: string; voice: string; input: string; response_format: string };
export type SpeechAnswer = (request: SpeechRequest, response: ServerResponse) => void;

export const startSpeechServer = (answer: SpeechAnswer = speakAtOnce) =>
  startEndpoint<SpeechRequest>('/audio/speech', answer);

/** 50 ms of a tone per character, 24 kHz: low for one voice, high for the others. */
export function speakAtOnce({ input, voice }: SpeechRequest, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'audio/pcm' });
  response.end(toneBytes(input.length * 50, { hz: voice === 'alloy' ? 400 : 800, rateHz: 24_000 }));
}

export function toneBytes(ms: number, { hz, rateHz }: { hz: number; rateHz: number }): Buffer {
  const bytes = Buffer.alloc(Math.round((ms * rateHz) / 1_000) * 2);
  for (let index = 0; index < bytes.length / 2; index += 1)
    bytes.writeInt16LE(Math.round(8_000 * Math.sin((2 * Math.PI * hz * index) / rateHz)), index * 2);
  return bytes;
}

/** The header of a mono WAV file of 16 bits whose length is not known yet. */
export function wavHead(rateHz: number): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(0xffff_ffff, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rateHz, 24);
  head.writeUInt32LE(rateHz * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(0xffff_ffff, 40);
  return head;
}
