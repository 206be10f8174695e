/** The token is in sessionStorage: it survives a reload, ends with the tab, and no other page can read it. */
const KEY = 'baton-token';

export const readToken = (): string | null => sessionStorage.getItem(KEY);
export const saveToken = (token: string): void => sessionStorage.setItem(KEY, token);
export const forgetToken = (): void => sessionStorage.removeItem(KEY);
