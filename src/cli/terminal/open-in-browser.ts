import { spawn } from 'node:child_process';
import { platform } from 'node:os';

/**
 * The program that opens a file on each system. It is started without a shell, so that a path cannot contain
 * commands.
 */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', win32: 'explorer.exe' };

/** Opens a file with the system's viewer. False if that fails. */
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
