import { InvalidArgumentError } from 'commander'

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A duration such as `500ms`, `5s`, `1.5m`, `1h` or `2d`, in milliseconds. */
export function durationMs(text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text) ?? []
  if (amount === undefined)
    throw new InvalidArgumentError('Write a number and a unit, such as 500ms, 5s, 10m, 1h or 2d.')
  // The pattern allows no other unit.
  return Math.round(Number(amount) * unitMs[unit as keyof typeof unitMs])
}
