/** The page of a finding below docs/, with its section: `findings/log.md#log-truncated`. */
export const pageOfCode = (code: string): string =>
  `findings/${code.split('/', 1)[0]}.md#${code.replace('/', '-')}`;

/** The severities that a finding may have besides its usual one, and when: `info` for equal records. */
export const variations = (varies: string): readonly (readonly [severity: string, when: string])[] =>
  varies.split(/[;,] (?:and )?(?=(?:else )?(?:error|warn|info)\b)/).map((part) => {
    const [, severity = '', when = part] = /^(?:else )?(error|warn|info) (.*?)\.?$/s.exec(part) ?? [];
    return [severity, when];
  });
