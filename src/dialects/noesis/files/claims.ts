import { basename } from 'node:path';
import { readEpisodeFile } from '../../../base/files/files.ts';
import { parseDocument } from '../../../base/json/parse-document.ts';
import { isObject, type JsonObject } from '../../../base/json/value.ts';
import type { FolderSample } from '../../dialect.ts';
import { FINAL_FILE, LOG_FILE, MANIFEST_FILE, STATE_FILE, SUMMARY_FILE } from './names.ts';

/** The most informative and cheapest artifacts come first. */
const ARTIFACTS = [MANIFEST_FILE, FINAL_FILE, SUMMARY_FILE, STATE_FILE];

/**
 * Ids that the runtime generates: a ULID, formerly a time in digits. Folders with other names need an
 * artifact that proves them.
 */
const ID_AS_NAME = /^ep_(?:[0-9A-Z]{26}|\d{8}_\d{6}_\d{6}_[0-9a-f]{4}_s\d+)$/;

/** In bytes. A longer artifact is not parsed, and counts as unreadable. */
const MAX_PARSED = 1024 * 1024;

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** Whether a document says that it belongs to an episode. */
function namesEpisode(name: string, { episode, episode_id: id, files }: JsonObject): boolean {
  if (name === STATE_FILE) return isObject(episode) && isText(episode['id']);
  if (isText(id)) return true;
  const hashed = name === MANIFEST_FILE && Array.isArray(files);
  return hashed && files.some((file) => isObject(file) && isText(file['name']) && isText(file['sha256']));
}

/** Whether an artifact belongs to an episode, is something else, or cannot be read. */
function verdictOf(dir: string, name: string): 'episode' | 'other' | 'unreadable' {
  const outcome = readEpisodeFile(dir, name);
  if (outcome.kind !== 'read' || outcome.bytes.length > MAX_PARSED) return 'unreadable';
  const document = parseDocument(outcome.bytes);
  if (!document.ok || !isObject(document.value)) return 'unreadable';
  return namesEpisode(name, document.value) ? 'episode' : 'other';
}

/**
 * Whether a folder is an episode, without looking at its log: by its name, if that is a generated id, or by
 * an artifact with an episode id. An unreadable artifact counts if there is a log next to it, because damage
 * must not reduce the checks of an episode.
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

/** The names in an episode's manifest. */
export function listedFiles({ dir, names }: FolderSample): readonly string[] {
  const outcome = names.includes(MANIFEST_FILE) ? readEpisodeFile(dir, MANIFEST_FILE) : undefined;
  const document = outcome?.kind === 'read' ? parseDocument(outcome.bytes) : undefined;
  const files = document?.ok && isObject(document.value) ? document.value['files'] : undefined;
  return Array.isArray(files)
    ? files.flatMap((file) => (isObject(file) && typeof file['name'] === 'string' ? file['name'] : []))
    : [];
}
