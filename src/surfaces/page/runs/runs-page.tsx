import { PageTitle } from '../parts/panel.tsx';

export const RunsPage = () => <PageTitle title="Handoffs" />;
