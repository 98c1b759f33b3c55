import type { Log } from '@booking-webhooks/core'

/** A log for what is not about logging. */
export const silent: Log = { debug() {}, info() {}, warn() {}, error() {} }
