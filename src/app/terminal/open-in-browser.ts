import { spawn } from 'node:child_process';
import { platform } from 'node:os';

/** What opens a file on each system; it is started without a shell, so that a path is nothing but a path. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', win32: 'explorer.exe' };

/** Hands a file to the program that shows such files. False where that cannot be started. */
export function openInBrowser(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(OPENERS[platform()] ?? 'xdg-open', [path], { detached: true, stdio: 'ignore' });
    child.on('error', () => resolve(false));
    child.on('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
