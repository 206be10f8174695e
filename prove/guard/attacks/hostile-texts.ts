import { PAYLOADS } from '../../../test/browser/support/hostile-corpus.ts';

export interface HostileText {
  readonly kind: 'paste' | 'command' | 'path' | 'data' | 'markup';
  readonly text: string;
}

/**
 * Texts with a command that creates the file `canary`. If any program executes one of these texts, the file exists
 * afterwards.
 */
const commands = (canary: string): readonly string[] => {
  const touch = `touch ${canary}`;
  const asWords = [
    ...[`$(${touch})`, `\`${touch}\``, `; ${touch}`, `| ${touch}`, `&& ${touch}`, `|| ${touch}`, `& ${touch} &`],
    ...[`\n${touch}\n`, `\r${touch}\r`, `\r\n${touch}\r\n`, `'; ${touch}; '`, `"; ${touch}; "`, `') ; ${touch} #`],
    ...[`$((\`${touch}\`))`, `\${IFS}$(${touch})`, `<(${touch})`, `>${canary}`, `2>${canary}`, `-e ${touch}`],
    ...[`! ${touch}`, `!${touch}`, `# ${touch}`, `/bin/sh -c '${touch}'`, `%0a${touch}%0a`, `\\n${touch}\\n`],
  ];
  const toTmux = [
    ...[`#(${touch})`, `#{E:#(${touch})}`, `#{?1,#(${touch}),}`, `#[fg=red]#(${touch})`, `;run-shell '${touch}'`],
    ...[`\\; run-shell '${touch}'`, `; if-shell true '${touch}'`, `{ run-shell '${touch}' }`, `%%; run-shell ${touch}`],
    ...['-t =other', '--', '-', '-F #{pane_id}', '%0', '=baton:', '$0', '@0', '{last}', '{mouse}', ';', '\\;'],
  ];
  const toGit = [
    ...[`--upload-pack=${touch}`, `--output=${canary}`, `ext::sh -c ${touch}`, `-c core.pager=${touch}`],
    ...[`--exec=${touch}`, `-u${touch}`, `:(top)$(${touch})`],
  ];
  return [...asWords, ...toTmux, ...toGit];
};

/** Texts that try to end a bracketed paste early, or to act as a key press in a terminal program. */
const pastes = (canary: string): readonly string[] => {
  const ends = [
    ...['\u001b[201~', '\u009b201~', '\u001b[2\u0000\u00301~', '\u001b[\u001b[201~201~', '\u001b[20\u001b[201~1~'],
    ...[
      '\u001b\\\u001b[201~',
      '\u001b]0;x\u0007\u001b[201~',
      '\u001bP\u001b[201~',
      '\u001b[200~\u001b[201~',
      '\u001b[0201~',
    ],
  ];
  const keys = Array.from({ length: 32 }, (_, code) => code).filter((code) => code !== 9 && code !== 10);
  return [
    ...ends.flatMap((end) => [`a${end}\rtouch ${canary}\r`, `${end}!touch ${canary}\n`]),
    ...keys.map((code) => `before${String.fromCharCode(code)}after`),
    ...['\u007f', '\u0085', '\u009d0;x\u009c', '\u2028', '\u2029', '\ud800', '\udc00x'].map((each) => `a${each}b`),
    ...[
      '\u001b[A\r',
      '\u001bOA\r',
      '\u001b[Z',
      '\u001b\u001b',
      '\u0016\u001b[201~',
      '\u0015',
      '\u0003\u0003',
      '\u0004',
    ],
  ];
};

const paths: readonly string[] = [
  ...[
    '..',
    '../..',
    '../../etc/passwd',
    '..\\..\\etc',
    '/etc/passwd',
    '//etc/passwd',
    '/proc/self/environ',
    '/dev/zero',
  ],
  ...['~', '~root', '~/.ssh/id_rsa', '$HOME', '.', './', '', ' ', '\u0000', 'a\u0000b', 'a/../../b', '....//....//'],
  ...[
    '%2e%2e%2f',
    '..%2f..%2f',
    '..%c0%af',
    '\u2025/\u2025/',
    '\uff0e\uff0e/',
    'con',
    'nul',
    'CON.txt',
    '.git',
    '.git/config',
  ],
  ...[
    '-rf',
    '--help',
    '-',
    'a'.repeat(300),
    'a'.repeat(5_000),
    `${'a/'.repeat(2_100)}b`,
    'a b',
    'a\tb',
    'a\nb',
    "a'b",
    'a"b',
  ],
  ...[
    'a#b',
    'a:b',
    'a*b',
    'a?b',
    'a|b',
    'a<b>c',
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
  ],
  ...[
    'caf\u00e9',
    'cafe\u0301',
    '\u0430dmin',
    '\u202etxt.exe',
    'a\u200bb',
    '\ufeffa',
    '\u{1f4a9}',
    'HUMAN',
    'human',
    'orchestrator',
  ],
];

const data: readonly string[] = [
  ...[
    '{"__proto__":{"pwned":1}}',
    '{"constructor":{"prototype":{"pwned":1}}}',
    '{"a":1,"a":2}',
    '[',
    '{',
    'null',
    '1e999',
  ],
  ...[
    `${'['.repeat(10_000)}`,
    `${'{"a":'.repeat(5_000)}`,
    '{"$ref":"file:///etc/passwd"}',
    '{{7*7}}',
    `$\{7*7}`,
    '<%= 7*7 %>',
  ],
  ...[
    'a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]',
    'a: !!js/function "x"',
    '!!python/object/apply:os.system ["id"]',
    '<<: *a',
  ],
  ...[
    '? complex\n: key',
    'a: 1\na: 2',
    '%TAG ! tag:evil,2000:',
    '--- a\n--- b',
    'y: .inf',
    'x: 0o777',
    '&a a: *a',
    '\tx: 1',
  ],
  ...[
    "' OR 1=1 --",
    "'; DROP TABLE agents; --",
    'Robert"); DELETE FROM events;--',
    '\\',
    '\\u0000',
    '"',
    "'",
    '%s%s%n',
    '%x',
  ],
  ...[
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>',
    'handoff: {}',
    'TODO',
    '[agent-id]',
  ],
  ...[
    '<!-- handoff-end:x -->',
    '[baton:1:instruction]',
    'baton1 token Stop 1 -',
    'data: x\n\nevent: evil',
    'id: 999999',
  ],
];

/** Returns more than 300 hostile texts, with examples of every kind of text that reaches Baton from outside. */
export function hostileTexts(canary: string): readonly HostileText[] {
  const all: HostileText[] = [
    ...commands(canary).map((text) => ({ kind: 'command' as const, text })),
    ...pastes(canary).map((text) => ({ kind: 'paste' as const, text })),
    ...paths.map((text) => ({ kind: 'path' as const, text })),
    ...data.map((text) => ({ kind: 'data' as const, text })),
    ...PAYLOADS.map((text) => ({ kind: 'markup' as const, text })),
  ];
  return [...new Map(all.map((each) => [each.text, each])).values()];
}
