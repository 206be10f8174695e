import { readInside } from '../adapters/files/read-inside.ts';
import { parseStrictYaml } from '../adapters/yaml/parse-strict-yaml.ts';
import { YAML_BOUNDS } from '../adapters/yaml/yaml-bounds.ts';
import type { WorkflowFiles, WorkflowRead } from '../app/ports/files/workflow-files.ts';
import { schemaProblems } from '../contract/packages/package-problems.ts';
import { type WorkflowCheck, WorkflowFile } from '../contract/packages/workflow.ts';
import { WORKFLOW_PATH, workflowOf, workflowProblem } from '../domain/workflows/workflow.ts';
import { viewWorkflow } from '../surfaces/http/packages/workflow-views.ts';
import { readBounded } from './lint-file.ts';

/** Reads workflow files with the strict YAML parser, the schema and the rules of the domain. */
export const workflowFiles: WorkflowFiles = {
  read: async (projectPath) => {
    try {
      const text = await readInside(projectPath, WORKFLOW_PATH, YAML_BOUNDS.bytes);
      return text === undefined ? { kind: 'none' } : validateWorkflow(text);
    } catch (error) {
      const why = error instanceof TypeError ? 'the file is not UTF-8 text' : (error as Error).message;
      return { kind: 'bad', sentence: `Baton does not use the workflow file, because ${why}.`, line: null };
    }
  },
};

type Place = readonly (string | number)[];

/**
 * Returns the workflow of a workflow file, or the first problem with its line. The file is untrusted, so the problem
 * never quotes its text [package P27].
 */
export function validateWorkflow(text: string): WorkflowRead {
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
    // Omit an unknown key from the message, because the key is text of the untrusted file.
    const shown = kind === 'unknown_key' ? path.slice(0, -1) : path;
    return bad(path, `${shown.join('.') || 'The file'}: ${message}`);
  }
  const { workflow: written } = WorkflowFile.parse(parsed.value);
  const odd = workflowProblem(written);
  return odd === undefined ? { kind: 'workflow', workflow: workflowOf(written) } : bad(odd.path, odd.sentence);
}

/** Checks a workflow file for the command line, without a server. */
export function checkWorkflow(file: string): WorkflowCheck {
  const read = validateWorkflow(readBounded(file));
  if (read.kind === 'workflow') return { file, ok: true, workflow: viewWorkflow(read.workflow), problem: null };
  const problem = read.kind === 'bad' ? { sentence: read.sentence, line: read.line } : null;
  return { file, ok: false, workflow: null, problem };
}
