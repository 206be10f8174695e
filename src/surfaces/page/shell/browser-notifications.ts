/** Off until the operator turns it on in the settings of this browser. */
const KEY = 'baton-notifications';

export const canNotify = (): boolean => 'Notification' in window;

export const wantsNotifications = (): boolean =>
  canNotify() && Notification.permission === 'granted' && localStorage.getItem(KEY) === 'on';

/** Returns why it failed, in words; undefined if notifications are on now. */
export async function turnNotificationsOn(): Promise<string | undefined> {
  if (!canNotify()) return 'This browser has no notifications.';
  const answer = await Notification.requestPermission();
  if (answer !== 'granted') return "The browser does not allow them; change it in the browser's settings of this site.";
  localStorage.setItem(KEY, 'on');
  return undefined;
}

export const turnNotificationsOff = (): void => localStorage.setItem(KEY, 'off');
