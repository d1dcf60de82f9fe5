import type { Language, SpokenLanguage } from '#lib/engine/languages/language.ts';

type Spelling = Language['spelling'];

/** A path longer than this would be forgotten before it is written down: the host alone is said. */
const LONGEST_PATH = 24;
const LONG_NUMBER = /(?<![\w.,])\+?\d{7,15}(?![\w]|[.,]\d)/g;
const ISO_DATE = /(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)/g;
const RANGE = /(?<=\d)\s?[–—]\s?(?=\d)|(?<=\d:\d\d)\s?-\s?(?=\d)/g;

/** An e-mail address or a link as it is said: "anna dot smith at example dot com", "example dot com slash book". */
export function speakAddress(address: string, spelling: Spelling): string {
  if (address.includes('@')) {
    const [name = '', host = ''] = address.replace(/^mailto:/, '').split('@');
    return `${spell(name, spelling)} ${spelling.at} ${spell(host, spelling)}`;
  }
  const [host = '', ...path] = address
    .replace(/^[a-z]+:\/\/(?:www\.)?|^www\./i, '')
    .replace(/[?#].*$/, '')
    .split('/')
    .filter((part) => part !== '');
  const isSayable =
    path.join('/').length <= LONGEST_PATH && path.every((part) => /^[\p{L}\d_.-]+$/u.test(part));
  return [host, ...(isSayable ? path : [])].map((part) => spell(part, spelling)).join(` ${spelling.slash} `);
}

function spell(part: string, spelling: Spelling): string {
  const marks: Record<string, string> = {
    '.': spelling.dot,
    '-': spelling.dash,
    _: spelling.underscore,
    '+': '+',
  };
  return part.replace(/[._+-]/g, (mark) => ` ${marks[mark] ?? mark} `).trim();
}

/** Long numbers digit by digit in groups, dates of the calendar in words, "9–17" with the word for "to". */
export function speakNumbers(text: string, { code, lines }: SpokenLanguage): string {
  return text
    .replace(LONG_NUMBER, inGroups)
    .replace(ISO_DATE, (date, year: string, month: string, day: string) => {
      const moment = new Date(`${year}-${month}-${day}T00:00:00Z`);
      if (Number.isNaN(moment.getTime())) return date;
      return new Intl.DateTimeFormat(code, { dateStyle: 'long', timeZone: 'UTC' }).format(moment);
    })
    .replace(RANGE, ` ${lines.between.to} `);
}

/** "+15550100001" would be read as a number in the billions. */
function inGroups(number: string): string {
  const digits = number.replace('+', '');
  const groups = digits.match(/\d{1,3}(?=(?:\d{3})*$)/g) ?? [digits];
  const spoken = groups.map((group) => group.replace(/\B/g, ' ')).join(', ');
  return number.startsWith('+') ? `+ ${spoken}` : spoken;
}
