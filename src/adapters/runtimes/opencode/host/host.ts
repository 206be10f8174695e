import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { ModelLimit } from '../context-limit.ts';
import { newMessageId } from '../message-id.ts';
import { beginsSoon, Config, Messages, Providers, Session, Statuses } from '../wire.ts';
import { followEvents } from './event-stream.ts';
import { createHookRunner, type HookRunner } from './hook-runner.ts';
import { permissionRules } from './permissions.ts';
import { type Line, Reporter, type Taken } from './reporter.ts';
import { newPassword, type ServerProcess, serverEnv, startServer, waitUntilAnswering } from './server-process.ts';
import { commandsIn, readSettings, type Settings } from './settings.ts';

const PATIENCE_MS = 30_000;
const QUICK_MS = 5_000;
/** The maximum number of times that the host restarts a server that has died. */
const MAX_RESTARTS = 5;
/** How many of the newest messages are read after a gap in the stream of events. */
const LATEST = 30;
const MAX_BACKFILL = 200;

const Worktree = z.looseObject({ worktree: z.string() });
const StartText = z.object({ hookSpecificOutput: z.object({ additionalContext: z.string() }) });

export class Host {
  private readonly settings: Settings;
  private readonly resumes: string | null;
  private readonly folder: string;
  private readonly transcriptPath: string;
  private readonly hooks: HookRunner;
  private readonly password = newPassword();
  private readonly own = new Set<string>();
  private readonly limits = new Map<string, ModelLimit>();
  private config: Config = {};
  private server!: ServerProcess;
  private reporter!: Reporter;
  private sessionId = '';
  private isOver = false;
  private compacted = false;

  /** @param resumes the session to resume; null to begin a new one */
  constructor(settingsPath: string, resumes: string | null) {
    this.settings = readSettings(settingsPath);
    this.resumes = resumes;
    this.folder = dirname(settingsPath);
    this.transcriptPath = join(this.folder, 'conversation.jsonl');
    this.hooks = createHookRunner(commandsIn(this.settings));
  }

  /** Returns the exit code of the terminal client. */
  async run(): Promise<number> {
    process.stdout.write('Starting opencode...\n');
    try {
      this.server = await startServer(this.settings.program, this.folder, this.password, 0);
      this.listenForSignals();
      await this.open();
    } catch (error) {
      process.stderr.write(`${(error as Error).message}\n`);
      await this.server?.end();
      return 1;
    }
    void this.keepServer();
    void this.follow();
    const client = this.startClient();
    // Ctrl+Z in the terminal client hides its screen and suspends its process group. The pane has no shell that could
    // continue it, so the host continues the group at once. Continuing only the child process would not be enough if
    // that process is a wrapper script.
    process.on('SIGTSTP', () => void process.kill(0, 'SIGCONT'));
    // The terminal client needs some seconds to start. Meanwhile the host gives the session its start text and
    // Baton's tools.
    void this.learnLimits();
    void this.addTools().then(() => this.begin(this.resumes === null ? 'startup' : 'resume'));
    const code = await new Promise<number>((resolve) => {
      client.once('error', () => resolve(127));
      client.once('close', (status, signal) => resolve(status ?? (signal === null ? 1 : 128)));
    });
    await this.finish(code === 0 ? 'prompt_input_exit' : 'other');
    return code;
  }

  /** Creates a session, or finds the session to resume. */
  private async open(): Promise<void> {
    await waitUntilAnswering(this.server);
    const { api } = this.server;
    const permission = await this.rules();
    const { resumes } = this;
    const { agent, model } = this.settings;
    if (resumes === null) {
      const body = { permission, ...(agent === null ? {} : { agent }), ...modelRef(model) };
      this.sessionId = Session.parse(await api.send('POST', '/session', body, PATIENCE_MS)).id;
    } else {
      this.sessionId = Session.parse(await api.get(`/session/${resumes}`, PATIENCE_MS)).id;
      await api.send('PATCH', `/session/${resumes}`, { permission }, PATIENCE_MS);
    }
    this.reporter = new Reporter({
      sessionId: this.sessionId,
      transcriptPath: this.transcriptPath,
      isOwnMessage: (id) => this.own.has(id),
      limitOf: (provider, id) => this.limits.get(`${provider}/${id}`),
      config: () => this.config,
    });
    if (resumes !== null) await this.backfill();
  }

