/**
 * Conditions of partial indexes, which keep the little that is to be done apart from all that was ever done. SQLite uses such an index only
 * for a query that has the same words, without bindings.
 */
export const isUnsettled = "status <> 'settled'"
export const isUntold = "status <> 'done'"
export const isReplayed = "replay <> ''"
