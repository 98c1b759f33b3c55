export { type AdapterSample, type AdapterUnderTest, adapterContract } from './adapter-contract.js'
export {
  type FrameworkUnderTest,
  frameworkContract,
  type InboxWanted,
  type Server,
  type TestFunctions,
} from './framework-contract.js'
