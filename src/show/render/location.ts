import type { Finding } from '../../findings/finding.ts';
import type { EpisodeReport } from '../../findings/report.ts';

const WINDOWS = /^(?:[A-Za-z]:[\\/]|\\\\)/;

/** Replaces backslashes in a Windows path; elsewhere they are part of a name. */
function slashed(path: string): string {
  const text = WINDOWS.test(path) ? path.replaceAll('\\', '/') : path;
  return text.length > 1 ? text.replace(/\/+$/, '') : text;
}

/** Whether a path is absolute on any system. */
export function isAbsolute(path: string): boolean {
  return path.startsWith('/') || WINDOWS.test(path);
}

/** `path` relative to the folder `base` if it is below it (`.` for itself), else undefined. Both absolute. */
export function below(path: string, base: string): string | undefined {
  const inner = slashed(path);
  const outer = slashed(base);
  if (inner === outer) return '.';
  const prefix = outer.endsWith('/') ? outer : `${outer}/`;
  return inner.startsWith(prefix) ? inner.slice(prefix.length) : undefined;
}

/** `path` relative to `base` if it is below it. */
export function shortPath(path: string, base: string | undefined): string {
  return (base === undefined ? undefined : below(path, base)) ?? path;
}

/** Whether a path is plain and relative. A finding may quote its file from a manifest, so other paths are not joined. */
function isInside(file: string): boolean {
  return (
    file !== '' &&
    !isAbsolute(file) &&
    !file.split('/').some((part) => part === '' || part === '.' || part === '..')
  );
}

/** The folder for relative paths in findings; for a single log, its folder. */
function directoryOf(path: string, file: string): string {
  const cut = path.lastIndexOf('/');
  const name = path.slice(cut + 1);
  return name === file || /\.(?:jsonl|ndjson|json)$/i.test(name) ? path.slice(0, Math.max(0, cut)) : path;
}

/** The file of a finding, or the episode's path if the finding names no file in it. */
export function fileOf({ path }: EpisodeReport, { file }: Finding): string {
  const own = slashed(path);
  if (!isAbsolute(path) || !isInside(file)) return own;
  const directory = directoryOf(own, file);
  return `${directory === '/' ? '' : directory}/${file}`;
}

export function encodePath(path: string): string {
  const whole = path.replace(/\p{Surrogate}/gu, '\ufffd');
  return whole.split('/').map(encodeURIComponent).join('/');
}

export function fileUri(path: string): string {
  const whole = slashed(path);
  const [drive = ''] = /^(?:\/\/|[A-Za-z]:)/.exec(whole) ?? [];
  const rest = encodePath(whole.slice(drive.length));
  return drive === '' || drive === '//' ? `file://${rest}` : `file:///${drive}${rest}`;
}
