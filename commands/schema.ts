import { Argument, type Command } from 'commander';
import { action, type Context } from '../src/cli/context.ts';
import { withExamples } from '../src/cli/help/examples.ts';
import type { Io } from '../src/cli/io.ts';
import { dialectNamed, folderDialect } from '../src/dialects/registry.ts';
import { OUTPUT_NAMES } from '../src/read/outputs/names.ts';

const NAMES = ['event', 'state', 'manifest', 'report', 'chain', 'types', ...OUTPUT_NAMES] as const;

const MORE = `
event, state and manifest describe the files of an episode of --dialect (default:
${folderDialect().name}). chain describes a table [chains.NAME] of noesis.toml.

report is what verify -j prints, and the names after types what other commands print
with -j: show-event for one event, show-changes for show --changes, events for
events --with-source, project-diff for project --diff, and checkpoint-verify for
checkpoint --verify.

types lists the event types of all dialects, or those of --dialect, and those in
the nearest noesis.toml. SOURCE says who should write the event, DOC whether the
published reference lists it. A field with ? may be missing. In a narrow terminal
the fields are left out; noesis explain <type> shows one type in full.`;

export function addSchema(program: Command, io: Io): void {
  withExamples(
    program.command('schema'),
    ['schema event', 'the JSON Schema of an event'],
    ['schema list', 'the JSON Schema of what list -j prints'],
    ['schema types --dialect exarchos', 'the event types of a dialect'],
  )
    .description('print a JSON Schema, or list the types of events')
    .addArgument(new Argument('<name>', 'what the schema describes, or types').choices(NAMES))
    .addHelpText('after', MORE)
    .action(
      action(io, (context, name: (typeof NAMES)[number]) =>
        name === 'types' ? printTypes(context) : printSchema(context, name),
      ),
    );
}

async function printSchema(context: Context, name: Exclude<(typeof NAMES)[number], 'types'>): Promise<void> {
  const { jsonSchema } = await import('../src/read/outputs/json-schema.ts');
  const dialect = (context.dialect && dialectNamed(context.dialect)) || folderDialect();
  await context.out(`${JSON.stringify(await jsonSchema(name, dialect), null, 2)}\n`);
}

async function printTypes(context: Context): Promise<void> {
  const { eventTypes } = await import('../src/read/describe/event-types.ts');
  const { findConfiguration } = await import('../src/find/configuration.ts');
  const config = await findConfiguration(context.search);
  const types = await eventTypes(context.dialect, config?.dialects);
  if (context.json) return context.printJson(types);
  if (types.length === 0) return context.say(`the dialect ${context.dialect} has no list of event types`);
  if (context.quiet) return context.out(types.map(({ type }) => `${type}\n`).join(''));
  const { renderEventTypes } = await import('../src/show/render/event-types.ts');
  await context.out(renderEventTypes(types, { style: await context.style, width: context.cutWidth }));
}
