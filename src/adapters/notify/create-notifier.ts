import type { Notifier } from '../../app/ports/notifier.ts';
import { showOnDesktop } from './os-notification.ts';
import { plainNotification } from './plain-notification.ts';
import { post } from './post-notification.ts';

export interface NotifierOptions {
  /** Read for each notification, because the operator may change the channels at any time. */
  readonly channels: () => {
    readonly os: boolean;
    /** The config has checked that the address is http or https and has no credentials. */
    readonly ntfy: string | null;
    readonly webhook: string | null;
  };
  readonly env: NodeJS.ProcessEnv;
  readonly platform?: NodeJS.Platform;
  readonly timeoutMs?: number;
}

export function createNotifier(options: NotifierOptions): Notifier {
  const { channels, env, platform = process.platform, timeoutMs = 5_000 } = options;
  return {
    send: (notification) => {
      const plain = plainNotification(notification);
      const { os, ntfy, webhook } = channels();
      return Promise.all([
        ...(os ? [showOnDesktop(plain, { platform, env, timeoutMs })] : []),
        ...(ntfy === null ? [] : [post('ntfy', ntfy, plain, timeoutMs)]),
        ...(webhook === null ? [] : [post('webhook', webhook, plain, timeoutMs)]),
      ]);
    },
  };
}
