import { acuityStories } from '@booking-webhooks/acuity/testing'
import { calcomStories } from '@booking-webhooks/calcom/testing'
import { calendlyStories } from '@booking-webhooks/calendly/testing'
import { invalidOption, type Story } from '@booking-webhooks/core'

/** The sample stories of each provider, by the name that `--story` takes. */
export const stories: Readonly<Record<string, Readonly<Record<string, Story>>>> = {
  calendly: calendlyStories,
  calcom: calcomStories,
  acuity: acuityStories,
}

/** The story of that name; INVALID_OPTION, with the names there are, for any other. */
export function storyOf(provider: string, name: string): Story {
  const told = stories[provider]
  if (!told) throw invalidOption(`--provider must be one of ${Object.keys(stories).join(', ')}.`)
  const story = Object.hasOwn(told, name) ? told[name] : undefined
  if (!story)
    throw invalidOption(`--story must be one of ${Object.keys(told).sort().join(', ')} for ${provider}.`)
  return story
}
