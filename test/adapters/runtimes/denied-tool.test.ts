import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { transcriptReader } from '../../../src/adapters/runtimes/transcript.ts';
import type { Instant } from '../../../src/domain/instant.ts';

const path = join(mkdtempSync(join(tmpdir(), 'btt-')), 't.jsonl');
const SINCE = '2026-11-16T06:00:00.000Z' as Instant;

describe('[L18] a tool that a permission rule denied', () => {
  const result = (content: unknown, more: object = {}, timestamp = '2026-11-16T06:01:00.000Z'): string =>
    `${JSON.stringify({ type: 'user', timestamp, message: { content: [{ type: 'tool_result', is_error: true, content, ...more }] } })}\n`;
  const denied = (...lines: string[]) => {
    writeFileSync(path, lines.join(''));
    return transcriptReader.deniedTool?.(path, SINCE);
  };

  it('the transcript reader names the last tool that a permission rule denied', async () => {
    expect(await denied(result('Permission to use Write has been denied.'))).toBe('Write');
    expect(await denied(result('Permission to use Edit has been denied by your rule Edit(/x).'))).toBe('Edit');
    const bash = result([{ type: 'text', text: 'Permission to use Bash with command cat <<E\nx\nE has been denied.' }]);
    expect(await denied(result('Permission to use Write has been denied.'), bash)).toBe('Bash');
  });

  it('the transcript reader does not report an old denial of a tool', async () => {
    const said = 'Permission to use Write has been denied.';
    expect(await denied(result(said, {}, '2026-11-16T05:59:00.000Z'))).toBeUndefined();
    expect(await denied(result(said, { is_error: false }))).toBeUndefined();
    expect(await denied(result(`The file says: ${said}`))).toBeUndefined();
    expect(
      await denied(`{"type":"assistant","message":{"content":"${said}"}}\n`, 'has been denied, cut'),
    ).toBeUndefined();
    expect(await transcriptReader.deniedTool?.('/nowhere', SINCE)).toBeUndefined();
  });
});
