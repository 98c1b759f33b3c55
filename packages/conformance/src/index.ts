export { type AdapterSample, type AdapterUnderTest, adapterContract } from './adapter-contract.js'
export { type Step, statuses, talk } from './framework/client.js'
export {
  type FrameworkUnderTest,
  frameworkContract,
  type InboxWanted,
  type Server,
} from './framework-contract.js'
export { type Ground, type StoreProbe, type StoreUnderTest, storeContract } from './store-contract.js'
export type { TestFunctions } from './test-functions.js'
