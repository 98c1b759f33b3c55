/**
 * Lets what a callback within an operation threw come out as it was thrown: it is its caller's, and says how to go on. `operation` is given a
 * wrapper for the callback; what else goes wrong in it stays as it is.
 */
export async function throwing<Result>(
  operation: (
    tracked: <Argument>(work: (argument: Argument) => Promise<void>) => (argument: Argument) => Promise<void>,
  ) => Promise<Result>,
): Promise<Result> {
  let thrown: { error: unknown } | null = null
  const tracked =
    <Argument>(work: (argument: Argument) => Promise<void>) =>
    async (argument: Argument) => {
      thrown = null
      try {
        await work(argument)
      } catch (error) {
        thrown = { error }
        throw error
      }
    }
  try {
    return await operation(tracked)
  } catch (error) {
    if (thrown) throw (thrown as { error: unknown }).error
    throw error
  }
}
