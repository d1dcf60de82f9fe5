import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { z } from 'zod';

/** The backup's own identity, sealed for the operator's passphrase or public key; its other files are for that identity. */
const KEY = 'key.age';

type Body = AsyncIterable<Uint8Array>;

/** What is between the files of a backup and what is in them. */
export type BackupSeal = { close(body: Body): Body; open(body: Body): Body };

/** For a folder of the operator's own. */
export const unsealed: BackupSeal = { close: (body) => body, open: (body) => body };

const schema = z
  .object({
    BACKUP_PASSPHRASE: z.string().min(12, 'must be at least 12 characters').optional(),
    BACKUP_RECIPIENT: z
      .string()
      .regex(/^age1[a-z0-9]+$/, 'must be a public key of age, which begins with age1')
      .optional(),
    BACKUP_IDENTITY: z.string().optional(),
  })
  .refine(
    ({ BACKUP_PASSPHRASE, BACKUP_RECIPIENT }) => !BACKUP_PASSPHRASE || !BACKUP_RECIPIENT,
    'BACKUP_PASSPHRASE and BACKUP_RECIPIENT are not given together',
  );

export type SealSettings = {
  passphrase: string | undefined;
  /** A public key of age. */
  recipient: string | undefined;
  /** A file with the private keys of age that open what was sealed for their public ones. */
  identityFile: string | undefined;
};

/** Reads the variables of the commands (docs/configuration.md). Throws an Error that names the wrong ones. */
export function readSealSettings(source: Record<string, string | undefined>): SealSettings {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const result = schema.safeParse(given);
  if (!result.success)
    throw new Error(result.error.issues.map(({ path, message }) => [...path, message].join(': ')).join('\n'));
  const { BACKUP_PASSPHRASE, BACKUP_RECIPIENT, BACKUP_IDENTITY } = result.data;
  return { passphrase: BACKUP_PASSPHRASE, recipient: BACKUP_RECIPIENT, identityFile: BACKUP_IDENTITY };
}

/** Begins a backup: one with a passphrase or a recipient gets a key of its own, which only they open. */
export async function makeSeal(folder: string, { passphrase, recipient }: SealSettings): Promise<BackupSeal> {
  const forOperator = new Encrypter();
  if (passphrase !== undefined) forOperator.setPassphrase(passphrase);
  else if (recipient !== undefined) named('BACKUP_RECIPIENT', () => forOperator.addRecipient(recipient));
  else return unsealed;
  const identity = await generateX25519Identity();
  await writeFile(join(folder, KEY), await forOperator.encrypt(identity), { mode: 0o600 });
  return sealFor(identity);
}

/** Throws an Error that says what is needed where a backup is sealed and none of the settings opens it. */
export async function openSeal(folder: string, settings: SealSettings): Promise<BackupSeal> {
  const path = join(folder, KEY);
  if (!existsSync(path)) return unsealed;
  const own = new Decrypter();
  if (settings.passphrase !== undefined) own.addPassphrase(settings.passphrase);
  if (settings.identityFile !== undefined)
    for (const identity of await readIdentities(settings.identityFile))
      named('BACKUP_IDENTITY', () => own.addIdentity(identity));
  else if (settings.passphrase === undefined)
    throw new Error(
      `${folder} is sealed: set BACKUP_PASSPHRASE to its passphrase, or BACKUP_IDENTITY to the file of the private key`,
    );
  const identity = await own.decrypt(await readFile(path), 'text').catch((error: unknown) => {
    throw new Error(
      `${folder} was sealed with another passphrase or for another key than BACKUP_PASSPHRASE and BACKUP_IDENTITY give, or its ${KEY} is damaged`,
      { cause: error },
    );
  });
  return sealFor(identity);
}

/** The library tells of a mistyped key in words of its encoding. */
function named(variable: string, take: () => void): void {
  try {
    take();
  } catch (error) {
    throw new Error(`${variable} is no key of age, or was mistyped`, { cause: error });
  }
}

async function readIdentities(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Error(`BACKUP_IDENTITY: ${path} cannot be read`, { cause: error });
  });
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const identities = lines.filter((line) => line.startsWith('AGE-SECRET-KEY-'));
  if (identities.length === 0) throw new Error(`BACKUP_IDENTITY: ${path} holds no private key of age`);
  return identities;
}

async function sealFor(identity: string): Promise<BackupSeal> {
  const recipient = await identityToRecipient(identity);
  return {
    async *close(body) {
      const encrypter = new Encrypter();
      encrypter.addRecipient(recipient);
      yield* await encrypter.encrypt(webStream(body));
    },
    async *open(body) {
      const decrypter = new Decrypter();
      decrypter.addIdentity(identity);
      yield* await decrypter.decrypt(webStream(body));
    },
  };
}

function webStream(body: Body): ReadableStream<Uint8Array> {
  return Readable.toWeb(Readable.from(body, { objectMode: false })) as ReadableStream<Uint8Array>;
}
