import type { JsonWebKey } from 'node:crypto'
import { fstatSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { text as readAll } from 'node:stream/consumers'
import { Command } from 'commander'
import { checkSignature, type SignatureState } from '#features/access-tokens/check-signature.ts'
import type { Located } from '#features/credentials/locate-exposed.ts'
import { type FoundKind, type FoundSecret, findSecrets, findUuids } from '#foundation/secrets/find-secrets.ts'
import { hintOf } from '#foundation/secrets/typed-secret.ts'
import { ClientFailure } from '../client/failure.ts'

/** Exit codes as in grep, plus one for credentials that only the database can identify. */
const EXIT_NONE = 1
const EXIT_UNREADABLE = 2
const EXIT_POSSIBLE = 3

const EXIT_CODES = `
Exit codes: 0 at least one value is a credential of Gatehouse; 1 no value is one; 2 nothing to read; 3 a value may be one:
a UUID that could be an API key (pass --stored), or an access token whose signature was not checked (pass --keys or
--stored). The server publishes its keys at /oauth2/jwks.

Other users of the machine can see arguments. Prefer standard input: gatehouse credentials check < found.txt
`

const names: Readonly<Record<FoundKind, string>> = {
  api_key: 'an API key',
  client_secret: 'a client secret',
  refresh_token: 'a refresh token',
  authorization_code: 'an authorization code',
  access_token: 'an access token',
  access_token_id: 'the id of an access token, which grants no access',
}

interface Stored {
  readonly state: 'works' | 'ended' | 'unknown'
  readonly owner?: { readonly kind: string; readonly id: string }
}

/** A found credential as displayed, without the credential itself. */
interface Shown {
  readonly source: string
  readonly line: number
  readonly column: number
  readonly kind: FoundKind
  readonly certainty: FoundSecret['certainty']
  /** The hint in lists of credentials. */
  readonly hint: string
  /** Access tokens only. */
  readonly signature?: SignatureState | 'not_checked'
  readonly stored?: Stored
}

interface Source {
  readonly source: string
  readonly content: string
}

interface Found {
  readonly value: string
  readonly shown: Shown
}

interface Options {
  readonly keys?: string
  readonly stored?: true
  readonly json?: true
}

export function credentialsCommand(): Command {
  const command = new Command('credentials')
  command
    .command('check')
    .description('Identify the credentials of Gatehouse in a text, with their kinds; needs neither server nor database')
    .argument('[text...]', 'text to check; "-" or no text reads standard input')
    .option('--keys <file>', 'response of /oauth2/jwks: the public keys that verify the signatures of access tokens')
    .option('--stored', 'also look the credentials up in the configured database, and show their owners and states')
    .option('--json', 'print JSON')
    .addHelpText('after', EXIT_CODES)
    .action(check)
  return command
}

async function check(texts: readonly string[], { keys: keysFile, stored, json }: Options): Promise<void> {
  const sources: Source[] = await Promise.all(
    (texts.length === 0 ? ['-'] : texts).map(async (text, index) =>
      text === '-'
        ? { source: 'standard input', content: await readInput() }
        : { source: texts.length === 1 ? 'the text' : `text ${index + 1}`, content: text },
    ),
  )
  if (sources.every(({ content }) => content.trim() === '')) {
    console.error('Nothing to check. Pass text as arguments or on standard input.')
    process.exitCode = EXIT_UNREADABLE
    return
  }
  const keys = keysFile === undefined ? undefined : await readKeys(keysFile)
  const secrets = sources.flatMap((source) => findIn(source, findSecrets))
  const others = sources.flatMap((source) => findIn(source, findUuids)).filter((one) => !secrets.some(isSamePlace(one)))
  // Show credentials that only the database can identify only if it knows them.
  const identified = stored ? (await withStorage(others)).filter((one) => one.stored?.state !== 'unknown') : []
  const shown = [
    ...(stored ? await withStorage(secrets, keys) : secrets.map((one) => verified(one, keys))),
    ...identified,
  ]
  const unasked = stored ? 0 : others.length
  if (json) console.log(JSON.stringify({ found: shown, otherUuids: unasked }, undefined, 2))
  else console.log(describeAll(shown, unasked))
  process.exitCode = exitCodeOf(shown, unasked)
}

function isSamePlace({ shown: { source, line, column } }: Found): (other: Found) => boolean {
  return ({ shown }) => shown.source === source && shown.line === line && shown.column === column
}

function describeAll(shown: readonly Shown[], unasked: number): string {
  const lines = shown.map(describe)
  if (unasked > 0) {
    const what = unasked === 1 ? 'One UUID' : `${unasked} UUIDs`
    lines.push(`${what} without a name: any UUID could be an API key (--stored checks it)`)
  }
  return lines.length === 0 ? 'Nothing here is a credential of Gatehouse.' : lines.join('\n')
}

/** Node reads a folder as an empty input. */
async function readInput(): Promise<string> {
  if (!fstatSync(0).isDirectory()) return readAll(process.stdin)
  throw new ClientFailure('Standard input is a folder. Pass a file, as in: gatehouse credentials check < found.txt')
}

/** Reads the keys of a response of /oauth2/jwks. Throws `ClientFailure`. */
async function readKeys(file: string): Promise<JsonWebKey[]> {
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    const why = cause.code === 'ENOENT' ? 'does not exist' : `cannot be read (${cause.code})`
    throw new ClientFailure(`${file} ${why}. Pass the response of /oauth2/jwks with --keys.`, { cause })
  })
  const keys = keysOf(text)
  if (keys !== undefined) return keys
  throw new ClientFailure(`${file} contains no key set. Save the response of /oauth2/jwks of the server.`)
}

