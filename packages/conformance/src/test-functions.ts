/** The caller's own test functions: mocha's, vitest's, node:test's. */
export interface TestFunctions {
  describe(title: string, body: () => void): unknown
  it(title: string, body: () => Promise<void>): unknown
}
