import { systemBrowser } from '../../scripts/browser.ts';

/** How every test starts its browser. */
export const BROWSER_ARGUMENTS = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-dev-shm-usage',
  '--autoplay-policy=no-user-gesture-required',
  '--use-fake-device-for-media-stream',
];

const browser = systemBrowser();

/** For `test.use` at the top of a file whose pages record: the browser of the other tests has no microphone. */
export const BROWSER_WITH_MICROPHONE = {
  launchOptions: { ...(browser ? { executablePath: browser } : {}), args: BROWSER_ARGUMENTS },
};
