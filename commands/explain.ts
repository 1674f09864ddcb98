import type { Command } from 'commander';
import { NoesisError } from '../src/errors.ts';
import { Context, type GlobalOptions, withGlobalOptions } from './context.ts';
import type { Io } from './io.ts';

export function addExplain(program: Command, io: Io): void {
  withGlobalOptions(
    program
      .command('explain')
      .description('say what a finding means and what to do')
      .argument('[code]', 'such as log/truncated; without one, all are listed'),
  ).action((code: string | undefined, _options, command: Command) =>
    runExplain(new Context(io, command.optsWithGlobals<GlobalOptions>()), code),
  );
}

async function runExplain(context: Context, code: string | undefined): Promise<void> {
  const { CATALOGUE, catalogueEntry, nearestCodes } = await import('../src/verify/catalogue/index.ts');
  const { renderCatalogueList, renderExplain } = await import('../src/render/explain.ts');
  const layout = { style: context.style, width: context.width };
  if (code === undefined) {
    return context.out(
      context.json
        ? `${JSON.stringify(CATALOGUE, null, 2)}\n`
        : renderCatalogueList(CATALOGUE, { ...layout, width: context.cutWidth }),
    );
  }
  const entry = catalogueEntry(code);
  if (entry === undefined) {
    throw new NoesisError('usage', `no finding is called ${JSON.stringify(code)}`, {
      hint: `did you mean ${nearestCodes(code).join(', ')}? noesis explain lists all`,
    });
  }
  await context.out(context.json ? `${JSON.stringify(entry, null, 2)}\n` : renderExplain(entry, layout));
}
