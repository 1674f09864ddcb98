import { basename } from 'node:path';
import { readEpisodeFile } from '../../../files/files.ts';
import { parseDocument } from '../../../json/document.ts';
import { isObject, type JsonObject } from '../../../json/value.ts';
import type { FolderSample } from '../../dialect.ts';
import { FINAL_FILE, LOG_FILE, MANIFEST_FILE, STATE_FILE, SUMMARY_FILE } from './names.ts';

/** Those that tell the most at the least cost come first. */
const ARTIFACTS = [MANIFEST_FILE, FINAL_FILE, SUMMARY_FILE, STATE_FILE];

/** The ids that the runtime gives: a ULID, before that the time in digits. Others need an artifact that says so. */
const ID_AS_NAME = /^ep_(?:[0-9A-Z]{26}|\d{8}_\d{6}_\d{6}_[0-9a-f]{4}_s\d+)$/;

/** A longer artifact is not parsed to see whose it is. */
const MAX_PARSED = 1024 * 1024;

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** Whether a document says that it is of an episode. */
function namesEpisode(name: string, { episode, episode_id: id, files }: JsonObject): boolean {
  if (name === STATE_FILE) return isObject(episode) && isText(episode['id']);
  if (isText(id)) return true;
  const hashed = name === MANIFEST_FILE && Array.isArray(files);
  return hashed && files.some((file) => isObject(file) && isText(file['name']) && isText(file['sha256']));
}

/** What an artifact says: that it is of an episode, that it is something else, or nothing that can be read. */
function verdictOf(dir: string, name: string): 'episode' | 'other' | 'unreadable' {
  const outcome = readEpisodeFile(dir, name);
  if (outcome.kind !== 'read' || outcome.bytes.length > MAX_PARSED) return 'unreadable';
  const document = parseDocument(outcome.bytes);
  if (!document.ok || !isObject(document.value)) return 'unreadable';
  return namesEpisode(name, document.value) ? 'episode' : 'other';
}

/**
 * Whether a folder is an episode, told without its log: by its own name, which is an id of the runtime's, or by an
 * artifact with an episode id in it. An artifact that cannot be read counts where a log lies beside it: damage must
 * not make an episode something that is checked less.
 */
export function claimsFolder({ dir, names }: FolderSample): boolean {
  if (names.length === 0) return false;
  if (ID_AS_NAME.test(basename(dir))) return true;
  const hasLog = names.includes(LOG_FILE);
  return ARTIFACTS.filter((name) => names.includes(name)).some((name) => {
    const verdict = verdictOf(dir, name);
    return verdict === 'episode' || (verdict === 'unreadable' && hasLog);
  });
}

/** The names that the manifest of an episode lists. */
export function listedFiles({ dir, names }: FolderSample): readonly string[] {
  const outcome = names.includes(MANIFEST_FILE) ? readEpisodeFile(dir, MANIFEST_FILE) : undefined;
  const document = outcome?.kind === 'read' ? parseDocument(outcome.bytes) : undefined;
  const files = document?.ok && isObject(document.value) ? document.value['files'] : undefined;
  return Array.isArray(files)
    ? files.flatMap((file) => (isObject(file) && typeof file['name'] === 'string' ? file['name'] : []))
    : [];
}
