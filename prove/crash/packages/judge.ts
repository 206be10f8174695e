import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PackageRow } from '../../../src/contract/packages/package-resources.ts';
import type { Event, InboxItem } from '../../../src/contract/resources.ts';
import type { Outcome, Verdict } from '../judge.ts';
import { archiveOf, leftovers, NOWHERE } from './archive.ts';
import { announcements, type Cast } from './cast.ts';
import { EXPECTED } from './scene.ts';

/**
 * Judges one scripted exchange of packages. The judge compares the log, the store, the archive in the project,
 * `state/current.json` and the agents' own logs with each other and with the script. The outcomes mean:
 *
 * - `lost`: Baton confirmed the creation of a package, but the package or one of its files is missing. Or log and store
 *   disagree.
 * - `doubled`: there are more packages, facts or agents than the script asked for, or Baton notified an agent twice.
 * - `silent`: Baton did not notify an agent. Or the inbox lacks an item for the operator or still shows a decided gate.
 * - `halted_wrongly`: a package has not ended as the script says.
 */
export async function judgeScene(cast: Cast, after: number): Promise<Verdict> {
  const rows = await cast.packages();
  const events = await packageEvents(cast, after);
  const found = [
    ...judgeRows(cast, rows),
    ...judgeLog(rows, events),
    ...judgeTellings(cast),
    ...(await judgeInbox(cast, rows)),
    ...(await judgeFiles(cast, rows)),
    ...(await judgeAgents(cast)),
  ];
  const worst = (['doubled', 'lost', 'silent', 'halted_wrongly'] as const)
    .map((outcome) => found.filter((each) => each.outcome === outcome))
    .find((each) => each.length > 0);
  return worst === undefined
    ? { outcome: 'completed', why: '' }
    : { outcome: worst[0]?.outcome ?? 'lost', why: worst.map(({ why }) => why).join('; ') };
}

const accuse = (outcome: Outcome, why: string): Verdict => ({ outcome, why });

function judgeRows({ made }: Cast, rows: readonly PackageRow[]): readonly Verdict[] {
  const ids = rows.map(({ id }) => id);
  const lost = [...made]
    .filter((id) => !ids.includes(id))
    .map((id) => accuse('lost', `${id} was created, but no longer exists`));
  if (rows.length > EXPECTED.length)
    return [...lost, accuse('doubled', `${rows.length} packages instead of ${EXPECTED.length}`)];
  const odd = EXPECTED.flatMap(({ what, type, state, revision }, index) => {
    const row = rows[index];
    const is = row && `${row.type} ${row.state} ${row.revision}`;
    const wanted = `${type} ${state} ${revision}`;
    return is === wanted ? [] : [accuse('halted_wrongly', `${what} (${row?.id}) is ${is} instead of ${wanted}`)];
  });
  return [...lost, ...odd];
}

interface Logged {
  readonly packageId: string;
  readonly record: {
    readonly state: string;
    readonly waiter: string | null;
    readonly deadlineAt: string | null;
    readonly revision: number;
    readonly decision: { readonly option: string } | null;
  };
}

async function packageEvents({ lane }: Cast, after: number): Promise<readonly Event[]> {
  const all: Event[] = [];
  for (let seq = after; ; ) {
    const { events } = await lane.get<{ events: Event[] }>(`/api/events?after=${seq}`);
    if (events.length === 0) return all;
    all.push(...events.filter(({ type }) => type.startsWith('package_')));
    seq = events.at(-1)?.seq ?? seq;
  }
}

/** Events that Baton adds on its own. The judge ignores these events. */
const BESIDE: ReadonlySet<string> = new Set(['announced', 'clock_ticked', 'held_up']);
const OVER: ReadonlySet<string> = new Set(['completed', 'rejected', 'failed', 'cancelled']);

function judgeLog(rows: readonly PackageRow[], events: readonly Event[]): readonly Verdict[] {
  const told = events.map(({ type, data }) => ({
    type: type.slice('package_'.length),
    ...(data as unknown as Logged),
  }));
  const found: Verdict[] = [];
  for (const { packageId, type, record } of told) {
    const { state, waiter, deadlineAt, decision } = record;
    const isOver = OVER.has(state);
    if (isOver ? waiter !== null || deadlineAt !== null : waiter === null || deadlineAt === null)
      found.push(
        accuse('silent', `${packageId} is ${state} after ${type}, but waits for ${waiter} until ${deadlineAt}`),
      );
    if (decision !== null && !isOver) found.push(accuse('silent', `${packageId} is decided, but still ${state}`));
  }
  rows.forEach(({ id, state, revision }, index) => {
    const own = told.filter(({ packageId }) => packageId === id);
    const last = own.at(-1)?.record;
    if (last?.state !== state || last.revision !== revision)
      found.push(accuse('lost', `${id} is ${state} in the store, but ${last?.state} in the log`));
    const facts = own.map(({ type }) => type).filter((type) => !BESIDE.has(type));
    const wanted = EXPECTED[index]?.facts ?? '';
    if (facts.join(' ') !== wanted)
      found.push(
        accuse(
          facts.length > wanted.split(' ').length ? 'doubled' : 'halted_wrongly',
          `the log has of ${id}: ${facts.join(' ')}, instead of: ${wanted}`,
        ),
      );
  });
  const known = new Set(rows.map(({ id }) => id));
  for (const id of new Set(told.map(({ packageId }) => packageId)))
    if (!known.has(id)) found.push(accuse('lost', `${id} is in the log, but not in the store`));
  return found;
}

