import { PageTitle } from '../parts/panel.tsx';

export const PersonasPage = () => <PageTitle title="Personas" />;
