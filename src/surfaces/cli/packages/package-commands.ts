import { type Command, Option } from 'commander';
import { type About, collect, define, group, type Kit, packageId, wholeNumber } from '../command-kit.ts';
import type { NewOptions } from './new-package.ts';
import type { AckRequest, DecisionRequest } from './package-verbs.ts';
import type { PackageFilter } from './packages.ts';

const verbs = () => import('./package-verbs.ts');
const reads = () => import('./packages.ts');

export function addPackageCommands({ program, run }: Kit): void {
  const packages = group(program, 'package', 'packages of work between agents and people');
  addWriting({ program: packages, run });
  addReading({ program: packages, run });
  addReceiving({ program: packages, run });
  addOwning({ program: packages, run });
  define(program, 'rebuild', {
    summary: 'rebuild the rows and files of all packages from the event log',
    example: 'baton rebuild',
  }).action(() => run(async (cli) => (await reads()).rebuild(cli)));
}

const about = (summary: string, example: string): About => ({ summary, example: `baton package ${example}` });

const one = (parent: Command, name: string, what: About): Command =>
  define(parent, name, what).argument('<id>', 'the package', packageId);

/** Adds options of Baton 0.1.0 that no longer have an effect, because old scripts still use them. */
const notNeeded = (command: Command, ...flags: readonly string[]): Command =>
  flags.reduce((to, flag) => to.addOption(new Option(flag).hideHelp()), command);

const owned = (parent: Command, name: string, what: About): Command =>
  notNeeded(one(parent, name, what), '--epoch <number>');

type Project = { project?: string };

function addWriting({ program, run }: Kit): void {
  define(program, 'new', {
    summary: 'write a package from options: send it, or write it into a file to complete',
    example: 'baton package new work.yaml --to Con --why "Con knows the parser" --artifact PLAN.md',
  })
    .argument('[file]', 'write this YAML file instead of sending the package')
    .option(
      '--to <name>',
      'the receiver: a persona, a role or agent-5; for an agent, also human (baton package agents)',
    )
    .option('--why <text>', 'why the package goes to this receiver')
    .option('--summary <text>', 'what the receiver should know, with numbers, paths and names')
    .option('--artifact <path>', 'a file of the project that belongs to it; may be given several times', collect)
    .option('--deliverable <text>', 'the expected result')
    .option('--criterion <text>', 'how to check that it is done; may be given several times', collect)
    .option(
      '--approval',
      'tell the receiver to send you a gate before it completes the package (Baton does not enforce it)',
    )
    .option('--begin-workflow', "begin the project's workflow with this package; without it, the package is other work")
    .option('--project <path or id>', 'the project (default: the current folder)')
    .option('--draft', 'create a draft; do not seal it yet')
    .action((file: string | undefined, wanted: NewOptions) =>
      run(async (cli) => (await import('./new-package.ts')).writePackage(cli, file, wanted)),
    );
  define(program, 'create', about('create a package and seal it', 'create handoff.yaml'))
    .argument('<file>', 'the package as YAML')
    .option('--project <path or id>', 'the project (an agent uses its own)')
    .option('--draft', 'create a draft; do not seal it yet')
    .option('--key <key>', 'idempotency key: the same key returns the same package')
    .action((file: string, { project, draft = false, key }: Project & { draft?: boolean; key?: string }) =>
      run(async (cli) => (await reads()).createPackage(cli, { file, project, draft, key })),
    );
  define(program, 'lint', about('validate a package against its project, chain and agents', 'lint handoff.yaml'))
    .argument('<file>', 'the package as YAML')
    .option('--project <path or id>', 'the project')
    .action((file: string, { project }: Project) =>
      run(async (cli) => (await reads()).lintPackage(cli, { file, project })),
    );
  owned(program, 'seal', about('seal a draft, with new content or as it is', 'seal HO-2026-001'))
    .argument('[file]', 'the new content as YAML')
    .action((id: string, file: string | undefined) => run(async (cli) => (await verbs()).seal(cli, id, { file })));
  one(
    program,
    'waive',
    about('override an error that the lint found', 'waive HO-2026-001 HP005 --why "a spike" --until …'),
  )
    .argument('<rule>', 'such as HP005')
    .requiredOption('--why <text>', 'the reason for the override')
    .requiredOption('--until <moment>', 'the end of the override, in the future, such as 2027-01-01T00:00:00Z')
    .action((id: string, rule: string, { why, until }: { why: string; until: string }) =>
      run(async (cli) => (await verbs()).waive(cli, id, { rule, why, until })),
    );
  define(program, 'schema', about('print the JSON Schema of a package', 'schema')).action(() =>
    run(async (cli) => (await import('./lint.ts')).printSchema(cli)),
  );
}

