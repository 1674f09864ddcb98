import type { Dialect } from '../src/dialects/dialect.ts';

/** What `noesis help` explains beside the commands; each is a section of the manual. */
export interface Topic {
  readonly name: string;
  readonly title: string;
  /** Lines as they are shown, terms on a line with their explanations. */
  readonly text: (dialects: readonly Dialect[]) => string;
}

const TARGETS = `A target says which log or episode is meant. A path wins over an id.

  PATH             a log, the folder of an episode, or a folder with some below it
  ID               an episode under the root, or the beginning of its id
  FILE#RUN         one run of a log that holds many
  latest           the newest episode under the root
  -                standard input

The root is the first of: --root, NOESIS_RUNS_DIR, runs_dir of the nearest
noesis.toml, and the nearest .noesis folder, here or above.`;

export const EXIT_CODES = `  0   done, nothing wrong               3   target missing or unreadable
  1   an answer that is a failure       70  a bug in noesis
  2   usage or configuration error      130 interrupted`;

const EXIT_STATUS = `${EXIT_CODES}

Of verify, 1 means that an episode failed: an error was found, a warning with
--strict, or more warnings than --max-warnings. A log that cannot be read as it
should be is 1 in every command. 143 is the end by SIGTERM.`;

export const CONFIGURATION = `Configuration, from the nearest noesis.toml or .noesis.toml:
  [verify]
  strict = true           as --strict; also require_seal, require_signature
  require_level = "sealed" as --require-level
  max_warnings = 10       as --max-warnings
  [verify.rules]
  "manifest/*" = "warn"   as --rule
  [exarchos]
  custom_types = ["a.b"]  types of your own, beside the built-in ones`;

const SETTINGS = `${CONFIGURATION}

The file counts where noesis runs in its folder or below it. Options of the
command line win over it. An unknown key is an error.`;

const ENVIRONMENT = `  NOESIS_RUNS_DIR            where the runtime put its runs, as --root
  NOESIS_MANIFEST_KEY_<KID>  the secret of a key that signs manifests
  NOESIS_PAGER, PAGER        what shows long output in a terminal; cat for none
  NOESIS_ACCELERATOR         never or always: whether WebAssembly is used
  NO_COLOR, FORCE_COLOR      no colour, or colour without a terminal
  COLUMNS                    the width to lay text out in
  GITHUB_STEP_SUMMARY        verify -f github adds a table to this file
  GITHUB_WORKSPACE,
  CI_PROJECT_DIR             the checkout: paths in -f github, sarif and gitlab are seen from there`;

function dialectText(dialects: readonly Dialect[]): string {
  const width = Math.max(...dialects.map(({ name }) => name.length)) + 2;
  const rows = dialects.map(({ name, title, versions = {} }) => {
    const read = Object.entries(versions).map(([artifact, numbers]) => `${artifact} ${numbers.join(', ')}`);
    return `  ${name.padEnd(width)}${title}${read.length > 0 ? ` (${read.join('; ')})` : ''}`;
  });
  return `Whose a log is, is told by what it holds; --dialect insists on one.

${rows.join('\n')}

Other JSON lines are read too: events can be listed and filtered, and verify
checks that the log is whole.`;
}

export const TOPICS: readonly Topic[] = [
  { name: 'targets', title: 'Targets', text: () => TARGETS },
  { name: 'exit-codes', title: 'Exit codes', text: () => EXIT_STATUS },
  { name: 'configuration', title: 'Configuration', text: () => SETTINGS },
  { name: 'environment', title: 'Environment', text: () => ENVIRONMENT },
  { name: 'dialects', title: 'Dialects', text: dialectText },
];
