import { setImmediate } from 'node:timers/promises';
import type { FileSystem } from '../../../src/base/files/port.ts';
import { MemoryFiles } from './memory-files.ts';
import { watchedFiles } from './watched-files.ts';

/** The part of the world that an actor can see. */
export interface ActorWorld {
  readonly files: FileSystem;
  readonly pid: number;
  isAlive(pid: number): boolean;
  sleep(): Promise<void>;
}

/** Does something with a file system, as a separate process. */
export type Actor = (world: ActorWorld) => Promise<unknown>;

/** The end of an actor. */
export type ActorEnd =
  | { readonly kind: 'done'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'killed' };

export interface Outcome {
  readonly files: MemoryFiles;
  readonly ends: readonly ActorEnd[];
  /** Which actor made which call, for messages. */
  readonly trace: readonly string[];
}

export interface Exploration {
  readonly start: Readonly<Record<string, string | Uint8Array>>;
  readonly actors: readonly Actor[];
  /** How many of the actors may be killed, between any two of their calls. */
  readonly kills?: number;
  /** Looks at each end that can be reached. */
  readonly check: (outcome: Outcome) => void | Promise<void>;
}

/** A step of a schedule: the next call of an actor, or its death. */
interface Step {
  readonly actor: number;
  readonly kill?: true;
}

/** Calls that no other process can see the effect of: when they happen makes no difference. */
const OWN = /^(?:close|sync|syncFolder) |^(?:open|write) .*\.lock\.[0-9a-f-]+$/;

/** A process that runs until its next call. */
class Process {
  end: ActorEnd | undefined;
  /** All results that it has seen. Two processes with equal histories continue in the same way. */
  history: string[] = [];
  /** The call that it waits to make. */
  #pending: { readonly name: string; readonly go: () => void } | undefined;
  /** Asleep until something changes: the number of changes when it lay down. */
  #asleepAt: number | undefined;
  #loopAt: number | undefined;
  readonly #world: World;

  constructor(world: World, pid: number, actor: Actor) {
    this.#world = world;
    const files = watchedFiles(world.files, async (call, make) => {
      const name = `${call.name} ${call.path}`;
      if (call.name === 'link') this.#loopAt ??= this.history.length;
      await this.#turn(name);
      try {
        const value = await make();
        this.history.push(`${name} ${seen(value)}`);
        return value;
      } catch (error) {
        this.history.push(`${name} ${String(error)}`);
        throw error;
      }
    });
    const own: ActorWorld = {
      files,
      pid,
      isAlive: (pid) => world.isAlive(pid),
      sleep: async () => {
        // A process that polled without success is where it was when it began to poll.
        if (this.#loopAt !== undefined) this.history.length = this.#loopAt;
        this.#asleepAt = world.changes;
        await this.#turn('sleep');
        this.#asleepAt = undefined;
      },
    };
    void actor(own).then(
      (value) => {
        this.end ??= { kind: 'done', value };
      },
      (error: unknown) => {
        this.end ??= { kind: 'failed', error };
      },
    );
  }

  #turn(name: string): Promise<void> {
    return new Promise((go) => {
      this.#pending = { name, go };
    });
  }

  get next(): string | undefined {
    return this.#pending?.name;
  }

  get canGo(): boolean {
    if (this.end || this.#pending === undefined) return false;
    if (this.#asleepAt === undefined || this.#asleepAt !== this.#world.changes) return true;
    // Where nobody else does anything, time passes.
    return this.#world.processes.every((other) => other === this || other.end || other.isAsleep);
  }

  get isAsleep(): boolean {
    return this.#asleepAt !== undefined && this.#asleepAt === this.#world.changes;
  }

  go(): void {
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.go();
  }

  kill(): void {
    this.end = { kind: 'killed' };
  }

  get state(): string {
    return `${this.end?.kind ?? ''} ${this.#asleepAt === undefined ? '' : this.canGo} ${this.history.join('|')}`;
  }
}

function seen(value: unknown): string {
  if (Buffer.isBuffer(value)) return value.toString('latin1');
  if (typeof value === 'object' && value !== null && 'size' in value) return `size ${String(value.size)}`;
  return typeof value === 'object' ? '' : String(value);
}

class World {
  readonly files: MemoryFiles;
  readonly processes: Process[];
  readonly trace: string[] = [];
  deaths = 0;

  constructor({ start, actors }: Exploration) {
    this.files = new MemoryFiles(start);
    this.processes = actors.map((actor, index) => new Process(this, index + 1, actor));
  }

  /** The number of events that wake a sleeper: changes of files, and deaths. */
  get changes(): number {
    return this.files.changes + this.deaths;
  }

  isAlive(pid: number): boolean {
    const process = this.processes[pid - 1];
    return process !== undefined && process.end?.kind !== 'killed';
  }

  async take({ actor, kill }: Step): Promise<void> {
    const process = this.processes[actor];
    this.trace.push(`${actor + 1} ${kill ? 'dies before ' : ''}${process?.next ?? 'nothing'}`);
    if (kill) {
      process?.kill();
      this.deaths += 1;
    } else process?.go();
    await setImmediate();
  }

  get state(): string {
    return [this.files.snapshot(), ...this.processes.map(({ state }) => state)].join('\n--\n');
  }
}

/**
 * Makes every order of the calls of some actors happen, each with every death between two calls that is allowed, and
 * checks each end. Orders that lead to the same state are followed once. Returns how many states and ends there were.
 */
export async function explore(what: Exploration): Promise<{ states: number; ends: number }> {
  const known = new Set<string>();
  let ends = 0;
  const open: Step[][] = [[]];
  for (let path = open.pop(); path; path = open.pop()) {
    const world = new World(what);
    await setImmediate();
    for (const step of path) await world.take(step);
    const here = new Set<string>();
    // The first way continues in the current world; the others start again.
    for (;;) {
      const { state } = world;
      if (here.has(state)) throw new Error(`it goes round for ever:\n${world.trace.join('\n')}`);
      if (known.has(state)) break;
      known.add(state);
      here.add(state);
      const steps = stepsOf(world, what.kills ?? 0);
      if (steps.length === 0) {
        ends += 1;
        await checkEnd(world, what);
        break;
      }
      const [first, ...others] = steps;
      for (const other of others) open.push([...path, other]);
      if (first === undefined) break;
      path = [...path, first];
      await world.take(first);
    }
  }
  return { states: known.size, ends };
}

function stepsOf({ processes, deaths }: World, kills: number): Step[] {
  const own = processes.findIndex(({ canGo, next = '' }) => canGo && OWN.test(next));
  if (own !== -1) return [{ actor: own }];
  const steps: Step[] = [];
  for (const [actor, process] of processes.entries()) {
    if (process.canGo) steps.push({ actor });
    if (!process.end && process.next !== undefined && deaths < kills) steps.push({ actor, kill: true });
  }
  return steps;
}

async function checkEnd({ processes, files, trace }: World, { check }: Exploration): Promise<void> {
  const ends = processes.map(({ end }) => end);
  const waiting = processes.findIndex(({ end }) => end === undefined);
  if (waiting !== -1) throw new Error(`actor ${waiting + 1} waits for ever:\n${trace.join('\n')}`);
  try {
    await check({ files, ends: ends.flatMap((end) => end ?? []), trace });
  } catch (error) {
    throw new Error(`${String(error)}\nafter:\n${trace.join('\n')}\nfiles:\n${files.snapshot()}`, {
      cause: error,
    });
  }
}