function keysOf(text: string): JsonWebKey[] | undefined {
  try {
    const set = JSON.parse(text) as { keys?: unknown } | null
    if (!Array.isArray(set?.keys)) return undefined
    return set.keys.filter((key: unknown): key is JsonWebKey => typeof key === 'object' && key !== null)
  } catch {
    return undefined
  }
}

/** Verifies access tokens by signature, since their other parts can be forged. */
function verified({ value, shown }: Found, keys: readonly JsonWebKey[] | undefined): Shown {
  if (shown.kind !== 'access_token') return shown
  if (!keys) return { ...shown, signature: 'not_checked' }
  const signature = checkSignature(value, keys)
  const certainty = { fits: 'ours', wrong: 'damaged', unknown_key: 'possible' } as const
  return { ...shown, certainty: certainty[signature], signature }
}

function findIn({ source, content }: Source, search: (line: string) => FoundSecret[]): Found[] {
  return content.split('\n').flatMap((line, number) =>
    search(line).map(({ kind, certainty, index, value }) => {
      const hint = certainty === 'damaged' ? '' : hintOf(value)
      return { value, shown: { source, line: number + 1, column: index + 1, kind, certainty, hint } }
    }),
  )
}

async function withStorage(matches: readonly Found[], extraKeys: readonly JsonWebKey[] = []): Promise<Shown[]> {
  // Loaded here: most uses need neither storage nor the rest of the server.
  const [{ publishedKeys }, { locateExposed }, { withServices }] = await Promise.all([
    import('#features/access-tokens/signing-keys.ts'),
    import('#features/credentials/locate-exposed.ts'),
    import('./with-services.ts'),
  ])
  return withServices(async (services) => {
    const keys = [...extraKeys, ...(await publishedKeys(services))]
    const shown: Shown[] = []
    for (const one of matches) {
      const located = await locateExposed(services, one.value)
      shown.push({ ...verified(one, keys), stored: toStored(located, services.now()) })
    }
    return shown
  })
}

function toStored(located: Located | undefined, now: number): Stored {
  if (!located) return { state: 'unknown' }
  const owner = located.concerns[0]?.target
  return { state: located.endsAt > now ? 'works' : 'ended', ...(owner && { owner }) }
}

function describe({ source, line, column, stored, ...match }: Shown): string {
  const said = match.signature === undefined ? describeSecret(match) : describeToken(match.signature, match.hint)
  return `${source}, line ${line}, column ${column}: ${said}${stored ? `; ${describeStored(stored)}` : ''}`
}

function describeToken(signature: NonNullable<Shown['signature']>, hint: string): string {
  return {
    fits: `an access token (…${hint}); its signature is valid`,
    wrong: `looks like an access token (…${hint}), but its signature is invalid: changed, truncated, or forged`,
    unknown_key: `could be an access token (…${hint}), but none of these keys signed it; keys are withdrawn a day after their last use`,
    not_checked: `could be an access token (…${hint}); its signature was not verified. Pass --keys or --stored to verify it`,
  }[signature]
}

function describeSecret({ kind, certainty, hint }: Pick<Shown, 'kind' | 'certainty' | 'hint'>): string {
  return {
    ours: `${names[kind]} (…${hint}); its checksum is valid`,
    possible: `could be ${names[kind]} (…${hint}), as every UUID could`,
    damaged: `begins like ${names[kind]}, but its checksum is invalid: mistyped, truncated, or forged`,
  }[certainty]
}

function describeStored({ state, owner }: Stored): string {
  const whose = owner ? ` (${owner.kind.replaceAll('_', ' ')} ${owner.id})` : ''
  if (state === 'works') return `it is valid${whose}: revoke it`
  return state === 'ended' ? `it has expired${whose}` : 'it is not in the database, or no longer'
}

function exitCodeOf(shown: readonly Shown[], unasked: number): number {
  const isOurs = ({ certainty, stored }: Shown) =>
    certainty === 'ours' || (stored !== undefined && stored.state !== 'unknown')
  if (shown.some(isOurs)) return 0
  // Storage identifies keys with certainty; tokens of a removed signing key stay uncertain.
  const isOpen = ({ certainty, kind, stored }: Shown) =>
    certainty === 'possible' && (stored === undefined || kind === 'access_token')
  return unasked > 0 || shown.some(isOpen) ? EXIT_POSSIBLE : EXIT_NONE
}
