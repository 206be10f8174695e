import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import type { Agent } from '../../src/domain/agents/agent.ts';
import type { BatonApi } from '../../src/surfaces/mcp/baton-api.ts';
import { createToolServer } from '../../src/surfaces/mcp/create-tool-server.ts';
import { delegation, PackageScene, returnPackage } from '../../test/surfaces/http/packages/package-scene.ts';

export interface Delegation {
  readonly calls: number;
  readonly tokens: number;
  readonly toolListTokens: number;
}

/**
 * Plays a delegation from one agent to another, and the return package. The agents use the package tools and write only
 * the required texts.
 */
export async function playDelegation(): Promise<Delegation> {
  const scene = await new PackageScene().begin();
  try {
    const con = await connect(scene, scene.con);
    const ann = await connect(scene, scene.ann);
    const toolListTokens = tokensOf(await con.client.listTools());
    const sent = await con.use('handoff_create', { package: delegation() });
    await doAndReturn(ann, String(sent.id));
    const back = await con.inbox();
    // Reading a return package completes it.
    await con.use('handoff_receive', { id: back });
    const { state } = await ended(scene, String(sent.id), back);
    if (state !== 'completed') throw new Error(`the delegation did not end: ${sent.id} is ${state}`);
    await con.client.close();
    await ann.client.close();
    return { calls: con.count() + ann.count(), tokens: con.tokens() + ann.tokens(), toolListTokens };
  } finally {
    await scene.api.remove();
  }
}

type Answer = Readonly<Record<string, unknown>>;
type Player = Awaited<ReturnType<typeof connect>>;

async function connect(scene: PackageScene, agent: Agent) {
  const api: BatonApi = {
    ask: async ({ method, path, body }) => {
      const answer = await scene.api.call<never>(method, path, body, scene.as(agent));
      return answer.status < 300 ? { body: answer.body } : { refused: answer.body };
    },
  };
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await createToolServer(api, '0').connect(theirs);
  const client = new Client({ name: 'bench', version: '0' });
  await client.connect(ours);
  let calls = 0;
  let tokens = 0;
  /** Calls a tool and parses the last part of its answer, which is JSON. */
  const use = async (name: string, args: Answer): Promise<Answer> => {
    const answer = await client.callTool({ name, arguments: args });
    calls += 1;
    tokens += tokensOf({ name, arguments: args }) + tokensOf(answer);
    const text = (answer.content as { text: string }[]).at(-1)?.text ?? '';
    if (answer.isError === true) throw new Error(`${name} was refused: ${text}`);
    return JSON.parse(text) as Answer;
  };
  /**
   * Finds the id of the package. This is not counted as a tool call, because a real agent reads the id in Baton's
   * announcement.
   */
  const inbox = async (): Promise<string> => {
    const { body } = await scene.get<{ packages: { id: string }[] }>(agent, '?box=inbox');
    return body.packages[0]?.id ?? '';
  };
  return { client, use, inbox, count: () => calls, tokens: () => tokens };
}

async function doAndReturn({ use }: Player, id: string): Promise<void> {
  const { criteria } = (await use('handoff_receive', { id })).package as Answer;
  const criteria_results = (criteria as { id: string }[]).map((each) => ({ id: each.id, result: 'pass' }));
  const { context } = returnPackage();
  await use('handoff_return', { id, task: 'Report the risks of the API', package: { context, criteria_results } });
}

async function ended(scene: PackageScene, ...ids: readonly string[]): Promise<{ state: string }> {
  const states: string[] = [];
  for (const id of ids) states.push((await scene.get('operator', `/${id}`)).body.state);
  return { state: states.find((state) => state !== 'completed') ?? 'completed' };
}

const tokensOf = (value: unknown): number => Math.ceil(Buffer.byteLength(JSON.stringify(value)) / 4);
