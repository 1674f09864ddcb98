import { statSync } from 'node:fs';
import type { Command } from 'commander';
import { accountOfLog } from '../src/describe/account-of-log.ts';
import type { ViewText } from '../src/dialects/state-view.ts';
import { findConfiguration } from '../src/discover/configuration.ts';
import { DEFAULT_POLICY } from '../src/findings/policy.ts';
import { type EpisodeReport, severityCounts } from '../src/findings/report.ts';
import { tally } from '../src/render/words.ts';
import { keysInEnvironment } from '../src/verify/keys.ts';
import { verifyOneOfMany } from '../src/verify/run.ts';
import { policyFromSettings } from '../src/verify/verify-config.ts';
import { Context, type GlobalOptions } from './context.ts';
import { corruptLog } from './failure.ts';
import type { Io } from './io.ts';
import { type OpenLog, openLog } from './open-log.ts';

/** In bytes: verifying a longer log takes longer than a look at it should. */
const LONGEST_VERIFIED = 256 * 1024 * 1024;

export function addShow(program: Command, io: Io): void {
  program
    .command('show')
    .description('what happened in a run, and why it ended so; or one event of it, whole')
    .argument('<target>')
    .argument('[event]', 'the line or the id of an event, or the beginning of its id')
    .action((target: string, event: string | undefined, _options, command: Command) =>
      runShow(new Context(io, command.optsWithGlobals<GlobalOptions>()), target, event),
    );
}

/** Verifies the episode as `noesis verify` would, with the configuration and the keys that are at hand. */
async function verified(context: Context, { name, path, dir, run, owner }: OpenLog): Promise<EpisodeReport> {
  const config = await findConfiguration(context.io.cwd);
  return verifyOneOfMany(
    { name, dir, log: path, ...(run !== undefined && { run }), ...(owner !== undefined && { owner }) },
    {
      policy: config ? policyFromSettings(config.verify, config.path) : DEFAULT_POLICY,
      keys: { byKid: new Map(), byVariable: keysInEnvironment(context.io.env) },
      dialect: context.dialect,
      settings: config?.dialects ?? {},
    },
  );
}

function verdictText(report: EpisodeReport): ViewText {
  const { error, warn, info } = severityCounts(report);
  const found = tally(error, warn, info);
  const text = `${report.verdict}${found === '' ? '' : ` (${found}); noesis verify tells`}`;
  return { text, tone: report.verdict === 'fail' ? 'bad' : report.verdict === 'warn' ? 'doubtful' : 'good' };
}

async function runShow(context: Context, target: string, event: string | undefined): Promise<void> {
  const log = await openLog(context, target);
  const verify = async () =>
    statSync(log.path).size > LONGEST_VERIFIED ? undefined : await verified(context, log);
  try {
    if (event !== undefined) {
      const { showEvent } = await import('./show-event.ts');
      return await showEvent(context, log, event, verify);
    }
    const told = await accountOfLog(log.path, log.dialect, log.run);
    if ('corruption' in told) throw corruptLog(log.label, told.corruption);
    const report = await verify();
    if (context.json) {
      const { account, ...rest } = told;
      const verdict = report?.verdict;
      const document = { episode: log.name, dialect: log.dialect.name, verdict, ...account, ...rest };
      return await context.out(`${JSON.stringify(document, null, 2)}\n`);
    }
    const integrity: ViewText = report
      ? verdictText(report)
      : { text: 'not asked, as the log is long: noesis verify', tone: 'muted' };
    const { accountView } = await import('../src/render/account-view.ts');
    await context.showView(accountView(told, { name: log.name, dialect: log.dialect.name, integrity }));
  } finally {
    await log.dispose();
  }
}
