declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  /** The parts of the library that tests use; it has no types of its own. */
  export default class Provider {
    constructor(issuer: string, configuration: object)
    callback(): RequestListener
    on(event: string, listener: (...details: unknown[]) => void): void
  }
}
