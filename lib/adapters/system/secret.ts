import { createHmac, randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';

/** The secret of `AUTH_SECRET`, or one generated once into `dataDir` (mode 600) and read again at later starts. */
export async function loadSecret(configured: string | undefined, dataDir: string): Promise<string> {
  if (configured) return configured;
  const path = `${dataDir}/auth-secret`;
  await mkdir(dataDir, { recursive: true });
  try {
    await writeFile(path, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return (await readFile(path, 'utf8')).trim();
}

/** A key of its own per purpose, so that a signature made for one is worthless for another. */
export function deriveSecret(secret: string, purpose: string): string {
  return createHmac('sha256', secret).update(`callwright:${purpose}`).digest('base64url');
}
