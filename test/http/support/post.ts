/** POSTs to a test's server; a hang fails the test after a second. */
export async function post(
  port: number,
  path: string,
  {
    body,
    headers = {},
    method = 'POST',
  }: { body?: Uint8Array; headers?: Record<string, string>; method?: string },
): Promise<{ status: number; text: string }> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers,
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(1000),
  })
  return { status: response.status, text: await response.text() }
}
