/** The parts of simple-oauth2 that tests use; the package has no types of its own. */
declare module 'simple-oauth2' {
  interface Options {
    readonly client: { readonly id: string; readonly secret: string }
    readonly auth: {
      readonly tokenHost: string
      readonly tokenPath: string
      readonly revokePath: string
      readonly authorizePath?: string
    }
    readonly options: { readonly authorizationMethod: 'header' | 'body' }
  }

  interface AccessToken {
    readonly token: Readonly<Record<string, unknown>>
    expired(): boolean
    refresh(): Promise<AccessToken>
    revoke(kind: 'access_token' | 'refresh_token'): Promise<void>
  }

  export class AuthorizationCode {
    constructor(options: Options)
    authorizeURL(parameters: { redirect_uri: string; scope: readonly string[]; state: string }): string
    getToken(parameters: { code: string; redirect_uri: string }): Promise<AccessToken>
  }

  export class ClientCredentials {
    constructor(options: Options)
    getToken(parameters: { scope: string }): Promise<AccessToken>
  }
}
