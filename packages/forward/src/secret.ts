import { invalidOption } from '@booking-webhooks/core'

const form = /^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const remedy = `Make one: echo "whsec_$(openssl rand -base64 32)".`

/** The secret in its one accepted form, or INVALID_OPTION. A secret read in two ways would sign in two ways. */
export function checkedSecret(secret: string | undefined): string {
  if (!secret) throw invalidOption(`forward({ secret }) is required. Is FORWARD_SECRET set? ${remedy}`)
  if (!form.test(secret) || secret === 'whsec_')
    throw invalidOption(
      `forward({ secret }) must be "whsec_" followed by padded base64, without blanks. ${remedy}`,
    )
  return secret
}
