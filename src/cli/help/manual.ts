import type { Command, Option } from 'commander';
import { grouped } from '../../base/text/grouped.ts';
import { issuesUrl, version } from '../../base/version.ts';
import { allDialects } from '../../dialects/registry.ts';
import { type CommandPage, commandPage, type PageSection, programPage } from '../../show/render/man-page.ts';
import { examplesOf } from './examples.ts';
import { TOPICS } from './topics.ts';

/** The text below the options in a command's help, except the examples. */
function notesOf(command: Command): string {
  let text = '';
  const before = command.configureOutput();
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  command.configureOutput(before);
  const rest = text.slice(command.helpInformation().length);
  return rest.replace(/^\nExamples:\n(?: {2}.*\n)*/m, '').trim();
}

const section = (title: string, options: readonly Option[]): PageSection => ({
  title: title.replace(/:$/, ''),
  terms: options.map((option) => ({
    term: option.flags,
    text: [
      option.description,
      ...(option.argChoices ? [`(one of ${option.argChoices.join(', ')})`] : []),
      ...(option.defaultValue === undefined || option.defaultValue === false
        ? []
        : [`(default: ${String(option.defaultValue)})`]),
    ].join(' '),
  })),
});

/** A command's options by heading, in help order. */
function optionSections(command: Command): PageSection[] {
  const options = command.createHelp().visibleOptions(command);
  const groups = grouped(options, ({ helpGroupHeading }) => helpGroupHeading ?? 'Options');
  return [...groups].map(([title, own]) => section(title, own));
}

/** A command as data for its manual page. */
function pageOf(command: Command): CommandPage {
  const described = command.registeredArguments.filter(({ description }) => description !== '');
  return {
    name: command.name(),
    usage: command.usage(),
    description: command.description(),
    sections: [
      ...(described.length === 0
        ? []
        : [
            {
              title: 'Arguments',
              terms: described.map((one) => ({ term: `<${one.name()}>`, text: one.description })),
            },
          ]),
      ...optionSections(command),
    ],
    examples: examplesOf(command).map(([line, purpose]) => ({ line: `noesis ${line}`, purpose })),
    notes: notesOf(command),
  };
}

/** The manual pages by file name: one of the program, and one per command. */
export function manualOf(program: Command, date: string): ReadonlyMap<string, string> {
  const options = { version, date, bugs: issuesUrl };
  const commands = program.commands.map(pageOf);
  const topics = TOPICS.map(({ title, text }) => ({ title, text: text(allDialects()) }));
  return new Map([
    ['noesis.1', programPage(pageOf(program), commands, topics, options)],
    ...commands.map((page): [string, string] => [`noesis-${page.name}.1`, commandPage(page, options)]),
  ]);
}
