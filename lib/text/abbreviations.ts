/**
 * The one place that knows after which words a full stop ends no sentence, in the languages that agents speak. ICU's
 * segmenter knows none of them without data that Node does not ship.
 */

/** What stands before a name: titles, professions, saints. A name follows, so a sentence never ends here. */
const TITLES =
  'Mr|Mrs|Ms|Mx|Messrs|Dr|Drs|Dres|Dra|Prof|Profs|Rev|Fr|Sr|Sra|Sres|Srta|Capt|Lt|Sgt|Maj|Gov|Ste|Sta|Hl|Hr|Hrn|Frl|RA|StB|Dipl|Habil|Rer|Mme|Mmes|Mlle|Mgr|Sig|Sigg|Dott|Avv|Geom|Spett|Exmo|Exma|Adv|Lic|Licda|Ldo|Lda|Dña|Dhr|Mevr|Mw|Ds|Bc|MUDr|MVDr|JUDr|PhDr|RNDr|PharmDr|MDDr|Lek|Inż|Hab|Tandl|Läk|Civ|Cand|Uzm|Doç|Yrd|Öğr|Ecz|Fys|Toim';
/** Titles that are words as well ("my leg. He …"): they count with a capital, or among other abbreviations. */
const WORDLIKE_TITLES =
  'Me|Leg|Vet|Op|Doc|Gen|Hon|Arch|Rep|Med|Dent|Nat|Phil|Ill|Sen|Col|Eng|Mag|Ing|Fil|Fru|Jur|Gent|Av|Sn|Dt|Rag|Sto';
/** What mostly goes on with a number or in small letters. A capital that is no number after them begins a sentence. */
const MEASURES =
  'No|Nos|Nr|núm|nº|num|čp|tel|telef|puh|fig|art|abs|pp|vol|Kap|kl|ext|Bldg|Apt|approx|ca|cca|circa|max|min|incl|excl|inkl|exkl|Mo|Di|Mi|Do|Sa|So|Mon|Tue|Tues|Wed|Thu|Thur|Thurs|Fri|Sat|Sun|Jan|Feb|Mar|Mär|Apr|Jun|Jul|Aug|Sep|Sept|Okt|Oct|Nov|Dez|Dec|Std|Min|Uhr';
/** Small words of a sentence, which goes on after them, and streets, which stand before their name or number. */
const SHORT_WORDS =
  'vs|resp|bzw|evtl|ggf|zzgl|gem|gegr|usw|etc|sog|vgl|ev|eig|zw|bijv|bv|jl|nl|tzn|tj|np|tzv|popř|např|mj|apod|esim|ns|ts|mm|esm|vb|vd|örn|yak|ecc|ej|pl|ul|al|os|nám|Avda|Ctra|Pza|bd|boul|rte|pza|vle|Mz|Cad|Sok|Mah|[\\p{L}]*str|ex|eks|ör|jr|jfr|bl|dvs|mfl|osv';
/** What stands behind a name, or is a saint before one. A sentence ends here where another one clearly begins. */
const SUFFIXES =
  'St|Mt|Ft|Inc|Ltd|Co|Corp|Bros|Jr|Snr|Jnr|Esq|Ave|Rd|Blvd|Ln|Sq|Pl|Ct|Hwy|Dept|Est|PhD|Ph|Mfg|Assn';
