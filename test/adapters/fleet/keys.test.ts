import { mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, connect as tlsConnect } from 'node:tls';
import { createUser, fromSeed } from '@nats-io/nkeys';
import { describe, expect, it } from 'vitest';
import { makeCertificate } from '../../../src/adapters/fleet/certificate.ts';
import {
  createKeys,
  isPublicKey,
  isSignedBy,
  readKeys,
  readSeed,
  removeKeys,
} from '../../../src/adapters/fleet/keys.ts';
import { permissionsOf, topicOf } from '../../../src/adapters/fleet/subjects.ts';

const fileIn = () => join(mkdtempSync(join(tmpdir(), 'bt-keys-')), 'fleet/seed');

describe('the key of a machine', () => {
  it('the file with the secret key of a machine is readable only for its owner', () => {
    const file = fileIn();
    createKeys(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('a machine reads its key from the key file, and has no key after the file is removed', () => {
    const file = fileIn();
    const { publicKey } = createKeys(file);
    expect(readKeys(file)?.publicKey).toBe(publicKey);
    removeKeys(file);
    expect(readKeys(file)).toBeUndefined();
  });

  it('a signature is valid only for the signed text, purpose and key', () => {
    const keys = createKeys(fileIn());
    const sealed = keys.sign('command laptop', '{"id":1}');
    expect(isSignedBy(keys.publicKey, 'command laptop', sealed)).toBe(true);
    expect(isSignedBy(keys.publicKey, 'command tablet', sealed)).toBe(false);
    expect(isSignedBy(keys.publicKey, 'command laptop', { ...sealed, text: '{"id":2}' })).toBe(false);
    expect(isSignedBy(keys.publicKey, 'command laptop', { ...sealed, signature: '' })).toBe(false);
    expect(isSignedBy(createKeys(fileIn()).publicKey, 'command laptop', sealed)).toBe(false);
    expect(isSignedBy('not a key', 'command laptop', sealed)).toBe(false);
  });

  it('if a line moves from the signed text into the purpose, the signature becomes invalid', () => {
    const keys = createKeys(fileIn());
    expect(isSignedBy(keys.publicKey, 'a\nb', { ...keys.sign('a', 'b\nc'), text: 'c' })).toBe(false);
  });

  it('the library nkeys, which the hub uses, accepts a signature from Baton', () => {
    const file = fileIn();
    const keys = createKeys(file);
    const { signature } = keys.sign('p', 't');
    const pair = fromSeed(readSeed(file) ?? new Uint8Array());
    expect(pair.verify(Buffer.from('baton-fleet-1\n"p"\nt'), Buffer.from(signature, 'base64url'))).toBe(true);
    expect(pair.getPublicKey()).toBe(keys.publicKey);
  });

  it('a public key with one wrong letter is refused', () => {
    const key = createUser().getPublicKey();
    expect(isPublicKey(key)).toBe(true);
    expect(isPublicKey(key.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')))).toBe(false);
    expect(isPublicKey(`${key}A`)).toBe(false);
  });
});

describe("the hub's certificate", () => {
  const handshake = (host: string, ca: string, offered = makeCertificate(host)) =>
    new Promise<string>((resolve) => {
      const server = createServer({ cert: offered.certificate, key: offered.key }, (socket) => socket.end()).listen(
        0,
        '127.0.0.1',
        () => {
          const { port } = server.address() as { port: number };
          const servername = /^[\d.]+$/.test(host) ? {} : { servername: host };
          const socket = tlsConnect({ host: '127.0.0.1', port, ca: ca || offered.certificate, ...servername });
          const end = (outcome: string) => () => {
            socket.destroy();
            server.close();
            resolve(outcome);
          };
          socket.once('secureConnect', end('accepted'));
          socket.once('error', (error) => end(error.message)());
        },
      );
    });

  it("a machine with the hub's certificate accepts the hub at an IP address", async () => {
    expect(await handshake('127.0.0.1', '')).toBe('accepted');
  });

  it("a machine with the hub's certificate accepts the hub at a host name", async () => {
    expect(await handshake('hub.example', '')).toBe('accepted');
  });

  it("a machine refuses a server with the hub's host name if the server's certificate is not the hub's certificate", async () => {
    expect(await handshake('hub.example', makeCertificate('hub.example').certificate)).not.toBe('accepted');
  });
});

describe('the permissions on the hub', () => {
  const member = permissionsOf({ key: 'K', as: { kind: 'member', name: 'laptop', role: 'operator' } });

  it('a member of the fleet may publish only its own events and states', () => {
    expect(member.publish.filter((subject) => /^baton\.(ev|st)\./.test(subject))).toEqual([
      'baton.ev.laptop',
      'baton.st.laptop.>',
    ]);
  });

  it('a member of the fleet may not create consumers on the hub and may not read the commands for another machine', () => {
    expect(member.publish.filter((subject) => subject.includes('CREATE') || subject.includes('*.>'))).toEqual([]);
    expect(member.subscribe).toEqual(['_INBOX.laptop.>', 'baton.ask.laptop']);
  });

  it('a viewer in the fleet may not publish commands', () => {
    const viewer = permissionsOf({ key: 'K', as: { kind: 'member', name: 'tablet', role: 'viewer' } });
    expect(viewer.publish.some((subject) => subject.startsWith('baton.cmd'))).toBe(false);
    expect(member.publish).toContain('baton.cmd.*');
  });

  it('with the key of an invitation, a machine may only ask to join the fleet', () => {
    const { publish } = permissionsOf({ key: 'K', as: { kind: 'invitation', id: 'abc' } });
    expect(publish).toEqual(['baton.join.abc']);
  });

  it('Baton reads nothing from the subject of a hub message if the subject lacks a machine, a kind or an id', () => {
    expect(topicOf('baton.st.laptop.agent.3')).toEqual({ machine: 'laptop', kind: 'agent', id: '3' });
    expect(topicOf('baton.st.laptop')).toBeUndefined();
  });
});
