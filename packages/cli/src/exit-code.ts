/** What a script can rely on. */
export const exitCode = {
  done: 0,
  /** What was asked is not so: an unknown booking, a refused delivery, something that needs a person. */
  notSo: 1,
  /** The command line or the environment cannot work. */
  usage: 2,
} as const
