import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject } from '../../../src/base/json/value.ts';
import { claudeRepair } from '../../../src/dialects/sessions/claude-code/repair.ts';
import type { Finding } from '../../../src/findings/finding.ts';
import { loadOf, planRepair } from '../../../src/write/doctor/plan.ts';
import { DOCTOR_SAMPLES, originalOf, rulesOf } from '../../support/doctor-samples.ts';
import { runHere } from '../../support/in-process.ts';
import { tempDir, writeSettled } from '../../support/temp.ts';

const SAMPLE = join(DOCTOR_SAMPLES, 'claude/api-request/excerpt.jsonl');
const records = () =>
  readFileSync(SAMPLE, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonObject);

/** The lines with the finding in a log of these records, by severity. */
async function found(events: readonly JsonObject[]): Promise<string[]> {
  const log = join(tempDir(), 'aaaaaaaa-0000-4000-8000-000000000001.jsonl');
  writeSettled(log, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  const { stdout } = await runHere(['verify', log, '-j']);
  const { episodes } = JSON.parse(stdout) as { episodes: { findings: Finding[] }[] };
  return episodes
    .flatMap(({ findings }) => findings)
    .filter(({ code }) => code === 'session/request-hash')
    .map(({ severity, line }) => `${severity} ${line}`);
}

interface Place {
  readonly line: number;
  readonly kind: string;
  readonly change: (event: JsonObject) => void;
}

/** Every text of an answer, a prompt or a result, and every input of a call. */
function placesIn(events: readonly JsonObject[]): Place[] {
  const places: Place[] = [];
  for (const [index, { type, message }] of events.entries()) {
    if ((type !== 'user' && type !== 'assistant') || !isObject(message)) continue;
    const line = index + 1;
    const inMessage = (change: (message: JsonObject) => void) => (event: JsonObject) => {
      if (isObject(event['message'])) change(event['message']);
    };
    if (typeof message['content'] === 'string') {
      places.push({
        line,
        kind: 'prompt',
        change: inMessage((one) => Object.assign(one, { content: 'T9 other' })),
      });
      continue;
    }
    const [block] = Array.isArray(message['content']) ? message['content'] : [];
    if (!isObject(block)) continue;
    const kind = String(block['type']);
    const change = inMessage((one) => {
      const [own] = Array.isArray(one['content']) ? one['content'] : [];
      if (!isObject(own)) return;
      if (kind === 'tool_result') own['content'] = 'other';
      else if (kind === 'tool_use') own['input'] = { command: 'other' };
      else own[kind === 'thinking' ? 'thinking' : 'text'] = 'other';
    });
    places.push({ line, kind, change });
  }
  return places;
}

describe('the hashes of requests', () => {
  test('fit every answer, prompt and result of a real session', async () => {
    expect(await found(records())).toEqual([]);
  });

  test('show every edit of an answer, prompt or result that was sent with its message', async () => {
    const places = placesIn(records());
    const missed: string[] = [];
    for (const { line, kind, change } of places) {
      const events = records();
      const event = events[line - 1];
      if (event) change(event);
      if ((await found(events)).length === 0) missed.push(`${line} ${kind}`);
    }
    expect(places.length).toBeGreaterThan(25);
    // The first prompt has no stored message in this excerpt, and the last answer was not sent yet.
    expect(missed).toEqual(['1 prompt', '56 thinking', '57 text']);
  });

  test('name the line of the edited answer, prompt or result', async () => {
    const events = records();
    for (const { line, change } of placesIn(events))
      if ([14, 15, 21].includes(line)) change(events[line - 1] ?? {});
    expect(await found(events)).toEqual(['warn 13', 'warn 15', 'warn 21']);
  });

  test('show an answer whose words were only shortened', async () => {
    const events = records();
    const blocks = events[13]?.['message'];
    const [block] = isObject(blocks) && Array.isArray(blocks['content']) ? blocks['content'] : [];
    if (isObject(block)) block['text'] = String(block['text']).slice(0, -1);
    expect(await found(events)).toEqual(['warn 13']);
  });

  test('of a stored message that was changed are only noted, because it is not part of the conversation', async () => {
    const events = records();
    const blob = events.find(({ type }) => type === 'api-request-blob');
    if (blob) blob['message'] = { role: 'user', content: 'left out' };
    expect(await found(events)).toEqual(['info 11']);
  });
});

/** The whole session with its requests, in the order in which the program wrote them. */
function recorded(): string[] {
  const lines = originalOf('claude').bytes.toString('utf8').trimEnd().split('\n');
  let at = 0;
  for (const event of records()) {
    if (typeof event['uuid'] === 'string')
      at = lines.findIndex((line) => line.includes(`"uuid":"${event['uuid']}"`)) + 1;
    else if (String(event['type']).startsWith('api-request')) {
      // Attachments of a message were written before its request.
      while ((lines[at] ?? '').includes('"type":"attachment"')) at += 1;
      lines.splice(at, 0, JSON.stringify(event));
      at += 1;
    }
  }
  return lines;
}

describe('a lost message', () => {
  test.each([
    ['prompt', '"role":"user","content":"T2 edit CWD=/home/usr/work"'],
    ['result', '"tool_use_id":"toolu_l11mf1xv0zq","type":"tool_result"'],
    ['result of one of two calls', '"is_error":true,"tool_use_id":"toolu_su4vj4jade9"'],
  ])('that is a %s is recovered exactly from the request that contained it', (_, mark) => {
    const lines = recorded();
    const isLost = (line: string) => line.includes(mark) && !line.includes('api-request');
    const lost = JSON.parse(lines.find(isLost) ?? '{}') as JsonObject;
    const bytes = Buffer.from(`${lines.filter((line) => !isLost(line)).join('\n')}\n`);
    const rules = rulesOf('claude');
    const { path } = originalOf('claude');
    const patient = {
      bytes,
      rules,
      repair: claudeRepair,
      surroundings: { path },
      version: rules.versions[0],
    };
    const whole = loadOf(patient, Buffer.from(`${lines.join('\n')}\n`));
    const plan = planRepair(patient, loadOf(patient, bytes), { path });
    expect(plan?.acts.map(({ rule }) => rule)).toContain('recovered');
    expect(plan?.after.loaded.map(({ key }) => key).sort()).toEqual(
      whole.loaded.map(({ key }) => key).sort(),
    );
    const added = plan?.log.records.filter(({ isAdded }) => isAdded).map(({ value }) => value['message']);
    expect(added).toEqual([lost['message']]);
  });

  test('is not recovered from a message whose hash does not fit', () => {
    const mark = '"tool_use_id":"toolu_l11mf1xv0zq","type":"tool_result"';
    const lines = recorded()
      .filter((line) => !line.includes(mark) || line.includes('api-request'))
      .map((line) =>
        line.replace('The file /home/usr/work/a.txt has been updated', 'The file was not updated'),
      );
    const rules = rulesOf('claude');
    const { path } = originalOf('claude');
    const bytes = Buffer.from(`${lines.join('\n')}\n`);
    const patient = {
      bytes,
      rules,
      repair: claudeRepair,
      surroundings: { path },
      version: rules.versions[0],
    };
    const plan = planRepair(patient, loadOf(patient, bytes), { path });
    expect(plan?.acts.map(({ rule }) => rule)).not.toContain('recovered');
  });
});
