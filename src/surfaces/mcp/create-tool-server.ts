import { McpServer, ResourceTemplate, type StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { packageJsonSchema } from '../../contract/packages/package-schema.ts';
import {
  outputSchema,
  PACKAGE_TOOLS,
  TOOL_INSTRUCTIONS,
  TOOL_RESOURCES,
  TOOL_SERVER,
  TOOLS,
  type ToolCall,
  toolSchema,
} from '../../contract/packages/package-tools.ts';
import { PATHS } from '../../contract/routes.ts';
import type { BatonApi } from './baton-api.ts';
import { callTool } from './call-tool.ts';
import { sayRefused } from './say-refused.ts';
import { visibleJson } from './visible-text.ts';

/** Creates a server with the tools and resources of one agent. The server can use any transport. */
export function createToolServer(api: BatonApi, version: string): McpServer {
  const server = new McpServer(
    { name: TOOL_SERVER, version },
    {
      instructions: TOOL_INSTRUCTIONS,
      capabilities: { tools: { listChanged: false }, resources: { listChanged: false } },
    },
  );
  for (const name of PACKAGE_TOOLS) {
    const { title, description, readOnly } = TOOLS[name];
    const annotations = { title, readOnlyHint: readOnly, destructiveHint: false, openWorldHint: false };
    const schemas = { inputSchema: schemaOf(() => toolSchema(name)), outputSchema: schemaOf(() => outputSchema(name)) };
    server.registerTool(name, { title, description, annotations, ...schemas }, (given) => callTool(api, name, given));
  }
  addResources(server, api);
  return server;
}

/**
 * Returns a schema that the MCP library shows to the model but does not enforce. `callTool` validates the arguments
 * instead, so that the agent reads Baton's own sentences about errors.
 */
function schemaOf(schema: () => Record<string, unknown>): StandardSchemaWithJSON {
  return {
    '~standard': {
      version: 1,
      vendor: 'baton',
      validate: (value) => ({ value }),
      jsonSchema: { input: schema, output: schema },
    },
  };
}

function addResources(server: McpServer, api: BatonApi): void {
  const [one, chain, schema] = TOOL_RESOURCES;
  const about = (description: string) => ({ description, mimeType: 'application/json' });
  const contents = (uri: URL, value: unknown) => ({
    contents: [{ uri: uri.href, mimeType: 'application/json', text: visibleJson(value) }],
  });
  const read = async (uri: URL, id: unknown, path: (id: string) => string) => {
    // Accept only a valid id, because the id becomes part of a URL path.
    const known = TOOLS.handoff_receive.input.safeParse({ id });
    if (!known.success)
      throw new Error(
        `${uri.href} is not the address of a package. It must end with the id of a package, for example HO-2026-001.`,
      );
    return contents(uri, await bodyOf(api, { method: 'GET', path: path(String(id)) }));
  };
  server.registerResource(
    one.name,
    new ResourceTemplate(one.uri, { list: undefined }),
    about(one.description),
    (uri, { id }) => read(uri, id, PATHS.package),
  );
  server.registerResource(
    chain.name,
    new ResourceTemplate(chain.uri, { list: undefined }),
    about(chain.description),
    (uri, { root }) => read(uri, root, (id) => PATHS.packageVerb(id, 'chain')),
  );
  server.registerResource(schema.name, schema.uri, about(schema.description), async (uri) =>
    contents(uri, packageJsonSchema()),
  );
}

async function bodyOf(api: BatonApi, call: ToolCall): Promise<unknown> {
  const answered = await api.ask(call);
  if ('refused' in answered) throw new Error(sayRefused(answered.refused));
  return answered.body;
}
