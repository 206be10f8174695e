import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Agent, ErrorBody, ScreenView } from '../../../src/contract/resources.ts';
import { PATHS } from '../../../src/contract/routes.ts';
import { readFrames } from '../../../src/surfaces/socket/read-frames.ts';
import { BatonProcess, PROGRAM, run } from '../../support/baton-process.ts';

/** Tests how the server and the command line show an agent's screen while the agent draws. */

const baton = new BatonProcess();
beforeAll(async () => void (await baton.start()));
afterAll(() => baton.cleanUp());

const textOf = ({ lines }: ScreenView) => lines.map((row) => row.map(({ text }) => text).join('')).join('\n');
const look = (agent: Agent) => baton.call<ScreenView & ErrorBody>('GET', `/api/agents/${agent.id}/screen`);
const say = (agent: Agent, text: string) => baton.call('POST', `/api/agents/${agent.id}/messages`, { text });
const cli = (...words: string[]) =>
  run(process.execPath, [PROGRAM, ...words], { ...process.env, BATON_HOME: baton.home });

interface Frame {
  readonly event: string;
  readonly data: ScreenView & ErrorBody;
}

/** Connects to the screen stream of an agent and collects its frames until the stream ends. */
function watch(agent: Agent) {
  const frames: Frame[] = [];
  const waiting: (() => void)[] = [];
  let over = false;
  const wake = () => {
    for (const each of waiting.splice(0)) each();
  };
  const leaving = new AbortController();
  const collect = async (): Promise<void> => {
    for await (const { event, data } of readFrames(await baton.openStream(PATHS.screen(agent.id), leaving.signal))) {
      frames.push({ event, data: JSON.parse(data) as Frame['data'] });
      wake();
    }
  };
  const end = (): void => {
    over = true;
    wake();
  };
  collect().then(end, end);
  const when = async (fits: (frame: Frame) => boolean): Promise<Frame> => {
    for (;;) {
      const found = frames.find(fits);
      if (found !== undefined) return found;
      if (over) throw new Error(`the stream ended after ${frames.length} frames`);
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  return { frames, when, leave: () => leaving.abort() };
}

describe('the screen of an agent', () => {
  it("[T14] an agent's screen is returned as styled text without control characters", async () => {
    const agent = await baton.agent({ persona: false });
    // Poll, because the client draws its composer only after the session has begun.
    await expect.poll(async () => textOf((await look(agent)).body)).toContain('❯');
    const { status, body } = await look(agent);
    expect(status).toBe(200);
    expect(body).toMatchObject({ agent_id: agent.id, columns: 180, rows: 50 });
    expect(body.lines.flat().some(({ style }) => style !== '')).toBe(true);
    expect(body.lines.flat().every(({ text }) => !/\p{Cc}/u.test(text))).toBe(true);
  });

  it('the screen of an agent is streamed on every change until the agent ends', async () => {
    const agent = await baton.agent({ persona: false });
    const [one, two] = [watch(agent), watch(agent)];
    await Promise.all([one.when(() => true), two.when(() => true)]);
    await say(agent, '[[practice:say the purple elephant]]');
    const says = ({ data }: Frame) => textOf(data).includes('the purple elephant');
    await Promise.all([one.when(says), two.when(says)]);
    one.leave();
    await baton.call('POST', `/api/agents/${agent.id}/stop`, { force: true });
    const { data } = await two.when(({ event }) => event === 'gone');
    expect(data.error).toContain(`Agent ${agent.id} has no screen`);
    // The server must not send a frame again if neither the screen nor the cursor has changed.
    const pictures = two.frames
      .filter(({ event }) => event === 'screen')
      .map((frame) => JSON.stringify(frame.data.lines));
    const cursors = two.frames.map((frame) => JSON.stringify(frame.data.cursor));
    expect(pictures.every((each, at) => at === 0 || each !== pictures[at - 1] || cursors[at] !== cursors[at - 1])).toBe(
      true,
    );
  });

  it('a request for the screen of an ended agent is refused, and the refusal says why', async () => {
    const agent = await baton.agent({ persona: false });
    await baton.call('POST', `/api/agents/${agent.id}/stop`, { force: true });
    await baton.event(({ type, agent_id }) => type === 'agent_process_gone' && agent_id === agent.id);
    const { status, body } = await look(agent);
    expect([status, body.code]).toEqual([400, 'agent_has_no_pane']);
    expect(body.error).toContain(`baton agent why ${agent.id}`);
    expect(await cli('agent', 'screen', String(agent.id))).toMatchObject({ code: 1 });
  });

  it('`baton agent screen` prints the screen of an agent as plain text without control characters', async () => {
    const agent = await baton.agent({ persona: false });
    const plain = await cli('agent', 'screen', String(agent.id));
    expect(plain).toMatchObject({ code: 0, stdout: expect.stringContaining('❯') });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
    expect(plain.stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    const json = await cli('agent', 'screen', String(agent.id), '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ agent_id: agent.id, columns: 180 });
    const following = cli('agent', 'screen', String(agent.id), '--follow');
    await baton.call('POST', `/api/agents/${agent.id}/stop`, { force: true });
    expect(await following).toMatchObject({ code: 1, stderr: expect.stringContaining('has no screen') });
  });
});
