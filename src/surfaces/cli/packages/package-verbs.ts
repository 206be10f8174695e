import { PackageContents, PackageDetail, PackageRow } from '../../../contract/packages/package-resources.ts';
import { PATHS, type PackageVerb } from '../../../contract/routes.ts';
import { stateLook } from '../../../contract/words/package-state-words.ts';
import type { Cli } from '../cli.ts';
import { CliFault, EXIT } from '../cli-fault.ts';
import { operatorClient, partyClient } from '../client/operator-client.ts';
import { sayMachine, showAnswer } from '../messages/show-answer.ts';
import { type Part, TICK } from '../output/ink.ts';
import { when } from '../output/when.ts';

/** Sends a request for one action on a package. The server validates the request. */
export async function act(
  cli: Cli,
  id: string,
  verb: PackageVerb,
  body: object,
  told: (after: PackageDetail) => string = standing,
  more: (after: PackageDetail) => Part[][] = () => [],
): Promise<number> {
  const answer = await partyClient(cli.deps).post(PATHS.packageVerb(id, verb), body, PackageDetail);
  return showAnswer(cli, answer, (after) => [[TICK, ` ${sayMachine(cli, told(after))}`], ...more(after)]);
}

const standing = ({ id, state, owner, revision }: PackageDetail): string =>
  `${id} is ${stateLook(state).word.toLowerCase()}, owned by the ${owner}${revision > 0 ? ` (revision ${revision})` : ''}`;

export const remind = (cli: Cli, id: string): Promise<number> =>
  act(cli, id, 'remind', {}, ({ waiter, from, to }) => {
    return `Baton will remind ${waiter === 'sender' ? from : to} of ${id} as soon as the agent is idle`;
  });

/** Waives a lint rule for a draft, and prints until when the waiver is valid. */
export const waive = (cli: Cli, id: string, wanted: { rule: string; why: string; until: string }): Promise<number> =>
  act(cli, id, 'waive', wanted, () => `${wanted.rule} is waived for ${id} until ${when(wanted.until)}`);

const look = async (cli: Cli, id: string): Promise<PackageDetail> =>
  (await partyClient(cli.deps).get(PATHS.package(id), PackageDetail)).data;

export interface AckRequest {
  readonly task?: string;
  /** The path of a YAML file with the acknowledgment. */
  readonly file?: string;
}

export async function acknowledge(cli: Cli, id: string, { task, file }: AckRequest): Promise<number> {
  if ((task === undefined) === (file === undefined))
    throw new CliFault('Say what you understood: use either --task TEXT or --file FILE.', {
      code: 'usage',
      exitCode: EXIT.usage,
    });
  const said = file === undefined ? undefined : await cli.deps.readYaml(file);
  const written = (said as { acknowledgment?: unknown } | undefined)?.acknowledgment ?? said;
  return act(cli, id, 'ack', {
    acknowledgment: written ?? { received: true, understood: { task }, questions: [], starting: true },
  });
}

/**
 * Sends answers to the questions about a package. Each pair consists of a question's id and its answer, such as
 * `Q-1-1=the answer`.
 */
export async function answer(cli: Cli, id: string, pairs: readonly string[], { file }: { file?: string }) {
  const answers = pairs.map((pair) => ({ id: split(pair).name, text: split(pair).rest }));
  const anew = file === undefined ? {} : { package: await cli.deps.readYaml(file) };
  return act(cli, id, 'answer', { answers, ...anew });
}

/** Reports the results of the criteria. Each pair is `C-001=pass` or `C-001=fail:the evidence`. */
export function complete(cli: Cli, id: string, pairs: readonly string[], more: { note?: string }): Promise<number> {
  const results = pairs.map((pair) => {
    const { name, rest } = split(pair);
    const [result = '', ...evidence] = rest.split(':');
    return { id: name, result, ...(evidence.length === 0 ? {} : { evidence: evidence.join(':').trim() }) };
  });
  return act(cli, id, 'complete', { ...more, results });
}

function split(pair: string): { readonly name: string; readonly rest: string } {
  const at = pair.indexOf('=');
  if (at < 1) throw new CliFault(`Invalid value "${pair}". Use ID=TEXT.`, { code: 'usage', exitCode: EXIT.usage });
  return { name: pair.slice(0, at), rest: pair.slice(at + 1) };
}

