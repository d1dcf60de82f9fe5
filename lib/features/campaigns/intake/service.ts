import type { Actor } from '#lib/auth/actor.ts';
import { AppError } from '#lib/errors.ts';
import { readMultipartFile, type UploadedFile } from '#lib/features/knowledge/documents/multipart.ts';
import { validationError } from '#lib/errors.ts';
import type { CampaignDetail } from '../contract.ts';
import type { InspectedFile } from '../dashboard/contract.ts';
import { columnName, describeColumns, personOf } from '../file/columns.ts';
import { readTable, type TableRow, UnreadableTable } from '../file/read-table.ts';
import type { ColumnMapping } from '#db/schema/campaigns.ts';
import { makeOnce } from '#lib/features/idempotency/service.ts';
import { assertSameRequest, hashOf, stillAtWork } from '#lib/features/idempotency/rules.ts';
import { findNumberCountry } from '#lib/features/numbers/country/service.ts';
import { type CampaignRow, findByKey, findCampaign } from '../repository.ts';
import { CAMPAIGN_LIMITS } from '../rules.ts';
import {
  addDraft,
  type CampaignsDeps,
  type CampaignsService,
  type NewCampaignInput,
  readCampaign,
} from '../service.ts';

type PeopleInput = NewCampaignInput & {
  people: { number: string; variables?: Record<string, string> | undefined }[];
  start?: boolean | undefined;
  confirmGuesses?: boolean | undefined;
};

export type CampaignIntake = ReturnType<typeof createCampaignIntake>;

/** How people come into a campaign: as JSON with the request that makes it, or as a file in steps. */
export function createCampaignIntake(deps: CampaignsDeps & { campaigns: CampaignsService }) {
  return { ...createRequests(deps), ...createFiles(deps) };
}

function createRequests(deps: CampaignsDeps & { campaigns: CampaignsService }) {
  const { db } = deps;

  /** The campaign of a request, made by it or by an earlier one with its key. */
  async function draftFor(actor: Actor, input: PeopleInput, key: string | undefined): Promise<CampaignRow> {
    if (key === undefined) return addDraft(deps, actor, input);
    const keyed = {
      idempotencyKey: key,
      requestHash: hashOf(input),
    };
    const earlier = await findByKey(db, actor.workspaceId, key);
    if (earlier) {
      assertSameRequest({ requestHash: earlier.requestHash ?? '' }, keyed.requestHash);
      return earlier;
    }
    try {
      return await addDraft(deps, actor, input, { keyed });
    } catch (error) {
      // A parallel request with the key was faster.
      if (await findByKey(db, actor.workspaceId, key)) throw stillAtWork(2);
      throw error;
    }
  }

  return {
    /**
     * Makes a campaign of people, checks them and, where that is asked and anybody can be called, starts it. A repeat with
     * the key goes on where the first request came to an end. Throws what `addDraft` throws, IDEMPOTENCY_KEY_REUSED, and
     * 503 NOT_READY while the first request is at work.
     */
    async create(actor: Actor, input: PeopleInput, idempotencyKey?: string): Promise<CampaignDetail> {
      let campaign = await draftFor(actor, input, idempotencyKey);
      if (campaign.state === 'checking') throw stillAtWork(2);
      if (campaign.state === 'draft') {
        const given = input.people.map(({ number, variables = {} }, index) => ({
          line: index + 1,
          number,
          variables,
        }));
        campaign = await deps.people.check(actor, campaign, given, {
          numberColumn: 'number',
          columnOf: (variable) => `variables.${variable}`,
        });
      }
      if (input.confirmGuesses && campaign.state === 'ready') {
        await deps.campaigns.confirmGuesses(actor, campaign.id);
        campaign = await findCampaign(db, actor.workspaceId, campaign.id);
      }
      return input.start && campaign.state === 'ready' && campaign.callableCount > 0
        ? deps.campaigns.start(actor, campaign.id)
        : readCampaign(deps, actor, campaign.id);
    },
  };
}

