/** Words of the agent that may come back as an echo. */
const WORDS_KEPT = 80;
/** Fewer words may well be the person's own: "next Tuesday" answers "next Tuesday?". */
const FEWEST_WORDS = 3;
/** How much quieter than usual a person may be: the echo of the agent is quieter still. */
const QUIETER_OVER_AGENT_DB = 14;
const QUIETER_DB = 24;
/** While nobody knows how loud the person is; the network of a telephone damps an echo to below that. */
const UNKNOWN_OVER_AGENT_DB = -40;
const UNKNOWN_DB = -60;

export type EchoGuard = {
  agentSaid(text: string): void;
  agentSpeaking(isSpeaking: boolean): void;
  isAgentSpeaking(): boolean;
  /** How loud a sound has to be to count as the person's speech now, in dB below full scale. */
  leastDb(): number;
  /** These words were the person's, this loud. */
  learn(levelDb: number): void;
  /** True where these words are the agent's own. */
  isEcho(text: string): boolean;
};

/** Tells the person from the agent's echo, and from people in the background, by loudness and by words. */
export function createEchoGuard(): EchoGuard {
  let isSpeaking = false;
  let personDb: number | undefined;
  let said: string[] = [];
  return {
    agentSaid(text) {
      said = [...said, ...wordsOf(text)].slice(-WORDS_KEPT);
    },
    agentSpeaking(next) {
      isSpeaking = next;
    },
    isAgentSpeaking: () => isSpeaking,
    leastDb() {
      if (personDb === undefined) return isSpeaking ? UNKNOWN_OVER_AGENT_DB : UNKNOWN_DB;
      return personDb - (isSpeaking ? QUIETER_OVER_AGENT_DB : QUIETER_DB);
    },
    learn(levelDb) {
      personDb = personDb === undefined ? levelDb : personDb * 0.7 + levelDb * 0.3;
    },
    isEcho(text) {
      const words = wordsOf(text);
      return words.length >= FEWEST_WORDS && ` ${said.join(' ')} `.includes(` ${words.join(' ')} `);
    },
  };
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
