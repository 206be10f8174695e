import { z } from 'zod';
import { ErrorBody } from '../../../contract/resources.ts';
import { MACHINE_SHAPE } from '../../../domain/fleet/member.ts';
import { PACKAGE_ID } from '../../../domain/packages/content/package.ts';
import { SLUG_SHAPE } from '../../../domain/personas/persona.ts';
import { SESSION_SHAPE } from '../../../domain/sessions/external-session.ts';
import type { Route } from './route.ts';

/**
 * Describes the API for programs. The description is made from the table of routes and the schemas that the server
 * itself uses.
 */
export function openApi(routes: readonly Route[], version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const each of routes) paths[each.path] = { ...paths[each.path], [each.method.toLowerCase()]: operation(each) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Baton',
      version,
      description:
        "Local API. Every call needs a bearer token. In a path, an agent's id may be the name or slug of its persona if only one live agent has it, and a persona's slug may be its name if only one persona has it.",
    },
    security: [{ token: [] }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    paths,
  };
}

const PARAMETERS = [
  { name: 'machine', in: 'path', required: true, schema: { type: 'string', pattern: `^${MACHINE_SHAPE}$` } },
  { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } },
  { name: 'slug', in: 'path', required: true, schema: { type: 'string', pattern: `^${SLUG_SHAPE}$` } },
  { name: 'package', in: 'path', required: true, schema: { type: 'string', pattern: PACKAGE_ID.source } },
  { name: 'session', in: 'path', required: true, schema: { type: 'string', pattern: `^${SESSION_SHAPE}$` } },
];

function operation({ path, summary, body, answer, status, callers }: Route): object {
  return {
    summary,
    description: `For: ${callers.join(', ')}`,
    parameters: PARAMETERS.filter(({ name }) => path.includes(`{${name}}`)),
    ...(body === undefined ? {} : { requestBody: { required: true, content: content(body, 'input') } }),
    responses: {
      [status]: { description: 'Done', content: content(answer, 'output') },
      default: { description: 'Refused, with one sentence that says why', content: content(ErrorBody, 'output') },
    },
  };
}

const content = (schema: z.ZodType, io: 'input' | 'output') => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, reused: 'inline', cycles: 'throw' });
  return { 'application/json': { schema: json } };
};
