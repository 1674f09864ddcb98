import { resolve } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { forOutput } from '../../base/json/output.ts';
import type { EpisodeReport, ReportHead, VerifyReport } from '../../findings/report.ts';
import { below } from '../../show/render/location.ts';
import { plain as plainStyle } from '../../show/render/style.ts';
import { configurationLine, summaryLine } from '../../show/render/words.ts';
import type { Context } from '../context.ts';
import { Failed } from '../failure.ts';
import { PipeClosed } from '../io.ts';
import { Pieces } from '../pieces.ts';
import {
  type FormatName,
  type Layout,
  renderReport,
  type WholeFormat,
  writeStepSummary,
} from './report-formats.ts';
import { openReport, type ReportWriter, writeReport } from './write-report.ts';

/** Variables in which build servers store the path of the checkout: GitHub, GitLab. */
const VARIABLES = ['GITHUB_WORKSPACE', 'CI_PROJECT_DIR'] as const;

/**
 * The folder for relative paths in reports on build servers: the checkout, if the command runs in it or below
 * (`working-directory`). Otherwise the working directory.
 */
function checkoutOf(env: Readonly<Record<string, string | undefined>>, cwd: string): string {
  const here = resolve(cwd);
  const folders = VARIABLES.flatMap((name) => env[name] || []);
  return folders.find((dir) => below(here, dir) !== undefined) ?? here;
}

/** The report options of `verify` and `merge`. */
export interface ReportOptions {
  readonly format?: FormatName;
  readonly output?: string;
}

/** The requested format. If another machine-readable format is named, `-j` only applies to failures. */
export function formatOf(context: Context, { format }: ReportOptions): FormatName {
  if (format === 'pretty' && context.json)
    throw new UsageError('usage', '-f pretty cannot be combined with -j', {
      hint: 'remove one of the two options',
    });
  return format ?? (context.json ? 'json' : 'pretty');
}

/** The output file; undefined: standard output. */
export const outputOf = (context: Context, { output }: ReportOptions): string | undefined =>
  output === undefined || output === '-' ? undefined : resolve(context.io.cwd, output);

type Print = (context: Context, piece: string) => Promise<void>;
const asText: Print = (context, piece) => context.show(piece);
const asJson: Print = (context, piece) => context.out(piece);
const asXml: Print = (context, piece) => context.out(piece, 'xml');

/** How each format is printed so that the runner of a job obeys none of its text. */
const PRINT: Readonly<Record<FormatName, Print>> = {
  pretty: asText,
  markdown: asText,
  json: asJson,
  ndjson: asJson,
  sarif: asJson,
  gitlab: asJson,
  junit: asXml,
  html: asXml,
  // These are commands, whose values it has escaped.
  github: (context, piece) => context.outExactly(piece),
};

/** Prints a report. If the reader closes standard output, the verdict stays. */
async function print(context: Context, format: FormatName, pieces: Iterable<string>): Promise<void> {
  try {
    for (const piece of pieces) await PRINT[format](context, piece);
  } catch (error) {
    if (!(error instanceof PipeClosed)) throw error;
  }
}

/**
 * Prints a complete report and its `views`. Throws `Failed` depending on the verdict. `unchecked`: the error with which the
 * caller ends a command that found nothing, so that a build server that reads only the report knows.
 */
export async function printReport(
  context: Context,
  report: VerifyReport,
  options: ReportOptions & { readonly format: WholeFormat },
  { views, unchecked }: { readonly views?: Layout['views']; readonly unchecked?: Error | undefined } = {},
): Promise<void> {
  const { format } = options;
  const { cwd, env } = context.io;
  const checkout = checkoutOf(env, cwd);
  const layout = {
    style: await context.style,
    width: context.width,
    relativeTo: resolve(cwd),
    checkout,
    quiet: context.quiet,
    maxWarnings: report.policy.maxWarnings,
    views,
    unchecked: unchecked?.message,
  };
  const output = outputOf(context, options);
  if (output !== undefined) {
    await writeReport(output, await renderReport(format, report, { ...layout, style: plainStyle }));
    await print(context, 'pretty', await renderReport('pretty', report, layout));
  } else {
    await print(context, format, await renderReport(format, report, layout));
  }
  if (format === 'github') await writeStepSummary(env['GITHUB_STEP_SUMMARY'], report, checkout);
  if (report.verdict === 'fail') throw new Failed();
}

/** Writes a report in NDJSON episode by episode, so memory use does not grow. */
export class ReportStream implements AsyncDisposable {
  readonly #context: Context;
  readonly #file: ReportWriter | undefined;
  readonly #out = new Pieces((piece) => this.#write(piece));
  #readerIsGone = false;

  private constructor(context: Context, file: ReportWriter | undefined) {
    this.#context = context;
    this.#file = file;
  }

  static async open(context: Context, options: ReportOptions): Promise<ReportStream> {
    const output = outputOf(context, options);
    return new ReportStream(context, output === undefined ? undefined : await openReport(output));
  }

  /** Writes an episode in a line, with its members in the same order as in JSON. */
  async episode({ findings, ...episode }: EpisodeReport): Promise<void> {
    if (this.#out.add(`${JSON.stringify(forOutput({ ...episode, findings }))}\n`)) await this.#out.write();
  }

  /** Writes the last line, without which a report is incomplete. With `--output`, prints a summary to the terminal. */
  async end(head: ReportHead): Promise<void> {
    this.#out.add(`${JSON.stringify(forOutput(head))}\n`);
    await this.#out.write();
    await this.#file?.commit();
    if (this.#file === undefined || this.#context.quiet) return;
    const lines = [
      summaryLine(head, head.policy.maxWarnings),
      configurationLine(head, this.#context.io.cwd) ?? [],
    ].flat();
    await print(
      this.#context,
      'pretty',
      lines.map((line) => `${line}\n`),
    );
  }

  /** Removes an unfinished file. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file?.[Symbol.asyncDispose]();
  }

  async #write(piece: string): Promise<void> {
    if (this.#file) return this.#file.write(piece);
    if (this.#readerIsGone) return;
    try {
      await this.#context.out(piece);
    } catch (error) {
      if (!(error instanceof PipeClosed)) throw error;
      this.#readerIsGone = true;
    }
  }
}
