import { describe } from 'node:test'
import type { Engine } from '#foundation/db/database.ts'

const wanted = process.env['TEST_DATABASE_URL'] ? (['sqlite', 'postgres'] as const) : (['sqlite'] as const)

/** Runs a suite on every engine there is: always SQLite, and PostgreSQL where TEST_DATABASE_URL names a server. */
export function onEveryEngine(title: string, suite: (engine: Engine) => void): void {
  for (const engine of wanted) describe(`${title} (${engine})`, () => suite(engine))
  if (wanted.length === 1) describe(`${title} (postgres)`, { skip: 'needs TEST_DATABASE_URL' }, () => {})
}
