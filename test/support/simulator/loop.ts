import { makeAct, makeSyntheticAct, vetoCandidate } from './acts.ts';
import { finish } from './finish.ts';
import { pad } from './padding.ts';
import { pause, resume } from './pause.ts';
import { makePlan } from './plan.ts';
import { promptLines } from './prompts.ts';
import { type Run, using } from './run.ts';
import { settleState } from './state.ts';

function open(run: Run): void {
  const { log, task, tags, text, shape } = run;
  const start = log.append({ phase: 'start', payload: { task, seed: shape.seed, using } });
  run.startMicros = start.micros;
  const observed = log.append({
    phase: 'observe',
    causedBy: shape.legacy ? undefined : start.id,
    payload: { task, tags, timestamp: start.timestamp },
  });
  const signals = [text.words(4)];
  let cause = observed.id;
  if (shape.intuition) {
    const advice = text.words(5);
    signals.unshift('directive:hint', advice);
    cause = run.intuitionId = log.append({
      phase: 'intuition',
      agent: 'intuition',
      causedBy: observed.id,
      evidence: ['event:observe:1'],
      payload: {
        schema_version: '1.1.0',
        kind: 'hint',
        advice,
        confidence: 0.6,
        rationale: 'task_length',
        policy_id: 'intuition.heuristic',
        policy_version: '1.0.0',
        policy_kind: 'rules',
        applied: false,
        target: 'input',
        scope: 'episode',
        blocking: false,
        evidence_ids: ['event:observe:1'],
      },
    }).id;
  }
  run.interpretId = log.append({ phase: 'interpret', causedBy: cause, timed: true, payload: { signals } }).id;
}

/** Before which act each later plan is made. */
function replanPoints({ shape, random }: Run): number[] {
  const between = random.chance(0.5);
  return Array.from({ length: shape.plans - 1 }, (_, index) =>
    between ? Math.floor((shape.acts * (index + 1)) / shape.plans) : 0,
  );
}

/** Stops half-way, by an enforced veto where the shape has one and goes on after it, and resumes. */
function breakOff(run: Run): void {
  const vetoed = run.shape.governed === 'veto-enforced' && run.shape.ending !== 'vetoed';
  if (vetoed) vetoCandidate(run);
  const cause = vetoed ? run.cause : run.log.last.id;
  resume(run, pause(run, vetoed ? 'governance_veto' : 'approval', cause));
}

/** How many of the events without effect come before that act, or after the last one: about as many everywhere. */
function paddingBefore({ shape: { acts, extraEvents } }: Run, index: number): number {
  const upTo = (count: number) => Math.floor((extraEvents * count) / (acts + 1));
  return upTo(index + 1) - upTo(index);
}

function act(run: Run): void {
  const { acts, resumed } = run.shape;
  const replans = replanPoints(run);
  const half = resumed ? Math.floor(acts / 2) : -1;
  for (let index = 0; index <= acts; index++) {
    for (const point of replans) if (point === index) makePlan(run);
    pad(run, paddingBefore(run, index));
    if (index === half) breakOff(run);
    if (index < acts) makeAct(run);
  }
}

function reflect(run: Run): string {
  const success = run.shape.ending === 'ok';
  const reasons = run.plan.steps.map((step) => `step:${String(step['id'])}`);
  return run.log.append({
    phase: 'reflect',
    causedBy: run.reflectCause,
    timed: true,
    payload: { success, reasons },
  }).id;
}

/** Leaves the run as it is while it waits or works: no summary, no seal. */
function leaveOpen(run: Run): void {
  run.files.set('events.jsonl', run.log.bytes());
  if (run.shape.legacy) return;
  run.files.set('learn.jsonl', new Uint8Array());
  if (run.prompts.length > 0) run.files.set('prompts.jsonl', promptLines(run));
}

/** Plays a run from its start to the ending that its shape asks for, and fills in its files. */
export function play(run: Run): void {
  const { ending, governed, synthetic, resumed } = run.shape;
  open(run);
  makePlan(run);
  act(run);
  const vetoed = governed === 'veto-enforced' && (ending === 'vetoed' || (ending === 'paused' && !resumed));
  if (vetoed) vetoCandidate(run);
  else if (synthetic) makeSyntheticAct(run);
  if (ending === 'paused') {
    pause(run, vetoed ? 'governance_veto' : 'approval', vetoed ? run.cause : run.log.last.id);
    leaveOpen(run);
  } else if (ending === 'running') {
    settleState(run, { status: 'pending', summary: null, metrics: {} }, 'open');
    leaveOpen(run);
  } else {
    finish(run, ending, ending === 'ok' || ending === 'error' ? reflect(run) : undefined);
  }
}
