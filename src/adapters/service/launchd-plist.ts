import { markOf, type ServicePlan } from './service-plan.ts';

export const LABEL = 'baton.server';

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const string = (text: string): string => `<string>${escaped(text)}</string>`;
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';

export function launchdPlist({ argv, env, homePath }: ServicePlan): string {
  const rest = [
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    '<dict>',
    `  <key>Label</key>${string(LABEL)}`,
    '  <key>ProgramArguments</key>',
    '  <array>',
    ...[...argv, 'start'].map((word) => `    ${string(word)}`),
    '  </array>',
    '  <key>EnvironmentVariables</key>',
    '  <dict>',
    ...Object.entries(env).map(([name, value]) => `    <key>${escaped(name)}</key>${string(value)}`),
    '  </dict>',
    '  <key>RunAtLoad</key><true/>',
    '  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>',
    '  <!-- Agents run in a tmux server that Baton started; it must survive every stop and restart. -->',
    '  <key>AbandonProcessGroup</key><true/>',
    '  <key>Umask</key><integer>63</integer>',
    `  <key>StandardOutPath</key>${string('/dev/null')}`,
    `  <key>StandardErrorPath</key>${string(`${homePath}/service.err`)}`,
    '</dict>',
    '</plist>',
    '',
  ].join('\n');
  return `${HEAD}<!-- ${markOf(rest)} -->\n${rest}`;
}

export const restOfPlist = (content: string): string => content.split('\n').slice(2).join('\n');
