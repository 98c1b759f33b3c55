import express from 'express'
import express4 from 'express-4'

/** Both majors, typed as the newer one: the tests use what they share. */
export const frameworks: [string, typeof express][] = [
  ['Express 4', express4 as unknown as typeof express],
  ['Express 5', express],
]
