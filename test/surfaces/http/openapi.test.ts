import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { openApi } from '../../../src/surfaces/http/server/openapi.ts';
import { ROUTES } from '../../../src/surfaces/http/server/routes.ts';

/**
 * The OpenAPI document of b4b2abf, the last commit before the code was sorted by subject, without its descriptions.
 * BATON_RECORD=1 writes the document of today's code instead of comparing with the recorded one.
 */
const RECORD = fileURLToPath(new URL('../../fixtures/interface/openapi.json', import.meta.url));

/** Intended differences from the record, with the reason. Wire names never change; new optional fields are allowed. */
const DOCUMENTED: Readonly<Record<string, string>> = {
  'routes.GET /api/agents.answers.200.properties.next: new': 'lists are read in pages',
  'routes.GET /api/handoffs.answers.200.properties.next: new': 'lists are read in pages',
  'routes.GET /api/runs.answers.200.properties.next: new': 'lists are read in pages',
  'schemas.Lineage.properties.next: new': 'lists are read in pages',
  'schemas.Event.properties.bad_news: new': 'the server describes each event, instead of page and CLI',
  'schemas.Event.properties.kind: new': 'the server describes each event, instead of page and CLI',
  'schemas.Event.properties.sentence: new': 'the server describes each event, instead of page and CLI',
  'schemas.Event.required: ["agent_id","at","by","data","run_id","seq","type"] became ["agent_id","at","bad_news","by","data","kind","run_id","sentence","seq","type"]':
    'the three new fields are always there',
  'schemas.PackageFinding.properties.line: new': 'a finding names the line of the package text (3db6ce5)',
};

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

interface Operation {
  readonly parameters: Json;
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

interface Content {
  readonly content: { readonly 'application/json': { readonly schema: Schema } };
}

type Schema = { readonly $defs?: Readonly<Record<string, Json>> } & Readonly<Record<string, Json>>;

const WORDS = ['description', 'summary', 'title'];

/** Removes descriptions and sorts names, so that neither counts as a difference. */
function bare(value: Json, key = ''): Json {
  if (Array.isArray(value)) {
    const elements = value.map((each) => bare(each as Json));
    return key === 'required' || key === 'enum' ? elements.toSorted() : elements;
  }
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name, inner]) => !WORDS.includes(name) || typeof inner !== 'string');
  return Object.fromEntries(kept.map(([name, inner]) => [name, bare(inner, name)]));
}

/** Returns the document with each named schema once, instead of once per route, and with the callers of each route. */
function recordable(): Json {
  const schemas: Record<string, Json> = {};
  const withoutNamed = ({ content }: Content, io: 'input' | 'output'): Json => {
    const { $defs = {}, ...schema } = content['application/json'].schema;
    for (const [name, named] of Object.entries($defs)) schemas[io === 'input' ? `${name} (input)` : name] = bare(named);
    return bare(schema);
  };
  const { paths } = openApi(ROUTES, '0') as { paths: Record<string, Record<string, Operation>> };
  const routes = ROUTES.map(({ method, path, callers }) => {
    const { parameters, requestBody, responses } = paths[path]![method.toLowerCase()]!;
    const answers = Object.entries(responses).map(([status, each]) => [status, withoutNamed(each, 'output')] as const);
    const body = requestBody === undefined ? {} : { body: withoutNamed(requestBody, 'input') };
    const route = { callers: [...callers].sort(), parameters, ...body, answers: Object.fromEntries(answers) };
    return [`${method} ${path}`, route] as const;
  });
  return { schemas, routes: Object.fromEntries(routes) };
}

function differences(before: Json, now: Json, path = ''): readonly string[] {
  if (!isObject(before) || !isObject(now))
    return JSON.stringify(before) === JSON.stringify(now)
      ? []
      : [`${path}: ${JSON.stringify(before)} became ${JSON.stringify(now)}`];
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].flatMap((key) => {
    const [old, young] = [before[key], now[key]];
    const here = path === '' ? key : `${path}.${key}`;
    if (old === undefined) return [`${here}: new`];
    return young === undefined ? [`${here}: gone`] : differences(old, young, here);
  });
}

const isObject = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

it('the OpenAPI document equals the recorded one, except for descriptions and the documented differences', () => {
  if (process.env.BATON_RECORD) return writeFileSync(RECORD, `${JSON.stringify(recordable(), null, 1)}\n`);
  const recorded = JSON.parse(readFileSync(RECORD, 'utf8')) as Json;
  expect(differences(recorded, recordable()).toSorted()).toEqual(Object.keys(DOCUMENTED).toSorted());
});