function addReading({ program, run }: Kit): void {
  define(program, 'list', about('list packages, newest first', 'list --open'))
    .option('--open', 'only open packages')
    .option('--state <state>', 'only packages in this state')
    .option('--type <type>', 'only packages of this type')
    .option('--agent <name>', 'only packages from or to this name')
    .option('--text <text>', 'only packages with this text in id, names, reason or summary')
    .option('--before <id>', 'only packages older than this one', packageId)
    .option('--limit <count>', 'at most this many', wholeNumber)
    .action(({ open = false, ...filter }: PackageFilter & { open?: boolean }) =>
      run(async (cli) => (await reads()).listPackages(cli, { inbox: false, open, ...filter })),
    );
  define(program, 'inbox', about('list the packages that wait for you', 'inbox')).action(() =>
    run(async (cli) => (await reads()).listPackages(cli, { inbox: true, open: true })),
  );
  one(program, 'show', about('show one package', 'show HO-2026-001')).action((id: string) =>
    run(async (cli) => (await reads()).showPackage(cli, id)),
  );
  one(
    program,
    'report',
    about('show the live check of a package: its files and findings', 'report HO-2026-001'),
  ).action((id: string) => run(async (cli) => (await reads()).reportPackage(cli, id)));
  one(
    program,
    'contents',
    about('show how the files of a package differ from their sealed content', 'contents HO-2026-001'),
  ).action((id: string) => run(async (cli) => (await reads()).showContents(cli, id)));
  define(program, 'agents', about('list the names that you can send a package to', 'agents')).action(() =>
    run(async (cli) => (await reads()).listReceivers(cli)),
  );
  one(program, 'chain', about('show the related packages of a package', 'chain HO-2026-001')).action((id: string) =>
    run(async (cli) => (await reads()).showChain(cli, id)),
  );
}

function addReceiving({ program, run }: Kit): void {
  one(program, 'receive', about('read a package that is for you, with its live check', 'receive HO-2026-001')).action(
    (id: string) => run(async (cli) => (await reads()).receivePackage(cli, id)),
  );
  notNeeded(
    one(
      program,
      'ack',
      about('accept a package and say what you understood', 'ack HO-2026-001 --task "Review the API"'),
    ),
    '--hash <sha256>',
    '--covers <ids>',
  )
    .option('--task <text>', 'the task in your own words')
    .option('--file <file>', 'your summary as YAML, instead of --task')
    .action((id: string, wanted: AckRequest) => run(async (cli) => (await verbs()).acknowledge(cli, id, wanted)));
  notNeeded(
    one(program, 'ask', about('ask the sender questions before you accept a package', 'ask HO-2026-001 "Which API?"')),
    '--hash <sha256>',
  )
    .argument('<questions...>', 'at most five')
    .action((id: string, questions: string[]) =>
      run(async (cli) => (await verbs()).act(cli, id, 'ask', { questions })),
    );
  one(program, 'decline', about('decline a package', 'decline HO-2026-001 --code capability'))
    .requiredOption('--code <code>', 'capability, conflict, overload or out_of_scope')
    .option('--reason <text>', 'the reason in words')
    .action((id: string, { code, reason }: { code: string; reason?: string }) =>
      run(async (cli) =>
        (await verbs()).act(cli, id, 'decline', { code, ...(reason === undefined ? {} : { reason }) }),
      ),
    );
  one(program, 'decide', about('decide a gate or an escalation (people only)', 'decide HO-2026-001 approve'))
    .argument('<option>', 'approve, reject or question')
    .option('--reason <text>', 'the reason; required for reject and question')
    .option('--choice <text>', 'your choice, if an escalation asks for one; its approval needs this or --reason')
    .option('--item <number>', 'approve only this item (the first is 0); may be given several times', collect)
    .option('--condition <text>', 'approve with this condition; may be given several times', collect)
    .option('--seen <name>', 'the version that you saw, from `baton package contents` (needed if a file has changed)')
    .action((id: string, option: string, wanted: DecisionRequest) =>
      run(async (cli) => (await verbs()).decide(cli, id, option, wanted)),
    );
}

