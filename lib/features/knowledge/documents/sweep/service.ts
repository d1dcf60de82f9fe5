import { mintWorkspaceId } from '#lib/auth/mint.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { failDocument } from '../processing/service.ts';
import { deleteLeftovers, documentsWithLeftovers } from '../../content/repository.ts';
import { abandonedDocuments, existingDocumentIds } from '../repository.ts';

const INTERRUPTED =
  'Processing was interrupted because the service stopped. Try again, or upload the file once more.';
/** A file without a document may belong to an upload that is just being recorded; after this it cannot. */
const ORPHAN_AGE_MS = 15 * 60_000;
const LOOKUP_KEYS = 500;

/** Ends what a crashed or stopped process was working on: FAILED with a reason, and no chunk of it left. */
export async function failAbandonedDocuments(
  deps: Pick<Dependencies, 'db' | 'clock' | 'log'>,
  options: { all: boolean },
): Promise<void> {
  for (const document of await abandonedDocuments(deps.db, options.all ? undefined : deps.clock.now())) {
    const failed = await failDocument(deps, mintWorkspaceId(document.workspaceId), {
      id: document.id,
      ...(document.leaseToken === null ? {} : { token: document.leaseToken }),
      reason: INTERRUPTED,
    });
    if (failed) deps.log.info({ event: 'document_swept', documentId: document.id, status: document.status });
  }
}

/** Removes what is left of documents that were deleted, or failed, when a process ended in the middle of it. */
export async function removeLeftovers(deps: Pick<Dependencies, 'db' | 'log'>): Promise<void> {
  const ids = await documentsWithLeftovers(deps.db);
  await deleteLeftovers(deps.db, ids);
  for (const documentId of ids) deps.log.info({ event: 'document_leftovers_removed', documentId });
}

/** Deletes stored files whose document does not exist: left by a crash between storing and recording, or after deleting. */
export async function removeOrphanFiles(
  deps: Pick<Dependencies, 'db' | 'clock' | 'log' | 'storage'>,
): Promise<void> {
  const oldEnough = deps.clock.now().getTime() - ORPHAN_AGE_MS;
  let keys: string[] = [];
  const removeUnknown = async () => {
    const known = await existingDocumentIds(deps.db, keys.map(documentIdOf));
    for (const key of keys.filter((candidate) => !known.has(documentIdOf(candidate)))) {
      await deps.storage.delete(key);
      deps.log.info({ event: 'orphan_file_removed', key });
    }
    keys = [];
  };
  for await (const file of deps.storage.list('documents/')) {
    if (file.modifiedAt.getTime() > oldEnough) continue;
    keys.push(file.key);
    if (keys.length === LOOKUP_KEYS) await removeUnknown();
  }
  await removeUnknown();
}

function documentIdOf(key: string): string {
  return key.split('/')[1] ?? '';
}
