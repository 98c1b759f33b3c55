export {
  type FrameworkUnderTest,
  frameworkContract,
  type InboxWanted,
  type Server,
  type TestFunctions,
} from './framework-contract.js'
