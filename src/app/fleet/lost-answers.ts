/** Lets a caller stop waiting for an answer that was lost together with the connection to the hub. */
export interface LostAnswers {
  /**
   * Waits for an answer. Resolves with the answer, or rejects if `giveUp` is called first. A call of `giveUp` rejects
   * only the latest wait.
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
