/**
 * Conditions of partial indexes, which keep the little that is to be done apart from all that was ever done. SQLite uses such an index only
 * for a query that has the same words, without bindings.
 */
export const isUnsettled = "status <> 'settled'"
export const isSettled = "status = 'settled'"
export const isUntold = "status <> 'done'"
export const isReplayed = "replay <> ''"

/** These keep what a new row has nothing of out of its way: any comparison of the column implies them. */
export const hasParent = 'parent_id is not null'
export const isFinished = 'finished_us is not null'
export const waitsAfter = 'after_lane is not null'
