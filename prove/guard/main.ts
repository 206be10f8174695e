import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { launchChromium } from '../../scripts/bench/chromium.mjs';
import { PackageProcess } from '../../test/e2e/packages/package-process.ts';
import scratchFolder from '../../test/support/scratch-folder.ts';
import { gatePackage } from '../../test/surfaces/http/packages/package-scene.ts';
import { awaitApproval, tryAgentShells } from './attacks/agent-shells.ts';
import { attackRoutes } from './attacks/attack-routes.ts';
import { leakSecrets } from './attacks/leak-secrets.ts';
import { tryAsOtherUser } from './attacks/other-users.ts';
import { race } from './attacks/race.ts';
import { REBINDING, rebind } from './attacks/rebind.ts';
import { ALLOWED, OTHER_ALLOWED } from './attacks/request-shapes.ts';
import { attackExpressions, findExpressions } from './expressions.ts';
import { feedSinks } from './feed.ts';
import { lookAtPage } from './look-at-page.ts';

/** A name that only Baton's database contains. No refusal of a hostile request may contain this name. */
const SECRET_NAME = 'Zaphodine';

/**
 * Runs `npm run prove:guard` and returns the exit code. With --json the result is the only line on stdout, and the rest
 * goes to stderr.
 */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { short: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
  });
  const say = values.json ? console.error : console.log;
  const told = (found: readonly string[]): readonly string[] => {
    for (const each of found) say(`✗ ${each}`);
    return found;
  };
  const removeScratch = scratchFolder();
  const scene = new PackageProcess({ allowed_hosts: [ALLOWED, OTHER_ALLOWED] });
  const browser = await launchChromium(REBINDING);
  try {
    await scene.begin();
    const { baton } = scene;
    await baton.call('POST', '/api/personas/register', { role: 'secret', name: SECRET_NAME });
    say('every route with every shape …');
    const attack = await attackRoutes(baton, [baton.token, scene.token(scene.con), SECRET_NAME, baton.home]);
    say('a page whose name is bound to our address …');
    told(attack.found);
    const rebound = told(await rebind(browser, baton));
    say('another user of this machine …');
    const asRoot = process.getuid?.() === 0;
    if (!asRoot) say('  left out: only root can become another user');
    const others = told(asRoot ? await tryAsOtherUser(baton) : []);
    say("an agent's shells …");
    const eve = await scene.addAgent('writer', 'Eve');
    const waiting = await awaitApproval(scene, eve);
    const shells = await tryAgentShells(scene, waiting);
    say(`  ${shells.tried} commands and requests`);
    told(shells.found);
    await baton.call('POST', `/api/runs/${waiting.id}/cancel`, {});
    await baton.call('POST', `/api/agents/${eve.id}/stop`, { force: true });
    await baton.event(({ agent_id, data }) => agent_id === eve.id && data.to === 'ended');
    say('regular expressions …');
    const { expressions, problems } = findExpressions();
    const judged = await attackExpressions(expressions);
    say(`  the slowest: ${judged.slowest.where}`);
    const slow = told([...problems, ...judged.found]);
    say('hostile texts into every sink …');
    const canary = join(baton.home, 'canary');
    const fed = await feedSinks(scene, { canary, short: values.short });
    say(`  ${fed.texts} texts, ${fed.sinks} sinks, ${fed.put} put in`);
    told(fed.found);
    const shown = told(await lookAtPage(browser, scene));
    say('200 secrets, and where they are afterwards …');
    const secrets = told(await leakSecrets(browser, { short: values.short }));
    say('32 processes at once …');
    const gate = (await scene.create(gatePackage())).body;
    const raced = told(await race(scene, { id: gate.id, seen: gate.seen ?? '' }));

    const leaks = [...attack.found, ...rebound, ...others];
    const canaries = [...fed.found, ...shown];
    const result = {
      routes: attack.routes,
      shapes: attack.shapes,
      refused: attack.refused,
      leaks: leaks.length,
      hostile_texts: fed.texts,
      sinks: fed.sinks,
      canaries: canaries.length,
      secrets_found: secrets.length,
      race_winners_ok: raced.length === 0,
      other_user: asRoot,
      agent_as_operator: shells.found.length,
      expressions: expressions.length,
      slowest_expression_ms: Math.round(judged.slowest.ms),
    };
    console.log(
      values.json
        ? JSON.stringify(result)
        : Object.entries(result)
            .map(([name, value]) => `${name.padEnd(22)} ${value}`)
            .join('\n'),
    );
    const whole = attack.refused === attack.routes * attack.shapes;
    const all = [leaks, canaries, secrets, raced, shells.found, slow];
    return whole && all.every(({ length }) => length === 0) ? 0 : 1;
  } finally {
    await browser.close();
    await scene.baton.cleanUp();
    removeScratch();
  }
}
