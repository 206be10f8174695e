import { markOf, type ServicePlan } from './service-plan.ts';

export const UNIT = 'baton.service';

/**
 * Quotes a word for a unit file. In such a file, `%` begins a specifier, and `$` begins a variable in arguments, but
 * not in the program's name. Quotes and backslashes are escaped as in C.
 */
const quoted = (word: string): string =>
  `"${word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')}"`;
const inArgument = (word: string): string => quoted(word).replaceAll('$', '$$$$');

export function systemdUnit({ argv: [program = '', ...args], env }: ServicePlan): string {
  const rest = [
    '[Unit]',
    'Description=Baton, which passes on what coding agents know',
    'StartLimitIntervalSec=60',
    'StartLimitBurst=5',
    '',
    '[Service]',
    `ExecStart=${[quoted(program), ...[...args, 'start'].map(inArgument)].join(' ')}`,
    ...Object.entries(env).map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`),
    'UMask=0077',
    '# Baton prints a login address when it starts; keep that out of the journal.',
    'StandardOutput=null',
    '# Agents run in a tmux server that Baton started; it must survive every stop and restart.',
    'KillMode=process',
    'Restart=on-failure',
    'RestartSec=2',
    '',
    '[Install]',
    'WantedBy=default.target',
    '',
  ].join('\n');
  return `# ${markOf(rest)}\n${rest}`;
}

export const restOfUnit = (content: string): string => content.slice(content.indexOf('\n') + 1);
