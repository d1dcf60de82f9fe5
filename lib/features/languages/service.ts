import type { Database } from '#db/client.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { knownLanguage, languageCode, spokenLanguage } from '#lib/engine/languages/catalog.ts';
import { en } from '#lib/engine/languages/en.ts';
import type { Language, SpokenLanguage } from '#lib/engine/languages/language.ts';
import { LANGUAGE_INSTRUCTIONS, languageSchema, parseLanguage } from '#lib/engine/languages/made-language.ts';
import { describeError } from '#lib/log.ts';
import { findMadeLanguage, keepMadeLanguage } from './repository.ts';

/** After a failure the model is left alone for a while: the next call speaks its fixed lines in English too. */
const AFTER_FAILURE_MS = 10 * 60_000;

/** What agents say in languages beyond those that come with the service: made once by the model, and kept. */
export function createLanguageService(deps: Pick<Dependencies, 'db' | 'clock' | 'log' | 'languageModel'>) {
  const { db, clock, log, languageModel } = deps;
  const making = new Map<string, Promise<Language | undefined>>();

  async function make(code: string): Promise<Language | undefined> {
    if (!languageModel) return undefined;
    const name = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }).of(code);
    if (name === undefined) return undefined;
    const { value } = await languageModel.completeJson({
      instructions: LANGUAGE_INSTRUCTIONS,
      input: `Language: ${name} (${code})\n${JSON.stringify(en)}`,
      schemaName: 'language',
      schema: languageSchema(),
    });
    const lines = parseLanguage(value);
    if (!lines) throw new Error('lines are missing, or have lost their placeholders');
    await keepMadeLanguage(db, {
      code,
      lines,
      model: languageModel.model,
      createdAt: clock.now(),
    });
    return lines;
  }

  /** One request for a language at a time, however many calls want it. */
  function makeOnce(code: string): Promise<Language | undefined> {
    const running = making.get(code);
    if (running) return running;
    const made = make(code).catch((error: unknown) => {
      log.warn({ event: 'language_not_made', language: code, error: describeError(error) });
      return undefined;
    });
    making.set(code, made);
    void made.then((lines) =>
      lines ? making.delete(code) : clock.sleep(AFTER_FAILURE_MS).then(() => making.delete(code)),
    );
    return made;
  }

  return {
    /**
     * What a call in `language` (BCP 47, null = English) says. A language that is not there yet is made, which the call
     * waits for at most `patienceMs`; English meanwhile. Never throws.
     */
    async speak(language: string | null, patienceMs: number): Promise<SpokenLanguage> {
      if (language === null || knownLanguage(language)) return spokenLanguage(language);
      const code = languageCode(language);
      const kept = await findMadeLanguage(db, code);
      const late = new AbortController();
      // One that an older version made may lack lines.
      const lines =
        parseLanguage(kept?.lines) ??
        (await Promise.race([
          makeOnce(code),
          clock.sleep(patienceMs, late.signal).then(
            () => undefined,
            () => undefined,
          ),
        ]));
      late.abort();
      return lines ? { code, lines } : spokenLanguage(null);
    },
  };
}

/** What was made for `language` (BCP 47) before; undefined where it comes with the service or was never made. */
export async function keptLanguage(db: Database, language: string | null): Promise<Language | undefined> {
  if (language === null || knownLanguage(language)) return undefined;
  return (await findMadeLanguage(db, languageCode(language)))?.lines;
}
