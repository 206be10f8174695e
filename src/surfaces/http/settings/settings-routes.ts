import { saveTemplate } from '../../../app/handoffs/save-template.ts';
import { sendTestNotification } from '../../../app/inbox/send-test-notification.ts';
import type { ChannelOutcome } from '../../../app/ports/notifier.ts';
import { changeSettings } from '../../../app/settings/change-settings.ts';
import * as requests from '../../../contract/requests.ts';
import * as resources from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { BUILT_IN, placeholdersOf, TEMPLATE_NAMES } from '../../../domain/handoffs/prompts/templates.ts';
import { isRefusal } from '../../../domain/refusals.ts';
import { type HttpDeps, OPERATOR, type Route, route } from '../server/route.ts';

/** Returns the settings. Rereads the template files first, because they may have changed since Baton last read them. */
async function showSettings({ ports, homePath, allowedHosts }: HttpDeps): Promise<resources.SettingsView> {
  await ports.wording.refresh();
  const settings = ports.operatorSettings.current();
  const { handoffAtPercent, notifications, finishedAfterSeconds, quietHours } = settings;
  return {
    handoff_at_percent: handoffAtPercent,
    notifications: { ...notifications },
    notify_finished_after_seconds: finishedAfterSeconds,
    quiet_hours: quietHours,
    accept_lessons: settings.acceptLessons,
    token_budget: settings.tokenBudget,
    default_runtime: settings.defaultRuntime,
    allowed_hosts: [...allowedHosts],
    templates: ports.wording.files().map(({ name, text, isOwn, path, problem }) => ({
      name,
      text,
      is_own: isOwn,
      built_in: BUILT_IN[name],
      placeholders: [...placeholdersOf(name)],
      path,
      problem,
    })),
    config_path: ports.operatorSettings.path,
    home: homePath,
    version: ports.settings.version,
  };
}

const CHANNEL = { os: 'The desktop', ntfy: 'The ntfy server', webhook: 'The webhook' } as const;

function describeTest(sent: readonly ChannelOutcome[]): resources.TestNotification {
  const channels = sent.map((each) => ({
    channel: each.channel,
    outcome: each.outcome,
    sentence: 'sentence' in each ? each.sentence : `${CHANNEL[each.channel]} accepted the notification.`,
  }));
  const sentence =
    channels.length === 0
      ? 'Baton sent nothing, because no notification channel is on: desktop, ntfy or webhook.'
      : channels.map((each) => each.sentence).join(' ');
  return { channels, sentence };
}

export const SETTINGS_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: PATHS.settings,
    summary: 'The settings that the operator can change while Baton runs',
    answer: resources.SettingsView,
    status: 200,
    callers: OPERATOR,
    handle: ({ deps }) => showSettings(deps),
  }),
  route({
    method: 'POST',
    path: PATHS.settings,
    summary: 'Change settings in config.json; they apply immediately',
    body: requests.ChangeSettings,
    answer: resources.SettingsView,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps, body }) => {
      const changed = await changeSettings(deps.ports, body);
      return isRefusal(changed) ? changed : showSettings(deps);
    },
  }),
  route({
    method: 'POST',
    path: PATHS.testNotification,
    summary: 'Send a test notification to every channel that is on, and report the result of each',
    body: requests.Nothing,
    answer: resources.TestNotification,
    status: 200,
    callers: OPERATOR,
    handle: async ({ deps }) => describeTest(await sendTestNotification(deps.ports)),
  }),
  ...TEMPLATE_NAMES.map((name) =>
    route({
      method: 'POST',
      path: PATHS.template(name),
      summary: `Set your own text of the ${name}; null restores the built-in one`,
      body: requests.SaveTemplate,
      answer: resources.SettingsView,
      status: 200,
      callers: OPERATOR,
      handle: async ({ deps, body }) =>
        (await saveTemplate(deps.ports, name, { text: body.text, basedOn: body.based_on })) ?? showSettings(deps),
    }),
  ),
];
