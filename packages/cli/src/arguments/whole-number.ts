import { InvalidArgumentError } from 'commander'

/** A whole number of at least `least` (and at most `most`). */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return text => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
    if (!(number >= least && number <= most))
      throw new InvalidArgumentError(
        most === Number.MAX_SAFE_INTEGER
          ? `Write a whole number, at least ${least}.`
          : `Write a whole number from ${least} to ${most}.`,
      )
    return number
  }
}
