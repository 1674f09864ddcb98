import { grouped } from '../../base/text/grouped.ts';
import { SEVERITY_MEANINGS } from '../../dialects/words.ts';
import { FAMILIES, isHard } from '../../findings/catalogue/index.ts';
import { pageOfCode, variations } from '../../findings/catalogue/page.ts';
import type { CatalogueEntry } from '../../findings/catalogue-entry.ts';
import { familyOf } from './stage-of.ts';

const MADE = '<!-- Written by scripts/make-docs.ts from the catalogues of findings. Change it there. -->';

const INTRO = `${MADE}

# Findings

These pages list what \`noesis verify\` reports. Each finding has a code, \`family/name\`, that never changes: new codes
may be added, but none is renamed. \`noesis explain CODE\` prints the same text. \`noesis explain WORD\` explains a word,
such as \`candidate\` or \`sidecar\`.

The severity says how serious a finding is:

${Object.entries(SEVERITY_MEANINGS)
  .map(([severity, meaning]) => `- **${severity}**: ${meaning}.`)
  .join('\n')}

A team can change the severity of a finding: \`--rule manifest/unlisted-file=error\`, \`--rule 'projection/*=off'\`.
Some findings are always errors, such as damage and anything that could not be verified: no rule can lower them.

In the commands of these pages \`<episode>\` is the id or the folder of an episode, and \`<log>\` the path of a log or the id of a
session. \`LINE\` is the line of the finding, and \`byte_start\` its offset, as \`noesis verify -j\` prints it. \`tail -c +N\` counts
bytes from 1, so N is byte_start + 1.`;

/** The anchor of a code's section. */
const anchorOf = (code: string): string => code.replace('/', '-');

/** The severity, with a table if it varies. */
function severityOf({ code, severity, varies }: CatalogueEntry): string {
  const hard = isHard(code) ? ' No rule can lower it.' : '';
  if (varies === undefined) return `**${severity}**${hard}`;
  const rows = variations(varies).map(([other, when]) => `| ${other} | ${when} |`);
  return (
    [`| severity | when |\n|---|---|\n| **${severity}** | usually |`, ...rows].join('\n') +
    (hard && `\n\n${hard.trim()}`)
  );
}

function section(entry: CatalogueEntry): string {
  const { code, meaning, why, example, fix } = entry;
  return [
    `<a id="${anchorOf(code)}"></a>`,
    `## ${code}`,
    severityOf(entry),
    meaning,
    `**Why.** ${why}`,
    `\`\`\`text\n${example}\n\`\`\``,
    `**What to do.** ${fix}`,
  ].join('\n\n');
}

/** What a family is about, as a sentence. */
function aboutFamily(family: string): string {
  const about = FAMILIES.get(family) ?? '';
  return about === '' ? '' : `${about.charAt(0).toUpperCase()}${about.slice(1)}.`;
}

const families = (catalogue: readonly CatalogueEntry[]) => [
  ...grouped(catalogue, ({ code }) => familyOf(code)),
];

/** Makes docs/findings.md, the index of the families. */
export function findingsPage(catalogue: readonly CatalogueEntry[]): string {
  const rows = families(catalogue).map(([family, entries]) => {
    const links = entries.map(({ code }) => `[${code.slice(family.length + 1)}](${pageOfCode(code)})`);
    return `- [**${family}**](findings/${family}.md). ${aboutFamily(family)} ${links.join(' · ')}`.replaceAll(
      '  ',
      ' ',
    );
  });
  return `${[INTRO, '## Families', rows.join('\n')].join('\n\n')}\n`;
}

/** Makes the page of each family below docs/findings/, by its name. */
export function familyPages(catalogue: readonly CatalogueEntry[]): ReadonlyMap<string, string> {
  return new Map(
    families(catalogue).map(([family, entries]) => {
      const links = entries.map(({ code, meaning }) => `- [${code}](#${anchorOf(code)}): ${meaning}`);
      const parts = [
        MADE,
        `# Findings: ${family}`,
        aboutFamily(family),
        'The severities and the words of the examples are explained on [the index of findings](../findings.md).',
        links.join('\n'),
        ...entries.map(section),
      ];
      return [family, `${parts.filter((part) => part !== '').join('\n\n')}\n`];
    }),
  );
}
