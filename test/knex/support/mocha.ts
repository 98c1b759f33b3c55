/** Mocha's functions, with time to make a database on a busy machine. */
export const mocha = {
  describe,
  it,
  after,
  before(work: () => Promise<void>): void {
    before(function () {
      this.timeout(120_000)
      return work()
    })
  },
}
