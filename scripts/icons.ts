import { readFile, writeFile } from 'node:fs/promises';
import { chromium, type Page } from '@playwright/test';
import { systemBrowser } from './browser.ts';

/**
 * Draws every icon that a browser asks for out of `public/icon.svg`: `node scripts/icons.ts`, once the drawing has
 * changed. The browser that runs the tests draws them, so no other program is needed.
 */
const SOURCE = 'public/icon.svg';

/** The parts of 100 that the mark fills. Phones cut a maskable icon to a circle of 80. */
const ICONS = [
  { file: 'icon-192.png', size: 192, fills: 100, ground: 'transparent' },
  { file: 'icon-512.png', size: 512, fills: 100, ground: 'transparent' },
  { file: 'icon-maskable-512.png', size: 512, fills: 58, ground: '#ffffff' },
  { file: 'apple-touch-icon.png', size: 180, fills: 76, ground: '#ffffff' },
];
const FAVICON_SIZES = [16, 32, 48];

type Drawing = { size: number; fills: number; ground: string };

async function draw(page: Page, svg: string, { size, fills, ground }: Drawing): Promise<Buffer> {
  await page.setViewportSize({ width: size, height: size });
  const address = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
  await page.setContent(
    `<body style="margin:0;height:100vh;display:grid;place-items:center;background:${ground}">
      <img src="${address}" style="width:${fills}%;height:${fills}%">`,
  );
  return page.screenshot({ omitBackground: true });
}

/** An `.ico` of PNG images: a head of 6 bytes, 16 for each image, then the images. */
function ico(images: readonly { size: number; png: Buffer }[]): Buffer {
  const head = Buffer.alloc(6);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(images.length, 4);
  let offset = 6 + 16 * images.length;
  const entries = images.map(({ size, png }) => {
    const entry = Buffer.alloc(16);
    entry.writeUInt8(size, 0);
    entry.writeUInt8(size, 1);
    entry.writeUInt16LE(1, 4);
    entry.writeUInt16LE(32, 6);
    entry.writeUInt32LE(png.length, 8);
    entry.writeUInt32LE(offset, 12);
    offset += png.length;
    return entry;
  });
  return Buffer.concat([head, ...entries, ...images.map(({ png }) => png)]);
}

const executablePath = systemBrowser();
const browser = await chromium.launch({
  ...(executablePath ? { executablePath } : {}),
  args: ['--no-sandbox', '--disable-background-networking'],
});
const page = await browser.newPage();
const svg = await readFile(SOURCE, 'utf8');
for (const icon of ICONS) await writeFile(`public/${icon.file}`, await draw(page, svg, icon));
const favicon = [];
for (const size of FAVICON_SIZES)
  favicon.push({ size, png: await draw(page, svg, { size, fills: 100, ground: 'transparent' }) });
await writeFile('public/favicon.ico', ico(favicon));
await browser.close();
