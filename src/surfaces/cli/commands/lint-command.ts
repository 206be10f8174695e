import { define, type Kit } from './command-kit.ts';

export function addLintCommand({ program, run }: Kit): void {
  define(program, 'lint', {
    summary: 'judge a handoff package or acknowledgment by its file alone; exits 0 only if there is no error',
    example: 'baton lint handoffs/HO-2026-001.yaml',
  })
    .argument('[file]', 'the YAML file')
    .option('--schema', 'print the JSON Schema of packages instead')
    .action((file: string | undefined, { schema = false }: { schema?: boolean }) =>
      run(async (cli) => {
        const { lint, printSchema } = await import('../actions/lint.ts');
        return schema ? printSchema(cli) : lint(cli, file);
      }),
    );
}
