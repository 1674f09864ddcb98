/** What `-j` prints: one JSON document, a list of values in one document, one or the other, or a value per line. */
type Form = 'document' | 'list' | 'one or list' | 'lines';

/** An output of a command for programs. */
export interface Output {
  /** The command line that prints it. */
  readonly command: string;
  readonly form: Form;
}

/** The outputs that `noesis schema` describes, by its argument, except the report of `verify`. */
export const OUTPUTS = {
  list: { command: 'list -j', form: 'list' },
  show: { command: 'show -j', form: 'document' },
  'show-event': { command: 'show RUN EVENT -j', form: 'document' },
  'show-changes': { command: 'show --changes -j', form: 'document' },
  read: { command: 'read -j', form: 'document' },
  timeline: { command: 'timeline -j', form: 'lines' },
  search: { command: 'search -j', form: 'lines' },
  events: { command: 'events --with-source -j', form: 'lines' },
  stats: { command: 'stats -j', form: 'document' },
  diff: { command: 'diff -j', form: 'document' },
  'project-diff': { command: 'project --diff -j', form: 'document' },
  doctor: { command: 'doctor -j', form: 'one or list' },
  checkpoint: { command: 'checkpoint -j', form: 'document' },
  'checkpoint-verify': { command: 'checkpoint --verify -j', form: 'document' },
  salvage: { command: 'salvage -j', form: 'lines' },
  redact: { command: 'redact -j', form: 'document' },
} as const satisfies Readonly<Record<string, Output>>;

export type OutputName = keyof typeof OUTPUTS;

export const OUTPUT_NAMES = Object.keys(OUTPUTS) as readonly OutputName[];

export const isOutputName = (name: string): name is OutputName => Object.hasOwn(OUTPUTS, name);
