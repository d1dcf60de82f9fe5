/** How the vectors of a collection are gone through; docs/knowledge.md has the figures behind the borders. */
export type SearchPlan = { kind: 'empty' } | { kind: 'exact' } | { kind: 'hamming'; candidates: number };

/**
 * Up to here every vector is compared exactly: short questions against lexical vectors lost 2.5 % of the best eight of
 * 10,000 when a fifth was picked by the bits first.
 */
const EXACT_LIMIT = 10_000;
/** Above, this share, and at least so many, is compared exactly after the pass over the bits. */
const CANDIDATE_SHARE = 0.2;
const LEAST_CANDIDATES = 4_000;
const MOST_CANDIDATES = 8_000;

export function choosePlan(vectorCount: number): SearchPlan {
  if (vectorCount === 0) return { kind: 'empty' };
  if (vectorCount <= EXACT_LIMIT) return { kind: 'exact' };
  const candidates = Math.min(
    MOST_CANDIDATES,
    Math.max(LEAST_CANDIDATES, Math.ceil(vectorCount * CANDIDATE_SHARE)),
  );
  return { kind: 'hamming', candidates };
}

/** Entries of each list that are fused; a chunk beyond both cannot be among the first 50. */
export const LIST_LENGTH = 60;
const FUSION_CONSTANT = 60;

export type Ranked = { chunkId: string; score: number };
export type Fused = {
  chunkId: string;
  fusedScore: number;
  vector: { rank: number; score: number } | null;
  fullText: { rank: number; score: number } | null;
};

/** Reciprocal rank fusion of the two lists, best first. Equal scores share a rank, so that chance does not decide. */
export function fuse(vector: Ranked[], fullText: Ranked[], limit: number): Fused[] {
  const byId = new Map<string, Fused>();
  const entry = (chunkId: string): Fused => {
    const known = byId.get(chunkId) ?? { chunkId, fusedScore: 0, vector: null, fullText: null };
    byId.set(chunkId, known);
    return known;
  };
  for (const [chunkId, place] of ranks(vector)) {
    const found = entry(chunkId);
    found.vector = place;
    found.fusedScore += 1 / (FUSION_CONSTANT + place.rank);
  }
  for (const [chunkId, place] of ranks(fullText)) {
    const found = entry(chunkId);
    found.fullText = place;
    found.fusedScore += 1 / (FUSION_CONSTANT + place.rank);
  }
  const better = (a: Fused, b: Fused) =>
    b.fusedScore - a.fusedScore ||
    (b.vector?.score ?? -1) - (a.vector?.score ?? -1) ||
    a.chunkId.localeCompare(b.chunkId);
  return [...byId.values()].toSorted(better).slice(0, limit);
}

function ranks(list: Ranked[]): [string, { rank: number; score: number }][] {
  const ordered = list.toSorted((a, b) => b.score - a.score);
  let rank = 0;
  return ordered.map((item, index) => {
    if (index === 0 || item.score !== ordered[index - 1]?.score) rank = index + 1;
    return [item.chunkId, { rank, score: item.score }];
  });
}
