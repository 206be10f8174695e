import type { Run } from '../../../../contract/resources.ts';
import { Badge } from '../../parts/badge.tsx';
import { Fold } from '../../parts/fold.tsx';
import { visible } from '../../parts/markdown/visible-text.ts';
import { Panel, Section } from '../../parts/panel.tsx';
import { contradictionsAbout, type Finding, isContradiction } from './contradictions.ts';
import { type GitRow, gitRows, gitTrouble } from './git-rows.ts';

interface Props {
  readonly run: Run;
  /** Scrolls the document to the given line. */
  readonly onLine: (line: number) => void;
}

/** Findings about the document alone, and Baton's warnings. They are advice and never stop a run. */
export function RunFindings({ run, onLine }: Props) {
  const findings = run.findings.filter((finding) => !isContradiction(finding));
  // Leave out a warning that has the same sentence as a finding, because the page already shows the finding.
  const warnings = run.warnings.filter((warning) => !run.findings.some(({ sentence }) => sentence === warning));
  if (findings.length + warnings.length === 0) return null;
  return (
    <Section title="Warnings">
      <Panel className="px-4 py-2">
        <ul className="divide-y divide-line">
          {warnings.map((warning) => (
            <li key={warning} className="py-2 text-sm wrap-anywhere">
              {visible(warning)}
            </li>
          ))}
          {findings.map((finding) => (
            <li key={`${finding.rule}-${finding.sentence}`} className="py-2 text-sm">
              <FindingLine finding={finding} onLine={onLine} />
            </li>
          ))}
        </ul>
      </Panel>
    </Section>
  );
}

function FindingLine({ finding: { sentence, line }, onLine }: { readonly finding: Finding } & Pick<Props, 'onLine'>) {
  return (
    <span className="wrap-anywhere">
      {visible(sentence)}{' '}
      {line !== undefined && (
        <button
          type="button"
          onClick={() => onLine(line)}
          className="whitespace-nowrap text-accent underline underline-offset-2"
        >
          Show line {line}
        </button>
      )}
    </span>
  );
}

/**
 * Shows the facts from git at the time when Baton checked the document, and the statements of the document that
 * contradict these facts.
 */
export function RunGit({ run, onLine }: Props) {
  const rows = gitRows(run.git);
  const trouble = gitTrouble(run.git);
  const contradictions = run.findings.filter(isContradiction);
  if (rows.length === 0 && trouble === null && contradictions.length === 0) return null;
  return (
    <Section
      title="Git status"
      aside={
        contradictions.length > 0 && (
          <Badge tone="amber">
            {contradictions.length === 1 ? '1 contradiction' : `${contradictions.length} contradictions`}
          </Badge>
        )
      }
    >
      <Panel className="px-4 py-2">
        {trouble !== null && <p className="py-2 text-sm text-muted">{visible(trouble)}</p>}
        <ul className="divide-y divide-line text-sm">
          {rows.map((row) => (
            <GitFact key={row.fact} row={row} against={contradictionsAbout(contradictions, row.fact)} onLine={onLine} />
          ))}
        </ul>
        {rows.length === 0 &&
          contradictions.map((finding) => <Against key={finding.sentence} finding={finding} onLine={onLine} />)}
      </Panel>
    </Section>
  );
}

interface GitFactProps extends Pick<Props, 'onLine'> {
  readonly row: GitRow;
  readonly against: readonly Finding[];
}

function GitFact({ row, against, onLine }: GitFactProps) {
  return (
    <li className="py-2">
      <p className="flex flex-wrap justify-between gap-x-4">
        <span className="text-muted">{row.label}</span>
        <span className="min-w-0 font-mono text-[0.85rem] break-all">{visible(row.value)}</span>
      </p>
      {row.files.length > 0 && (
        <Fold summary={`Files (${row.files.length})`}>
          <ul className="mt-1 font-mono text-[0.8rem]">
            {row.files.map(({ path, state }) => (
              <li key={path} className="flex justify-between gap-3">
                <span className="min-w-0 break-all">{visible(path)}</span>
                <span className="text-muted">{state}</span>
              </li>
            ))}
          </ul>
        </Fold>
      )}
      {against.map((finding) => (
        <Against key={finding.sentence} finding={finding} onLine={onLine} />
      ))}
    </li>
  );
}

const Against = ({ finding, onLine }: { readonly finding: Finding } & Pick<Props, 'onLine'>) => (
  <p className="mt-1.5 rounded-lg bg-amber-soft px-3 py-2 text-sm text-amber [&_button]:text-amber">
    <strong>Contradiction. </strong>
    <FindingLine finding={finding} onLine={onLine} />
  </p>
);
