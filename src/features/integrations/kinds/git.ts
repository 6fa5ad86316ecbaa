import { type Static, Type } from 'typebox'
import { cutText } from '#foundation/cut-text.ts'
import { parsePlainUrl } from '#foundation/outgoing/plain-url.ts'
import { Problem } from '#foundation/problem.ts'
import { Branch, gitCredentialsOf, LOGIN_OR_TOKEN, toBranch, toHosted } from '../hosted.ts'
import { defineKind } from '../integration-kind.ts'

const TOKEN_USER = 'git'
/** Limit of a repository name, which begins its projects' names and their sort key. */
const MAX_NAME_CHARACTERS = 500

const Target = Type.Object({
  url: Type.String({
    minLength: 1,
    maxLength: 2000,
    description: 'Clone URL: http or https, without credentials',
  }),
  branch: Type.Optional(Branch),
})
type Target = Static<typeof Target>

/**
 * Any git repository over HTTP. Credentials are sent only below the base URL. Unsupported: ssh, whose host keys would
 * have to be verified, and git://, which is not authenticated.
 */
export const git = defineKind({
  id: 'git',
  title: 'Git',
  description: 'Any git repository over http or https; credentials are sent only below the base URL',
  credentials: LOGIN_OR_TOKEN,
  baseUrl: 'optional',
  ownBaseUrl: '',
  Target,
  check({ url: sent, branch }: Target) {
    const url = parseUrl(sent)
    const name = `${url.host}${url.pathname}`.replace(/\.git$/, '')
    const target = { url: url.href, branch: toBranch(branch) }
    return { name, branch: target.branch, target }
  },
  async locate(context, { url: sent }) {
    const url = parseUrl(sent)
    const { baseUrl, credentials } = context
    const isBelow = baseUrl !== '' && url.href.startsWith(`${baseUrl}/`)
    const repository = {
      kind: 'git',
      displayName: cutText(url.pathname.replace(/^\/|\.git$/g, ''), MAX_NAME_CHARACTERS),
      cloneUrl: url.href,
      webUrl: url.href,
      identity: url.href.replace(/\.git$/, ''),
    }
    return toHosted(repository, isBelow && credentials ? gitCredentialsOf(credentials, TOKEN_USER) : undefined)
  },
  async test(context) {
    if (context.baseUrl === '')
      throw new Problem('unprocessable', 'The integration has no base URL. Name a target to test the connection.')
    const { status } = await context.ask(context.baseUrl)
    return `${new URL(context.baseUrl).host} answers (HTTP ${status}). Name a target to test the credentials`
  },
})

/** Normalizes a clone URL: no trailing slash, query or fragment. */
function parseUrl(text: string): URL {
  const source = { pointer: '/target/url' }
  const url = parsePlainUrl(text)
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new Problem(
      'invalid-request',
      '/target/url must begin with http:// or https://; ssh and git:// are not supported',
      {
        source,
      },
    )
  if (url.username !== '' || url.password !== '')
    throw new Problem('invalid-request', '/target/url contains credentials. Set them on the integration instead.', {
      source,
    })
  url.search = ''
  url.hash = ''
  url.pathname = url.pathname.replace(/\/+$/, '')
  return url
}
