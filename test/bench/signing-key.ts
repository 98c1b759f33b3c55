/** Signs every delivery of the benchmark. */
export const signingKey = 'a-signing-key-for-the-benchmark'
