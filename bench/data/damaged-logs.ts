import { closeSync, openSync, writeSync } from 'node:fs';

const LINES_AT_A_TIME = 10_000;

const START =
  '{"id":"start","phase":"start","payload":{},"timestamp":"2026-03-01T10:00:00Z","episode_id":"ep_damaged","evidence_ids":[]}\n';

function eventWithoutCause(number: number): string {
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  return `{"id":"${id}","phase":"reason","payload":{},"timestamp":"2026-03-01T10:00:00Z","episode_id":"ep_damaged","evidence_ids":[],"caused_by":"gone-${number}"}\n`;
}

function writeLines(path: string, count: number, lineOf: (number: number) => string): void {
  const file = openSync(path, 'w');
  try {
    writeSync(file, START);
    for (let from = 1; from <= count; from += LINES_AT_A_TIME) {
      const upTo = Math.min(count, from + LINES_AT_A_TIME - 1);
      writeSync(file, Array.from({ length: upTo - from + 1 }, (_, index) => lineOf(from + index)).join(''));
    }
  } finally {
    closeSync(file);
  }
}

/** Writes a log with this number of lines that are not JSON. */
export function writeGarbage(path: string, count: number): void {
  writeLines(path, count, () => '{"torn":\n');
}

/** Writes a log with this number of events without their cause. Such findings are held back until the end. */
export function writeCauseless(path: string, count: number): void {
  writeLines(path, count, eventWithoutCause);
}

/** Writes a log with a line of this size, mostly a hole in the file, and a line with values nested this deep. */
export function writeOversized(path: string, bytes: number, depth: number): void {
  const file = openSync(path, 'w');
  try {
    writeSync(file, `${START}{"text":"`);
    const deep = `{"deep":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    writeSync(file, `"}\n${deep}\n`, START.length + bytes);
  } finally {
    closeSync(file);
  }
}
