import type { Actor, WorkspaceId } from '#lib/auth/actor.ts';
import type { KnowledgeHit } from '#lib/engine/plan.ts';
import { describeError } from '#lib/log.ts';
import type { EmbedderCatalog } from '#lib/ports/embedder.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { LEXICAL_MODEL } from '#lib/text/lexical-vector.ts';
import { matchedWords, queryTerms, termHash } from '#lib/text/terms.ts';
import { assertAgent } from '#lib/features/agents/repository.ts';
import { findBase } from '../bases/repository.ts';
import { chunkId, locationOf } from '../rules.ts';
import {
  blocksWithTerms,
  chunkDetails,
  type Collection,
  collectionOfBase,
  collectionsOfAgent,
  firstChunks,
  nearestChunks,
  similarities,
} from './repository.ts';
import { choosePlan, fuse, LIST_LENGTH, type Fused, type Ranked } from './rules.ts';
import { wordMatches } from './word-matches.ts';
import { spokenText } from './spoken-text.ts';

/** The most terms of a question that are looked up; the longest come first, they say most. */
const MAX_TERMS = 24;
const HITS_FOR_A_CALL = 8;

export type SearchQuery = {
  agentId?: string | undefined;
  knowledgeBaseId?: string | undefined;
  query: string;
  limit: number;
};

/**
 * One search for the agent's tool and the dashboard: only the knowledge bases of the agent (or the one named), only of
 * the actor's workspace, only completed documents.
 */
export function createKnowledgeSearch(
  deps: Pick<Dependencies, 'db' | 'log'> & { embedders: EmbedderCatalog },
) {
  async function search(actor: Actor, query: SearchQuery) {
    const startedAt = performance.now();
    const scope = await collectionsFor(actor.workspaceId, query);
    const searchedChunks = scope.reduce((total, collection) => total + collection.chunkCount, 0);
    const found = await rank(actor.workspaceId, scope, query);
    const details = new Map(
      (await chunkDetails(deps.db, actor.workspaceId, found.fused)).map((row) => [chunkId(row), row]),
    );
    const hits = found.fused.flatMap((hit) => {
      const id = chunkId(hit);
      const chunk = details.get(id);
      if (!chunk) return []; // deleted between the two queries
      const why = {
        vector: hit.vector,
        fullText: hit.fullText,
        fusedScore: hit.fusedScore,
        matchedWords: matchedWords(chunk.text, found.terms),
      };
      return [
        {
          ...chunk,
          chunkId: id,
          score: found.scores.get(id) ?? 0,
          location: locationOf(chunk.source),
          why,
        },
      ];
    });
    return {
      hits,
      searchedChunks,
      durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
      plan: found.plan,
    };
  }

  async function collectionsFor(workspaceId: WorkspaceId, query: SearchQuery): Promise<Collection[]> {
    if (query.agentId !== undefined) {
      await assertAgent(deps.db, workspaceId, query.agentId);
      return collectionsOfAgent(deps.db, workspaceId, query.agentId);
    }
    const base = await findBase(deps.db, workspaceId, query.knowledgeBaseId ?? '');
    return collectionOfBase(deps.db, workspaceId, base.id);
  }

  async function rank(workspaceId: WorkspaceId, scope: Collection[], query: SearchQuery) {
    const filled = scope.filter((collection) => collection.chunkCount > 0);
    const baseIds = filled.map((collection) => collection.id);
    const terms = queryTerms(query.query)
      .toSorted((a, b) => b.length - a.length)
      .slice(0, MAX_TERMS);
    const scores = new Map<string, number>();
    if (filled.length === 0) return { fused: [], scores, terms, plan: 'empty' as const };

    const chunkCount = filled.reduce((total, collection) => total + collection.chunkCount, 0);
    const blocks = await blocksWithTerms(deps.db, workspaceId, { baseIds, hashes: terms.map(termHash) });
    const words = wordMatches(blocks, { terms, chunkCount, limit: LIST_LENGTH });
    const byVector: Ranked[] = [];
    let plan: 'exact' | 'hamming' = 'exact';
    for (const [model, collections] of Map.groupBy(filled, (collection) => collection.model)) {
      const vector = await queryVector(model, query.query);
      if (!vector) continue;
      const chosen = choosePlan(collections.reduce((total, collection) => total + collection.chunkCount, 0));
      if (chosen.kind === 'hamming') plan = 'hamming';
      const ids = collections.map((collection) => collection.id);
      const nearest = await nearestChunks(deps.db, workspaceId, {
        baseIds: ids,
        model,
        vector,
        plan: chosen,
        limit: LIST_LENGTH,
      });
      byVector.push(...nearest);
      const known = new Set(nearest.map(chunkId));
      const rest = words.filter((hit) => !known.has(chunkId(hit)));
      for (const hit of await similarities(deps.db, workspaceId, { chunks: rest, model, vector }))
        scores.set(chunkId(hit), hit.score);
    }
    for (const hit of byVector) scores.set(chunkId(hit), hit.score);
    const fused = await filledUp(
      workspaceId,
      baseIds,
      fuse(byVector, words, query.limit),
      Math.min(query.limit, chunkCount),
    );
    return { fused, scores, terms, plan };
  }

  /** Where vectors cannot be asked, fewer chunks may have matched than are wanted. */
  async function filledUp(
    workspaceId: WorkspaceId,
    baseIds: string[],
    fused: Fused[],
    wanted: number,
  ): Promise<Fused[]> {
    if (fused.length >= wanted) return fused;
    const known = new Set(fused.map(chunkId));
    const others = (await firstChunks(deps.db, workspaceId, { baseIds, limit: wanted })).filter(
      (chunk) => !known.has(chunkId(chunk)),
    );
    return [
      ...fused,
      ...others.map((chunk) => ({ ...chunk, fusedScore: 0, vector: null, fullText: null })),
    ].slice(0, wanted);
  }

  /** The question's vector in the collection's model; undefined when its server cannot be asked: words still answer. */
  async function queryVector(model: string, query: string): Promise<Float32Array | undefined> {
    try {
      const [vector] = (await deps.embedders.of(model)?.embed([query])) ?? [];
      return vector;
    } catch (error) {
      deps.log.warn({ event: 'query_not_embedded', model, error: describeError(error) });
      return undefined;
    }
  }

  return {
    search,

    /**
     * What the agent's tool gets on a call, best first; whether it answers the question is for the agent to judge. The
     * score is the cosine, or with lexical vectors the share of the question's telling words that the chunk holds.
     */
    async searchForCall(actor: Actor, agentId: string, query: string): Promise<KnowledgeHit[]> {
      const { hits } = await search(actor, { agentId, query, limit: HITS_FOR_A_CALL });
      const onlyWords = deps.embedders.current.model === LEXICAL_MODEL;
      return hits.map((hit) => ({
        text: spokenText(hit.fileType, hit.text, hit.source),
        score: onlyWords ? (hit.why.fullText?.score ?? 0) : hit.score,
        documentName: hit.documentName,
        location: hit.location,
      }));
    },
  };
}
