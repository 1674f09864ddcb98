import { defined } from '../../../base/json/defined.ts';
import type { CopiedRecords } from '../../kit/account.ts';
import { excerptOf } from '../../kit/excerpt.ts';
import type { Moment, SessionAgent, SessionDocument, SessionFile, SessionTurn } from './session.ts';
import { wordsOfPerson } from './words-of-person.ts';

/** Facts about a subagent. Later facts replace earlier ones. */
export type AgentFacts = {
  readonly [Key in Exclude<keyof SessionAgent, 'id' | 'line'>]?: SessionAgent[Key] | undefined;
};

/** What records say about a session as a whole: its title, its files, its subagents, and where it comes from. */
export class SessionFacts {
  readonly #about = new Map<string, string | number | string[]>();
  readonly #files = new Map<string, SessionFile>();
  readonly #copies = { lines: new Set<number>(), edits: new Map<string, number>() };
  readonly #agents = new Map<string, SessionAgent>();
  readonly #links = new Set<string>();
  #title: { readonly rank: number; readonly text: string } | undefined;

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

  /** Sets the title. A higher rank wins; within a rank the last one. */
  title(text: string | undefined, rank = 0): void {
    if (text !== undefined && rank >= (this.#title?.rank ?? 0)) this.#title = { rank, text: excerptOf(text) };
  }

  /** The record on this line was copied from another session. */
  copied(line: number): void {
    this.#copies.lines.add(line);
  }

  /** The copied records so far. */
  get copies(): CopiedRecords {
    return this.#copies;
  }

  /** Notes a file that the call on this line wrote. */
  file(path: string, line: number): void {
    const { lines, edits } = this.#copies;
    if (lines.has(line)) edits.set(path, (edits.get(path) ?? 0) + 1);
    const known = this.#files.get(path);
    if (known === undefined) this.#files.set(path, { path, edits: 1, line });
    else {
      known.edits += 1;
      known.line = line;
    }
  }

  /** Adds facts about a subagent. */
  agent(id: string, facts: AgentFacts, { line }: Moment): void {
    const known = this.#agents.get(id) ?? { id, line };
    const said = Object.entries(facts).filter(([, value]) => value !== undefined);
    this.#agents.set(id, Object.assign(known, Object.fromEntries(said)));
  }

  link(url: string | undefined): void {
    if (url !== undefined) this.#links.add(url);
  }

  /** The facts by name, and what the session is called: in the words of a person, if it has any, else in those of its program. */
  head(turns: readonly SessionTurn[]): Pick<SessionDocument, 'session' | 'title' | 'task'> {
    const title = this.#title?.text;
    const [task = turns[0]?.prompt] = turns.map(({ prompt }) => wordsOfPerson(prompt)).filter(Boolean);
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
