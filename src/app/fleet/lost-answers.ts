/** Ends waits for answers that were lost together with the connection to the hub. */
export interface LostAnswers {
  /**
   * Returns the answer. Rejects if `giveUp` is called before the answer arrives. `giveUp` ends only the latest wait.
   */
  unlessLost<T>(answer: Promise<T>): Promise<T>;
  giveUp(): void;
}

export function createLostAnswers(): LostAnswers {
  let giveUp = (): void => undefined;
  return {
    unlessLost: (answer) =>
      new Promise((resolve, reject) => {
        giveUp = () => reject(new Error('the connection was lost'));
        answer.then(resolve, reject);
      }),
    giveUp: () => giveUp(),
  };
}
