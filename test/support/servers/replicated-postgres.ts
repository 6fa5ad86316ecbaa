import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { createPostgresServer, findPostgresBinaries, type PostgresServer, UNSAFE } from './postgres-server.ts'

/** A primary and a standby that streams from it. */
export interface ReplicatedPostgres extends Disposable {
  readonly primary: PostgresServer
  readonly standby: PostgresServer
}

/** The reason to skip a suite, or false: TEST_DATABASE_URL may name a server elsewhere. */
export const lacksPostgresPrograms = findPostgresBinaries() ? false : 'needs the programs of PostgreSQL'

/** Starts both with more settings for each. Commits wait for the log, unlike in other tests. */
export async function startReplicatedPostgres(
  settings: { readonly [Server in 'primary' | 'standby']?: Readonly<Record<string, string | number>> } = {},
): Promise<ReplicatedPostgres> {
  const [first, second] = ['primary', 'standby'].map((name) => mkdtempSync(join(tmpdir(), `gatehouse-${name}-`)))
  const place = { folder: first!, port: await freePort(), settings: { ...UNSAFE, ...settings.primary } }
  const primary = createPostgresServer(findPostgresBinaries()!, place)
  const standby = primary.addStandby({
    folder: second!,
    port: await freePort(),
    settings: { ...UNSAFE, ...settings.standby },
  })
  primary.start()
  standby.start()
  return {
    primary,
    standby,
    [Symbol.dispose]() {
      for (const server of [standby, primary]) {
        try {
          server.stop('immediate')
        } catch {
          // The test has stopped or killed it.
        }
        rmSync(server.folder, { recursive: true, force: true })
      }
    },
  }
}
