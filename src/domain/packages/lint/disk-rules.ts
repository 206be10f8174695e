import type { ArtifactSeen, ArtifactsSeen } from '../content/artifact-seen.ts';
import type { LintFinding } from './finding.ts';
import { found } from './finding-builder.ts';
import { pathProblem } from './path-rules.ts';
import { type PackageView, type Path, textOf } from './view.ts';

/** The state of the project's files when Baton looked at them. */
export interface DiskWorld {
  readonly artifacts: ArtifactsSeen;
  /** The changed files according to git; null if git could not determine them. */
  readonly changed: readonly string[] | null;
}

const MANY_ENTRIES = 50;
/** The folder that contains Baton's own files in a project. These files are not artifacts. */
const OURS = '.project/07-audit/';

/** Checks HP201 to HP203: the artifacts on the disk, their paths, and changed files that are not listed. */
export function diskFindings(view: PackageView, root: Path, disk: DiskWorld): readonly LintFinding[] {
  return [...view.artifacts.flatMap((item) => artifactOnDisk(item, disk)), ...unlisted(view, root, disk)];
}

const REFUSED: Readonly<Partial<Record<ArtifactSeen['kind'], string>>> = {
  link: 'is a link, is reached through one, or is a folder with a link in it',
  outside: 'is outside the project',
};
const UNUSABLE: Readonly<Partial<Record<ArtifactSeen['kind'], string>>> = {
  not_a_folder: 'is not a folder, although its path ends with /',
  special: 'is neither a file nor a folder',
  too_large: 'is too large, or a folder with too many files',
  unreadable: 'cannot be read',
};

function artifactOnDisk(
  { fields, path }: PackageView['artifacts'][number],
  { artifacts, changed }: DiskWorld,
): readonly LintFinding[] {
  const name = textOf(fields.path);
  if (name === undefined || pathProblem(name) !== undefined) return [];
  const seen = artifacts[name];
  const place = [...path, 'path'];
  if (seen === undefined) return [];
  if (REFUSED[seen.kind] !== undefined) return [found('HP202', place, `This artifact ${REFUSED[seen.kind]}.`)];
  if (fields.role === 'deleted') return [];
  if (seen.kind === 'missing') return [found('HP201', place, 'This artifact does not exist.')];
  if (UNUSABLE[seen.kind] !== undefined) return [found('HP201', place, `This artifact ${UNUSABLE[seen.kind]}.`)];
  const findings: LintFinding[] = [];
  if (seen.kind === 'file' && seen.bytes === 0)
    findings.push(found('HP201', place, 'This artifact is an empty file.', 'info'));
  if (seen.kind === 'folder' && seen.entries > MANY_ENTRIES)
    findings.push(found('HP201', place, `This folder has ${seen.entries} entries.`, 'info'));
  const isSaid = fields.role === 'created' || fields.role === 'modified';
  if (isSaid && changed !== null && !changed.some((each) => isOf(each, name)))
    findings.push(found('HP203', place, 'git shows no change in this artifact.', 'info'));
  return findings;
}

/**
 * True if both paths are the same, or if one of them is a folder that contains the other. Git lists a new folder as one
 * entry, so a changed path may be a folder.
 */
const isOf = (one: string, other: string): boolean =>
  one === other || (one.endsWith('/') && other.startsWith(one)) || (other.endsWith('/') && one.startsWith(other));

/** Returns the changed files and folders that git shows and that are not listed as artifacts. */
export function unlistedChanges({ artifacts }: PackageView, { changed }: DiskWorld): readonly string[] {
  const named = artifacts.flatMap(({ fields }) => textOf(fields.path) ?? []).map((name) => name.replace(/^\.\//, ''));
  return (changed ?? []).filter(
    (path) => !path.startsWith(OURS) && !OURS.startsWith(path) && !named.some((name) => isOf(path, name)),
  );
}

function unlisted(view: PackageView, root: Path, disk: DiskWorld): readonly LintFinding[] {
  const left = unlistedChanges(view, disk);
  if (left.length === 0) return [];
  const place = [...root, 'context', 'artifacts'];
  const which = left.slice(0, 3).join(', ');
  const message =
    left.length === 1
      ? `1 changed file is not listed as an artifact: ${which}.`
      : `${left.length} changed files are not listed as artifacts: ${which}${left[3] ? ', …' : ''}.`;
  return [found('HP203', place, message)];
}
