import type { PackageInput } from '../../../../contract/packages/package.ts';
import type { PackageReport } from '../../../../contract/packages/package-resources.ts';
import { Badge } from '../../parts/badge.tsx';
import { Fold } from '../../parts/fold.tsx';
import { visible } from '../../parts/markdown/visible-text.ts';
import { artifactLook } from '../package-words.ts';
import { FindingsAt } from './finding-notes.tsx';
import { Said } from './said.tsx';

type Artifact = NonNullable<PackageInput['context']['artifacts']>[number];
type Now = PackageReport['artifacts'][number];

interface Props {
  readonly artifacts: readonly Artifact[];
  /** The newest report about the package's files; undefined until the report has loaded. */
  readonly report: PackageReport | undefined;
}

/**
 * The files of the package. For each file, shows the hash that the file had when the package was submitted, and whether
 * the file on disk still has this hash.
 */
export const ArtifactList = ({ artifacts, report }: Props) => (
  <ul aria-label="Artifacts" className="divide-y divide-line">
    {artifacts.map((artifact, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the artifacts of one revision never change their places
      <li key={index} className="py-2 first:pt-0 last:pb-0">
        <OneArtifact artifact={artifact} now={report?.artifacts.find(({ path }) => path === artifact.path)} />
        <FindingsAt place={`/context/artifacts/${index}`} />
      </li>
    ))}
  </ul>
);

function OneArtifact({ artifact, now }: { readonly artifact: Artifact; readonly now: Now | undefined }) {
  const { path, type, role, description, sha256, bytes } = artifact;
  const look = now === undefined ? null : artifactLook(now.state, role);
  return (
    <>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <code className="min-w-0 font-mono text-[0.9rem] break-all">{visible(path)}</code>
        {look === null ? (
          <span data-checking="" className="text-sm text-muted">
            Checking…
          </span>
        ) : (
          <Badge tone={look.tone}>{look.words}</Badge>
        )}
      </div>
      <p className="text-sm text-muted">
        {[role, type, bytes === undefined ? undefined : `${bytes} bytes`].filter(Boolean).join(' · ')}
      </p>
      {description !== undefined && <Said text={description} className="text-sm" />}
      {sha256 !== undefined && (
        <Fold summary="Details">
          <dl className="mb-1 font-mono text-xs text-muted">
            <Hash name="when submitted" value={sha256} />
            {now?.state === 'changed' && now.now !== null && <Hash name="now" value={now.now} />}
          </dl>
        </Fold>
      )}
    </>
  );
}

const Hash = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div className="flex flex-wrap gap-x-2">
    <dt>SHA-256 {name}</dt>
    <dd className="break-all">{visible(value)}</dd>
  </div>
);
