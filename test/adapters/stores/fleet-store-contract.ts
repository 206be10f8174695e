import { describe, expect, it } from 'vitest';
import type { FleetObject } from '../../../src/app/ports/fleet/fleet-store.ts';
import { type Store, StoreConflict } from '../../../src/app/ports/store.ts';
import type { Instant } from '../../../src/domain/instant.ts';

const AT = '2026-11-15T08:00:00.000Z' as Instant;
const agent = (machine: string, id: string, position = 1): FleetObject => ({
  machine,
  kind: 'agent',
  id,
  position,
  body: `{"id":${id}}`,
});

/** Tests how a store keeps data about the fleet. Every store must pass these tests. */
export function describeFleetStore(name: string, open: () => Store): void {
  describe(`the fleet in the ${name} store`, () => {
    it('the store replaces a saved note about the fleet, and deletes the note if null is saved', async () => {
      const store = open();
      await store.write((tx) => tx.saveFleetNote('membership', 'one'));
      await store.write((tx) => tx.saveFleetNote('membership', 'two'));
      expect(store.read((tx) => tx.fleetNote('membership'))).toBe('two');
      await store.write((tx) => tx.saveFleetNote('membership', null));
      expect(store.read((tx) => tx.fleetNote('membership'))).toBeUndefined();
    });

    it('the store replaces the state of an object on one machine and keeps the states of other machines', async () => {
      const store = open();
      await store.write((tx) => {
        for (const object of [agent('b', '1'), agent('a', '1'), agent('a', '2'), agent('a', '1', 7)])
          tx.saveFleetObject(object);
      });
      expect(store.read((tx) => tx.fleetObjects('agent'))).toEqual([
        agent('a', '1', 7),
        agent('a', '2'),
        agent('b', '1'),
      ]);
      expect(store.read((tx) => tx.fleetObjects('agent', 'b'))).toEqual([agent('b', '1')]);
      expect(store.read((tx) => tx.fleetObjects('run', 'b'))).toEqual([]);
      await store.write((tx) => tx.deleteFleetObject(agent('a', '1')));
      expect(store.read((tx) => tx.fleetObject(agent('a', '1')))).toBeUndefined();
      expect(store.read((tx) => tx.fleetObject(agent('a', '2')))).toEqual(agent('a', '2'));
    });

    it('if a machine is forgotten, the store deletes its report and all of its states', async () => {
      const store = open();
      await store.write((tx) => {
        for (const machine of ['a', 'b']) {
          tx.saveFleetObject(agent(machine, '1'));
          tx.saveMachineReport({ machine, at: AT, position: 1, body: '{}' });
        }
        tx.saveMachineReport({ machine: 'a', at: null, position: 2, body: '{"n":2}' });
      });
      expect(store.read((tx) => tx.machineReports()).map(({ machine, position }) => [machine, position])).toEqual([
        ['a', 2],
        ['b', 1],
      ]);
      await store.write((tx) => tx.forgetMachine('a'));
      expect(store.read((tx) => [tx.machineReports().length, tx.fleetObjects('agent').length])).toEqual([1, 1]);
    });

    it('the store records a command from another machine only once, and keeps the answer to the command', async () => {
      const store = open();
      const row = { id: 'c-1', from: 'laptop', route: '/api/agents/1/stop', begunAt: AT };
      await store.write((tx) => tx.beginFleetCommand(row));
      await expect(store.write((tx) => tx.beginFleetCommand(row))).rejects.toThrow(StoreConflict);
      expect(store.read((tx) => tx.fleetCommand('c-1'))).toEqual({ ...row, answer: null });
      await store.write((tx) => tx.answerFleetCommand('c-1', '{"status":200}'));
      await store.write((tx) => tx.beginFleetCommand({ ...row, id: 'c-2' }));
      expect(store.read((tx) => tx.fleetCommands(5)).map(({ id, answer }) => [id, answer])).toEqual([
        ['c-2', null],
        ['c-1', '{"status":200}'],
      ]);
      expect(store.read((tx) => tx.fleetCommands(1))).toHaveLength(1);
    });

    it('the store has no record of a command from another machine if the transaction failed', async () => {
      const store = open();
      const failing = store.write((tx) => {
        tx.beginFleetCommand({ id: 'c-1', from: 'laptop', route: '/api/agents/1/stop', begunAt: AT });
        throw new Error('the rest of the transaction failed');
      });
      await expect(failing).rejects.toThrow('failed');
      expect(store.read((tx) => tx.fleetCommand('c-1'))).toBeUndefined();
    });
  });
}