const BEGINS_SENTENCE =
  /^["“„«'‘(]*(?:[¿¡]|(?:We|You|The|I|It|They|He|She|This|That|These|Those|There|Here|Our|Your|My|Please|If|When|Where|What|Who|Why|How|Is|Are|Do|Does|Did|Can|Could|Would|Will|Shall|Ask|Say|Be|Never|Always|Note|Take|Thank|Thanks|Yes|No|And|But|So|Or|Then|To|In|On|At|For|From|Wir|Sie|Du|Ihr|Der|Die|Das|Es|Er|Ich|Bitte|Wenn|Unser|Unsere|Und|Le|La|Les|Il|Elle|Nous|Vous|El|Los|Las|Usted|Lo|Gli|Wij|De|Het|My|Vi|Me|Jsme|Biz|Bu|Como)(?![\p{L}\p{M}]))/u;

const oneOf = (words: string) =>
  words
    .split('|')
    .toSorted((one, other) => other.length - one.length)
    .join('|');
const ends = (words: string) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${oneOf(words)})\\.$`, 'iu');
const ENDS = {
  title: ends(TITLES),
  wordlike: ends(WORDLIKE_TITLES),
  measure: ends(MEASURES),
  word: ends(SHORT_WORDS),
  suffix: ends(SUFFIXES),
};
/** "Op." at the beginning or behind a blank, "dent." behind another abbreviation. */
const IS_TITLE = /(?:^|[^\p{L}])\p{Lu}\p{L}*\.$|\.[\s-]*\p{L}+\.$/u;
const ABBREVIATION_FOLLOWS = /^\p{Ll}+\./u;
/** An initial, and abbreviations with stops inside: "J. Smith", "e.g.", "S.r.l.", "s.r.o.". */
const INITIAL = /(?<![\p{L}\p{N}])\p{L}\.$/u;
const CLOCK = /\b[ap]\.\s?m\.$/iu;

/**
 * Whether the full stop at the end of `before` belongs to an abbreviation, so that the sentence goes on with `after`: what
 * follows, blanks included or not, '' where that is not known.
 */
export function endsInAbbreviation(before: string, after = ''): boolean {
  // The longest abbreviation, and enough to see that nothing stands before it.
  const said = before.slice(-24);
  if (!said.endsWith('.')) return false;
  const next = after.trimStart();
  if (ENDS.title.test(said)) return true;
  const isNew = BEGINS_SENTENCE.test(next);
  if (ENDS.wordlike.test(said)) return (IS_TITLE.test(said) && !isNew) || ABBREVIATION_FOLLOWS.test(next);
  if (CLOCK.test(said)) return !isNew;
  if (ENDS.measure.test(said)) return next === '' || !/^["“„«]?\p{Lu}/u.test(next);
  if (ENDS.word.test(said)) return !isNew;
  return (INITIAL.test(said) || ENDS.suffix.test(said)) && !isNew;
}

/** Titles as they are written in patterns of names: "Dr.", "Mme.", "dent.". */
export const TITLE_PATTERN = `(?:${bothCases(`${TITLES}|${WORDLIKE_TITLES}`)}|St|Mt|Ft)`;

/** Legal forms and the like behind a business's name, with their full stop. */
export const SUFFIX_PATTERN = `(?:Inc|Ltd|Co|Corp|Bros|Jr|Sr|[Ss]\\.\\s?r\\.\\s?[lo]|S\\.\\s?A|S\\.\\s?L|S\\.p\\.A|a\\.\\s?s|v\\.o\\.s|e\\.\\s?V|e\\.\\s?K|e\\.U|B\\.V|N\\.V|z\\s?o\\.o|A\\.Ş|Ş[Tt][İi])`;

function bothCases(words: string): string {
  return oneOf(words)
    .split('|')
    .map((word) => {
      const first = word.charAt(0);
      return `[${first.toUpperCase()}${first.toLowerCase()}]${word.slice(1)}`;
    })
    .join('|');
}

/** What `hideAbbreviations` writes in the place of a full stop: a character that no text has. */
export const HIDDEN_STOP = '\uE000';

/**
 * A text whose full stops of abbreviations are hidden from patterns that go up to the next full stop, and what shows them
 * again in what was found.
 */
export function hideAbbreviations(text: string): string {
  return text.replace(/\./g, (stop, at: number) =>
    at + 1 < text.length &&
    endsInAbbreviation(text.slice(Math.max(0, at - 24), at + 1), text.slice(at + 1, at + 24))
      ? HIDDEN_STOP
      : stop,
  );
}

export function showAbbreviations(text: string): string {
  return text.replaceAll(HIDDEN_STOP, '.');
}

/** The last question of a text, from the end of the sentence before: "Is Dr. Lee in?"; undefined where it asks nothing. */
export function lastQuestion(text: string): string | undefined {
  const found = hideAbbreviations(text)
    .match(/[^.!?]+\?/g)
    ?.at(-1);
  return found === undefined ? undefined : showAbbreviations(found).trim();
}
