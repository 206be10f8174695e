import { Link, useNavigate } from '@tanstack/react-router';
import type { Persona } from '../../../contract/resources.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { Menu, MenuItem, MenuLine } from '../parts/menu.tsx';
import { useArchive } from './use-archive.ts';

export function PersonaRow({
  persona,
  liveAgents,
  onStart,
}: {
  readonly persona: Persona;
  /** The number of live agents with this persona; undefined until the agents have loaded. */
  readonly liveAgents: number | undefined;
  readonly onStart: () => void;
}) {
  const { slug, name, role, status } = persona;
  const archive = useArchive(persona);
  const navigate = useNavigate();
  const params = { slug };
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-xl border border-line bg-panel px-4 py-3 shadow-card">
      <div className="min-w-0 flex-1 basis-48">
        <p>
          <Link
            to="/personas/$slug"
            params={params}
            className="font-semibold wrap-anywhere underline-offset-4 hover:underline"
          >
            {visible(name)}
          </Link>{' '}
          <span className="wrap-anywhere text-muted">{role}</span>
        </p>
        {/* Never cut off the slug, because its end tells two personas with the same name apart. */}
        <code className="block font-mono text-sm wrap-anywhere text-muted">{slug}</code>
      </div>
      <div className="flex flex-1 flex-wrap items-center justify-between gap-3 sm:flex-none">
        <span>{status === 'archived' ? <Badge tone="grey">archived</Badge> : <LiveCount count={liveAgents} />}</span>
        <span className="flex items-center gap-1">
          {status === 'archived' ? (
            <Button
              small
              busy={archive.busy}
              onClick={() => void archive.run()}
              aria-label={`Restore ${name} (${slug})`}
            >
              Restore
            </Button>
          ) : (
            <Button small onClick={onStart} aria-label={visible(`Start agent as ${name} (${slug})`)}>
              Start agent
            </Button>
          )}
          <Menu label={`More actions for ${name} (${slug})`}>
            <MenuItem onSelect={() => void navigate({ to: '/personas/$slug', params })}>Skill and experience</MenuItem>
            <MenuItem onSelect={() => void navigate({ to: '/personas/$slug/lineage', params })}>Lineage</MenuItem>
            <MenuLine />
            <MenuItem danger={status === 'active'} disabled={archive.busy} onSelect={() => void archive.run()}>
              {status === 'archived' ? 'Restore' : 'Archive…'}
            </MenuItem>
          </Menu>
        </span>
      </div>
    </li>
  );
}

const LiveCount = ({ count }: { readonly count: number | undefined }) => {
  if (count === undefined) return null;
  if (count === 0) return <span className="text-sm text-muted">no live agents</span>;
  return <Badge tone="green">{count === 1 ? '1 live agent' : `${count} live agents`}</Badge>;
};
