import { readInside } from '../adapters/files/read-inside.ts';
import { parseStrictYaml } from '../adapters/yaml/parse-strict-yaml.ts';
import { YAML_BOUNDS } from '../adapters/yaml/yaml-bounds.ts';
import type { WorkflowFiles, WorkflowRead } from '../app/ports/workflow-files.ts';
import { schemaProblems } from '../contract/package-problems.ts';
import { type WorkflowCheck, WorkflowFile } from '../contract/workflow.ts';
import { WORKFLOW_PATH, type WrittenWorkflow, workflowOf, workflowProblem } from '../domain/workflow/workflow.ts';
import { viewWorkflow } from '../surfaces/http/workflow-views.ts';
import { readBounded } from './lint-file.ts';

/** Joins the reader of files, the strict YAML parser, the schema and the rules of the domain. */
export const workflowFiles: WorkflowFiles = {
  read: async (projectPath) => {
    try {
      const text = await readInside(projectPath, WORKFLOW_PATH, YAML_BOUNDS.bytes);
      return text === undefined ? { kind: 'none' } : judgeWorkflow(text);
    } catch (error) {
      const why = error instanceof TypeError ? 'it is not UTF-8 text' : (error as Error).message;
      return { kind: 'bad', sentence: `It is not used: ${why}.`, line: null };
    }
  },
};

type Place = readonly (string | number)[];

/** P27. The first thing that is wrong with it, and where; nothing of the text itself, which may be anything. */
export function judgeWorkflow(text: string): WorkflowRead {
  const parsed = parseStrictYaml(text);
  if ('problem' in parsed) return { kind: 'bad', sentence: parsed.problem.sentence, line: parsed.problem.line ?? null };
  const bad = (path: Place, sentence: string): WorkflowRead => ({
    kind: 'bad',
    sentence,
    line: parsed.lineOf(path) ?? null,
  });
  const [problem] = schemaProblems(WorkflowFile, parsed.value);
  if (problem !== undefined) {
    const { kind, path, message } = problem;
    // A key that nobody knows is not repeated.
    const shown = kind === 'unknown_key' ? path.slice(0, -1) : path;
    return bad(path, `${shown.join('.') || 'The file'}: ${message}`);
  }
  const written = (parsed.value as { workflow: WrittenWorkflow }).workflow;
  const odd = workflowProblem(written);
  return odd === undefined ? { kind: 'workflow', workflow: workflowOf(written) } : bad(odd.path, odd.sentence);
}

/** For the command line, without the server. */
export function checkWorkflow(file: string): WorkflowCheck {
  const read = judgeWorkflow(readBounded(file));
  if (read.kind === 'workflow') return { file, ok: true, workflow: viewWorkflow(read.workflow), problem: null };
  const problem = read.kind === 'bad' ? { sentence: read.sentence, line: read.line } : null;
  return { file, ok: false, workflow: null, problem };
}