  private async learnLimits(): Promise<void> {
    try {
      this.config = Config.parse(await this.server.api.get('/config', PATIENCE_MS));
      const { providers } = Providers.parse(await this.server.api.get('/config/providers', PATIENCE_MS));
      for (const { id, models } of providers)
        for (const [model, { limit }] of Object.entries(models)) if (limit) this.limits.set(`${id}/${model}`, limit);
    } catch {
      // Ignore a failed request: without the limits of the models, Baton does not know the context use, but can do
      // everything else.
    }
  }

  private async rules() {
    const { worktree } = Worktree.parse(await this.server.api.get('/path', PATIENCE_MS));
    return permissionRules(this.settings, worktree);
  }

  /** Adds the MCP server with Baton's package tools. This MCP server gets the agent's identity from the environment. */
  private async addTools(): Promise<void> {
    const { name, command } = this.settings.tools;
    const config = { type: 'local', command, enabled: true };
    await this.server.api.send('POST', '/mcp', { name, config }, PATIENCE_MS).catch(() => undefined);
  }

  /**
   * Gives the session the start text, and reports with a hook that the session began. If the hook can read the file
   * with the start text, it also reports that the session got the text. So this function hides the file from the hook
   * if the session did not get the text.
   */
  private async begin(source: 'startup' | 'resume' | 'clear' | 'compact'): Promise<void> {
    const isGiven = await this.giveStartText();
    const payload = {
      session_id: this.sessionId,
      hook_event_name: 'SessionStart',
      source,
      transcript_path: this.transcriptPath,
      cwd: process.cwd(),
    };
    const env = isGiven ? process.env : { ...process.env, BATON_SESSION_START: '' };
    await this.hooks.run({ hook: 'SessionStart', payload }, env);
  }

  private async giveStartText(): Promise<boolean> {
    const text = startText();
    if (text === undefined) return false;
    const messageID = newMessageId(`start/${Date.now()}`);
    this.own.add(messageID);
    const body = { messageID, noReply: true, parts: [{ type: 'text', text, synthetic: true }] };
    try {
      await this.server.api.send('POST', `/session/${this.sessionId}/message`, body, PATIENCE_MS);
      return true;
    } catch {
      return false;
    }
  }

  /** Writes the earlier conversation of a resumed session to the transcript of this agent. */
  private async backfill(): Promise<void> {
    const { taken } = await this.replay(MAX_BACKFILL);
    this.write(taken.flatMap(({ lines }) => lines));
    // The messages that the server sends again are history. Tell the reporter that the session is idle, so that these
    // messages do not count as current work.
    this.reporter.take({
      type: 'session.idle',
      properties: { sessionID: this.sessionId },
    });
  }

  private async replay(limit: number): Promise<{ taken: readonly Taken[]; begins: boolean }> {
    const path = `/session/${this.reporter.current.sessionId}/message?limit=${limit}`;
    const messages = Messages.parse(await this.server.api.get(path, PATIENCE_MS));
    const events = messages.flatMap((message) =>
      message === null
        ? []
        : [
            { type: 'message.updated', properties: { info: message.info } },
            ...message.parts.map((part) => ({ type: 'message.part.updated', properties: { part } })),
          ],
    );
    return { taken: events.map((event) => this.reporter.take(event)), begins: beginsSoon(messages) };
  }

  private startClient(): ChildProcess {
    return spawn(this.settings.program, ['attach', this.server.url, '-s', this.sessionId], {
      env: serverEnv(this.password),
      stdio: 'inherit',
    });
  }

  /** Reads events until the agent ends. After a gap in the stream, reads the last messages and the status. */
  private async follow(): Promise<void> {
    while (!this.isOver) {
      try {
        for await (const event of followEvents((signal) => this.server.api.events(signal))) {
          if (event.type === 'server.connected') await this.catchUp();
          else if (event.type === 'server.instance.disposed') void this.addTools();
          else this.handle(this.reporter.take(event));
          if (event.type === 'session.compacted') this.compacted = true;
          await this.giveTextAfterCompaction();
        }
      } catch {
        // The server has ended or does not answer, so try again until the host ends.
      }
      await sleep(300);
    }
  }

