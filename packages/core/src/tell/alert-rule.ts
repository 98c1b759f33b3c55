/** When a streak of failures is an alert, and what is then known. */
export interface AlertRule {
  /** How many failures one after another: one alert as each is crossed, and a recovery after the streak that crossed the lowest. */
  thresholds: readonly number[]
  /** For the log line and the callback. Free of secrets and guests' data. */
  fields: Record<string, string>
}
