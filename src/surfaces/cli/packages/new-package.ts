import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { asYaml } from '../../../contract/packages/as-yaml.ts';
import {
  isAgentNumber,
  isOperatorName,
  newPackage,
  type PackageFields,
} from '../../../contract/packages/new-package.ts';
import { PackageAgents, PackageDetail } from '../../../contract/packages/package-resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { shellWord } from '../../../contract/words/shell-quote.ts';
import type { Cli } from '../cli.ts';
import { CliFault, EXIT } from '../cli-fault.ts';
import type { ApiClient } from '../client/api-client.ts';
import { getPersona, getPersonas } from '../client/look-up.ts';
import { partyClient } from '../client/operator-client.ts';
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
 * If `file` is given, writes the package into this file, where its author can complete it. Otherwise sends the package,
 * and on a terminal asks for missing fields.
 */
export const writePackage = (cli: Cli, file: string | undefined, given: NewOptions): Promise<number> =>
  file === undefined ? send(cli, given) : writeTo(cli, file, given);

async function send(cli: Cli, given: NewOptions): Promise<number> {
  const wanted = await complete(cli, given);
  const api = partyClient(cli.deps);
  const { from, to } = await parties(cli, api, wanted.to);
  const place = await projectOf(cli, api, given.project);
  const written = newPackage(fieldsOf({ ...wanted, ...to }, ''), from);
  const body = { package: written, seal: given.draft !== true, ...place };
  const answer = await api.post(PATHS.packages, body, PackageDetail);
  return showCreated(cli, api, answer);
}

async function complete(cli: Cli, given: NewOptions): Promise<NewOptions> {
  const missing = NEEDED.filter(([name]) => !given[name]?.trim());
  if (missing.length === 0) return given;
  if (cli.json || !hasTerminal(cli))
    throw new CliFault(
      `The package was not sent. Missing: ${missing.map(([name]) => `--${name}`).join(', ')}. Give these options. Or let Baton write a file, and complete the package in an editor: baton package new work.yaml`,
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
  const isOperators = cli.deps.shell().agent === undefined;
  const { from, to } = given.to === undefined && isOperators ? {} : await parties(cli, partyClient(cli.deps), given.to);
  const text = asYaml(newPackage(fieldsOf({ ...given, ...to }, 'TODO'), from));
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
    cli.out.print(`  Check it: baton lint ${shellWord(file)}`);
    cli.out.print(`  Send it:  baton package create ${shellWord(file)}`);
  }
  return EXIT.done;
}

/**
 * Returns the fields of a package. If `gap` is TODO, fills each missing text with the word TODO. The lint refuses this
 * word, so that an unfinished file is not sent by mistake.
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

interface Parties {
  /** The name under which the caller sends packages. */
  readonly from?: string;
  readonly to?: { readonly to: string };
}

/**
 * Returns the sender's and the receiver's name as packages spell them. Throws CliFault if the operator would send a
 * package to the operator.
 */
async function parties({ deps }: Cli, api: ApiClient, name: string | undefined): Promise<Parties> {
  const { you, agents } = (await api.get(PATHS.packageAgents, PackageAgents)).data;
  const [from = ''] = you;
  if (name === undefined) return { from };
  const isOperators = deps.shell().agent === undefined;
  if (isOperators && isOperatorName(name))
    throw new CliFault('You cannot send a package to yourself: human and orchestrator are both you, the operator.', {
      code: 'bad_request',
      hint: 'Name an agent with --to. List the names: baton package agents',
    });
  const isListed = isOperatorName(name) || isAgentNumber(name) || agents.some((each) => each.name === name);
  // Check the name only for the operator, because agents cannot read the list of personas. For an agent, the server
  // checks the name when the package is sealed.
  return { from, to: { to: isListed || !isOperators ? name : await receiver(api, name) } };
}

/**
 * Converts the receiver that the operator typed to the name that packages use. A role stays as it is, unless a persona
 * has the same name. Any other text is looked up as a persona, and the persona's slug is returned.
 */
async function receiver(api: ApiClient, name: string): Promise<string> {
  const personas = (await getPersonas(api)).data;
  const isRole = personas.some((each) => each.role === name) && !personas.some((each) => each.name === name);
  return isRole ? name : (await getPersona(api, name)).data.slug;
}
