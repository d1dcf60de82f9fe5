export type StoredObject = { key: string; sizeBytes: number; modifiedAt: Date };

/** Documents and recordings. Keys are slash-separated, made by the service, never from user input. */
export type ObjectStorage = {
  /**
   * Streams `body` to `key`, replacing what was there; nothing is visible under the key until the whole body
   * arrived. Throws `AppError('FILE_TOO_LARGE')` once more than `maxBytes` came, leaving nothing behind.
   */
  put(
    key: string,
    body: AsyncIterable<Uint8Array> | Uint8Array,
    options?: { maxBytes?: number; signal?: AbortSignal },
  ): Promise<{ sizeBytes: number }>;
  /** Opens for reading, optionally the bytes `start..end` (both inclusive); undefined where nothing is stored. */
  open(
    key: string,
    range?: { start: number; end: number },
  ): Promise<{ body: ReadableStream<Uint8Array>; sizeBytes: number } | undefined>;
  /** Size and time without opening; undefined where nothing is stored. */
  stat(key: string): Promise<StoredObject | undefined>;
  /** Removes the object; a missing one is not an error. */
  delete(key: string): Promise<void>;
  list(prefix: string): AsyncIterable<StoredObject>;
  /** Throws when the store cannot be reached. */
  ready(): Promise<void>;
};
