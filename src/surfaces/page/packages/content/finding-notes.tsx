import { createContext, useContext } from 'react';
import type { PackageFinding } from '../../../../contract/packages/package-resources.ts';
import { Button } from '../../parts/button.tsx';
import { classes } from '../../parts/class-names.ts';
import { visible } from '../../parts/markdown/visible-text.ts';
import type { PlacedFindings } from './findings-in-place.ts';

interface Found {
  readonly packageId: string;
  readonly placed: PlacedFindings;
  /**
   * Called when a person clicks to waive a finding. Null if the package is not a draft, because only errors of a draft
   * can be waived.
   */
  readonly onWaive: ((finding: PackageFinding) => void) | null;
}

const Findings = createContext<Found>({ packageId: '', placed: { at: () => [], elsewhere: [] }, onWaive: null });
export const FindingsProvider = Findings.Provider;

const LOOK: Readonly<Record<PackageFinding['severity'], readonly [word: string, look: string]>> = {
  error: ['Error', 'border-red bg-red-soft text-red'],
  warning: ['Warning', 'border-amber bg-amber-soft text-amber'],
  info: ['Hint', 'border-line-strong bg-sunken text-muted'],
};

export const useFindingsAt = (place: string): readonly PackageFinding[] => useContext(Findings).placed.at(place);

/** The findings of the lint about this part of the package. */
export const FindingsAt = ({ place }: { readonly place: string }) => <FindingNotes findings={useFindingsAt(place)} />;

/**
 * The findings that belong to no shown part: findings about the whole package, or about a part that the page does not
 * show.
 */
export function FindingsElsewhere() {
  const { placed } = useContext(Findings);
  return <FindingNotes findings={placed.elsewhere} withPlace />;
}

export function FindingNotes({
  findings,
  withPlace,
  onLine,
}: {
  readonly findings: readonly PackageFinding[];
  readonly withPlace?: boolean;
  /** Called with a finding's line, to show this line of the package's text. */
  readonly onLine?: (line: number) => void;
}) {
  if (findings.length === 0) return null;
  return (
    <ul aria-label="Lint findings" className="my-1.5 flex flex-col gap-1.5">
      {findings.map((finding) => (
        <FindingNote
          key={`${finding.rule} ${finding.pointer} ${finding.message}`}
          finding={finding}
          withPlace={withPlace ?? false}
          onLine={onLine}
        />
      ))}
    </ul>
  );
}

/** Rules whose findings cannot be waived: the rules about malformed packages and about secrets. */
const NEVER_WAIVED: ReadonlySet<string> = new Set(['HP001', 'HP002', 'HP701']);

function FindingNote({
  finding,
  withPlace,
  onLine,
}: {
  readonly finding: PackageFinding;
  readonly withPlace: boolean;
  readonly onLine: ((line: number) => void) | undefined;
}) {
  const { onWaive, packageId } = useContext(Findings);
  const { rule, severity, message, fix, pointer, line } = finding;
  const [word, look] = LOOK[severity] ?? LOOK.info;
  const canWaive = onWaive !== null && severity === 'error' && !NEVER_WAIVED.has(rule);
  return (
    <li
      data-finding={rule}
      data-severity={severity}
      className={classes(
        'flex flex-wrap items-baseline gap-x-3 gap-y-1 rounded-r-lg border-l-3 px-3 py-1.5 text-sm',
        look,
      )}
    >
      <span className="min-w-0 flex-1 basis-64 wrap-anywhere">
        <strong>{word}:</strong> {visible(message)} <span className="text-ink">{visible(fix)}</span>{' '}
        <span className="font-mono text-xs whitespace-nowrap">{rule}</span>
        {withPlace && pointer !== '' && <span className="font-mono text-xs"> {visible(pointer)}</span>}
      </span>
      {onLine !== undefined && line !== undefined && (
        <Button small aria-label={`Show line ${line}`} onClick={() => onLine(line)}>
          Line {line}
        </Button>
      )}
      {canWaive && (
        <Button small aria-label={`Override ${rule} in ${packageId}`} onClick={() => onWaive(finding)}>
          Override…
        </Button>
      )}
    </li>
  );
}
