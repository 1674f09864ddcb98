import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import type { JsonObject } from '../../src/base/json/value.ts';
import type { Dialect } from '../../src/dialects/dialect.ts';
import type { DialectStates } from '../../src/dialects/kit/states.ts';
import { DIALECTS } from '../../src/dialects/registry.ts';
import type { SessionReader } from '../../src/dialects/sessions/kit/reader.ts';
import type { SessionDocument } from '../../src/dialects/sessions/kit/session.ts';
import { DEFAULT_VERIFY_OPTIONS } from '../../src/findings/options.ts';
import type { EpisodeReport } from '../../src/findings/report.ts';
import { AS_STORED } from '../../src/log/log-form.ts';
import { readLog } from '../../src/log/read.ts';
import { SAMPLES } from '../support/cli.ts';

/** The figures of a script that shares no code with the project, for a sample. */
export interface ExpectedSession {
  readonly records: number;
  readonly bytes: number;
  readonly status: string;
  readonly task: string | null;
  readonly prompts: number;
  readonly tool_calls: number;
  readonly tool_results: number;
  readonly orphan_results: number;
  readonly unanswered_calls: number;
  readonly tools: Readonly<Record<string, number>>;
  readonly models: readonly string[];
  readonly first_time: string;
  readonly last_time: string;
  readonly compactions: number;
  readonly versions: readonly string[];
  readonly findings: readonly {
    readonly line?: number;
    readonly column?: number;
    readonly code: string;
    readonly severity: string;
  }[];
  readonly [more: string]: unknown;
}

/** The dialects of sessions that have samples. */
export const SESSION_DIALECTS: readonly string[] = DIALECTS.filter(
  ({ name, storesMuch }) => storesMuch === true && existsSync(join(SAMPLES, name)),
).map(({ name }) => name);

/** The logs among the samples of a dialect: files that are one log each, so not those of a store. */
export const sampleLogs = (dialect: string): string[] =>
  readdirSync(join(SAMPLES, dialect), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.meta)\.jsonl?$/.test(name) && basename(name) !== 'expected.json')
    .filter((name) => !name.split(sep).includes('storage'))
    .sort()
    .map((name) => join(SAMPLES, dialect, name));

/** Those whose logs have a record per line. */
export const LINE_DIALECTS: readonly string[] = SESSION_DIALECTS.filter((dialect) =>
  sampleLogs(dialect).some((log) => log.endsWith('.jsonl')),
);

/** The expectations for the samples of a dialect, by path. */
export function expectedSessions(dialect: string): [path: string, expected: ExpectedSession][] {
  const text = readFileSync(join(SAMPLES, dialect, 'expected.json'), 'utf8');
  return Object.entries(JSON.parse(text) as Record<string, ExpectedSession>);
}

/** The session in a log, read as far as its lines are records. */
export async function sessionIn(log: string, reader: SessionReader): Promise<SessionDocument> {
  await readLog(log, AS_STORED, { record: ({ value, line }) => reader.add(value, line), corrupt: () => {} });
  return reader.document();
}

/** The session that some records tell, as a page rebuilds it. */
export function sessionOf(states: DialectStates, events: readonly JsonObject[]): SessionDocument {
  const fold = states.fold();
  for (const [index, event] of events.entries()) fold.addEvent(event, index + 1);
  return fold.result().value as unknown as SessionDocument;
}

/** The cells of a table of events for a record, under their titles. */
export const cellsOf = ({ columns }: Dialect, event: JsonObject): Record<string, string> =>
  Object.fromEntries(columns.map(({ title, cell }) => [title, cell(event)]));

/** The verification of a log by itself. */
export function verifyLog(dialect: Dialect, log: string): Promise<EpisodeReport> {
  return dialect.verify({ name: 'sample', log, dir: undefined }, DEFAULT_VERIFY_OPTIONS);
}

/** How often each tool was called. */
export function toolsOf({ calls }: SessionDocument): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { tool } of calls) counts[tool] = (counts[tool] ?? 0) + 1;
  return counts;
}

/** Findings as the tables of the samples name them. */
export const brief = ({ findings }: EpisodeReport): string[] =>
  findings.map(({ severity, code, line }) => `${severity} ${code} ${line ?? '-'}`).sort();

/** The same of a log that is verified without those of its subagents. */
export const briefAlone = (report: EpisodeReport): string[] =>
  brief(report).filter((finding) => !finding.includes('session/missing-subagent'));

export const briefExpected = ({ findings }: ExpectedSession): string[] =>
  findings.map(({ severity, code, line }) => `${severity} ${code} ${line ?? '-'}`).sort();
