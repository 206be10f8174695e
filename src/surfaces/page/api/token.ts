/**
 * The token is stored in localStorage, so that a phone is still logged in after all its tabs were closed. A cookie
 * would be worse: browsers send the cookies of 127.0.0.1 to every port, and so to every server that an agent starts
 * there.
 */
const KEY = 'baton-token';

export const readToken = (): string | null => localStorage.getItem(KEY);
export const saveToken = (token: string): void => localStorage.setItem(KEY, token);
export const forgetToken = (): void => localStorage.removeItem(KEY);
