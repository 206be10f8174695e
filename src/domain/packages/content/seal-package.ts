import type { GitFacts } from '../../handoffs/document/git-facts.ts';
import type { Instant } from '../../instant.ts';
import type { Seal } from '../record.ts';
import type { PackageLineage, RepoState, SealedPackage } from '../stored-package.ts';
import type { ArtifactSeen } from './artifact-seen.ts';
import { canonicalJson } from './canonical-json.ts';
import { namedCriteria, type PackageInput, type PackageType } from './package.ts';

type Sha256 = (text: string) => string;

export interface Sealing {
  readonly id: string;
  readonly uid: string;
  readonly revision: number;
  readonly type: PackageType;
  readonly content: PackageInput;
  readonly from: PackageInput['from'];
  readonly lineage: PackageLineage;
  /** The content of the delegation that this return package answers. */
  readonly answersFor: PackageInput | undefined;
  readonly seen: Readonly<Record<string, ArtifactSeen>>;
  readonly repo: RepoState;
  readonly at: Instant;
  readonly by: string;
  readonly previous: string | null;
}

/** Seals the author's content: the host adds sender, time, hashes, lineage and the state of git (SPEC P1). */
export function sealPackage(given: Sealing, sha256: Sha256): SealedPackage {
  const { content, lineage, at } = given;
  const { protocol: _p, id: _i, timestamp = at, type: _y, from: _f, to, context, lineage: _l, ...rest } = content;
  const body = {
    protocol: 'handoff/1' as const,
    id: given.id,
    uid: given.uid,
    revision: given.revision,
    timestamp,
    type: given.type,
    from: given.from,
    to,
    context: { ...context, ...hashed(content, given.seen) },
    ...rest,
    ...resultsOf(given),
    lineage: {
      root: lineage.root,
      hop: lineage.hop,
      ...(lineage.parent === null ? {} : { parent: lineage.parent }),
      ...(lineage.supersedes === null ? {} : { supersedes: lineage.supersedes }),
      ...(lineage.returnsFor === null ? {} : { returns_for: lineage.returnsFor }),
    },
    repo: given.repo,
  };
  const integrity = {
    content_sha256: sha256(canonicalJson(body)),
    sealed_at: at,
    sealed_by: given.by,
    prev_sha256: given.previous,
  };
  return { ...body, integrity };
}

function hashed(
  { context }: PackageInput,
  seen: Sealing['seen'],
): Pick<PackageInput['context'], 'artifacts'> | Record<never, never> {
  if (context.artifacts === undefined) return {};
  return {
    artifacts: context.artifacts.map(({ sha256: _s, bytes: _b, ...artifact }) => {
      const found = seen[artifact.path];
      return found?.kind === 'file' || found?.kind === 'folder'
        ? { ...artifact, sha256: found.sha256, bytes: found.bytes }
        : artifact;
    }),
  };
}

/** Adds the result `unknown` for each criterion that the delegation names and the return package omits. */
function resultsOf({ type, content, answersFor }: Sealing): Pick<PackageInput, 'criteria_results'> {
  if (type !== 'return' || answersFor === undefined) return {};
  const given = content.criteria_results ?? [];
  const left = namedCriteria(answersFor).filter(({ id }) => !given.some((each) => each.id === id));
  return { criteria_results: [...given, ...left.map(({ id }) => ({ id, result: 'unknown' as const }))] };
}

/** Returns the hashes by which an acknowledgment or a decision refers to this revision. */
export const sealOf = (sealed: SealedPackage): Seal => ({
  content: sealed.integrity.content_sha256,
  artifacts: Object.fromEntries(
    (sealed.context.artifacts ?? []).flatMap(({ path, sha256 }) => (sha256 === undefined ? [] : [[path, sha256]])),
  ),
});

/** Returns a copy of a seal with the current hashes of the artifacts. The content hash stays the same. */
export function sealNow(seal: Seal, seen: Readonly<Record<string, ArtifactSeen>>): Seal {
  const artifacts = Object.keys(seal.artifacts).map((path) => {
    const found = seen[path];
    return [path, found?.kind === 'file' || found?.kind === 'folder' ? found.sha256 : (found?.kind ?? 'missing')];
  });
  return { ...seal, artifacts: Object.fromEntries(artifacts) };
}

/** Returns one hash of the content and the artifacts. The hash identifies the version that a person decides on. */
export const sealName = (seal: Seal | null, sha256: Sha256): string | null =>
  seal === null ? null : sha256(canonicalJson(seal));

/** True if each revision matches its hash and names the hash of the previous revision (SPEC P16, lint rule HP906). */
export function chainIsWhole(revisions: readonly SealedPackage[], sha256: Sha256): boolean {
  return revisions.every(({ integrity, ...body }, index) => {
    const before = revisions[index - 1]?.integrity.content_sha256;
    return (
      sha256(canonicalJson(body)) === integrity.content_sha256 &&
      (before === undefined || integrity.prev_sha256 === before)
    );
  });
}

export function repoState(git: GitFacts): RepoState {
  const none = { head: null, branch: null, changed: null, untracked: null, ahead: null, behind: null, unknown: null };
  if (git.kind === 'unknown') return { ...none, unknown: git.why };
  return {
    head: git.head,
    branch: git.branch,
    changed: git.dirty?.count ?? null,
    untracked: git.dirty?.untracked ?? null,
    ahead: git.upstream?.ahead ?? null,
    behind: git.upstream?.behind ?? null,
    unknown: null,
  };
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * Creates a ULID, which is unique across projects: the time and random digits derived from `hex` (at least 32 digits).
 */
export function ulid(ms: number, hex: string): string {
  const time = Array.from({ length: 10 }, (_, place) => CROCKFORD[Math.floor(ms / 32 ** (9 - place)) % 32]);
  const rest = Array.from({ length: 16 }, (_, place) => {
    const pair = Number.parseInt(hex.slice(place * 2, place * 2 + 2), 16);
    return CROCKFORD[pair % 32];
  });
  return [...time, ...rest].join('');
}
