/** Lets a caller stop waiting for an answer that was lost together with the connection to the hub. */
export interface LostAnswers {
  /**
   * Resolves to the answer. Rejects if `giveUp` is called before the answer arrives. `giveUp` ends only the latest
   * call.
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
