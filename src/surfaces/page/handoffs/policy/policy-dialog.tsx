import type { Agent } from '../../../../contract/resources.ts';
import { PATHS } from '../../../../contract/routes.ts';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import { visible } from '../../parts/markdown/visible-text.ts';
import { PolicyForm } from './policy-form.tsx';
import { FROM_WORDS, policyInWords } from './policy-words.ts';

/** Sets the handoff policy of one agent and its successors. */
export function PolicyDialog({ agent, onClose }: { readonly agent: Agent; readonly onClose: () => void }) {
  const { handoff_policy: policy } = agent;
  const isOwn = policy?.from === 'agent';
  return (
    <Dialog title={visible(`Handoff policy of ${agent.label}, agent ${agent.id}`)} onClose={onClose}>
      {policy !== undefined && (
        <p className="mb-4 text-sm text-muted">
          Now: {policyInWords(policy)} ({FROM_WORDS[policy.from]}). A policy that you save here also applies to the
          agent's successors.
        </p>
      )}
      <PolicyForm
        path={PATHS.agentPolicy(agent.id)}
        policy={isOwn ? (policy ?? null) : null}
        of={`${agent.label} (agent ${agent.id})`}
        onSaved={onClose}
        onClose={onClose}
      />
    </Dialog>
  );
}
