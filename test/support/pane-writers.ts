/**
 * If a shell runs in a pane, text that is typed into the pane runs as a command. An Enter can approve a dialog. So only
 * `Terminal.deliver`, `pressAnswer`, `interrupt` and `launch` (which starts the program in the pane) may write to a
 * pane. This check reads the source code to prove that no other function writes. It lists the files that may contain a
 * writing tmux command, the files that may use the functions that send such a command, and the files that may start
 * programs.
 *
 * The check misses a command that is assembled from pieces (`'send' + '-keys'`) or read from a file. It also misses a
 * member that is accessed by a computed name, and direct use of the tmux protocol over the socket of tmux. The check
 * guards against mistakes, not against malice.
 */
import ts from 'typescript';
import { importsOf, type SourceMap } from './layers.ts';

/**
 * Patterns for the tmux commands that write to a pane. tmux accepts any unambiguous prefix of a command's name
 * (`send-k`) and short aliases. A name that is also an English word counts only before an option. A tmux command that
 * runs other tmux commands, now or later, counts as writing, too.
 */
const COMMANDS: Readonly<Record<string, RegExp>> = {
  'send-keys': /\bsend-[kp]|\bsend +-/,
  'paste-buffer': /\bpaste-b|\bpasteb\b/,
  'set-buffer': /\bset-b|\bsetb\b/,
  'load-buffer': /\bload-b|\bloadb\b/,
  'pipe-pane': /\bpipe-p|\bpipep\b/,
  'respawn-pane': /\brespawn-|\brespawn[pw]\b/,
  'new-session': /\bnew-s|\bnew +-/,
  'new-window': /\bnew-w|\bneww\b/,
  'split-window': /\bsplit-w|\bsplitw\b/,
  'run-shell': /\brun-s|\brun +-/,
  'if-shell': /\bif-s|\bif +-/,
  'display-popup': /\bdisplay-po|\bpopup +-/,
  'display-menu': /\bdisplay-me(?!s)|\bmenu +-/,
  'command-prompt': /\bcommand-p\b|\bcommand-prompt/,
  'confirm-before': /\bconfirm-b/,
  'bind-key': /\bbind-k|\bbind +-/,
  'set-hook': /\bset-h/,
  'source-file': /\bsource-f/,
};

const TMUX = 'src/adapters/tmux/';

/** For each file, the tmux commands that may appear in it. */
const SPELLERS: Readonly<Record<string, readonly string[]>> = {
  [`${TMUX}typing/pane-access.ts`]: ['send-keys', 'paste-buffer', 'set-buffer', 'if-shell'],
  [`${TMUX}launch.ts`]: ['new-session'],
  // tmux-config.ts makes tmux read the operator's own tmux options from a file in Baton's home.
  [`${TMUX}connection/tmux-config.ts`]: ['source-file'],
  [`${TMUX}connection/server-link.ts`]: ['new-session'],
  // external-tmux.ts uses `source-file` to send command lines to the operator's tmux server, because the control client
  // reaches only Baton's own server.
  [`${TMUX}external-tmux.ts`]: ['source-file'],
};

/** For each function of the terminal, the files that may use it. */
const ANYWHERE: Readonly<Record<string, readonly string[]>> = {
  deliver: ['src/app/engine/effects/type-prompts.ts', 'src/app/messages/send-message.ts'],
  launch: ['src/app/engine/effects/launch-agent.ts'],
  interrupt: ['src/app/engine/effects/interrupt-agent.ts'],
  pressAnswer: ['src/app/messages/answer-question.ts'],
  // The function `claim` writes no text. It is in this list because it sets the mark that keeps Baton from typing into
  // a wrong pane.
  claim: ['src/app/engine/effects/adopt-pane.ts', `${TMUX}create-tmux-terminal.ts`],
};

/** For each internal function of the terminal, the files that may use it. All these files are in the tmux folder. */
const IN_TMUX: Readonly<Record<string, readonly string[]>> = {
  paste: [`${TMUX}typing/answer.ts`, `${TMUX}typing/deliver.ts`],
  pressEnter: [`${TMUX}typing/answer.ts`, `${TMUX}typing/submit.ts`],
  pressDigit: [`${TMUX}typing/answer.ts`],
  markForApi: [`${TMUX}typing/deliver-by-api.ts`],
  unmarkForApi: [`${TMUX}typing/deliver-by-api.ts`],
  pressEscape: [`${TMUX}typing/interrupt.ts`],
  ask: [`${TMUX}list-panes.ts`, `${TMUX}typing/pane-access.ts`],
  askOnce: [`${TMUX}typing/pane-access.ts`],
  askStarting: [`${TMUX}launch.ts`],
  request: [
    `${TMUX}connection/control-client.ts`,
    `${TMUX}end-orphans.ts`,
    `${TMUX}tmux-session.ts`,
    `${TMUX}connection/server-link.ts`,
  ],
};

