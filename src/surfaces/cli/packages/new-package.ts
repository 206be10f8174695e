import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { asYaml } from '../../../contract/packages/as-yaml.ts';
import { newPackage, type PackageFields } from '../../../contract/packages/new-package.ts';
import { PackageAgents, PackageDetail } from '../../../contract/packages/package-resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { CliFault, EXIT } from '../cli-fault.ts';
import type { ApiClient } from '../client/api-client.ts';
import { getPersona } from '../client/look-up.ts';
import { operatorClient } from '../client/operator-client.ts';
import { hasTerminal } from '../maintenance/confirm.ts';
import { errnoWords } from '../output/errno-words.ts';
import { TICK } from '../output/ink.ts';
import { projectOf, showCreated } from './packages.ts';

/** The options of `baton package new`. */
export interface NewOptions {
  readonly to?: string;
  readonly why?: string;
  readonly summary?: string;
  readonly artifact?: readonly string[];
  readonly deliverable?: string;
  readonly criterion?: readonly string[];
  readonly approval?: boolean;
  readonly beginWorkflow?: boolean;
  readonly project?: string;
  readonly draft?: boolean;
}

/** The fields that every package needs, each with the question that asks the operator for its value. */
const NEEDED = [
  ['to', 'To (a name; baton package agents lists them): '],
  ['why', 'Why this agent: '],
  ['summary', 'What the agent should know (numbers, paths, names): '],
  ['deliverable', 'Expected result: '],
] as const;

/**
 * Writes a package into a file for the operator to complete, or sends the package. Asks for missing fields on a
 * terminal.
 */
export const writePackage = (cli: Cli, file: string | undefined, given: NewOptions): Promise<number> =>
  file === undefined ? send(cli, given) : writeTo(cli, file, given);

async function send(cli: Cli, given: NewOptions): Promise<number> {
  const wanted = await complete(cli, given);
  const api = operatorClient(cli.deps);
  const to = await receiver(api, wanted.to ?? '');
  const place = await projectOf(cli, api, given.project);
  const body = { package: newPackage(fieldsOf({ ...wanted, to }, '')), seal: given.draft !== true, ...place };
  const answer = await api.post(PATHS.packages, body, PackageDetail);
  return showCreated(cli, api, answer);
}

async function complete(cli: Cli, given: NewOptions): Promise<NewOptions> {
  const missing = NEEDED.filter(([name]) => !given[name]?.trim());
  if (missing.length === 0) return given;
  if (cli.json || !hasTerminal(cli))
    throw new CliFault(
      `The package was not sent. Missing: ${missing.map(([name]) => `--${name}`).join(', ')}. Name a file to write a package that you complete in an editor: baton package new work.yaml`,
      { code: 'usage', exitCode: EXIT.usage },
    );
  return { ...given, ...(await ask(cli, missing)) };
}

async function ask({ deps }: Cli, missing: readonly (readonly [string, string])[]): Promise<Record<string, string>> {
  const lines = createInterface({ input: deps.stdin ?? process.stdin });
  const answers: Record<string, string> = {};
  try {
    const typed = lines[Symbol.asyncIterator]();
    for (const [name, question] of missing) {
      deps.stderr.write(question);
      const { value } = await typed.next();
      if (!value?.trim()) throw new CliFault(`The package was not sent: --${name} is empty.`, { code: 'usage' });
      answers[name] = value.trim();
    }
  } finally {
    lines.close();
  }
  return answers;
}

async function writeTo(cli: Cli, file: string, given: NewOptions): Promise<number> {
  const to = given.to === undefined ? undefined : await receiver(operatorClient(cli.deps), given.to);
  const text = asYaml(newPackage(fieldsOf({ ...given, ...(to && { to }) }, 'TODO')));
  try {
    // `wx` refuses to replace an existing file, because the operator may already have filled in that file.
    await writeFile(file, text, { flag: 'wx' });
  } catch (error) {
    throw new CliFault(`${file} was not written: ${errnoWords(error)}.`, { code: 'unwritable', exitCode: EXIT.usage });
  }
  const open = text.split('TODO').length - 1;
  if (cli.json) cli.out.json({ file, package: text });
  else {
    cli.out.print(TICK, ` Wrote ${file}`);
    if (open > 0) cli.out.print(`  Replace ${open === 1 ? 'the TODO' : `the ${open} TODOs`} in an editor.`);
    cli.out.print(`  Check it: baton lint ${file}`);
    cli.out.print(`  Send it:  baton package create ${file}`);
  }
  return EXIT.done;
}

/**
 * Returns the fields of a package. A missing text is replaced by a word that the lint refuses, so that an unfinished
 * file cannot be sent by mistake.
 */
function fieldsOf(given: NewOptions, gap: '' | 'TODO'): PackageFields {
  const or = (text: string | undefined, hint: string): string => text?.trim() || (gap && `${gap}: ${hint}`);
  return {
    to: given.to ?? gap,
    reason: or(given.why, 'why this agent'),
    summary: or(given.summary, 'what the agent should know, with numbers, paths and names'),
    files: given.artifact ?? [],
    deliverable: or(given.deliverable, 'the expected result'),
    criteria: given.criterion ?? (gap === '' ? [] : [`${gap}: how to check that it is done`]),
    approval: given.approval === true,
    beginsWorkflow: given.beginWorkflow === true,
  };
}

/**
 * Returns the receiver's name as packages spell it. A name that `baton package agents` lists stays as it is. Any other
 * name must be the name of a persona and is replaced by the persona's slug.
 */
async function receiver(api: ApiClient, name: string): Promise<string> {
  const { agents } = (await api.get(PATHS.packageAgents, PackageAgents)).data;
  if (name === 'human' || agents.some((each) => each.name === name)) return name;
  return (await getPersona(api, name)).data.slug;
}
