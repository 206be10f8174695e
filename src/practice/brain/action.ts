/** One action of the agent in a turn. The brain chooses the action, and the turn runner performs it. */
export type Action =
  | { readonly kind: 'think'; readonly ms?: number }
  /** Thinks until this file exists, so that a test can choose the moment. */
  | { readonly kind: 'await-file'; readonly path: string }
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'read'; readonly path: string }
  | WriteAction
  | { readonly kind: 'bash'; readonly command: string }
  /** Uses a tool of an MCP server in the agent's MCP configuration. */
  | {
      readonly kind: 'mcp';
      readonly server: string;
      readonly tool: string;
      readonly input: Readonly<Record<string, unknown>>;
    }
  /** Asks for permission for an action. The action itself is not performed. */
  | { readonly kind: 'ask'; readonly text: string }
  /** Lets the operator choose. The last option accepts free text. */
  | { readonly kind: 'choose'; readonly question: string; readonly options: readonly string[] }
  /** Reads files in the project, and fills the given share of the context window with them. */
  | { readonly kind: 'look-around'; readonly share: number }
  | { readonly kind: 'set-context'; readonly percent: number }
  | { readonly kind: 'compact' }
  | { readonly kind: 'fail'; readonly message: string }
  | { readonly kind: 'crash' };

export interface WriteAction {
  readonly kind: 'write';
  readonly path: string;
  readonly content: string;
  readonly manner?: 'whole' | 'slow' | 'symlink';
  readonly needsPermission?: true;
}

/** The result of an action. `text` is the text that was read or printed. */
export interface Observation {
  readonly ok: boolean;
  readonly text: string;
}

export type TurnPlan = Generator<Action, void, Observation>;
