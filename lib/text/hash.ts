/** Where FNV-1a begins. */
export const HASH_START = 0x811c_9dc5;

/** FNV-1a of the UTF-16 units with a final mix (murmur3's), unsigned. */
export function hash32(text: string): number {
  let hash = HASH_START;
  for (let index = 0; index < text.length; index++) hash = hashStep(hash, text.charCodeAt(index));
  return mixed(hash);
}

/** The same for the first `length` of these units, after a text that brought the hash to `start`. */
export function hashOfUnits(units: Uint16Array, length: number, start = HASH_START): number {
  let hash = start;
  for (let index = 0; index < length; index++) hash = hashStep(hash, units[index] ?? 0);
  return mixed(hash);
}

/** The same for a text of these four units, without making it. */
export function hashOfFour(first: number, second: number, third: number, fourth: number): number {
  return mixed(hashStep(hashStep(hashStep(hashStep(HASH_START, first), second), third), fourth));
}

/** FNV-1a's step over one UTF-16 unit, signed. */
export function hashStep(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x0100_0193);
}

function mixed(given: number): number {
  let hash = given;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
