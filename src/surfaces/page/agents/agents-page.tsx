import { PageTitle } from '../parts/panel.tsx';

export const AgentsPage = () => <PageTitle title="Agents" />;
