import { CliFault, EXIT } from '../../cli-fault.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Makes signals such as Ctrl-C call `stop` until `forget` is called. An immediate exit would leave the demo's server
 * and agents running.
 */
export function onStopSignals(stop: (fault: CliFault) => void): { readonly forget: () => void } {
  const listener = (signal: NodeJS.Signals) =>
    stop(new CliFault(`The demo was stopped by ${signal}.`, { code: 'interrupted', exitCode: EXIT.interrupted }));
  for (const signal of SIGNALS) process.on(signal, listener);
  return {
    forget: () => {
      for (const signal of SIGNALS) process.off(signal, listener);
    },
  };
}
