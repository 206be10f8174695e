/** The listeners of one kind of event. */
export interface Listeners<T> {
  /** Adds a listener. Returns a function that removes the listener. */
  add(listener: (value: T) => void): () => void;
  callAll(value: T): void;
}

export function createListeners<T>(): Listeners<T> {
  const listeners = new Set<{ readonly call: (value: T) => void }>();
  return {
    add: (call) => {
      const listener = { call };
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    callAll: (value) => {
      // Use a copy of the list, because a listener may remove itself or add another listener while the calls are made.
      for (const { call } of [...listeners]) call(value);
    },
  };
}
