import type { Actor } from '#lib/auth/actor.ts';
import { AppError, isAppError, validationError } from '#lib/errors.ts';
import { recordAudit } from '#lib/features/audit/service.ts';
import { passFaultPoint } from '#lib/fault-points.ts';
import { findBase } from '../bases/repository.ts';
import { MAX_DOCUMENT_BYTES } from '../contract.ts';
import { type DocumentFileType, chunkId, fileTypeOf, locationOf, shownName } from '../rules.ts';
import { readMultipartFile, tooLarge, type UploadedFile } from './multipart.ts';
import { type DocumentProcessing, LEASE_MS, type ProcessingDeps } from './processing/service.ts';
import { chunksBetween, deleteLeftovers, pageOfChunks } from '../content/repository.ts';
import {
  deleteDocumentRow,
  type DocumentRow,
  findDocument,
  insertDocument,
  listDocumentsOfBase,
  moveDocument,
} from './repository.ts';
import { joinExtractedText } from './rules.ts';

type StoredFile = {
  id: string;
  name: string;
  fileType: DocumentFileType;
  storageKey: string;
  sizeBytes: number;
};

type Deps = ProcessingDeps & { processing: DocumentProcessing };

/** Documents of knowledge bases (contract, Document; Document processing). */
export function createDocumentService(deps: Deps) {
  return {
    ...createUploads(deps),
    ...createChanges(deps),
    ...createReads(deps),
    download: downloadWith(deps),
  };
}

function createUploads(deps: Deps) {
  return {
    /**
     * Takes the multipart body of an upload and answers with the document as COMPLETED or FAILED. Throws 400 where the
     * request itself is wrong: no file, an unsupported ending, more than 50 MB.
     */
    async upload(actor: Actor, baseId: string, request: Request) {
      await findBase(deps.db, actor.workspaceId, baseId);
      const stored = await readMultipartFile(request, 'file', {
        receive: (file) => store(deps, actor, file),
        undo: (file) => deps.storage.delete(file.storageKey),
      });
      return uploadView(await recordAndProcess(deps, actor, baseId, stored));
    },

    /** The same without HTTP, for the demo and for tests. */
    async add(
      actor: Actor,
      baseId: string,
      file: { name: string; body: AsyncIterable<Uint8Array> | Uint8Array },
    ) {
      await findBase(deps.db, actor.workspaceId, baseId);
      const body = file.body instanceof Uint8Array ? single(file.body) : file.body;
      return documentView(
        await recordAndProcess(deps, actor, baseId, await store(deps, actor, { name: file.name, body })),
      );
    },
  };
}

/** Streams the file to storage. Nothing is recorded yet: the sweep removes what a crash leaves here. */
async function store(deps: Deps, actor: Actor, file: UploadedFile): Promise<StoredFile> {
  const name = shownName(file.name);
  if (name === '') throw validationError([{ field: 'file', reason: 'needs a filename' }]);
  const fileType = fileTypeOf(name);
  const id = deps.ids.next('doc');
  const storageKey = `documents/${id}/original.${fileType.toLowerCase()}`;
  const { sizeBytes } = await deps.storage
    .put(storageKey, file.body, { maxBytes: MAX_DOCUMENT_BYTES })
    .catch((error: unknown) => {
      throw isAppError(error) && error.code === 'FILE_TOO_LARGE' ? tooLarge() : error;
    });
  passFaultPoint('document.stored');
  return { id, name, fileType, storageKey, sizeBytes };
}

async function recordAndProcess(
  deps: Deps,
  actor: Actor,
  baseId: string,
  file: StoredFile,
): Promise<DocumentRow> {
  const token = deps.ids.secret(12);
  const now = deps.clock.now();
  const document = await deps.db
    .transaction(async (tx) => {
      // Locked against a deletion of the base that would leave the row without one.
      await findBase(tx, actor.workspaceId, baseId);
      const row = await insertDocument(tx, actor.workspaceId, {
        id: file.id,
        knowledgeBaseId: baseId,
        filename: `${file.id}.${file.fileType.toLowerCase()}`,
        originalName: file.name,
        fileType: file.fileType,
        fileSize: file.sizeBytes,
        storageKey: file.storageKey,
        status: 'PENDING',
        leaseToken: token,
        leaseUntil: new Date(now.getTime() + LEASE_MS),
        createdAt: now,
      });
      await recordAudit(tx, deps.clock, actor, {
        action: 'document.uploaded',
        targetId: row.id,
        data: { knowledgeBaseId: baseId, fileType: file.fileType, fileSize: file.sizeBytes },
      });
      return row;
    })
    .catch(async (error: unknown) => {
      await deps.storage.delete(file.storageKey);
      throw error;
    });
  passFaultPoint('document.recorded');
  return deps.processing.process(actor.workspaceId, document, token);
}

