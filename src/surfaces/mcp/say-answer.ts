import {
  PackageAgents,
  PackageDetail,
  PackageLint,
  PackageList,
  ReceivedPackage,
} from '../../contract/packages/package-resources.ts';
import type { PackageTool } from '../../contract/packages/package-tools.ts';
import { HandoffAsked } from '../../contract/policies.ts';
import { visibleText } from './visible-text.ts';

/**
 * Returns a sentence or two for the agent: the result of the tool call, and the next steps. Returns undefined if the
 * answer has an unknown form.
 */
export function sayAnswer(tool: PackageTool, body: unknown): string | undefined {
  const text = SAYING[tool]?.(body) ?? sayDetail(body) ?? sayLint(body);
  return text === undefined ? undefined : visibleText(text);
}

const SAYING: Readonly<Partial<Record<PackageTool, (body: unknown) => string | undefined>>> = {
  handoff_receive: (body) => {
    const { data } = ReceivedPackage.safeParse(body);
    return data === undefined ? undefined : sayReceived(data);
  },
  handoff_inbox: (body) => {
    const { data } = PackageList.safeParse(body);
    const ids = data?.packages.map(({ id, state }) => `${id} (${state})`).join(', ');
    return ids === undefined
      ? undefined
      : ids === ''
        ? 'No package waits for you.'
        : `These packages wait for you: ${ids}.`;
  },
  handoff_agents: (body) => {
    const { data } = PackageAgents.safeParse(body);
    return data && `You are ${data.you[0]}.`;
  },
  handoff_request: (body) => HandoffAsked.safeParse(body).data?.sentence,
  handoff_run_ack: () => 'The handoff is acknowledged. Continue with the next steps in its document.',
};

function sayReceived({ package: each, report }: ReceivedPackage): string {
  const where = report.folder === null ? '' : ` Its artifacts are in ${report.folder}.`;
  const what = `${each.id} (${each.type}) from ${each.from} is ${each.state}.${where}`;
  if (each.state !== 'pending' || each.waiter !== 'receiver') return what;
  return report.blocked
    ? `${what} Baton found errors (report.findings), so the package cannot be accepted. Call handoff_ack with "understood":"partial", and name the errors as blockers.`
    : `${what} Accept it with handoff_ack: {"id":"${each.id}","acknowledgment":{"received":true,"understood":{"task":"…"},"starting":true}}; or ask with "understood":"partial"; or use handoff_decline.`;
}

function sayDetail(body: unknown): string | undefined {
  const { data } = PackageDetail.safeParse(body);
  return data && `${data.id} (addressed to ${data.to}) is ${data.state}, owned by the ${data.owner}.`;
}

function sayLint(body: unknown): string | undefined {
  const { data } = PackageLint.safeParse(body);
  return (
    data &&
    (data.ok ? 'The package can be sent.' : 'The package would be refused. Correct the findings with severity error.')
  );
}
