import { type AccountKeys, type Adapter, accountKeys, invalidOption } from '@booking-webhooks/core'
import { unsigned } from './verify.js'

/** What stands for a key where nothing is signed: it is never compared with anything. */
const noKey = ['']

/** Checks the settings at creation: a secret is required, unless unsigned requests are allowed by name. */
export function webhookSecrets(secret: AccountKeys, allowUnsigned: boolean): Adapter['keys'] {
  if (allowUnsigned && secret !== undefined)
    throw invalidOption('calcom({ secret, allowUnsigned }) cannot have both. Leave out allowUnsigned.')
  if (allowUnsigned) return account => (account === 'default' ? noKey : null)
  return accountKeys(secret, {
    setting: 'calcom({ secret })',
    variable: 'CALCOM_WEBHOOK_SECRET',
    refuse: key =>
      key === unsigned
        ? 'it is what Cal.com sends where a webhook has no secret. Set one on the webhook, and here'
        : null,
  })
}
