import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApiDelivery, Delivery, DeliveryOutcome } from '../../../../src/app/ports/terminal.ts';
import { createRig, type Rig } from '../rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = createRig();
});
afterEach(() => rig.stop());

/** A fake of a client's control API. It records the texts that it gets. */
class FakeApi implements ApiDelivery {
  readonly got: string[] = [];
  isUp = true;
  outcome: () => Promise<DeliveryOutcome> = async () => ({ verdict: 'typed', enters: 0 });
  answers = async () => this.isUp;
  submit = (text: string) => {
    this.got.push(text);
    return this.outcome();
  };
}

const typedByApi = { verdict: 'typed', enters: 0, by: 'api' };
const ready = { whyNotAtRest: async () => undefined } satisfies Partial<Delivery>;

describe('a delivery through the control API', () => {
  it("a delivery through the client's control API types nothing into the pane", async () => {
    const agent = await rig.startAgent();
    const api = new FakeApi();
    expect(await rig.terminal.deliver(agent.pane, rig.prompt('hello', { api, ...ready }))).toEqual(typedByApi);
    expect([api.got, agent.submitted(), agent.received().length]).toEqual([['hello'], [], 0]);
  });

  it("a delivery through the client's control API does not change a draft in the composer", async () => {
    const agent = await rig.startAgent({ draft: 'my own words' });
    await agent.drawn();
    const api = new FakeApi();
    expect(await rig.terminal.deliver(agent.pane, rig.prompt('hello', { api, ...ready }))).toEqual(typedByApi);
    expect(agent.received().length).toBe(0);
  });

  it("a delivery through the client's control API is refused while a dialog is open in the terminal", async () => {
    const agent = await rig.startAgent({ dialog: 'start' });
    await agent.drawn();
    const api = new FakeApi();
    const outcome = await rig.terminal.deliver(agent.pane, rig.prompt('hello', { api, ...ready }));
    expect(outcome).toMatchObject({ verdict: 'refused', reason: 'dialog' });
    expect(api.got).toEqual([]);
  });

  it("a delivery through the client's control API is refused while the client reports work", async () => {
    const agent = await rig.startAgent();
    const api = new FakeApi();
    const whyNotAtRest = async () => ({ reason: 'busy', detail: 'its client reports that it is working' }) as const;
    const delivery = rig.prompt('hello', { api, whyNotAtRest, waitReadyMs: 0 });
    expect(await rig.terminal.deliver(agent.pane, delivery)).toMatchObject({ verdict: 'refused', reason: 'busy' });
    expect(api.got).toEqual([]);
  });

  it("if the client's control API does not answer, a delivery is typed into the pane", async () => {
    const agent = await rig.startAgent();
    const api = new FakeApi();
    api.isUp = false;
    const outcome = await rig.terminal.deliver(agent.pane, rig.prompt('hello', { api, ...ready }));
    expect(outcome).toEqual({ verdict: 'typed', enters: 1 });
    expect([api.got, agent.submitted()]).toEqual([[], ['hello']]);
  });

  it("a delivery can be repeated after the client's control API has refused the delivery", async () => {
    const agent = await rig.startAgent();
    const api = new FakeApi();
    api.outcome = async () => ({ verdict: 'refused', reason: 'busy', detail: 'another turn began' });
    const delivery = rig.prompt('hello', { api, ...ready });
    expect(await rig.terminal.deliver(agent.pane, delivery)).toMatchObject({ verdict: 'refused' });
    api.isUp = false;
    expect(await rig.terminal.deliver(agent.pane, delivery)).toEqual({ verdict: 'typed', enters: 1 });
    expect(agent.submitted()).toEqual(['hello']);
  });

  it("a delivery that the control API refused is not added to the pane's list of deliveries", async () => {
    const agent = await rig.startAgent();
    const first = rig.prompt('first');
    await rig.terminal.deliver(agent.pane, first);
    const api = new FakeApi();
    api.outcome = async () => ({ verdict: 'refused', reason: 'busy', detail: 'another turn began' });
    await rig.terminal.deliver(agent.pane, rig.prompt('second', { api, ...ready }));
    expect(rig.tmux('show-options', '-p', '-v', '-t', agent.pane.paneId, '@baton_delivered')).toBe(`/${first.id}/`);
  });
});

describe('[F17] a kill of the server during a delivery through the control API', () => {
  /**
   * Begins a delivery and stops it when the terminal adapter logs the given line, as if Baton were killed at that
   * moment.
   */
  async function killedAt(point: string) {
    const agent = await rig.startAgent();
    const api = new FakeApi();
    const delivery = rig.prompt('hello', { api, ...ready });
    const log = (message: string) => {
      if (message === point) throw new Error('killed');
    };
    await expect(rig.makeTerminal({ log }).deliver(agent.pane, delivery)).rejects.toThrow('killed');
    return { agent, api, delivery };
  }

  it.each([
    ['before the API got the text', 'marked for the API', true, 0],
    ['after the API got the text', 'submitted through the API', true, 1],
    ['after the API got the text and then died', 'submitted through the API', false, 1],
  ])('after a kill of the server %s, the next server does not submit the text a second time', async (...row) => {
    const [, point, isUp, submissions] = row;
    const { agent, api, delivery } = await killedAt(point);
    api.isUp = isUp;
    const outcome = await rig.makeTerminal().deliver(agent.pane, delivery);
    expect(outcome).toMatchObject({ verdict: 'unconfirmed', by: 'api' });
    expect([api.got.length, agent.submitted()]).toEqual([submissions, []]);
  });

  it('after a kill of the server, the next server reports the verdict "typed" if a hook has already reported the prompt', async () => {
    const { agent, api, delivery } = await killedAt('submitted through the API');
    const outcome = await rig.makeTerminal().deliver(agent.pane, { ...delivery, isSubmitted: () => true });
    expect([outcome, api.got]).toEqual([typedByApi, ['hello']]);
  });
});
