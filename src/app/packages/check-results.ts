import { type CheckedResult, type CriterionResult, namedCriteria } from '../../domain/packages/content/package.ts';
import type { StoredPackage } from '../../domain/packages/stored-package.ts';
import type { Refusal } from '../../domain/refusals.ts';
import type { Ports } from '../ports/index.ts';
import type { WorkingDirectory } from '../worktrees/working-directory.ts';
import { lookInPlace } from './package-folder.ts';

/**
 * Returns the results of a package's criteria, and marks each result as checked or unchecked. If a criterion requires a
 * file, Baton checks whether the file exists and, if `expect` is a hash, whether the file has this hash. If not, Baton
 * refuses the result `pass`. Baton runs no commands, so the result of a criterion with a command stays unchecked.
 */
export async function checkResults(
  ports: Pick<Ports, 'packageFiles'>,
  place: WorkingDirectory | undefined,
  about: StoredPackage | undefined,
  given: readonly CriterionResult[],
): Promise<readonly CheckedResult[] | Refusal> {
  if (about === undefined || given.length === 0) return given;
  const { id } = about.record;
  const odd = refuseOdd(about, given);
  if (odd !== undefined) return odd;
  const files = filesToCheck(about);
  const seen =
    place === undefined
      ? {}
      : await lookInPlace(ports, place, [...new Set([...files.values()].map(({ path }) => path))]);
  const checked: CheckedResult[] = [];
  for (const result of given) {
    const file = files.get(result.id);
    const found = file === undefined ? undefined : seen[file.path];
    const isThere = found?.kind === 'file' || found?.kind === 'folder';
    const isRight = isThere && (file?.hash === undefined || found.sha256 === file.hash);
    if (file !== undefined && result.result === 'pass' && !isRight)
      return {
        code: 'package_not_possible',
        sentence: `Nothing was completed: criterion ${result.id} of ${id} is reported as passed, but ${file.path} ${isThere ? 'does not have the required hash' : 'does not exist'}.`,
        hint: `Write the file, or report ${result.id}=fail.`,
      };
    checked.push({ ...result, checked: file !== undefined });
  }
  return checked;
}

const HASH = /^[0-9a-f]{64}$/;

function filesToCheck({ content }: StoredPackage): ReadonlyMap<string, { path: string; hash: string | undefined }> {
  const files = new Map<string, { path: string; hash: string | undefined }>();
  for (const { id, verify } of namedCriteria(content))
    if (verify?.kind === 'file_exists' && verify.path !== undefined)
      files.set(id, { path: verify.path, hash: HASH.test(verify.expect ?? '') ? verify.expect : undefined });
  return files;
}

/**
 * Refuses two results for the same criterion, and results for unknown criteria. Readers would take such results for
 * valid statements about the work.
 */
function refuseOdd({ record, content }: StoredPackage, results: readonly CriterionResult[]): Refusal | undefined {
  const known = namedCriteria(content).map(({ id }) => id);
  const odd = results.find(
    ({ id }, index) => !known.includes(id) || results.findIndex((each) => each.id === id) < index,
  );
  if (odd === undefined) return undefined;
  const why = known.includes(odd.id) ? `${odd.id} has two results` : `${record.id} has no criterion ${odd.id}`;
  return {
    code: 'bad_request',
    sentence: `Nothing was completed: ${why}.`,
    hint:
      known.length === 0 ? 'The package has no criteria.' : `Report pass or fail once for each of: ${known.join(', ')}`,
  };
}
