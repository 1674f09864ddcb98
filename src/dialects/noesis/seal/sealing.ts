import { join } from 'node:path';
import { LogError, type NoesisError, UsageError } from '../../../base/errors.ts';
import { isThere } from '../../../base/files/files.ts';
import { requireRegular } from '../../../base/files/open-file.ts';
import { parseDocument } from '../../../base/json/parse-document.ts';
import { valueAt } from '../../../base/json/path.ts';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { PAIR_ALGORITHM, SECRET_ALGORITHMS } from '../../../base/keys/algorithms.ts';
import { fits } from '../../../log/schema/fits.ts';
import type { SealDocument, SealedFile, Sealing, SealKey } from '../../kit/sealing.ts';
import { byCodePoint, pythonJson, SPACED } from '../event/python-json.ts';
import { folderName, isEpisodeId } from '../files/folder-name.ts';
import {
  FINAL_FILE,
  LEARN_FILE,
  LINKED_FILES,
  LOG_FILE,
  MANIFEST_FILE,
  STATE_FILE,
  SUMMARY_FILE,
} from '../files/names.ts';
import { pythonTime } from '../writing/stamp.ts';
import { finalDocument, summaryOf } from './documents.ts';
import { documentIn, type EndedRun, readRun } from './ended-run.ts';
import { manifestSchema, type NoesisManifest } from './manifest-schema.ts';
import { signatureOf } from './signature.ts';

/** The kinds that a manifest gives to files of the runtime. All other files are attachments. */
const KINDS: ReadonlyMap<string, string> = new Map([
  [LOG_FILE, 'events'],
  [STATE_FILE, 'state'],
  [SUMMARY_FILE, 'summary'],
  [LEARN_FILE, 'learn'],
]);

/** The files without which an episode is not sealed as a whole. */
const SEALED_FILES = [FINAL_FILE, SUMMARY_FILE, LEARN_FILE, STATE_FILE] as const;

const document = (name: string, value: JsonObject): SealDocument => ({
  name,
  text: `${pythonJson(value, 'utf8')}\n`,
});

/** A manifest as the runtime writes it (docs/formats/noesis.md §7). */
const manifestText = (manifest: object): string => `${pythonJson(manifest as JsonValue, 'utf8', SPACED)}\n`;

function episodeOf({ course, state }: EndedRun, dir: string): string {
  const name = folderName(dir);
  const said = course.firstEpisode?.value;
  if (said !== undefined && said !== '') return said;
  const stored = isEpisodeId(name) ? undefined : valueAt(state, ['episode', 'id']);
  return typeof stored === 'string' && stored !== '' ? stored : name;
}

function withSignature(manifest: NoesisManifest, { kid, alg, key }: SealKey, now: number): NoesisManifest {
  const value = signatureOf(manifest, alg, key);
  if (value === undefined) {
    throw new UsageError('usage', `the key ${JSON.stringify(kid)} does not sign with ${alg}`, {
      hint: `use a key that fits: a shared secret signs with ${SECRET_ALGORITHMS.join(' or ')}, a private key in PEM with ${PAIR_ALGORITHM}`,
    });
  }
  return { ...manifest, signer: kid, signature: { alg, kid, ts: pythonTime(now), value } };
}

function manifestIn(listing: Uint8Array): NoesisManifest | undefined {
  const parsed = parseDocument(listing);
  return parsed.ok && fits(manifestSchema, parsed.value) ? parsed.value : undefined;
}

const refused = (why: string): NoesisError =>
  new LogError('seal-refused', `${MANIFEST_FILE} was not changed: ${why}`, {
    place: { file: MANIFEST_FILE },
    hint: 'run noesis verify for the details',
  });

/** Seals an episode as the runtime does (docs/formats/noesis.md §1.3, §7, §8.4). */
export const noesisSealing: Sealing = {
  listingName: MANIFEST_FILE,

  plan: async ({ dir, log }, { now }) => {
    const run = await readRun(log);
    const episode = episodeOf(run, dir);
    const summary = run.summary ?? summaryOf(run, episode);
    // A FIFO or a link in the place of a document would count as one, and the seal could not list it.
    for (const name of SEALED_FILES) requireRegular(join(dir, name));
    const hasFinal = isThere(dir, FINAL_FILE);
    // If the state links to learn.jsonl, it must exist. The runtime creates the file before the run ends.
    const needsLearn =
      !isThere(dir, LEARN_FILE) && valueAt(run.state, ['links', 'learn']) === LINKED_FILES.learn;
    return {
      state: !hasFinal ? 'open' : isThere(dir, MANIFEST_FILE) ? 'sealed' : 'half',
      ended: run.course.end !== undefined,
      documents: hasFinal
        ? []
        : [
            ...(needsLearn ? [{ name: LEARN_FILE, text: '' }] : []),
            ...(isThere(dir, SUMMARY_FILE) ? [] : [document(SUMMARY_FILE, summary)]),
            document(FINAL_FILE, finalDocument(run, summary, episode, now)),
          ],
    };
  },

  listing: ({ dir }, files: readonly SealedFile[], { now }, key) => {
    const final = documentIn(dir, FINAL_FILE);
    const episode = final?.['episode_id'];
    const manifest: NoesisManifest = {
      schema_version: 'manifest/1.0',
      episode_id: typeof episode === 'string' ? episode : folderName(dir),
      created_at: pythonTime(now),
      files: files
        .map(({ name, sha256, size }) => ({
          kind: KINDS.get(name) ?? 'attachment',
          name,
          sha256: `sha256:${sha256}`,
          size_bytes: size,
        }))
        .sort((a, b) => byCodePoint(a.name, b.name)),
      signer: null,
    };
    return {
      name: MANIFEST_FILE,
      text: manifestText(key === undefined ? manifest : withSignature(manifest, key, now)),
    };
  },

  hashOf: (listing, name) =>
    manifestIn(listing)
      ?.files.find((file) => file.name === name)
      ?.sha256.slice('sha256:'.length),

  signed: (listing, key, { now }) => {
    const manifest = manifestIn(listing);
    if (manifest === undefined) throw refused('it is not a manifest');
    if (manifest.signature || manifest.signer !== null) throw refused('it is already signed');
    return { name: MANIFEST_FILE, text: manifestText(withSignature(manifest, key, now)) };
  },
};