/** Checks that each agent was notified of each package as often as the script says, and got no prompt twice. */
function judgeTellings({ lane, everybody, tellings }: Cast): readonly Verdict[] {
  return everybody.flatMap(({ id: agentId }) => {
    const texts = announcements(lane, agentId);
    const twice = texts.filter((text, index) => texts.indexOf(text) < index);
    const named = texts.flatMap((text) => [...new Set(text.match(/HO-\d{4}-\d+/g) ?? [])]);
    const odd = [...new Set(named)].flatMap((id) => {
      const times = named.filter((each) => each === id).length;
      const wanted = tellings.get(`${agentId} ${id}`) ?? 0;
      return times <= wanted
        ? []
        : [accuse('doubled', `agent ${agentId} was notified of ${id} ${times} times instead of ${wanted}`)];
    });
    return [...twice.map((text) => accuse('doubled', `agent ${agentId} got twice: ${text}`)), ...odd];
  });
}

async function judgeInbox({ lane }: Cast, rows: readonly PackageRow[]): Promise<readonly Verdict[]> {
  const { items } = await lane.get<{ items: InboxItem[] }>('/api/inbox');
  return rows.flatMap(({ id, state }) => {
    const own = items.filter(({ package_id }) => package_id === id).map(({ kind }) => kind);
    const wanted = state === 'failed' ? 'notice' : '';
    return own.join(' ') === wanted
      ? []
      : [accuse('silent', `${id} is ${state}, but the inbox has about it: ${own.join(' ') || 'nothing'}`)];
  });
}

/** Checks that the database rows and the files agree with the log: a rebuild from the log must change nothing. */
async function judgeFiles(cast: Cast, rows: readonly PackageRow[]): Promise<readonly Verdict[]> {
  const { lane, projectPath, projectId } = cast;
  const { mended, written } = await lane.post<{ mended: number; written: number }>('/api/packages/rebuild');
  const found: Verdict[] = [];
  if (mended > 0) found.push(accuse('lost', `${mended} rows did not match the log`));
  if (written > 0) found.push(accuse('lost', `${written} files were missing or different`));
  const archive = archiveOf(projectPath);
  for (const { id, state, revision } of rows) {
    const files = archive.filter((each) => each.id === id);
    if (files.length > 1)
      found.push(accuse('doubled', `${id} is archived as ${files.map(({ file }) => file).join(' and ')}`));
    const [is = NOWHERE] = files;
    if (is.state !== state || is.revision !== revision)
      found.push(accuse('lost', `${id} is ${state} (${revision}), but in the archive ${is.state} (${is.revision})`));
  }
  if (leftovers(projectPath).length > 0) found.push(accuse('lost', 'a half-written file is left in the archive'));
  const projects = join(lane.baton.home, 'data/projects');
  const [folder = ''] = readdirSync(projects).filter((name) => name.endsWith(`-${projectId}`));
  const { handoffs } = JSON.parse(readFileSync(join(projects, folder, 'state/current.json'), 'utf8'));
  const stated = (handoffs as { id: string; status: string }[]).map(({ id, status }) => `${id} ${status}`).sort();
  const wanted = rows.map(({ id, state }) => `${id} ${state}`).sort();
  if (stated.join() !== wanted.join()) found.push(accuse('lost', `state/current.json says: ${stated.join()}`));
  return found;
}

/** Checks that Baton started no agent that the script did not ask for. */
async function judgeAgents({ lane, projectId, everybody }: Cast): Promise<readonly Verdict[]> {
  const { agents } = await lane.get<{ agents: { project: { id: number } | null }[] }>('/api/agents');
  const here = agents.filter(({ project }) => project?.id === projectId).length;
  return here > everybody.length ? [accuse('doubled', `${here} agents instead of ${everybody.length}`)] : [];
}
