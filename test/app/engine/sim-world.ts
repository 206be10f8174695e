import { createHash } from 'node:crypto';
import { createMemoryStore } from '../../../prove/memory-store/memory-store.ts';
import {
  parseSessionHook,
  readSessionReport,
  sessionStartOutput,
} from '../../../src/adapters/runtimes/session-hooks.ts';
import { localDay, minutesOfDay } from '../../../src/adapters/system/local-time.ts';
import { recordFact } from '../../../src/app/engine/record-facts.ts';
import { requestHandoff } from '../../../src/app/handoffs/request-handoff.ts';
import type { AgentRuntime, LaunchContext } from '../../../src/app/ports/agent-runtime.ts';
import type { ClientControl, ClientStatus } from '../../../src/app/ports/client-control.ts';
import type { TextSaved } from '../../../src/app/ports/files/agent-files.ts';
import type { TextRead } from '../../../src/app/ports/files/package-files.ts';
import type { WorkflowRead } from '../../../src/app/ports/files/workflow-files.ts';
import type { Ports } from '../../../src/app/ports/index.ts';
import type { Notification } from '../../../src/app/ports/notifier.ts';
import type { OperatorHooks } from '../../../src/app/ports/operator-hooks.ts';
import type { OperatorSettings } from '../../../src/app/ports/operator-settings.ts';
import type { Spooled, SpooledHook } from '../../../src/app/ports/spool.ts';
import type { Store } from '../../../src/app/ports/store.ts';
import type {
  Delivery,
  DeliveryOutcome,
  Inspection,
  PaneIdentity,
  Panes,
  ScreenState,
} from '../../../src/app/ports/terminal.ts';
import { createKnownSecrets } from '../../../src/app/settings/known-secrets.ts';
import type { Agent } from '../../../src/domain/agents/agent.ts';
import type { ProgramEnd } from '../../../src/domain/agents/program-end.ts';
import type { DocumentCheck, Fact } from '../../../src/domain/facts.ts';
import { DEADLINES } from '../../../src/domain/handoffs/deadlines.ts';
import type { GitFacts } from '../../../src/domain/handoffs/document/git-facts.ts';
import { BUILT_IN } from '../../../src/domain/handoffs/prompts/templates.ts';
import type { Run } from '../../../src/domain/handoffs/run.ts';
import { instantFromMs } from '../../../src/domain/instant.ts';
import type { DiskRoom } from '../../../src/domain/maintenance/disk-room.ts';
import type { ArtifactSeen } from '../../../src/domain/packages/content/artifact-seen.ts';
import { DEFAULT_TIMERS } from '../../../src/domain/packages/package-facts.ts';
import { isRefusal } from '../../../src/domain/refusals.ts';
import type { Usage } from '../../../src/domain/usage/usage.ts';
import type { WorktreeFacts } from '../../../src/domain/worktrees/worktree.ts';
import { anAgent } from '../../adapters/stores/store-contract.ts';

/**
 * A simulated world for tests: the real core and use cases, with fakes for clock, tmux, files and spool. Tests control
 * the time and cause faults. The memory store fulfills the same contract as the SQLite store.
 */
