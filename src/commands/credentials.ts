import { text as readAll } from 'node:stream/consumers'
import { Command } from 'commander'
import { pino } from 'pino'
import { type Located, locateExposed } from '#features/credentials/locate-exposed.ts'
import { migrate } from '#foundation/db/migrate.ts'
import { type FoundKind, type FoundSecret, findSecrets } from '#foundation/secrets/find-secrets.ts'
import { hintOf } from '#foundation/secrets/typed-secret.ts'
import { createServices } from '../parts.ts'
import { openStorage } from './storage.ts'

/** Like those of grep, and one for what nobody can tell without the database. */
const EXIT_NONE = 1
const EXIT_UNREADABLE = 2
const EXIT_POSSIBLE = 3

const EXIT_CODES = `
Exit codes: 0 something is a credential of Gatehouse; 1 nothing is; 2 there was nothing to read; 3 something could be an
API key, which is a UUID like any other (--stored tells).

Arguments can be seen by other users of the machine, so prefer standard input: gatehouse credentials check < found.txt
`

const names: Readonly<Record<FoundKind, string>> = {
  api_key: 'an API key',
  client_secret: 'a client secret',
  refresh_token: 'a refresh token',
  authorization_code: 'an authorization code',
  access_token: 'an access token',
  access_token_id: 'the id of an access token, which opens nothing',
}

/** What storage says of a credential that was found. */
interface Stored {
  readonly state: 'works' | 'ended' | 'unknown'
  readonly owner?: { readonly kind: string; readonly id: string }
}

/** A found credential as it is shown: never itself. */
interface Shown {
  readonly source: string
  readonly line: number
  readonly column: number
  readonly kind: FoundKind
  readonly certainty: FoundSecret['certainty']
  /** As lists of credentials show it. */
  readonly hint: string
  readonly stored?: Stored
}

interface Options {
  readonly stored?: true
  readonly json?: true
}

export function credentialsCommand(): Command {
  const command = new Command('credentials').description('Credentials that were found somewhere')
  command
    .command('check')
    .description(
      'Tell whether text holds credentials of Gatehouse, and of which kind; needs neither server nor database',
    )
    .argument('[text...]', 'what was found; "-" or nothing reads standard input')
    .option('--stored', 'ask the configured database too: whose they are, and whether they still work')
    .option('--json', 'print JSON')
    .addHelpText('after', EXIT_CODES)
    .action(check)
  return command
}

async function check(texts: readonly string[], { stored, json }: Options): Promise<void> {
  const sources = await Promise.all(
    (texts.length === 0 ? ['-'] : texts).map(async (text, index) =>
      text === '-'
        ? { source: 'standard input', content: await readAll(process.stdin) }
        : { source: texts.length === 1 ? 'the text' : `text ${index + 1}`, content: text },
    ),
  )
  if (sources.every(({ content }) => content.trim() === '')) {
    console.error('There is nothing to check: give text as arguments or on standard input')
    process.exitCode = EXIT_UNREADABLE
    return
  }
  const found = sources.flatMap(({ source, content }) => findIn(source, content))
  const shown = stored ? await withStorage(found) : found.map(({ shown }) => shown)
  if (json) console.log(JSON.stringify({ found: shown }, undefined, 2))
  else console.log(shown.length === 0 ? 'Nothing here is a credential of Gatehouse.' : shown.map(describe).join('\n'))
  process.exitCode = exitCodeOf(shown)
}

function findIn(source: string, content: string): { value: string; shown: Shown }[] {
  return content.split('\n').flatMap((line, number) =>
    findSecrets(line).map(({ kind, certainty, index, value }) => {
      const hint = certainty === 'damaged' ? '' : hintOf(value)
      return { value, shown: { source, line: number + 1, column: index + 1, kind, certainty, hint } }
    }),
  )
}

async function withStorage(found: readonly { value: string; shown: Shown }[]): Promise<Shown[]> {
  const storage = openStorage(process.env, 'beside')
  const { services, lastUses } = createServices(storage.config, storage.database, pino({ level: 'silent' }))
  try {
    await migrate(storage.database)
    const shown: Shown[] = []
    for (const one of found) {
      const located = await locateExposed(services, one.value)
      shown.push({ ...one.shown, stored: toStored(located, services.now()) })
    }
    return shown
  } finally {
    await lastUses.close()
    await storage.close()
  }
}

function toStored(located: Located | undefined, now: number): Stored {
  if (!located) return { state: 'unknown' }
  const owner = located.concerns[0]?.target
  return { state: located.endsAt > now ? 'works' : 'ended', ...(owner && { owner }) }
}

function describe({ source, line, column, kind, certainty, hint, stored }: Shown): string {
  const said = {
    ours: `${names[kind]} (…${hint}); its checksum fits`,
    possible: `could be ${names[kind]} (…${hint}), as every UUID could`,
    damaged: `begins like ${names[kind]}, but its checksum does not fit: mistyped, cut off, or made up`,
  }[certainty]
  return `${source}, line ${line}, column ${column}: ${said}${stored ? `; ${describeStored(stored)}` : ''}`
}

function describeStored({ state, owner }: Stored): string {
  const whose = owner ? ` (${owner.kind.replaceAll('_', ' ')} ${owner.id})` : ''
  if (state === 'works') return `it works${whose}: revoke it`
  return state === 'ended' ? `it has ended${whose}` : 'the database does not know it, or no longer'
}

function exitCodeOf(shown: readonly Shown[]): number {
  const isOurs = ({ certainty, stored }: Shown) =>
    certainty === 'ours' || (stored !== undefined && stored.state !== 'unknown')
  if (shown.some(isOurs)) return 0
  const isOpen = ({ certainty, stored }: Shown) => certainty === 'possible' && stored === undefined
  return shown.some(isOpen) ? EXIT_POSSIBLE : EXIT_NONE
}
