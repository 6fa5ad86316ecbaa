import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { prepareData } from '#features/setup/first-start.ts'
import { startDeliveries } from '#features/webhooks/deliveries.ts'
import { migrate } from '#foundation/db/migrate.ts'
import { createApp } from '../../../src/app.ts'
import { openStorage } from '../../../src/commands/storage.ts'
import { createServices } from '../../../src/composition/create-services.ts'
import { createParts } from '../../../src/composition/parts.ts'

/**
 * Starts a server like the executable, with a shorter lease for the deliveries of a killed process. A separate program,
 * which tests kill.
 */
const leaseMs = Number(process.argv[2])
const { config, database } = openStorage(process.env)
await migrate(database)
const core = createServices(config, database, pino({ level: config.logLevel }, pino.destination(2)))
await prepareData(core.services)
const parts = await createParts(core)
const server = await createApp(parts)
await server.listen({ host: config.host, port: config.port })
startDeliveries({ ...parts.services, outgoing: parts.outgoing }, { pollMs: 20, leaseMs })
const { port } = server.server.address() as AddressInfo
console.log(`  health check       http://127.0.0.1:${port}/healthz`)
