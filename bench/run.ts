// Measures the built command line against the goals: node scripts/run.mjs bench/run.ts --help
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Store } from './data/store.ts';
import { describeMachine } from './machine.ts';
import { type Options, readOptions, usage } from './options.ts';
import { findTools } from './peers/tools.ts';
import { type BenchReport, type Outcome, toMarkdown } from './report.ts';
import { completeRow } from './rows/complete.ts';
import { exportRow } from './rows/export.ts';
import { archiveRow, cacheRow, fleetRow } from './rows/fleet.ts';
import { homeRow } from './rows/home.ts';
import { findingsRow, memoryOfActsRow, memoryOfTextRow, memoryRow } from './rows/memory.ts';
import { mixedRow } from './rows/mixed.ts';
import { oneRow } from './rows/one.ts';
import { partsRow } from './rows/parts.ts';
import type { Bench, Row } from './rows/row.ts';
import { diffRow, runRows, searchManyRow } from './rows/runs.ts';
import { eventsRows, projectRow } from './rows/select.ts';
import { readRow, sessionsRow } from './rows/sessions.ts';
import { shapeRows } from './rows/shapes.ts';
import { startRow } from './rows/start.ts';
import { tailEndRow, tailRow } from './rows/tail.ts';
import { jobsRow, smallRow, thousandRow, verifyRow } from './rows/verify.ts';
import { viewRow } from './rows/view.ts';

const rows: readonly Row[] = [
  verifyRow,
  ...shapeRows,
  smallRow,
  thousandRow,
  fleetRow,
  mixedRow,
  archiveRow,
  cacheRow,
  projectRow,
  ...eventsRows,
  diffRow,
  ...runRows,
  searchManyRow,
  sessionsRow,
  homeRow,
  readRow,
  viewRow,
  exportRow,
  partsRow,
  jobsRow,
  memoryOfActsRow,
  memoryOfTextRow,
  memoryRow,
  findingsRow,
  startRow,
  oneRow,
  completeRow,
  tailRow,
  tailEndRow,
];

function chosenRows({ only, smoke }: Options): readonly Row[] {
  const unknown = only.find((name) => !rows.some((row) => row.name === name));
  if (unknown !== undefined) {
    throw new RangeError(`no row ${unknown}: there are ${rows.map(({ name }) => name).join(', ')}`);
  }
  if (only.length > 0) return rows.filter(({ name }) => only.includes(name));
  return rows.filter(({ onDemand }) => smoke || !onDemand);
}

async function runRow(row: Row, bench: Bench): Promise<Outcome> {
  const { name, title } = row;
  bench.say(`${name}: ${title}`);
  try {
    return { name, title, result: await row.run(bench) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    bench.say(`${name} failed: ${message}`);
    return { name, title, error: message };
  }
}

async function main(args: readonly string[], folder: string): Promise<number> {
  const options = readOptions(args, folder);
  if (!options) {
    process.stdout.write(usage);
    return 0;
  }
  const chosen = chosenRows(options);
  const say = (text: string) => void process.stderr.write(`${text}\n`);
  if (!existsSync(options.cli)) throw new Error(`${options.cli} is missing: npm run build makes it`);
  const store = new Store(options.data, options.scale, options.fresh, say);
  const tools = findTools(options.data, folder, options.duckdb);
  const machine = describeMachine(tools, options.cli);
  for (const name of machine.missing) say(`${name} is not here: skipped`);

  const bench: Bench = { options, folder, store, tools, say };
  const outcomes: Outcome[] = [];
  for (const row of chosen) outcomes.push(await runRow(row, bench));
  const report: BenchReport = { machine, scale: options.scale, rows: outcomes };
  process.stdout.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : toMarkdown(report));
  return outcomes.some(({ error }) => error !== undefined) ? 1 : 0;
}

try {
  process.exitCode = await main(process.argv.slice(2), dirname(resolve(process.argv[1] ?? '')));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
