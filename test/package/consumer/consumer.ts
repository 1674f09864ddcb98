// A program that depends on the package and its types: compiled and run by test/package/package.test.ts.
import {
  diffEpisode,
  type EpisodeReport,
  EventLogIntegrityError,
  type Finding,
  type FindingCode,
  iterEvents,
  iterNumberedEvents,
  listEpisodes,
  NoesisError,
  type NoesisEvent,
  type NoesisState,
  type PlanStep,
  projectEpisode,
  projectPlanState,
  readEvents,
  readState,
  TargetError,
  verifyEpisode,
} from 'noesis';

/** Fails to compile where two types are not the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <_ extends true>() => {};

holds<Same<Finding['code'], FindingCode>>();
holds<Same<NonNullable<PlanStep['depends_on']>, string[]>>();
holds<Same<PlanStep['status'], 'pending' | 'running' | 'done' | 'skipped' | 'failed' | 'vetoed'>>();
// @ts-expect-error: no finding is called so
const wrong: FindingCode = 'log/nonsense';

function tell(event: NoesisEvent): string {
  switch (event.phase) {
    case 'act':
      return `${event.payload.tool ?? '?'}: ${event.payload.input_excerpt}`;
    case 'plan':
      return (event.payload.step_records ?? []).map(({ id, status }) => `${id} ${status}`).join(', ');
    case 'governance': {
      holds<Same<typeof event.payload.decision, 'allow' | 'audit' | 'veto'>>();
      return event.payload.decision;
    }
    default:
      return event.phase;
  }
}

const [root = '', id = '', torn = ''] = process.argv.slice(2);
const prefix = id.slice(0, -1);

const phases: string[] = [];
for await (const event of iterEvents(id, { root })) phases.push(event.phase);
const told: string[] = [];
for await (const { line, event } of iterNumberedEvents(prefix, { root })) told.push(`${line} ${tell(event)}`);
const events = await readEvents(id, { root });
const state: NoesisState = await readState(prefix, { root });
const status: NoesisState['outcomes']['status'] = state.outcomes.status;
const report: EpisodeReport = await verifyEpisode(prefix, { root, maxFindings: 10 });
const projected = await projectEpisode(id, { root });
const early = await projectEpisode(id, { root, at: 1 });
const difference = await diffEpisode(id, { root });
const episodes = await listEpisodes({ root });

const failures: unknown[] = [];
for (const attempt of [
  () => readEvents(torn),
  () => readEvents('ep_nowhere', { root }),
  () => projectEpisode(torn),
  () => verifyEpisode('-'),
]) {
  try {
    await attempt();
  } catch (error) {
    if (error instanceof EventLogIntegrityError)
      failures.push([error.corruption.lineNumber, error.details.code]);
    else if (error instanceof TargetError) {
      holds<
        Same<typeof error.code, 'root-missing' | 'target-missing' | 'target-ambiguous' | 'log-missing'>
      >();
      failures.push(error.code);
    } else if (error instanceof NoesisError) failures.push(error.code);
    else throw error;
  }
}

console.log(
  JSON.stringify({
    phases,
    told,
    events: events.length,
    plan: projectPlanState(events)?.steps.length,
    status,
    report,
    projected,
    early,
    difference,
    episodes,
    failures,
    wrong,
  }),
);
