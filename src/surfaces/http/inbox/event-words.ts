import type { Event } from '../../../contract/resources.ts';
import { type Instant, localTime } from '../../../domain/instant.ts';

/** Turns the data of an event into a sentence. */
export type Teller = (data: Event['data'], who: string) => string;

const LONGEST = 160;

export function oneLine(value: unknown): string {
  const line = (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).replace(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}

export const words = (value: unknown): string => oneLine(value).replaceAll('_', ' ');
/** Returns a time in the server's time zone. Text that is not a time is returned as one line. */
export const time = (value: unknown): string =>
  isText(value) && !Number.isNaN(Date.parse(value)) ? localTime(value as Instant) : oneLine(value);

export const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
export const quoted = (value: unknown): string => (isText(value) ? `: “${oneLine(value)}”` : '');
export const because = (value: unknown): string => (isText(value) ? `: ${oneLine(value)}` : '');
export const inBrackets = (value: unknown): string => (isText(value) ? ` (${words(value)})` : '');
export const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
export const count = (value: unknown, one: string, many: string): string =>
  `${Number(value)} ${Number(value) === 1 ? one : many}`;
