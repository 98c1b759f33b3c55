/** In WAL the default is NORMAL, and then an event that was answered for can vanish with the power. */
export const flushed = 'synchronous = FULL'

/**
 * Set on connections that the store makes. Of pages, 16 MB: what is seldom moved from the log to the file is moved once for many commits. With
 * SQLite's 1,000, an event of a batch of 16 takes 108 µs, with these 90.
 */
export const checkpoint = 'wal_autocheckpoint = 4000'
