import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Acknowledgment, PackageInput } from '../../../src/contract/packages/package.ts';
import {
  outputSchema,
  PACKAGE_TOOLS,
  TOOL_INSTRUCTIONS,
  TOOLS,
  toolSchema,
} from '../../../src/contract/packages/package-tools.ts';
import { announcementText } from '../../../src/domain/packages/announcement.ts';
import type { StoredPackage } from '../../../src/domain/packages/stored-package.ts';
import { ROUTES } from '../../../src/surfaces/http/server/routes.ts';

interface Schema {
  readonly properties?: Record<string, Schema>;
  readonly required?: readonly string[];
}

const schemaOf = (name: (typeof PACKAGE_TOOLS)[number]): Schema => toolSchema(name);
const WORDS = /\b(?:handoff|gate)_[a-z]+\b/g;
/** The name of a database table that looks like the name of a tool. */
const NO_TOOL = 'handoff_runs';

const record = (over: object) =>
  ({
    record: {
      id: 'HO-2026-001',
      type: 'gate',
      from: 'a',
      to: 'b',
      gate: null,
      decision: null,
      askedBy: null,
      ...over,
    },
  }) as unknown as StoredPackage;

describe('the MCP tools', () => {
  it('the MCP tools are exactly the tools in PACKAGE_TOOLS', () => {
    expect(Object.keys(TOOLS).sort()).toEqual([...PACKAGE_TOOLS].sort());
  });

  it('the MCP tools call only routes that an agent may use', () => {
    const id = 'HO-2026-001';
    for (const name of PACKAGE_TOOLS) {
      const { method, path } = TOOLS[name].call({ id, run: 7 });
      const wanted = path.split('?')[0]?.replace(id, '{package_id}').replace('/7/', '/{package_id}/');
      const route = ROUTES.find((each) => each.method === method && same(each.path, wanted ?? ''));
      expect([name, route?.callers.includes('agent')]).toEqual([name, true]);
      const { id: _, run: _r, try: _t, ...taken } = schemaOf(name).properties ?? {};
      const body = route?.body as { readonly shape?: Record<string, unknown> } | undefined;
      expect(Object.keys(body?.shape ?? {})).toEqual(expect.arrayContaining(Object.keys(taken)));
    }
    const paths = PACKAGE_TOOLS.map((name) => TOOLS[name].call({ id }).path);
    expect(paths.filter((path) => /decide|waive|cancel|rebuild/.test(path))).toEqual([]);
  });

  it('[L18] an MCP tool can acknowledge a handoff run with the same request as `baton ack`', () => {
    const given = { run: 7, proof: 'abc', task: 'Write the tests' };
    expect(TOOLS.handoff_run_ack.input.safeParse(given).success).toBe(true);
    expect(TOOLS.handoff_run_ack.call(given)).toEqual({
      method: 'POST',
      path: '/api/runs/7/ack',
      body: { proof: 'abc', task: 'Write the tests' },
    });
  });

  it('the MCP tool schemas for packages contain only fields of the API contract', () => {
    const shown = schemaOf('handoff_create').properties?.package;
    expect(Object.keys(PackageInput.shape)).toEqual(expect.arrayContaining(Object.keys(shown?.properties ?? {})));
    expect(shown?.required).toEqual(['from', 'to', 'context']);
    expect(shown?.properties?.context?.required).toEqual(['summary']);
    const returned = schemaOf('handoff_return').properties?.package;
    expect(Object.keys(returned?.properties ?? {})).toEqual(['context', 'criteria_results']);
    const said = schemaOf('handoff_ack').properties?.acknowledgment;
    expect(Object.keys(Acknowledgment.shape)).toEqual(expect.arrayContaining(Object.keys(said?.properties ?? {})));
  });

  it('the list of MCP tools takes at most 3,000 tokens', () => {
    const all = PACKAGE_TOOLS.map((name) => ({
      name,
      title: TOOLS[name].title,
      description: TOOLS[name].description,
      inputSchema: toolSchema(name),
      outputSchema: outputSchema(name),
    }));
    expect(Buffer.byteLength(JSON.stringify({ tools: all })) / 4).toBeLessThan(2_800);
  });

  it('instructions and announcements mention only MCP tools that exist', () => {
    const sources = ['say-refused', 'say-answer'].map((name) => file(`src/surfaces/mcp/${name}.ts`));
    const told = ['pending', 'clarifying', 'completed'].map((state) =>
      announcementText(
        [record({ state, decision: state === 'completed' ? { option: 'approve', conditions: [] } : null })],
        'ref',
      ),
    );
    const texts = [
      TOOL_INSTRUCTIONS,
      ...PACKAGE_TOOLS.map((name) => TOOLS[name].description),
      ...told,
      ...sources,
      file('README.md'),
      file('docs/ARCHITECTURE.md'),
    ];
    const named = texts.flatMap((text) => text.match(WORDS) ?? []).filter((word) => word !== NO_TOOL);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((word) => !PACKAGE_TOOLS.some((name) => name === word))).toEqual([]);
    for (const text of told) expect(text).toMatch(/the tool handoff_[a-z]+ \(baton\)/);
  });
});

const file = (name: string): string => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');

/** Compares two paths without regard to the name of the path parameter. */
const same = (path: string, wanted: string): boolean => path.replace(/\{[^}]+\}|:[a-z_]+/i, '{package_id}') === wanted;