export class SimWorld {
  nowMs = Date.parse('2026-11-15T08:00:00.000Z');
  /** The number of milliseconds by which the wall clock advances at each reading. */
  msPerReading = 0;
  monotonic = 0;
  zone = 'UTC';
  readonly logged: string[] = [];
  readonly typed: { paneId: string; text: string; id: string }[] = [];
  hooks: Spooled[] = [];
  readonly processes = new Map<number, number>();
  /** The ancestors of each process, as the operating system would report them. */
  readonly ancestors = new Map<number, readonly number[]>();
  /**
   * The processes that the fake reports as running in a folder. The fake reports the same processes for every folder.
   */
  inFolder: readonly { readonly pid: number; readonly name: string }[] = [];
  panes: Panes = { server: { serverPid: 1, serverStartedAt: 1 }, panes: [] };
  screen: ScreenState = { kind: 'ready' };
  outcome: DeliveryOutcome = { verdict: 'typed', enters: 1 };
  /** The number of deliveries that Baton has requested. */
  asked = 0;
  beforePaste: () => Promise<void> = async () => undefined;
  document: DocumentCheck = { verdict: 'good', sha256: 'abc', bytes: 3, markerFound: true };
  evidence: { fingerprint: string; markerFound: boolean } | undefined;
  git: GitFacts = { kind: 'unknown', why: 'not_a_repository', sentence: 'no repository' };
  missingPaths: readonly string[] = [];
  worktreeFacts: WorktreeFacts = {
    uncommitted: { count: 0, untracked: 0, unsure: 0 },
    ignored: 0,
    branch: 'baton/x',
    ahead: 0,
    unmerged: 0,
    unreachable: 0,
    problem: null,
  };
  readonly artifacts = new Map<string, ArtifactSeen>();
  /** The folders in which Baton has looked up artifacts. */
  readonly lookedIn = new Set<string>();
  /** The content of each written package file, by path. */
  readonly packageFiles = new Map<string, string>();
  /** True if the simulated project has a `.project/` folder. */
  hasProjectFolder = false;
  /** `texts` maps the path of an artifact to its text. `kept` maps a hash to the text that Baton has stored. */
  readonly texts = new Map<string, TextRead>();
  readonly kept = new Map<string, string>();
  workflow: WorkflowRead = { kind: 'none' };
  readonly notified: Notification[] = [];
  operatorSettings: OperatorSettings = {
    handoffAtPercent: 80,
    notifications: {
      os: true,
      ntfy: null,
      webhook: null,
      waits: true,
      finished: true,
      near_threshold: true,
      notices: true,
    },
    finishedAfterSeconds: 60,
    defaultRuntime: 'sim',
    quietHours: null,
    acceptLessons: false,
    tokenBudget: null,
  };
  wordingProblems: readonly string[] = [];
  documentText: string | undefined;
  /** The documents that Baton itself wrote, by path. */
  readonly written = new Map<string, string>();
  newTexts: readonly string[] = [];
  foundDocument: 'there' | 'restored' | 'changed' = 'there';
  notAProject: string | undefined;
  notAdoptable: string | undefined;
  launchProblem: string | undefined;
  readonly ended: string[] = [];
  readonly launched: LaunchContext[] = [];
  unavailable: string | undefined;
  transcript = '';
  endsInterrupted = false;
  /**
   * `deniedByRule` is the tool that a permission rule in the settings denies. `deniedTool` is the tool that was denied
   * last, according to the transcript.
   */
  deniedByRule: { tool: string; file: string } | undefined;
  deniedTool: string | undefined;
  /** A fake of the client's control API. Undefined if the client has no control API. */
  fakeControl: ClientControl | undefined;
  startsWithFirstPrompt = false;
  choosesSessionId = false;
  /** The client's own status. Undefined if the client has no status file. */
  status: ClientStatus | undefined;
  /** The running total of usage in each transcript, by path. */
  readonly usage = new Map<string, Usage>();
  /** Reads the usage in a transcript. Tests with real transcripts set a real reader. */
  usageIn: NonNullable<AgentRuntime['usageInTranscript']> = async (path) => ({
    usage: this.usage.get(path),
    isComplete: true,
  });
  /** The user's prompts in the fake transcript. */
  prompts: string[] = [];
  /** The output that Baton has prepared for the next SessionStart hook of the agent. */
  sessionStart: string | undefined;
  skill: string | undefined = 'be careful';
  textSaved: TextSaved = { outcome: 'saved' };
  /**
   * The maximum length of a text that the session start hook can give to a session. 0 means that the runtime accepts no
   * text from this hook.
   */
  longestStart = 0;
  /**
   * `outside` maps a socket of an operator's own tmux server to the panes of this server. `inspection` is the fake
   * result of inspecting such a pane.
   */
  readonly outside = new Map<string, Panes>();
  inspection: Inspection = { found: 'no_server', detail: 'there is no tmux server' };
  claimable = true;
  readonly claimed: string[] = [];
  readonly released: string[] = [];
  /** The exit that the fake reports for a program in a dead pane. */
  programEnd: ProgramEnd | undefined;
  readonly closedAtExit: string[] = [];
  homeProblem: string | undefined;
  room: DiskRoom = { path: '/home', freeBytes: 1e12, freeInodes: null };
  /** For each adopted agent, by the agent's id: the process id of its client. Baton accepts hooks of this client. */
  readonly heard = new Map<number, number>();
  broken = new Set<'outside' | 'panes' | 'spool' | 'store' | 'documents'>();
  readonly ports: Ports;

