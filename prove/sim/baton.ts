import { parseSessionHook, sessionStartOutput } from '../../src/adapters/runtimes/session-hooks.ts';
import { createEngine, type Engine } from '../../src/app/engine/engine.ts';
import type { AgentRuntime } from '../../src/app/ports/agent-runtime.ts';
import type { PackageFiles } from '../../src/app/ports/files/package-files.ts';
import type { Ports } from '../../src/app/ports/index.ts';
import type { SpooledHook } from '../../src/app/ports/spool.ts';
import type { Store } from '../../src/app/ports/store.ts';
import type { ScreenState } from '../../src/app/ports/terminal.ts';
import { createKnownSecrets } from '../../src/app/settings/known-secrets.ts';
import type { EffectKind } from '../../src/domain/effects.ts';
import { freeDocumentPath } from '../../src/domain/handoffs/document/document.ts';
import { BUILT_IN } from '../../src/domain/handoffs/prompts/templates.ts';
import { instantFromMs } from '../../src/domain/instant.ts';
import type { PackageTimers } from '../../src/domain/packages/package-facts.ts';
import { sha256 } from './files.ts';
import { judgeCheck } from './judge/judge.ts';
import { noteNotified, noteRestored } from './judge/observe.ts';
import type { World } from './world.ts';

/**
 * Returns a promise that never resolves. Each call returns a new promise, because a shared promise would keep all its
 * waiters in memory.
 */
const never = (): Promise<never> => new Promise(() => undefined);

class Killed extends Error {}

async function* inOneBatch<T>(items: Promise<readonly T[]>): AsyncGenerator<readonly T[]> {
  yield await items;
}

// A killed Baton drops its background work, such as writing files. Ignore the rejections of that work.
process.on('unhandledRejection', (reason) => {
  if (!(reason instanceof Killed)) throw reason;
});

const MINUTE = 60_000;
/** The timers of packages. They are shorter than in production, like the simulated deadlines of handoffs. */
const TIMERS: PackageTimers = {
  draft: 2 * MINUTE,
  acknowledge: MINUTE,
  clarify: MINUTE,
  gate: 2 * MINUTE,
  work: 2 * MINUTE,
  gone: MINUTE / 2,
};

/** The simulation stores no texts of artifacts, so Baton finds none. */
const NO_TEXTS: Pick<PackageFiles, 'readText' | 'keptText' | 'keepText'> = {
  readText: async () => ({ whyNot: 'the simulation has no texts' }),
  keptText: async () => undefined,
  keepText: async () => undefined,
};

/**
 * One Baton process. It runs the real engine on simulated ports. After a kill, the promises that the engine awaits
 * never resolve.
 */
export class Baton {
  alive = true;
  /** True if Baton has started: recovery, the first drain of the spool and the first reconcile are done. */
  isUp = false;
  readonly ports: Ports;
  private readonly engine: Engine;
  /**
   * The effects that Baton has begun and not yet reported as done. `reached` says how far an effect has come in the
   * simulated world.
   */
  readonly underWay = new Map<EffectKind, { reached: 'claimed' | 'pasted' | 'entered' | 'done' | 'performed' }>();
  private readonly hints = new Map<'spool' | 'tmux', () => void>();
  private readonly world: World;

  constructor(world: World, instance: string) {
    this.world = world;
    this.ports = this.createPorts(instance);
    this.engine = createEngine(this.ports);
  }

  async start(): Promise<void> {
    try {
      await this.engine.start();
      this.isUp = true;
    } catch (error) {
      // Treat a failed start as a kill. If a real process cannot start, it exits, and a service manager starts a new
      // process.
      if (this.alive) this.world.kill(`could not start: ${String(error)}`);
    }
  }

  hint(from: 'spool' | 'tmux'): void {
    if (this.alive) this.world.timeline.in(5, () => this.alive && this.hints.get(from)?.());
  }

