import { shellWord } from '../../../contract/words/shell-quote.ts';
import type { CliFault } from '../cli-fault.ts';
import { duration } from '../output/duration.ts';
import { CROSS, ink, TICK } from '../output/ink.ts';
import type { Output } from '../output/output.ts';
import type { DemoReport } from './demo-report.ts';
import type { DemoPlaces } from './stage/demo-places.ts';

export function showEnd(out: Output, report: DemoReport, fault: CliFault | undefined): void {
  out.print('');
  if (fault !== undefined) out.print(CROSS, ` ${fault.message}`);
  if (fault?.body.hint !== undefined) out.print(`  ${fault.body.hint}`);
  const left = report.left_processes;
  if (left === 0) out.print(TICK, ' Everything that the demo started has ended; no process is left.');
  for (const problem of report.problems ?? []) out.print(CROSS, ` ${problem}`);
  if (report.kills !== undefined)
    out.print(TICK, ` The server was killed with -9 ${report.kills} times during the handoff.`);
  const went = report.completed && report.problems === undefined;
  out.print(
    went ? TICK : CROSS,
    went ? ' Handoff completed' : ' Handoff not completed as expected',
    ink('dim', `  ${duration(report.wall_ms)} in total`),
  );
}

/**
 * Prints where the demo's files are. If the demo had its own server, also prints the command that starts this server
 * again, because the demo stops the server even with --keep.
 */
export function showKept(
  out: Output,
  { root, home, project = 'not created' }: DemoPlaces,
  self: readonly string[],
  runId: number,
): void {
  const baton = `BATON_HOME=${shellWord(home)} ${self.map(shellWord).join(' ')}`;
  out.print('');
  out.print(`Kept in ${root ?? home}`);
  out.print(`  project   ${project}`);
  if (root !== undefined) out.print(`  start it  ${baton} start`);
  out.print(`  show it   ${baton} handoff show ${runId}`);
}
