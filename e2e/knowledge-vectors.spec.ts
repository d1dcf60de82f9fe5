import { rm } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import {
  type EmbeddingRequest,
  refuse,
  sendVectors,
  startEmbeddingServer,
} from '../lib/adapters/models/openai/testing.ts';
import { expectAccessible } from './support/accessibility.ts';
import { PORTS } from './support/ports.ts';
import { startService } from './support/service.ts';
import { demoSecrets, signInAs } from './support/sign-in.ts';
import { reload } from './support/visit.ts';

const port = PORTS.vectors;
const dataDir = 'node_modules/.cache/callwright/e2e-vectors';
/** Two rounds of the renewal, so that the progress has a middle. */
const ROOMS = 300;

// Each section is long enough to be a chunk of its own.
const handbook = Array.from(
  { length: ROOMS },
  (_, room) => `# Room ${room}\n\n${`Room ${room} is cleaned by the night shift. `.repeat(16)}\n\n`,
).join('');
const roomsIn = (request: EmbeddingRequest) =>
  request.input.filter((text) => text.includes('night shift')).length;

test.use({ baseURL: `http://localhost:${port}` });

test(
  'vectors are renewed after a model server was set up: a failure with its reason, the progress, the end',
  {
    tag: '@nightly',
  },
  async ({ page }) => {
    test.setTimeout(240_000);
    await rm(dataDir, { recursive: true, force: true });
    let service = await startService({ port, dataDir });
    const models = await startEmbeddingServer((_, response) => refuse(response, 401));
    try {
      await signInAs(page, await demoSecrets(dataDir), '/knowledge');
      await page.getByRole('button', { name: 'New knowledge base' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill('Rooms');
      await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click();
      await expect(page.getByText('Search matches words, not meaning')).toBeVisible();
      await page
        .getByLabel('Files to upload')
        .setInputFiles({ name: 'rooms.md', mimeType: 'text/markdown', buffer: Buffer.from(handbook) });
      await expect(page.getByRole('list', { name: 'Uploads' })).toContainText(`${ROOMS} chunks indexed`);

      await service.stop();
      service = await startService({ port, dataDir, env: { OPENAI_BASE_URL: models.baseUrl } });
      await reload(page);
      const failure = page.getByRole('alert').filter({ hasText: 'The vectors could not be renewed' });
      await expect(failure).toContainText('The embedding server refused the API key.');
      await expect(failure).toContainText(
        `0 of ${ROOMS} chunks done. Meanwhile the vectors of local-lexical-2`,
      );
      await expectAccessible(page);

      // The first round is answered, the second waits until this test has looked.
      const held: (() => void)[] = [];
      let sent = 0;
      models.answer = (request, response) => {
        sent += roomsIn(request);
        if (sent <= 256) sendVectors(request, response, 3072);
        else held.push(() => sendVectors(request, response, 3072));
      };
      await failure.getByRole('button', { name: 'Try again' }).click();
      const progress = page.getByRole('progressbar', { name: 'Chunks embedded anew' });
      await expect(progress).toHaveAttribute('aria-valuenow', '256', { timeout: 60_000 });
      await expect(page.getByText(`256 of ${ROOMS} chunks. Until it is done`)).toBeVisible();
      await expectAccessible(page);

      const before = models.asked.length;
      await page.getByRole('searchbox', { name: 'Question' }).fill('Who cleans room 217?');
      await page.getByRole('button', { name: 'Search', exact: true }).click();
      await expect(page.getByRole('listitem').filter({ hasText: 'Similarity' }).first()).toContainText(
        'Room 217',
      );
      expect(models.asked.length, 'the old vectors answer without the model server').toBe(before);

      models.answer = (request, response) => sendVectors(request, response, 3072);
      for (const release of held) release();
      await expect(page.getByText('Search understands meaning, with the vectors of')).toBeVisible();
      await expect(progress).toHaveCount(0);
      await reload(page);
      await expect(page.getByText('text-embedding-3-large', { exact: true })).toBeVisible();
      await expectAccessible(page);
    } finally {
      await service.stop();
      await models.close();
    }
  },
);
