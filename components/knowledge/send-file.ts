import { uploadDocument } from '#lib/features/knowledge/contract.ts';
import { ApiError, operationUrl, toApiError } from '#lib/http/client.ts';
import type { OperationResponse } from '#lib/http/operation.ts';

export type UploadedDocument = OperationResponse<typeof uploadDocument>['data'];

/**
 * Uploads one file with XMLHttpRequest, because `fetch` does not tell how much of a body has been sent.
 * `onSent` is called with the fraction sent (0 to 1); after 1 the service is still reading the document.
 */
export function sendFile(given: {
  workspaceId: string;
  knowledgeBaseId: string;
  file: File;
  onSent: (fraction: number) => void;
  signal: AbortSignal;
}): Promise<UploadedDocument> {
  const { workspaceId, knowledgeBaseId, file, onSent, signal } = given;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', operationUrl(uploadDocument, { params: { id: knowledgeBaseId } }));
    request.setRequestHeader('x-workspace-id', workspaceId);
    request.upload.addEventListener('progress', (event) => {
      if (event.lengthComputable) onSent(event.loaded / event.total);
    });
    request.upload.addEventListener('load', () => onSent(1));
    request.addEventListener('load', () => {
      const answer = parseJson(request.responseText);
      const parsed = uploadDocument.response.safeParse(answer);
      if (request.status === 201 && parsed.success) resolve(parsed.data.data);
      else reject(toApiError(request.status, answer));
    });
    request.addEventListener('error', () =>
      reject(new ApiError(0, 'UNREACHABLE', 'The service could not be reached, or refused the file', [])),
    );
    request.addEventListener('abort', () => reject(new ApiError(0, 'CANCELLED', 'Cancelled', [])));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    const form = new FormData();
    form.set('file', file);
    request.send(form);
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
