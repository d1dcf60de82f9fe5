/** Randomness. Ids are opaque to clients; the prefix only helps a person reading a log. */
export type Ids = {
  /** `next('cnv')` gives `cnv_` and 24 URL-safe characters that sort by time of creation. */
  next(prefix: string): string;
  /** Random bytes as base64url, for keys and secrets. */
  secret(sizeBytes: number): string;
};
