import type { FileChange } from '../../dialects/kit/file-change.ts';
import type { CallItem, Story } from '../../dialects/kit/story.ts';

/** A change of a file, with the line of its call. */
interface ChangeInLog extends Omit<FileChange, 'path'> {
  readonly line: number;
  /** The part of the run whose log has the line; absent for the log of the run itself. */
  readonly part?: string;
}

/** The changes of one file. */
export interface ChangedFile {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
  readonly changes: readonly ChangeInLog[];
}

/** A command that may have changed files; the log does not say how. */
interface PossibleChange {
  readonly line: number;
  readonly part?: string;
  readonly command: string;
}

/** The changes of files according to the calls of a run. */
export interface ChangesOfRun {
  /** Ordered by first change. */
  readonly files: readonly ChangedFile[];
  readonly may_have_changed: readonly PossibleChange[];
  /** The line of the last change, and of the last call that ran tests. */
  readonly last_edit?: number;
  readonly last_test?: number;
}

/** The place of a command in a line of the shell. */
const AT = String.raw`(?:^|[\s;&|(])`;
/** Words between the name of a command and the option that makes it write. */
const WORDS = String.raw`(?:[^\S\n]+[^\s;&|]+){0,20}?[^\S\n]+`;

/** Follows the name of a command that does not write if it only checks. */
const WRITING = `(?!${WORDS}--?(?:check|diff))`;

/** Commands that write, move or remove files by nature, or with an option. */
const WRITERS = [
  String.raw`git(?:\s+-[Cc]\s+\S+)*\s+(?:mv|rm|checkout|switch|restore|reset|revert|apply|am|stash(?!\s+(?:list|show))|merge|rebase|pull|cherry-pick|clean|clone)\b`,
  `sed${WORDS}(?:-[a-zA-Z]*i|--in-place)`,
  String.raw`perl${WORDS}-(?!M)\w*i`,
  String.raw`(?:gofmt|goimports|clang-format|prettier|biome|eslint|ruff|stylelint)${WORDS}(?:-w|-i|--write|--fix)\b(?!-)`,
  String.raw`(?:cargo|go|ruff|deno|dotnet|terraform)\s+(?:fmt|format)\b${WRITING}`,
  String.raw`(?:black|isort|rustfmt)${WRITING}(?:\s+-\S+)*\s+[\w./~]`,
  String.raw`(?:npm|pnpm|yarn|bun|pip3?|cargo|go|uv|poetry)\s+(?:i|ci|install|uninstall|add|remove|update|upgrade|get|sync|mod\s+tidy)\b`,
  String.raw`tar\s+(?:-?[a-zA-Z]*x|--extract)`,
  String.raw`(?:mv|cp|rm|rmdir|mkdir|touch|tee|truncate|patch|ln|dd|install|rsync|unzip|(?:Set|Add)-Content|Out-File|(?:New|Remove|Move|Copy|Rename)-Item)\b`,
];
/** A redirection to a file, not to a device or descriptor. */
const REDIRECTION = String.raw`(?:^|[^<>&0-9=-])(?:[&\d])?>>?\|?\s*(?!&|\/dev\/)[\w./~"'$-]`;
const WRITES = new RegExp(`${AT}(?:${WRITERS.join('|')})|${REDIRECTION}`);

/** Commands that run tests. */
const TESTS =
  /(?:^|[\s;&|(])(?:(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?test|npx\s+(?:vitest|jest|mocha|playwright\s+test)|vitest|jest|pytest|python3?\s+-m\s+(?:pytest|unittest)|cargo\s+(?:test|nextest)|go\s+test|mvn\s+(?:\S+\s+)*test|gradle\s+(?:\S+\s+)*test|\.\/gradlew\s+(?:\S+\s+)*test|make\s+(?:test|check)|ctest|rspec|phpunit|dotnet\s+test|deno\s+test|node\s+--test)\b/;

/** Whether a call was executed. A failed call may also have written files. */
const wasRun = ({ status }: CallItem): boolean => status !== 'denied';

/** Tools that run a command, under the names of various programs. */
const SHELLS = /(?:bash|shell|exec|command|terminal|powershell)/i;

/** Separates the words of a command. */
const BETWEEN_WORDS = /[\s"'`=;|&<>(){},]+/;

/** The words of a command, which may be names of files. */
export const wordsOf = (command: string): string[] => command.split(BETWEEN_WORDS);

const commandOf = ({ tool, input, changes = [] }: CallItem): string | undefined =>
  changes.length === 0 && SHELLS.test(tool) ? input : undefined;

/** Whether a call ran tests. */
export function isTestRun(call: CallItem): boolean {
  const command = commandOf(call);
  return command !== undefined && TESTS.test(command);
}

/** The story of a part of a run, and its name. */
export interface PartStory {
  readonly name: string;
  readonly story: Pick<Story, 'turns'>;
}

/**
 * Collects the changes of files in a story and those of its parts. Does not run commands or read other files. The last
 * edit and the last test are those of the run itself, because lines of other logs have no order among its own.
 */
export function changesOfStory(whole: Pick<Story, 'turns'>, parts: readonly PartStory[] = []): ChangesOfRun {
  const files = new Map<string, { added: number; removed: number; changes: ChangeInLog[] }>();
  const maybe: PossibleChange[] = [];
  let [lastEdit, lastTest]: (number | undefined)[] = [];
  const callsIn = ({ turns }: Pick<Story, 'turns'>) =>
    turns.flatMap(({ items }) => items.filter((item) => item.kind === 'call')).filter(wasRun);
  const calls = [
    ...callsIn(whole).map((call) => ({ call, of: {} })),
    ...parts.flatMap(({ name, story }) => callsIn(story).map((call) => ({ call, of: { part: name } }))),
  ];
  for (const { call, of } of calls) {
    const { line, status } = call;
    const isOwn = !('part' in of);
    for (const { path, ...change } of status === 'ok' ? (call.changes ?? []) : []) {
      const file = files.get(path) ?? { added: 0, removed: 0, changes: [] };
      files.set(path, file);
      file.added += change.added;
      file.removed += change.removed;
      file.changes.push({ line, ...of, ...change });
      if (isOwn) lastEdit = line;
    }
    const command = commandOf(call);
    if (command === undefined) continue;
    if (isOwn && TESTS.test(command)) lastTest = line;
    // Quoted text is not part of the command itself.
    if (WRITES.test(command.replace(/'[^']*'|"[^"]*"/g, 'quoted'))) maybe.push({ line, ...of, command });
  }
  return {
    files: [...files].map(([path, file]) => ({ path, ...file })),
    may_have_changed: maybe,
    ...(lastEdit !== undefined && { last_edit: lastEdit }),
    ...(lastTest !== undefined && { last_test: lastTest }),
  };
}
