import { basename } from 'node:path';
import type { Behaviour } from './behaviour.ts';
import { Memory } from './brain/memory.ts';
import type { CommandLine } from './command-line.ts';
import { EvidenceLog } from './evidence-log.ts';
import { ToolServers } from './mcp/tool-servers.ts';
import type { Parts } from './parts.ts';
import { Dialogs } from './screen/dialogs.ts';
import { View } from './screen/view.ts';
import { ContextUse } from './session/context-use.ts';
import { Hooks } from './session/hooks.ts';
import { Session } from './session/session.ts';
import type { Settings } from './session/settings.ts';
import { StatusFile, statusFolder } from './session/status-file.ts';
import { StatusLine } from './session/status-line.ts';
import { Transcript } from './session/transcript.ts';
import { transcriptPathFor } from './session/transcript-path.ts';

export interface Surroundings {
  readonly commandLine: CommandLine;
  readonly settings: Settings;
  readonly behaviour: Behaviour;
  readonly cwd: string;
  readonly logPath: string | undefined;
}

export function assemble({ commandLine, settings, behaviour, cwd, logPath }: Surroundings): Parts {
  const { name, sessionId, resume, mcpConfig } = commandLine;
  const log = new EvidenceLog(logPath);
  const session = new Session(sessionId, cwd, resume ?? transcriptPathFor(logPath, sessionId));
  const contextUse = new ContextUse(behaviour.contextWindow);
  const statusLine = new StatusLine(settings.statusLine, session, contextUse);
  const view = new View(`Practice agent · ${name} · ${basename(cwd)}`, behaviour.suggestion);
  view.contextPercent = contextUse.percent;
  view.oddWork = behaviour.oddWork;
  contextUse.changed = () => {
    view.contextPercent = contextUse.percent;
    view.changed();
    statusLine.update();
  };
  return {
    name,
    behaviour,
    log,
    session,
    hooks: new Hooks(settings.hooks, session, behaviour.dropHooks),
    toolServers: new ToolServers(mcpConfig, cwd, log),
    statusLine,
    statusFile: new StatusFile(behaviour.noStatus ? undefined : statusFolder(process.env)),
    transcript: new Transcript(session),
    contextUse,
    memory: resume === undefined ? new Memory() : Memory.ofTranscript(resume),
    resumed: resume !== undefined,
    view,
    dialogs: new Dialogs(view, log),
  };
}
