import { PackageDetail, PackageLint, PackageList, ReceivedPackage } from '../../contract/package-resources.ts';
import type { PackageTool } from '../../contract/package-tools.ts';
import { visibleText } from './visible-text.ts';

/** What came of a call, and what can be done next, in a sentence or two; undefined if the answer has another form. */
export function sayAnswer(tool: PackageTool, body: unknown): string | undefined {
  const text = SAYING[tool]?.(body) ?? sayDetail(body);
  return text === undefined ? undefined : visibleText(text);
}

const SAYING: Readonly<Partial<Record<PackageTool, (body: unknown) => string | undefined>>> = {
  handoff_receive: (body) => {
    const { data } = ReceivedPackage.safeParse(body);
    return data === undefined ? undefined : sayReceived(data);
  },
  handoff_lint: (body) => {
    const { data } = PackageLint.safeParse(body);
    return data && `It ${data.ok ? 'may be sealed' : 'is not to be sealed: mend what has severity error'}.`;
  },
  handoff_inbox: (body) => {
    const { data } = PackageList.safeParse(body);
    const ids = data?.packages.map(({ id }) => id).join(', ');
    return ids === undefined ? undefined : ids === '' ? 'No package waits for you.' : `These wait for you: ${ids}.`;
  },
  gate_list: () => 'Only people decide these.',
  handoff_run_ack: () => 'The handoff is acknowledged. Carry on with its next steps.',
};

function sayReceived({ package: each, report }: ReceivedPackage): string {
  const where = report.folder === null ? '' : ` Its artifacts lie in ${report.folder}.`;
  const what = `${each.id} (${each.type}) from ${each.from} is ${each.state}; its epoch is ${each.epoch}.${where}`;
  if (each.state !== 'delivered') return what;
  const hash = `content_sha256 ${each.content_sha256}`;
  if (report.blocked)
    return `${what} The host sees errors (report.findings), so it cannot be taken as it is: name them with handoff_ask, ${hash}.`;
  const covers = JSON.stringify(each.to_cover.map(({ id }) => id));
  return `${what} Take it with handoff_ack, ${hash}, covered_ids ${covers}; or use handoff_ask or handoff_decline.`;
}

function sayDetail(body: unknown): string | undefined {
  const { data } = PackageDetail.safeParse(body);
  if (data === undefined) return undefined;
  const { id, state, owner, epoch, to } = data;
  return `${id} to ${to} is ${state}, owned by the ${owner}; its epoch is ${epoch}.`;
}
