import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createChangeSignal } from '../../../src/adapters/tmux/connection/change-signal.ts';

beforeEach(
  () =>
    void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'performance'] }),
);
afterEach(() => void vi.useRealTimers());

function makeSignal() {
  const changes = createChangeSignal();
  const listener = vi.fn();
  changes.listen(listener);
  return { changes, listener };
}

it('several notices of tmux that arrive together are reported immediately, as one change', () => {
  const { changes, listener } = makeSignal();
  for (const line of ['%window-close @1', '%sessions-changed', '%output %1 x']) changes.onNotice(line);
  expect(listener).toHaveBeenCalledTimes(0);
  vi.advanceTimersByTime(0);
  expect(listener).toHaveBeenCalledTimes(1);
});

it('a notice that arrives within 2 ms after a reported change is reported when the 2 ms have passed', () => {
  const { changes, listener } = makeSignal();
  changes.onNotice('%window-close @1');
  vi.advanceTimersByTime(0);
  changes.onNotice('%unlinked-window-close @2');
  changes.onNotice('%sessions-changed');
  vi.advanceTimersByTime(1);
  expect(listener).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  expect(listener).toHaveBeenCalledTimes(2);
});

it('a change signal reports no change after it was stopped', () => {
  const { changes, listener } = makeSignal();
  changes.onNotice('%window-close @1');
  changes.stop();
  changes.signal();
  vi.advanceTimersByTime(10);
  expect(listener).toHaveBeenCalledTimes(0);
});
