export type { AccountOptions } from '../account-calls.js'
export { type Reconciled, type ReconcileOptions, reconcile } from './reconcile.js'
