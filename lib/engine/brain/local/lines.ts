import type { VoiceCard } from '#lib/engine/plan.ts';

type Tone = VoiceCard['tone'];
type LineName = keyof typeof LINES;

/** The local brain's own words, once per tone of voice. `{…}` is filled in by `line`. */
const LINES = {
  anythingElse: {
    calm: 'Is there anything else you would like to know?',
    warm: 'Is there anything else I can do for you?',
    professional: 'Is there anything else I can help you with?',
  },
  howCanIHelp: {
    calm: 'How can I help you?',
    warm: 'What can I do for you today?',
    professional: 'How may I help you?',
  },
  farewell: {
    calm: 'All right. Thank you for your time. Goodbye.',
    warm: 'It was lovely talking to you. Have a wonderful day. Goodbye!',
    professional: 'Thank you for your time. Have a good day. Goodbye.',
  },
  declined: {
    calm: 'That is quite all right. I am sorry for the interruption, and I have noted it. Goodbye.',
    warm: 'I completely understand, and I am sorry to have bothered you. I will make a note of it. Take care, goodbye.',
    professional:
      'I understand. I apologize for the interruption and will note that you are not interested. Goodbye.',
  },
  whichSlot: {
    calm: 'Which day and time would suit you?',
    warm: 'What day and time would suit you best?',
    professional: 'Which day and time would be convenient for you?',
  },
  whichTime: {
    calm: 'What time would suit you on {day}?',
    warm: 'Lovely. What time would suit you on {day}?',
    professional: 'What time would be convenient for you on {day}?',
  },
  whichDay: {
    calm: 'On which day would that be?',
    warm: 'Sure. Which day did you have in mind?',
    professional: 'On which day would that be?',
  },
  confirmSlot: {
    calm: 'So that is {slot}. Is that right?',
    warm: 'Wonderful. So that is {slot}. Is that right?',
    professional: 'Let me confirm: {slot}. Is that correct?',
  },
  booked: {
    calm: 'You are booked for {slot}.',
    warm: 'Perfect, you are booked for {slot}. We look forward to it!',
    professional: 'Thank you. You are booked for {slot}.',
  },
  slotPast: {
    calm: 'I am afraid that is already past. Which other day and time would suit you?',
    warm: 'Oh, that has already passed. Which other day and time would suit you?',
    professional: 'That moment has already passed. Which other day and time would suit you?',
  },
  slotNoted: {
    calm: 'I have noted {slot}, and somebody will confirm it with you.',
    warm: 'I have noted {slot} for you, and somebody will get back to you to confirm it.',
    professional: 'I have noted {slot}. A colleague will contact you to confirm it.',
  },
  callbackNoted: {
    calm: 'Of course. We will call you back {when}.',
    warm: 'Of course, no problem at all. We will call you back {when}.',
    professional: 'Certainly. We will call you back {when}.',
  },
  cannotNoteCallback: {
    calm: 'I understand. Please call us back whenever it suits you.',
    warm: 'Of course. Please call us back whenever it suits you best.',
    professional: 'I understand. You are welcome to call us back at any time.',
  },
  handingOver: {
    calm: 'Of course. One moment, I am connecting you with a colleague.',
    warm: 'Of course! One moment, please, I am connecting you with a colleague.',
    professional: 'Certainly. Please hold, I am connecting you with a colleague.',
  },
  takeMessage: {
    calm: 'I cannot connect you from here, but I can take a message, and somebody will be in touch. What is it about?',
    warm: "I'm sorry, I can't connect you right now. I will gladly take a message, and somebody will be in touch. What is it about?",
    professional:
      'I am unable to connect you at the moment. I can take a message, and somebody will be in touch. What is it about?',
  },
  messageTaken: {
    calm: 'Thank you. I have noted that, and somebody will be in touch with you.',
    warm: 'Thank you, I have passed that on. Somebody will be in touch with you soon.',
    professional: 'Thank you. I have noted your message, and somebody will be in touch.',
  },
  unknown: {
    calm: 'I am sorry, I do not know that.',
    warm: "I'm sorry, I don't know that, I'm afraid.",
    professional: 'I am sorry, I do not have that information.',
  },
  offerCallback: {
    calm: 'Shall somebody call you back about it?',
    warm: 'Would you like somebody to call you back about it?',
    professional: 'Would you like a colleague to call you back about it?',
  },
  offerHuman: {
    calm: 'Shall I connect you with a colleague?',
    warm: 'Would you like me to connect you with a colleague?',
    professional: 'Would you like me to connect you with a colleague?',
  },
  outOfScope: {
    calm: 'I am sorry, I cannot help with that.',
    warm: "I'm sorry, that's not something I can help with.",
    professional: 'I am sorry, that is outside of what I can help with.',
  },
  didNotUnderstand: {
    calm: 'I am sorry, I did not quite understand that. Could you say it another way?',
    warm: "I'm sorry, I didn't quite get that. Could you say it another way?",
    professional: 'I apologize, I did not quite understand. Could you rephrase that, please?',
  },
  fine: {
    calm: 'I am well, thank you.',
    warm: "I'm doing great, thank you for asking!",
    professional: 'I am fine, thank you for asking.',
  },
  takeYourTime: {
    calm: 'Of course, take your time.',
    warm: 'Of course, take your time!',
    professional: 'Certainly, take your time.',
  },
  iAmHere: { calm: 'Yes, I am here.', warm: 'Yes, I am here!', professional: 'Yes, I can hear you.' },
  noProblem: { calm: 'All right.', warm: 'No problem at all.', professional: 'Understood.' },
  welcome: { calm: 'You are welcome.', warm: "You're very welcome!", professional: 'You are welcome.' },
  questions: {
    calm: 'Is there anything you would like to know about it?',
    warm: 'Do you have any questions about it?',
    professional: 'Do you have any questions about it?',
  },
  transferFailed: {
    calm: 'I am sorry, none of my colleagues is available right now. I can take a message instead. What is it about?',
    warm: "I'm so sorry, nobody is free right now. May I take a message for them? What is it about?",
    professional:
      'I apologize, no colleague is available at the moment. I can take a message. What is it about?',
  },
} satisfies Record<string, Record<Tone, string>>;

/** Gives the lines of a tone. */
export function createLines(tone: Tone) {
  return (name: LineName, values: Record<string, string> = {}): string =>
    Object.entries(values).reduce(
      (text, [key, value]) => text.replace(`{${key}}`, () => value),
      LINES[name][tone] as string,
    );
}

export type Lines = ReturnType<typeof createLines>;
