// Writes finished episodes again, one after the other, as the runtime does: appends events, and writes every document to a
// temporary file, flushes it and renames it. Prints the time of each step, so that a reader knows when nothing changed.
// node live-writer.mjs TO PAUSE_MS FROM...
import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const [to, pause, ...sources] = process.argv.slice(2);

function sync(path) {
  const file = openSync(path, 'r');
  fsyncSync(file);
  closeSync(file);
}

/** Replaces a document. Its text is in a temporary file for a moment. */
async function replace(dir, name, text) {
  const path = join(dir, `tmp${randomBytes(4).toString('hex')}`);
  const file = openSync(path, 'w');
  writeSync(file, text);
  await setTimeout(Number(pause));
  fsyncSync(file);
  closeSync(file);
  renameSync(path, join(dir, name));
  sync(dir);
  console.log(Date.now());
}

/** Appends a line; every fifth in two writes, as if a buffer was full. */
async function append(dir, line, number) {
  const log = join(dir, 'events.jsonl');
  const text = Buffer.from(`${line}\n`);
  const cut = number % 5 === 0 ? Math.floor(text.length / 2) : 0;
  if (cut > 0) {
    appendFileSync(log, text.subarray(0, cut));
    await setTimeout(Number(pause));
  }
  appendFileSync(log, text.subarray(cut));
  sync(log);
  console.log(Date.now());
}

async function write(source) {
  const dir = join(to, basename(source));
  mkdirSync(dir);
  const text = (name) => readFileSync(join(source, name), 'utf8');
  const state = JSON.parse(text('state.json'));
  const lines = text('events.jsonl').trimEnd().split('\n');
  const beforeEnd = lines.findIndex((line) => JSON.parse(line).phase === 'terminate') - 1;
  const written = new Set();
  const steps = {
    start: () =>
      replace(
        dir,
        'state.json',
        JSON.stringify({
          ...state,
          links: {},
          outcomes: { ...state.outcomes, actions: [], metrics: {}, status: 'pending', summary: null },
          plan: { source: 'planner', steps: [], updated_at: state.plan.updated_at },
        }),
      ),
    terminate: async () => {
      if (existsSync(join(source, 'learn.jsonl'))) await replace(dir, 'learn.jsonl', text('learn.jsonl'));
      await replace(dir, 'state.json', text('state.json'));
    },
    insight: () => replace(dir, 'summary.json', text('summary.json')),
  };
  const prompts = existsSync(join(source, 'prompts.jsonl'))
    ? text('prompts.jsonl').trimEnd().split('\n')
    : [];
  for (const [index, line] of lines.entries()) {
    const { id, phase } = JSON.parse(line);
    await append(dir, line, index);
    written.add(id);
    // A prompt is recorded after its event, if it has one.
    while (prompts.length > 0 && written.has(JSON.parse(prompts[0]).event_id ?? id))
      appendFileSync(join(dir, 'prompts.jsonl'), `${prompts.shift()}\n`);
    await setTimeout(Number(pause));
    await steps[phase]?.();
    if (index === beforeEnd) await replace(dir, 'state.json', JSON.stringify({ ...state, links: {} }));
  }
  await replace(dir, 'final.json', text('final.json'));
  await setTimeout(Number(pause));
  await replace(dir, 'manifest.json', text('manifest.json'));
}

for (const source of sources) await write(source);
