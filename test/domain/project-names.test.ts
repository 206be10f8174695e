import { describe, expect, it } from 'vitest';
import { projectNames } from '../../src/domain/project-names.ts';

const project = (path: string) => ({ name: path.split('/').at(-1) ?? '', path });

describe('the names of projects', () => {
  it('a project is named by its folder if no other project has the same name', () => {
    const all = ['/home/me/shop', '/home/me/tally', '/home/me/shop'].map(project);
    expect(all.map(projectNames(all))).toEqual(['shop', 'tally', 'shop']);
  });

  it('projects with the same name are told apart by the names of their parent folders', () => {
    const all = ['/home/me/shop', '/home/me/work/shop', '/srv/work/shop', '/shop'].map(project);
    expect(all.map(projectNames(all))).toEqual(['me/shop', 'me/work/shop', 'srv/work/shop', '/shop']);
  });
});
