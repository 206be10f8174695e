import { PageTitle } from '../parts/panel.tsx';

export const ActivityPage = () => <PageTitle title="Activity" />;
