import { Link } from '@tanstack/react-router';
import { PageTitle, Panel } from '../parts/panel.tsx';
import { Icon } from './icon.tsx';
import { usePages } from './pages.ts';

/** Lists the pages that have no tab of their own on a phone. */
export const MorePage = () => (
  <>
    <PageTitle title="More" />
    <Panel>
      <ul className="divide-y divide-line">
        {usePages()
          .filter(({ isTab }) => !isTab)
          .map(({ to, title, icon }) => (
            <li key={to}>
              <Link to={to} className="flex min-h-13 items-center gap-3 px-4 hover:bg-sunken">
                <Icon name={icon} /> {title}
              </Link>
            </li>
          ))}
      </ul>
    </Panel>
  </>
);