function addOwning({ program, run }: Kit): void {
  owned(
    program,
    'answer',
    about('answer all questions about your package', 'answer HO-2026-001 "Q-1-1=The public one"'),
  )
    .argument('<answers...>', 'ID=TEXT each')
    .option('--file <file>', 'the new content as YAML')
    .action((id: string, pairs: string[], more: { file?: string }) =>
      run(async (cli) => (await verbs()).answer(cli, id, pairs, more)),
    );
  owned(program, 'complete', about('complete a package', 'complete HO-2026-001 "C-001=pass:report in docs/risks.md"'))
    .argument('[results...]', 'ID=RESULT or ID=RESULT:EVIDENCE each; RESULT is pass, fail or unknown')
    .option('--note <text>', 'a note')
    .action((id: string, pairs: string[], { note }: { note?: string }) =>
      run(async (cli) => (await verbs()).complete(cli, id, pairs, note === undefined ? {} : { note })),
    );
  one(program, 'return', about('return the result of a delegation', 'return HO-2026-001 result.yaml'))
    .argument('<file>', 'the return as YAML')
    .action((id: string, file: string) => run(async (cli) => (await reads()).returnPackage(cli, id, file)));
  for (const [name, what, example] of [
    ['progress', 'report progress', 'progress HO-2026-001 --note "2 of 3 read"'],
    ['cancel', 'cancel a package', 'cancel HO-2026-001'],
  ] as const)
    owned(program, name, about(what, example))
      .option('--note <text>', 'a note')
      .action((id: string, { note }: { note?: string }) =>
        run(async (cli) => (await verbs()).act(cli, id, name, note === undefined ? {} : { note })),
      );
  one(program, 'restore', about('undo the cancellation of a package', 'restore HO-2026-001')).action((id: string) =>
    run(async (cli) => (await verbs()).act(cli, id, 'restore', {})),
  );
  one(program, 'remind', about('notify the agent that must act on a package once more', 'remind HO-2026-001')).action(
    (id: string) => run(async (cli) => (await verbs()).remind(cli, id)),
  );
  one(program, 'reassign', about('give a package to another agent, persona or person', 'reassign HO-2026-001 agent-5'))
    .argument('<name>', 'the slug of a persona, a role, an agent such as agent-5, or human')
    .option('--reason <text>', 'why the package goes there')
    .action((id: string, to: string, { reason }: { reason?: string }) =>
      run(async (cli) => (await verbs()).act(cli, id, 'reassign', { to, ...(reason === undefined ? {} : { reason }) })),
    );
  owned(program, 'fail', about('report that the work cannot be done', 'fail HO-2026-001 --cause "no access"'))
    .requiredOption('--cause <text>', 'the cause')
    .action((id: string, { cause }: { cause: string }) =>
      run(async (cli) => (await verbs()).act(cli, id, 'fail', { cause })),
    );
}
