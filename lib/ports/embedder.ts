/** Turns text into vectors. Vectors of different `model`s are never compared. */
export type Embedder = {
  /** Recorded on the collection, e.g. `text-embedding-3-large` or `local-lexical-2`. */
  readonly model: string;
  readonly dimensions: 3072;
  /** One unit-length vector per text, in order. Retries what is worth retrying; throws otherwise. */
  embed(texts: string[], signal?: AbortSignal): Promise<Float32Array[]>;
};

/** The embedders this process can reach. */
export type EmbedderCatalog = {
  /** For new knowledge bases, and what older ones are moved to. */
  readonly current: Embedder;
  /** The one for vectors that were made with `model`; undefined when it cannot be asked any more. */
  of(model: string): Embedder | undefined;
};
