import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Installs what a bench runs beside ours, once, as the lock file of its folder says. The product knows nothing of it. */
export function installPeer(folder: string, name: string): void {
  if (existsSync(join(folder, 'node_modules', name))) return;
  console.error(`installing ${name} for the bench …`);
  // What it prints is no figure.
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: ['ignore', 2, 2] });
}
