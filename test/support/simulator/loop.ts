import { makeAct, makeSyntheticAct, reasons } from './acts.ts';
import { finish, recordLearning } from './finish.ts';
import { vetoCandidate } from './governance.ts';
import { pad } from './padding.ts';
import { checkpoint, interrupt, pauseOnVeto, readBack, resume } from './pause.ts';
import { makePlan } from './plan.ts';
import { recordPrompt } from './prompts.ts';
import type { Run } from './run.ts';
import { stateOf, writeState } from './state.ts';
import { callTool } from './tools.ts';

function observe(run: Run, startId: string): string {
  const { log, task, tags, shape } = run;
  const snapshot = {
    task,
    seed: shape.seed,
    history: [],
    tools_seen: [],
    tags,
    state_path: 'state.json',
    state: stateOf(run),
    using: run.using,
  };
  return log.append({
    phase: 'observe',
    causedBy: shape.legacy ? undefined : startId,
    timed: true,
    payload: (timestamp) => ({ task, tags, timestamp, experimental: { snapshot } }),
  }).id;
}

function intuit(run: Run, cause: string): string[] {
  const { text, random, task } = run;
  const [advice, kind] = run.shape.script?.advice ?? [
    text.words(5),
    random.pick(['hint', 'hint', 'intervention', 'veto']),
  ];
  const evidence = !run.shape.script && random.chance(0.2) ? ['event:observe:1'] : [];
  const serious = {
    risk_level: 'high',
    patch: { normalize: true },
    scrutiny_level: 'elevated',
    salience_signals: ['safety_boundary'],
    strategy_hints: ['narrow_scope'],
    tool_constraints: ['read_only'],
  };
  const { id } = run.log.append({
    phase: 'intuition',
    agent: 'intuition',
    causedBy: cause,
    evidence,
    payload: {
      schema_version: '1.1.0',
      kind,
      advice,
      confidence: 0.6,
      rationale: random.chance(0.3) ? 'seen before' : null,
      policy_id: 'intuition.llm',
      policy_version: '1.0.0',
      policy_kind: 'llm',
      applied: false,
      target: 'input',
      scope: 'episode',
      blocking: kind === 'veto',
      evidence_ids: evidence,
      ...(kind === 'hint' ? {} : serious),
    },
  });
  run.intuition = { id, evidence };
  const rendered = `[intuition] goal=${task} | kind=${kind}`;
  recordPrompt(run, { phase: 'intuition', agent: 'intuition', kind: 'intuition', rendered, eventId: id });
  return [`directive:${kind}`, advice];
}

function open(run: Run): void {
  const { log, task, shape } = run;
  const payload = { task, seed: shape.seed, using: run.using };
  const start = log.append({ phase: 'start', payload });
  run.startMicros = start.micros;
  if (!shape.legacy) writeState(run);
  const observed = observe(run, start.id);
  const signals = shape.intuition ? intuit(run, observed) : [];
  run.interpretId = log.append({
    phase: 'interpret',
    causedBy: run.intuition?.id ?? observed,
    timed: true,
    payload: { signals },
  }).id;
  run.counts.interprets += 1;
  const rendered = `[interpret] goal=${task} | signals=${signals.length}`;
  const prompt = { phase: 'interpret', agent: 'interpret', kind: 'reasoning', rendered };
  recordPrompt(run, { ...prompt, eventId: run.interpretId });
}

/** Before which acts the later plans are made. In a script, when the steps of the previous plan are done. */
function replanPoints({ shape, random }: Run): number[] {
  const { script } = shape;
  if (script) {
    const done = (plan: number) => script.plans.slice(0, plan).flatMap(({ steps }) => steps).length;
    return script.plans.slice(1).map((_, index) => done(index + 1));
  }
  const between = random.chance(0.5);
  return Array.from({ length: shape.plans - 1 }, (_, index) =>
    between ? Math.floor((shape.acts * (index + 1)) / shape.plans) : 0,
  );
}

