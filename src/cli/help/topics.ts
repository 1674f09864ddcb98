import { Command, Option } from 'commander';
import type { Dialect } from '../../dialects/dialect.ts';
import { ownFilters } from '../../dialects/registry.ts';
import { withGlobalOptions } from '../context.ts';
import { filterFlags } from '../events/event-options.ts';

/** The help topics; each is a section of the manual. */
interface Topic {
  readonly name: string;
  readonly title: string;
  /** What it explains, in the list of the topics. */
  readonly about: string;
  /** The lines as they are printed, with each term next to its explanation. */
  readonly text: (dialects: readonly Dialect[]) => string;
}

const TARGETS = `A target names a run or its log. If a path and an id match, the path is used.

  PATH             a log, the folder of a run, or a folder with runs
  ID               a run under the root, or a session of this machine, or the
                   beginning of its id
  FOLDER/ID        a session whose id other sessions have too, as list shows it
  FILE#RUN         one run of a log that has many
  latest           the most recently active run, which list prints first
  -                standard input
  FILE.gz, .zst    a compressed log
  ARCHIVE          runs in a .tar, .tar.gz, .tgz, .tar.zst or .zip
  ARCHIVE/PATH     one run in an archive, such as runs.tar/ep_1

The root is the first of: --root, NOESIS_RUNS_DIR, runs_dir of the nearest
noesis.toml, and the nearest .noesis folder, here or above. Without a root, and
without a target, commands read the sessions that coding agents keep in the home
folder, such as those in ~/.claude and ~/.codex.`;

const EXIT_CODES = `  0   done, nothing wrong               3   target missing or unreadable
  1   the result is a failure           70  a bug in noesis
  2   usage or configuration error      130 interrupted`;

const EXIT_STATUS = `${EXIT_CODES}

verify exits with 1 if a run failed: an error, a warning with --strict, or more
warnings than --max-warnings.

Damaged log: commands that read events exit with 1; list, search, state, checkpoint
and salvage do not.

No match: list and search exit with 1, and so does every command if no run has the
--status, --project, --model or time (--since, --until) that you ask for. Filters
of events, such as --type, exit with 0.

Nothing to check, as in an empty log or a file that is probably not a log of an
agent: verify and doctor exit with 3. Commands that print a log print what it has,
and exit with 0. If no line of a file with the name of a log is JSON, all of it
counts as damaged: verify and these commands exit with 1, doctor with 3.

An id that means several runs, and an output file that cannot be created, are usage
errors (2). A full disk is a failure (1). A command that is ended by SIGTERM exits
with 143.`;

export const CONFIGURATION = `Configuration, from the nearest noesis.toml or .noesis.toml:
  [verify]
  strict = true            like --strict; also require_seal, require_signature
  require_level = "sealed" like --require-level
  max_warnings = 10        like --max-warnings
  [verify.rules]
  "manifest/*" = "warn"    like --rule
  [exarchos]
  custom_types = ["a.b"]   your own types, added to the built-in ones`;

const SETTINGS = `${CONFIGURATION}
  [prices]
  currency = "USD"         instead of the built-in prices, for these models
  [prices.models."big-*"]  a model, or a pattern
  input = 3.00             per million tokens; also output (required), cached,
                           cache_write, cache_write_1h, reasoning

noesis reads the nearest file, in the current folder or above it. --config FILE reads
another file, --config none reads no file. Options on the command line have
priority. An unknown key is an error. Every report says how many rules the file
changed.`;

const PRICES = `A cost is the number of tokens times the price of the model, in US dollars. The prices
are a list in noesis, which never asks a server. "prices of DATE" is the day on which
the list was published.

  at least, ≥        tokens are missing in the log, or a model has no price
  no price           the list does not know the model; no price is guessed
  as NAME wrote it   the cost that the program stored, for models without a price

noesis list --sort cost, noesis stats --by model and noesis show print costs.
[prices] in noesis.toml has your own prices: noesis help configuration.`;

const ENVIRONMENT = `  NOESIS_RUNS_DIR            the folder of the runs, like --root
  NOESIS_MANIFEST_KEY_<KID>  the secret of a key that signs manifests
  NOESIS_PAGER, PAGER        the pager for long output (cat: no pager)
  NOESIS_ACCELERATOR=never   read logs without WebAssembly
  NOESIS_KNOWN=never         read every log again, without the notes that earlier commands kept about unchanged logs
  XDG_CACHE_HOME             the folder of caches; noesis uses noesis/ in it
  NO_COLOR                   never use colour
  FORCE_COLOR                use colour even if the output is not a terminal
  COLUMNS                    the width of the output
  GITHUB_STEP_SUMMARY        verify -f github adds a table to this file
  GITHUB_WORKSPACE,
  CI_PROJECT_DIR             the checkout: -f github, sarif and gitlab use paths relative to it`;

/** Names with their titles, as a table. */
function titled(dialects: readonly Dialect[]): string {
  const width = Math.max(...dialects.map(({ name }) => name.length)) + 2;
  return dialects.map(({ name, title }) => `  ${name.padEnd(width)}${title}`).join('\n');
}

