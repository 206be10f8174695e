import { parentPort } from 'node:worker_threads';
import { loadTypeScript } from './load-typescript.mjs';

await loadTypeScript(async (load) => {
  const { playChunk } = await load('/prove/sim/play-chunk.ts');
  await new Promise((resolve) => {
    parentPort?.on('message', async (chunk) => {
      if (chunk === undefined) {
        parentPort?.close();
        resolve(undefined);
      } else parentPort?.postMessage(await playChunk(chunk));
    });
  });
});
