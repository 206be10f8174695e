import type { Clock } from '../../app/ports/clock.ts';
import { instantFromMs } from '../../domain/instant.ts';
import { localDay, minutesOfDay } from './local-time.ts';

export const systemClock: Clock = {
  now: () => instantFromMs(Date.now()),
  minutesOfDay: (at) => minutesOfDay(at),
  localDay: (at) => localDay(at),
  monotonicMs: () => performance.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
