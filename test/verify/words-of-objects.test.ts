import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject, type JsonValue } from '../../src/base/json/value.ts';
import { LINE_DIALECTS } from '../dialects/sessions.ts';
import { EXAMPLES, SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { sampled } from '../support/length.ts';
import { tempDir } from '../support/temp.ts';

// Every object has members with these names. If a log has one as a type, a status or a name, code that looks it up
// among the members of an object finds a function.

const WORDS = ['constructor', '__proto__'];
/** Only the first lines of a log are tested: later ones resemble them. */
const MOST_LINES = 40;

const isLog = (path: string): boolean => /\.(?:jsonl|ndjson)$/.test(path);

/** The logs of a format: the examples and what its program wrote. */
function logsOf(format: string): string[] {
  const folders =
    format === 'noesis'
      ? [join(EXAMPLES, '.noesis'), join(EXAMPLES, 'legacy'), join(SAMPLES, format)]
      : [join(EXAMPLES, 'other-dialects'), join(SAMPLES, format)];
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter((path) => isLog(path) && (path.includes(format) || folder !== join(EXAMPLES, 'other-dialects')))
      .sort(),
  );
}

/** The places of texts in a value, each by its keys; of a list its first entry. */
function* placesOf(value: JsonValue, at: readonly string[] = []): Generator<readonly string[]> {
  if (typeof value === 'string') yield at;
  else if (Array.isArray(value)) yield* placesOf(value[0] ?? null, [...at, '0']);
  else if (isObject(value))
    for (const [key, member] of Object.entries(value)) yield* placesOf(member, [...at, key]);
}

/** A copy of a value with another text at a path. */
function replaced(value: JsonValue, [key, ...rest]: readonly string[], word: string): JsonValue {
  if (key === undefined) return word;
  if (Array.isArray(value))
    return value.map((entry, at) => (String(at) === key ? replaced(entry, rest, word) : entry));
  const object = value as JsonObject;
  return { ...object, [key]: replaced(object[key] ?? null, rest, word) };
}

/** A log, once for each place in it that `seen` does not know, with a word there that every object has. */
function* variantsOf(path: string, word: string, seen: Set<string>): Generator<string> {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, MOST_LINES);
  for (const [index, line] of lines.entries()) {
    let record: JsonValue;
    try {
      record = JSON.parse(line) as JsonValue;
    } catch {
      continue;
    }
    const kind = isObject(record)
      ? String(record['type'] ?? record['phase'] ?? record['kind'] ?? record['event_type'])
      : '';
    for (const place of placesOf(record)) {
      const name = `${kind} ${place.join('.')}`;
      if (seen.has(name)) continue;
      seen.add(name);
      yield lines.with(index, JSON.stringify(replaced(record, place, word))).join('\n');
    }
  }
}

/** Runs command lines on a log with the word. Each must answer without an internal error. */
async function expectToBeRead(commands: readonly (readonly string[])[], text: string): Promise<void> {
  for (const args of commands) {
    const { code, stdout, stderr } = await runHere(args);
    expect({ args, text, said: `${stdout}${stderr}`, code }).toEqual({
      args,
      text,
      said: expect.not.stringMatching(/verify\/internal|native code|TypeError|\[object Object\]/),
      code: expect.toSatisfy((exit: number) => exit < 4),
    });
  }
}

describe.each(WORDS)('%s', (word) => {
  test.each(['noesis', 'exarchos', 'fishbowl', 'coordinator', ...LINE_DIALECTS])(
    'is a word like any other in each place of a log of %s',
    async (format) => {
      const seen = new Set<string>();
      const variants = logsOf(format).flatMap((path) =>
        [...variantsOf(path, word, seen)].map((text) => ({ name: basename(path), text })),
      );
      expect(variants.length).toBeGreaterThan(10);
      const dir = tempDir();
      for (const { name, text } of sampled(variants, 2)) {
        const log = join(dir, name);
        writeFileSync(log, `${text}\n`);
        await expectToBeRead(
          [
            ['verify', log, '-f', 'json'],
            ['show', log, '-j'],
          ],
          text,
        );
      }
    },
  );

  test.each(['ep_01KJQ6PSG0DGB6DN0XWB2R05AD', 'ep_01KJQA4N40CCE7NY92CB90Q783'])(
    'is a word like any other in each place of the documents of %s',
    async (id) => {
      const dir = join(tempDir(), id);
      cpSync(join(EXAMPLES, '.noesis/episodes', id), dir, { recursive: true });
      for (const name of readdirSync(dir).filter((file) => file.endsWith('.json'))) {
        const stored = readFileSync(join(dir, name), 'utf8');
        const document = JSON.parse(stored) as JsonValue;
        for (const place of sampled([...placesOf(document)], 2)) {
          const text = JSON.stringify(replaced(document, place, word));
          writeFileSync(join(dir, name), text);
          const commands = ['verify', 'show', 'state', 'list'].map((command) => [command, dir, '-j']);
          await expectToBeRead(commands, text);
        }
        writeFileSync(join(dir, name), stored);
      }
    },
  );
});
