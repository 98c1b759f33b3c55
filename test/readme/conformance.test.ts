import { exampleOf } from './example.js'

// It describes what it tests by itself.
await exampleOf('packages/conformance/README.md')
