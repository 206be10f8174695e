import { Link, useNavigate } from '@tanstack/react-router';
import type { PersonaDetail } from '../../../contract/resources.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { Menu, MenuItem, MenuLine } from '../parts/menu.tsx';
import { PageTitle } from '../parts/panel.tsx';
import { ShortPaths } from '../parts/words/short-paths.tsx';
import { useArchive } from './use-archive.ts';

export const ALL_PERSONAS = { to: '/personas', title: 'Personas' };

export function PersonaTitle({
  persona,
  onEdit,
  onStart,
}: {
  readonly persona: PersonaDetail;
  readonly onEdit: () => void;
  readonly onStart: () => void;
}) {
  const { slug, name, role, status, folder, agents } = persona;
  const archive = useArchive(persona);
  const navigate = useNavigate();
  const isArchived = status === 'archived';
  return (
    <>
      <PageTitle back={ALL_PERSONAS} title={name} note={<span className="text-base text-ink">{role}</span>}>
        <Button
          className="max-md:px-3"
          onClick={onEdit}
          aria-label={visible(`Edit name and role of ${name} (${slug})`)}
        >
          Edit name and role
        </Button>
        {isArchived ? (
          <Button
            kind="primary"
            busy={archive.busy}
            aria-label={visible(`Restore ${name} (${slug})`)}
            onClick={() => void archive.run()}
          >
            Restore
          </Button>
        ) : (
          <Button
            className="max-md:px-3"
            kind="primary"
            aria-label={visible(`Start agent as ${name} (${slug})`)}
            onClick={onStart}
          >
            Start agent
          </Button>
        )}
        <Menu label={`More actions for ${name} (${slug})`}>
          <MenuItem onSelect={() => void navigate({ to: '/personas/$slug/lineage', params: { slug } })}>
            Lineage
          </MenuItem>
          <MenuLine />
          <MenuItem danger={!isArchived} disabled={archive.busy} onSelect={() => void archive.run()}>
            {isArchived ? 'Restore' : 'Archive…'}
          </MenuItem>
        </Menu>
      </PageTitle>
      <p className="-mt-3 mb-5 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted">
        {isArchived && <Badge tone="grey">archived: no new agents</Badge>}
        <Link
          to="/personas/$slug/lineage"
          params={{ slug }}
          className="text-accent underline underline-offset-4 hover:text-accent-hover"
        >
          Lineage: {countOf(agents.length)} so far
        </Link>
        <span className="wrap-anywhere">
          <ShortPaths text={folder} />
        </span>
      </p>
    </>
  );
}

/** The server sends at most the newest 100 agents of a persona. */
const countOf = (agents: number): string =>
  agents === 1 ? '1 agent' : agents < 100 ? `${agents} agents` : '100 or more agents';
