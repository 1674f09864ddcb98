import type { Command } from 'commander';
import { UsageError } from '../src/errors.ts';
import { Context, type GlobalOptions } from './context.ts';
import { withExamples } from './examples.ts';
import type { Io } from './io.ts';

export function addExplain(program: Command, io: Io): void {
  withExamples(
    program.command('explain'),
    ['explain log/truncated', 'what a finding means'],
    ['explain manifest', 'all findings of a family'],
  )
    .description('say what a finding means and what to do')
    .argument('[code]', 'such as log/truncated, or a family such as log; without one, all are listed')
    .action((code: string | undefined, _options, command: Command) =>
      runExplain(new Context(io, command.optsWithGlobals<GlobalOptions>()), code),
    );
}

async function runExplain(context: Context, code: string | undefined): Promise<void> {
  const { CATALOGUE, catalogueEntry } = await import('../src/dialects/catalogue.ts');
  const { hintForCode } = await import('../src/dialects/catalogue-search.ts');
  const { FAMILIES } = await import('../src/findings/catalogue/families.ts');
  const { renderCatalogueList, renderExplain } = await import('../src/render/explain.ts');
  const layout = { style: await context.style, width: context.width };
  const family = code?.replace(/\/\*?$/, '') ?? '';
  if (code === undefined || FAMILIES.has(family)) {
    const entries = CATALOGUE.filter((entry) => code === undefined || entry.code.startsWith(`${family}/`));
    return context.out(
      context.json
        ? `${JSON.stringify(entries, null, 2)}\n`
        : renderCatalogueList(entries, { ...layout, width: context.cutWidth }),
    );
  }
  const entry = catalogueEntry(code);
  if (entry === undefined) {
    throw new UsageError('usage', `no finding is called ${JSON.stringify(code)}`, {
      hint: hintForCode(code),
    });
  }
  await context.out(context.json ? `${JSON.stringify(entry, null, 2)}\n` : renderExplain(entry, layout));
}
