import { describe, expect, it } from 'vitest';
import { practice } from '../conformance/clients.mjs';
import { playScene, readRecording, recordedScenes } from '../conformance/play.mjs';
import { SCENES } from '../conformance/scenes.mjs';
import { differences, type Trace } from '../conformance/trace.mjs';

/**
 * The scripted dialogs in which the practice agent must differ from Claude Code. Each entry has a reason and derives
 * the expected trace from the recording of Claude Code. The test fails if the practice agent differs in a dialog that
 * has no entry, or if an entry is not needed. See docs/reliability/how-we-prove.md.
 */
const EXCEPTIONS: Record<string, { readonly reason: string; readonly instead: (recorded: Trace) => Trace }> = {
  shell_line: {
    reason: 'A referee never runs what was typed as a shell line: a faulty delivery must stay harmless.',
    instead: ({ events, ...rest }) => ({
      ...rest,
      events: events
        .filter(({ event }) => event !== 'Stop')
        .map((event) => (event.event === 'SessionEnd' ? { ...event, prompt_id: 'prompt-1' } : event)),
    }),
  },
};

describe('the practice agent compared with a recorded Claude Code', () => {
  it('for every scripted dialog of the practice agent, there is a recording of Claude Code in the same dialog', () => {
    expect(recordedScenes().sort()).toEqual(Object.keys(SCENES).sort());
  });

  it.concurrent.each(Object.keys(SCENES))(
    'the practice agent behaves like the recorded Claude Code in the dialog %s',
    async (name) => {
      const recorded = readRecording(name);
      const exception = EXCEPTIONS[name];
      const played = await playScene(practice, name);
      if (exception === undefined) return expect(differences(recorded, played)).toEqual([]);
      expect(differences(exception.instead(recorded), played)).toEqual([]);
      expect(differences(recorded, played), `the exception is not needed: ${exception.reason}`).not.toEqual([]);
    },
  );
});
