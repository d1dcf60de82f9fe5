import type { MicrophoneProblem } from './audio.ts';

/** What to do about a microphone that cannot be used. */
export const MICROPHONE_WORDS: Record<MicrophoneProblem, { title: string; description: string }> = {
  refused: {
    title: 'The microphone is not allowed',
    description:
      'Allow it for this page in the address bar of your browser and start again, or type instead of talking.',
  },
  missing: {
    title: 'No microphone was found',
    description: 'Connect one and start again, or type instead of talking.',
  },
  busy: {
    title: 'The microphone is in use',
    description: 'Another program holds it. Close that program and start again, or type instead.',
  },
  insecure: {
    title: 'The browser gives no microphone to this address',
    description:
      'Browsers allow it on https addresses and on localhost only. Open the dashboard there, or type instead.',
  },
  unsupported: {
    title: 'This browser cannot record sound',
    description: 'Use a current Chrome, Edge, Firefox or Safari, or type instead of talking.',
  },
};
