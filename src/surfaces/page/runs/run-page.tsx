import { PageTitle } from '../parts/panel.tsx';

export const RunPage = () => <PageTitle title="Run" />;
