import type { Notification, Notifier } from '../../app/ports/notifier.ts';
import { showOnDesktop } from './os-notification.ts';
import { plainNotification } from './plain-notification.ts';
import { post } from './post-notification.ts';

export interface NotifierOptions {
  /**
   * Returns the channels that are on. Called for each notification, because the operator may change the channels at any
   * time.
   */
  readonly channels: () => {
    readonly os: boolean;
    /**
     * The address of an ntfy topic. The config has already checked that the address is http or https and has no
     * credentials.
     */
    readonly ntfy: string | null;
    readonly webhook: string | null;
  };
  /** The address of the page for the operator's devices, without a path. */
  readonly pageAddress: () => string;
  readonly env: NodeJS.ProcessEnv;
  readonly platform?: NodeJS.Platform;
  readonly timeoutMs?: number;
}

export function createNotifier(options: NotifierOptions): Notifier {
  const { channels, pageAddress, env, platform = process.platform, timeoutMs = 5_000 } = options;
  return {
    send: (notification) => {
      const linked = { ...plainNotification(notification), url: addressOf(notification, pageAddress()) };
      const { os, ntfy, webhook } = channels();
      return Promise.all([
        ...(os ? [showOnDesktop(linked, { platform, env, timeoutMs })] : []),
        ...(ntfy === null ? [] : [post('ntfy', ntfy, linked, timeoutMs)]),
        ...(webhook === null ? [] : [post('webhook', webhook, linked, timeoutMs)]),
      ]);
    },
  };
}

/**
 * Returns the address of the page for this notification. The path is behind the #, so a server between Baton and the
 * browser does not see the path. The address contains no code and no token.
 */
const addressOf = ({ target }: Notification, page: string): string => `${page}/#${target?.path ?? '/inbox'}`;
