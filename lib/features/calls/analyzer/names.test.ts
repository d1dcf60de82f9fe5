import { describe, expect, it } from 'vitest';
import { findingsOf } from './findings.ts';
import { summarize } from './summary.ts';
import { call, type Line } from './testing.ts';

const summaryOf = (lines: Line[], direction: 'INBOUND' | 'OUTBOUND' = 'OUTBOUND') => {
  const analyzed = { ...call(lines), direction };
  return summarize(analyzed, findingsOf(analyzed));
};

describe('names in a summary', () => {
  it.each([
    [
      'Hello, this is Mia from Praxis Dr. Lind. I am calling about your check-up.',
      'Mia from Praxis Dr. Lind called',
    ],
    [
      'Hello, this is Dr. Lind from Alpha Dental. It is about your tooth.',
      'Dr. Lind from Alpha Dental called',
    ],
    [
      'Hi, this is Eva from Ordinace MUDr. Novák. I am calling to remind you of Monday.',
      'Eva from Ordinace MUDr. Novák called',
    ],
    [
      'Hello, this is Jo from St. Mary’s Hospital. I am calling about the results.',
      'Jo from St. Mary’s Hospital called',
    ],
    [
      'Hello, this is Ben from Baker & Co. Lighting. I am calling about the lamp.',
      'Ben from Baker & Co. Lighting called',
    ],
    [
      'Good morning Dra. Gómez, this is Ana from Studio Dott. Rossi. I am calling about tiles.',
      'Ana from Studio Dott. Rossi called Dra. Gómez',
    ],
    [
      'Hello, this is Ana from Alpha. I am calling about the report of Prof. Weiss for Monday.',
      'about the report of Prof. Weiss for Monday',
    ],
  ])('keep their titles: %s', (opening, words) => {
    expect(
      summaryOf([
        ['agent', opening],
        ['human', 'Yes, that would be good to know.'],
      ]),
    ).toContain(words);
  });

  it.each([
    ["I'd like to see Dr. Lind on Friday.", 'wanted to see Dr. Lind on Friday'],
    [
      'I would like to talk to Prof. Dr. Weber about a knee.',
      'wanted to talk to Prof. Dr. Weber about a knee',
    ],
    [
      'I want to visit the shop in Main St. near the park.',
      'wanted to visit the shop in Main St. near the park',
    ],
    ['Could Dra. López tell them about the crown?', 'asked "Could Dra. López tell them about the crown?"'],
    ['We need to order tiles from Rossi S.r.l. again.', 'wanted to order tiles from Rossi S.r.l. again'],
    [
      'I need to bring the papers to Mr. Best by 3 p.m. on Monday.',
      'wanted to bring the papers to Mr. Best by 3 p.m. on Monday',
    ],
  ])('are no end of what somebody said: %s', (said, words) => {
    const summary = summaryOf(
      [
        ['agent', 'Alpha, hello.'],
        ['human', said],
        ['agent', 'One moment.'],
      ],
      'INBOUND',
    );
    expect(summary).toContain(words);
  });
});
