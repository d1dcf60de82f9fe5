const START = 0x811c_9dc5;

/** FNV-1a of the UTF-16 units with a final mix (murmur3's), unsigned. */
export function hash32(text: string): number {
  let hash = START;
  for (let index = 0; index < text.length; index++) hash = step(hash, text.charCodeAt(index));
  return mixed(hash);
}

/** The same for a text of these four units, without making it. */
export function hashOfFour(first: number, second: number, third: number, fourth: number): number {
  return mixed(step(step(step(step(START, first), second), third), fourth));
}

function step(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x0100_0193);
}

function mixed(given: number): number {
  let hash = given;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
