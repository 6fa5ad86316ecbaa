import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getCACertificates } from 'node:tls'
import type { Route } from '../outgoing/route.ts'
import type { GitCredentials } from './git-location.ts'
import { PROGRAM_PATH } from './git-program.ts'
import { type GitRelay, RELAY_USER, type RelayTarget } from './git-relay.ts'

/** Settings in git's spelling, in order; a name may repeat. */
type GitSettings = readonly (readonly [name: string, value: string])[]

/** The server that git fetches from. */
export interface GitRemote {
  /** http, https, or file if the operator allows it. */
  readonly url: URL
  /** The network route; undefined for files. */
  readonly route: Route | undefined
  /** The relay that git uses; undefined for files. */
  readonly relay: GitRelay | undefined
}

const BIG_FILE = '1m'
const STALLED_BYTES_PER_SECOND = '500'
const STALLED_SECONDS = '20'

/** Settings for every git process: never run what a repository chooses, and bound memory. */
const EVERYWHERE: GitSettings = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.symlinks', 'false'],
  ['core.askPass', ''],
  ['core.attributesFile', '/dev/null'],
  ['core.bigFileThreshold', BIG_FILE],
  ['core.packedGitWindowSize', '16m'],
  ['core.packedGitLimit', '256m'],
  ['core.deltaBaseCacheLimit', '32m'],
  ['pack.threads', '1'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['fetch.unpackLimit', '1'],
  ['fetch.writeCommitGraph', 'false'],
  ['fetch.negotiationAlgorithm', 'noop'],
  ['transfer.bundleURI', 'false'],
  ['credential.helper', ''],
]

/**
 * Writes settings for two uses: reading fetched data, without network access, and fetching. They contain no secret
 * except the relay's own token, which only gives access to the repository's server. A helper of shell builtins passes
 * credentials from a pipe to git, for one server only.
 */
export async function writeGitConfigs(folder: string, { url, route, relay }: GitRemote): Promise<GitConfigs> {
  const reading = join(folder, 'reading.config')
  const fetching = join(folder, 'fetching.config')
  await writeFile(reading, toConfigText(EVERYWHERE), { mode: 0o600 })
  const network = url.protocol === 'file:' ? localSettings() : await networkSettings(folder, { url, route, relay })
  const remote: GitSettings = [
    ['remote.origin.url', url.href],
    ['remote.origin.promisor', 'true'],
    ['remote.origin.partialCloneFilter', 'blob:none'],
  ]
  await writeFile(fetching, toConfigText([...EVERYWHERE, ...remote, ...network]), { mode: 0o600 })
  return { reading, fetching }
}

export interface GitConfigs {
  readonly reading: string
  readonly fetching: string
}

/** Returns git's whole environment. */
export function gitEnvironment(home: string, config: string, protocols: string): Record<string, string> {
  return {
    PATH: PROGRAM_PATH,
    HOME: home,
    XDG_CONFIG_HOME: home,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: config,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_ALLOW_PROTOCOL: protocols,
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    // Only fetches may fetch lazily: newer versions know this setting; older ones find no remote in the other settings.
    ...(protocols === 'none' && { GIT_NO_LAZY_FETCH: '1' }),
  }
}

/** Returns the contents of the pipes that the helpers of `writeGitConfigs` read, in order. */
export function toPipes(credentials: GitCredentials | undefined, route: Route | undefined): string[] {
  const proxy = proxyOf(route)
  const forProxy = proxy && { username: proxy.username, password: proxy.password }
  return [toAnswer(credentials), toAnswer(forProxy)]
}

function localSettings(): GitSettings {
  return [
    ['uploadpack.allowFilter', 'true'],
    ['uploadpack.allowAnySHA1InWant', 'true'],
  ]
}

async function networkSettings(folder: string, { url, route, relay }: GitRemote): Promise<GitSettings> {
  const settings: [string, string][] = [
    // The address and its redirects were already checked; this also disables alternates on other servers.
    ['http.followRedirects', 'false'],
    ['http.lowSpeedLimit', STALLED_BYTES_PER_SECOND],
    ['http.lowSpeedTime', STALLED_SECONDS],
    [`credential.${url.origin}.helper`, helperReading(3)],
  ]
  const proxy = proxyOf(route)
  const here = `127.0.0.1:${relay?.port ?? 0}`
  if (proxy) {
    const user = proxy.username === '' ? '' : `${encodeURIComponent(proxy.username)}@`
    settings.push(['http.proxy', `http://${user}${here}`])
    settings.push(['http.proxyAuthMethod', 'basic'])
    settings.push([`credential.http://${here}.helper`, helperReading(4)])
  } else settings.push(['http.proxy', `socks5h://${RELAY_USER}:${relay?.token}@${here}`])
  if (getCACertificates('extra').length > 0) {
    const bundle = join(folder, 'certificates.pem')
    await writeFile(bundle, getCACertificates('default').join('\n'), { mode: 0o600 })
    settings.push(['http.sslCAInfo', bundle])
  }
  return settings
}

/** Returns the relay target through which git reaches a URL. */
export function relayTargetOf(url: URL, route: Route): RelayTarget {
  const proxy = proxyOf(route)
  if (proxy === undefined) {
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
    return { host: withoutBrackets(url.hostname), port, addresses: route.addresses, isTls: false, isSocks: true }
  }
  const { hostname, port, protocol } = new URL(`${proxy.scheme}//${proxy.host}`)
  const isTls = protocol === 'https:'
  const place = { host: withoutBrackets(hostname), port: Number(port) || (isTls ? 443 : 80) }
  return { ...place, addresses: [], isTls, isSocks: false }
}

function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}

function proxyOf(route: Route | undefined) {
  const url = route?.proxyUrl === undefined ? null : URL.parse(route.proxyUrl)
  if (url === null) return undefined
  const [username, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
  return { scheme: url.protocol, host: url.host, username, password }
}

function helperReading(descriptor: number): string {
  return `!f() { test "$1" = get || return 0; while IFS= read -r line <&${descriptor}; do printf '%s\\n' "$line"; done; }; f`
}

function toAnswer(credentials: GitCredentials | undefined): string {
  if (credentials === undefined || credentials.password === '') return ''
  const { username, password } = credentials
  // gitcredentials(7) defines no escape for these characters.
  if (/[\n\r\0]/.test(username + password)) return ''
  return `username=${username}\npassword=${password}\n`
}

function toConfigText(settings: GitSettings): string {
  return settings.map(([name, value]) => `${toSection(name)} = "${escapeValue(value)}"\n`).join('')
}

/** Formats one setting per line (git-config(1): `[section "subsection"] key`). */
function toSection(name: string): string {
  const first = name.indexOf('.')
  const last = name.lastIndexOf('.')
  const section = name.slice(0, first)
  const subsection = first === last ? '' : ` "${escapeValue(name.slice(first + 1, last))}"`
  return `[${section}${subsection}]\n${name.slice(last + 1)}`
}

function escapeValue(text: string): string {
  return text.replace(/[\\"]/g, '\\$&')
}
