/** @typedef {import('playwright-core').Page} Page */

/**
 * Counts the compressed bytes that the page loads before it shows any content. Call this function before opening the
 * page.
 * @param {Page} page
 * @returns {() => Promise<number>} bytes
 */
export function initialGzipBytes(page) {
  /** @type {Promise<number>[]} */
  const sizes = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (pathname === '/' || pathname.startsWith('/assets/'))
      sizes.push(response.allHeaders().then((headers) => Number(headers['content-length'] ?? 0)));
  });
  return async () => {
    const all = await Promise.all(sizes);
    return all.reduce((sum, size) => sum + size, 0);
  };
}

/** Measures the heap after a garbage collection, so that only reachable objects count. @param {Page} page */
export async function usedHeapBytes(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}

/**
 * Records the times between frames and the lengths of long tasks until the returned function is called.
 * @param {Page} page
 * @returns {Promise<() => Promise<{ frameMs: number[], longTasksMs: number[] }>>}
 */
export async function watchFrames(page) {
  await page.evaluate(() => {
    /** @type {{ frameMs: number[], longTasksMs: number[] }} */
    const seen = { frameMs: [], longTasksMs: [] };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.longTasksMs.push(duration);
    }).observe({ entryTypes: ['longtask'] });
    let last = performance.now();
    const next = (/** @type {number} */ at) => {
      seen.frameMs.push(at - last);
      last = at;
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  return () => page.evaluate(() => /** @type {any} */ (window).seen);
}
