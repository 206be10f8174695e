import { type Agent, type BackgroundTask, shortUuid } from '../../agents/agent.ts';
import { theTool } from '../../packages/tools.ts';
import { askAboutPoints, carriedPoints, type OpenPoint, tellPoints } from '../../personas/open-point.ts';
import type { Persona } from '../../personas/persona.ts';
import { withoutControls } from '../../plain-text.ts';
import { endMarker } from '../document/document.ts';
import type { Run } from '../run.ts';
import { SECTIONS_ASKED_FOR } from './instruction-text.ts';
import { BUILT_IN, render, type Templates } from './templates.ts';

/** Returns the text by which Baton recognizes its own prompt when a hook reports the prompt. */
export const refLine = (ref: string): string => `[baton:${ref}]`;

/**
 * Appends the reference to a prompt. A prompt that does not end with a period may end with a path. The reference then
 * gets a line of its own, so that nobody reads it as a part of the path.
 */
export const withRef = (text: string, ref: string): string =>
  `${text}${text.endsWith('.') ? ' ' : '\n'}${refLine(ref)}`;

export function findRef(text: string): string | null {
  // Take the last reference: Baton appends its own reference to the end of the text, and an earlier one may be a quote
  // in a skill or a note.
  return [...text.matchAll(/\[baton:([a-z0-9-]{4,64})\]/g)].at(-1)?.[1] ?? null;
}

export interface Identity {
  readonly persona: Pick<Persona, 'name' | 'role' | 'slug'>;
  readonly projectName: string;
}

/**
 * The prompt that asks the outgoing agent for the document. With the end marker of the document, the successor later
 * proves that it has read the document.
 */
export function handoffInstruction(
  run: Run,
  identity: Identity,
  ref: string,
  { templates = BUILT_IN, background = [], points = [] }: Wording = {},
): string {
  const text = render('instruction', templates.instruction, {
    ...commonValues(run, identity),
    sections: SECTIONS_ASKED_FOR,
    end_marker: endMarker(run.endToken),
  });
  const whole = withParagraphs(text, run, `${aboutBackground(run, background)}${askAboutPoints(points)}`);
  return withRef(run.comment === null ? whole : `${sentBack(run)}\n${whole}`, ref);
}

/**
 * Inserts paragraphs before the line with the end marker, because the text after this line tells the agent to stop. If
 * the operator's template names the end marker before the list of sections, adds the paragraphs at the end.
 */
function withParagraphs(text: string, { endToken }: Run, paragraphs: string): string {
  if (paragraphs === '') return text;
  const at = text.lastIndexOf('\n', text.lastIndexOf(endMarker(endToken)));
  const before = text.slice(0, Math.max(at, 0));
  return before.includes(SECTIONS_ASKED_FOR) ? `${before}${paragraphs}\n${text.slice(at)}` : `${text}${paragraphs}`;
}

interface Told {
  readonly agent: Agent;
  readonly identity: Identity;
  readonly task: string | null;
  readonly templates?: Templates;
  readonly openPoints?: () => readonly OpenPoint[];
}

interface Wording {
  readonly templates?: Templates;
  /** Background tasks that the agent has left running. */
  readonly background?: readonly BackgroundTask[];
  /** The open points of the agent's chain, oldest first. */
  readonly points?: readonly OpenPoint[];
}

/**
 * Returns the text that asks the agent to describe in the document how the successor can stop or restart the background
 * shells.
 */
function aboutBackground({ background: fate }: Run, tasks: readonly BackgroundTask[]): string {
  const shells = tasks.filter(({ kind }) => kind === 'shell').map(({ what }) => what);
  if (shells.length === 0) return '';
  const what = shells.map((shell) => `"${oneLine(shell)}"`).join(', ');
  return fate === 'keep'
    ? `\n\nYou still run in the background: ${what}. It keeps running after you exit: say in the document what it is and how to stop it.`
    : `\n\nYou still run in the background: ${what}. It is stopped when you exit: say in the document how to start it again.`;
}

