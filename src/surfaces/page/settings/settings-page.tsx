import { PageTitle } from '../parts/panel.tsx';

export const SettingsPage = () => <PageTitle title="Settings" />;
