import type { Machine } from './machine.ts';
import type { Timing } from './measure/rounds.ts';
import type { Summary } from './measure/stats.ts';
import type { RowResult } from './rows/row.ts';

/** A row with its result, or with the reason why it failed. */
export interface Outcome {
  readonly name: string;
  readonly title: string;
  readonly result?: RowResult;
  readonly error?: string;
}

/** Everything that a run of the benchmark measured. */
export interface BenchReport {
  readonly machine: Machine;
  readonly scale: number;
  readonly rows: readonly Outcome[];
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const duration = (ms: number) => (ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(2)} s`);

const spread = ({ median, min, max }: Summary) => `${duration(median)} (${duration(min)}–${duration(max)})`;

function rate({ wallMs }: Timing, bytes: number | undefined): string {
  return bytes === undefined ? '' : `${(bytes / 1e3 / wallMs.median).toFixed(0)} MB/s`;
}

function aboutMachine({ machine, scale }: BenchReport): string {
  const { cpu, cores, memoryGb, system, node, noesis, peers, missing, load } = machine;
  const versions = Object.entries(peers).map(([name, version]) =>
    version.startsWith(name) ? version : `${name} ${version}`,
  );
  const lines = [
    `${cpu}, ${cores} cores, ${memoryGb} GiB; ${system}; node ${node}; noesis ${noesis}`,
    `peers: bare loop${versions.map((version) => `, ${version}`).join('')}${missing.length > 0 ? `; missing and skipped: ${missing.join(', ')}` : ''}`,
    `load before the start ${load}; medians, with the extremes in brackets`,
  ];
  if (scale !== 1) lines.push(`**data scaled by ${scale}: the goals are meant for full size**`);
  return lines.map((line) => `- ${line}`).join('\n');
}

function section({ name, title, result, error }: Outcome): string {
  const heading = `### ${name}: ${title}`;
  if (!result) return `${heading}\n\nfailed: ${error ?? ''}`;
  // Short rows have more rounds.
  const rounds = result.timings[0]?.wallMs.count;
  const times = rounds === undefined ? '' : `; ${rounds === 1 ? '1 round' : `${rounds} rounds`}`;
  const parts = [`${heading}\n\nOn ${result.data}${times}.`];
  if (result.timings.length > 0) {
    const rows = result.timings.map((timing) => [
      timing.name,
      spread(timing.wallMs),
      timing.cpuMs ? spread(timing.cpuMs) : '',
      rate(timing, result.bytes),
    ]);
    parts.push(table(['process', 'wall clock', 'user + system', 'rate'], rows));
  }
  if (result.notes.length > 0) parts.push(result.notes.map((note) => `- ${note}`).join('\n'));
  return parts.join('\n\n');
}

const firstLine = (text = '') => text.split('\n', 1)[0] ?? '';

/** The report as Markdown: the machine, the goals, and each row in detail. */
export function toMarkdown(report: BenchReport): string {
  // At another scale, the goals are only a hint.
  const judge = (met: boolean) => {
    if (report.scale !== 1) return met ? '(met)' : '(not met)';
    return met ? 'met' : '**not met**';
  };
  const goals = report.rows.flatMap(({ name, result, error }) =>
    result
      ? result.goals.map(({ what, goal, measured, byCpuTime = '', met, floor = '' }) => [
          name,
          what,
          goal,
          byCpuTime,
          measured,
          goal === 'none' ? '' : judge(met),
          met ? '' : floor,
        ])
      : [[name, 'failed', '', '', '', firstLine(error), '']],
  );
  return [
    aboutMachine(report),
    table(
      ['row', 'what', 'goal', 'by CPU time', 'by the clock, or measured', '', 'least by CPU time'],
      goals,
    ),
    ...report.rows.map(section),
    '',
  ].join('\n\n');
}
