import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Run } from '../../../contract/resources.ts';
import { stepTitle } from '../../../contract/words/step-words.ts';
import { duration } from '../output/duration.ts';
import { CROSS, ink, type Part, TICK } from '../output/ink.ts';
import { table } from '../output/table.ts';
import type { Verdict } from './check-evidence.ts';
import { newFiles } from './stage/project-files.ts';
import type { Stage } from './stage/stage.ts';

const MAX_LINES = 8;

export function showDocument({ out }: Stage, run: Run, document: string): void {
  out.print('');
  out.print(ink('bold', 'Handoff document'));
  out.print(`  ${run.document?.absolute_path ?? 'no document'} `, ink('dim', `${Buffer.byteLength(document)} bytes`));
  for (const line of nextSteps(document)) out.print('    ', ink('dim', line));
}

/** Returns the part of the document under "Next steps", including the heading. */
export function nextSteps(document: string): string[] {
  const lines = document.split('\n');
  const start = lines.findIndex((line) => /^#+ .*next steps/i.test(line));
  if (start === -1) return [];
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => /^(#+ |<!--)/.test(line));
  const part = rest.slice(0, end === -1 ? undefined : end).filter((line) => line.trim() !== '');
  return [(lines[start] ?? '').replace(/^#+ /, ''), ...part.slice(0, MAX_LINES)];
}

export function showSuccessor(
  { out, project }: Stage,
  run: Run,
  verdict: Verdict,
  filesBefore: readonly string[],
): void {
  out.print('');
  out.print(ink('bold', `Successor (agent ${run.successor_agent_id ?? '?'})`));
  const { acknowledgement } = run;
  if (acknowledgement === null) out.print('  ', CROSS, ' It did not acknowledge.');
  else out.print('  ', TICK, ` It acknowledged: “${acknowledgement.task}”`);
  if (verdict.proofOk) out.print('  ', TICK, " The proof matched: only the document's last line contains the token.");
  for (const file of newFiles(project, filesBefore)) out.print('  ', TICK, ` It continued the work: ${file}`);
  out.print('  ', ink('dim', planState(project)));
  for (const problem of verdict.problems) out.print('  ', CROSS, ` ${problem}`);
}

function planState(project: string): string {
  const path = join(project, 'PLAN.md');
  const plan = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const done = plan.match(/^- \[x\]/gm)?.length ?? 0;
  const all = plan.match(/^- \[[ x]\]/gm)?.length ?? 0;
  return `PLAN.md: ${done} of ${all} steps are done.`;
}

export function showSteps({ out }: Stage, run: Run): void {
  const finished = run.steps.filter(({ ms }) => ms !== null);
  const total = finished.reduce((sum, { ms }) => sum + (ms ?? 0), 0);
  const rows: Part[][] = finished.map(({ step, ms }) => [stepTitle(step), duration(ms ?? 0)]);
  const sum: Part[] = [ink('bold', 'total'), ink('bold', duration(total))];
  out.print('');
  for (const line of table(['step', '>duration'], [...rows, sum])) out.print('  ', ...line);
}
