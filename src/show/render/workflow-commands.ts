// The runners of build servers look for commands in what a job prints, and trace text must not contain any:
// - `##[`, `##vso[`, `##teamcity[` anywhere in a line: GitHub, Azure Pipelines, TeamCity
// - `::` after white space at the start of a line: GitHub
// - `---`, `+++`, `~~~`, `^^^` and a space at the start of a line: Buildkite
// - `section_start:0:` and `section_end:0:`: GitLab
// All are escaped for every runner, because a job may print the output of another one.

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that runners set. */
const RUNNERS = [
  'CI',
  'GITHUB_ACTIONS',
  'TF_BUILD',
  'GITLAB_CI',
  'TEAMCITY_VERSION',
  'BUILDKITE',
  'BUILD_BUILDID',
];

/** Whether a build server runs the program, so that its runner reads what is printed. */
export const isInJob = (env: Environment): boolean =>
  RUNNERS.some((name) => !['', 'false', '0', undefined].includes(env[name]?.toLowerCase()));

/** How a form of output spells a character so that its value stays. */
const SPELLING = {
  text: (code: string) => `\\x${code}`,
  json: (code: string) => `\\u00${code}`,
  xml: (code: string) => `&#x${code};`,
} as const;

export type OutputForm = keyof typeof SPELLING;

const ANYWHERE = /##(?=(?:vso|teamcity)?\[)/gi;
const SECTION = /section_(?=(?:start|end):\d+:)/g;
/** Colours, and white space as the runners see it: that of .NET. */
const BEFORE = String.raw`^(?:\u001b\[[0-9;]*m|[^\S\n]|\u0085)*`;
const COLONS = new RegExp(`(${BEFORE}:):`, 'gm');
const HEADING = /^((?:\u001b\[[0-9;]*m)*)([-+~^])(?=\2\2[\s])/gm;

const hex = (character: string): string => character.charCodeAt(0).toString(16).padStart(2, '0');

/** Spells everything that a runner would obey in another way. Only lines of text can begin with a command. */
export function withoutCommands(text: string, form: OutputForm = 'text'): string {
  const spell = SPELLING[form];
  const safe = text.replaceAll(ANYWHERE, `#${spell('23')}`).replaceAll(SECTION, `section${spell('5f')}`);
  if (form === 'json') return safe;
  return safe
    .replaceAll(COLONS, `$1${spell('3a')}`)
    .replaceAll(HEADING, (_all, colours: string, first: string) => `${colours}${spell(hex(first))}`);
}

/** {@link withoutCommands} for UTF-8, whose commands are ASCII. */
export function bytesWithoutCommands(bytes: Uint8Array, form: OutputForm): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const safe = withoutCommands(text, form);
  return safe === text ? bytes : Buffer.from(safe, 'latin1');
}
