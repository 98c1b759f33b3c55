/** Resolves when the process is asked to stop (SIGTERM, SIGINT). A second SIGINT or SIGTERM ends it at once. */
export function untilStopped(): Promise<void> {
  return new Promise(resolve => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
  })
}
