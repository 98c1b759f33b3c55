import { type Adapter, invalidOption, objectOrNull, type StoredReading } from '@booking-webhooks/core'
import { getResource } from './api.js'
import { contentOf } from './happening.js'
import { lookedFor } from './look.js'
import type { CalendlySnapshot } from './payload.js'
import { apiPath, meetingOf } from './resource-uri.js'

export interface FetchOptions {
  /** A personal access token with the scope `scheduled_events:read`, for all accounts. */
  token?: string
  /** Asked before each request where tokens change or belong to accounts; null for an account that has none. */
  getToken?: (account: string) => string | null | Promise<string | null>
  /** Default `https://api.calendly.com`. The token goes nowhere else. */
  apiUrl?: string
}

/** A booking waits for its meeting no longer than some minutes, then it is told without. */
const meetingAttempts = 8

/** Asks Calendly where the body is not enough and there is a token; else nothing is ever asked. Checked at creation. */
export function fetching(options: FetchOptions): Pick<Adapter, 'needsFetch' | 'fetch'> {
  const getToken = tokenSource(options)
  if (!getToken) return {}
  const apiUrl = originOf(options.apiUrl ?? 'https://api.calendly.com')
  return {
    needsFetch: reading => pathsFor(reading) !== null,
    async fetch(reading, { signal }): Promise<CalendlySnapshot | null> {
      const paths = pathsFor(reading)
      const token = paths && (await getToken(reading.account))
      if (!paths || !token) return null
      const attempts = reading.isLook ? undefined : meetingAttempts
      const get = (path: string) => getResource({ apiUrl, path, token, signal, attempts })
      return {
        ...(paths.invitee && { invitee: await get(paths.invitee) }),
        scheduled_event: await get(paths.meeting),
      }
    },
  }
}

/** What to ask for; null where the body says it all, or names nothing that may be asked for. */
function pathsFor(reading: StoredReading): { invitee?: string; meeting: string } | null {
  if (reading.isLook) {
    const uri = lookedFor(reading)
    const invitee = uri && apiPath(uri)
    const meeting = uri && apiPath(meetingOf(uri))
    return invitee && meeting ? { invitee, meeting } : null
  }
  const content = contentOf(reading.body)
  const happening = 'happenings' in content ? content.happenings[reading.index] : undefined
  if (happening?.of !== 'invitee') return null
  const isHalf = happening.event === 'invitee.canceled' && happening.newInvitee !== null
  if (isHalf || objectOrNull(happening.payload.scheduled_event)) return null
  const meeting = apiPath(happening.meetingId) ?? apiPath(meetingOf(happening.invitee))
  return meeting === null ? null : { meeting }
}

function tokenSource({ token, getToken }: FetchOptions): FetchOptions['getToken'] | null {
  if (token !== undefined && getToken !== undefined)
    throw invalidOption('calendly() takes token or getToken, not both.')
  if (getToken !== undefined || token === undefined) return getToken ?? null
  if (!/^[\x21-\x7e]+$/.test(token))
    throw invalidOption(
      'calendly({ token }) is empty or holds white space. Is CALENDLY_API_TOKEN set as it was shown?',
    )
  return () => token
}

function originOf(apiUrl: string): string {
  if (!/^https?:/.test(apiUrl) || !URL.canParse(apiUrl))
    throw invalidOption('calendly({ apiUrl }) must be an http or https URL. Is CALENDLY_API_URL right?')
  return apiUrl.replace(/\/+$/, '')
}
