import type { Tone } from './state-view.ts';
import type { Tokens } from './tokens.ts';

/** The sessions of coding agents in one form, whatever program wrote them: what `project` prints. */

/** What the user asked, and what came of it up to the next prompt. */
export interface SessionTurn {
  readonly line: number;
  readonly time?: string;
  readonly prompt: string;
  calls: number;
  failed: number;
  /** The last answer. */
  answer?: string;
  status: TurnStatus;
  /** The user took the turn back; the log keeps it. */
  rolled_back?: true;
  /** From the prompt to the last record of the turn. */
  duration_ms?: number;
}

/** How a turn ended, or that it has not. */
export type TurnStatus = 'done' | 'open' | 'interrupted' | 'error';

const TONES: ReadonlyMap<string, Tone> = new Map<TurnStatus, Tone>([
  ['done', 'good'],
  ['interrupted', 'doubtful'],
  ['error', 'bad'],
]);

/** What the status of a turn, or of a session, means to a reader; undefined while it is open. */
export const toneOfTurn = (status: string): Tone | undefined => TONES.get(status);

/** How a call of a tool ended, or that it has not. */
export type CallStatus = 'ok' | 'error' | 'denied' | 'interrupted' | 'open';

/** How a call ended, of which there is a result. */
export type ResultStatus = Exclude<CallStatus, 'open'>;

/** A call of a tool and what came back. */
export interface SessionCall {
  readonly line: number;
  readonly id?: string;
  readonly tool: string;
  /** The command, the path or what else says most, cut. */
  readonly input: string;
  readonly model?: string;
  /** The subagent that made the call. */
  readonly agent?: string;
  status: CallStatus;
  result_line?: number;
  exit_code?: number;
  duration_ms?: number;
  /** The first line of the error. */
  error?: string;
}

/** A file that the agent wrote. */
export interface SessionFile {
  readonly path: string;
  edits: number;
  /** Of the last one. */
  line: number;
}

/** A part of the session with an agent of its own. */
export interface SessionAgent {
  readonly id: string;
  name?: string;
  description?: string;
  status?: string;
  tokens?: number;
  calls?: number;
  line: number;
}

/** One answer of a model and its tokens, or one call of a tool: what statistics add up. */
export interface UsageEntry {
  /** Equal in copies of the same answer or call, as forks of a session have them. */
  readonly key?: string | undefined;
  readonly model: string;
  readonly tokens?: Tokens;
  readonly answers?: number;
  readonly tool?: string;
}

/** Something that went wrong, in the words of the log. */
export interface SessionProblem {
  readonly kind: string;
  readonly text: string;
  readonly line: number;
}

/** What one model used, and in how many responses if the log says so. */
export type ModelTokens = Tokens & { readonly responses?: number };

/** A whole session. */
export interface SessionDocument {
  /** What the program says of it: id, cwd, branch, versions, where it comes from. */
  readonly session: Readonly<Record<string, string | number | readonly string[]>>;
  readonly title?: string;
  readonly task?: string;
  readonly status: TurnStatus;
  readonly started_at?: string;
  readonly ended_at?: string;
  readonly turns: readonly SessionTurn[];
  readonly calls: readonly SessionCall[];
  readonly files: readonly SessionFile[];
  readonly agents: readonly SessionAgent[];
  readonly models: readonly string[];
  /** By model. */
  readonly tokens: Readonly<Record<string, ModelTokens>>;
  readonly total_tokens?: number;
  readonly compactions: number;
  readonly links: readonly string[];
  readonly problems: readonly SessionProblem[];
  /** The last answer. */
  readonly outcome?: string;
  readonly outcome_line?: number;
}
