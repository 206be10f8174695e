import { keepConditions } from '../../domain/package/conditions.ts';
import { mayBeSealed } from '../../domain/package/lint/lint-package.ts';
import type { PackageInput } from '../../domain/package/package.ts';
import { recordFields } from '../../domain/package/package-world.ts';
import { sealOf } from '../../domain/package/seal-package.ts';
import type { GivenAnswer, StoredPackage } from '../../domain/package/stored-package.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import type { Tx } from '../ports/store.ts';
import type { Ports } from '../world.ts';
import { type Authored, judgeAuthored, refuseFor, refuseText } from './judge-authored.ts';
import { lintInStore } from './lint-in-store.ts';
import { lookAtProject } from './look-at-project.ts';
import { type Asking, actorOf, type Found, findPackage } from './package-caller.ts';
import { placeOfRevision } from './package-place.ts';
import { recordPackageFact } from './record-package-fact.ts';
import { nextRevision } from './seal-in-store.ts';

export interface Answers {
  readonly epoch: number;
  readonly answers: readonly { readonly id: string; readonly text: string }[];
  /** The package written anew; without it, it stays as it is and the answers stand in it. */
  readonly authored?: Authored | undefined;
}

/** The answers are part of the new revision, so its hash covers them. */
const EXTENSION = 'baton.answers';

/** P18. All questions are answered by a new revision, which its lint has to let through like the first. */
export async function answerPackage(
  ports: Ports,
  asking: Asking,
  id: string,
  given: Answers,
): Promise<StoredPackage | Refusal> {
  const written = given.authored === undefined ? undefined : judgeAuthored(ports, given.authored);
  if (written !== undefined && isRefusal(written)) return written;
  const unfit = refuseText(ports, { answers: given.answers });
  if (unfit !== undefined) return unfit;
  const before = ports.store.read((tx) => revise(tx, asking, id, { ...given, written }));
  if (isRefusal(before)) return before;
  const place = ports.store.read((tx) => placeOfRevision(tx, before.caller, before.stored));
  if (place === undefined) return { code: 'project_not_found', sentence: `The project of ${id} is gone.` };
  const looked = await lookAtProject(ports, place, before.revised.content);
  return ports.store.write((tx) => {
    const found = revise(tx, asking, id, { ...given, written });
    if (isRefusal(found)) return found;
    const { stored, revised, caller } = found;
    const part = actorOf(tx, found, ['sender']);
    if (isRefusal(part)) return part;
    // A person who answers for a sender that is gone says so.
    const by = part.actor === 'host' ? 'operator' : part.actor;
    const parent = stored.lineage.parent === null ? undefined : tx.packageById(stored.lineage.parent);
    const report = lintInStore(tx, ports, {
      // What it is stays so, however it is written anew.
      content: { ...revised.content, type: stored.record.type },
      parent,
      looked,
      waivers: stored.waivers,
      workflow: null,
    });
    if (!mayBeSealed(report)) return refuseFor(report.findings, `${id} is not sealed anew`, 'not_sealable');
    const sealed = nextRevision(tx, ports, revised, { caller, looked });
    const { gate, expiresAt } = recordFields(id, stored.record.type, revised.content);
    const answered = given.answers.map((answer) => answer.id);
    return recordPackageFact(
      tx,
      ports,
      stored,
      { type: 'answered', answered, seal: sealOf(sealed), by, epoch: given.epoch },
      {
        agentId: caller.agentId,
        fields: { gate, expiresAt },
        changes: {
          content: revised.content,
          revisions: [...stored.revisions, sealed],
          answers: revised.answers.map((answer) => (answer.by === '' ? { ...answer, by } : answer)),
          findings: report.findings,
          worktreeId: place.worktree?.id ?? null,
        },
      },
    );
  });
}

type Revised = Found & { readonly revised: StoredPackage };

function revise(
  tx: Tx,
  asking: Asking,
  id: string,
  { answers, written }: Answers & { readonly written: PackageInput | undefined },
): Revised | Refusal {
  const found = findPackage(tx, asking, id);
  if (isRefusal(found)) return found;
  const { stored } = found;
  if (written !== undefined && (written.from.agent !== stored.record.from || written.to.agent !== stored.record.to))
    return {
      code: 'forbidden',
      sentence: `${id} goes from ${stored.record.from} to ${stored.record.to}, and stays so.`,
    };
  const refusal = refuseAnswers(stored, answers);
  if (refusal !== undefined) return refusal;
  const said = stored.record.questions.flatMap((question): GivenAnswer[] => {
    const answer = answers.find((each) => each.id === question.id);
    return answer === undefined ? [] : [{ id: question.id, question: question.text, answer: answer.text, by: '' }];
  });
  const all = [...stored.answers, ...said];
  const base =
    written === undefined ? stored.content : keepConditions(stored.content, { ...written, ...ofStep(stored) });
  const shown = all.map(({ id: name, question, answer }) => ({ id: name, question, answer }));
  const content = { ...base, extensions: { ...base.extensions, [EXTENSION]: shown } };
  return { ...found, revised: { ...stored, content, answers: all } };
}

/** What answers no question would be lost without a word. */
function refuseAnswers({ record }: StoredPackage, answers: Answers['answers']): Refusal | undefined {
  const open = record.questions.map(({ id }) => id);
  const odd = answers.find(
    ({ id }, index) => !open.includes(id) || answers.findIndex((each) => each.id === id) < index,
  );
  return odd === undefined || open.length === 0
    ? undefined
    : {
        code: 'bad_request',
        sentence: `Nothing was answered: ${odd.id} is ${open.includes(odd.id) ? 'answered twice' : `no open question of ${record.id}`}.`,
        hint: `Answer each of these once: ${open.join(', ')}`,
      };
}

/** P28. The step that it begins stays what it was when it was sealed. */
const ofStep = ({ step, content: { workflow_state } }: StoredPackage): Pick<PackageInput, 'workflow_state'> =>
  step === undefined ? {} : { workflow_state };
