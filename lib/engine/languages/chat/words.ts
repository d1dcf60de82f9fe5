/**
 * What a chat says by itself in one language: lines of the agent, and the fixed words of the website widget. Written, not
 * spoken: the lines of calls (language.ts) speak of hearing and telephones.
 */
export type ChatWords = {
  /** With `{persona}` and `{business}`; with `{business}` alone. */
  opening: { named: string; unnamed: string };
  /** The last words where the agent ends the chat without any. */
  farewell: string;
  /** In the widget and the dashboard, where no answer came. */
  failed: string;
  widget: {
    title: string;
    open: string;
    close: string;
    /** Label and placeholder of the field. */
    message: string;
    send: string;
    retry: string;
    again: string;
    end: string;
    writing: string;
    you: string;
    agent: string;
    ended: string;
    offline: string;
    busy: string;
    unavailable: string;
    notice: string;
  };
};
