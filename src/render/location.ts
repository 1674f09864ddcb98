import type { Finding } from '../findings/finding.ts';
import type { EpisodeReport } from '../findings/report.ts';

const WINDOWS = /^(?:[A-Za-z]:[\\/]|\\\\)/;

/** Forward slashes for a Windows path; elsewhere a backslash is part of a name. */
function slashed(path: string): string {
  const text = WINDOWS.test(path) ? path.replaceAll('\\', '/') : path;
  return text.length > 1 ? text.replace(/\/+$/, '') : text;
}

/** Whether a path begins at a root. */
export function isAbsolute(path: string): boolean {
  return path.startsWith('/') || WINDOWS.test(path);
}

/** `path` as seen from the directory `base` when it is below it (`.` for itself), else undefined. Both absolute. */
export function below(path: string, base: string): string | undefined {
  const inner = slashed(path);
  const outer = slashed(base);
  if (inner === outer) return '.';
  const prefix = outer.endsWith('/') ? outer : `${outer}/`;
  return inner.startsWith(prefix) ? inner.slice(prefix.length) : undefined;
}

/** `path` as a reader at `base` would write it. */
export function shortPath(path: string, base: string | undefined): string {
  return (base === undefined ? undefined : below(path, base)) ?? path;
}

/** A finding's file may quote a manifest, and so be anything: only a plain relative path is joined to the episode's. */
function isInside(file: string): boolean {
  return (
    file !== '' &&
    !isAbsolute(file) &&
    !file.split('/').some((part) => part === '' || part === '.' || part === '..')
  );
}

/** An episode that is only a log has the log's path; its findings are relative to the log's directory. */
function directoryOf(path: string, file: string): string {
  const cut = path.lastIndexOf('/');
  const name = path.slice(cut + 1);
  return name === file || /\.(?:jsonl|ndjson|json)$/i.test(name) ? path.slice(0, Math.max(0, cut)) : path;
}

/** The path of the file a finding is in; the episode's own where the finding names no file below it. */
export function fileOf({ path }: EpisodeReport, { file }: Finding): string {
  const own = slashed(path);
  if (!isAbsolute(path) || !isInside(file)) return own;
  const directory = directoryOf(own, file);
  return `${directory === '/' ? '' : directory}/${file}`;
}

/** A path as the path part of a URI. */
export function encodePath(path: string): string {
  const whole = path.replace(/\p{Surrogate}/gu, '\ufffd');
  return whole.split('/').map(encodeURIComponent).join('/');
}

/** The file:// URI of an absolute path. */
export function fileUri(path: string): string {
  const whole = slashed(path);
  const [drive = ''] = /^(?:\/\/|[A-Za-z]:)/.exec(whole) ?? [];
  const rest = encodePath(whole.slice(drive.length));
  return drive === '' || drive === '//' ? `file://${rest}` : `file:///${drive}${rest}`;
}
