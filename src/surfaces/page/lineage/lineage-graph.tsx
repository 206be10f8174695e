import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { reasonInWords } from '../../../contract/words/step-words.ts';
import { stateInWords } from '../agents/state-words.ts';
import { classes } from '../parts/class-names.ts';
import { visible } from '../parts/markdown/visible-text.ts';
import { FADED, fadeEnds } from '../parts/scroll/fade-ends.ts';
import { ScrollRegion } from '../parts/scroll/scroll-region.tsx';
import { type Chain, type Edge, gapOf, isLive, type PlacedAgent } from './lay-out-lineage.ts';

const NODE = { width: 176, height: 76 } as const;
const GAP = { across: 148, down: 44 } as const;
const MARGIN = 8;

const left = ({ generation }: PlacedAgent): number => MARGIN + generation * (NODE.width + GAP.across);
const top = ({ row }: PlacedAgent): number => MARGIN + row * (NODE.height + GAP.down);
const middle = (placed: PlacedAgent): number => top(placed) + NODE.height / 2;

/** The graph of predecessors and successors: one column per generation, one row per branch. */
export function ChainGraph({ chain }: { readonly chain: Chain }) {
  const frame = useRef<HTMLDivElement>(null);
  // Scroll to the end, where the newest agent is.
  useEffect(() => {
    const { current } = frame;
    if (current === null) return undefined;
    current.scrollLeft = current.scrollWidth;
    const observer = new ResizeObserver(() => fadeEnds(current));
    observer.observe(current);
    // Observe the graph itself, too, because a new agent widens the graph, but not the frame around it.
    if (current.firstElementChild !== null) observer.observe(current.firstElementChild);
    return () => observer.disconnect();
  }, []);
  const width = 2 * MARGIN + chain.generations * NODE.width + (chain.generations - 1) * GAP.across;
  const height = 2 * MARGIN + chain.rows * NODE.height + (chain.rows - 1) * GAP.down;
  return (
    <ScrollRegion
      ref={frame}
      label={`Agent chain starting with agent ${chain.agents[0]?.agent.id}`}
      onScroll={({ currentTarget }) => fadeEnds(currentTarget)}
      className={classes(FADED, 'max-h-[70dvh] overscroll-x-contain p-2')}
    >
      <div className="relative" style={{ width, height }}>
        <svg aria-hidden="true" width={width} height={height} className="absolute inset-0">
          {chain.edges.map((edge) => (
            <path
              key={edge.to.agent.id}
              d={pathOf(edge)}
              fill="none"
              strokeWidth="1.75"
              strokeDasharray={edge.kind === 'handoff' && gapOf(edge) === null ? undefined : '5 4'}
              className={strokeOf(edge)}
            />
          ))}
        </svg>
        <ol aria-label="Agents, oldest first">
          {chain.agents.map((placed) => (
            <li key={placed.agent.id}>
              <EdgeLabel edge={chain.edges.find(({ to }) => to === placed)} />
              <AgentNode placed={placed} />
            </li>
          ))}
        </ol>
      </div>
    </ScrollRegion>
  );
}

const strokeOf = (edge: Edge): string =>
  edge.kind === 'brought_back' ? 'stroke-violet' : gapOf(edge) === null ? 'stroke-line-strong' : 'stroke-amber';

/**
 * Returns the path of an edge: straight within a row, otherwise first down and then across, so that the edge crosses no
 * agent.
 */
function pathOf({ from, to }: Edge): string {
  const x = left(from) + NODE.width;
  const y = middle(from);
  const end = middle(to);
  const arrow = `M${left(to) - 7} ${end - 4}L${left(to) - 1} ${end}L${left(to) - 7} ${end + 4}`;
  if (from.row === to.row) return `M${x} ${y}H${left(to) - 1}${arrow}`;
  const turn = x + 12;
  return `M${x} ${y}H${turn - 8}Q${turn} ${y} ${turn} ${y + 8}V${end - 8}Q${turn} ${end} ${turn + 8} ${end}H${left(to) - 1}${arrow}`;
}

function EdgeLabel({ edge }: { readonly edge: Edge | undefined }) {
  if (edge === undefined) return null;
  const gap = gapOf(edge);
  const words = edge.kind === 'brought_back' ? 'resumed' : edge.handoff && reasonInWords(edge.handoff.reason);
  const shared = 'absolute flex -translate-y-1/2 flex-col items-center gap-0.5 text-center text-xs leading-4';
  const place = { left: left(edge.to) - GAP.across + 20, top: middle(edge.to), width: GAP.across - 26 };
  const run = edge.handoff?.run_id ?? null;
  const content = (
    <>
      {words && (
        <span className={classes('bg-panel px-1', edge.kind === 'brought_back' ? 'text-violet' : 'text-muted')}>
          {words}
        </span>
      )}
      {gap !== null && <span className="rounded bg-amber-soft px-1.5 font-medium text-amber">{gap}</span>}
    </>
  );
  if (run === null)
    return (
      <span className={shared} style={place}>
        {content}
      </span>
    );
  return (
    <Link to="/runs/$id" params={{ id: run }} className={classes(shared, 'hover:underline')} style={place}>
      <span className="sr-only">
        Handoff {run} to agent {edge.to.agent.id}:{' '}
      </span>
      {content}
    </Link>
  );
}

function AgentNode({ placed }: { readonly placed: PlacedAgent }) {
  const { agent } = placed;
  const live = isLive(agent);
  return (
    <Link
      to="/agents/$id"
      params={{ id: agent.id }}
      style={{ left: left(placed), top: top(placed), width: NODE.width, height: NODE.height }}
      className={classes(
        'absolute flex flex-col justify-center rounded-lg border px-3 text-sm hover:border-accent',
        live ? 'border-2 border-accent bg-accent-soft' : 'border-line-strong bg-panel',
      )}
    >
      <span className="truncate font-semibold">Agent {agent.id}</span>
      <span className="truncate text-xs text-muted">{visible(agent.project)}</span>
      <span className={classes('truncate text-xs font-medium', live ? 'text-accent' : 'text-muted')}>
        {stateInWords(agent.state)}
        {agent.brought_back && ' · resumed'}
      </span>
    </Link>
  );
}
