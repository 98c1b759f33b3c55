import { acuityStories } from '@booking-webhooks/acuity/testing'
import { calcomStories } from '@booking-webhooks/calcom/testing'
import { calendlyStories } from '@booking-webhooks/calendly/testing'
import { invalidOption, type Story } from '@booking-webhooks/core'
import type { ProviderName } from '../environment/index.js'

type Stories = Readonly<Record<string, Story>>

/** At the command a story is named after what goes wrong in it. */
const renamed: Readonly<Record<string, string>> = {
  'late-create': 'overtaking-cancel',
  'double-booking': 'slot-clash',
  'reschedule-reversed': 'reversed-reschedule',
}

/** As often as a provider tries in a day. */
const stormSize = 20

/** The sample stories of each provider, by the name that `--story` takes. */
export const stories: Readonly<Record<ProviderName, Stories>> = {
  calendly: atTheCommand(calendlyStories),
  calcom: atTheCommand(calcomStories),
  acuity: atTheCommand(acuityStories),
}

/** The story of that name; INVALID_OPTION, with the names there are, for any other. */
export function storyOf(provider: ProviderName, name: string): Story {
  const told = stories[provider]
  const story = Object.hasOwn(told, name) ? told[name] : undefined
  if (!story)
    throw invalidOption(`--story must be one of ${Object.keys(told).sort().join(', ')} for ${provider}.`)
  return story
}

function atTheCommand({ book, ...others }: { book: Story } & Stories): Stories {
  const named = Object.entries(others).map(([name, story]) => [renamed[name] ?? name, story] as const)
  return { book, ...Object.fromEntries(named), 'retry-storm': storm(book) }
}

/** The same delivery again and again, as a provider sends it to a receiver whose answers it does not get. */
function storm(book: Story): Story {
  return options => {
    const [delivery] = book(options)
    return delivery ? Array.from({ length: stormSize }, () => delivery) : []
  }
}