  constructor() {
    const runtime = this.runtime();
    this.ports = {
      store: this.store(),
      terminal: {
        connect: async () => undefined,
        launch: async ({ sessionName, tag }) => {
          if (this.launchProblem === 'unknown') throw Object.assign(new Error('no answer'), { outcomeUnknown: true });
          if (this.launchProblem !== undefined) throw new Error(this.launchProblem);
          return this.addPane(sessionName, tag);
        },
        list: async (socket) =>
          this.unlessBroken(
            socket === undefined ? 'panes' : 'outside',
            socket === undefined ? this.panes : (this.outside.get(socket) ?? { server: undefined, panes: [] }),
          ),
        programEnd: async () => this.programEnd,
        closeAtExit: async ({ paneId }) => void this.closedAtExit.push(paneId),
        capture: async () => ({ lines: [], cursorX: 0, cursorY: 0 }),
        picture: async () => ({ columns: 80, rows: 24, lines: [], cursor: null }),
        deliver: (pane, delivery) => this.deliver(pane, delivery),
        interrupt: async () => undefined,
        pressAnswer: async () => this.outcome,
        end: async ({ paneId }) => void this.ended.push(paneId),
        onChange: () => undefined,
        inspect: async () => this.inspection,
        claim: async (pane) => {
          if (!this.claimable) return false;
          this.claimed.push(pane.tag);
          this.mark(pane, pane.tag);
          return true;
        },
        release: async (pane) => {
          this.released.push(pane.tag);
          this.mark(pane, '');
        },
        attachCommand: () => '',
        close: async () => undefined,
      },
      runtimes: new Map([[runtime.id, runtime]]),
      files: {
        home: '/home',
        seedPersona: async () => undefined,
        skillMark: () => undefined,
        sessionStartMark: () => undefined,
        readSkill: async () => ({ skill: this.skill, experience: undefined }),
        readPersonaText: async () => ({ text: this.skill ?? null, sha256: this.skill ?? null }),
        savePersonaText: async (_slug, _name, { text }) => {
          if (this.textSaved.outcome === 'saved') this.skill = text;
          return this.textSaved;
        },
        prepareDocumentPlace: async ({ taken }) => {
          const path = taken.length === 0 ? 'data/x.md' : `data/x${taken.length}.md`;
          return { path, absolutePath: `/home/${path}` };
        },
        writeDocument: async (path, text) => void this.written.set(path, text),
        checkDocument: async () => this.document,
        restoreDocument: async (_path, _sha256, isApproved) =>
          isApproved && this.foundDocument === 'changed' ? 'changed_and_put_back' : this.foundDocument,
        adoptDocument: async () => this.notAdoptable,
        newTexts: async () => this.newTexts,
        watchDocument: () => () => undefined,
        keptDocument: async () => (this.documentText === undefined ? {} : { text: this.documentText }),
        readDocumentFacts: async () => this.unlessBroken('documents', this.evidence),
        handoffsFolder: () => '/h',
        agentFolder: () => '/a',
        batonProgram: () => '/bin/baton',
        sessionStartPath: () => '/a/session-start',
        keepSessionStart: async (_agentId, content) => {
          this.sessionStart = content;
        },
        writeLaunch: async () => ['agent'],
        makeSampleProject: async (name) => `/home/demo/${name}`,
        whyNotAProject: async () => this.notAProject,
        whyNotANewProject: async () => this.notAProject,
      },
      spool: {
        waiting: () => this.waitingHooks(),
        remove: async (hook) => {
          this.hooks = this.hooks.filter(({ key }) => key !== hook.key);
        },
        onArrival: () => undefined,
        close: () => undefined,
        hookCommand: (event) => event,
        listenTo: async ({ agentId, pid }) => void this.heard.set(agentId, pid),
        isListening: () => this.heard.size > 0,
        listenOnlyTo: async (ids) => {
          for (const id of this.heard.keys()) if (!ids.includes(id)) this.heard.delete(id);
          return [...this.heard.keys()];
        },
        overflow: async () => undefined,
        overflowTold: async () => undefined,
      },
      projects: {
        git: async () => this.git,
        missingPaths: async () => this.missingPaths,
      },
      worktrees: {
        plan: async ({ name }) => ({ path: `/w/${name}`, folder: `/w/${name}`, base: 'b', baseBranch: 'main' }),
        make: async () => undefined,
        isThere: async () => true,
        look: async () => this.worktreeFacts,
        remove: async () => undefined,
      },
      packageFiles: {
        look: async (root, paths) => {
          if (paths.length > 0) this.lookedIn.add(root);
          return Object.fromEntries(paths.map((path) => [path, this.artifacts.get(path) ?? { kind: 'missing' }]));
        },
        usesPackages: () => this.hasProjectFolder,
        readText: async (_root, path) => this.texts.get(path) ?? { whyNot: 'the file does not exist' },
        keptText: async (sha256) => this.kept.get(sha256),
        keepText: async (sha256, text) => void this.kept.set(sha256, text),
        writeState: async (project, state) => this.wrote(`state/${project.id}`, state),
        writeArchive: async ({ session, files }) =>
          files.filter(({ name, value }) =>
            value === undefined
              ? this.packageFiles.delete(`${session}/${name}`)
              : this.wrote(`${session}/${name}`, value),
          ).length,
      },
      workflows: { read: async () => this.workflow },
      notifier: {
        send: async (notification) => {
          this.notified.push(notification);
          return [{ channel: 'os', outcome: 'sent' }];
        },
      },
      wording: {
        current: () => BUILT_IN,
        files: () => [],
        save: async () => undefined,
        refresh: async () => this.wordingProblems,
      },
      clock: {
        now: () => this.readClock(),
        minutesOfDay: (at) => minutesOfDay(at, this.zone),
        localDay: (at) => localDay(at, this.zone),
        monotonicMs: () => this.monotonic,
        after: (_ms, callback) => {
          this.pass(30);
          setImmediate(callback);
          return () => undefined;
        },
      },
      chance: {
        uuid: () => `0000${++this.counter}-0000-4000-8000-000000000000`,
        token: (length) => `t${++this.counter}`.padEnd(length, 'x'),
        sha256: (text) => createHash('sha256').update(text).digest('hex'),
      },
      ownsTerminal: async () => true,
      bootId: 'boot-1',
      beginRepository: async () => true,
      processMark: async (pid) => (this.processes.has(pid) ? `mark-${this.processes.get(pid)}` : undefined),
      processesIn: async () => this.inFolder,
      homeProblem: async () => this.homeProblem,
      diskRoom: async () => this.room,
      ancestorsOf: (pid) => this.ancestors.get(pid) ?? [],
      processStartedMs: async (pid) => this.processes.get(pid),
      agentToken: (uuid) => `token-${uuid}`,
      log: {
        info: () => undefined,
        warn: (message) => this.logged.push(message),
        error: (message) => this.logged.push(message),
      },
      operatorSettings: {
        path: '/home/config.json',
        current: () => this.operatorSettings,
        change: async () => [],
      },
      environment: {
        forProject: async () => ({ variables: [], removed: [], problems: [] }),
        refresh: async () => undefined,
        ready: async () => undefined,
        state: () => ({ shell: '/bin/sh', readAt: null, problem: null }),
      },
      secrets: createKnownSecrets(),
      settings: {
        deadlines: DEADLINES,
        reconcileEveryMs: 1_000,
        receiptMs: 8_000,
        packageTimers: DEFAULT_TIMERS,
        packageArchive: true,
        instance: 'me',
        version: '0',
      },
      checkpoint: () => undefined,
    };
  }

