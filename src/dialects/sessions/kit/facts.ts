import { defined } from '../../../base/json/defined.ts';
import type { Copied } from '../../kit/copied.ts';
import { excerptOf } from '../../kit/excerpt.ts';
import {
  type Moment,
  ownTurnsOf,
  type SessionAgent,
  type SessionDocument,
  type SessionFile,
  type SessionTurn,
} from './session.ts';
import { wordsOfPerson } from './words-of-person.ts';

/** Facts about a subagent. Later facts replace earlier ones. */
export type AgentFacts = {
  readonly [Key in Exclude<keyof SessionAgent, 'id' | 'line'>]?: SessionAgent[Key] | undefined;
};

/** What records say about a session as a whole: its title, its files, its subagents, and where it comes from. */
export class SessionFacts {
  readonly #about = new Map<string, string | number | string[]>();
  readonly #files = new Map<string, SessionFile>();
  /** The lines of copied records, in order. */
  readonly #copies = new Set<number>();
  #lastCopy = 0;
  readonly #agents = new Map<string, SessionAgent>();
  readonly #links = new Set<string>();
  #title: { readonly rank: number; readonly text: string; readonly isCopy: boolean } | undefined;

  /** Adds a fact about the session. The first value counts. */
  about(name: string, value: string | number | undefined): void {
    if (value !== undefined && !this.#about.has(name)) this.#about.set(name, value);
  }

  /** Adds one of possibly several values of a fact. */
  aboutOneOf(name: string, value: string | undefined): void {
    if (value === undefined) return;
    const known = this.#about.get(name);
    if (!Array.isArray(known)) this.#about.set(name, [value]);
    else if (!known.includes(value)) known.push(value);
  }

  /** Sets the title. A higher rank wins; within a rank the last one. `line`: that of its record. */
  title(text: string | undefined, rank = 0, line = 0): void {
    if (text === undefined || rank < (this.#title?.rank ?? 0)) return;
    this.#title = { rank, text: excerptOf(text), isCopy: this.isCopy({ line }) };
  }

  /** The record on this line was copied from another session. */
  copied(line: number): void {
    this.#copies.add(line);
    this.#lastCopy = line;
  }

  /** The id of the session from which records were copied. */
  get origin(): string | undefined {
    const id = this.#about.get('copied_from') ?? this.#about.get('forked_from');
    return typeof id === 'string' ? id : undefined;
  }

  /** Whether the record on a line was copied from another session. */
  isCopy({ line }: Pick<Moment, 'line'>): boolean {
    return this.#copies.has(line);
  }

  /** The lines of the first and the last copied record so far. */
  get copiedLines(): Copied['lines'] | undefined {
    const [first] = this.#copies;
    return first === undefined ? undefined : [first, this.#lastCopy];
  }

  /** Notes a file that the call on this line wrote, unless the call was copied. */
  file(path: string, line: number): void {
    if (this.isCopy({ line })) return;
    const known = this.#files.get(path);
    if (known === undefined) this.#files.set(path, { path, edits: 1, line });
    else {
      known.edits += 1;
      known.line = line;
    }
  }

  /** Adds facts about a subagent, unless a copied record names it. */
  agent(id: string, facts: AgentFacts, { line }: Moment): void {
    if (this.isCopy({ line })) return;
    const known = this.#agents.get(id) ?? { id, line };
    const said = Object.entries(facts).filter(([, value]) => value !== undefined);
    this.#agents.set(id, Object.assign(known, Object.fromEntries(said)));
  }

  link(url: string | undefined): void {
    if (url !== undefined) this.#links.add(url);
  }

  /**
   * The facts by name, and what the session is called: in the words of a person, if it has any, else in those of its program. What
   * was copied names a session only if nothing else does.
   */
  head(turns: readonly SessionTurn[]): Pick<SessionDocument, 'session' | 'title' | 'task'> {
    const own = ownTurnsOf({ turns });
    const named = own.length > 0 ? own : turns;
    const title = this.#title?.isCopy && own.length > 0 ? undefined : this.#title?.text;
    const [task = named[0]?.prompt] = named.map(({ prompt }) => wordsOfPerson(prompt)).filter(Boolean);
    const words = title && (wordsOfPerson(title) || (task === undefined ? title : undefined));
    return { session: Object.fromEntries(this.#about), ...defined({ title: words, task }) };
  }

  /** What the session changed, started and linked. */
  get lists(): Pick<SessionDocument, 'files' | 'agents' | 'links'> {
    return {
      files: [...this.#files.values()],
      agents: [...this.#agents.values()],
      links: [...this.#links],
    };
  }
}
