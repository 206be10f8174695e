import { PATHS } from '../../../contract/routes.ts';
import { post } from './call.ts';
import { saveToken } from './token.ts';

type Word = { readonly want: string } | { readonly code: string; readonly to: string };

const NAME = 'baton-login';
/** How long to wait for another tab; a background tab may need a moment to answer. */
const PATIENCE_MS = 800;

/** Logs in a new tab. The token is stored per tab, so a logged-in tab requests a login code for the new one. */
export async function logInFromOtherTab(): Promise<void> {
  const channel = new BroadcastChannel(NAME);
  const me = crypto.randomUUID();
  const code = await new Promise<string | undefined>((resolve) => {
    channel.onmessage = ({ data }: MessageEvent<Word>) => {
      if ('code' in data && data.to === me) resolve(data.code);
    };
    channel.postMessage({ want: me } satisfies Word);
    setTimeout(() => resolve(undefined), PATIENCE_MS);
  });
  channel.close();
  if (code === undefined) return;
  const { token } = await post<{ token: string }>(PATHS.login, { code });
  saveToken(token);
}

export function letOtherTabsIn(): void {
  const channel = new BroadcastChannel(NAME);
  channel.onmessage = ({ data }: MessageEvent<Word>) => {
    if (!('want' in data)) return;
    post<{ url: string }>(PATHS.loginCodes, {}).then(
      ({ url }) => {
        const code = new URLSearchParams(new URL(url).hash.slice(1)).get('code');
        if (code !== null) channel.postMessage({ code, to: data.want } satisfies Word);
      },
      // Without a code the other tab shows how to log in.
      () => undefined,
    );
  };
}