  private counter = 0;

  private store(): Store {
    const store = createMemoryStore('host', () => instantFromMs(this.nowMs));
    return {
      ...store,
      write: (work) => (this.broken.has('store') ? Promise.reject(new Error('disk full')) : store.write(work)),
    };
  }

  private runtime(): AgentRuntime {
    const sim = this;
    return {
      get control() {
        return sim.fakeControl as ClientControl;
      },
      get startsWithFirstPrompt() {
        return sim.startsWithFirstPrompt;
      },
      get choosesSessionId() {
        return sim.choosesSessionId;
      },
      id: 'sim',
      title: 'Simulated',
      exitCommand: '/exit',
      canResume: true,
      settleMs: 1,
      readScreen: () => this.screen,
      readQuestion: () =>
        this.screen.kind === 'dialog'
          ? {
              text: this.screen.text,
              options: [{ number: 1, label: 'Yes' }],
              textOption: null,
              highlighted: 1,
              fingerprint: this.screen.text,
            }
          : undefined,
      isOurDraft: (draft, text) => draft === text,
      unavailableReason: async () => this.unavailable,
      deniedByRule: async () => this.deniedByRule,
      planLaunch: (context) => {
        this.launched.push(context);
        return { argv: ['x'], env: {}, unsetEnv: [], files: {} };
      },
      sessionStartOutput: (text) => (text.length > this.longestStart ? undefined : sessionStartOutput(text)),
      parseHook: parseSessionHook,
      readStatus: async () => this.status,
      transcript: {
        holds: async (_path, text) => this.transcript.includes(text),
        promptsBehind: async (_path, from) => this.prompts.slice(from),
        end: async () => this.prompts.length,
        endsInterrupted: async () => this.endsInterrupted,
        deniedTool: async () => this.deniedTool,
      },
      usageInTranscript: (path, period) => this.usageIn(path, period),
      operatorHooks: this.operatorHooks(),
    };
  }

