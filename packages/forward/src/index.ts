export { type ForwardedEvent, type ForwardOptions, forward } from './forward.js'
