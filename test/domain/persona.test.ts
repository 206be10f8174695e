import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { personaSlug, refusePersona } from '../../src/domain/persona/persona.ts';

describe('persona slugs', () => {
  it('are role, name and id', () => {
    expect(personaSlug('Developer', 'Con', 1)).toBe('developer-con-1');
    expect(personaSlug('QA Lead', 'Zoë  Müller', 12)).toBe('qa-lead-zoe-muller-12');
  });

  it('any text gives a slug that needs no quoting anywhere, or is refused', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), fc.nat(), (role, name, id) => {
        if (refusePersona(role, name) !== undefined) return;
        expect(personaSlug(role, name, id)).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
        expect(personaSlug(role, name, id).length).toBeLessThanOrEqual(53);
      }),
    );
  });

  it('a name without letters or digits is refused with a sentence', () => {
    expect(refusePersona('developer', '../..')?.sentence).toContain('name');
    expect(refusePersona('', 'Con')?.sentence).toContain('role');
  });
});
