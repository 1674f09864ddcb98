// What users type who know other programs, and what noesis has instead. A name that is merely mistyped is not here.

/** Command lines that do what users expect of a command with another name. */
const COMMANDS: readonly (readonly [names: string, lines: readonly string[]])[] = [
  ['cost costs price prices usage tokens spend', ['list --sort cost', 'stats --by model', 'show <run>']],
  ['sessions session runs history ps projects', ['list', 'show <run>']],
  ['find grep rg', ['search <text>']],
  ['resume continue', ['doctor <run>', 'show <run>']],
  ['summary info inspect status why describe', ['show latest']],
  ['replay transcript print story', ['read latest']],
  ['open html web ui browse page serve', ['view latest']],
  ['check validate lint audit', ['verify latest']],
  ['changes files edits', ['show --changes latest']],
  ['errors failures failed', ['list --failed', 'events --failed latest']],
  ['repair fix recover', ['doctor --fix latest', 'salvage <log>']],
  ['compare', ['diff <a> <b>']],
  ['follow watch', ['tail -f latest']],
  ['trace spans tree', ['timeline latest']],
  ['query select', ['sql <query>']],
  ['convert', ['export --format <name> latest']],
  ['tools calls', ['stats --by tool', 'timeline latest']],
  ['subagents subagent agents', ['read --all latest']],
  ['head', ['events --limit 20 latest']],
  ['config configure configuration settings', ['help configuration']],
  ['man manual docs', ['help']],
  ['jq', ['events -j latest', 'state latest <path>']],
  ['anonymize anonymise sanitize scrub', ['redact latest -o <dir>']],
];

/** What noesis does not have, in sentences, because no command does it. */
const NOT_NEEDED: readonly (readonly [names: string, instead: string])[] = [
  [
    'login logout auth signin account',
    'noesis needs no account: it reads the logs on this machine; noesis list shows them',
  ],
  ['init setup start', 'there is nothing to set up: noesis list shows the runs of this machine'],
  [
    'update upgrade install uninstall self-update',
    'noesis does not install or update itself: use what installed it, such as npm; noesis --version has the version',
  ],
  [
    'statuses verdicts severities marks symbols words meanings',
    'run noesis explain for the words of outputs, such as statuses; noesis explain done says what one means',
  ],
  ['delete remove rm clean prune', 'noesis deletes no logs; noesis list --wide shows where they are'],
];

const PAGE_OF_TWO = 'run noesis view <a> <b> for a page that compares both; -j prints JSON';

/** Options that a command does not have, because it, or another command, does without them what they say. */
const WITHOUT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  list: {
    all: 'leave it out: noesis list lists all runs, and --limit N only the newest N',
    damaged: 'run noesis doctor --all, which lists damaged sessions first; list marks them with !',
  },
  verify: { all: 'leave it out: noesis verify checks all runs that it finds' },
  stats: { all: 'leave it out: noesis stats counts all runs that it finds' },
  diff: { f: PAGE_OF_TWO, format: PAGE_OF_TWO, html: PAGE_OF_TWO, output: PAGE_OF_TWO },
};

/** Options whose value is taken for the name of a dialect, if it is one. */
export const DIALECT_OPTIONS: ReadonlySet<string> = new Set(
  'tool agent program provider format dialects app cli client source'.split(' '),
);

/** Options, some with a value, that do what users expect of an option with another name. */
const OPTIONS: readonly (readonly [names: string, options: readonly string[]])[] = [
  ['f format output json', ['json']],
  ['program format dialects provider', ['dialect']],
  ['last n max count head top first', ['limit']],
  ['day days daily', ['by day', 'since']],
  ['after from date today newer', ['since']],
  ['before to older', ['until']],
  ['folder dir cwd repo', ['project']],
  ['turns prompt prompts', ['turn']],
  ['tools calls', ['tool', 'by tool']],
  ['subagents subagent agents', ['agent', 'all', 'full']],
  ['verbose v details detail long l everything', ['full', 'wide', 'all']],
  ['oneline short brief', ['quiet']],
  ['tail', ['last', 'limit']],
  ['errors failures fail error failed', ['failed', 'status error']],
  ['diff edits files', ['changes']],
  ['text query search pattern', ['grep']],
  ['who speaker', ['role']],
  ['order', ['sort']],
  ['price cost costs tokens usage', ['sort cost', 'by model']],
];