const chainText = (dialects: readonly Dialect[]): string =>
  `The records of some logs are chained: each has the hash of the one before it, and
some are signed. noesis recognises these chains by the fields of the records:

${titled(dialects.filter(({ isChain }) => isChain === true))}

verify checks hashes, links, numbers and signatures, and names what they do not
cover. --chain NAME checks another chain, --chain none checks none. A file with the
last hash next to the log, --expect-head and --expect-count show that the end was cut.

  [chains.mine]                 in noesis.toml: the records of your own program
  detect = ["prev", "hash"]     fields by which its logs are recognised
  link = "prev"                 the hash of the record before
  genesis = "start"             the link of the first record
  hash = "hash"                 the hash of the record itself
  over = "sorted"               what is hashed: a form of the record
  without = ["hash"]            fields that are not hashed

noesis schema chain prints all keys. docs/formats/chains.md has examples.`;

function dialectText(all: readonly Dialect[]): string {
  const dialects = all.filter(({ isChain }) => isChain !== true);
  const width = Math.max(...dialects.map(({ name }) => name.length)) + 2;
  const rows = dialects.map(({ name, title, versions = {} }) => {
    const read = Object.entries(versions).map(([artifact, numbers]) => `${artifact} ${numbers.join(', ')}`);
    return `  ${name.padEnd(width)}${title}${read.length > 0 ? ` (${read.join('; ')})` : ''}`;
  });
  return `The dialect of a log (its format) is detected from its content; --dialect sets it.

${rows.join('\n')}

noesis also reads other JSON Lines files: you can list and filter their events, and
verify checks that the log is intact. noesis help <dialect> shows the options that
a dialect adds to events, insight, search, tail and timeline. noesis help chains
lists logs whose records are chained by hashes.`;
}

/** The text of `noesis help` about one dialect. */
export function dialectHelp({ name, title, eventTypes }: Dialect): string {
  const own = ownFilters()
    .filter(({ owners }) => owners.includes(name))
    .map(({ name: option, help }) => `  ${filterFlags(option).padEnd(20)}${help}`);
  const options =
    own.length === 0 ? [] : ['Options of events, insight, search, tail and timeline:', ...own, ''];
  return `${title}

${options.join('\n')}${options.length === 0 ? '' : '\n'}${
  eventTypes === undefined ? '' : `noesis schema types --dialect ${name} lists its types of events.\n`
}--dialect ${name} reads a log in this dialect.`;
}

/** The options of every command, from their declarations. */
function globalOptionText(): string {
  const { options } = withGlobalOptions(new Command());
  const shown = [...options.filter(({ hidden }) => !hidden), new Option('-h, --help', 'print help')];
  const width = Math.max(...shown.map(({ flags }) => flags.length)) + 2;
  const rows = shown.map(({ flags, description, argChoices }) => {
    const choices = argChoices === undefined ? '' : ` (${argChoices.join(', ')})`;
    return `  ${flags.padEnd(width)}${description}${choices}`;
  });
  return `Every command takes these options. They may also be in front of the command.
An option that takes one value may be given only once. Of several --color, the last
one counts, so that a command line can replace that of an alias.

${rows.join('\n')}`;
}

/** The list of the topics, which is no section of the manual. */
export const TOPIC_LIST: Topic = {
  name: 'topics',
  title: 'Topics',
  about: 'the topics',
  text: () => {
    const width = Math.max(...TOPICS.map(({ name }) => name.length)) + 2;
    const rows = TOPICS.map(({ name, about }) => `  ${name.padEnd(width)}${about}`);
    return `${rows.join('\n')}

noesis help <topic> prints one. noesis help also takes a command, a dialect, and a
word that noesis explain knows.`;
  },
};

/** Words for a topic that its name does not begin with. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  latest: 'targets',
  root: 'targets',
  id: 'targets',
  codes: 'exit-codes',
  flags: 'options',
  settings: 'configuration',
  'noesis.toml': 'configuration',
  variables: 'environment',
  formats: 'dialects',
};

/** A word this long is enough of the name of a topic. */
const ENOUGH = 3;

/** The topic that somebody names: by its name or the beginning of it, with spaces for dashes, or by another word. */
export function topicNamed(typed: string): Topic | undefined {
  const name = typed.trim().toLowerCase().replaceAll(/\s+/g, '-');
  if (name === 'topic' || name === 'topics') return TOPIC_LIST;
  const exact = TOPICS.find((one) => one.name === name || one.name === OTHER_NAMES[name]);
  return exact ?? (name.length < ENOUGH ? undefined : TOPICS.find((one) => one.name.startsWith(name)));
}

export const TOPICS: readonly Topic[] = [
  { name: 'options', title: 'Global options', about: 'the options of every command', text: globalOptionText },
  { name: 'targets', title: 'Targets', about: 'how to name a run', text: () => TARGETS },
  { name: 'exit-codes', title: 'Exit codes', about: 'what the exit codes mean', text: () => EXIT_STATUS },
  { name: 'configuration', title: 'Configuration', about: 'the keys of noesis.toml', text: () => SETTINGS },
  { name: 'prices', title: 'Prices', about: 'where costs come from', text: () => PRICES },
  {
    name: 'environment',
    title: 'Environment',
    about: 'the variables that noesis reads',
    text: () => ENVIRONMENT,
  },
  { name: 'dialects', title: 'Dialects', about: 'the formats of logs', text: dialectText },
  { name: 'chains', title: 'Chains', about: 'logs whose records are chained by hashes', text: chainText },
];