  private operatorHooks(): OperatorHooks {
    const nothing = () => {
      throw new Error('no settings here');
    };
    return {
      file: '',
      version: 1,
      look: nothing,
      install: nothing,
      uninstall: nothing,
      readSession: readSessionReport,
    };
  }

  private wrote(place: string, value: unknown): boolean {
    const text = JSON.stringify(value);
    const isNew = this.packageFiles.get(place) !== text;
    this.packageFiles.set(place, text);
    return isNew;
  }

  private async *waitingHooks(): AsyncGenerator<readonly Spooled[]> {
    yield this.unlessBroken('spool', [...this.hooks]);
  }

  private unlessBroken<T>(what: 'outside' | 'panes' | 'spool' | 'documents', value: T): T {
    if (this.broken.has(what)) throw new Error(`${what} broken`);
    return value;
  }

  private async deliver(pane: PaneIdentity, delivery: Delivery): Promise<DeliveryOutcome> {
    this.asked += 1;
    await this.beforePaste();
    if (delivery.stillWanted?.() === false) return { verdict: 'refused', reason: 'not_wanted', detail: 'not wanted' };
    if (await delivery.api?.answers()) {
      const outcome = await delivery.api?.submit(delivery.text);
      return outcome?.verdict === 'refused' ? outcome : { verdict: 'typed', enters: 0, by: 'api' };
    }
    if (this.outcome.verdict !== 'refused')
      this.typed.push({ paneId: pane.paneId, text: delivery.text, id: delivery.id });
    return this.outcome;
  }

