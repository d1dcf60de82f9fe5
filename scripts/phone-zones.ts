import { writeFile } from 'node:fs/promises';
import { argv, stdin } from 'node:process';
import { text } from 'node:stream/consumers';

/*
 * Renews lib/calling-hours/zones-by-prefix.json from the data of google/libphonenumber (Apache-2.0):
 *   node scripts/phone-zones.ts VERSION < resources/timezones/map_data.txt
 */
const TARGET = new URL('../lib/calling-hours/zones-by-prefix.json', import.meta.url);
const entries = (await text(stdin))
  .split('\n')
  .map((line) => line.trim())
  .filter((line) => /^\d+\|/.test(line))
  .map((line) => line.split('|') as [prefix: string, zones: string]);
const all = new Map(entries);

/** What a shorter prefix says already, needs no entry. */
function isSaid(prefix: string, zones: string): boolean {
  for (let length = prefix.length - 1; length > 0; length -= 1) {
    const shorter = all.get(prefix.slice(0, length));
    if (shorter !== undefined) return shorter === zones;
  }
  return false;
}

const kept = entries.filter(([prefix, zones]) => !isSaid(prefix, zones));
const sets = [...new Set(kept.map(([, zones]) => zones))];
const prefixes = Object.fromEntries(kept.map(([prefix, zones]) => [prefix, sets.indexOf(zones)]));
const file = {
  source: `google/libphonenumber ${argv[2] ?? ''}, resources/timezones/map_data.txt, Apache-2.0`,
  sets: sets.map((zones) => zones.split('&')),
  prefixes,
};
await writeFile(TARGET, `${JSON.stringify(file)}\n`);
