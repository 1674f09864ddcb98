/**
 * What a command of a shell may have changed: `files`, something `elsewhere` (a repository, the machine, a service), or
 * `unknown`, because its name does not say. Of several commands, the first of these counts.
 */
export const COMMAND_EFFECTS = ['files', 'elsewhere', 'unknown'] as const;
export type Effect = (typeof COMMAND_EFFECTS)[number];

/** Words between the name of a command and one of its options. */
const WORDS = String.raw`(?:[^\S\n]+\S+){0,20}?[^\S\n]+`;

/** Follows the name of a command that does not write if it only checks. */
const WRITING = `(?!${WORDS}--?(?:check|diff))`;

const GIT = String.raw`git(?:\s+-[Cc]\s+\S+|\s+--[\w-]+(?:=\S+)?)*\s+`;

/** Matches the name of a command and what follows it. */
const command = (...forms: readonly string[]): RegExp => new RegExp(`^(?:${forms.join('|')})`, 'i');

/** Commands that write, move or remove files by nature, or with an option. */
const WRITERS = command(
  `${GIT}(?:mv|rm|checkout|switch|restore|reset|revert|apply|am|stash(?!\\s+(?:list|show))|merge(?!-)|rebase|pull|cherry-pick|clean|clone|init|submodule|worktree\\s+(?:add|remove|move))\\b`,
  `sed${WORDS}(?:-[a-z]*i|--in-place)`,
  String.raw`perl${WORDS}-(?!m)\w*i`,
  `find${WORDS}-(?:delete|fprint)`,
  `(?:sort|tsc)${WORDS}-(?:o|-out)`,
  `(?:gofmt|goimports|clang-format|prettier|biome|eslint|ruff|stylelint)${WORDS}(?:-w|-i|--write|--fix)\\b(?!-)`,
  `(?:cargo|go|ruff|deno|dotnet|terraform)\\s+(?:fmt|format)\\b${WRITING}`,
  String.raw`(?:black|isort|rustfmt)${WRITING}(?:\s+-\S+)*\s+[\w./~]`,
  String.raw`(?:npm|pnpm|yarn|bun|pip3?|cargo|go|uv|poetry|gem|bundle|composer)\s+(?:i|ci|install|uninstall|add|remove|update|upgrade|get|sync|init|mod\s+tidy)\b`,
  String.raw`yarn\s*$`,
  String.raw`tar\s+(?:-?[a-z]*[xcru]|--(?:extract|create|append|update))(?!\w*f\s+-\s)`,
  `(?:curl|wget)${WORDS}(?:-[a-z]*O|-o|--output)`,
  String.raw`(?:mv|cp|rm|rmdir|unlink|shred|mkdir|mktemp|touch|tee|truncate|split|patch|apply_patch|ln|dd|install|rsync|scp|unzip|gunzip|gzip|chmod|chown|(?:Set|Add|Clear)-Content|Out-File|(?:New|Remove|Move|Copy|Rename|Set)-Item)(?:\s|$)`,
);

/** Commands that change something other than the files of a project: a repository, the machine, a service. */
const ELSEWHERE = command(
  `${GIT}(?:add|commit|push|fetch|tag(?!\\s+(?:-l|--list)|\\s*$)|branch\\s+(?!-[avr]|--)\\S|branch\\s+-[dDmMcCfu]|notes\\s+add|gc|update-ref|remote\\s+(?:add|remove|rename|set-url)|config\\s+(?!--?(?:get|l))\\S+\\s+\\S+)`,
  String.raw`gh\s+\S+\s+(?:create|edit|merge|close|reopen|comment|delete|review|ready|upload|rerun|cancel|run)\b`,
  String.raw`gh\s+api\b.*\s(?:-X|--method|-f|-F)\b`,
  String.raw`(?:npm|pnpm|yarn|cargo|gem|twine|poetry)\s+(?:publish|upload|login|link|unpublish)\b`,
  String.raw`(?:apt|apt-get|dnf|yum|apk|pacman|brew|snap|choco|winget)\s+(?!list|search|info|show|--)\S`,
  String.raw`(?:docker|podman|docker-compose)\s+(?:compose\s+)?(?:run|build|push|pull|rm|rmi|stop|start|restart|kill|exec|create|up|down|tag|volume|network|system)\b`,
  String.raw`(?:kubectl|helm|terraform|pulumi)\s+(?:apply|create|delete|install|upgrade|uninstall|destroy|scale|rollout|patch|edit|up)\b`,
  `curl${WORDS}(?:-X\\s*(?!GET|HEAD)|--request\\s+(?!GET|HEAD)|-d\\b|--data|-F\\b|-T\\b)`,
  String.raw`(?:systemctl|service|launchctl)\s+(?!status|list|show)\S`,
  String.raw`(?:kill|pkill|killall|crontab|useradd|usermod|mount|umount|reboot|shutdown|Stop-Process)(?:\s|$)`,
);

