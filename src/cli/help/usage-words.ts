import type { Command } from 'commander';
import { alternatives } from '../../base/text/alternatives.ts';

/** The long name of the option whose flags commander quotes, such as `-f, --format <name>`. */
const longName = (flags: string): string => /--[a-z][a-z-]*/.exec(flags)?.[0] ?? flags;

const OPTION_VALUE =
  /^option '([^']*)' (?:argument|value) '([\s\S]*)' is invalid(?: from env '[^']*')?\.\s*([\s\S]*)$/;
const ARGUMENT_VALUE = /^command-argument value '([\s\S]*)' is invalid for argument '([^']*)'\.\s*([\s\S]*)$/;

/** Why a value is refused. Parsers of values begin with "expected", or give a whole reason. */
function refused(name: string, value: string, reason: string): string {
  const [, choices] = /^Allowed choices are (.*)\.$/s.exec(reason) ?? [];
  const why = choices === undefined ? reason : `expected ${alternatives(choices.split(', '))}`;
  return why.startsWith('expected ')
    ? `${name}: ${why}; found ${JSON.stringify(value)}`
    : `${name}: ${why || `cannot be ${JSON.stringify(value)}`}`;
}

/** The arguments that a command needs, such as `<a> and <b>`. */
const neededBy = (command: Command): string =>
  command.registeredArguments
    .filter(({ required }) => required)
    .map((one) => `<${one.name()}>`)
    .join(' and ');

/** The values of an option, if there is a list of them. */
function valuesOf(command: Command, option: string): string {
  const choices = command.options.find(({ long }) => long === option)?.argChoices ?? [];
  return choices.length === 0 ? '' : `: ${alternatives(choices)}`;
}

/** Commander's text for a wrong command line, as the other messages of the program are written. */
export function usageMessage(command: Command, message: string): string {
  const text = message.replace(/^error: /, '');
  const [, flags, value = '', reason = ''] = OPTION_VALUE.exec(text) ?? [];
  if (flags !== undefined) return refused(longName(flags), value, reason);
  const [, given, argument = '', why = ''] = ARGUMENT_VALUE.exec(text) ?? [];
  if (given !== undefined) return refused(`<${argument}>`, given, why);
  const [, missing] = /^missing required argument '([^']*)'$/.exec(text) ?? [];
  if (missing !== undefined) {
    const all = neededBy(command);
    return `${command.name()} needs ${all}${all === `<${missing}>` ? '' : `; <${missing}> is missing`}`;
  }
  const [, empty] = /^option '([^']*)' argument missing$/.exec(text) ?? [];
  if (empty !== undefined) return `${longName(empty)} needs a value${valuesOf(command, longName(empty))}`;
  const [, mandatory] = /^required option '([^']*)' not specified$/.exec(text) ?? [];
  if (mandatory !== undefined) {
    const name = longName(mandatory);
    return `${command.name()} needs ${name}${valuesOf(command, name)}`;
  }
  const [, one, other] = /^option '([^']*)' cannot be used with option '([^']*)'$/.exec(text) ?? [];
  if (one !== undefined && other !== undefined)
    return `${longName(one)} cannot be used with ${longName(other)}`;
  const [, most, got] = /^too many arguments.* Expected (\d+) arguments? but got (\d+)\.$/.exec(text) ?? [];
  if (most !== undefined)
    return `${command.name()} takes ${most === '0' ? 'no arguments' : most === '1' ? 'one argument' : `at most ${most} arguments`}; found ${got}`;
  return text;
}
