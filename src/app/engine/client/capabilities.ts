import type { Capability } from '../../../domain/personas/capability.ts';
import type { AgentRuntime } from '../../ports/agent-runtime.ts';

/** Returns what agents of this runtime can do, according to the runtime's functions and its declared abilities. */
export function capabilitiesOf(runtime: AgentRuntime): Readonly<Record<Capability, boolean>> {
  const { declares = [] } = runtime;
  return {
    control_api: runtime.control !== undefined,
    own_status: runtime.control !== undefined || runtime.readStatus !== undefined,
    transcript_receipts: runtime.transcript !== undefined,
    token_counts: runtime.usageInTranscript !== undefined,
    context_use: declares.includes('context_use') || runtime.contextInTranscript !== undefined,
    usage_limits: declares.includes('usage_limits') || runtime.transcript?.usageLimit !== undefined,
    compaction: declares.includes('compaction'),
    questions: declares.includes('questions'),
    interrupt: declares.includes('interrupt'),
    // A session that does not begin before its first prompt cannot get the skill from a hook. Baton types the skill as the
    // first prompt instead.
    skill_at_start: runtime.sessionStartOutput !== undefined && runtime.startsWithFirstPrompt !== true,
    package_tools: declares.includes('package_tools'),
    model: runtime.modelArgs !== undefined,
    arguments: runtime.refuseArgs !== undefined,
    resume: runtime.canResume,
    adopt: runtime.operatorHooks !== undefined,
  };
}
