import { expect, type Page, test } from '@playwright/test';
import type { CallDetail } from '#lib/features/conversations/contract.ts';
import { pathOfDemoCall } from './support/demo-calls.ts';
import { authenticate } from './support/sign-in.ts';
import { visit } from './support/visit.ts';

const rows = (page: Page) => page.getByRole('list', { name: 'Transcript' }).getByRole('listitem');
/** Those of them that are turns and have buttons. */
const turnRows = (page: Page) => rows(page).filter({ has: page.getByRole('button', { name: /^Play from/ }) });
const turnButtons = (page: Page) =>
  page.getByRole('list', { name: 'Transcript' }).getByRole('button', { name: /^Play from/ });

/** A finished call of the demo, with its recording open. */
async function openCall(page: Page): Promise<CallDetail> {
  await authenticate(page);
  const path = await pathOfDemoCall(page, 'APPOINTMENT_BOOKED');
  const answer = await page.request.get(`/api/dashboard/calls/${path.split('/').at(-1)}`, {
    headers: { 'x-workspace-id': 'ws_demo' },
  });
  await visit(page, path);
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  return ((await answer.json()) as { data: CallDetail }).data;
}

const soundAt = (page: Page) =>
  page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.currentTime * 1_000);

/** Where a word of a turn stands on the page. */
function placeOfWord(page: Page, turn: number, word: number) {
  return turnButtons(page)
    .nth(turn)
    .evaluate((button, wanted) => {
      const text = button.closest('[role="listitem"]')?.querySelector('p');
      if (!text) throw new Error('the turn has no text');
      const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
      const node = walker.nextNode();
      const match = [...(node?.textContent ?? '').matchAll(/\S+/g)][wanted];
      if (!node || !match) throw new Error('the turn has too few words');
      const range = document.createRange();
      range.setStart(node, match.index);
      range.setEnd(node, match.index + match[0].length);
      const box = range.getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2, text: match[0] };
    }, word);
}

test('a click on a word plays from it, and the mark goes from word to word with the sound', async ({
  page,
}) => {
  const call = await openCall(page);
  const at = call.turns.findIndex((turn) => (turn.wordStartsMs?.length ?? 0) > 6);
  const turn = call.turns[at];
  const startMs = (turn?.startedMs ?? 0) + (turn?.wordStartsMs?.[4] ?? 0);
  await turnButtons(page).nth(at).scrollIntoViewIfNeeded();
  const word = await placeOfWord(page, at, 4);
  await page.locator('audio').evaluate((audio: HTMLAudioElement) => {
    audio.muted = true;
    // It stays where it is put.
    audio.play = async () => undefined;
  });
  await page.mouse.click(word.x, word.y);
  await expect.poll(() => soundAt(page)).toBeGreaterThanOrEqual(startMs - 20);
  expect(await soundAt(page)).toBeLessThan(startMs + 60);
  await expect(page.locator('[data-spoken]')).toHaveText(word.text);
  await expect(rows(page).filter({ has: page.locator('[data-spoken]') })).toHaveAttribute(
    'aria-current',
    'true',
  );

  await page.locator('audio').evaluate((audio: HTMLAudioElement) => Reflect.deleteProperty(audio, 'play'));
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  const seen = new Set<string>();
  await expect
    .poll(
      async () => {
        const text = await page
          .locator('[data-spoken]')
          .textContent({ timeout: 500 })
          .catch(() => null);
        if (text !== null) seen.add(text);
        return seen.size;
      },
      { intervals: [100], timeout: 15_000 },
    )
    .toBeGreaterThan(4);
});

test('the keyboard goes from turn to turn, plays one, and pauses', async ({ page }) => {
  const call = await openCall(page);
  const buttons = turnButtons(page);
  await expect(page.getByRole('list', { name: 'Transcript' }).locator('button[tabindex="0"]')).toHaveCount(1);
  await buttons.first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(buttons.nth(2)).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(buttons.nth(1)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  await expect(turnRows(page).nth(1)).toHaveAttribute('aria-current', 'true');
  await page.keyboard.press('Space');
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  expect(await soundAt(page)).toBeGreaterThanOrEqual((call.turns[1]?.startedMs ?? 0) - 20);
  await page.keyboard.press('End');
  await expect(buttons.last()).toBeFocused();
  await page.keyboard.press('Home');
  await expect(buttons.first()).toBeFocused();
});

test('a turn far from what is in view reads the same, and is there for the keyboard and the mouse', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 300 });
  const call = await openCall(page);
  const last = call.turns.at(-1);
  // Only turns near the view have buttons.
  await expect.poll(() => turnButtons(page).count()).toBeLessThan(call.turns.length);
  await expect(rows(page).last()).toContainText(last?.text ?? 'no turn');
  await turnButtons(page).first().focus();
  await page.keyboard.press('End');
  await expect(
    rows(page)
      .last()
      .getByRole('button', { name: /^Play from/ }),
  ).toBeFocused();
  await expect(rows(page).last()).toBeInViewport();
  await page.keyboard.press('ArrowUp');
  await expect(page.locator(`[data-turn-seq="${call.turns.at(-2)?.seq}"]`)).toBeFocused();
});
