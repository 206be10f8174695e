import { PATHS } from '../../../contract/routes.ts';
import { post } from './call.ts';
import { saveToken } from './token.ts';

/** Reads the code after the #, which browsers never send, redeems it and removes it from the address. */
export async function logInFromAddress(): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code === null) return;
  history.replaceState(null, '', '/');
  const { token } = await post<{ token: string }>(PATHS.login, { code });
  saveToken(token);
}
