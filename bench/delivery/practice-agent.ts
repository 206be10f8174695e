import type { RawHook } from '../../src/app/ports/agent-runtime.ts';
import type { PaneIdentity, ScreenReader, ScreenState, Terminal } from '../../src/app/ports/terminal.ts';
import { receiptsIn, type Watch } from './receipts.ts';
import { Tail } from './tail.ts';
import { holds, until } from './until.ts';

interface LogEntry {
  readonly type: string;
  readonly text: string;
  readonly bytes: number;
  readonly answer: string;
  readonly by: string;
  /**
   * True if the agent got the prompt during a turn that was already running. The agent then reports no separate end of
   * turn for this prompt.
   */
  readonly joined: boolean;
}

interface Seat {
  readonly pane: PaneIdentity;
  readonly terminal: Terminal;
  readonly reader: ScreenReader;
  readonly folder: string;
  /** Presses keys as an operator would. */
  readonly press: (...keys: string[]) => void;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * One practice agent. The bench compares Baton's verdicts with the agent's own log, which shows what really happened.
 * Baton itself sees only the agent's hooks and transcript.
 */
export class PracticeAgent {
  readonly pane: PaneIdentity;
  readonly terminal: Terminal;
  readonly reader: ScreenReader;
  readonly folder: string;
  private readonly press: Seat['press'];
  private readonly log: Tail<LogEntry>;
  private readonly hooks: Tail<RawHook>;
  private readonly transcript: Tail<string | undefined>;
  private own = 0;

  constructor({ pane, terminal, reader, folder, press }: Seat) {
    this.pane = pane;
    this.terminal = terminal;
    this.reader = reader;
    this.folder = folder;
    this.press = press;
    this.log = new Tail(`${folder}/practice.jsonl`, (entry) => ({
      type: textOf(entry.type),
      text: textOf(entry.text),
      bytes: textOf(entry.hex).length / 2,
      answer: textOf(entry.answer),
      by: textOf(entry.by),
      joined: entry.joined === true,
    }));
    this.hooks = new Tail(`${folder}/hooks.jsonl`, (payload) => ({ event: textOf(payload.hook_event_name), payload }));
    this.transcript = new Tail(`${folder}/practice.transcript.jsonl`, (entry) =>
      entry.type === 'user' ? textOf((entry.message as { content?: unknown }).content) : undefined,
    );
  }

  logged(type: string): readonly LogEntry[] {
    return this.log.read().filter((entry) => entry.type === type);
  }

  submissionsOf(text: string): number {
    return this.logged('submitted').filter((entry) => entry.text === text).length;
  }

  approvals(): number {
    return this.logged('dialog_answered').filter(({ answer, by }) => answer === 'yes' || by === 'enter').length;
  }

  /** Returns the number of bytes that the agent received. Bytes that the bench itself sent do not count. */
  foreignBytes(): number {
    return this.log.read().reduce((sum, entry) => sum + entry.bytes, 0) - this.own;
  }

  /**
   * Types keys and waits until the agent has received them. Without this wait, the bench could mistake its own keys for
   * keys that Baton typed.
   */
  async typeAsOperator(bytes: number, ...keys: string[]): Promise<void> {
    const before = this.log.read().reduce((sum, entry) => sum + entry.bytes, 0);
    this.typeAtOnce(bytes, ...keys);
    await until('the keys', () => this.log.read().reduce((sum, entry) => sum + entry.bytes, 0) >= before + bytes);
  }

  typeAtOnce(bytes: number, ...keys: string[]): void {
    this.own += bytes;
    this.press(...keys);
  }

  async shows(kind: ScreenState['kind']): Promise<boolean> {
    const screen = await this.terminal.capture(this.pane);
    return screen !== undefined && this.reader.readScreen(screen).kind === kind;
  }

  ready(): Promise<void> {
    return until('a ready composer', () => this.shows('ready'));
  }

  /** Waits until every turn has ended, and removes the text that a failed delivery left in the composer. */
  async recover(): Promise<void> {
    const begun = () => this.logged('submitted').filter((entry) => !entry.joined);
    const over = () => this.logged('turn_ended').length + this.logged('interrupted').length === begun().length;
    await until('the end of the turn, or a dialog', () => over() || this.asks);
    if (this.asks) await this.decline();
    await until('the end of the turn', over);
    if (await holds(() => this.shows('ready'), 4000)) return;
    await this.clear();
  }

  get asks(): boolean {
    return this.logged('dialog').length > this.logged('dialog_answered').length;
  }

  async decline(): Promise<void> {
    await this.typeAsOperator(1, '2');
    await until('the answer to be taken', () => !this.asks);
  }

  /** Clears the composer as an operator would. */
  async clear(): Promise<void> {
    await this.typeAsOperator(1, 'C-u');
    await this.ready();
  }

  /**
   * Starts to watch for evidence that the agent got a text. Counts only hooks and transcript lines that the agent
   * writes from now on. Baton's own rule decides whether they prove that the agent got the text.
   */
  watchFor(text: string): Watch {
    const hooks = this.hooks.read().length;
    const lines = this.transcript.read().length;
    const receipts = () => receiptsIn(text, this.hooks.read().slice(hooks), this.transcript.read().slice(lines));
    return {
      receipts,
      awaitReceipts: async (withinMs) => {
        await holds(() => receipts().accepted, withinMs);
        return receipts();
      },
    };
  }
}