/** Commands that only read. */
const READERS = command(
  String.raw`(?:ls|dir|cat|bat|head|tail|wc|grep|egrep|fgrep|zgrep|zcat|rg|ag|fd|echo|printf|pwd|cd|pushd|popd|which|type|whereis|file|stat|du|df|tree|sort|uniq|cut|tr|sed|awk|jq|yq|diff|cmp|comm|basename|dirname|realpath|readlink|date|env|printenv|whoami|id|groups|hostname|uname|uptime|ps|pgrep|lsof|free|sleep|wait|true|false|test|\[\[?|:|exit|return|break|continue|set|shopt|export|unset|local|declare|read|seq|less|more|nl|od|xxd|hexdump|strings|md5sum|sha\d*sum|shasum|cksum|column|paste|join|fold|rev|tac|expr|bc|ping|dig|nslookup|man|help|history|alias|jobs|for|case|esac|done|fi|\}|Get-\S+|Select-\S+|Measure-\S+|Write-(?:Output|Host)|Test-Path|Format-\S+|Where-Object|ConvertFrom-\S+)(?:\s|$)`,
  `find(?!${WORDS}-(?:exec|ok))(?:\\s|$)`,
  `${GIT}(?:status|log|diff|show|blame|grep|ls-\\S+|rev-\\S+|cat-file|describe|shortlog|reflog|merge-base|for-each-ref|name-rev|count-objects|check-ignore|stash\\s+(?:list|show)|worktree\\s+list|remote|branch|tag|config)(?:\\s|$)`,
  String.raw`git\s+--\w+$`,
  String.raw`gh\s+\S+\s+(?:list|view|status|diff|checks|watch)\b`,
  String.raw`gh\s+(?:status|search)\b`,
  String.raw`(?:gofmt|goimports)\s+-[ld]\b`,
  `(?:prettier|black|isort|ruff|biome|rustfmt|cargo\\s+fmt)${WORDS}--?(?:check|diff)\\b`,
  `tsc${WORDS}--noEmit`,
  String.raw`(?:npm|pnpm|yarn|pip3?)\s+(?:ls|list|view|show|outdated|why|root|prefix)\b`,
  String.raw`(?:docker|podman|kubectl)\s+(?:ps|images|logs|inspect|get|describe|version)\b`,
  String.raw`tar\s+(?:-?[a-z]*[tc]|--list|--create)`,
  String.raw`curl(?:\s|$)`,
  String.raw`\S+\s+(?:-v|-V|-h|--version|--help|version)\s*$`,
  '#',
);

/** Commands that run tests. */
const TESTS = command(
  String.raw`(?:npm|pnpm|yarn|bun)\s+(?:(?:-w\s+\S+|-(?!w\s)\S+|run|run-script)\s+)*(?:t|tst|test\S*)(?:\s|$)`,
  String.raw`(?:vitest|jest|mocha|ava|jasmine|karma|tap|cucumber(?:-js)?|cypress\s+run|playwright\s+test|ng\s+test|(?:nx|turbo|lerna)\s+(?:run\s+)?test)(?:\s|:|$)`,
  String.raw`(?:node|deno|bun)\s+(?:--?\S+\s+)*(?:--test|test)(?:\s|$)`,
  String.raw`(?:pytest|py\.test|unittest|nose2?|tox|nox|behave|robot|hatch\s+test|(?:\S*/)?manage\.py\s+test|python3?\s+(?:\S*/)?(?:manage\.py\s+test|setup\.py\s+test))(?:\s|$)`,
  String.raw`(?:cargo\s+(?:\+\S+\s+)?(?:test|t|nextest)|(?:go|swift|dart|flutter|mix|sbt|lein|stack|cabal|zig\s+build|zig|dotnet|bazel|bazelisk|buck2?|forge|anchor|truffle|hardhat|terraform|tofu|just|task|rake|(?:bin/)?rails)\s+(?:\S+\s+)??test)(?:\s|:|$)`,
  String.raw`(?:gotestsum|ginkgo|ctest|rspec|minitest|phpunit|pest|composer\s+(?:run(?:-script)?\s+)?test|busted|prove|bats|shellspec|rebar3\s+(?:eunit|ct)|molecule\s+test|xcodebuild\s+(?:\S+\s+)*test|meson\s+test|ninja\s+test|conftest\s+verify|opa\s+test|helm\s+unittest)(?:\s|$)`,
  String.raw`(?:mvnw?|gradlew?)\s+(?:\S+\s+)*(?:\S*:)?(?:test|verify|check|integrationTest)(?:\s|$)`,
  String.raw`make\s+(?:\S+\s+)*(?:test\S*|check)(?:\s|$)`,
);

