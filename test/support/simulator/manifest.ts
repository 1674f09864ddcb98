import { createHmac } from 'node:crypto';
import { compareCodePoints, indented, type JsonObject, spaced, stringify } from './canonical.ts';
import type { Digest } from './disk.ts';
import type { SignatureShape } from './shape.ts';

/** The members of a manifest, except its files. */
export interface ManifestOptions {
  readonly episodeId: string;
  readonly createdAt: string;
  readonly signature?: SignatureShape | undefined;
  /** Indented and without a final newline, as older runtimes wrote it. */
  readonly legacy?: boolean;
}

const kinds = new Map([
  ['events.jsonl', 'events'],
  ['learn.jsonl', 'learn'],
  ['state.json', 'state'],
  ['summary.json', 'summary'],
]);

const digests = { HS256: 'sha256', HS512: 'sha512' } as const;

/** The signature over the manifest's own bytes, in base64url: signer and signature are not part of them. */
export function signManifest(manifest: JsonObject, { alg, secret }: SignatureShape): string {
  const { signature: _, ...rest } = manifest;
  const signed = stringify({ ...rest, signer: null }, spaced);
  return createHmac(digests[alg], secret).update(signed).digest('base64url');
}

/** manifest.json for the files of an episode: every file except the manifest, by name. */
export function manifestBytes(files: ReadonlyMap<string, Digest>, options: ManifestOptions): Uint8Array {
  const listed = [...files]
    .filter(([name]) => !/(^|\/)manifest\.json$/.test(name))
    .sort(([left], [right]) => compareCodePoints(left, right))
    .map(([name, digest]) => ({ kind: kinds.get(name) ?? 'attachment', name, ...digest }));
  const manifest: JsonObject = {
    created_at: options.createdAt,
    episode_id: options.episodeId,
    files: listed,
    schema_version: 'manifest/1.0',
    signer: null,
  };
  const { signature } = options;
  if (signature !== undefined) {
    const { alg, kid, ctx } = signature;
    const value = signManifest(manifest, signature);
    manifest['signature'] = { alg, kid, ts: options.createdAt, ctx, value };
    manifest['signer'] = kid;
  }
  return Buffer.from(
    options.legacy ? stringify(manifest, { ...indented, sorted: true }) : `${stringify(manifest, spaced)}\n`,
  );
}
