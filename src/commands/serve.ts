import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { Command } from 'commander'
import { pino } from 'pino'
import { followRotations, openKeyring } from '#features/secret-keys/keys-in-use.ts'
import { ensureCommandLineApp } from '#features/setup/ensure-command-line-app.ts'
import { checkSecretKey, type FirstStart, hashFirstPassword, prepareData } from '#features/setup/first-start.ts'
import { sealStoredUrls } from '#features/webhooks/webhook-url.ts'
import { letHeapsGrow } from '#foundation/collect-garbage.ts'
import { type Config, ConfigFaults } from '#foundation/config.ts'
import { migrate } from '#foundation/db/migrate.ts'
import type { Server } from '#foundation/http/server.ts'
import type { Services } from '#foundation/services.ts'
import { startTracing } from '#foundation/tracing/tracing.ts'
import { createApp } from '../app.ts'
import { createServices, readSecretKey } from '../composition/create-services.ts'
import { checkObjectStore } from '../composition/object-storage.ts'
import { closeParts, createParts, type Parts } from '../composition/parts.ts'
import { startBackground } from '../jobs.ts'
import { CannotListen } from './failures.ts'
import { findMissingPaths } from './missing-paths.ts'
import { returnMemoryWhenIdle } from './return-memory.ts'
import { settingsAsText } from './settings-help.ts'
import { openStorage, type Storage } from './storage.ts'

/** Time for a failed start to print the reason and close its resources. */
const FAILED_START_MS = 3000

export function serveCommand(): Command {
  return new Command('serve').addHelpText('after', settingsAsText()).action(serve)
}

async function serve(): Promise<void> {
  const storage = openStorage(process.env, 'serving')
  try {
    await serveFrom(storage)
  } catch (error) {
    // Connections and threads of started parts would keep the process alive.
    setTimeout(() => process.exit(), FAILED_START_MS).unref()
    await storage.close()
    throw error
  }
}

async function serveFrom(storage: Storage): Promise<void> {
  letHeapsGrow()
  const { database } = storage
  refuseMissingPaths(storage.config)
  // Hashes on another thread, in parallel with the rest of the start.
  const hashing = storage.isNew ? hashFirstPassword(storage.config) : undefined
  const config = await withPort(storage.config)
  // Logs go to standard error, so that secrets of the first start, printed to standard output, are in no log.
  const log = pino(
    {
      level: config.logLevel,
      base: null,
      redact: ['req.headers.authorization', '*.password', '*.api_key', '*.client_secret'],
    },
    pino.destination({ dest: 2, sync: false, minLength: 4096 }),
  )
  const tracing = config.tracesEndpoint === undefined ? undefined : await startTracing(config.tracesEndpoint)
  await migrate(database)
  const keyring = await openKeyring(database.db, readSecretKey(config))
  await checkSecretKey({ db: database.db, keyring })
  const core = createServices(config, database, log, keyring)
  const [first, made] = await Promise.allSettled([prepareData(core.services, hashing), createReadyApp(core)])
  // Print these values before anything fails and before the first log line: they are nowhere else.
  if (first.status === 'fulfilled' && first.value) printFirstStart(first.value)
  if (first.status === 'rejected') throw first.reason
  if (made.status === 'rejected') throw made.reason
  const { parts, server } = made.value
  const flush = setInterval(() => log.flush(), 1000)
  flush.unref()
  await ensureCommandLineApp(core.services)
  await sealStoredUrls(core.services)
  await listen(server, config)
  const background = await startBackground(parts)
  const rotations = followRotations(core.services, () => readSecretKey(config))
  const { port } = server.server.address() as AddressInfo
  let stopping = false
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'stopping')
    const force = setTimeout(() => {
      log.error('requests or jobs did not finish in time')
      log.flush(() => process.exit(1))
    }, config.shutdownSeconds * 1000)
    force.unref()
    // A connection whose last request finished after the stop would otherwise stay open for the next one.
    const idle = setInterval(() => server.server.closeIdleConnections(), 50)
    await Promise.all([server.close(), background.close()])
    clearInterval(idle)
    rotations.close()
    await closeParts(parts)
    await storage.close()
    await tracing?.close()
    log.info('stopped')
    log.flush(() => process.exit(0))
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  printAddresses(parts.services)
  returnMemoryWhenIdle()
  log.info({ port }, 'listening')
}

