/** The end of a command's help: lines to paste, each with what it does. */
export function examples(...lines: [command: string, does: string][]): string {
  const width = Math.max(...lines.map(([command]) => command.length))
  const text = lines.map(([command, does]) => `  ${command.padEnd(width)}  # ${does}`)
  return `\nExamples:\n${text.join('\n')}`
}
