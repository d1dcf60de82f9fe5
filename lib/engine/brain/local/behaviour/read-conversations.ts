/** What a person says, and what of it is judged. */
export type Turn = {
  says: string;
  /** The reply has to match. */
  accept: RegExp;
  /** Sections whose facts may be spoken; another one's is absurd. */
  sections: readonly string[];
  /** A tool that has to be used. */
  tool: string | undefined;
};

export type Conversation = {
  business: string;
  agent: string;
  variables: Record<string, string>;
  turns: Turn[];
};

/**
 * The conversations of the text files here: below `= business/agent name=value …` a dash begins a conversation, a
 * plus goes on with it: `what is said => pattern of an accepted reply @ sections, of which facts may be spoken ! tool`.
 */
export function readConversations(text: string): Conversation[] {
  const conversations: Conversation[] = [];
  let head = { business: '', agent: '', variables: {} };
  for (const line of text.split('\n')) {
    const heading = line.match(/^= (\w+)\/(\S+(?: desk)?)(.*)$/);
    const turn = line.match(/^\s*([-+]) (.+?) => (.+?)(?: @ (.+?))?(?: ! (\w+))?$/);
    if (heading) {
      const [, business = '', agent = '', values = ''] = heading;
      const variables = Object.fromEntries(
        [...values.matchAll(/(\w+)=(\S+)/g)].map(([, name, value = '']) => [
          name,
          value.replaceAll('_', ' '),
        ]),
      );
      head = { business, agent, variables };
    } else if (turn) {
      const [, mark, says = '', accept = '', sections = '', tool] = turn;
      if (mark === '-') conversations.push({ ...head, turns: [] });
      conversations.at(-1)?.turns.push({
        says,
        accept: new RegExp(accept.replace(/\.\*$/, ''), 'is'),
        sections: sections
          .split(',')
          .map((section) => section.trim())
          .filter((section) => section !== ''),
        tool,
      });
    } else if (line.trim() !== '' && !line.startsWith('#')) throw new Error(`Not a turn: ${line}`);
  }
  return conversations;
}
