import type { Random } from './random.ts';

type Lines = readonly [string, ...string[]];

/** How somebody talks: one of a few, so that calls of one kind do not sound alike. */
export type Manner = {
  hello: Lines;
  yes: Lines;
  /** Closing words by how the call went for them. */
  pleased: Lines;
  plain: Lines;
  annoyed: Lines;
};

const MANNERS: readonly [Manner, ...Manner[]] = [
  {
    hello: ['Hi there.', 'Oh hello.', 'Hi!'],
    yes: ["Yes, that's right.", 'Yes, perfect.', 'Yes, lovely.'],
    pleased: [
      "That's great, thank you so much. Goodbye!",
      'Wonderful, thanks a lot. Bye!',
      'Perfect, thank you very much. Bye!',
    ],
    plain: ["No, that's all. Thank you, goodbye.", "No, that's everything. Thanks, bye."],
    annoyed: ['Well, that was not very helpful. Goodbye.', "I'm a bit disappointed, to be honest. Bye."],
  },
  {
    hello: ['Hi.', 'Hello there.', 'Hey there.'],
    yes: ['Yes, that works for me.', 'Yes, correct.', 'Yes, please.'],
    pleased: ['Great, thanks. Bye.', 'Perfect, thanks. Bye.', 'Great, that was quick. Thanks, bye.'],
    plain: ["No, that's it. Thanks, bye.", "That's all, thank you. Goodbye."],
    annoyed: ["This isn't helping me. Bye.", 'You are wasting my time. Goodbye.'],
  },
  {
    hello: ['Hello there.', 'Hi, hello there.', 'Hi there.'],
    yes: ["Yes, that's correct, thank you.", 'Yes, that suits me very well.', 'Yes, certainly.'],
    pleased: ['Excellent, thank you. Goodbye.', 'That is wonderful, thank you. Goodbye.'],
    plain: ["That's everything, thank you. Goodbye.", 'No, thank you, that was all. Goodbye.'],
    annoyed: ['I am disappointed, I must say. Goodbye.', 'I expected better than this. Goodbye.'],
  },
];

const NAMES = [
  'Alex Moreau',
  'Dana Novak',
  'Jo Lindgren',
  'Chris Okafor',
  'Pat Sullivan',
  'Noa Weiss',
] as const;

export function pickManner(random: Random): Manner {
  return random.pick(MANNERS);
}

/** The name the call's variables give the person, else one of a few. */
export function nameOf(variables: Record<string, string>, random: Random): string {
  return variables.name?.trim() || random.pick(NAMES);
}

/** Closing words: `mood` above zero is pleased, below zero annoyed. */
export function farewellLine(manner: Manner, random: Random, mood: number): string {
  if (mood > 0) return random.pick(manner.pleased);
  return random.pick(mood < 0 ? manner.annoyed : manner.plain);
}
