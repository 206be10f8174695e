import type { PackageDetail } from '../../../../contract/packages/package-resources.ts';
import { visible } from '../../parts/markdown/visible-text.ts';
import { At } from '../../parts/time.tsx';

const OPTIONS: Readonly<Record<string, string>> = { approve: 'Approved', reject: 'Rejected' };
const CHANNELS: Readonly<Record<string, string>> = { page: 'in the page', cli: 'on the command line' };

/** Shows the decision about the package, if there is one, and who made it. */
export function DecisionStands({ detail: { decision } }: { readonly detail: Pick<PackageDetail, 'decision'> }) {
  if (decision === null) return null;
  const { option, by, channel, at } = decision as Readonly<Record<string, string>>;
  return (
    <p className="mb-3 rounded-lg bg-sunken px-3 py-2">
      <strong>{OPTIONS[option ?? ''] ?? 'Decided'}</strong> by {visible(by ?? '')} {CHANNELS[channel ?? ''] ?? ''}
      {at !== undefined && (
        <>
          {' '}
          at <At at={at} />
        </>
      )}
      .
    </p>
  );
}
