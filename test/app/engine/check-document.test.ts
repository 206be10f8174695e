import { expect, it } from 'vitest';
import { checkDocument, compareDocument } from '../../../src/app/engine/effects/documents.ts';
import type { ProjectFacts } from '../../../src/app/ports/files/project-facts.ts';
import type { DocumentCheck } from '../../../src/domain/facts.ts';
import { aRun } from '../../adapters/stores/store-contract.ts';
import { SimWorld } from './sim-world.ts';

/**
 * Creates a run with a document. If the document has no hash, Baton must check the document next. If it has a hash,
 * Baton must compare the document with the project next.
 */
async function runWith(sha256: string | null): Promise<SimWorld> {
  const sim = new SimWorld();
  const { id } = await sim.addAgent();
  const document = { path: 'data/x.md', absolutePath: '/home/data/x.md', sha256, bytes: null, markerFound: null };
  const step = sha256 === null ? 'verifying' : 'recorded';
  await sim.ports.store.write((tx) => tx.insertRun({ ...aRun(id, { step, document }) }));
  sim.documentText = 'The last commit is abcdef1.';
  return sim;
}

const COMPARE = { kind: 'compare_document', agentId: 1, runId: 1 } as const;

it('Baton asks git about the commits that a handoff document names', async () => {
  const sim = await runWith('abc');
  let asked: Parameters<ProjectFacts['git']> | undefined;
  sim.ports.projects.git = async (...args) => {
    asked = args;
    return sim.git;
  };
  const facts = await compareDocument(sim.ports, COMPARE);
  expect(facts).toMatchObject([{ type: 'document_compared', git: sim.git }]);
  expect(asked?.[1]).toEqual(['abcdef1']);
});

it('if the stored copy of a document cannot be read, Baton does not compare the document with the project', async () => {
  const sim = await runWith('abc');
  sim.ports.files.keptDocument = () => Promise.reject(new Error('EIO'));
  expect(await compareDocument(sim.ports, COMPARE)).toEqual([{ type: 'document_compared', runId: 1, findings: [] }]);
});

it('to check whether a handoff document is complete, Baton does not call git', async () => {
  const sim = await runWith(null);
  sim.ports.projects.git = () => Promise.reject(new Error('git must not be asked'));
  const facts = await checkDocument(sim.ports, { kind: 'check_document', agentId: 1, runId: 1 });
  expect(facts).toMatchObject([{ type: 'document_checked', result: { verdict: 'good' } }]);
});

it.each<DocumentCheck['verdict']>(['missing', 'empty'])(
  'Baton does not review the content of a %s document',
  async (verdict) => {
    const sim = await runWith(null);
    sim.document = { verdict } as DocumentCheck;
    const facts = await checkDocument(sim.ports, { kind: 'check_document', agentId: 1, runId: 1 });
    expect(facts).toEqual([{ type: 'document_checked', runId: 1, result: { verdict } }]);
  },
);
