/**
 * Clean packages as people and agents might write them, of every type and from different trades. They are written without
 * regard to the words that the lint knows: what it says about them is the measurement.
 */
export interface Sample {
  readonly name: string;
  readonly handoff: Readonly<Record<string, unknown>>;
}

/** Spelled so, an object with it is not taken for a promise by the linter. */
const THEN = 'then';

const sample = (name: string, handoff: Record<string, unknown>): Sample => ({ name, handoff });

export const CLEAN: readonly Sample[] = [
  sample('shop-specs', {
    type: 'sequential',
    from: { agent: 'specification', step: 2 },
    to: { agent: 'architecture', reason: 'Stories are signed off, the design can begin' },
    context: {
      summary:
        'Checkout specified in 3 epics and 12 user stories. The client signed them off on the call of 14 January.',
      decisions: [
        {
          id: 'D-001',
          decision: 'Guests can order without an account',
          rationale: '40% of orders come from first-time buyers',
        },
        {
          id: 'D-002',
          decision: 'Prices are kept in cents',
          rationale: 'Floating point lost a cent in 2 of 900 test orders',
        },
      ],
      artifacts: [
        { path: '.project/02-requirements/epics/EP-001.md', type: 'spec', description: 'Checkout epic' },
        { path: '.project/02-requirements/user-stories/', type: 'spec', description: 'All stories' },
      ],
      open_questions: [
        {
          question: 'Do vouchers apply before or after shipping?',
          priority: 'medium',
          context: 'Finance answers by Friday',
        },
      ],
    },
    expectations: {
      deliverable: 'Architecture document with component and sequence diagrams',
      constraints: ['Stay on PostgreSQL 15', 'No new cloud vendor'],
      success_criteria: [
        'Every story is mapped to a component',
        'The order flow is described for all 4 payment methods',
      ],
    },
    workflow_state: {
      name: 'greenfield',
      current_step: 3,
      completed_steps: ['idea', 'specification'],
      remaining_steps: ['architecture', 'build', 'release'],
    },
  }),
  sample('security-review', {
    from: { agent: 'architecture', step: 3 },
    to: { agent: 'security-check', reason: 'Tokens are involved, and the threat model is theirs' },
    context: {
      summary: 'REST API of 14 endpoints drafted with JWT sessions; the refresh flow lives in src/auth/refresh.ts.',
      artifacts: [{ path: 'src/auth/refresh.ts', type: 'code', description: 'Refresh token rotation' }],
      open_questions: [],
    },
    expectations: {
      deliverable: 'Risk report for the session handling',
      constraints: ['Look at authentication and personal data only'],
      success_criteria: [
        'No critical risk without a named mitigation',
        {
          id: 'C-002',
          text: 'Report lists each endpoint',
          verify: { kind: 'file_exists', path: 'docs/risk-report.md' },
        },
      ],
    },
  }),
  sample('choose-approach', {
    from: { agent: 'estimation', step: 'estimate' },
    to: { agent: 'human', reason: 'This is a business decision' },
    context: {
      summary: 'Two ways to migrate the billing data were estimated: 9 days with downtime, 21 days without.',
      decisions: [
        {
          id: 'pending',
          decision: 'Migrate with or without downtime',
          rationale: 'Depends on the contract with the bank',
        },
      ],
      open_questions: [{ question: 'Is one night of downtime acceptable to the bank?', priority: 'high' }],
      artifacts: [{ path: 'docs/estimates/billing.xlsx', type: 'data', description: 'Both estimates' }],
    },
    expectations: { deliverable: 'A choice with its reason' },
  }),
  sample('review-returned', {
    type: 'return',
    from: { agent: 'security-check', step: null },
    to: { agent: 'architecture', reason: 'Review finished' },
    context: {
      summary: '2 risks found in the token refresh, both with a remedy; the upload endpoint was out of reach.',
      artifacts: [{ path: '.project/05-quality/security/review-2024-01.md', type: 'doc', description: 'The review' }],
      decisions: [
        {
          id: 'SEC-001',
          decision: 'Rotate refresh tokens on every use',
          rationale: 'A stolen one is noticed at its second use',
        },
      ],
      open_questions: [],
    },
    criteria_results: [{ id: 'C-001', result: 'pass', evidence: 'review-2024-01.md, section 3' }],
    lineage: { returns_for: 'HO-2026-014' },
  }),
  sample('release-gate', {
    from: { agent: 'release-manager' },
    to: { agent: 'human', reason: 'BLOCKING gate reached' },
    gate: {
      type: 'blocking',
      name: 'Release 4.2',
      step: 'release',
      deadline: '2026-02-01T17:00:00Z',
      contact: 'head-of-product',
    },
    context: {
      summary: 'Release 4.2 is built from commit 9f3c1ab; 312 of 312 tests passed, and the changelog is written.',
      artifacts: [
        { path: 'CHANGELOG.md', type: 'doc', description: 'What is new', role: 'modified' },
        { path: 'reports/tests-4.2.xml', type: 'test', description: 'Test report' },
      ],
      open_questions: [],
    },
    validation_request: {
      items: ['The changelog names every breaking change', 'The price page matches the contract'],
      options: { approve: 'Publish to all customers', reject: 'Back to the team', question: 'Ask the release manager' },
    },
  }),
  sample('shift-end', {
    from: { agent: 'developer-con-1', persona: 'developer-con-1', session: 'b5c1' },
    to: { agent: 'developer-con-1', reason: 'The context window is nearly full' },
    reason_code: 'context_limit',
    context: {
      summary:
        'Half of the importer is rewritten: CSV and TSV are read as streams, XLSX still goes through the old path in src/import/xlsx.ts.',
      artifacts: [
        { path: 'handoffs/2026-01-15.md', type: 'doc', description: 'The handoff document' },
        { path: 'src/import/xlsx.ts', type: 'code', description: 'Old reader', role: 'modified' },
      ],
      decisions: [{ id: 'D-007', decision: 'Streams instead of buffers', rationale: 'A 2 GB file ended the process' }],
      open_questions: [],
      dead_ends: ['Reading XLSX with the streaming library: it drops merged cells'],
    },
    expectations: { deliverable: 'XLSX read as a stream, with the old tests green' },
  }),
  sample('data-cleaning', {
    from: { agent: 'data-engineer' },
    to: { agent: 'statistician', reason: 'The tables are ready for the model' },
    context: {
      summary: 'Merged 7 surveys into one table of 48,211 rows. Income is missing in 6% and marked NA, not filled in.',
      artifacts: [
        { path: 'data/clean/surveys.parquet', type: 'data', description: 'Merged table' },
        { path: 'notebooks/merge.ipynb', type: 'code', description: 'How it was merged' },
      ],
      decisions: [
        { id: 'D-001', decision: 'Duplicates are dropped by respondent id', rationale: '311 people answered twice' },
      ],
      open_questions: [{ question: 'Weight by region or by age?', priority: 'low' }],
      assumptions: ['Respondent ids are unique across surveys'],
    },
    expectations: {
      deliverable: 'Regression of income on education with confidence intervals',
      constraints: ['Use R 4.3', 'Publish no table with fewer than 10 respondents per cell'],
      success_criteria: ['`Rscript model.R` exits with code 0', 'All coefficients are reported with standard errors'],
    },
  }),
  sample('bug-hunt', {
    from: { agent: 'support' },
    to: { agent: 'backend', reason: 'The fault is in the order service' },
    context: {
      summary:
        'Orders above 999 EUR fail since deploy 2025-11-03. The stack trace points to `formatAmount` in src/order/format.ts.',
      artifacts: [
        { path: 'src/order/format.ts', type: 'code', description: 'Where it throws', role: 'referenced' },
        { path: 'logs/order-2025-11-03.txt', type: 'data', description: 'Stack trace' },
      ],
      open_questions: [],
    },
    expectations: {
      deliverable: 'A fix with a test that fails without it',
      constraints: ['Do not touch the public API'],
      success_criteria: ['An order of 1,000 EUR returns HTTP 201', '`npm test` passes'],
    },
  }),
  sample('translation', {
    from: { agent: 'copywriter' },
    to: { agent: 'translator-fr', reason: 'French market opens in March' },
    context: {
      summary: 'English help pages finished: 34 articles, 11,200 words, glossary of 80 terms attached.',
      artifacts: [
        { path: 'content/en/', type: 'doc', description: 'All articles' },
        { path: 'content/glossary.csv', type: 'data', description: 'Terms not to be translated freely' },
      ],
      open_questions: [{ question: 'Formal or informal address?', priority: 'medium' }],
    },
    expectations: {
      deliverable: 'French version of all 34 articles in content/fr/',
      constraints: ['Keep product names in English', 'Use the glossary'],
      success_criteria: [
        '34 files exist in content/fr/',
        'Each glossary term is translated as listed',
        'The link checker reports 0 broken links',
      ],
    },
  }),
  sample('infra-move', {
    from: { agent: 'platform', step: 4 },
    to: { agent: 'sre', reason: 'Production access is theirs' },
    context: {
      summary:
        'Terraform for the new cluster is applied in staging: 3 nodes, 2 zones, state in the S3 bucket tf-state-stg.',
      artifacts: [{ path: 'infra/cluster.tf', type: 'config', description: 'Cluster definition' }],
      decisions: [
        {
          id: 'D-011',
          decision: 'Two zones instead of three',
          rationale: 'The third doubles egress cost for 0.01% availability',
        },
      ],
      open_questions: [],
      contingency: [
        { if: 'A node does not join within 10 minutes', [THEN]: 'Replace it; do not restart the control plane' },
      ],
    },
    expectations: {
      deliverable: 'The same cluster in production',
      constraints: ['Window: Sunday 02:00 to 04:00 UTC'],
      success_criteria: ['`terraform plan` shows no changes', 'p95 latency stays below 250 ms during the move'],
      deadline: '2026-03-01T04:00:00Z',
    },
  }),
  sample('legal-question', {
    from: { agent: 'privacy' },
    to: { agent: 'human', reason: 'Only counsel can sign this' },
    context: {
      summary:
        'The processor contract with Acme differs from our template in 3 clauses: liability cap, audit right, sub-processors.',
      decisions: [
        { id: 'pending', decision: 'Accept a liability cap of 12 monthly fees', rationale: 'Acme does not move on it' },
      ],
      artifacts: [{ path: 'legal/acme-redline.docx', type: 'doc', description: 'Redline' }],
      open_questions: [
        { question: 'Is a cap of 12 monthly fees acceptable?', priority: 'high', context: 'Clause 9.2' },
      ],
    },
    expectations: { deliverable: 'Yes or no for each of the 3 clauses' },
  }),
  sample('budget-gate', {
    from: { agent: 'finance-agent' },
    to: { agent: 'human', reason: 'Budget above 10,000 EUR needs a person' },
    gate: { type: 'non_blocking', name: 'Q2 ad budget', step: 'plan', deadline: '2026-03-31T12:00:00Z' },
    context: {
      summary: 'Proposal: 18,000 EUR for Q2, of which 11,000 on search ads, based on a return of 3.1 in Q1.',
      artifacts: [{ path: 'plans/q2-ads.md', type: 'doc', description: 'Proposal' }],
      open_questions: [],
    },
    validation_request: {
      items: ['Total of 18,000 EUR', 'Share of search ads'],
      options: { approve: 'Book it', reject: 'Keep the Q1 budget', question: 'Ask for numbers' },
    },
  }),
  sample('design-to-frontend', {
    from: { agent: 'designer', step: 'design' },
    to: { agent: 'frontend', reason: 'Screens are approved' },
    context: {
      summary:
        'Settings redesigned on 6 screens with light and dark themes; components are in the design file, tokens in tokens.json.',
      artifacts: [{ path: 'design/tokens.json', type: 'config', description: 'Colours and spacing' }],
      decisions: [
        {
          id: 'D-021',
          decision: 'Toggles save at once, without a button',
          rationale: '5 of 6 testers looked for feedback, none for a button',
        },
      ],
      open_questions: [],
    },
    expectations: {
      deliverable: 'The 6 screens behind the flag `settings_v2`',
      constraints: ['WCAG 2.1 AA contrast'],
      success_criteria: ['All 6 screens match their snapshots', 'No axe violations', 'Bundle grows by less than 15 KB'],
    },
    workflow_state: {
      name: 'settings',
      current_step: 'design',
      completed_steps: ['research'],
      remaining_steps: ['design', 'build', 'ship'],
    },
  }),
  sample('research-return', {
    type: 'return',
    from: { agent: 'researcher', step: null },
    to: { agent: 'product', reason: 'Interviews are evaluated' },
    context: {
      summary: '8 interviews evaluated: 6 of 8 could not find the export, nobody asked for PDF.',
      artifacts: [{ path: 'research/export-interviews.md', type: 'doc', description: 'Evaluation' }],
      decisions: [],
      open_questions: [{ question: 'Would a keyboard shortcut be found?', priority: 'low' }],
    },
    criteria_results: [
      { id: 'C-001', result: 'pass', evidence: '8 interviews held' },
      { id: 'C-002', result: 'unknown', evidence: 'No participant used a screen reader' },
    ],
  }),
  sample('migration-continuation', {
    type: 'continuation',
    from: { agent: 'dba' },
    to: { agent: 'dba', reason: 'End of the shift' },
    reason_code: 'shift_end',
    context: {
      summary: '41 of 63 tables are copied to the new server; the next one is `invoice_lines`, the largest.',
      artifacts: [{ path: 'handoffs/dba-0412.md', type: 'doc', description: 'State of the copy' }],
      decisions: [],
      open_questions: [],
    },
  }),
  sample('api-docs', {
    from: { agent: 'backend' },
    to: { agent: 'tech-writer', reason: 'Endpoints are frozen' },
    context: {
      summary: 'The v2 endpoints are frozen as of tag v2.0.0-rc1; the OpenAPI file lists 22 paths.',
      artifacts: [{ path: 'openapi.yaml', type: 'spec', description: 'The contract' }],
      open_questions: [],
    },
    expectations: {
      deliverable: 'Reference pages for the 22 paths',
      constraints: ['Examples run against the sandbox'],
      success_criteria: [
        'Each path has a request and a response example',
        'The docs build exits 0',
        'Vale reports no errors',
      ],
    },
  }),
  sample('mobile-crash', {
    from: { agent: 'triage' },
    to: { agent: 'ios-dev', reason: 'iOS only' },
    context: {
      summary: 'Crash group 5512 hits 0.8% of sessions on iOS 17.2 when the camera permission is revoked mid-session.',
      artifacts: [{ path: 'crashes/5512.json', type: 'data', description: 'Symbolicated traces' }],
      open_questions: [{ question: 'Is iPadOS affected?', priority: 'medium' }],
    },
    expectations: {
      deliverable: 'Patch release 7.4.1',
      constraints: ['No change to the minimum iOS version'],
      success_criteria: [
        'Crash-free sessions reach at least 99.7% in the beta',
        'The revoke scenario is covered by a UI test',
      ],
    },
  }),
  sample('curriculum', {
    from: { agent: 'course-author' },
    to: { agent: 'reviewer', reason: 'Second opinion before recording' },
    context: {
      summary: 'Course outline written: 9 lessons of 12 minutes, 4 exercises, sources listed per lesson.',
      artifacts: [{ path: 'course/outline.md', type: 'doc', description: 'Outline' }],
      open_questions: [],
    },
    expectations: {
      deliverable: 'Comments in the outline file',
      success_criteria: ['Every lesson has at least one comment or the word "ok"', 'Returned within 3 days'],
    },
  }),
  sample('ml-training', {
    from: { agent: 'ml-engineer' },
    to: { agent: 'evaluator', reason: 'Independent numbers are wanted' },
    context: {
      summary:
        'Model run 118 trained for 6 epochs on 1.2 M samples; validation F1 is 0.871, checkpoint in models/run-118/.',
      artifacts: [{ path: 'models/run-118/', type: 'data', description: 'Checkpoint' }],
      decisions: [
        { id: 'D-003', decision: 'Class weights instead of oversampling', rationale: 'Oversampling gave 0.849' },
      ],
      open_questions: [],
      dead_ends: ['Learning rate 1e-3 diverged after 400 steps'],
    },
    expectations: {
      deliverable: 'Evaluation on the held-out set with confusion matrix',
      constraints: ['Do not train on the held-out set'],
      success_criteria: ['F1 per class is listed for all 12 classes', 'Latency is measured on 1 CPU core'],
    },
  }),
  sample('support-macro', {
    from: { agent: 'support-lead' },
    to: { agent: 'human', reason: 'Refund policy is not ours to change' },
    context: {
      summary: '63 tickets this week ask for refunds after 31 to 45 days; the policy ends at 30.',
      open_questions: [{ question: 'May support refund up to day 45 until June?', priority: 'high' }],
      decisions: [],
      artifacts: [],
    },
    expectations: { deliverable: 'A rule that support can apply' },
  }),
  sample('firmware', {
    type: 'delegation',
    from: { agent: 'firmware' },
    to: { agent: 'hardware-lab', reason: 'A scope is needed' },
    context: {
      summary: 'I2C reads of sensor 0x48 time out in 1 of 2,000 tries on board rev C, never on rev B.',
      artifacts: [{ path: 'firmware/i2c.c', type: 'code', description: 'Driver', role: 'referenced' }],
      open_questions: [],
    },
    expectations: {
      deliverable: 'Scope traces of a good and a bad read',
      constraints: ['Room temperature, then 60 °C'],
      success_criteria: ['At least 3 failing reads are captured', 'Rise time is measured on SDA and SCL'],
    },
  }),
  sample('game-level', {
    from: { agent: 'level-designer' },
    to: { agent: 'qa', reason: 'Level 7 is playable from start to end' },
    context: {
      summary: 'Level 7 has 14 rooms and 2 secret exits; the boss room was rebuilt after the playtest of 9 January.',
      artifacts: [{ path: 'levels/07/', type: 'data', description: 'Level files' }],
      open_questions: [],
      contingency: [{ if: 'The boss gets stuck in the door', [THEN]: 'Note the seed from the debug overlay' }],
    },
    expectations: {
      deliverable: 'Bug list for level 7',
      success_criteria: ['All 14 rooms are visited', 'Each bug has a video or a seed', 'Two full runs per difficulty'],
    },
  }),
  sample('seo', {
    from: { agent: 'seo' },
    to: { agent: 'web', reason: 'Redirects are in their repository' },
    context: {
      summary: '118 old URLs still get 2,300 visits a month and end in 404; the mapping is in seo/redirects.csv.',
      artifacts: [{ path: 'seo/redirects.csv', type: 'data', description: 'Old to new' }],
      open_questions: [],
    },
    expectations: {
      deliverable: 'Redirects for the 118 URLs',
      constraints: ['301, not 302'],
      success_criteria: ['curl -I on each old URL returns 301', 'No redirect chain is longer than 1'],
    },
  }),
  sample('accessibility', {
    type: 'delegation',
    from: { agent: 'frontend' },
    to: { agent: 'a11y', reason: 'Screen reader experience' },
    context: {
      summary:
        'The date picker was replaced by a native input on 3 forms; keyboard order was checked by hand in Firefox only.',
      artifacts: [{ path: 'src/forms/date-field.tsx', type: 'code', description: 'New field', role: 'created' }],
      open_questions: [{ question: 'Is NVDA with Chrome in scope?', priority: 'medium' }],
    },
    expectations: {
      deliverable: 'List of barriers with severity',
      constraints: ['NVDA and VoiceOver'],
      success_criteria: [
        'Each of the 3 forms is completed with the keyboard alone',
        'Every barrier names a WCAG criterion',
      ],
    },
  }),
  sample('deploy-gate', {
    type: 'gate',
    from: { agent: 'deployer', step: 5 },
    to: { agent: 'human', reason: 'Production deploy needs a person' },
    gate: { type: 'blocking', name: 'Deploy to production', contact: 'on-call' },
    context: {
      summary: 'Build 2201 ran 48 hours in staging with 0 alerts; the rollback was tried once and took 4 minutes.',
      artifacts: [{ path: 'runbooks/deploy.md', type: 'doc', description: 'Runbook' }],
      open_questions: [],
    },
    expectations: { deliverable: 'A decision' },
    validation_request: {
      items: ['Staging metrics', 'Rollback time'],
      options: { approve: 'Deploy at 10:00 UTC', reject: 'Stay on build 2189' },
    },
  }),
  sample('contract-tests', {
    from: { agent: 'orchestrator' },
    to: { agent: 'tester', reason: 'Contract tests come before the build' },
    context: {
      summary: 'Consumer and provider agreed on 9 messages; schemas are in contracts/, version 3.',
      artifacts: [{ path: 'contracts/', type: 'spec', description: 'Schemas' }],
      open_questions: [],
    },
    expectations: {
      deliverable: 'A test for each of the 9 messages',
      success_criteria: [
        {
          id: 'C-001',
          text: 'All contract tests are green',
          verify: { kind: 'command', command: 'npm run test:contract', timeout_s: 300 },
        },
        { id: 'C-002', text: 'The team finds the names clear', verify: { kind: 'manual' } },
      ],
    },
  }),
  sample('acceptance-web', {
    from: { agent: 'product' },
    to: { agent: 'frontend', reason: 'Next in the sprint' },
    context: {
      summary: 'Account pages are specified in docs/account.md; the four open points of the last review are settled.',
      artifacts: [{ path: 'docs/account.md', type: 'spec', description: 'Account pages' }],
      open_questions: [],
    },
    expectations: {
      deliverable: 'The account pages behind a flag',
      constraints: ['Error texts stay the same as before', 'Use the existing form components'],
      success_criteria: [
        'The secure cookie flag is set on every response',
        "Login with a wrong password shows the message 'Wrong password'",
        'The export button is disabled while an export runs',
        'A user without the admin role gets a 403',
        'The quick filter narrows the list to matching rows',
        'Charts render in Safari 16',
        'The form cannot be submitted twice',
        'The page works without JavaScript',
        'The complete order history is shown',
        'The simple mode hides advanced options',
      ],
    },
  }),
  sample('acceptance-service', {
    from: { agent: 'lead' },
    to: { agent: 'backend', reason: 'Owns the service' },
    context: {
      summary:
        'The retry queue was split from the mail service; both run in staging since Monday under the flag MAIL_SPLIT.',
      artifacts: [{ path: 'services/mail/', type: 'code', description: 'Mail service' }],
      open_questions: [],
    },
    expectations: {
      deliverable: 'The split in production',
      success_criteria: [
        'Database migration can be rolled back with one command',
        'Old API clients continue to work',
        'The cache is cleared after a deploy',
        'Logs do not contain e-mail addresses',
        'Retry happens at most twice',
        'The clean-up job removes files older than 30 days',
        'A failed payment leaves the order open',
        'The service starts without the message broker',
        'Memory stays under 512 MB in the load test',
        'Undo restores the previous text',
      ],
    },
  }),
  sample('acceptance-process', {
    from: { agent: 'lead' },
    to: { agent: 'release-manager', reason: 'Closes the milestone' },
    context: {
      summary: 'Milestone 3 is merged except for the German texts, which are in pull request 482.',
      artifacts: [{ path: 'i18n/de.json', type: 'data', description: 'German texts' }],
      open_questions: [],
    },
    expectations: {
      deliverable: 'Milestone 3 released',
      success_criteria: [
        'The README explains how to start the service',
        'All strings are translated to German',
        'Dependencies have no known vulnerabilities',
        'The report is signed by the auditor',
        'Each function has a unit test',
        'Search results appear within a second',
        'The signed contract is in legal/',
        'Two reviewers have approved the pull request',
        'The stable branch is tagged v3',
        'Existing tests still pass',
      ],
    },
  }),
];
