import type { Plant } from './plant.ts';
import type { Stage } from './stage.ts';
import type { Sample } from './texts.ts';
import type { Trial } from './trial.ts';

export interface Scene {
  readonly stage: Stage;
  readonly profile: string;
  readonly plant: Plant;
  /** Which of the profile's panes this is. */
  readonly pane: number;
  readonly texts: () => Sample;
  /** At once, so that a bench that breaks down later has not forgotten it. */
  readonly keep: (trial: Trial) => void;
}

export type Profile = (scene: Scene, count: number) => Promise<void>;
