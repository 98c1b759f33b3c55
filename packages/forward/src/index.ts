export { type ForwardedEvent, type ForwardOptions, forward } from './forward.js'
export { checkedSecret } from './secret.js'
