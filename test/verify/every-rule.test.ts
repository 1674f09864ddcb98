import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { formatPath } from '../../src/base/json/path.ts';
import { isObject, type JsonObject } from '../../src/base/json/value.ts';
import { compatibleEventSchema, detailsSchemas } from '../../src/dialects/coordinator/schema/event.ts';
import { eventSchema as exarchosEvent } from '../../src/dialects/exarchos/schema/event.ts';
import { isKnownDeviation, PAYLOADS, strictPayload } from '../../src/dialects/exarchos/schema/payloads.ts';
import { eventSchema as fishbowlEvent } from '../../src/dialects/fishbowl/schema/event.ts';
import { payloadSchemas } from '../../src/dialects/fishbowl/schema/payloads.ts';
import { type PayloadRules, rulesFor } from '../../src/dialects/noesis/event/payloads.ts';
import { eventSchema, runtimeEventSchema } from '../../src/dialects/noesis/event/schema.ts';
import { PHASES, RUN_EVENTS } from '../../src/dialects/noesis/event/vocabulary.ts';
import type { Finding } from '../../src/library/index.ts';
import { breakagesOf, isAbout, merged, sampleOf } from '../support/breakages.ts';
import { noesis } from '../support/cli.ts';
import { sampled } from '../support/length.ts';
import { tempDir } from '../support/temp.ts';

/** A record without findings, and its schemas. */
interface Case {
  readonly name: string;
  readonly fine: JsonObject;
  readonly schemas: readonly z.ZodType[];
}

const objectOf = (schema: z.ZodType | undefined): JsonObject => {
  const sample = schema === undefined ? {} : sampleOf(schema);
  return isObject(sample) ? sample : {};
};
const inside = (key: string, schema: z.ZodType | undefined): z.ZodType[] =>
  schema === undefined ? [] : [z.looseObject({ [key]: schema.optional() })];

function noesisCase(phase: string, type?: string): Case {
  const { forms, fields }: Partial<PayloadRules> = rulesFor(phase, type) ?? {};
  const envelope = phase === 'runtime' ? runtimeEventSchema : eventSchema;
  const fine = {
    ...objectOf(envelope),
    timestamp: '2026-03-01T10:42:00.034Z',
    episode_id: 'ep_1',
    evidence_ids: [],
    metrics: {
      started_at: '2026-03-01T10:42:00.000Z',
      completed_at: '2026-03-01T10:42:00.034Z',
      duration_ms: 34,
    },
    phase,
    ...(type !== undefined && { event_type: type }),
    payload: {
      ...merged(objectOf(forms?.[0]), objectOf(fields)),
      ...(type === 'run.state_projection' && { kind: type, status: 'text' }),
    },
  };
  return {
    name: type ?? phase,
    fine,
    schemas: [envelope, ...inside('payload', forms?.[0]), ...inside('payload', fields)],
  };
}

const DIALECTS: Readonly<Record<string, { file: string; cases: readonly Case[] }>> = {
  noesis: {
    file: 'events.jsonl',
    cases: [
      ...PHASES.filter((phase) => phase !== 'runtime').map((phase) => noesisCase(phase)),
      ...RUN_EVENTS.map((type) => noesisCase('runtime', type)),
    ],
  },
  exarchos: {
    file: 'one.events.jsonl',
    cases: Object.keys(PAYLOADS).map((type) => ({
      name: type,
      fine: {
        ...objectOf(exarchosEvent),
        streamId: 'one',
        type,
        schemaVersion: '1.0',
        data: objectOf(strictPayload(type)),
      },
      schemas: [exarchosEvent, ...inside('data', strictPayload(type))],
    })),
  },
  fishbowl: {
    file: 'ledger.jsonl',
    cases: Object.entries(payloadSchemas).map(([kind, schema]) => ({
      name: kind,
      fine: { ...objectOf(fishbowlEvent), kind, schema_version: 1, payload: objectOf(schema) },
      schemas: [fishbowlEvent, ...inside('payload', schema)],
    })),
  },
  coordinator: {
    file: 'event-log.jsonl',
    cases: [
      {
        name: 'envelope',
        fine: { ...objectOf(compatibleEventSchema), event_type: 'session_start' },
        schemas: [compatibleEventSchema],
      },
      ...[...detailsSchemas].map(([type, schema]) => ({
        name: type,
        fine: { ...objectOf(compatibleEventSchema), event_type: type, details: objectOf(schema) },
        // Null for all of them is legal, and said once for a log.
        schemas: inside('details', schema.nullable()),
      })),
    ],
  },
};

function groupByLine(findings: readonly Finding[]): Map<number, Finding[]> {
  const lines = new Map<number, Finding[]>();
  for (const finding of findings) {
    const line = finding.line ?? 0;
    lines.set(line, [...(lines.get(line) ?? []), finding]);
  }
  return lines;
}

async function verify(dialect: string, file: string, lines: readonly string[], accelerator: string) {
  const folder = join(tempDir(), `${dialect}-${accelerator}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, file), lines.join(''));
  const args = ['verify', join(folder, file), '-j', '--dialect', dialect, '--max-findings', '0'];
  const { stdout, stderr } = await noesis(args, { env: { NOESIS_ACCELERATOR: accelerator } });
  const report = JSON.parse(stdout || '{}') as { episodes: { findings: Finding[] }[] };
  expect(stderr).toBe('');
  return report.episodes
    .flatMap(({ findings }) => findings)
    .map((finding) => ({ ...finding, file: basename(finding.file ?? '') }));
}

describe('every rule of a record', () => {
  test.each(Object.entries(DIALECTS))(
    'of %s gives a finding where it is broken, and the same one with the accelerator',
    async (dialect, { file, cases }) => {
      const lines: string[] = [];
      const broken: { line: number; control: number; place: string; what: string }[] = [];
      for (const { name, fine, schemas } of sampled(cases, 6)) {
        const control = lines.push(`${JSON.stringify(fine)}\n`);
        for (const schema of schemas) {
          for (const { path, value, broken: record } of breakagesOf(schema, fine)) {
            if (dialect === 'exarchos' && isKnownDeviation(name, record['data'])) continue;
            // An event with the id of another may be passed over.
            const own =
              record['id'] === fine['id'] && fine['id'] !== undefined
                ? { ...record, id: `id-${lines.length}` }
                : record;
            const line = lines.push(`${JSON.stringify(own)}\n`);
            const what = `${name} ${formatPath(path)} = ${JSON.stringify(value)?.slice(0, 40)}`;
            broken.push({ line, control, place: formatPath(path), what });
          }
        }
      }
      const plain = await verify(dialect, file, lines, 'never');
      expect(await verify(dialect, file, lines, 'always')).toEqual(plain);
      const byLine = groupByLine(plain);
      const said = (line: number, place: string) =>
        (byLine.get(line) ?? [])
          .filter((finding) => isAbout(finding, place))
          .map(({ code, message }) => `${code} ${message}`);
      const silent = broken.filter(({ line, control, place }) => {
        const before = said(control, place);
        return said(line, place).every((text) => before.includes(text));
      });
      expect(silent.map(({ what }) => what)).toEqual([]);
      expect(broken.length).toBeGreaterThan(20);
    },
    120_000,
  );
});