const MEMBERS: Readonly<Record<string, readonly string[]>> = { ...ANYWHERE, ...IN_TMUX };

/**
 * The files that send commands to tmux, directly or through another file. For each of them, the list of files that may
 * import its functions. Any file may import its types.
 */
const IMPORTERS: Readonly<Record<string, readonly string[]>> = {
  [`${TMUX}create-tmux-terminal.ts`]: ['src/main/server.ts'],
  [`${TMUX}typing/answer.ts`]: [`${TMUX}create-tmux-terminal.ts`],
  [`${TMUX}typing/deliver.ts`]: [`${TMUX}create-tmux-terminal.ts`],
  [`${TMUX}typing/submit.ts`]: [`${TMUX}typing/deliver.ts`],
  [`${TMUX}typing/interrupt.ts`]: [`${TMUX}create-tmux-terminal.ts`],
  [`${TMUX}launch.ts`]: [`${TMUX}create-tmux-terminal.ts`],
  [`${TMUX}typing/pane-access.ts`]: [`${TMUX}create-tmux-terminal.ts`, `${TMUX}launch.ts`],
  [`${TMUX}tmux-session.ts`]: [
    `${TMUX}create-tmux-terminal.ts`,
    `${TMUX}launch.ts`,
    `${TMUX}list-panes.ts`,
    `${TMUX}typing/pane-access.ts`,
  ],
  [`${TMUX}connection/server-link.ts`]: [`${TMUX}create-tmux-terminal.ts`],
  [`${TMUX}external-tmux.ts`]: [`${TMUX}create-tmux-terminal.ts`],
  [`${TMUX}connection/control-client.ts`]: [`${TMUX}connection/server-link.ts`],
  [`${TMUX}connection/run-tmux.ts`]: [
    `${TMUX}connection/control-client.ts`,
    `${TMUX}create-tmux-terminal.ts`,
    `${TMUX}external-tmux.ts`,
    `${TMUX}connection/probe-version.ts`,
    `${TMUX}connection/server-link.ts`,
  ],
};

/**
 * Files that may start programs. The practice agent is exempt, because it plays a program that does not belong to
 * Baton.
 */
const STARTERS: readonly string[] = [
  'src/adapters/environment/run-supervised.ts',
  // hub-server.ts starts only nats-server, and ps to check that a process is nats-server.
  'src/adapters/fleet/hub-server.ts',
  'src/adapters/git/git-program.ts',
  'src/adapters/notify/os-notification.ts',
  'src/adapters/runtimes/client-version.ts',
  'src/adapters/runtimes/opencode/host/hook-runner.ts',
  'src/adapters/runtimes/opencode/host/host.ts',
  'src/adapters/runtimes/opencode/host/server-process.ts',
  'src/adapters/service/run-manager.ts',
  'src/adapters/system/agent-above.ts',
  'src/adapters/system/boot-id.ts',
  'src/adapters/system/process-started.ts',
  'src/adapters/system/processes-in.ts',
  `${TMUX}connection/control-client.ts`,
  `${TMUX}foreground.ts`,
  `${TMUX}connection/run-tmux.ts`,
  'src/surfaces/cli/handoffs/acknowledge.ts',
  'src/surfaces/cli/agents/attach-agent.ts',
  'src/surfaces/cli/demo/stage/clean-up.ts',
  'src/surfaces/cli/demo/demo-server.ts',
  // open-browser.ts starts only the system's program for opening the browser.
  'src/surfaces/cli/sessions/open-browser.ts',
  'src/surfaces/cli/demo/stage/left-processes.ts',
];
const FOREIGN = 'src/practice/';
const STARTING = /^(node:)?(child_process|cluster)$|^(node-)?pty|^execa$|^cross-spawn$|^tinyexec$|^zx$/;

/** Returns one sentence for each broken rule. The list is empty if no rule is broken. */
export function findPaneWriters(sources: SourceMap): string[] {
  const files = Object.entries(sources).map(([file, text]) => readFile(file, text));
  const spelled = files.flatMap(({ file, commands }) => commands.map((what) => ({ file, what })));
  const named = files.flatMap(({ file, members }) => members.map((what) => ({ file, what })));
  const imported = files.flatMap(({ file, values }) => values.map((what) => ({ file, what })));
  const starting = files.filter(({ file, starts }) => starts && !file.startsWith(FOREIGN)).map(({ file }) => file);
  return [
    ...spelled
      .filter(({ file, what }) => !SPELLERS[file]?.includes(what))
      .map(
        ({ file, what }) => `${file} spells the tmux command ${what}: only Terminal.deliver and launch write to panes`,
      ),
    ...named
      .filter(({ file, what }) => !MEMBERS[what]?.includes(file))
      .map(({ file, what }) => `${file} names .${what}: it leads to a pane, and only ${MEMBERS[what]?.join(', ')} may`),
    ...imported
      .filter(({ file, what }) => !IMPORTERS[what]?.includes(file))
      .map(
        ({ file, what }) => `${file} imports ${what}: it leads to a pane, and only ${IMPORTERS[what]?.join(', ')} may`,
      ),
    ...starting
      .filter((file) => !STARTERS.includes(file))
      .map((file) => `${file} starts programs: only those in STARTERS may, for any of them could be tmux`),
  ];
}