/** A redirection to a file, not to a device or descriptor. */
const REDIRECTION = /(?:^|[^<>&0-9=-])(?:[&\d])?>>?\|?\s*(?!&|\/dev\/|\$null)[\w./~"'$-]/;

/** Text that is passed to a command as its input, which ends at a line with only the word that it begins with. */
const HERE_TEXT = /<<-?\s*(['"]?)(\w+)\1([^\n]*)\n(?:[\s\S]*?\n)?[^\S\n]*\2(?=\s|\)|$)/g;
/** A shell that is given a command as a text, in one of two kinds of quotes. */
const SHELL = String.raw`(?:ba|z|da|k)?sh\s+-\w*c\s+(?:'([^']*)'|"((?:[^"\\]|\\.)*)")`;
const SHELL_OF_TEXT = new RegExp(String.raw`(?:^|(?<=[\s/]))${SHELL}`, 'g');
const ONLY_SHELL = new RegExp(String.raw`^(?:[\w./-]*/)?${SHELL}$`);

/** The text that a shell is given, if a command is nothing else: `ls` of `bash -lc "ls"`. */
export function scriptOfShell(command: string): string | undefined {
  const [, single, double] = ONLY_SHELL.exec(command) ?? [];
  return single ?? double?.replace(/\\([\\"$`])/g, '$1');
}

/** A text without a command in it. */
const QUOTED = /'[^']*'|"(?:[^"\\$`]|\\.|\$(?!\())*"/g;
/** Redirections to a device or descriptor. */
const TO_DEVICE = /(?:[&\d])?>>?\|?\s*(?:&\s*[\d-]|\/dev\/\w+|\$null)|<&\d/g;

/** Where a command ends, and the next one begins. */
const NEXT = /&&|\|\||\|&|[;|&\n`]|\$\(|[()]/;

/** What may come before the name of a command: a variable, a word of the shell, a command that runs another one. */
const BEFORE =
  /^(?:\w+=\S*|!|\{|if|then|elif|else|while|until|do|time|sudo(?:\s+-\S+)*|env(?=\s+\w+=)|nohup|nice|exec|eval|command(?!\s+-)|builtin|stdbuf\s+\S+|timeout(?:\s+-\S+)*\s+\S+|xargs(?:\s+-\S+(?:\s+\{\})?)*|(?:ba|z|da|k)?sh\s+-\w*c|npx(?:\s+-\S+)*|bunx|(?:pnpm|yarn|npm)\s+(?:exec|dlx)(?:\s+--)?|(?:uv|poetry|hatch|pdm|rye)\s+run|bundle\s+exec|python3?\s+-m)\s+/;

/** Whether nothing is left but a variable that is set, or words of the shell. */
const IS_NOTHING = /^(?:\w+=\S*|if|then|else|do|\{|quoted|\s)*$/;

/** The commands of a text, each with its name first. */
function commandsIn(text: string): string[] {
  return text.split(NEXT).flatMap((part) => {
    let left = part.trim();
    for (let next = left.replace(BEFORE, ''); next !== left; next = left.replace(BEFORE, ''))
      left = next.trim();
    return IS_NOTHING.test(left) ? [] : [left.replace(/^[^\s=]*[/\\](?=[^\s/\\]+)/, '')];
  });
}

/** What one command, with its name first, may have changed. */
function effectOf(one: string): Effect | undefined {
  if (WRITERS.test(one)) return 'files';
  if (ELSEWHERE.test(one)) return 'elsewhere';
  return READERS.test(one) ? undefined : 'unknown';
}

/** The longest text that is looked at: the time that the expressions take grows with its square. */
const LONGEST = 20_000;

/** A text of a shell without quoted texts and the input of its commands. A shell in it is what it is given. */
const plainText = (text: string): string =>
  text
    .slice(0, LONGEST)
    .replace(SHELL_OF_TEXT, (_, single?: string, double?: string) => `;${single ?? double ?? ''};`)
    .replace(HERE_TEXT, '$3')
    .replace(QUOTED, 'quoted');

const commandsOf = (plain: string): string[] =>
  commandsIn(plain.replace(/\\\n/g, ' ').replace(TO_DEVICE, ' '));

/** Whether a command in a text of a shell runs tests, by its name. */
export const runsTests = (text: string): boolean =>
  commandsOf(plainText(text)).some((one) => TESTS.test(one));

/** What a text of a shell may have changed, by the names of its commands and its redirections. Undefined if it only reads. */
export function effectOfCommand(text: string): Effect | undefined {
  const plain = plainText(text);
  if (REDIRECTION.test(plain)) return 'files';
  const commands = commandsOf(plain);
  const effects = [...commands.map(effectOf), ...(text.length > LONGEST ? ['unknown' as const] : [])];
  return COMMAND_EFFECTS.find((effect) => effects.includes(effect));
}
