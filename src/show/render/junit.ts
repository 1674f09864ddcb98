import type { Finding } from '../../findings/finding.ts';
import type {
  EpisodeReport,
  OmittedFindings,
  Stage,
  StageName,
  VerifyReport,
} from '../../findings/report.ts';
import { STAGES } from '../../findings/report-words.ts';
import { episodeNames } from './episode-names.ts';
import { escapeText } from './escape.ts';
import { placeOf } from './pretty-finding.ts';
import { stageOf } from './stage-of.ts';
import { plural } from './tally.ts';
import { configurationLine, countOf } from './words.ts';
import { clip } from './wrap.ts';

const LISTED = 100;
const TEXT_UNITS = 2000;

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Escapes text for XML. Characters that XML 1.0 forbids count as harmful, so they are escapes already. */
function xml(text: string): string {
  return escapeText(text).replace(/[&<>"']/g, (character) => String(ENTITIES[character]));
}

function attributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${xml(`${value}`)}"`)
    .join('');
}

function row(finding: Finding): string {
  const { code, severity, message, eventId, path, expected, actual, hint } = finding;
  const facts = Object.entries({ event: eventId, at: path, expected, actual, help: hint });
  const notes = facts
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `; ${name}: ${clip(`${value}`, 400)}`);
  return xml(`${severity}[${code}] ${placeOf(finding)}: ${clip(message, TEXT_UNITS)}${notes.join('')}`);
}

/** Findings in one element: the first ones, and a count. */
class Listed {
  readonly first: Finding[] = [];
  count = 0;
  /** The code of unlisted findings. */
  #counted = '';

  add(finding: Finding): void {
    this.count += 1;
    if (this.first.length < LISTED) this.first.push(finding);
  }

  addMore({ code, count }: OmittedFindings): void {
    this.count += count;
    this.#counted = code;
  }

  /** The summary in the element's attributes. */
  head(): string {
    const [first] = this.first;
    if (first === undefined)
      return attributes({ type: this.#counted, message: `${plural(this.count, 'finding')} not listed` });
    const more = this.count > 1 ? ` (and ${this.count - 1} more)` : '';
    return attributes({ type: first.code, message: `${clip(first.message, TEXT_UNITS)}${more}` });
  }

  rows(): string {
    const left = this.count - this.first.length;
    return [...this.first.map(row), ...(left > 0 ? [`… and ${left} more`] : [])].join('\n');
  }
}

/** The findings of a stage: those that make it fail, and others. */
class StageFindings {
  readonly failures = new Listed();
  readonly remarks = new Listed();
}

interface Case {
  readonly text: string;
  readonly failed: boolean;
  readonly skipped: boolean;
}

function testCase(stage: Stage, { failures, remarks: rest }: StageFindings, name: string): Case {
  const failed = failures.count > 0;
  const skipped = stage.status === 'skipped' && !failed;
  const reason = stage.reason ?? 'skipped';
  const parts: string[] = [];
  if (skipped) parts.push(`      <skipped>${xml(reason)}</skipped>`);
  if (failed) parts.push(`      <failure${failures.head()}>${failures.rows()}</failure>`);
  const remarks = stage.status === 'skipped' && failed ? [xml(`not checked in full: ${reason}`)] : [];
  if (rest.count > 0) remarks.push(rest.rows());
  if (remarks.length > 0) parts.push(`      <system-out>${remarks.join('\n')}</system-out>`);
  const head = attributes({ name: stage.name, classname: `noesis.${name}`, time: 0 });
  const text =
    parts.length === 0
      ? `    <testcase${head}/>`
      : `    <testcase${head}>\n${parts.join('\n')}\n    </testcase>`;
  return { text, failed, skipped };
}

function suite(
  episode: EpisodeReport,
  suiteName: string,
  warningsFail: boolean,
  configuration: string | undefined,
): { text: string; tests: number; failures: number } {
  const byStage = new Map<StageName, StageFindings>();
  const listFor = (what: Pick<Finding, 'code' | 'severity'>): Listed => {
    const name = stageOf(what);
    const found = byStage.get(name) ?? new StageFindings();
    byStage.set(name, found);
    const fails = what.severity === 'error' || (warningsFail && what.severity === 'warn');
    return fails ? found.failures : found.remarks;
  };
  for (const finding of episode.findings) listFor(finding).add(finding);
  for (const more of episode.omitted ?? []) listFor(more).addMore(more);
  const known = new Map(episode.stages.map((stage) => [stage.name, stage]));
  const cases: Case[] = [];
  for (const name of STAGES) {
    const found = byStage.get(name);
    const stage = known.get(name) ?? (found && ({ name, status: 'ran' } as const));
    if (stage !== undefined) cases.push(testCase(stage, found ?? new StageFindings(), suiteName));
  }
  const tests = cases.length;
  const failures = cases.filter(({ failed }) => failed).length;
  const skipped = cases.filter((one) => one.skipped).length;
  const head = attributes({ name: suiteName, tests, failures, errors: 0, skipped, time: 0 });
  const properties = Object.entries({
    path: episode.path,
    dialect: episode.dialect,
    events: episode.events,
    sealed: episode.sealed,
    ...(episode.level !== undefined && { level: episode.level, not_proven: episode.notProven }),
    ...(configuration !== undefined && { configuration }),
  })
    .map(([name, value]) => `      <property${attributes({ name, value: `${value}` })}/>`)
    .join('\n');
  const body = cases.map(({ text }) => `${text}\n`).join('');
  return {
    text: `  <testsuite${head}>\n    <properties>\n${properties}\n    </properties>\n${body}  </testsuite>`,
    tests,
    failures,
  };
}

/** A suite for an error of the command itself. */
function errorSuite(message: string): string {
  const name = 'noesis verify';
  const head = attributes({ name, tests: 1, failures: 0, errors: 1, skipped: 0, time: 0 });
  const one = attributes({ name: 'target', classname: name, time: 0 });
  const error = attributes({ type: 'error', message: clip(message, TEXT_UNITS) });
  return `  <testsuite${head}>\n    <testcase${one}>\n      <error${error}/>\n    </testcase>\n  </testsuite>`;
}

/**
 * The report as JUnit XML: a suite per episode, named by its id (with its path below `relativeTo` if ids
 * repeat), and a case per stage, whose errors are one failure. Warnings are failures too if `--strict` or
 * `--max-warnings` made them fail. If nothing was checked, a separate suite has the error `unchecked`. All times are 0.
 */
export function renderJunit(report: VerifyReport, relativeTo?: string, unchecked?: string): string {
  const nameOf = episodeNames(report.episodes, relativeTo);
  const configuration = configurationLine(report, relativeTo);
  const someFail = report.episodes.some(({ verdict }) => verdict === 'fail');
  const suites = report.episodes.map((episode) => {
    const failed = episode.verdict === 'fail' || (report.verdict === 'fail' && !someFail);
    const errors = countOf(episode, 'error') > 0;
    return suite(episode, nameOf(episode), failed && !errors, configuration);
  });
  const total = (key: 'tests' | 'failures'): number => suites.reduce((sum, one) => sum + one[key], 0);
  const head = attributes({
    name: 'noesis verify',
    tests: total('tests') + (unchecked === undefined ? 0 : 1),
    failures: total('failures'),
    errors: unchecked === undefined ? 0 : 1,
    time: 0,
  });
  const texts = [
    ...suites.map(({ text }) => text),
    ...(unchecked === undefined ? [] : [errorSuite(unchecked)]),
  ];
  const body = texts.map((text) => `${text}\n`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${head}>\n${body}</testsuites>\n`;
}
