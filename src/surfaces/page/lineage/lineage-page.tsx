import { PageTitle } from '../parts/panel.tsx';

export const LineagePage = () => <PageTitle title="Lineage" />;
