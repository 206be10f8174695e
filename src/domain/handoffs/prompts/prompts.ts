import { type Agent, type BackgroundTask, shortUuid } from '../../agents/agent.ts';
import { theTool } from '../../packages/tools.ts';
import type { Persona } from '../../personas/persona.ts';
import { withoutControls } from '../../plain-text.ts';
import { endMarker } from '../document/document.ts';
import type { Run } from '../run.ts';
import { BUILT_IN, render, SECTIONS_ASKED_FOR, type Templates } from './templates.ts';

/** How a prompt that Baton typed is told from every other: the hook that reports it carries this back. */
export const refLine = (ref: string): string => `[baton:${ref}]`;

/** After a sentence on the same line; else on its own, so that nobody takes it for a part of a path, marker or command. */
export const withRef = (text: string, ref: string): string =>
  `${text}${text.endsWith('.') ? ' ' : '\n'}${refLine(ref)}`;

export function findRef(text: string): string | null {
  // The last one: a skill or a note may quote another, and ours stands at the end.
  return [...text.matchAll(/\[baton:([a-z0-9-]{4,64})\]/g)].at(-1)?.[1] ?? null;
}

export interface Identity {
  readonly persona: Pick<Persona, 'name' | 'role' | 'slug'>;
  readonly projectName: string;
}

/** What the outgoing agent is told. The end marker is the successor's proof of having read it all. */
export function handoffInstruction(
  run: Run,
  identity: Identity,
  ref: string,
  { templates = BUILT_IN, background = [] }: Wording = {},
): string {
  const text = render('instruction', templates.instruction, {
    ...commonValues(run, identity),
    sections: SECTIONS_ASKED_FOR,
    end_marker: endMarker(run.endToken),
  });
  const whole = `${text}${aboutBackground(run, background)}`;
  return withRef(run.comment === null ? whole : `${sentBack(run)}\n${whole}`, ref);
}

interface Told {
  readonly agent: Agent;
  readonly identity: Identity;
  readonly task: string | null;
  readonly templates?: Templates;
}

interface Wording {
  readonly templates?: Templates;
  /** What the agent has left running. */
  readonly background?: readonly BackgroundTask[];
}

/** The successor has to know what still runs, or what no longer does. */
function aboutBackground({ background: fate }: Run, tasks: readonly BackgroundTask[]): string {
  const shells = tasks.filter(({ kind }) => kind === 'shell').map(({ what }) => what);
  if (shells.length === 0) return '';
  const what = shells.map((shell) => `"${oneLine(shell)}"`).join(', ');
  return fate === 'keep'
    ? `\n\nIn the background you still run: ${what}. It goes on when you leave: say in the document what it is and how to stop it.`
    : `\n\nIn the background you still run: ${what}. It is stopped when you leave: say in the document how to start it again.`;
}

/** What the successor is told. It holds no text of the document, and not its end token. */
export function injectionPrompt(run: Run, { agent: predecessor, identity, task, templates = BUILT_IN }: Told): string {
  return render('injection', templates.injection, {
    ...commonValues(run, identity),
    predecessor: `${identity.persona.name} (agent ${predecessor.id}, session ${shortUuid(predecessor)})`,
    last_task: oneLine(task ?? ''),
    compaction: notesOf(run),
    acknowledge: acknowledgeCommand(run),
  });
}

/** A permission rule of the operator's own may deny commands; the tools need no permission. */
const acknowledgeCommand = ({ id }: Run): string =>
  [
    `baton ack ${id} --proof TOKEN --task "what you are going to do"`,
    `  (if you may not run commands: ${theTool('handoff_run_ack')} with run ${id}, proof and task)`,
  ].join('\n');

/** Not in the template: it has to stand there whatever the operator's own wording is. */
const sentBack = ({ comment }: Run): string =>
  [
    // Without its path: an agent that is told two paths may write to the wrong one.
    'The operator has read your handoff document and sends it back with this comment:',
    `  ${oneLine(comment ?? '')}`,
    'Write it again, as a whole, as follows. What was right in it stays.',
  ].join('\n');

/** What the successor has to know about how the document came to be. */
const notesOf = ({ compactedSinceInstruction, clearedSinceInstruction, changedSince }: Run): string =>
  [
    ...(clearedSinceInstruction
      ? ["Note: the predecessor's conversation was cleared before it wrote, so it wrote without knowing its work."]
      : []),
    ...(compactedSinceInstruction
      ? ["Note: the predecessor's context was compacted while it wrote, so the document was written from a summary."]
      : []),
    ...(changedSince === null ? [] : [`Note: the document is not the latest. ${oneLine(changedSince)}`]),
  ].join(' ');

const commonValues = (run: Run, { persona, projectName }: Identity) => ({
  persona: persona.name,
  persona_slug: persona.slug,
  role: persona.role,
  project: projectName,
  reason: run.reason,
  path: run.document?.absolutePath ?? '',
  note: run.note ?? '',
});

export interface Skill {
  readonly skill: string;
  readonly experience: string | undefined;
}

/** The persona's skill and experience, as the first thing an agent hears. */
export const primingMessage = (persona: Identity['persona'], known: Skill, ref: string): string =>
  [
    `You are ${persona.name}, ${persona.role}. Baton gives you your skill before any work: take it in, then answer with one short sentence and wait.`,
    ...skillParts(known),
    '',
    refLine(ref),
  ].join('\n');

/** The same for a session that begins with it: nothing is asked, so nothing is to be answered. */
export const sessionContext = (persona: Identity['persona'], known: Skill): string =>
  [
    `You are ${persona.name}, ${persona.role}. Baton gives you your skill at the start of every session: keep to it in all your work.`,
    ...skillParts(known),
  ].join('\n');

const skillParts = ({ skill, experience = '' }: Skill): readonly string[] => [
  '',
  '--- skill ---',
  skill.trim(),
  ...(experience.trim() === '' ? [] : ['', '--- experience ---', experience.trim()]),
];

const MAX_TASK = 1_000;

const oneLine = (text: string): string => withoutControls(text).replace(/\s+/g, ' ').trim().slice(0, MAX_TASK);
