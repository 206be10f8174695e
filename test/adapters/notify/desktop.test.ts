import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bundleProgram } from '../../../scripts/build/bundle.mjs';
import { needs } from '../../support/needs.ts';

/** A fake desktop on a D-Bus of its own. It records the notifications that arrive. */
const DESKTOP = `
import dbus, dbus.service, json, sys
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib
DBusGMainLoop(set_as_default=True)
NAME = 'org.freedesktop.Notifications'
class Desktop(dbus.service.Object):
    @dbus.service.method(NAME, in_signature='susssasa{sv}i', out_signature='u')
    def Notify(self, app, replaces, icon, title, body, actions, hints, timeout):
        print(json.dumps([app, title, body, int(hints['urgency'])]), flush=True)
        return dbus.UInt32(1)
    @dbus.service.method(NAME, out_signature='as')
    def GetCapabilities(self): return ['body', 'body-markup']
    @dbus.service.method(NAME, out_signature='ssss')
    def GetServerInformation(self): return ('desktop', 'test', '1', '1.2')
bus = dbus.SessionBus()
name = dbus.service.BusName(NAME, bus)
desktop = Desktop(bus, '/org/freedesktop/Notifications')
print('ready', flush=True)
GLib.MainLoop().run()
`;
const PYTHON = '/usr/bin/python3';
const MODULES = {
  what: 'python3-dbus and python3-gi (not installed)',
  isThere: spawnSync(PYTHON, ['-c', 'import dbus, gi']).status === 0,
};

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bnt-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the real notify-send', needs('notify-send', 'dbus-run-session', MODULES), () => {
  it('notify-send shows markup, escapes and options in the text literally', async () => {
    const told = [
      {
        title: 'Agent 3 asks',
        body: 'May it run “make”?\nAnswer with 1',
        urgency: 'critical',
        url: 'http://127.0.0.1:1/#/inbox',
      },
      {
        title: '--help <b>T</b> $(id)',
        body: '<b>x</b> <img src="/etc/passwd"/> & \\x1b[31m \\n `id` 100%',
        urgency: 'low',
        url: 'http://127.0.0.1:1/#/inbox',
      },
    ];
    writeFileSync(join(folder, 'desktop.py'), DESKTOP);
    const program = await bundleProgram(
      `import { showOnDesktop } from '@src/adapters/notify/os-notification.ts';
       const desktop = { platform: 'linux', env: process.env, timeoutMs: 120_000 };
       for (const told of ${JSON.stringify(told)}) console.log(JSON.stringify(await showOnDesktop(told, desktop)));`,
    );
    const script = `${PYTHON} desktop.py >arrived & desktop=$!
      until grep -q ready arrived; do kill -0 $desktop || exit 1; sleep 0.05; done
      "${process.execPath}" "${program}"; kill $desktop`;
    const { stdout } = await promisify(execFile)('dbus-run-session', ['--', 'sh', '-c', script], { cwd: folder });
    expect(stdout.trim().split('\n')).toEqual(told.map(() => JSON.stringify({ channel: 'os', outcome: 'sent' })));
    const [, ...arrived] = readFileSync(join(folder, 'arrived'), 'utf8').trim().split('\n');
    expect(arrived.map((line) => JSON.parse(line))).toEqual([
      ['Baton', told[0]?.title, `${told[0]?.body}\n${told[0]?.url}`, 2],
      [
        'Baton',
        told[1]?.title,
        `&lt;b&gt;x&lt;/b&gt; &lt;img src="/etc/passwd"/&gt; &amp; \\x1b[31m \\n \`id\` 100%\n${told[1]?.url}`,
        0,
      ],
    ]);
  });
});
