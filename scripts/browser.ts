import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { chromium } from '@playwright/test';

const run = promisify(execFile);

const SYSTEM_BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Chromium without what a window needs: the same pages for 60 % of the processor time, but no microphone. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

/** The installed Chromium, if there is one; undefined means Playwright's own. */
export function systemBrowser(): string | undefined {
  return SYSTEM_BROWSERS.find((path) => existsSync(path));
}

/** The browser for tests that need no microphone. */
export function headlessBrowser(): string | undefined {
  return existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : systemBrowser();
}

/** Makes sure that a browser is there: the system's, Debian's package, or Playwright's own. Gives the reason when not. */
export async function ensureBrowser(say: (line: string) => void): Promise<string | undefined> {
  if (systemBrowser() || existsSync(chromium.executablePath())) return undefined;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    say('Installing Chromium for the browser tests …');
    const quiet = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, maxBuffer: 1 << 26 };
    await run('apt-get', ['update', '-q'], quiet).catch(() => undefined);
    await run('apt-get', ['install', '-y', '-q', 'chromium'], quiet).catch(() => undefined);
    // Older releases of Debian have no such package.
    await run('apt-get', ['install', '-y', '-q', 'chromium-headless-shell'], quiet).catch(() => undefined);
    if (systemBrowser()) return undefined;
  }
  say("Installing Playwright's Chromium for the browser tests …");
  const installed = await run('npx', ['playwright', 'install', 'chromium'], { maxBuffer: 1 << 26 }).then(
    () => true,
    () => false,
  );
  return installed
    ? undefined
    : 'install Chromium (for example `apt-get install chromium`) and run the tests again';
}
