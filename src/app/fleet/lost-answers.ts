/** Ends waits for answers that were lost together with the connection to the hub. */
export interface LostAnswers {
  /** Returns the answer, or rejects when `giveUp` is called first. Only one wait at a time can be ended. */
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