/** The text of the prompt for the successor. It contains neither text of the document nor the end token. */
export function injectionPrompt(
  run: Run,
  { agent: predecessor, identity, task, templates = BUILT_IN, openPoints = () => [] }: Told,
): string {
  const text = render('injection', templates.injection, {
    ...commonValues(run, identity),
    predecessor: `${identity.persona.name} (agent ${predecessor.id}, session ${shortUuid(predecessor)})`,
    last_task: oneLine(task ?? ''),
    compaction: notesOf(run),
    acknowledge: acknowledgeCommand(run),
  });
  // The agent's reason for its request and the open points are added after the template, so that an edited template
  // cannot drop them.
  return `${text}${tellRequest(run)}${tellPoints(carriedPoints(openPoints(), run.knowledge))}`;
}

const tellRequest = ({ askedBecause }: Run): string =>
  askedBecause == null ? '' : `\nYour predecessor asked for this handoff itself: "${oneLine(askedBecause)}"`;

/**
 * The reminder to a successor that ended its turn without an acknowledgment, or the operator's own text to this
 * successor.
 */
export function nudgeText({ id, nudge, emergency, document }: Run): string {
  if (nudge?.said != null) return `The operator writes about handoff ${id}: ${nudge.said}`;
  const proof =
    emergency || document === null
      ? 'The handoff prompt contains the proof.'
      : `The proof is in the last line of the handoff document ${document.absolutePath}.`;
  return `Baton: you have not acknowledged handoff ${id} yet. ${proof} Acknowledge now:\n  ${acknowledgeCommand({ id })}`;
}

/**
 * Returns the command for the acknowledgment. Also names Baton's tool, because the successor may be unable to run the
 * command: a permission rule may deny commands, or the login shell may not find `baton`.
 */
const acknowledgeCommand = ({ id }: Pick<Run, 'id'>): string =>
  [
    `baton ack ${id} --proof TOKEN --task "what you are going to do"`,
    `  (if this command cannot run: ${theTool('handoff_run_ack')} with run ${id}, proof and task)`,
  ].join('\n');

/**
 * Returns the part of the prompt with the operator's comment. This part does not come from the template, so that an
 * edited template cannot omit the comment.
 */
const sentBack = ({ comment }: Run): string =>
  [
    // Do not write the path of the old document here: an agent that sees two paths may write to the wrong one.
    'The operator has read your handoff document and sends it back with this comment:',
    `  ${oneLine(comment ?? '')}`,
    'Rewrite the whole document as follows. Keep what was right in it.',
  ].join('\n');

/** Notes for the successor about how the document was written. */
const notesOf = ({ compactedSinceInstruction, clearedSinceInstruction, changedSince }: Run): string =>
  [
    ...(clearedSinceInstruction
      ? [
          "Note: the predecessor's conversation was cleared before the predecessor wrote the document. The predecessor no longer knew its earlier work.",
        ]
      : []),
    ...(compactedSinceInstruction
      ? [
          "Note: the predecessor's context was compacted while the predecessor wrote the document, so the document was written from a summary.",
        ]
      : []),
    ...(changedSince === null
      ? []
      : [`Note: the document does not cover the predecessor's latest work. ${oneLine(changedSince)}`]),
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

/** Returns the priming prompt: the persona's skill and experience. */
export const primingMessage = (persona: Identity['persona'], known: Skill, ref: string): string =>
  [
    `You are ${persona.name}, ${persona.role}. Baton gives you your skill before any work: read it, then answer with one short sentence and wait.`,
    ...skillParts(known),
    '',
    refLine(ref),
  ].join('\n');

/**
 * Returns the skill and experience as context for the start of a session. Unlike the priming prompt, this context asks
 * for no answer.
 */
export const sessionContext = (persona: Identity['persona'], known: Skill): string =>
  [
    `You are ${persona.name}, ${persona.role}. Baton gives you your skill at the start of every session: follow it in all your work.`,
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
