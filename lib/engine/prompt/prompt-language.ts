/** Words that are frequent in one of the languages; few are words of another. */
const TELLTALE: Record<string, ReadonlySet<string>> = {
  en: new Set(['the', 'you', 'are', 'your', 'and', 'with', 'is', 'to', 'of', 'for', 'callers', 'call']),
  de: new Set([
    'der',
    'das',
    'und',
    'du',
    'bist',
    'sie',
    'ist',
    'mit',
    'für',
    'nicht',
    'ein',
    'eine',
    'den',
    'dem',
    'dein',
    'ihr',
  ]),
  es: new Set(['el', 'los', 'las', 'eres', 'usted', 'con', 'para', 'y', 'una', 'del', 'su', 'llamas', 'por']),
  fr: new Set(['le', 'les', 'vous', 'êtes', 'et', 'pour', 'avec', 'une', 'du', 'est', 'votre', 'vos', 'au']),
  it: new Set(['il', 'gli', 'sei', 'che', 'della', 'sono', 'chiami', 'di', 'è', 'nome', 'clienti']),
  pt: new Set(['você', 'não', 'uma', 'os', 'seu', 'é', 'ao', 'são', 'está', 'clientes', 'em']),
  nl: new Set(['het', 'een', 'bent', 'van', 'voor', 'niet', 'zijn', 'uw', 'klanten', 'jij']),
  pl: new Set(['jesteś', 'się', 'nie', 'jest', 'dla', 'oraz', 'klienta', 'jeśli', 'imię']),
  sv: new Set(['är', 'och', 'att', 'inte', 'som', 'från', 'kunden', 'dig']),
  da: new Set(['af', 'hvad', 'hjælpe', 'også', 'hvis', 'kunden', 'fra', 'ikke']),
  nb: new Set(['av', 'hva', 'hjelpe', 'hvis', 'kunden', 'fra', 'ikke', 'deg']),
  fi: new Set(['olet', 'että', 'ei', 'sinä', 'asiakas', 'jos', 'kun', 'puhelun']),
  tr: new Set(['bir', 've', 'için', 'bu', 'siz', 'ile', 'değil', 'müşteri', 'sen']),
  cs: new Set(['jsi', 'jste', 'není', 'které', 'pokud', 'že', 'nebo', 'zákazník']),
};

/** The code of the agent's `language`, else of the one the prompt is written in: `de`. English where nothing tells. */
export function promptLanguage(language: string | null, promptText: string): string {
  return language?.split('-')[0]?.toLowerCase() ?? guessLanguage(promptText);
}

function guessLanguage(promptText: string): string {
  const words =
    promptText
      .slice(0, 4000)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  const scores = Object.entries(TELLTALE).map(([code, telltale]) => ({
    code,
    hits: words.filter((word) => telltale.has(word)).length,
  }));
  // English comes first, and a tie keeps it.
  const best = scores.reduce((first, second) => (second.hits > first.hits ? second : first));
  return best.hits >= 2 ? best.code : 'en';
}
