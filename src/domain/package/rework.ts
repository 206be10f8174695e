import type { ArtifactsSeen } from './artifact-seen.ts';
import { usableHashes } from './artifact-seen.ts';
import { HUMAN, type PackageInput } from './package.ts';
import type { StoredPackage } from './stored-package.ts';

/** Where the words of whoever rejected stand if the lint would not let them stand in the text. */
const EXTENSION = 'baton.rework';

/** P31. Somebody has to be told what a person rejected; who asked himself knows it. */
export const wantsRework = ({ record }: StoredPackage): boolean => record.state === 'rejected' && record.from !== HUMAN;

/**
 * P31. What goes back to the author. A person's words are as they are: `quoted` puts them where no rule of style looks, because a
 * lint must not keep them from the author.
 */
export function reworkContent(rejected: StoredPackage, seen: ArtifactsSeen, quoted: boolean): PackageInput {
  const { id, from, decision } = rejected.record;
  const { gate, context } = rejected.content;
  const what = gate === undefined ? id : `gate "${gate.name}" (${id})`;
  const usable = usableHashes(seen);
  const artifacts = (context.artifacts ?? []).filter(({ path }) => usable[path] !== undefined);
  const reason = decision?.reason ?? '';
  return {
    type: 'sequential',
    from: { agent: HUMAN },
    to: { agent: from, reason: `The author of ${what} does the step again` },
    context: {
      summary: `A person has rejected ${what} with ${artifacts.length} ${artifacts.length === 1 ? 'artifact' : 'artifacts'}; it is done again and then asked again.`,
      artifacts: artifacts.map(({ path, type }) => ({
        path,
        ...(type === undefined ? {} : { type }),
        role: 'referenced',
      })),
      decisions: [],
      open_questions: [],
    },
    expectations: {
      deliverable: quoted ? `What ${id} rejects, mended: see ${EXTENSION}` : `What is rejected, mended: ${reason}`,
    },
    lineage: { parent: id, supersedes: id },
    ...(quoted ? { extensions: { [EXTENSION]: { rejected: id, reason } } } : {}),
  };
}
