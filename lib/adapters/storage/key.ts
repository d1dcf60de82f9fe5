const KEY_PART = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/;

/** The parts of a key (lib/ports/storage.ts). Throws where one could point outside of what is stored. */
export function partsOfKey(key: string): string[] {
  const parts = key.split('/');
  if (!parts.every((part) => KEY_PART.test(part)))
    throw new Error(`not a storage key: ${JSON.stringify(key)}`);
  return parts;
}
