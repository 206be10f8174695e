/**
 * Lets a caller stop waiting for an answer of the hub. This is needed when the connection is lost, because the answer
 * then never comes.
 */
export interface LostAnswers {
  /**
   * Waits for an answer and resolves with it. Rejects if `giveUp` is called first. If several waits are open, `giveUp`
   * ends only the latest one.
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