  /** Marks a named moment at which Baton can be killed. After a kill, the returned promise never resolves. */
  moment(name: string): Promise<void> | undefined {
    if (this.alive && this.world.killsAt(name)) this.world.kill(name);
    return this.alive ? undefined : never();
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.world.timeline.in(ms, () => {
        if (this.alive) resolve();
      });
    });
  }

  private async io<T>(name: string, work: () => T): Promise<T> {
    await this.moment(`${name}:before`);
    const wait = this.world.slowness();
    if (wait > 0) await this.sleep(wait);
    const result = work();
    await this.moment(`${name}:after`);
    return result;
  }

  private async ask<T>(name: string, work: () => T): Promise<T> {
    await this.world.tmux.answers(this);
    return this.io(name, work);
  }

  private createPorts(instance: string): Ports {
    const { world } = this;
    const { disk, spool, tmux, timeline } = world;
    const runtime = this.runtime();
    return {
      store: this.store(),
      runtimes: new Map([[runtime.id, runtime]]),
      terminal: {
        connect: () => this.ask('connect', () => tmux.connect()),
        launch: (request) => tmux.launch(this, request),
        list: () => this.ask('list', () => tmux.list()),
        programEnd: (pane) => this.ask('programEnd', () => tmux.programEnd(pane)),
        closeAtExit: async () => undefined,
        capture: (pane) => this.ask('capture', () => tmux.capture(pane)),
        picture: async () => undefined,
        deliver: (pane, delivery) => tmux.deliver(this, pane, delivery),
        pressAnswer: async () => ({ verdict: 'refused', reason: 'not_asked', detail: 'nobody answers here' }),
        interrupt: (pane, request) => tmux.interrupt(this, pane, request),
        end: (pane) => this.ask('end', () => tmux.end(pane)),
        onChange: (listener) => void this.hints.set('tmux', listener),
        inspect: async () => ({ found: 'no_server', detail: 'nobody starts agents himself here' }),
        claim: async () => false,
        release: async () => undefined,
        attachCommand: () => '',
        close: async () => undefined,
      },
      files: {
        home: '/',
        seedPersona: () => this.io('seed', () => undefined),
        skillMark: () => undefined,
        sessionStartMark: () => undefined,
        readSkill: () =>
          this.io('skill', () => ({ skill: disk.skillAbsent ? undefined : 'Be careful.', experience: undefined })),
        readPersonaText: () => this.io('skill', () => ({ text: disk.experience, sha256: disk.experience })),
        savePersonaText: (_slug, _name, { text, basedOn }) =>
          this.io('skill', () => {
            if (basedOn !== disk.experience) return { outcome: 'changed_meanwhile' };
            disk.experience = text;
            return { outcome: 'saved' };
          }),
        prepareDocumentPlace: ({ slug, uuid8, at, taken }) =>
          this.io('prepare', () => {
            const path = freeDocumentPath(
              slug,
              at,
              uuid8,
              (each) => taken.includes(each) || disk.documents.has(`/${each}`),
            );
            return { path, absolutePath: `/${path}` };
          }),
        writeDocument: (path, text) => this.io('write', () => disk.write(`/${path}`, text)),
        checkDocument: (path, token) =>
          this.io('check', () => {
            judgeCheck(world, `/${path}`);
            const checked = disk.check(`/${path}`, token);
            this.reached('check_document', 'done');
            return checked;
          }),
        restoreDocument: (path, hash) => this.io('restore', () => noteRestored(world, disk.restore(`/${path}`, hash))),
        adoptDocument: (from, { path, allowedFolders }) =>
          this.io('adopt', () => disk.adopt(from, `/${path}`, allowedFolders)),
        watchDocument: () => () => undefined,
        newTexts: (folders, since) => this.io('new-texts', () => disk.newTexts(folders, since)),
        keptDocument: (hash) => this.io('kept', () => textOf(disk.copies.get(hash))),
        readDocumentFacts: (path, token) => this.io('document', () => disk.look(`/${path}`, token)),
        keepSessionStart: (agentId, content) =>
          this.io('session-start', () => {
            if (content === undefined) disk.sessionStarts.delete(agentId);
            else disk.sessionStarts.set(agentId, content);
          }),
        sessionStartPath: (agentId) => `/agents/${agentId}/session-start`,
        handoffsFolder: (slug) => `/data/personas/${slug}/handoffs`,
        agentFolder: (agentId) => `/agents/${agentId}`,
        batonProgram: () => '/bin/baton',
        writeLaunch: (_agentId, { argv, env }) =>
          this.io('script', () => [
            ...argv,
            env.BATON_AGENT_ID ?? '',
            env.BATON_AGENT_TOKEN ?? '',
            env.BATON_PREDECESSOR ?? '',
          ]),
        makeSampleProject: async (name) => `/demo/${name}`,
        whyNotANewProject: async () => undefined,
        whyNotAProject: () => this.io('project', () => (disk.projectGone ? 'The project folder is gone.' : undefined)),
      },
      spool: {
        waiting: () => inOneBatch(this.io('spool', () => spool.waiting)),
        remove: (hook) => this.io('remove', () => spool.takenIn(hook as SpooledHook)),
        overflow: () => this.io('overflow', () => spool.overflow()),
        overflowTold: () => this.io('overflow-told', () => spool.overflowTold()),
        onArrival: (listener) => void this.hints.set('spool', listener),
        close: () => undefined,
        hookCommand: (event) => event,
        listenTo: async () => undefined,
        isListening: () => false,
        listenOnlyTo: async () => [],
      },
      packageFiles: this.packageFiles(),
      workflows: { read: async () => world.packages?.workflow ?? { kind: 'none' } },
      projects: {
        git: () => this.io('git', () => ({ kind: 'unknown', why: 'not_a_repository', sentence: 'no repository' })),
        missingPaths: () => this.io('paths', () => []),
      },
      notifier: {
        send: ({ body }) =>
          this.io('notify', () => {
            noteNotified(world, body);
            return [{ channel: 'os', outcome: 'sent' }];
          }),
      },
      wording: {
        current: () => BUILT_IN,
        files: () => [],
        save: async () => undefined,
        refresh: () => this.io('wording', () => []),
      },
      clock: {
        now: () => world.instant(),
        minutesOfDay: () => 12 * 60,
        localDay: (at) => at.slice(0, 10),
        monotonicMs: () => timeline.nowMs,
        after: (ms, callback) => timeline.in(ms, () => void (this.alive && callback())),
      },
      chance: { uuid: () => world.uuid(), token: (length) => world.token(length), sha256 },
      ownsTerminal: (pid) => this.io('foreground', () => tmux.ownsTerminal(pid)),
      bootId: null,
      worktrees: {
        plan: async () => ({ isNameTaken: false, sentence: 'the simulation has no worktrees' }),
        make: async () => undefined,
        isThere: async () => true,
        look: () => Promise.reject(new Error('the simulation has no worktrees')),
        remove: async () => undefined,
      },
      beginRepository: async () => true,
      environment: {
        forProject: async () => ({ variables: [], removed: [], problems: [] }),
        refresh: async () => undefined,
        ready: async () => undefined,
        state: () => ({ shell: '/bin/sh', readAt: null, problem: null }),
      },
      secrets: createKnownSecrets(),
      processMark: async () => undefined,
      ancestorsOf: () => [],
      processStartedMs: async () => undefined,
      processesIn: async () => [],
      homeProblem: async () => undefined,
      diskRoom: async () => ({ path: '/home', freeBytes: 1e12, freeInodes: null }),
      agentToken: (uuid) => `token-${uuid}`,
      log: {
        info: () => undefined,
        warn: (text) => world.tell(`log: ${text}`),
        error: (text) => world.tell(`log: ${text}`),
      },
      operatorSettings: {
        path: '/home/config.json',
        current: () => ({
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
        }),
        change: async () => [],
      },
      settings: {
        deadlines: world.deadlines,
        reconcileEveryMs: 2_000,
        receiptMs: 8_000,
        packageTimers: TIMERS,
        packageArchive: true,
        instance,
        version: 'sim',
      },
      checkpoint: (name) => {
        this.passed(name);
        if (this.alive && world.killsAt(name)) world.kill(name);
        if (!this.alive) throw new Killed(name);
      },
    };
  }

  rebuildPackages(): ReturnType<Engine['rebuildPackages']> {
    return this.engine.rebuildPackages();
  }

  /**
   * Returns the simulated package files. They are written one after another, so that Baton can be killed between any
   * two files.
   */
  private packageFiles(): PackageFiles {
    const { packages } = this.world;
    // In most simulated worlds, agents exchange no packages. In such a world, write no package files at all, not even
    // the files of the packages that describe handoffs.
    if (packages === undefined)
      return {
        look: async () => ({}),
        usesPackages: () => false,
        ...NO_TEXTS,
        writeState: async () => false,
        writeArchive: async () => 0,
      };
    const write = <K>(files: Map<K, string>, path: K, value: unknown): boolean => {
      if (value === undefined) return files.delete(path);
      const text = JSON.stringify(value);
      const isOther = files.get(path) !== text;
      files.set(path, text);
      return isOther;
    };
    return {
      look: (_root, paths) => this.io('look', () => packages.look(paths)),
      usesPackages: () => true,
      ...NO_TEXTS,
      writeState: ({ id }, state) => this.io('state', () => write(packages.state, id, state)),
      writeArchive: async ({ session, files }) => {
        let written = 0;
        for (const { name, value } of files)
          written += Number(await this.io('archive', () => write(packages.archive, `${session}/${name}`, value)));
        return written;
      },
    };
  }

  private passed(checkpoint: string): void {
    const [kind, stage] = checkpoint.split(':') as [EffectKind, string];
    if (stage === 'claimed') this.underWay.set(kind, { reached: 'claimed' });
    if (stage === 'performed') this.reached(kind, 'performed');
    if (stage === 'committed') this.underWay.delete(kind);
  }

  reached(kind: EffectKind, reached: 'pasted' | 'entered' | 'done' | 'performed'): void {
    const effect = this.underWay.get(kind);
    if (effect !== undefined) effect.reached = reached;
  }

  private store(): Store {
    const { world } = this;
    return {
      read: (work) => world.store.read(work),
      close: () => undefined,
      onCommit: (listener) => world.store.onCommit(() => this.alive && listener()),
      beforeCommit: (listener) => world.store.beforeCommit((tx) => this.alive && listener(tx)),
      write: async (work) => {
        await this.moment('store:before');
        world.unlessStoreRefuses(this);
        world.timeline.committing++;
        const result = await world.store.write(work).finally(() => {
          world.timeline.committing--;
        });
        await this.moment('store:after');
        return result;
      },
    };
  }

  private transcript(path: string): readonly string[] {
    return this.world.agentWithTranscript(path)?.transcript ?? [];
  }

  private runtime(): AgentRuntime {
    return {
      id: 'sim',
      title: 'Simulated',
      exitCommand: '/exit',
      canResume: this.world.canResume,
      ...(this.world.skillAtStart ? { sessionStartOutput } : {}),
      settleMs: 30,
      readQuestion: ({ lines: [kind, text = ''] }) =>
        kind === 'dialog' ? { text, options: [], textOption: null, highlighted: null, fingerprint: text } : undefined,
      readScreen: ({ lines: [kind, text, interrupted] }) =>
        ({ kind, text, ...(interrupted === undefined ? {} : { interrupted: true }) }) as ScreenState,
      isOurDraft: (draft, text) => draft === text,
      unavailableReason: () => this.io('program', () => undefined),
      planLaunch: ({ sessionUuid, resumes }) => ({
        argv: ['sim', resumes?.sessionId ?? sessionUuid, resumes === null ? '' : 'resume'],
        env: {},
        unsetEnv: [],
        files: {},
      }),
      parseHook: parseSessionHook,
      readStatus: (pid) => this.io('status', () => this.world.tmux.statusOf(pid)),
      transcript: {
        holds: (path, text) => this.io('transcript', () => this.transcript(path).some((line) => line.includes(text))),
        promptsBehind: (path, from) => this.io('transcript', () => this.transcript(path).slice(from)),
        end: (path) => this.io('transcript', () => this.transcript(path).length),
        endsInterrupted: (path) =>
          this.io('transcript', () => this.world.agentWithTranscript(path)?.saysInterrupted === true),
      },
    };
  }
}

const BEGINNING = Date.parse('2026-11-15T08:00:00.000Z');
export const instantAt = (ms: number) => instantFromMs(BEGINNING + ms);

const textOf = (text: string | undefined): { readonly text?: string } => (text === undefined ? {} : { text });