function createFiles(deps: CampaignsDeps) {
  return {
    /** Tells what the columns of a file are. Keeps nothing of it. Throws 400 where it is no table of people. */
    async inspect(
      actor: Actor,
      request: Request,
      { from, hasHeader }: { from: string; hasHeader: boolean | undefined },
    ): Promise<InspectedFile> {
      const { rows, delimiter } = await readRows(request);
      const described = describeColumns(rows, {
        country: await findNumberCountry(deps.db, actor.workspaceId, [from]),
        hasHeader,
      });
      return { ...described, delimiter, rowCount: rows.length - (described.hasHeader ? 1 : 0) };
    },

    /** Makes a campaign whose list comes as a file; a repeat with the key gets it too. Throws what `addDraft` and `makeOnce` throw. */
    async draft(
      actor: Actor,
      { columns, ...input }: NewCampaignInput & { columns: ColumnMapping },
      key?: string,
    ): Promise<CampaignDetail> {
      const names = columns.variables.map(({ name }) => name);
      const repeated = names.find((name, index) => names.indexOf(name) !== index);
      if (repeated !== undefined)
        throw validationError([{ field: 'columns', reason: `two of them are the variable ${repeated}` }]);
      const { id } = await makeOnce(
        deps,
        actor,
        { key, operation: 'createCampaignDraft', input: { ...input, columns }, prefix: 'cmp' },
        async (tx, draftId) => {
          await addDraft({ ...deps, db: tx }, actor, input, { columns, id: draftId });
        },
      );
      return readCampaign(deps, actor, id);
    },

    /** Reads and checks the file of a campaign, in place of an earlier one; nothing but its rows is kept. */
    async upload(actor: Actor, campaignId: string, request: Request): Promise<CampaignDetail> {
      const campaign = await findCampaign(deps.db, actor.workspaceId, campaignId);
      const { columns } = campaign;
      if (columns === null)
        throw new AppError('INVALID_STATE', 'The people of this campaign came by the API');
      const { rows } = await readRows(request);
      const [first] = rows;
      const width = first?.cells.length ?? 0;
      const nameOf = (column: number | undefined) =>
        columnName(columns.hasHeader ? first?.cells[column ?? -1] : undefined, column ?? 0);
      const people = (columns.hasHeader ? rows.slice(1) : rows).map((row) => personOf(row, columns, width));
      if (people.length === 0) throw validationError([{ field: 'file', reason: 'has no people' }]);
      await deps.people.check(actor, campaign, people, {
        numberColumn: nameOf(columns.numberColumn),
        columnOf: (variable) => {
          const mapped = columns.variables.find(({ name }) => name === variable);
          return mapped ? nameOf(mapped.column) : variable;
        },
      });
      return readCampaign(deps, actor, campaignId);
    },
  };
}

/** The rows of an uploaded file, all at once: they are bounded, and the file itself is gone afterwards. */
async function readRows(request: Request): Promise<{ rows: TableRow[]; delimiter: string }> {
  const receive = async (file: UploadedFile) => {
    const bytes = await readBounded(file.body);
    const rows: TableRow[] = [];
    const delimiter = await readTable(bytes, (row) => {
      rows.push(row);
      // One more for the names of the columns.
      if (rows.length > CAMPAIGN_LIMITS.people + 1)
        throw new UnreadableTable(
          `has more than ${CAMPAIGN_LIMITS.people.toLocaleString('en-US')} rows; make several campaigns of it`,
        );
    });
    if (rows.length === 0) throw new UnreadableTable('has no rows');
    return { rows, delimiter };
  };
  return readMultipartFile(request, 'file', {
    receive: (file) => receive(file).catch(asValidationError),
    undo: async () => {},
  });
}

async function readBounded(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const part of body) {
    sizeBytes += part.byteLength;
    if (sizeBytes > CAMPAIGN_LIMITS.fileBytes) throw new UnreadableTable('is larger than 16 MB');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function asValidationError(error: unknown): never {
  if (error instanceof UnreadableTable) throw validationError([{ field: 'file', reason: error.message }]);
  throw error;
}
