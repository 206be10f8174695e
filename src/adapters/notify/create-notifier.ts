import type { Notifier } from '../../app/ports/notifier.ts';
import { showOnDesktop } from './os-notification.ts';
import { plainNotification } from './plain-notification.ts';
import { post } from './post-notification.ts';

export interface NotifierOptions {
  readonly os: boolean;
  /** Checked by the config: http or https, without credentials. */
  readonly ntfy?: string;
  readonly webhook?: string;
  readonly env: NodeJS.ProcessEnv;
  readonly platform?: NodeJS.Platform;
  readonly timeoutMs?: number;
}

export function createNotifier(options: NotifierOptions): Notifier {
  const { os, ntfy, webhook, env, platform = process.platform, timeoutMs = 5_000 } = options;
  return {
    send: (notification) => {
      const plain = plainNotification(notification);
      return Promise.all([
        ...(os ? [showOnDesktop(plain, { platform, env, timeoutMs })] : []),
        ...(ntfy === undefined ? [] : [post('ntfy', ntfy, plain, timeoutMs)]),
        ...(webhook === undefined ? [] : [post('webhook', webhook, plain, timeoutMs)]),
      ]);
    },
  };
}
