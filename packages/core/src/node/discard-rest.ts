import type { IncomingMessage } from 'node:http'

/**
 * Lets a client that was answered before it had sent its body send the rest, unread: cut off at once, it may never see
 * the answer (the reset overtakes it), and a connection that is kept alive would be stuck. After `timeoutMs` it is cut off.
 */
export function discardRest(request: IncomingMessage, timeoutMs: number): void {
  if (request.readableEnded || request.destroyed) return
  const timer = setTimeout(() => request.destroy(), timeoutMs).unref()
  request.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
  request.resume()
}
