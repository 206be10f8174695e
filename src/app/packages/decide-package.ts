import { isPlaceholder } from '../../domain/package/lint/placeholder.ts';
import type { GateDecision } from '../../domain/package/record.ts';
import { sameSeal } from '../../domain/package/record.ts';
import { sealName, sealNow } from '../../domain/package/seal-package.ts';
import type { StoredPackage } from '../../domain/package/stored-package.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import type { Ports } from '../world.ts';
import { refuseText } from './judge-authored.ts';
import { type Asking, findPackage } from './package-caller.ts';
import { lookAtArtifacts } from './receive-package.ts';
import { recordPackageFact } from './record-package-fact.ts';
import { sendRework } from './send-rework.ts';

export interface Decision {
  readonly option: GateDecision['option'];
  readonly reason: string;
  readonly conditions: readonly string[];
  /** Of the points to validate, counted from 0; without it, all of them. */
  readonly items?: readonly number[] | undefined;
  /** The name of what was seen: content and artifacts. */
  readonly seen: string;
}

/**
 * P20 and P21. A person decides about what he saw. The artifacts are looked at once more: if one has changed, that is kept,
 * and whoever decides has to look again. The first valid decision wins; the next is told who was first.
 */
export async function decidePackage(
  ports: Ports,
  asking: Asking,
  id: string,
  { option, reason, conditions, items, seen: name }: Decision,
): Promise<StoredPackage | Refusal> {
  const unfit = refuseText(ports, { reason, conditions });
  if (unfit !== undefined) return unfit;
  const unsaid = option === 'approve' ? conditions.find(isPlaceholder) : undefined;
  // It becomes part of a package, where nobody could seal it.
  if (unsaid !== undefined)
    return { code: 'bad_request', sentence: `Nothing was decided: the condition "${unsaid}" is a placeholder.` };
  const seen = await lookAtArtifacts(ports, asking, id);
  if (isRefusal(seen)) return seen;
  return ports.store.write((tx) => {
    const found = findPackage(tx, asking, id);
    if (isRefusal(found)) return found;
    const { stored, caller } = found;
    const { seal, state } = stored.record;
    const now = seal === null ? null : sealNow(seal, seen.artifacts);
    const { agentId } = caller;
    if (state === 'awaiting_human' && now !== null && !sameSeal(seal, now)) {
      recordPackageFact(tx, ports, stored, { type: 'content_seen', seal: now });
      const changed = Object.keys(now.artifacts).filter((path) => now.artifacts[path] !== seal?.artifacts[path]);
      return {
        code: 'stale_content',
        sentence: `Nothing was decided: ${changed.join(', ')} changed after ${id} was shown. Look at it again and decide then.`,
      } as const;
    }
    const shown =
      sealName(seal, ports.chance.sha256) === name && seal !== null ? seal : { content: name, artifacts: {} };
    const channel = asking.kind === 'operator' ? asking.channel : 'agent';
    const decided = { type: 'decided', option, by: by(asking), channel, reason, conditions, seal: shown } as const;
    const fact = items === undefined ? decided : { ...decided, items };
    const after = recordPackageFact(tx, ports, stored, fact, { agentId });
    if (!isRefusal(after) && option === 'reject') sendRework(tx, ports, after, { caller, seen: seen.artifacts });
    return after;
  });
}

const by = (asking: Asking): string => (asking.kind === 'operator' ? 'operator' : `agent-${asking.agentId}`);
