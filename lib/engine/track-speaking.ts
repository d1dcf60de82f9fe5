import type { SpokenLeg } from '#lib/ports/carrier.ts';
import type { CallClock } from '#lib/ports/clock.ts';

/** So long after its last word the agent may still come back from the far end. */
const ECHO_MS = 300;

/** Tells when the agent becomes audible, and when nothing is left that it was going to say and its echo is over. */
export function trackSpeaking(clock: CallClock, onChange: (isSpeaking: boolean) => void) {
  let unfinished = 0;
  let isSpeaking = false;
  const set = (next: boolean) => {
    if (next === isSpeaking) return;
    isSpeaking = next;
    onChange(next);
  };
  return {
    follow({ started, finished }: ReturnType<SpokenLeg['speak']>) {
      unfinished += 1;
      let isOver = false;
      const over = async () => {
        isOver = true;
        await clock.sleep(ECHO_MS);
        unfinished -= 1;
        if (unfinished === 0) set(false);
      };
      void started.then((atMs) => {
        if (atMs !== undefined && !isOver) set(true);
      });
      finished.then(over, over).catch(() => undefined);
    },
  };
}
