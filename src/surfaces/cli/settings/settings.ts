import { readFile } from 'node:fs/promises';
import { SettingsView, TestNotification } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { CliFault, EXIT } from '../cli-fault.ts';
import { operatorClient } from '../client/operator-client.ts';
import { readAll } from '../inbox/read-all.ts';
import { showAnswer } from '../messages/show-answer.ts';
import { errnoWords } from '../output/errno-words.ts';
import { ink, type Part, TICK } from '../output/ink.ts';
import { table } from '../output/table.ts';

export async function showSettings(cli: Cli): Promise<number> {
  const answer = await operatorClient(cli.deps).get(PATHS.settings, SettingsView);
  return showAnswer(cli, answer, lines);
}

function lines(settings: SettingsView): Part[][] {
  const { handoff_at_percent, notifications, quiet_hours, allowed_hosts, templates, config_path } = settings;
  const rows: Part[][] = [
    ['handoff_at_percent', `${handoff_at_percent}`],
    ['notifications.os', `${notifications.os}`],
    ['notifications.ntfy', notifications.ntfy ?? 'none'],
    ['notifications.webhook', notifications.webhook ?? 'none'],
    ...SWITCHES.map((name): Part[] => [`notifications.${name}`, `${notifications[name]}`]),
    ['notify_finished_after_seconds', `${settings.notify_finished_after_seconds}`],
    [
      'quiet_hours',
      quiet_hours === null ? 'none' : `${quiet_hours.from}-${quiet_hours.to}, but failures are still sent`,
    ],
    ['accept_lessons', `${settings.accept_lessons ?? false}`],
    ['token_budget', settings.token_budget ? `${settings.token_budget} tokens a day` : 'none'],
    ['default_runtime', settings.default_runtime ?? 'practice'],
    ['allowed_hosts', allowed_hosts.join(', ') || 'none'],
    ...templates.map(({ name, is_own, path }): Part[] => [
      `template ${name}`,
      is_own ? `your own, ${path}` : "Baton's default text",
    ]),
  ];
  const problems = templates.flatMap(({ problem }) => (problem === null ? [] : [[ink('yellow', problem)]]));
  return [...table([], rows), ...problems, [ink('dim', `stored in ${config_path}`)]];
}

export async function setSetting(cli: Cli, key: string, value: string): Promise<number> {
  const answer = await operatorClient(cli.deps).post(PATHS.settings, changeOf(key, value), SettingsView);
  return showAnswer(cli, answer, (settings) => [[TICK, ` Changed ${key}.`], ...lines(settings)]);
}

export async function testNotification(cli: Cli): Promise<number> {
  const answer = await operatorClient(cli.deps).post(PATHS.testNotification, {}, TestNotification);
  const shown = showAnswer(cli, answer, ({ channels, sentence }) =>
    channels.length === 0
      ? [[sentence]]
      : channels.map((each) => [
          each.outcome === 'sent' ? TICK : ink('yellow', '!'),
          ` ${each.channel}: ${each.sentence}`,
        ]),
  );
  const { channels } = answer.data;
  return channels.length > 0 && channels.every(({ outcome }) => outcome !== 'sent') ? EXIT.failed : shown;
}

/**
 * Returns the request that changes a setting. Converts the text that the operator typed to the type of the setting. The
 * server checks the value.
 */
function changeOf(key: string, value: string): object {
  const isDefault = value === 'default';
  switch (key) {
    case 'handoff_at_percent':
      return { handoff_at_percent: isDefault ? null : numberIn(value) };
    case 'notifications.os':
      return { notifications: { os: isDefault || switchIn(value) } };
    case 'notifications.ntfy':
      return { notifications: { ntfy: isDefault || value === 'none' ? null : value } };
    case 'notifications.webhook':
      return { notifications: { webhook: isDefault || value === 'none' ? null : value } };
    case 'notify_finished_after_seconds':
      return { notify_finished_after_seconds: isDefault ? null : numberIn(value) };
    case 'accept_lessons':
      return { accept_lessons: !isDefault && switchIn(value) };
    case 'token_budget':
      return { token_budget: isDefault || value === 'none' ? null : numberIn(value) };
    case 'default_runtime':
      return { default_runtime: isDefault ? null : value };
    case 'quiet_hours':
      return { quiet_hours: isDefault || value === 'none' ? null : hoursIn(value) };
    default:
      for (const name of SWITCHES)
        if (key === `notifications.${name}`) return { notifications: { [name]: isDefault || switchIn(value) } };
      throw usage(
        `Unknown setting "${key}". Use one of ${SETTING_KEYS.join(', ')}.`,
        'Other keys, such as port, are in config.json and apply after the next start. See: baton config --explain',
      );
  }
}

/** The notifications that can be switched off. Failures are not listed, because they are always sent. */
const SWITCHES = ['waits', 'finished', 'near_threshold', 'notices'] as const;

const SETTING_KEYS = [
  'handoff_at_percent',
  'notifications.os',
  'notifications.ntfy',
  'notifications.webhook',
  ...SWITCHES.map((name) => `notifications.${name}`),
  'notify_finished_after_seconds',
  'quiet_hours',
  'accept_lessons',
  'token_budget',
  'default_runtime',
];

function hoursIn(value: string): { readonly from: string; readonly to: string } {
  const [, from, to] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(value) ?? [];
  if (from === undefined || to === undefined)
    throw usage(`Invalid range "${value}". Use two times such as 22:00-07:00.`);
  return { from, to };
}

function numberIn(value: string): number {
  if (!/^\d{1,12}$/.test(value)) throw usage(`Invalid number "${value}". Use a whole number.`);
  return Number(value);
}

function switchIn(value: string): boolean {
  if (value !== 'true' && value !== 'false') throw usage(`Invalid value "${value}". Use true or false.`);
  return value === 'true';
}

const usage = (sentence: string, hint?: string): CliFault =>
  new CliFault(sentence, { code: 'usage', exitCode: EXIT.usage, ...(hint === undefined ? {} : { hint }) });

export interface TemplateRequest {
  readonly file?: string;
  readonly reset: boolean;
}

/**
 * Changes a template. Without --file and --reset, prints only the current text of the template, so that the output can
 * be redirected into a file.
 */
export async function changeTemplate(cli: Cli, name: string, { file, reset }: TemplateRequest): Promise<number> {
  if (name !== 'instruction' && name !== 'injection')
    throw usage(`Unknown template "${name}". Use instruction or injection.`);
  if (reset && file !== undefined) throw usage('Use either --file or --reset.');
  const api = operatorClient(cli.deps);
  if (!reset && file === undefined) {
    const answer = await api.get(
      PATHS.settings,
      SettingsView.transform(({ templates }) => templates.find((each) => each.name === name)),
    );
    return showAnswer(cli, { ...answer, body: answer.data }, (found) => [[found?.text ?? '']]);
  }
  const text = file === undefined ? null : await textIn(cli, file);
  const answer = await api.post(PATHS.template(name), { text }, SettingsView);
  return showAnswer(cli, answer, (settings) => [[TICK, ` Changed the ${name} template.`], ...lines(settings)]);
}

async function textIn(cli: Cli, file: string): Promise<string> {
  if (file === '-') return (await readAll(cli)).toString('utf8');
  return readFile(file, 'utf8').catch((error: Error) => {
    throw new CliFault(`Cannot read ${file}: ${errnoWords(error)}.`, { code: 'bad_request' });
  });
}
