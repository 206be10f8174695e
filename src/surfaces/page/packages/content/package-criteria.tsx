import type { PackageInput } from '../../../../contract/packages/package.ts';
import type { PackageDetail } from '../../../../contract/packages/package-resources.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { visible } from '../../parts/markdown/visible-text.ts';
import { Items, idOf, LocalId, textOf } from './content-parts.tsx';
import { Said } from './said.tsx';

const RESULT: Readonly<Record<string, readonly [word: string, tone: Tone]>> = {
  pass: ['passed', 'green'],
  fail: ['failed', 'red'],
  unknown: ['unknown', 'grey'],
};

/**
 * The success criteria, each with its result. A return package also shows the results that it reports about the
 * criteria of the delegation.
 */
export function Criteria({ detail, content }: { readonly detail: PackageDetail; readonly content: PackageInput }) {
  const results = new Map<string, Shown>(
    [...(content.criteria_results ?? []), ...detail.results].map((each) => [each.id, each]),
  );
  return (
    <>
      <Items
        title="Success criteria"
        place="/expectations/success_criteria"
        items={content.expectations?.success_criteria}
        show={(item, index) => (
          <>
            <p>
              <LocalId id={idOf(item, index, 'C')} />
              <Said text={textOf(item)} />
            </p>
            {typeof item !== 'string' && item.verify !== undefined && (
              <p className="text-sm text-muted">
                Check: {item.verify.kind.replaceAll('_', ' ')}
                {': '}
                <code className="font-mono wrap-anywhere">
                  {visible(item.verify.command ?? item.verify.path ?? item.verify.expect ?? '')}
                </code>
              </p>
            )}
            <Result of={results.get(idOf(item, index, 'C'))} />
          </>
        )}
      />
      <Items
        title="Results"
        place="/criteria_results"
        items={content.criteria_results}
        show={(result) => (
          <>
            <LocalId id={result.id} />
            <Result of={result} />
          </>
        )}
      />
    </>
  );
}

type Shown = Pick<PackageDetail['results'][number], 'id' | 'result' | 'evidence'> & { readonly checked?: boolean };

function Result({ of: result }: { readonly of: Shown | undefined }) {
  if (result === undefined) return null;
  const [word, tone] = RESULT[result.result] ?? ([result.result, 'grey'] as const);
  return (
    <p className="mt-0.5 flex flex-wrap items-baseline gap-x-2 text-sm">
      <Badge tone={tone}>{visible(word)}</Badge>
      <span className="text-muted">{result.checked === true ? 'checked by Baton' : 'not checked'}</span>
      {result.evidence !== undefined && <Said text={result.evidence} className="min-w-0" />}
    </p>
  );
}
