import type { Plant } from './plant.ts';
import type { Stage } from './stage.ts';
import type { Sample } from './texts.ts';
import type { Trial } from './trial.ts';

export interface Scene {
  readonly stage: Stage;
  readonly profile: string;
  readonly plant: Plant;
  /** The number of this pane. Each test profile numbers its own panes. */
  readonly pane: number;
  readonly texts: () => Sample;
  /** Records a trial as soon as it has ended, so that the trial is not lost if the bench breaks down later. */
  readonly keep: (trial: Trial) => void;
}

export type Profile = (scene: Scene, count: number) => Promise<void>;
