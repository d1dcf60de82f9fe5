import { readTermBlock } from '#lib/text/postings.ts';
import { termHash } from '#lib/text/terms.ts';
import { inOrder, type Ranked } from './rules.ts';

type Posting = { hash: number; numbers: number[] };

/**
 * Chunks that hold any of the terms, best first. A term weighs `ln(1 + N / chunks with it)`, so rare words decide; the
 * score is the share of the question's whole weight that the chunk holds, 0 to 1. `blocks` come document by document.
 */
export function wordMatches(
  blocks: Iterable<{ documentId: string; postings: Uint8Array }>,
  query: { terms: readonly string[]; chunkCount: number; limit: number },
): Ranked[] {
  const hashes = new Set(query.terms.map(termHash));
  const counts = new Map<number, number>();
  const byDocument = new Map<string, Posting[]>();
  for (const { documentId, postings } of blocks) {
    readTermBlock(postings, hashes, (hash, numbers) => {
      counts.set(hash, (counts.get(hash) ?? 0) + numbers.length);
      const known = byDocument.get(documentId);
      if (known) known.push({ hash, numbers });
      else byDocument.set(documentId, [{ hash, numbers }]);
    });
  }
  const weight = (hash: number) => Math.log(1 + query.chunkCount / (0.5 + (counts.get(hash) ?? 0)));
  const whole = [...hashes].reduce((sum, hash) => sum + weight(hash), 0);
  const best = keepBest(query.limit);
  for (const [documentId, found] of byDocument) {
    const shares = new Float64Array(1 + Math.max(...found.map(({ numbers }) => numbers.at(-1) ?? 0)));
    for (const { hash, numbers } of found) {
      const share = weight(hash) / whole;
      for (const number of numbers) shares[number] = (shares[number] ?? 0) + share;
    }
    shares.forEach((score, seq) => best.offer(documentId, seq, score));
  }
  return best.all();
}

/** The best so many of a long list, without holding all of it. */
function keepBest(limit: number) {
  const better = (a: Ranked, b: Ranked) => b.score - a.score || inOrder(a, b);
  let kept: Ranked[] = [];
  let least = 0;
  const cut = () => {
    kept = kept.toSorted(better).slice(0, limit);
    if (kept.length === limit) least = kept.at(-1)?.score ?? 0;
  };
  return {
    offer(documentId: string, seq: number, score: number): void {
      if (score === 0 || score < least) return;
      kept.push({ documentId, seq, score });
      if (kept.length >= 8 * limit) cut();
    },
    all(): Ranked[] {
      cut();
      return kept;
    },
  };
}
