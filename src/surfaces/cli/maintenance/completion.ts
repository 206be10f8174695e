import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { CliFault, EXIT } from '../cli-fault.ts';
import { commandTree, type Place } from '../completion/command-tree.ts';
import { bashScript, fishScript, zshScript } from '../completion/scripts.ts';

const SCRIPTS: Readonly<Record<string, (places: readonly Place[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

export async function printCompletion({ json, out }: Cli, program: Command, shell: string): Promise<number> {
  const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
  if (script === undefined) {
    const sentence = `No completion for "${shell}". Use one of ${Object.keys(SCRIPTS).join(', ')}.`;
    throw new CliFault(sentence, { code: 'usage', exitCode: EXIT.usage });
  }
  const places = commandTree(program);
  if (json) out.json({ shell, script: script(places) });
  else out.print(script(places));
  return EXIT.done;
}
