import { rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { cannotWrite, errorCode, isOfWriting, UsageError } from '../src/base/errors.ts';
import { action, type Context } from '../src/cli/context.ts';
import { withExamples } from '../src/cli/help/examples.ts';
import type { Io } from '../src/cli/io.ts';

const MORE = `
The private key signs: noesis seal --key KID=NAME.key, noesis verify --attest,
noesis checkpoint --key. Keep it secret. Give the public key to those who verify:
it cannot sign.`;

/** Refuses a name that is not a valid file name, or only `.key`, which would be hidden. */
function keyName(text: string): string {
  if (text !== '' && !/[/\\]$/.test(text)) return text;
  throw new InvalidArgumentError('expected a file name');
}

export function addKeygen(program: Command, io: Io): void {
  withExamples(
    program.command('keygen'),
    ['keygen ops', 'write ops.key and ops.pub'],
    ['keygen ~/.config/noesis/ops', 'in a folder that only you can read'],
  )
    .description('create a pair of Ed25519 keys')
    .argument('<name>', 'write NAME.key and NAME.pub', keyName)
    .addHelpText('after', MORE)
    .action(action(io, runKeygen));
}

/**
 * Writes a key to a new file. An existing file is never replaced, because it may be the only key of its
 * signatures.
 */
async function writeNew(path: string, text: string, mode: number): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx', mode, flush: true });
  } catch (error) {
    if (errorCode(error) === 'EEXIST') {
      throw new UsageError('usage', `${path} already exists: no key is overwritten`, {
        place: { file: path },
        hint: 'choose another name, or move the old pair away',
      });
    }
    // A full disk leaves an empty file, which would stop another attempt.
    if (isOfWriting(error)) await rm(path, { force: true });
    throw cannotWrite(path, error);
  }
}

async function runKeygen(context: Context, name: string): Promise<void> {
  const { keyIdOf } = await import('../src/verify/attest/dsse.ts');
  const { newKeyPair, requirePublicKey } = await import('../src/base/keys/ed25519.ts');
  const pair = newKeyPair();
  const files = {
    privateKey: resolve(context.io.cwd, `${name}.key`),
    publicKey: resolve(context.io.cwd, `${name}.pub`),
  };
  await writeNew(files.privateKey, pair.privateKey, 0o600);
  try {
    await writeNew(files.publicKey, pair.publicKey, 0o644);
  } catch (error) {
    await rm(files.privateKey);
    throw error;
  }
  const keyId = keyIdOf(requirePublicKey(Buffer.from(pair.publicKey), files.publicKey));
  if (context.json) return context.printJson({ ...files, keyId });
  const lines = [
    `private key  ${context.shortPath(files.privateKey)}  (keep it secret)`,
    `public key   ${context.shortPath(files.publicKey)}`,
    `key id       ${keyId}`,
  ];
  await context.show(`${lines.join('\n')}\n`);
}