  /** Sets the tag of a pane in the operator's own tmux server. */
  private mark(pane: PaneIdentity, tag: string): void {
    const socket = pane.outside?.socket ?? '';
    const there = this.outside.get(socket);
    if (there === undefined) return;
    const panes = there.panes.map((each) =>
      each.identity.paneId === pane.paneId ? { ...each, identity: { ...each.identity, tag } } : each,
    );
    this.outside.set(socket, { ...there, panes });
  }

  addPane(sessionName: string, tag: string): PaneIdentity {
    const n = this.panes.panes.length + 1;
    const identity = { serverPid: 1, serverStartedAt: 1, paneId: `%${n}`, panePid: 100 + n, tag };
    this.panes = { ...this.panes, panes: [...this.panes.panes, { identity, sessionName, dead: false }] };
    return identity;
  }

  private readClock() {
    this.nowMs += this.msPerReading;
    return instantFromMs(this.nowMs);
  }

  pass(ms: number): void {
    this.nowMs += ms;
    this.monotonic += ms;
  }

  agent(id: number): Agent {
    const found = this.ports.store.read((tx) => tx.agentById(id));
    if (found === undefined) throw new Error(`no agent ${id}`);
    return found;
  }

  run(id = 1): Run {
    const found = this.ports.store.read((tx) => tx.runById(id));
    if (found === undefined) throw new Error(`no run ${id}`);
    return found;
  }

  record(...facts: Fact[]): Promise<void> {
    return this.ports.store.write((tx) => {
      for (const fact of facts) recordFact(tx, this.ports, fact);
    });
  }

  inbox() {
    return this.ports.store.read((tx) => tx.openInboxItems());
  }

  notices(type: string): readonly Record<string, unknown>[] {
    return this.ports.store
      .read((tx) => tx.eventsAfter(0, 1_000))
      .filter((event) => event.type === type)
      .map(({ data }) => data);
  }

  /** Adds an idle agent that has a persona, a pane and its skill. */
  async addAgent(over: Partial<Agent> = {}): Promise<Agent> {
    const at = instantFromMs(this.nowMs);
    return this.ports.store.write((tx) => {
      const project = tx.projectByPath('/p') ?? tx.insertProject({ name: 'p', path: '/p', createdAt: at });
      const persona =
        tx.personaById(1) ??
        tx.insertPersona(
          { role: 'developer', name: 'Con', status: 'active', createdAt: at },
          (id) => `developer-con-${id}`,
        );
      const sessionUuid = this.ports.chance.uuid();
      const tokenHash = this.ports.chance.sha256(this.ports.agentToken(sessionUuid));
      const wanted = anAgent({
        sessionUuid,
        tokenHash,
        runtime: 'sim',
        projectId: project.id,
        personaId: persona.id,
        registeredAt: at,
        lastSeenAt: at,
        startedAt: at,
        priming: { status: 'done', at, warning: null },
        transcriptPath: '/t',
      });
      const agent = tx.insertAgent({ ...wanted, ...over });
      const placed = { ...agent, pane: this.addPane(agent.tmuxSession, agent.tmuxSession) };
      tx.saveAgent(placed);
      return placed;
    });
  }

  async handOver(agentId: number, review = false): Promise<Run> {
    const run = await requestHandoff(this.ports, agentId, { reason: undefined, note: undefined, review });
    if (isRefusal(run)) throw new Error(run.sentence);
    return run;
  }

  hook(agent: Agent, event: string, payload: object, over: Partial<SpooledHook> = {}): void {
    const base = { session_id: agent.runtimeSessionId ?? agent.sessionUuid, ...payload };
    this.hooks.push({
      key: `k${++this.counter}`,
      agentId: agent.id,
      token: this.ports.agentToken(agent.sessionUuid),
      event,
      clientPid: agent.clientPid,
      given: null,
      payload: base,
      writtenAtMs: this.nowMs,
      ...over,
    });
  }
}
