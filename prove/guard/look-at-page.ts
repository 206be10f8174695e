import type { Browser } from 'playwright-core';
import { goTo, plantCanaries, whatLives } from '../../test/browser/support/alive.ts';
import { openPage } from '../../test/browser/support/browser.ts';
import type { PackageProcess } from '../../test/e2e/packages/package-process.ts';

/**
 * Opens every page after Baton has received the hostile texts. Returns one sentence for each text that was not shown as
 * plain text.
 */
export async function lookAtPage(browser: Browser, { baton, con, ann }: PackageProcess): Promise<string[]> {
  const watched = await openPage(browser, baton);
  try {
    await plantCanaries(watched);
    const found: string[] = [];
    const { packages } = await baton.get<{ packages: { id: string }[] }>('/api/packages?limit=20');
    const paths = [
      ...['/', '/inbox', '/runs', '/personas', '/activity', '/settings', `/agents/${con.id}`, `/agents/${ann.id}`],
      ...[`/personas/${ann.persona?.slug}`, `/personas/${ann.persona?.slug}/lineage`, '/packages'],
      ...packages.slice(0, 10).map(({ id }) => `/packages/${id}`),
    ];
    for (const path of paths) {
      await goTo(watched.page, path);
      const { alive, happened } = await whatLives(watched);
      found.push(...[...alive, ...happened].map((each) => `the page ${path}: ${each}`));
    }
    return found;
  } finally {
    await watched.context.close();
  }
}
