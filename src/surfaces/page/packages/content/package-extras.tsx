import type { PackageInput, SealedPackage } from '../../../../contract/packages/package.ts';
import { visible } from '../../parts/markdown/visible-text.ts';
import { Items, Part } from './content-parts.tsx';
import { FindingsAt } from './finding-notes.tsx';
import { Said } from './said.tsx';

/**
 * Shows the fields that only some packages have: workflow state, gate, points to validate, reason code and git state.
 */
export function PackageExtras({ content }: { readonly content: PackageInput & Partial<SealedPackage> }) {
  const { workflow_state: flow, gate, validation_request: asked, reason_code: reason, repo } = content;
  return (
    <>
      {flow !== undefined && (
        <Part title="Workflow" place="/workflow_state" value={flow}>
          <Said text={`${flow.name}: step ${flow.current_step}`} />
          <p className="text-sm text-muted">
            Completed: {visible(flow.completed_steps.join(', ') || 'none')} · remaining:{' '}
            {visible(flow.remaining_steps.join(', ') || 'none')}
          </p>
        </Part>
      )}
      {gate !== undefined && (
        <Part title="Gate" place="/gate" value={gate}>
          <Said text={gate.name} />
          <p className="text-sm wrap-anywhere text-muted">
            {gate.type === 'blocking'
              ? 'Blocking: work stops until a decision'
              : 'Non-blocking: work continues meanwhile'}
            {gate.contact !== undefined && ` · contact: ${visible(gate.contact)}`}
          </p>
        </Part>
      )}
      <Items
        title="To validate"
        place="/validation_request/items"
        items={asked?.items}
        show={(item) => <Said text={item} />}
        note={<FindingsAt place="/validation_request" />}
      />
      {reason !== undefined && (
        <Part title="Reason" place="/reason_code" value={reason}>
          {reason.replaceAll('_', ' ')}
        </Part>
      )}
      {repo !== undefined && (
        <Part title="Git status when submitted" place="/repo" value={repo}>
          <span className="text-sm wrap-anywhere">{visible(gitInWords(repo))}</span>
        </Part>
      )}
    </>
  );
}

function gitInWords({ unknown, branch, head, changed, untracked }: NonNullable<SealedPackage['repo']>): string {
  if (unknown !== null) return `Unknown: ${unknown.replaceAll('_', ' ')}`;
  const where = branch ?? 'no branch';
  return `${where}, ${head?.slice(0, 10) ?? 'no commit'}, ${changed ?? '?'} changed, ${untracked ?? '?'} of them untracked`;
}