/** Creates everything that requests need. Reads nothing that a first start writes. */
async function createReadyApp(core: Parameters<typeof createParts>[0]): Promise<{ parts: Parts; server: Server }> {
  const parts = await createParts(core)
  await checkObjectStore(core.services, parts.objects)
  const server = await createApp(parts)
  await server.ready()
  return { parts, server }
}

function refuseMissingPaths(config: Config): void {
  const faults = findMissingPaths(config)
  if (faults.length > 0) throw new ConfigFaults(faults)
}

/**
 * Checks the address before anything is stored, and replaces port 0 by a free port: addresses that the server writes,
 * above all the issuer of its tokens, need the port before it listens.
 */
async function withPort(config: Config): Promise<Config> {
  const { host, port, baseUrl, databaseUrl } = config
  if (port === 0 && baseUrl === undefined && databaseUrl !== undefined) {
    throw new ConfigFaults([
      'GATEHOUSE_PORT is 0, so every process that shares the database would have a different public address. Set GATEHOUSE_BASE_URL to the address that clients use, or GATEHOUSE_PORT to a fixed port',
    ])
  }
  const probe = createServer()
  await listenOn(() => once(probe.listen(port, host), 'listening'), config)
  const free = (probe.address() as AddressInfo).port
  await new Promise((resolve) => probe.close(resolve))
  return baseUrl === undefined ? { ...config, port: free } : config
}

function listen(server: Server, config: Config): Promise<void> {
  const { host, port } = config
  return listenOn(() => server.listen({ host, port }), config)
}

async function listenOn(begin: () => Promise<unknown>, { host, port }: Config): Promise<void> {
  try {
    await begin()
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    const remedy = code === undefined ? undefined : listenRemedies[code]
    throw new CannotListen(`Nothing can listen on ${host}, port ${port}: ${remedy ?? message}`, { cause })
  }
}

const listenRemedies: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses it. Stop it, or set GATEHOUSE_PORT to another port.',
  EADDRNOTAVAIL: 'this machine has no such address. Set GATEHOUSE_HOST to one that it has, or to 0.0.0.0 for all.',
  ENOTFOUND: 'that name does not resolve. Set GATEHOUSE_HOST to an address of this machine.',
  EACCES: 'this user lacks permission. Set GATEHOUSE_PORT to 1024 or above, behind a proxy.',
}

function printFirstStart({ email, apiKey, password, orgId, groupId }: FirstStart): void {
  const lines = [
    'This is the first start. An administrator was created:',
    `  e-mail        ${email}`,
    ...(password === undefined ? [] : [`  password      ${password}`]),
    '                Sign in to the console with e-mail and password.',
    ...(apiKey === undefined ? [] : [`  API key       ${apiKey}`, '                For scripts and the command line.']),
    `  organization  ${orgId}`,
    `  group         ${groupId}`,
    ...((apiKey ?? password) ? ['Keep them now: they are not shown again.'] : []),
  ]
  console.log(`${lines.join('\n')}\n`)
}

function printAddresses({ baseUrl, config }: Services): void {
  const { role, host, port, databaseUrl, dataDir } = config
  // Requests of clients go to other processes, which have the public address.
  const own = new URL('http://localhost')
  own.hostname = host.includes(':') ? `[${host}]` : host
  own.port = String(port)
  console.log(
    [
      'Gatehouse is ready.',
      ...(role === 'work' ? [] : [`  console            ${baseUrl}/`, `  documentation      ${baseUrl}/docs`]),
      `  health check       ${role === 'work' ? own.origin : baseUrl}/healthz`,
      `  storage            ${databaseUrl === undefined ? dataDir : 'PostgreSQL'}`,
      ...(role === 'both' ? [] : [`  role               ${role}`]),
    ].join('\n'),
  )
}