function createChanges(deps: Deps) {
  return {
    /**
     * Deletes the document, also while it is processed: the work on it ends and leaves nothing. Nobody sees it any more
     * from the first step on; its file, chunks and vectors follow, by the sweep where this process ends before.
     */
    async remove(actor: Actor, documentId: string): Promise<null> {
      const document = await deps.db.transaction(async (tx) => {
        const row = await findDocument(tx, actor.workspaceId, documentId);
        await deleteDocumentRow(tx, actor.workspaceId, documentId);
        await recordAudit(tx, deps.clock, actor, {
          action: 'document.deleted',
          targetId: documentId,
          data: { knowledgeBaseId: row.knowledgeBaseId },
        });
        return row;
      });
      passFaultPoint('document.deleted');
      deps.processing.abandon(documentId);
      await deps.storage.delete(document.storageKey);
      await deleteLeftovers(deps.db, [documentId]);
      return null;
    },

    /** Processes a FAILED document once more. Throws 400 INVALID_STATE in any other state. */
    async retry(actor: Actor, documentId: string) {
      await findDocument(deps.db, actor.workspaceId, documentId);
      const token = deps.ids.secret(12);
      const change = {
        leaseToken: token,
        leaseUntil: new Date(deps.clock.now().getTime() + LEASE_MS),
        errorMessage: null,
      };
      const pending = await moveDocument(deps.db, actor.workspaceId, {
        id: documentId,
        event: 'retry',
        change,
      });
      if (!pending) throw new AppError('INVALID_STATE', 'Only a document that failed can be processed again');
      return documentView(await deps.processing.process(actor.workspaceId, pending, token));
    },
  };
}

function createReads(deps: Deps) {
  return {
    async list(actor: Actor, baseId: string) {
      await findBase(deps.db, actor.workspaceId, baseId);
      return (await listDocumentsOfBase(deps.db, actor.workspaceId, baseId)).map(documentView);
    },

    async detail(actor: Actor, documentId: string) {
      const document = await findDocument(deps.db, actor.workspaceId, documentId);
      const base = await findBase(deps.db, actor.workspaceId, document.knowledgeBaseId);
      return { ...documentView(document), knowledgeBaseName: base.name, textLength: document.textLength };
    },

    /** Characters `start..start + length` of the extracted text, put together from the chunks. */
    async extractedText(actor: Actor, documentId: string, range: { start: number; length: number }) {
      const document = await findDocument(deps.db, actor.workspaceId, documentId);
      const textLength = document.textLength ?? 0;
      const start = Math.min(range.start, textLength);
      const end = Math.min(start + range.length, textLength);
      const found = await chunksBetween(deps.db, actor.workspaceId, { documentId, start, end });
      return { text: joinExtractedText(found, { start, end }), start, end, textLength };
    },

    async chunks(actor: Actor, documentId: string, page: { page: number; pageSize: number }) {
      const document = await findDocument(deps.db, actor.workspaceId, documentId);
      const totalCount = document.chunkCount ?? 0;
      const visible = document.status === 'COMPLETED';
      const rows = visible
        ? await pageOfChunks(deps.db, actor.workspaceId, {
            documentId,
            limit: page.pageSize,
            offset: (page.page - 1) * page.pageSize,
          })
        : [];
      return {
        chunks: rows.map((row) => ({
          ...row,
          id: chunkId({ documentId, seq: row.seq }),
          location: locationOf(row.source),
        })),
        pageCount: Math.ceil(totalCount / page.pageSize),
        pageIndex: page.page,
        pageSize: page.pageSize,
        totalCount,
      };
    },
  };
}

/** The stored file, to be saved by the browser: never shown in the service's own origin. */
function downloadWith(deps: Deps) {
  return async (actor: Actor, documentId: string): Promise<Response> => {
    const document = await findDocument(deps.db, actor.workspaceId, documentId);
    const stored = await deps.storage.open(document.storageKey);
    if (!stored) throw new AppError('NOT_FOUND', 'The stored file is gone');
    return new Response(stored.body, {
      headers: {
        'content-type': 'application/octet-stream',
        'content-length': String(stored.sizeBytes),
        'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(document.originalName).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)}`,
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, no-store',
      },
    });
  };
}

async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** The answer to an upload: `errorMessage` is there when the document failed (contract, POST …/documents). */
function uploadView(row: DocumentRow) {
  const { errorMessage, ...document } = documentView(row);
  return { ...document, ...(errorMessage === null ? {} : { errorMessage }) };
}

function documentView(row: DocumentRow) {
  return {
    id: row.id,
    knowledgeBaseId: row.knowledgeBaseId,
    filename: row.filename,
    originalName: row.originalName,
    fileType: row.fileType,
    fileSize: row.fileSize,
    status: row.status,
    chunkCount: row.chunkCount,
    errorMessage: row.errorMessage,
    createdAt: row.createdAt.toISOString(),
    processedAt: row.processedAt?.toISOString() ?? null,
    _count: { chunks: row.chunkCount ?? 0 },
  };
}
