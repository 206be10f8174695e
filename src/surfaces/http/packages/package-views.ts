import type { Chain } from '../../../app/packages/list-packages.ts';
import type { Received } from '../../../app/packages/receive-package.ts';
import type { ArtifactContents, PackageNow, ShownContents } from '../../../app/packages/report-on-package.ts';
import type * as contract from '../../../contract/packages/package-resources.ts';
import { namedConstraints, namedCriteria } from '../../../domain/packages/content/package.ts';
import { sealName } from '../../../domain/packages/content/seal-package.ts';
import { heldUpBy, heldUpHint, heldUpSentence, notifiedAndAwaited } from '../../../domain/packages/held-up.ts';
import type { LintReport } from '../../../domain/packages/lint/lint-package.ts';
import { mayBeSealed } from '../../../domain/packages/lint/lint-package.ts';
import { isTerminal, ownerOf } from '../../../domain/packages/record.ts';
import { isHandoffPackage, latestRevision, type StoredPackage } from '../../../domain/packages/stored-package.ts';

export const viewPackageRow = (stored: StoredPackage): contract.PackageRow => {
  const { record, content, projectId, createdAt, updatedAt } = stored;
  return {
    id: record.id,
    type: record.type,
    from: record.from,
    to: record.to,
    state: record.state,
    over: isTerminal(record),
    owner: ownerOf(record),
    waiter: record.waiter,
    revision: record.revision,
    summary: content.context.summary,
    // The package of a handoff run has no deadline, because the run has its own deadlines (rule P26).
    deadline_at: isHandoffPackage(stored) ? null : record.deadlineAt,
    project_id: projectId,
    created_at: createdAt,
    updated_at: updatedAt,
  };
};

const viewLineage = ({ parent, root, hop, supersedes, returnsFor }: StoredPackage['lineage']) => ({
  parent,
  root,
  hop,
  supersedes,
  returns_for: returnsFor,
});

/** Functions that compute fields of a package's view. These fields are not stored. */
export interface PackageAround {
  readonly sha256: (text: string) => string;
  readonly archiveOf: (stored: StoredPackage) => string | null;
}

export function viewPackage(stored: StoredPackage, { sha256, archiveOf }: PackageAround): contract.PackageDetail {
  const { record, content, lineage } = stored;
  const sealed = latestRevision(stored);
  const criteria = namedCriteria(content).map(({ id, text }) => ({ id, text }));
  return {
    ...viewPackageRow(stored),
    uid: stored.uid,
    package: { ...(sealed ?? content) },
    content_sha256: record.seal?.content ?? null,
    seen: sealName(record.seal, sha256),
    artifacts: { ...record.seal?.artifacts },
    lineage: viewLineage(lineage),
    constraints: namedConstraints(content).map(({ id, text }) => ({ id, text })),
    criteria,
    round: record.round,
    questions: record.questions.map(({ id, text }) => ({ id, text })),
    answers: stored.answers.map((answer) => ({ ...answer })),
    gate: record.gate && {
      kind: record.gate.kind,
      items: [...(content.validation_request?.items ?? [])],
      approved: [...record.approvedItems],
    },
    decision: record.decision && { ...record.decision },
    outcome: record.outcome,
    acknowledgement: record.acknowledgement === null ? null : JSON.parse(record.acknowledgement),
    results: stored.results.map(({ id, result, evidence, checked = false }) => ({
      id,
      result,
      checked,
      ...(evidence === undefined ? {} : { evidence }),
    })),
    cause: record.cause,
    superseded_by: record.supersededBy,
    findings: stored.findings.map((finding) => ({ ...finding })),
    waivers: stored.waivers.map((waiver) => ({ ...waiver })),
    read_at: stored.readAt,
    accepted_at: stored.acceptedAt,
    run_id: stored.runId ?? null,
    held_up: viewHeldUp(stored),
    notified: viewNotified(stored),
    archive: archiveOf(stored),
  };
}

function viewNotified(stored: StoredPackage): contract.PackageDetail['notified'] {
  if (stored.told == null) return null;
  const { agentId, label, at } = stored.told;
  return { agent_id: agentId, label, at, must_act: notifiedAndAwaited(stored) !== undefined };
}

function viewHeldUp(stored: StoredPackage): contract.PackageDetail['held_up'] {
  const heldUp = heldUpBy(stored);
  return heldUp === undefined
    ? null
    : { agent_id: heldUp.agentId, sentence: heldUpSentence(stored, heldUp), hint: heldUpHint(stored, heldUp) };
}

export const viewReceived = (
  { stored, report, folder }: Received,
  around: PackageAround,
): contract.ReceivedPackage => ({
  package: viewPackage(stored, around),
  report: {
    blocked: report.blocked,
    findings: report.findings.map((finding) => ({ ...finding })),
    unusable: [...report.unusable],
    folder,
  },
});

export const viewReport = ({ report, artifacts, folder }: PackageNow): contract.PackageReport => ({
  blocked: report.blocked,
  findings: report.findings.map((finding) => ({ ...finding })),
  unusable: [...report.unusable],
  folder,
  artifacts: artifacts.map((each) => ({ ...each })),
});

type ShownText = ArtifactContents['sealed'];
const viewText = (shown: ShownText) =>
  'text' in shown ? { text: shown.text, why_not: null } : { text: null, why_not: shown.whyNot };

export const viewContents = ({ artifacts, seen, packageSeen }: ShownContents): contract.PackageContents => ({
  seen,
  package_seen: packageSeen,
  artifacts: artifacts.map(({ path, state, sealed, now, diff }) => ({
    path,
    state,
    sealed: viewText(sealed),
    now: viewText(now),
    diff,
  })),
});

export const viewLint = (report: LintReport): contract.PackageLint => ({
  ok: mayBeSealed(report),
  type: report.type ?? null,
  findings: report.findings.map((finding) => ({ ...finding })),
  skipped: report.skipped.map(({ rule }) => rule),
});

export const viewChain = ({ root, packages, open }: Chain): contract.PackageChain => ({
  root,
  packages: packages.map((each) => ({ ...viewPackageRow(each), lineage: viewLineage(each.lineage) })),
  open_frames: open.map(({ record: { id, from, to } }) => ({ handoff: id, caller: from, callee: to })),
});
