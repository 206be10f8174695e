import type { ReactNode } from 'react';
import { MachineNote, OnMachine } from './on-machine.tsx';

/** A whole page about another machine, below a note that names the machine and says how old the shown data is. */
export default function MachineScope({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <OnMachine name={name}>
      <MachineNote />
      {children}
    </OnMachine>
  );
}
