import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { FleetScene, until } from '../walk/fleet-scene.mjs';
import { ALL_LOOKS, LOOKS, openTab, signIn, visit } from './looks.mjs';

/** The pages of a fleet by the names of their pictures. */
const PAGES = {
  // The pages of two machines must not be neighbors in this list, because they share one heading element. `visit` would
  // wait forever for the heading of the previous page to disappear.
  'fleet-machine-away': '/machines/attic',
  'fleet-machines': '/machines',
  'fleet-agents': '/',
  'fleet-inbox': '/inbox',
  'fleet-machine': '/machines/laptop',
};

/** The pictures that the guide about fleets shows. */
const IN_GUIDE = ['fleet-machines-light', 'fleet-agents-light'];

/**
 * Takes pictures of a fleet of four machines, one of which is away: either the pictures of the guide, or all pages in
 * all looks (such as light, dark or phone).
 *
 * @param {import('playwright-core').Browser} browser
 * @param {string} folder
 * @param {{ all: boolean }} which
 */
export async function takeFleetPages(browser, folder, { all }) {
  const scene = new FleetScene();
  try {
    await scene.begin(['workstation', 'laptop', 'cloud', 'attic']);
    await scene.agent('workstation', { role: 'reviewer', name: 'Ann' });
    const robin = await scene.agent('laptop', { role: 'developer', name: 'Robin' });
    await scene.agent('attic', { role: 'tester', name: 'Toni', project: 'backup' });
    await scene.gate('cloud', await scene.agent('cloud', { role: 'architect', name: 'Kim', project: 'billing' }));
    const viewer = scene.baton('workstation');
    /**
     * @param {string} name
     * @returns {Promise<{ live: boolean, live_agents: number, needs: number }>}
     */
    const machine = async (name) => {
      const { machines } = await viewer.call('/api/machines');
      return machines.find((/** @type {{ name: string }} */ each) => each.name === name);
    };
    await until(
      async () => (await machine('cloud')).needs > 0 && (await machine('attic')).live_agents === 1,
      'all is known',
    );
    await scene.baton('attic').kill();
    await until(async () => !(await machine('attic')).live, 'attic is away');
    mkdirSync(folder, { recursive: true });
    for (const look of all ? ALL_LOOKS : LOOKS) {
      const tab = await openTab(browser, look);
      await signIn(viewer, tab);
      const pages = { ...PAGES, 'fleet-agent': `/agents/${robin.id}?machine=laptop` };
      for (const [name, path] of Object.entries(pages)) {
        const picture = `${name}-${look.name}`;
        if (!all && !IN_GUIDE.includes(picture)) continue;
        await visit(tab, path);
        await tab
          .getByRole('main')
          .getByText(/laptop|cloud|attic/)
          .filter({ visible: true })
          .first()
          .waitFor();
        await tab.screenshot({ path: join(folder, `${picture}.png`) });
        console.log(`${picture}.png`);
      }
    }
  } finally {
    await scene.cleanUp();
  }
}
