import { Argument, type Command } from 'commander';
import { Context, type GlobalOptions } from './context.ts';
import type { Io } from './io.ts';

const NAMES = ['event', 'state', 'manifest', 'report'] as const;

export function addSchema(program: Command, io: Io): void {
  program
    .command('schema')
    .description('print the JSON Schema of an artifact or of the verify report')
    .addArgument(new Argument('<name>', 'which one').choices(NAMES))
    .action((name: (typeof NAMES)[number], _options, command: Command) =>
      runSchema(new Context(io, command.optsWithGlobals<GlobalOptions>()), name),
    );
}

async function runSchema(context: Context, name: (typeof NAMES)[number]): Promise<void> {
  const { jsonSchema } = await import('../src/schema/json-schema.ts');
  await context.out(`${JSON.stringify(jsonSchema(name), null, 2)}\n`);
}
