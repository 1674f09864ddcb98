import type { Command, Option } from 'commander';
import type { CommandPage, PageSection } from '../../render/man-page.ts';
import { examplesOf } from './examples.ts';

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
  const groups = new Map<string, Option[]>();
  for (const option of command.createHelp().visibleOptions(command)) {
    const title = option.helpGroupHeading ?? 'Options';
    groups.set(title, [...(groups.get(title) ?? []), option]);
  }
  return [...groups].map(([title, options]) => section(title, options));
}

/** A command as data for its manual page. */
export function pageOf(command: Command): CommandPage {
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
