import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { ExarchosProjector } from '../../../src/dialects/exarchos/projection/projector.ts';
import { nothingRegistered, type Registered } from '../../../src/dialects/exarchos/registered.ts';
import { verifyExarchos } from '../../../src/dialects/exarchos/verify.ts';
import { DEFAULT_VERIFY_OPTIONS } from '../../../src/findings/options.ts';
import type { EpisodeReport } from '../../../src/findings/report.ts';
import { AS_STORED } from '../../../src/log/log-form.ts';
import { readLog } from '../../../src/log/read.ts';
import type { LogRecord } from '../../../src/log/record.ts';
import { tempFile, writeTree } from '../../support/temp.ts';

/** Logs that the program itself wrote; they are not part of the repository. */
export const SAMPLES = resolve(import.meta.dirname, '../../samples/exarchos');

export const sample = (name: string): Promise<string> => readFile(join(SAMPLES, name), 'utf8');

export const sampleJson = async (name: string): Promise<unknown> => JSON.parse(await sample(name));

export async function sampleEvents(name: string): Promise<JsonObject[]> {
  const lines = (await sample(name)).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as JsonObject);
}

/** Verifies `log` among the given files. */
export function verifyFiles(
  files: Readonly<Record<string, string | Buffer>>,
  log = 'f.events.jsonl',
  registered: Partial<Registered> = {},
): Promise<EpisodeReport> {
  const dir = writeTree(files);
  return verifyExarchos({ name: log, log: join(dir, log), dir }, DEFAULT_VERIFY_OPTIONS, {
    ...nothingRegistered(),
    ...registered,
  });
}

/** An event as the store writes it; members given as undefined are left out. */
export function event(sequence: number, type: string, data?: object, more: object = {}): JsonObject {
  const whole = {
    streamId: 'f',
    sequence,
    timestamp: `2026-04-01T10:00:${String(sequence % 60).padStart(2, '0')}.000Z`,
    type,
    correlationId: undefined,
    causationId: undefined,
    agentId: undefined,
    source: undefined,
    schemaVersion: '1.0',
    data,
    idempotencyKey: undefined,
    ...more,
  };
  return JSON.parse(JSON.stringify(whole)) as JsonObject;
}

export const started = (sequence = 1, workflowType = 'feature'): JsonObject =>
  event(sequence, 'workflow.started', { featureId: 'f', workflowType });

export const transition = (sequence: number, from: string, to: string): JsonObject =>
  event(sequence, 'workflow.transition', { from, to, trigger: 't', featureId: 'f' });

export const patched = (sequence: number, patch: object): JsonObject =>
  event(sequence, 'state.patched', { featureId: 'f', fields: Object.keys(patch), patch });

export const toLog = (events: readonly object[]): string =>
  events.map((one) => `${JSON.stringify(one)}\n`).join('');

/** Verifies a log of the given events. */
export const verifyEvents = (events: readonly object[], registered: Partial<Registered> = {}) =>
  verifyFiles({ 'f.events.jsonl': toLog(events) }, 'f.events.jsonl', registered);

/** `error event/payload 3 data.to`: what a test says of a finding. */
export function told(report: EpisodeReport): string[] {
  return report.findings.map(({ severity, code, line, path }) =>
    [severity, code, line, path].filter((part) => part !== undefined).join(' '),
  );
}

/** Hands the records of a text to `use`, as a reader would. */
export async function eachRecord(text: string, use: (record: LogRecord) => void): Promise<void> {
  await readLog(tempFile(text), AS_STORED, {
    record: use,
    corrupt({ message }) {
      throw new Error(message);
    },
  });
}

/** The events of a log in a projector, one a line. */
export function project(events: readonly JsonObject[]): ExarchosProjector {
  const projector = new ExarchosProjector();
  for (const [index, one] of events.entries()) projector.addEvent(one, index + 1);
  return projector;
}

/** The state they give. */
export const stateOf = (...events: JsonObject[]) => project(events).result().value;
