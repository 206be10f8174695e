import { PageTitle } from '../parts/panel.tsx';

export const InboxPage = () => <PageTitle title="Inbox" />;
