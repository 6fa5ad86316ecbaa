/** The parts of oidc-provider 9 that we use; the package has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  /** Koa's context of one request, as far as our hooks look at it. */
  export interface ProviderContext {
    type: string
    body: unknown
    readonly oidc: {
      readonly params?: Readonly<Record<string, string | undefined>>
      readonly client?: ProviderClient
      readonly result?: InteractionResult
      readonly session: Session
      readonly provider: Provider
      readonly entities: {
        readonly AuthorizationCode?: { readonly nonce?: string }
        readonly RefreshToken?: { readonly nonce?: string }
      }
    }
  }

  export interface ProviderClient {
    readonly clientId: string
    readonly redirectUris: readonly string[]
    readonly is_confidential: boolean
    readonly access_token_ttl_seconds: number
    redirectUriAllowed(uri: string): boolean
  }

  export interface Payload {
    readonly [member: string]: unknown
    readonly jti?: string
    readonly uid?: string
    readonly grantId?: string
    readonly exp?: number
  }

  export interface Adapter {
    upsert(id: string, payload: Payload, expiresIn: number | undefined): Promise<void>
    find(id: string): Promise<Payload | undefined>
    findByUid(uid: string): Promise<Payload | undefined>
    consume(id: string): Promise<void>
    destroy(id: string): Promise<void>
    revokeByGrantId(grantId: string): Promise<void>
  }

  export interface InteractionResult {
    login?: { accountId: string; remember?: boolean; acr?: string }
    consent?: { grantId?: string }
    error?: string
    error_description?: string
  }

  export interface Interaction {
    readonly uid: string
    readonly prompt: { readonly name: string; readonly reasons: readonly string[] }
    readonly params: Readonly<Record<string, string | undefined>>
    readonly returnTo: string
    session?: { accountId: string; uid?: string; cookie?: string; acr?: string } | undefined
    result?: InteractionResult
    persist(): Promise<string>
    destroy(): Promise<void>
  }

  export interface Session {
    readonly uid: string
    readonly accountId?: string
    readonly loginTs?: number
    readonly acr?: string
    destroy(): Promise<void>
    loginAccount(details: { readonly accountId: string }): void
    resetIdentifier(): void
  }

  export interface AccessToken {
    readonly grantId: string
    readonly scope?: string
    readonly scopes: ReadonlySet<string>
    expiresIn: number
  }

  export interface ProviderError extends Error {
    readonly error: string
    readonly error_description?: string
    readonly error_detail?: string
    readonly statusCode: number
  }

  interface Model<T> {
    readonly prototype: T
    find(id: string): Promise<T | undefined>
  }

  export class Check {
    constructor(reason: string, description: string, check: (ctx: ProviderContext) => boolean | Promise<boolean>)
  }
  export class Prompt {
    constructor(options: { name: string; requestable?: boolean }, ...checks: Check[])
    readonly checks: { add(check: Check): void }
  }
  interface Policy extends Array<Prompt> {
    add(prompt: Prompt): void
    get(name: string): Prompt | undefined
    remove(name: string): void
  }
  export const interactionPolicy: { base(): Policy; readonly Check: typeof Check; readonly Prompt: typeof Prompt }

  export class Provider {
    constructor(issuer: string, configuration: object)
    static readonly ctx: ProviderContext | undefined
    proxy: boolean
    readonly AccessToken: Model<AccessToken & { save(): Promise<string> }>
    readonly AuthorizationCode: Model<{ generateTokenId(): string }>
    readonly RefreshToken: Model<{ generateTokenId(): string }>
    readonly Interaction: Model<Interaction>
    readonly Session: Model<Session> & {
      readonly prototype: Session
      findByUid(uid: string): Promise<Session | undefined>
      get(context: { req: IncomingMessage; res: ServerResponse }): Promise<Session>
    }
    readonly Client: Model<ProviderClient> & { readonly Schema: { readonly prototype: { redirectUris(): void } } }
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    cookieName(type: 'session' | 'interaction' | 'resume'): string
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>
    interactionResult(
      request: IncomingMessage,
      response: ServerResponse,
      result: InteractionResult,
      options?: { mergeWithLastSubmission?: boolean },
    ): Promise<string>
    on(event: 'error' | string, listener: (...args: never[]) => void): this
  }

  export const errors: {
    readonly InvalidGrant: new (detail: string) => ProviderError
    readonly SessionNotFound: new (detail: string) => ProviderError
  }
}
