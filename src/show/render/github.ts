import type { Severity } from '../../findings/finding.ts';
import type { VerifyReport } from '../../findings/report.ts';
import { escapeText } from './escape.ts';
import { below, fileOf, isAbsolute } from './location.ts';
import { plural } from './tally.ts';
import { configurationLine, proofLine, summaryLine } from './words.ts';
import { withoutCommands } from './workflow-commands.ts';
import { type Placed, worstOf } from './worst.ts';
import { clip } from './wrap.ts';

/** GitHub shows ten annotations per level and step and silently drops the rest. One of ours is a summary. */
const SHOWN = 9;
const MESSAGE_UNITS = 2000;

const COMMAND: Record<Severity, string> = { error: 'error', warn: 'warning', info: 'notice' };

const DATA: Record<string, string> = { '%': '%25', '\r': '%0D', '\n': '%0A' };
const PROPERTY: Record<string, string> = { ...DATA, ':': '%3A', ',': '%2C' };

/** The text of a trace: other runners, which may print this report, find no command in it either. */
const safe = (text: string): string => withoutCommands(escapeText(text));

function data(text: string): string {
  return safe(text).replace(/[%\r\n]/g, (character) => String(DATA[character]));
}

function property(text: string): string {
  return safe(text).replace(/[%\r\n:,]/g, (character) => String(PROPERTY[character]));
}

function annotation({ episode, finding }: Placed, relativeTo: string): string {
  const { code, severity, message, hint, line, column } = finding;
  const path = fileOf(episode, finding);
  const properties: string[] = [];
  if (isAbsolute(path)) properties.push(`file=${property(below(path, relativeTo) ?? path)}`);
  if (line !== undefined) properties.push(`line=${line}`);
  if (line !== undefined && column !== undefined) properties.push(`col=${column}`);
  properties.push(`title=${property(code)}`);
  const text = clip(hint === undefined ? message : `${message} (${hint})`, MESSAGE_UNITS);
  return `::${COMMAND[severity]} ${properties.join(',')}::${data(text)}`;
}

/** Workflow commands: the nine worst findings as annotations, and a summary. `unchecked`: why nothing was checked. */
export function renderGithub(
  report: VerifyReport,
  options: { readonly relativeTo: string; readonly unchecked?: string | undefined },
): string {
  const { worst, total } = worstOf(report, SHOWN);
  const lines = worst.map((placed) => annotation(placed, options.relativeTo));
  const left = total - worst.length;
  const more = left > 0 ? `; ${plural(left, 'more finding')} not shown here` : '';
  const proof = proofLine(report);
  const open = proof === undefined ? '' : ` (${proof})`;
  const changed = configurationLine(report, options.relativeTo);
  const rules = changed === undefined ? '' : `; ${changed}`;
  const { unchecked } = options;
  const command = report.verdict === 'fail' || unchecked !== undefined ? 'error' : 'notice';
  const reason = unchecked === undefined ? '' : `${unchecked}; `;
  return [
    ...lines,
    `::${command} title=noesis verify::${data(reason + summaryLine(report) + open + rules + more)}`,
    '',
  ].join('\n');
}
