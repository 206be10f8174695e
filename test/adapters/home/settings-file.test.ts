import { mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { writeWholeFile } from '../../../src/adapters/files/write-whole-file.ts';
import { readConfig } from '../../../src/adapters/home/read-config.ts';
import { openSettingsFile } from '../../../src/adapters/home/settings-file.ts';

let path: string;
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'baton-settings-')), 'config.json');
});
const open = (write = (to: string, content: string) => writeWholeFile(to, content, 0o600)) =>
  openSettingsFile({ path, config: readConfig(path), write });
const text = (): string => readFileSync(path, 'utf8');

const TOLD = { waits: true, finished: true, near_threshold: true, notices: true };

describe('changes of config.json while Baton runs', () => {
  it('changing a setting leaves the other content of config.json unchanged and in the same order', async () => {
    writeFileSync(path, '{"reconcile_every_ms": 500, "notifications": {"webhook": "https://h/1"}, "port": 0}', {
      mode: 0o644,
    });
    const settings = open();
    const wanted = { handoff_at_percent: 70, notifications: { os: false, ntfy: 'https://ntfy.test/t', webhook: null } };
    expect(await settings.change(wanted)).toEqual([
      'handoff_at_percent',
      'notifications.os',
      'notifications.ntfy',
      'notifications.webhook',
    ]);
    expect(text()).toBe(
      `${JSON.stringify(
        {
          reconcile_every_ms: 500,
          notifications: { os: false, ntfy: 'https://ntfy.test/t' },
          port: 0,
          handoff_at_percent: 70,
        },
        null,
        2,
      )}\n`,
    );
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(settings.current()).toEqual({
      handoffAtPercent: 70,
      notifications: { ...TOLD, os: false, ntfy: 'https://ntfy.test/t', webhook: null },
      finishedAfterSeconds: 60,
      acceptLessons: false,
      tokenBudget: null,
      defaultRuntime: 'practice',
      quietHours: null,
    });
    expect(await settings.change({ handoff_at_percent: null })).toEqual(['handoff_at_percent']);
    expect(settings.current().handoffAtPercent).toBe(80);
    expect(text()).not.toContain('handoff_at_percent');
  });

  it('changing a setting creates config.json if the file does not exist', async () => {
    const settings = open();
    expect(await settings.change({})).toEqual([]);
    expect(readdirSync(join(path, '..'))).toEqual([]);
    await settings.change({ handoff_at_percent: 60 });
    expect(readConfig(path).handoffAtPercent).toBe(60);
  });

  it('config.json is not written if a new value is invalid', async () => {
    writeFileSync(path, '{"port": 0}');
    const settings = open();
    const refusal = await settings.change({ notifications: { ntfy: 'https://s3cr3t.test/' } });
    writeFileSync(`${path}.bad`, '{"notifications": {"ntfy": "https://s3cr3t.test/"}}');
    let sentence = '';
    try {
      readConfig(`${path}.bad`);
    } catch (error) {
      sentence = (error as Error).message.replaceAll('.bad', '');
    }
    expect(sentence).toContain('must end with a topic');
    expect(refusal).toEqual({ code: 'bad_settings', sentence });
    expect(sentence).not.toContain('s3cr3t');
    expect(text()).toBe('{"port": 0}');
    expect(settings.current().notifications.ntfy).toBeNull();
  });

  it.each([
    ['{"port": 0, "prot": 1}', 'Unknown key "prot"'],
    ['{"port": 0', 'is not valid JSON'],
    ['[]', 'The file must contain one JSON object'],
  ])('config.json is not written if the file contains the invalid text %s', async (broken, sentence) => {
    const settings = open();
    writeFileSync(path, broken);
    expect(await settings.change({ handoff_at_percent: 70 })).toEqual({
      code: 'settings_file_unusable',
      sentence: expect.stringContaining(sentence),
    });
    expect(text()).toBe(broken);
    expect(settings.current().handoffAtPercent).toBe(80);
  });

  it('config.json keeps changes that the operator makes by hand while Baton runs', async () => {
    const settings = open();
    writeFileSync(path, '{"port": 7, "handoff_at_percent": 50}');
    await settings.change({ notifications: { os: false } });
    expect(JSON.parse(text())).toEqual({ port: 7, handoff_at_percent: 50, notifications: { os: false } });
    expect(settings.current().handoffAtPercent).toBe(50);
  });

  it('two settings that are changed at the same time are both saved in config.json', async () => {
    const settings = open();
    await Promise.all([settings.change({ handoff_at_percent: 70 }), settings.change({ notifications: { os: false } })]);
    expect(JSON.parse(text())).toEqual({ handoff_at_percent: 70, notifications: { os: false } });
  });

  it('Baton changes the target file if config.json is a symbolic link', async () => {
    const real = `${path}.real`;
    writeFileSync(real, '{"port": 0}');
    symlinkSync(real, path);
    await open().change({ handoff_at_percent: 70 });
    expect(JSON.parse(readFileSync(real, 'utf8'))).toEqual({ port: 0, handoff_at_percent: 70 });
    const full = open(() => Promise.reject(new Error('no space left')));
    expect(await full.change({ handoff_at_percent: 71 })).toEqual({
      code: 'settings_file_unusable',
      sentence: `${path} cannot be written, so no setting was changed: no space left`,
    });
    expect(full.current().handoffAtPercent).toBe(70);
  });

  it('config.json stores and returns the notification settings and quiet hours', async () => {
    writeFileSync(path, '{"allowed_hosts": ["a.test"]}');
    const settings = open();
    const quiet_hours = { from: '22:00', to: '07:00' };
    const wanted = { notifications: { finished: false }, notify_finished_after_seconds: 5, quiet_hours };
    expect(await settings.change(wanted)).toEqual([
      'notifications.finished',
      'notify_finished_after_seconds',
      'quiet_hours',
    ]);
    expect(JSON.parse(text())).toEqual({ allowed_hosts: ['a.test'], ...wanted });
    expect(settings.current()).toMatchObject({ finishedAfterSeconds: 5, quietHours: quiet_hours });
    const same = { from: '22:00', to: '22:00' };
    expect(await settings.change({ quiet_hours: same })).toMatchObject({ code: 'bad_settings' });
    expect(await settings.change({ quiet_hours: null })).toEqual(['quiet_hours']);
    expect(settings.current().quietHours).toBeNull();
  });
});