/** Finds entries in the lists of this file that no source file uses any more. */
export function findStaleRows(sources: SourceMap): string[] {
  const files = Object.entries(sources).map(([file, text]) => readFile(file, text));
  const has = (file: string, part: 'commands' | 'members' | 'values', what: string) =>
    files.some((each) => each.file === file && each[part].includes(what));
  return [
    ...rows(SPELLERS).filter(([file, what]) => !has(file, 'commands', what)),
    ...rows(MEMBERS).filter(([what, file]) => !has(file, 'members', what)),
    ...rows(IMPORTERS).filter(([what, file]) => !has(file, 'values', what)),
    ...STARTERS.filter((file) => !files.some((each) => each.file === file && each.starts)).map((file) => [file]),
  ].map((row) => `${row.join(', ')} is allowed, and nobody needs it`);
}

const rows = (table: Readonly<Record<string, readonly string[]>>): [string, string][] =>
  Object.entries(table).flatMap(([key, values]) => values.map((value): [string, string] => [key, value]));

interface Read {
  readonly file: string;
  readonly commands: readonly string[];
  readonly members: readonly string[];
  /** The keys of IMPORTERS from which `file` imports more than types. */
  readonly values: readonly string[];
  readonly starts: boolean;
}

/** A cache of the parsed files, because tests check the same, mostly unchanged files many times. */
const read = new Map<string, Read>();

function readFile(file: string, text: string): Read {
  const key = `${file}\n${text}`;
  const known = read.get(key) ?? readAnew(file, text);
  read.set(key, known);
  return known;
}

function readAnew(file: string, text: string): Read {
  const guarded = file.startsWith(FOREIGN) ? {} : file.startsWith(TMUX) ? MEMBERS : ANYWHERE;
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const texts: string[] = [];
  const members: string[] = [];
  const valueImports: string[] = [];
  const visit = (node: ts.Node): void => {
    const words = wordsIn(node);
    if (words !== undefined) texts.push(words);
    const member = memberIn(node);
    if (member !== undefined && Object.hasOwn(guarded, member)) members.push(member);
    const target = valueImportIn(node);
    if (target !== undefined) valueImports.push(target);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  const commands = Object.keys(COMMANDS).filter((name) => texts.some((each) => COMMANDS[name]?.test(each)));
  const resolved = importsOf({ [file]: valueImports.map((target) => `import '${target}';`).join('\n') })[file] ?? [];
  return {
    file,
    commands,
    members: unique(members),
    values: unique(resolved).filter((each) => Object.hasOwn(IMPORTERS, each)),
    starts: (importsOf({ [file]: text })[file] ?? []).some((target) => STARTING.test(target)),
  };
}

const unique = (words: readonly string[]): string[] => [...new Set(words)];

/**
 * Returns the text of a string node, or the joined words of an array node, because either can be a tmux command. Returns
 * undefined for other nodes.
 */
function wordsIn(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node.parent ?? node)) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join('…');
  if (!ts.isArrayLiteralExpression(node)) return undefined;
  return node.elements.map((each) => (ts.isStringLiteralLike(each) ? each.text : '…')).join(' ');
}

/**
 * Returns the name of the member in `a.name`, `a['name']` or `const { name } = a`, even if the member is not called.
 */
export function memberIn(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression))
    return node.argumentExpression.text;
  if (!ts.isBindingElement(node) || !ts.isObjectBindingPattern(node.parent)) return undefined;
  const name = node.propertyName ?? node.name;
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? name.text : undefined;
}

function valueImportIn(node: ts.Node): string | undefined {
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [target] = node.arguments;
    return target !== undefined && ts.isStringLiteralLike(target) ? target.text : undefined;
  }
  if (ts.isExportDeclaration(node)) return node.isTypeOnly ? undefined : textOf(node.moduleSpecifier);
  if (!ts.isImportDeclaration(node)) return undefined;
  const names = node.importClause?.namedBindings;
  const onlyTypes =
    node.importClause?.isTypeOnly ||
    (names !== undefined &&
      ts.isNamedImports(names) &&
      !node.importClause?.name &&
      names.elements.every((each) => each.isTypeOnly));
  return onlyTypes ? undefined : textOf(node.moduleSpecifier);
}

const textOf = (node: ts.Expression | undefined): string | undefined =>
  node !== undefined && ts.isStringLiteralLike(node) ? node.text : undefined;