/** The documented way to continue after a veto: interrupt, write a checkpoint, resume, each perhaps twice. */
function resumeElsewhere(run: Run): void {
  const { random, shape, log } = run;
  const vetoed = shape.governed === 'veto-enforced';
  if (vetoed) pauseOnVeto(run, vetoCandidate(run));
  if (!vetoed || random.chance(0.7)) interrupt(run, 'awaiting approval', log.last.id);
  const standstill = checkpoint(run);
  resume(run, standstill);
  if (random.chance(0.3)) resume(run, standstill);
  readBack(run);
}

/** An adapter that waits for its operator in the middle of its work, and then continues. */
function resumeHere(run: Run): void {
  interrupt(run, 'operator asked', run.log.last.id);
  resume(run, checkpoint(run));
}

/** How many of the padding events come before an act, or after the last one. They are spread evenly. */
function paddingBefore({ shape: { acts, extraEvents } }: Run, index: number): number {
  const upTo = (count: number) => Math.floor((extraEvents * count) / (acts + 1));
  return upTo(index + 1) - upTo(index);
}

/** The number of acts. An adapter that fails does so half-way. */
const actsOf = ({ shape: { ending, adapter, acts } }: Run): number => {
  if (ending !== 'error' && ending !== 'aborted') return acts;
  return adapter === 'tool' ? 0 : Math.floor(acts / 2);
};

function act(run: Run): void {
  const { shape, clock } = run;
  if (shape.resumed === 'read-back') resumeElsewhere(run);
  run.workMicros = clock.now();
  for (let number = 1; number <= shape.toolCalls; number++) callTool(run, number);
  const acts = actsOf(run);
  const replans = replanPoints(run);
  const half = shape.resumed === 'in-process' ? Math.floor(acts / 2) : -1;
  for (let index = 0; index <= acts; index++) {
    // A process that has read a run back keeps its plan.
    if (run.faculties) for (const point of replans) if (point === index) makePlan(run);
    pad(run, paddingBefore(run, index));
    if (index === half) resumeHere(run);
    if (index < acts) makeAct(run);
  }
}

function reflect(run: Run): void {
  const { log, shape } = run;
  const success = shape.ending === 'ok';
  const why = reasons(run);
  const payload = { success, reasons: why };
  const { id } = log.append({ phase: 'reflect', causedBy: run.reflectCause, timed: true, payload });
  run.counts.reflects += 1;
  const rendered = `[reflect] success=${success ? 'True' : 'False'} | reasons=${why.join(';')}`;
  recordPrompt(run, { phase: 'reflect', agent: 'reflect', kind: 'reflection', rendered, eventId: id });
  recordLearning(run, id, 'reflecting');
}

const endedEarly = {
  error: 'cannot map input',
  aborted: 'run aborted by its caller',
} as const;

/** Ends the work as the shape requests. */
function end(run: Run): void {
  const { ending, synthetic, legacy } = run.shape;
  if (ending === 'running') {
    if (legacy) writeState(run);
    return;
  }
  if (ending === 'paused') {
    const vetoed = run.shape.governed === 'veto-enforced' && run.faculties;
    if (vetoed) pauseOnVeto(run, vetoCandidate(run));
    if (vetoed && !run.shape.checkpointAgain) return;
    interrupt(run, vetoed ? 'awaiting approval' : 'operator asked', run.log.last.id);
    checkpoint(run);
  } else if (ending === 'vetoed') {
    run.outcomes = { status: 'vetoed', summary: vetoCandidate(run), metrics: {} };
    finish(run, 'vetoed');
  } else if (ending === 'error' || ending === 'aborted') {
    run.outcomes = { status: ending, summary: endedEarly[ending], metrics: {} };
    finish(run, ending);
  } else {
    if (synthetic) makeSyntheticAct(run);
    reflect(run);
    finish(run, ending === 'ok' ? 'ok' : 'error');
  }
}

/** Plays a run from its start to the requested ending, and writes its files. */
export function play(run: Run): void {
  for (let number = 1; number <= run.shape.leftovers; number++) {
    run.disk.append(`tmp${run.random.hex(8)}`, run.random.chance(0.5) ? '' : '{"adapter_result": "succ');
  }
  open(run);
  makePlan(run);
  act(run);
  end(run);
}
