import type { Behaviour } from './behaviour.ts';
import type { Memory } from './brain/memory.ts';
import type { EvidenceLog } from './evidence-log.ts';
import type { ToolServers } from './mcp/tool-servers.ts';
import type { Dialogs } from './screen/dialogs.ts';
import type { View } from './screen/view.ts';
import type { ContextUse } from './session/context-use.ts';
import type { Hooks } from './session/hooks.ts';
import type { Session } from './session/session.ts';
import type { StatusFile } from './session/status-file.ts';
import type { StatusLine } from './session/status-line.ts';
import type { Transcript } from './session/transcript.ts';

/** The objects that together form one practice agent, such as its session, its hooks and its transcript. */
export interface Parts {
  readonly resumed: boolean;
  readonly name: string;
  readonly behaviour: Behaviour;
  readonly log: EvidenceLog;
  readonly session: Session;
  readonly hooks: Hooks;
  readonly toolServers: ToolServers;
  readonly statusLine: StatusLine;
  readonly statusFile: StatusFile;
  readonly transcript: Transcript;
  readonly contextUse: ContextUse;
  readonly memory: Memory;
  readonly view: View;
  readonly dialogs: Dialogs;
}
