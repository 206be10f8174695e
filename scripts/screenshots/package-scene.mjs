import { createHmac } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {import('../bench/baton-server.mjs').BatonServer} BatonServer */
/** @typedef {{ id: number, session_uuid: string, persona: { slug: string }, project: { id: number, path: string } }} Party */

/**
 * Makes packages in the states that an operator sees on an ordinary day. The packages are exchanged by two agents of
 * one project and a person.
 *
 * @param {BatonServer} baton
 * @param {Party} sender
 * @param {Party} receiver
 * @param {(holds: () => Promise<boolean>) => Promise<void>} until
 * @returns {Promise<Record<string, string>>} page name → address
 */
export async function makePackages(baton, sender, receiver, until) {
  const from = sender.persona.slug;
  const to = receiver.persona.slug;
  const docs = join(sender.project.path, 'docs');
  mkdirSync(docs, { recursive: true });
  writeFileSync(join(docs, 'retry.md'), '# Retry of payments\n\n3 cases, 1 retry each.\n');
  writeFileSync(join(docs, 'errors.md'), '# Error codes\n\n12 codes.\n');
  const api = callers(baton);
  const artifact = (/** @type {string} */ path, /** @type {string} */ description) => ({
    path,
    type: 'doc',
    description,
    role: 'created',
  });

  mkdirSync(join(sender.project.path, '.project'), { recursive: true });
  writeFileSync(join(sender.project.path, '.project/workflow.yaml'), workflowOf(from, to));
  const review = await api.as(sender, '', {
    package: {
      from: { agent: from, step: 2 },
      to: { agent: to, reason: 'The retry moves money, so somebody else has to look for double charges' },
      context: {
        summary:
          'Payments that time out are retried once (docs/retry.md). 14 tests cover 3 providers; the fourth is mocked.',
        decisions: [
          {
            id: 'D-001',
            decision: 'One retry, after 2 seconds',
            rationale: 'Two of three providers forbid more than one',
          },
          {
            id: 'D-002',
            decision: 'The idempotency key is the order number',
            rationale: 'It is the only id all providers keep',
          },
        ],
        artifacts: [artifact('docs/retry.md', 'The three cases'), artifact('docs/errors.md', 'New error codes')],
        open_questions: [
          {
            question: 'Does the fourth provider keep keys for 24 hours?',
            priority: 'medium',
            owner: to,
            blocking: false,
          },
        ],
        dead_ends: ['A queue in the database: it locked the orders table for 4 s under load.'],
      },
      expectations: {
        deliverable: 'A list of the ways in which a customer could be charged twice',
        constraints: ['Read only: no test may reach a live provider', 'Answer quickly'],
        success_criteria: [
          'All 3 cases of docs/retry.md are answered',
          'The risk of a double charge is named for each provider',
        ],
      },
    },
  });
  await api.as(receiver, `/${review.id}/receive`, {});
  await api.as(receiver, `/${review.id}/ask`, {
    questions: ['Which provider is mocked?', 'Is the staging account still valid?'],
  });
  await api.as(sender, `/${review.id}/answer`, {
    answers: [
      { id: 'Q-1-1', text: 'The fourth, in test/providers/fourth.ts.' },
      { id: 'Q-1-2', text: 'Yes, until the end of the month.' },
    ],
  });
  await api.as(receiver, `/${review.id}/receive`, {});
  await api.as(receiver, `/${review.id}/ack`, {
    acknowledgment: {
      received: true,
      understood: {
        task: 'Go through the three retry cases and write down where a key could be lost, so that a card is charged twice.',
      },
      questions: [],
      starting: true,
    },
  });

  const gate = await api.as(sender, '', {
    package: {
      from: { agent: from },
      to: { agent: 'human', reason: 'The retry goes live with the next step' },
      gate: { type: 'blocking', name: 'Retry goes live', step: 3, contact: 'payments lead' },
      context: {
        summary: 'The retry is built and described in docs/retry.md. 14 tests pass; docs/errors.md lists 12 new codes.',
        artifacts: [artifact('docs/retry.md', 'The three cases'), artifact('docs/errors.md', 'New error codes')],
      },
      validation_request: {
        items: ['One retry after 2 seconds is right for all providers', 'The 12 error codes may be shown to customers'],
        options: {
          approve: 'Step 3 begins: the retry is switched on for 5 % of the orders.',
          reject: 'The retry stays off, and I change what you name.',
          question: 'I answer before anything is switched on.',
        },
      },
    },
  });
  // Wait until the page can show a change of the artifact, because Baton stores the artifact's text only shortly after
  // the package.
  const kept = join(baton.home, 'data/artifacts');
  await until(async () => existsSync(kept) && readdirSync(kept).length >= 2);
  writeFileSync(join(docs, 'errors.md'), '# Error codes\n\n13 codes.\n');

  const asked = await api.as('operator', '', {
    project_id: sender.project.id,
    package: {
      from: { agent: 'human' },
      to: { agent: to, reason: 'Ada reviewed the refund code in March' },
      context: {
        summary: 'Support has 9 tickets about refunds that arrive twice (docs/errors.md, code E-207).',
        open_questions: [],
      },
      expectations: {
        deliverable: 'The cause of E-207',
        success_criteria: ['A test fails before the fix and passes after it'],
      },
    },
  });
  await api.as(receiver, `/${asked.id}/receive`, {});
  await api.as(receiver, `/${asked.id}/ask`, {
    questions: ['Are the 9 tickets all from one provider?'],
  });

  const draft = await api.as(sender, '', {
    seal: false,
    package: {
      from: { agent: from },
      to: { agent: to, reason: 'A second pair of eyes' },
      context: { summary: 'It is done.', artifacts: [{ path: 'docs/refunds.md' }] },
      expectations: { deliverable: 'A review', success_criteria: ['Write good code'] },
    },
  });
  return {
    packages: '/packages',
    package: `/packages/${review.id}`,
    gate: `/packages/${gate.id}`,
    draft: `/packages/${draft.id}`,
  };
}

/**
 * @param {string} from
 * @param {string} to
 */
const workflowOf = (from, to) => `workflow:
  name: payments
  steps:
    - { step: build, persona: ${from}, deliverable: The retry with its tests }
    - step: review
      persona: ${to}
      deliverable: A list of the ways in which a customer could be charged twice
      gate: { type: blocking, name: Retry goes live, items: [One retry is right for all providers] }
    - { step: release, persona: ${from} }
`;

/** @param {BatonServer} baton */
function callers(baton) {
  const secret = readFileSync(join(baton.home, 'secret'), 'utf8').trim();
  /**
   * @param {Party | 'operator'} who
   * @param {string} path
   * @param {object} body
   */
  const as = async (who, path, body) => {
    if (who === 'operator') return baton.call(`/api/packages${path}`, body);
    const token = createHmac('sha256', secret).update(who.session_uuid).digest('hex');
    const text = JSON.stringify(body);
    const headers = { authorization: `Bearer ${token}`, 'content-length': String(Buffer.byteLength(text)) };
    const answer = await baton.ask(`/api/packages${path}`, headers, 'POST', text);
    let json = '';
    for await (const chunk of answer.setEncoding('utf8')) json += chunk;
    if ((answer.statusCode ?? 0) >= 300) throw new Error(`${path}: ${json}`);
    return JSON.parse(json);
  };
  return { as };
}
