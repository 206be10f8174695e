import { PageTitle } from '../parts/panel.tsx';

export const AgentPage = () => <PageTitle title="Agent" />;
