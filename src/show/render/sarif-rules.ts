import type { ReportingDescriptor, Result } from 'sarif';
import { docsUrl } from '../../base/version.ts';
import { pageOfCode } from '../../findings/catalogue/page.ts';
import type { CatalogueEntry } from '../../findings/catalogue-entry.ts';
import type { Finding, Severity } from '../../findings/finding.ts';
import { escapeText } from './escape.ts';
import { familyOf } from './stage-of.ts';

/** The SARIF level of each severity. */
export const LEVEL: Record<Severity, NonNullable<Result['level']>> = {
  error: 'error',
  warn: 'warning',
  info: 'note',
};

// Code scanning sorts and filters by these.
const PROBLEM: Record<Severity, string> = { error: 'error', warn: 'warning', info: 'recommendation' };

/** `log/invalid-json` as `LogInvalidJson`, because SARIF requires an identifier. */
function nameOf(code: string): string {
  return code.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, first: string) => first.toUpperCase());
}

function fenced(example: string): string {
  const longest = Math.max(2, ...[...example.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${example}\n${fence}`;
}

function rule(entry: CatalogueEntry): ReportingDescriptor {
  const { code, severity, varies, meaning, why, example, fix } = entry;
  const also = varies === undefined ? [] : [`Severity: ${varies}`];
  return {
    id: code,
    name: nameOf(code),
    helpUri: docsUrl + pageOfCode(code),
    shortDescription: { text: meaning },
    fullDescription: { text: [meaning, why].join(' ') },
    help: {
      text: [meaning, why, `Example: ${example}`, `What to do: ${fix}`, ...also].join('\n\n'),
      markdown: [meaning, why, '**Example**', fenced(example), '**What to do**', fix, ...also].join('\n\n'),
    },
    defaultConfiguration: { level: LEVEL[severity] },
    properties: {
      tags: ['noesis', 'trace', familyOf(code)],
      'problem.severity': PROBLEM[severity],
      precision: 'very-high',
    },
  };
}

/** A rule for a code that is not in the catalogue, so its findings are kept. */
function unknownRule(id: string, severity: Severity): ReportingDescriptor {
  const text = `A finding with the code ${escapeText(id)}.`;
  return { id, shortDescription: { text }, defaultConfiguration: { level: LEVEL[severity] } };
}

/** The rules of a run, in catalogue order, and the index of each code. */
export function sarifRules(
  catalogue: readonly CatalogueEntry[],
  findings: readonly Finding[],
): { rules: ReportingDescriptor[]; indexOf: ReadonlyMap<string, number> } {
  const rules = catalogue.map(rule);
  const indexOf = new Map(catalogue.map(({ code }, index) => [code, index]));
  for (const { code, severity } of findings) {
    if (indexOf.has(code)) continue;
    indexOf.set(code, rules.length);
    rules.push(unknownRule(code, severity));
  }
  return { rules, indexOf };
}
