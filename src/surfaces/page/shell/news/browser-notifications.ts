/** Browser notifications are off until the operator turns them on in the settings of this browser. */
const KEY = 'baton-notifications';

export const canNotify = (): boolean => 'Notification' in window;

export const wantsNotifications = (): boolean =>
  canNotify() && Notification.permission === 'granted' && localStorage.getItem(KEY) === 'on';

/** Turns notifications on. Returns undefined on success, otherwise the reason for the failure in words. */
export async function turnNotificationsOn(): Promise<string | undefined> {
  if (!canNotify()) return 'This browser does not support notifications.';
  const answer = await Notification.requestPermission();
  if (answer !== 'granted')
    return "This browser blocks notifications for this site. Allow them in the browser's site settings.";
  localStorage.setItem(KEY, 'on');
  return undefined;
}

export const turnNotificationsOff = (): void => localStorage.setItem(KEY, 'off');
