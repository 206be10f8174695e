import { PageTitle } from '../parts/panel.tsx';

export const PersonaPage = () => <PageTitle title="Persona" />;
