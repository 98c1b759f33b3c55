import { expect } from 'chai'
import nock from 'nock'

/** For the tests of the block that calls it: nothing reaches the network, and each makes all the requests that it has answers for. */
export function withoutNetwork(): void {
  beforeEach(() => nock.disableNetConnect())
  afterEach(() => {
    const left = nock.pendingMocks()
    nock.abortPendingRequests()
    nock.cleanAll()
    nock.enableNetConnect()
    expect(left, 'requests that were not made').to.deep.equal([])
  })
}
