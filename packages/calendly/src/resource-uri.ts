const host = 'https://api.calendly.com'
const inviteePattern =
  /^https:\/\/(?:api\.)?calendly\.com\/(?:api\/v2\/)?scheduled_events\/([A-Za-z0-9-]+)\/invitees\/([A-Za-z0-9-]+)$/
const meetingPattern = /^https:\/\/(?:api\.)?calendly\.com\/(?:api\/v2\/)?scheduled_events\/([A-Za-z0-9-]+)$/

/** The one spelling of an invitee's URI; what is none is left as it is. Calendly's own examples use several hosts. */
export function canonicalInvitee(uri: string): string {
  const [, meeting, invitee] = inviteePattern.exec(uri) ?? []
  return invitee === undefined ? uri : `${host}/scheduled_events/${meeting}/invitees/${invitee}`
}

/** As `canonicalInvitee`, for a meeting's URI. */
export function canonicalMeeting(uri: string): string {
  const [, meeting] = meetingPattern.exec(uri) ?? []
  return meeting === undefined ? uri : `${host}/scheduled_events/${meeting}`
}

/** The meeting that an invitee's URI names; the URI itself where it names none. */
export function meetingOf(inviteeUri: string): string {
  const at = inviteeUri.lastIndexOf('/invitees/')
  return at < 0 ? inviteeUri : inviteeUri.slice(0, at)
}

/** The API's path of a canonical invitee or meeting; null for any other URI, which is never asked for. */
export function apiPath(canonicalUri: string): string | null {
  const isOwn = inviteePattern.test(canonicalUri) || meetingPattern.test(canonicalUri)
  return isOwn && canonicalUri.startsWith(host) ? canonicalUri.slice(host.length) : null
}
