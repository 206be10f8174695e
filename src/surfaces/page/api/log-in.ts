import { PATHS } from '../../../contract/routes.ts';
import { post } from './call.ts';
import { deviceName } from './device-name.ts';
import { saveToken } from './token.ts';

/**
 * Reads the login code after the # of the address, redeems the code and removes it from the address. Browsers never
 * send the part after the # to a server.
 */
export async function logInFromAddress(): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code === null) return;
  history.replaceState(null, '', '/');
  const { token } = await post<{ token: string }>(PATHS.login, {
    code,
    device: deviceName(navigator.userAgent),
  });
  saveToken(token);
}
