import { Argument, type Command } from 'commander';
import { withExamples } from '../src/cli/help/examples.ts';
import { type Io, write } from '../src/cli/io.ts';
import { completionScript, SHELLS, type Shell } from '../src/show/render/completion-script.ts';

const MORE = `
For zsh, the folder of _noesis must be in fpath. Start a new shell afterwards.`;

export function addCompletion(program: Command, io: Io): void {
  withExamples(
    program.command('completion'),
    ['completion bash > ~/.local/share/bash-completion/completions/noesis', 'install it for bash'],
    ['completion zsh > ~/.zfunc/_noesis', 'install it for zsh'],
    ['completion fish > ~/.config/fish/completions/noesis.fish', 'install it for fish'],
  )
    .description('print a script for shell completion')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText('after', MORE)
    .action((shell: Shell) => write(io.stdout, completionScript(shell)));
}
