import { Link } from '@tanstack/react-router';
import type { Machine } from '../../../contract/fleet.ts';
import { Badge } from '../parts/badge.tsx';
import { classes } from '../parts/class-names.ts';
import { Panel } from '../parts/panel.tsx';
import { Ago, At } from '../parts/time.tsx';
import { counted, lagInWords, lagOf, presenceInWords } from './machine-words.ts';

const WIDE_ONLY = 'max-lg:hidden';

const HEADS = [
  ['State', 'w-24 lg:w-28'],
  ['Machine', ''],
  ['Needs you', 'w-18 lg:w-32'],
  ['Agents', `w-28 ${WIDE_ONLY}`],
  ['Handoffs', `w-28 ${WIDE_ONLY}`],
  ['Last heard', `w-44 ${WIDE_ONLY}`],
  ['Lag', `w-28 ${WIDE_ONLY}`],
  ['Version', `w-28 ${WIDE_ONLY}`],
] as const;

/**
 * One line per machine. A narrow page shows age, agents and version below the name, so that no line scrolls sideways.
 */
export function MachineTable({
  machines,
  all,
}: {
  readonly machines: readonly Machine[];
  /** All machines of the fleet, including this machine. The table compares each version with this machine's version. */
  readonly all: readonly Machine[];
}) {
  const own = all.find(({ is_self }) => is_self)?.version ?? null;
  return (
    <Panel className="overflow-x-auto">
      <table aria-label="Machines" className="w-full table-fixed text-sm">
        <thead className="border-b border-line text-left text-muted">
          <tr className="[&_th]:px-3 [&_th]:py-2 [&_th]:font-medium">
            {HEADS.map(([head, look]) => (
              <th key={head} scope="col" className={look}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line/60">
          {machines.map((machine) => (
            <MachineLine key={machine.name} machine={machine} ownVersion={own} />
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

function MachineLine({ machine, ownVersion }: { readonly machine: Machine; readonly ownVersion: string | null }) {
  const { name, is_self, is_hub, presence, needs, live_agents, runs_in_flight, version } = machine;
  const { tone, word } = presenceInWords(presence);
  const isOther = version !== null && version !== ownVersion;
  return (
    <tr data-item="" tabIndex={-1} className="[&_td]:px-3 [&_td]:py-2.5 focus-visible:-outline-offset-2">
      <td className="align-top lg:align-middle">
        <Badge tone={tone}>{word}</Badge>
      </td>
      <th scope="row" className="px-3 py-2.5 text-left font-normal">
        {is_self ? (
          <span className="font-semibold">{name}</span>
        ) : (
          <Link to="/machines/$name" params={{ name }} data-open="" className="font-semibold hover:underline">
            {name}
          </Link>
        )}
        <span className="text-muted">{roleInWords(machine)}</span>
        <span className="block text-muted lg:hidden">
          {counted(live_agents, 'agent')} · <LastHeard machine={machine} /> · {version ?? 'version unknown'}
        </span>
      </th>
      <td className="align-top lg:align-middle">
        {needs === 0 ? (
          <span className="text-muted">none</span>
        ) : (
          <Link
            to="/inbox"
            search={is_self ? {} : { machine: name }}
            aria-label={`Inbox of ${name}: ${needs === 1 ? '1 item needs' : `${needs} items need`} you`}
          >
            <Badge tone="amber">{needs}</Badge>
          </Link>
        )}
      </td>
      <td className={WIDE_ONLY}>{live_agents}</td>
      <td className={WIDE_ONLY}>{runs_in_flight}</td>
      <td className={classes('text-muted', WIDE_ONLY)}>
        <LastHeard machine={machine} />
      </td>
      <td className={classes('text-muted', WIDE_ONLY)}>{lagInWords(lagOf(machine))}</td>
      <td className={classes(isOther ? 'text-amber' : 'text-muted', WIDE_ONLY)}>
        {version ?? 'unknown'}
        {isOther && <span className="sr-only"> (this machine has {ownVersion})</span>}
      </td>
    </tr>
  );

  function roleInWords({ role, takes_commands }: Machine): string {
    const words = [
      is_self && 'this machine',
      is_hub && 'hub',
      role === 'viewer' && 'viewer',
      takes_commands === false && 'takes no commands',
    ].filter(Boolean);
    return words.length === 0 ? '' : ` · ${words.join(' · ')}`;
  }
}

const LastHeard = ({ machine: { is_self, presence, last_heard_at } }: { readonly machine: Machine }) =>
  is_self ? (
    'now'
  ) : last_heard_at === null ? (
    'never heard'
  ) : (
    <>
      <Ago at={last_heard_at} />
      {presence === 'away' && (
        <>
          , away since <At at={last_heard_at} />
        </>
      )}
    </>
  );