export interface DecisionRequest {
  readonly reason?: string;
  readonly choice?: string;
  readonly condition?: readonly string[];
  readonly item?: readonly string[];
  readonly seen?: string;
}

/**
 * Sends a decision about a package. `seen` identifies the content that the operator saw; the operator gets the value of
 * `seen` from `baton package contents`. Without `seen`, the decision is about the submitted content, and this function
 * refuses the decision if an artifact has changed since the submission.
 */
export async function decide(cli: Cli, id: string, option: string, wanted: DecisionRequest): Promise<number> {
  const { reason = '', choice, condition = [], item, seen } = wanted;
  const items = item?.map(itemNumber);
  const body = {
    option,
    reason,
    ...(choice === undefined ? {} : { choice }),
    conditions: condition,
    seen: seen ?? (await asSubmitted(cli, id, option)) ?? '',
    ...(items === undefined ? {} : { items }),
  };
  return act(cli, id, 'decide', body, (after) => decided(after, option, wanted), approvedLines);
}

/**
 * Parses the number of a gate's item. Refuses a wrong number here, because a refusal of the server could not name the
 * option `--item`.
 */
function itemNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new CliFault(`--item "${text}" is not the number of an item. Use a whole number; the first item is 0.`, {
    code: 'usage',
    exitCode: EXIT.usage,
  });
}

const DECIDED: Readonly<Record<string, string>> = {
  approve: 'You approved',
  reject: 'You rejected',
  question: 'You asked the author of',
};

function decided(after: PackageDetail, option: string, { choice, condition = [], item }: DecisionRequest): string {
  const { id, state, from } = after;
  const chosen = choice === undefined ? '' : `, choice ${choice}`;
  const conditions = condition.length === 0 ? '' : `, on condition: ${condition.join('; ')}`;
  // If only one item was approved, the gate may still be open, because it stays open until all of its items are
  // approved.
  const isOpen = item !== undefined && state === 'pending';
  return `${DECIDED[option] ?? `You decided (${option})`} ${id}${chosen}${conditions}. ${isOpen ? 'Other items of the gate still wait for you.' : `Baton tells ${from}.`}`;
}

/**
 * Returns the value of `seen` for the submitted content. Throws CliFault if an artifact has changed since the package
 * was submitted.
 */
async function asSubmitted(cli: Cli, id: string, option: string): Promise<string | null> {
  // Do not look for changed artifacts if an agent decides. An agent is not allowed to read the contents, and the server
  // refuses every decision of an agent anyway.
  if (cli.deps.shell().agent !== undefined) return (await look(cli, id)).seen;
  const client = operatorClient(cli.deps);
  const { data } = await client.get(PATHS.packageVerb(id, 'contents'), PackageContents);
  const changed = data.artifacts.filter(({ state }) => state !== 'as_sealed' && state !== 'not_sealed');
  if (changed.length === 0 && data.seen != null) return data.seen;
  const { state, waiter } = (await client.get(PATHS.package(id), PackageRow)).data;
  if (state === 'draft')
    throw new CliFault(`Nothing was decided: ${id} is a draft.`, {
      code: 'package_not_possible',
      hint: `Seal the draft first: baton package seal ${id}`,
    });
  // If the package waits for no decision, ignore changed files. The server then refuses the decision and says why.
  if (changed.length === 0 || state !== 'pending' || waiter !== 'human') return (await look(cli, id)).seen;
  throw new CliFault(
    `Nothing was decided: ${changed.map(({ path }) => path).join(', ')} changed after ${id} was submitted.`,
    {
      code: 'stale_content',
      hint: `Read what changed: baton package contents ${id}. This command also prints the VALUE for: baton package decide ${id} ${option}${option === 'approve' ? '' : ' --reason TEXT'} --seen VALUE`,
    },
  );
}

const approvedLines = ({ gate, decision }: PackageDetail): Part[][] =>
  decision?.option === 'approve'
    ? (gate?.items ?? []).flatMap((item, index) =>
        gate?.approved.includes(index) ? [[`  approved ${index}: ${item}`]] : [],
      )
    : [];

export async function seal(cli: Cli, id: string, { file }: { file?: string | undefined }) {
  const anew = file === undefined ? {} : { package: await cli.deps.readYaml(file) };
  return act(cli, id, 'seal', anew);
}