  private async catchUp(): Promise<void> {
    try {
      const { taken, begins } = await this.replay(LATEST);
      for (const each of taken) this.handle(each);
      // The turn still runs, so later events will report the end of the turn.
      if (begins) return;
      const { sessionId } = this.reporter.current;
      const status = Statuses.parse(await this.server.api.get('/session/status', QUICK_MS))[sessionId];
      const properties = { sessionID: sessionId, status: status ?? { type: 'idle' } };
      this.handle(this.reporter.take({ type: 'session.status', properties }));
    } catch {
      // Ignore a failed request, because Baton also asks opencode's server for the status directly.
    }
  }

  /**
   * After a compaction, gives the session its start text again, because the compaction removed the text. Does nothing
   * while the agent is busy, because a message would disturb the agent.
   */
  private async giveTextAfterCompaction(): Promise<void> {
    if (!this.compacted || this.reporter.current.isBusy) return;
    this.compacted = false;
    await this.begin('compact');
  }

  private handle({ reports, lines, movedTo }: Taken): void {
    if (movedTo !== undefined) {
      this.sessionId = movedTo;
      void this.rules()
        .then((permission) => this.server.api.send('PATCH', `/session/${movedTo}`, { permission }, PATIENCE_MS))
        .catch(() => undefined);
    }
    // Do not tell these hooks the path of the file with Baton's start text. A hook that can read the file reports that
    // the session got the text, but the operator may have begun the session without the text.
    const env = { ...process.env, BATON_SESSION_START: '' };
    for (const report of reports) void this.hooks.run(report, env);
    // Write the transcript only after the hooks have ended. A hook must tell Baton that the agent is busy before Baton
    // sees the prompt in the transcript.
    if (lines.length > 0) void this.hooks.settled().then(() => this.write(lines));
  }

  private write(lines: readonly Line[]): void {
    const timestamp = new Date().toISOString();
    // A line about tokens contains its own time, which is the time of the answer. That time can be before the start of
    // this agent, because an agent that resumes a conversation writes the earlier answers again.
    const text = lines.map((line) => `${JSON.stringify({ timestamp, ...line })}\n`).join('');
    if (text !== '') appendFileSync(this.transcriptPath, text, { mode: 0o600 });
  }

  /**
   * Restarts the server when it dies. The terminal client shows nothing during the restart, and reconnects by itself.
   */
  private async keepServer(): Promise<void> {
    for (let restarts = 0; restarts < MAX_RESTARTS; restarts++) {
      await this.server.ended;
      if (this.isOver) return;
      this.handle(this.reporter.serverEnded());
      const port = Number(new URL(this.server.url).port);
      try {
        this.server = await startServer(this.settings.program, this.folder, this.password, port);
        await waitUntilAnswering(this.server);
        await this.addTools();
      } catch {
        await sleep(1_000);
      }
    }
  }

  private listenForSignals(): void {
    // Ignore Ctrl-C from now on, because the terminal client handles it. While the server was starting, Ctrl-C ended
    // the server and this process.
    process.on('SIGINT', () => undefined);
    for (const [signal, code] of [
      ['SIGTERM', 143],
      ['SIGHUP', 129],
    ] as const)
      process.once(signal, () => void this.finish('other').then(() => process.exit(code)));
  }

  private async finish(reason: string): Promise<void> {
    if (this.isOver) return;
    this.isOver = true;
    const payload = { session_id: this.sessionId, hook_event_name: 'SessionEnd', reason };
    await Promise.all([this.hooks.run({ hook: 'SessionEnd', payload }), this.server.end()]);
  }
}

const modelRef = (model: string | null): object => {
  const [, providerID, id] = /^([^/]+)\/(.+)$/.exec(model ?? '') ?? [];
  return providerID === undefined ? {} : { model: { providerID, id } };
};

/**
 * Returns the text for a new session from the file that Baton wrote. The file contains a line with the text's name, and
 * the text as JSON.
 */
function startText(): string | undefined {
  try {
    const file = readFileSync(process.env.BATON_SESSION_START ?? '', 'utf8');
    const json = file.slice(file.indexOf('\n') + 1);
    return StartText.parse(JSON.parse(json)).hookSpecificOutput.additionalContext;
  } catch {
    return undefined;
  }
}
