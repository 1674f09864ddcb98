// Appends events to a log at a steady rate, each with the time of its write: tail-writer.mjs LOG RATE SECONDS
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';

const [path, rate, seconds] = process.argv.slice(2);
const last = JSON.parse(readFileSync(path, 'utf8').trimEnd().split('\n').at(-1));
const file = openSync(path, 'a');
const total = Math.round(Number(rate) * Number(seconds));
const started = performance.now();
let cause = last.id;
let written = 0;

function append() {
  const id = randomUUID();
  const event = {
    agent_id: 'adapter:core.minimal',
    caused_by: cause,
    episode_id: last.episode_id,
    event_type: 'tool.execution.completed',
    evidence_ids: [],
    id,
    phase: 'runtime',
    payload: { kind: 'tool.execution.completed', status: 'ok', sent_ns: String(process.hrtime.bigint()) },
    timestamp: `${new Date().toISOString().slice(0, -1)}000+00:00`,
  };
  writeSync(file, `${JSON.stringify(event)}\n`);
  cause = id;
  written += 1;
}

/** Writes one event, and sleeps until the next is due. Makes up for late timers. */
function step() {
  append();
  if (written === total) closeSync(file);
  else setTimeout(step, Math.max(0, started + (written * 1000) / Number(rate) - performance.now()));
}
step();
