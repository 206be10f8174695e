import { z } from 'zod';
import { schemaProblems } from '../../contract/package-problems.ts';
import { PackageDetail, PackageList } from '../../contract/package-resources.ts';
import { type PackageTool, TOOLS } from '../../contract/package-tools.ts';
import { PATHS } from '../../contract/routes.ts';
import type { Answered, BatonApi } from './baton-api.ts';
import { sayAnswer } from './say-answer.ts';
import { sayRefused } from './say-refused.ts';
import { visibleJson } from './visible-text.ts';

export interface ToolAnswer {
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly isError?: boolean;
  readonly [key: string]: unknown;
}

/** A sentence for the model, then the answer as JSON. What is refused is an answer as well, never a fault of the protocol. */
export async function callTool(api: BatonApi, name: PackageTool, given: unknown): Promise<ToolAnswer> {
  const answered = await ask(api, name, given);
  if ('refused' in answered) return { content: [text(sayRefused(answered.refused))], isError: true };
  const { body } = answered;
  const sentence = sayAnswer(name, body);
  return { content: [...(sentence === undefined ? [] : [text(sentence)]), text(visibleJson(body))] };
}

const text = (words: string) => ({ type: 'text' as const, text: words });

async function ask(api: BatonApi, name: PackageTool, given: unknown): Promise<Answered> {
  const { input, call } = TOOLS[name];
  const problems = schemaProblems(input, given);
  if (problems.length > 0) return { refused: misfit(name, problems) };
  // As it was given, not as it was read: what the schema fills in is for the server to fill in.
  const answered = await api.ask(call(z.record(z.string(), z.unknown()).parse(given)));
  if ('refused' in answered) return answered;
  if (name === 'handoff_inbox') return withQuestions(api, answered);
  return name === 'gate_list' ? withDecisions(api, answered) : answered;
}

function misfit(name: PackageTool, problems: ReturnType<typeof schemaProblems>) {
  const where = problems.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`);
  return { code: 'bad_request', error: `${name} was called with something else than it takes. ${where.join(' ')}` };
}

/** To answer them, an agent needs their ids. */
async function withQuestions(api: BatonApi, { body }: { readonly body: unknown }): Promise<Answered> {
  const rows = PackageList.safeParse(body).data?.packages;
  if (rows === undefined) return { body };
  const packages: unknown[] = [];
  for (const row of rows) {
    const asked =
      row.state === 'clarifying' ? await api.ask({ method: 'GET', path: PATHS.package(row.id) }) : undefined;
    const known = asked !== undefined && 'body' in asked ? PackageDetail.safeParse(asked.body).data : undefined;
    packages.push(known === undefined ? row : { ...row, questions: known.questions });
  }
  return { body: { packages } };
}

/** So many of the newest with what was decided: an agent goes on by the words of a person, not by a state. */
const TOLD_DECISIONS = 10;

async function withDecisions(api: BatonApi, { body }: { readonly body: unknown }): Promise<Answered> {
  const rows = PackageList.safeParse(body).data?.packages;
  if (rows === undefined) return { body };
  const packages: unknown[] = [];
  for (const row of rows.filter(({ to, type }) => to === 'human' || type === 'gate')) {
    const isTold = row.state !== 'awaiting_human' && packages.length < TOLD_DECISIONS;
    const asked = isTold ? await api.ask({ method: 'GET', path: PATHS.package(row.id) }) : undefined;
    const known = asked !== undefined && 'body' in asked ? PackageDetail.safeParse(asked.body).data : undefined;
    packages.push(known === undefined ? row : { ...row, decision: known.decision });
  }
  return { body: { packages } };
}
