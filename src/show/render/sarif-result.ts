import { createHash } from 'node:crypto';
import type { ArtifactLocation, LogicalLocation, Region, Result } from 'sarif';
import type { Finding } from '../../findings/finding.ts';
import { escapeText } from './escape.ts';
import { below, encodePath, fileOf, fileUri, isAbsolute } from './location.ts';
import { LEVEL } from './sarif-rules.ts';
import type { Placed } from './worst.ts';
import { clip } from './wrap.ts';

/** The placeholder for the folder of relative URIs. */
export const ROOT_ID = '%SRCROOT%';

const MESSAGE_UNITS = 1000;
const VALUE_UNITS = 1000;

/**
 * The location of a file, relative to the root if below it, so that code scanning finds it in the repository.
 */
function artifactLocation(path: string, relativeTo: string): ArtifactLocation {
  if (!isAbsolute(path)) return { uri: encodePath(path) };
  const inner = below(path, relativeTo);
  return inner === undefined ? { uri: fileUri(path) } : { uri: encodePath(inner), uriBaseId: ROOT_ID };
}

/** Code scanning requires a line; line 1 means the whole file. */
function regionOf({ line, column, byteStart, byteEnd }: Finding): Region {
  const region: Region = {};
  if (line !== undefined && line >= 1) {
    region.startLine = line;
    if (column !== undefined && column >= 1) region.startColumn = column;
  }
  if (byteStart !== undefined && byteStart >= 0) {
    region.byteOffset = byteStart;
    if (byteEnd !== undefined && byteEnd >= byteStart) region.byteLength = byteEnd - byteStart;
  }
  return Object.keys(region).length === 0 ? { startLine: 1 } : region;
}

function logicalLocations({ episode, finding }: Placed): LogicalLocation[] {
  const { eventId, path } = finding;
  const record = [episode.episode, ...(eventId === undefined ? [] : [eventId])].map(escapeText).join('/');
  const locations: LogicalLocation[] = [];
  if (eventId !== undefined)
    locations.push({ name: escapeText(eventId), fullyQualifiedName: record, kind: 'object' });
  if (path !== undefined) {
    locations.push({
      name: escapeText(path),
      fullyQualifiedName: `${record}#${escapeText(path)}`,
      kind: 'property',
    });
  }
  return locations;
}

/** Escapes a text and `[text](target)` in it, because trace text must not create links. */
export const withoutLinks = (text: string): string => escapeText(text).replaceAll('](', '] (');

const messageText = ({ message, hint }: Finding): string =>
  withoutLinks(clip(message, MESSAGE_UNITS) + (hint === undefined ? '' : ` (${clip(hint, MESSAGE_UNITS)})`));

function identityOf({ episode, finding }: Placed): string {
  const { code, file, eventId, path, excerpt, message } = finding;
  // Lines and offsets shift when records are added, so they do not identify a finding.
  const kind = eventId ?? path ?? excerpt ?? message.replace(/\d+/g, '0');
  const parts = [code, episode.episode, file, kind, path ?? ''];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

/** Makes fingerprints. A count distinguishes equal findings. */
export function fingerprinter(): (placed: Placed) => string {
  const seen = new Map<string, number>();
  return (placed) => {
    const identity = identityOf(placed);
    const count = (seen.get(identity) ?? 0) + 1;
    seen.set(identity, count);
    return `${identity}:${count}`;
  };
}

function whole(text: string | undefined): string | undefined {
  return text === undefined ? undefined : escapeText(clip(text, VALUE_UNITS));
}

function properties({ excerpt, expected, actual }: Finding): Record<string, string> {
  const values = Object.entries({
    expected: whole(expected),
    actual: whole(actual),
    excerpt: whole(excerpt),
  });
  return Object.fromEntries(values.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

export function sarifResult(
  placed: Placed,
  ruleIndex: number,
  fingerprint: string,
  relativeTo: string,
): Result {
  const { episode, finding } = placed;
  const logical = logicalLocations(placed);
  const bag = properties(finding);
  return {
    ruleId: finding.code,
    ruleIndex,
    level: LEVEL[finding.severity],
    message: { text: messageText(finding) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: artifactLocation(fileOf(episode, finding), relativeTo),
          region: regionOf(finding),
        },
        ...(logical.length > 0 && { logicalLocations: logical }),
      },
    ],
    // GitHub matches results by the first name.
    partialFingerprints: { primaryLocationLineHash: fingerprint, 'noesisFinding/v1': fingerprint },
    ...(Object.keys(bag).length > 0 && { properties: bag }),
  };
}
