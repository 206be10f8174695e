import { z } from 'zod';
import { schemaProblems } from '../../contract/packages/package-problems.ts';
import { PackageDetail, PackageList, ReceivedPackage } from '../../contract/packages/package-resources.ts';
import { type PackageTool, TOOLS } from '../../contract/packages/package-tools.ts';
import { PATHS } from '../../contract/routes.ts';
import type { Answered } from '../socket/read-answer.ts';
import type { BatonApi } from './baton-api.ts';
import { sayAnswer } from './say-answer.ts';
import { sayRefused } from './say-refused.ts';
import { visibleJson } from './visible-text.ts';

export interface ToolAnswer {
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly isError?: boolean;
  readonly [key: string]: unknown;
}

/**
 * Calls a tool for an agent. The answer contains the same JSON twice: as text and as structured content. The sentence
 * for the model is inside the JSON, because Claude Code shows the model only the structured content. Refusals are
 * returned, not thrown.
 */
export async function callTool(api: BatonApi, name: PackageTool, given: unknown): Promise<ToolAnswer> {
  const answered = await ask(api, name, given);
  if ('refused' in answered) return { content: [text(sayRefused(answered.refused))], isError: true };
  const sentence = sayAnswer(name, answered.body);
  const next = sentence === undefined ? {} : { next: sentence };
  const shown = visibleJson({ ...next, ...(inBrief(name, answered.body) as object) });
  return { content: [text(shown)], structuredContent: JSON.parse(shown) };
}

/**
 * Shortens an answer that shows a package. Only the answer of `handoff_receive` keeps the package's content, because
 * an agent that has just written a package does not need to read it again.
 */
function inBrief(name: PackageTool, body: unknown): unknown {
  if (name === 'handoff_receive') {
    const { data } = ReceivedPackage.safeParse(body);
    if (data === undefined) return body;
    const {
      id,
      type,
      from,
      to,
      state,
      package: sealed,
      decision,
      questions,
      answers,
      criteria,
      held_up,
    } = data.package;
    const { package: _p, ...report } = data;
    return {
      package: { id, type, from, to, state, package: sealed, decision, questions, answers, criteria, held_up },
      ...report,
    };
  }
  const { data } = PackageDetail.safeParse(body);
  if (data === undefined) return body;
  const { id, type, from, to, state, waiter, revision, findings, questions } = data;
  return { id, type, from, to, state, waiter, revision, findings, questions };
}

const text = (words: string) => ({ type: 'text' as const, text: words });

async function ask(api: BatonApi, name: PackageTool, given: unknown): Promise<Answered> {
  const { input, call } = TOOLS[name];
  const problems = schemaProblems(input, given);
  if (problems.length > 0) return { refused: misfit(name, problems) };
  // Send the arguments as the agent gave them and not as parsed. Parsing would add the schema's defaults, but the
  // server must fill in these defaults itself.
  const answered = await api.ask(call(z.record(z.string(), z.unknown()).parse(given)));
  if ('refused' in answered) return answered;
  return name === 'handoff_inbox' ? withQuestions(api, answered) : answered;
}

function misfit(name: PackageTool, problems: ReturnType<typeof schemaProblems>) {
  const where = problems.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`);
  const keys = Object.keys(TOOLS[name].shown.shape).join(', ') || 'none';
  return {
    code: 'bad_request',
    error: `${name} was called with invalid arguments. ${where.join(' ')}`,
    hint: `The arguments of the tool are: ${keys}.`,
  };
}

/** Adds the open questions to the listed packages, because an agent needs the ids of the questions to answer them. */
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
