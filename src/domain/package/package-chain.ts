import type { Instant } from '../instant.ts';
import type { ChainWorld } from './lint/chain.ts';
import { HUMAN, type PackageInput, type PackageType } from './package.ts';
import { type ChainEvent, chainLimit, openFrames } from './return-stack.ts';
import { type PackageLineage, type StoredPackage, tellsOfRun } from './stored-package.ts';

/** P23. What the log says of a chain, from the numbers of the events by which its packages were accepted and over. */
export function chainLog(packages: readonly StoredPackage[]): readonly ChainEvent[] {
  const events = packages.flatMap((each): { seq: number; event: ChainEvent }[] => {
    const { record, acceptedAt, acceptedSeq, overSeq } = each;
    const accepted =
      acceptedSeq === null || acceptedAt === null ? [] : [{ seq: acceptedSeq, event: acceptedOf(each, acceptedAt) }];
    return overSeq === null
      ? accepted
      : [...accepted, { seq: overSeq, event: { type: 'over' as const, handoff: record.id } }];
  });
  return events.sort((one, other) => one.seq - other.seq).map(({ event }) => event);
}

const acceptedOf = ({ record }: StoredPackage, at: Instant): ChainEvent => ({
  type: 'accepted',
  handoff: record.id,
  kind: record.type,
  from: record.from,
  to: record.to,
  at,
  artifacts: Object.values(record.seal?.artifacts ?? {}),
});

interface Wanted {
  readonly workflow: ChainWorld['workflow'];
  readonly content: PackageInput;
  readonly at: Instant;
  readonly artifacts: readonly string[];
}

/** What the lint is told of the chain. `parent` is the package that the new one follows. */
export function chainWorld(
  chain: readonly StoredPackage[],
  parent: StoredPackage | undefined,
  wanted: Wanted,
  typeOf: (known: ChainWorld) => PackageType | undefined,
): ChainWorld {
  const { workflow, content, at, artifacts } = wanted;
  const superseded = content.lineage?.supersedes;
  const log: readonly ChainEvent[] = [
    ...chainLog(chain),
    // Its place is taken by this one: it stands in no circle with itself.
    ...(superseded === undefined ? [] : [{ type: 'over' as const, handoff: superseded }]),
  ];
  const known = {
    openFrames: openFrames(log),
    nextAgent: workflow?.next?.agent ?? null,
    inherited: inheritedBy(content, parent),
    limit: null,
    workflow,
  };
  const kind = typeOf(known) ?? 'delegation';
  const limit = chainLimit(log, { kind, from: content.from.agent, to: content.to.agent, at, artifacts });
  return { ...known, limit };
}

/** What has an id in the package before and binds an agent; a person is bound by none of it. */
function inheritedBy({ to }: PackageInput, parent: StoredPackage | undefined): ChainWorld['inherited'] {
  if (parent === undefined || to.agent === HUMAN) return [];
  const { context, expectations } = parent.content;
  const constraints = (expectations?.constraints ?? []).flatMap((each) =>
    typeof each === 'string' ? [] : [{ id: each.id, kind: 'constraint' as const }],
  );
  const decisions = (context.decisions ?? [])
    .filter(({ id, status }) => id !== 'pending' && status !== 'pending')
    .map(({ id }) => ({ id, kind: 'decision' as const }));
  return [...constraints, ...decisions];
}

/**
 * P24. The package that a new one of this sender follows. Left out, it is the latest that he has accepted and not yet
 * finished: who could leave it out could go round every limit of the chain.
 */
export function parentOf(content: PackageInput, own: readonly StoredPackage[]): StoredPackage | undefined {
  const named = content.lineage?.returns_for ?? content.lineage?.parent ?? content.lineage?.supersedes;
  if (named !== undefined) return own.find(({ record }) => record.id === named);
  return workOf(content.from.agent, own);
}

/** What this name has accepted last and is still at. */
export const workOf = (name: string, own: readonly StoredPackage[]): StoredPackage | undefined =>
  own
    .filter((each) => each.record.to === name && each.record.state === 'accepted' && !tellsOfRun(each))
    .sort((one, other) => (one.acceptedSeq ?? 0) - (other.acceptedSeq ?? 0))
    .at(-1);

export function lineageOf(id: string, content: PackageInput, parent: StoredPackage | undefined): PackageLineage {
  return {
    parent: parent?.record.id ?? null,
    root: parent?.lineage.root ?? id,
    hop: parent === undefined ? 0 : parent.lineage.hop + 1,
    supersedes: content.lineage?.supersedes ?? null,
    returnsFor: content.lineage?.returns_for ?? null,
  };
}
