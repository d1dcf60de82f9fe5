import { type ChunkKey, chunkId } from '../rules.ts';

/** How the vectors of a collection are gone through; docs/knowledge.md has the figures behind the numbers. */
export type SearchPlan = { kind: 'empty' } | { kind: 'exact' } | { kind: 'hamming'; candidates: number };

/**
 * So many chunks are compared exactly, after a pass over the codes where there are more. At 10,000 and 100,000 lexical
 * vectors, the hardest there are, the best eight were always among the first 470 by their codes.
 */
const CANDIDATES = 1_000;

export function choosePlan(vectorCount: number): SearchPlan {
  if (vectorCount === 0) return { kind: 'empty' };
  return vectorCount <= CANDIDATES ? { kind: 'exact' } : { kind: 'hamming', candidates: CANDIDATES };
}

/** Entries of each list that are fused; a chunk beyond both cannot be among the first 50. */
export const LIST_LENGTH = 60;
const FUSION_CONSTANT = 60;

export type Ranked = ChunkKey & { score: number };
export type Fused = ChunkKey & {
  fusedScore: number;
  vector: { rank: number; score: number } | null;
  fullText: { rank: number; score: number } | null;
};

/** Reciprocal rank fusion of the two lists, best first. Equal scores share a rank, so that chance does not decide. */
export function fuse(vector: Ranked[], fullText: Ranked[], limit: number): Fused[] {
  const byId = new Map<string, Fused>();
  const entry = ({ documentId, seq }: ChunkKey): Fused => {
    const id = chunkId({ documentId, seq });
    const known = byId.get(id) ?? { documentId, seq, fusedScore: 0, vector: null, fullText: null };
    byId.set(id, known);
    return known;
  };
  for (const [chunk, place] of ranks(vector)) {
    const found = entry(chunk);
    found.vector = place;
    found.fusedScore += 1 / (FUSION_CONSTANT + place.rank);
  }
  for (const [chunk, place] of ranks(fullText)) {
    const found = entry(chunk);
    found.fullText = place;
    found.fusedScore += 1 / (FUSION_CONSTANT + place.rank);
  }
  const better = (a: Fused, b: Fused) =>
    b.fusedScore - a.fusedScore || (b.vector?.score ?? -1) - (a.vector?.score ?? -1) || inOrder(a, b);
  return [...byId.values()].toSorted(better).slice(0, limit);
}

function ranks(list: Ranked[]): [ChunkKey, { rank: number; score: number }][] {
  const ordered = list.toSorted((a, b) => b.score - a.score);
  let rank = 0;
  return ordered.map((item, index) => {
    if (index === 0 || item.score !== ordered[index - 1]?.score) rank = index + 1;
    return [item, { rank, score: item.score }];
  });
}

/** The order of chunks of equal score. */
export function inOrder(a: ChunkKey, b: ChunkKey): number {
  return a.documentId === b.documentId ? a.seq - b.seq : a.documentId < b.documentId ? -1 : 1;
}
