import { existsSync } from 'node:fs';
import { z } from 'zod';
import { DEADLINES } from '../../domain/handoffs/deadlines.ts';
import { STEPS } from '../../domain/handoffs/run.ts';
import { DEFAULT_TIMERS, type PackageTimer } from '../../domain/packages/package-facts.ts';
import { HomeFault } from './home-fault.ts';
import { ConfigFile, parseConfig, readJson } from './read-config.ts';

export interface ExplainedKey {
  readonly key: string;
  readonly meaning: string;
  readonly default: unknown;
  readonly value: unknown;
  readonly source: 'default' | 'config.json';
}

export interface ExplainedConfig {
  readonly path: string;
  readonly exists: boolean;
  /** The error message with which Baton would refuse to start with this config file; null if the file is valid. */
  readonly problem: string | null;
  readonly keys: readonly ExplainedKey[];
}

/**
 * Explains every key with its value in config.json, or its default. For an invalid file, returns the problem and
 * explains all keys as if the file were empty.
 */
export function explainConfig(path: string): ExplainedConfig {
  const found = understood(path);
  const written = 'problem' in found ? {} : found.json;
  return {
    path,
    exists: existsSync(path),
    problem: 'problem' in found ? found.problem : null,
    keys: keysOf(ConfigFile).map(({ key, meaning, otherwise }) => {
      const own = at(written, key);
      return {
        key,
        meaning,
        default: otherwise,
        value: own === undefined ? otherwise : shown(key, own),
        source: own === undefined ? 'default' : 'config.json',
      };
    }),
  };
}

function understood(path: string): { readonly json: unknown } | { readonly problem: string } {
  try {
    const json = readJson(path);
    parseConfig(path, json);
    return { json };
  } catch (error) {
    if (!(error instanceof HomeFault)) throw error;
    return { problem: error.message };
  }
}

/** Hides addresses and variables, because they may be secrets and the explanation is printed. */
function shown(key: string, value: unknown): unknown {
  if (['notifications.ntfy', 'notifications.webhook'].includes(key)) return HIDDEN;
  if (key === 'env') return namesIn(value);
  if (key !== 'projects') return value;
  const projects = Object.entries(value as Record<string, { readonly env?: object }>);
  return Object.fromEntries(projects.map(([project, { env = {} }]) => [project, { env: namesIn(env) }]));
}

const HIDDEN = '(set, not shown)';

const namesIn = (variables: unknown): object =>
  Object.fromEntries(
    Object.entries(variables as object).map(([name, value]) => [name, value === null ? null : HIDDEN]),
  );

interface Leaf {
  readonly key: string;
  readonly meaning: string;
  readonly otherwise: unknown;
}

/** Lists all keys of the schema, so that a new key is explained without a change of this code. */
function keysOf(schema: z.ZodObject, prefix = ''): readonly Leaf[] {
  return Object.entries(schema.shape).flatMap(([name, type]): readonly Leaf[] => {
    const key = `${prefix}${name}`;
    const inner = unwrapped(type as z.ZodType);
    if (inner instanceof z.ZodObject) return keysOf(inner, `${key}.`);
    return [{ key, meaning: (type as z.ZodType).description ?? '', otherwise: defaultOf(key, type as z.ZodType) }];
  });
}

function unwrapped(type: z.ZodType): z.ZodType {
  return type instanceof z.ZodDefault || type instanceof z.ZodOptional ? unwrapped(type.unwrap() as z.ZodType) : type;
}

function defaultOf(key: string, type: z.ZodType): unknown {
  const step = STEPS.find((each) => key === `deadlines_seconds.${each}`);
  if (step !== undefined) return DEADLINES[step] / 1000;
  const timer = /^package_timers_seconds\.(\w+)$/.exec(key)?.[1];
  if (timer !== undefined) return DEFAULT_TIMERS[timer as PackageTimer] / 1000;
  return type.safeParse(undefined).data ?? null;
}

function at(json: unknown, key: string): unknown {
  return key
    .split('.')
    .reduce<unknown>((place, part) => (place as Readonly<Record<string, unknown>> | undefined)?.[part], json);
}
