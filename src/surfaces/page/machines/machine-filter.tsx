import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { machinesQuery } from '../api/fleet-queries.ts';
import { Select } from '../parts/field.tsx';
import { searchOf } from '../parts/to.tsx';

/**
 * The labels that the filter shows on each page while no machine is chosen. Without a chosen machine, the pages of
 * handoffs and packages show only this machine. The agents page and the inbox show all machines.
 */
const UNCHOSEN = {
  '/': 'All machines',
  '/inbox': 'All machines',
  '/runs': 'This machine',
  '/packages': 'This machine',
};

/**
 * Lets the operator choose the machine whose objects the page shows. The choice is stored in the address of the page.
 */
export function MachineFilter({
  page,
  machine,
}: {
  readonly page: keyof typeof UNCHOSEN;
  readonly machine: string | undefined;
}) {
  const { data } = useQuery(machinesQuery);
  const navigate = useNavigate();
  const others = (data?.machines ?? []).filter(({ is_self }) => !is_self).map(({ name }) => name);
  return (
    <Select
      aria-label="Machine"
      value={machine ?? ''}
      className="w-auto! max-w-44 max-sm:flex-[1_0_10rem]"
      onChange={({ target }) => void navigate({ to: page, search: searchOf(target.value || null) })}
    >
      <option value="">{UNCHOSEN[page]}</option>
      {others.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </Select>
  );
}
