import type { Findings } from '../../../findings/findings.ts';
import type { Dialect } from '../../dialect.ts';
import type { Account } from '../../kit/account.ts';
import { knownFolder, whyNoFolder } from '../../resume.ts';
import { linesOfFile } from './loading/lines.ts';
import type { Loading, Surroundings } from './loading/model.ts';

/** What the program loads of a log, by the newest rules that are known; undefined if there are none. */
export async function loadingOfLog(
  log: string,
  dialect: Pick<Dialect, 'loading'>,
  surroundings: Surroundings = { path: log },
): Promise<Loading | undefined> {
  const rules = await dialect.loading?.();
  return rules?.load(linesOfFile(log), surroundings, rules.versions[0]);
}

/** The form of the names under which the program finds logs, if it does not find this one; subagents have no names. */
const missingName = (
  log: string,
  { resume, partOf }: Pick<Dialect, 'resume' | 'partOf'>,
): string | undefined =>
  resume?.byName !== undefined && resume.byName.idIn(log) === undefined && partOf?.(log) === undefined
    ? resume.byName.form
    : undefined;

/** Why a program does not find a log with this name; undefined if it does. */
export function whyNotNamed(
  log: string,
  dialect: Pick<Dialect, 'resume' | 'partOf'>,
  program: string,
): string | undefined {
  const form = missingName(log, dialect);
  return form && `${program} finds a session by the name of its file, which must be ${form}`;
}

/** Why its program does not load a session, and where that shows. `isFolder`: absent if the folder need not exist. */
export function whyNotLoaded(
  log: string,
  dialect: Pick<Dialect, 'resume' | 'partOf'>,
  program: string,
  { refusal, cwd }: Loading,
  isFolder: (path: string) => boolean = () => true,
): { readonly reason: string; readonly line: number | null } | undefined {
  if (refusal !== undefined) return { reason: refusal.message, line: refusal.line };
  const reason =
    whyNotNamed(log, dialect, program) ??
    whyNoFolder(dialect.resume, knownFolder(dialect.resume, log, cwd), isFolder);
  return reason === undefined ? undefined : { reason, line: null };
}

/** How much is loaded, in words. */
const loadsText = ({ loaded, of }: Loading): string =>
  `resume loads ${loaded.length} of ${of} parts of the conversation`;

/** Reports where a chain is cut, or which branch is not loaded, if a continued session lacks something. */
export async function reportReach(
  log: string,
  file: string,
  dialect: Pick<Dialect, 'loading'>,
  findings: Findings,
): Promise<void> {
  const loading = await loadingOfLog(log, dialect);
  if (loading === undefined) return;
  const { cuts, branches, loaded, of } = loading;
  const cut = cuts.find(({ isBridged }) => !isBridged);
  const code = 'session/resume-reach';
  if (cut && loaded.length < of) {
    // A program writes a record without a parent when a user goes back to the start.
    const severity = cut.parent === undefined ? 'info' : 'warn';
    findings.report({
      code,
      severity,
      file,
      line: cut.line,
      message: `${loadsText(loading)}: ${cut.message}`,
    });
    return;
  }
  const left = branches.reduce((sum, { parts }) => sum + parts, 0);
  const [first] = branches;
  // Short branches are normal: an answer was asked for again, or a prompt was corrected.
  if (first && left > loaded.length)
    findings.report({
      code,
      file,
      line: first.line,
      message: `${loadsText(loading)}, and ${left} are on other branches`,
    });
}

/** Adds what a continued session lacks to the account of a session. */
export async function accountWithResume<A extends Omit<Account, 'usage'>>(
  account: A,
  log: string,
  dialect: Pick<Dialect, 'loading'>,
): Promise<A> {
  const loading = await loadingOfLog(log, dialect);
  if (loading === undefined) return account;
  const { loaded, of, cuts, branches, refused } = loading;
  const cut = cuts.find(({ isBridged }) => !isBridged);
  const left = branches.reduce((sum, { parts }) => sum + parts, 0);
  if (loaded.length >= of && left === 0 && refused.length === 0) return account;
  const why = [
    `loads ${loaded.length} of ${of} parts`,
    cut && `cut at line ${cut.line}`,
    left > 0 && `${left} on other branches`,
    refused.length > 0 && 'the API refuses the request',
    'see noesis doctor',
  ];
  const field = { label: 'resume', text: why.filter(Boolean).join(', ') };
  const sections = [...(account.sections ?? [])];
  const own = sections.findIndex(({ title }) => title === 'Session');
  const before = sections[own];
  if (before) sections[own] = { ...before, fields: [...(before.fields ?? []), field] };
  else sections.unshift({ title: 'Session', fields: [field] });
  return {
    ...account,
    sections,
    resume: {
      parts: loaded.length,
      of,
      branches: left,
      refused: refused.length,
      ...(cut && { line: cut.line }),
    },
  };
}
