import { define, type Kit } from '../command-kit.ts';

export function addLintCommand({ program, run }: Kit): void {
  define(program, 'lint', {
    summary: 'validate package or acknowledgment files offline; exits 0 only if there is no error',
    example: 'baton lint handoffs/HO-2026-001.yaml',
  })
    .argument('[files...]', 'YAML files, or quoted patterns such as "handoffs/**/*.yaml"')
    .option('--schema', 'print the JSON Schema of packages instead')
    .action((files: readonly string[], { schema = false }: { schema?: boolean }) =>
      run(async (cli) => {
        const { lint, printSchema } = await import('./lint.ts');
        return schema ? printSchema(cli) : lint(cli, files);
      }),
    );
}