/** Values of options, such as those of `--sort` and `--by`, that mean what users expect of another value. */
const VALUES: readonly (readonly [names: string, values: readonly string[]])[] = [
  ['date time newest latest recent modified', ['written', 'start', 'day']],
  ['oldest started begin created', ['start']],
  ['duration length runtime', ['took']],
  ['price costs spend', ['cost']],
  ['name title', ['task']],
  ['folder dir cwd repo', ['project']],
  ['program format provider', ['dialect']],
  ['bytes', ['size']],
  ['outcome result', ['status']],
];

/** Words that other programs use for the newest run. */
const NEWEST = new Set(['last', 'newest', 'recent', 'current', 'head']);

/** Names of options that would select the newest run; `head` would rather be a number of lines. */
export const NEWEST_OPTIONS: ReadonlySet<string> = new Set(
  [...NEWEST, 'latest'].filter((name) => name !== 'head'),
);

/** Commands that hints name first, because they show one run or list many. */
const FIRST = ['list', 'show', 'read', 'events', 'search'];

/** A command that is a short form of another one, so hints name only the other. */
const SHORT_FORMS = new Set(['insight']);

/** The commands that hints may name for an option, those that most users know first. */
export function bestFirst<Named extends { name(): string }>(commands: readonly Named[]): readonly Named[] {
  const rank = (command: Named) => {
    const at = FIRST.indexOf(command.name());
    return at < 0 ? FIRST.length : at;
  };
  return commands.filter((command) => !SHORT_FORMS.has(command.name())).toSorted((a, b) => rank(a) - rank(b));
}

const found = (table: readonly (readonly [names: string, instead: readonly string[]])[], name: string) =>
  table.flatMap(([names, instead]) => (names.split(' ').includes(name) ? instead : []));

/**
 * Command lines without `noesis`, for a command that is not one. With a target, only those that take one, if there are any;
 * without one, those that need a run only if there are no others.
 */
export function commandsFor(name: string, hasTarget: boolean): readonly string[] {
  const lines = found(COMMANDS, name.toLowerCase());
  const fits = (line: string) => (hasTarget ? /latest|<[a-z]+>/.test(line) : !line.includes('<run>'));
  const fitting = lines.filter(fits);
  return fitting.length > 0 ? fitting : lines;
}

/** What to do instead of something that no command does. */
export const notNeeded = (name: string): string | undefined =>
  NOT_NEEDED.find(([names]) => names.split(' ').includes(name.toLowerCase()))?.[1];

/** What to do instead of giving an option that the command does not need. */
export const without = (command: string, option: string): string | undefined => WITHOUT[command]?.[option];

/** The long names, without dashes, of the options that may be meant, some with a value: `status error`. */
export const optionsFor = (name: string): readonly string[] => [name, ...found(OPTIONS, name.toLowerCase())];

/** The values that may be meant by another one. */
export const valuesFor = (said: string): readonly string[] => found(VALUES, said.toLowerCase());

/** Whether a word names the newest run in another program. */
export const isNewest = (said: string): boolean => NEWEST.has(said.toLowerCase());

/** Ages that users name by a word alone, as options take them. */
const AGES: Readonly<Record<string, string>> = {
  hour: '1h',
  day: '1d',
  week: '7d',
  month: '30d',
  year: '365d',
};

/** A time as options take it, for a word such as `week` or `past month`. */
export const ageFor = (said: string): string | undefined =>
  AGES[/^(?:(?:this|last|past) )?([a-z]+?)s?$/.exec(said.trim().toLowerCase())?.[1] ?? ''];

/** All command lines that hints may show. */
export const SUGGESTED_LINES: readonly string[] = COMMANDS.flatMap(([, lines]) => lines);

/** The names that have an entry. */
export const KNOWN_NAMES: readonly string[] = [...COMMANDS, ...NOT_NEEDED].flatMap(([names]) =>
  names.split(' '),
);
