import { describe } from 'node:test'
import type { Engine } from '#foundation/db/database.ts'
import { isFullVolume } from '../volume.ts'
import { availableEngines } from './postgres.ts'

/** Runs a suite on every available engine. */
export function onEveryEngine(title: string, suite: (engine: Engine) => void): void {
  describe(`${title} (sqlite)`, () => suite('sqlite'))
  onPostgres(title, suite)
}

/** Runs a suite about several processes that share storage. */
export function onPostgres(title: string, suite: (engine: Engine) => void): void {
  const skip = availableEngines.includes('postgres') ? false : 'needs TEST_DATABASE_URL'
  describe(`${title} (postgres)`, { skip }, () => suite('postgres'))
}

/** Runs a suite whose subject is not storage on SQLite; `npm run test:volume` runs it on every engine. */
export function onAnyEngine(title: string, suite: (engine: Engine) => void): void {
  for (const engine of isFullVolume ? availableEngines : availableEngines.slice(0, 1)) {
    describe(`${title} (${engine})`, () => suite(engine))
  }
}
