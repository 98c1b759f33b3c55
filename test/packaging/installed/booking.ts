import { calendlyDelivery } from '@booking-webhooks/calendly/testing'

/**
 * A function `book()` for a script that has a `server`: posts a signed booking until it is received, says the answer,
 * does what comes `afterwards` and ends the process.
 */
export function booking(key: string, afterwards = ''): string {
  const { headers, body } = calendlyDelivery({ key, event: 'invitee.created' })
  const sent = JSON.stringify({ method: 'POST', headers, body: Buffer.from(body).toString() })
  return `async function book() {
    const url = 'http://127.0.0.1:' + server.address().port + '/webhooks/calendly'
    let status
    do status = (await fetch(url, ${sent})).status
    while (status === 503)
    console.log(status)
    ${afterwards}
    process.exit()
  }`
}
