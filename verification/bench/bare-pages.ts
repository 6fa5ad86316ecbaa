import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import Fastify from 'fastify'
import pg from 'pg'

/** A page: what has to be asked for it, with `?` for each parameter, and the document that it is answered with. */
export interface BarePage {
  readonly sql: string
  readonly parameters: readonly (string | number)[]
  readonly document: object
}

/**
 * The baseline for pages of projects and issues: bare Fastify routes, each of which makes one prepared query of the
 * same database and sends the same bytes, without credentials, versions and validation, and without reading the rows.
 */
if (import.meta.main) {
  const [database, file] = process.argv.slice(2) as [string, string]
  const pages = JSON.parse(readFileSync(file, 'utf8')) as BarePage[]
  const server = Fastify()
  const run = database.startsWith('postgres') ? postgresRunner(database) : sqliteRunner(database)
  for (const [n, page] of pages.entries()) {
    const query = run(page, n)
    server.get(`/${n}`, async (_request, reply) => {
      const rows = await query()
      if (rows === 0) throw new Error('nothing was found')
      reply.type('application/vnd.api+json').send(JSON.stringify(page.document))
    })
  }
  await server.listen({ host: '127.0.0.1', port: 0 })
  console.log(`listening http://127.0.0.1:${(server.server.address() as { port: number }).port}`)
  process.on('SIGTERM', () => process.exit(0))
}

type Runner = (page: BarePage, n: number) => () => number | Promise<number>

function sqliteRunner(path: string): Runner {
  const file = new DatabaseSync(path, { readOnly: true })
  return ({ sql, parameters }) => {
    const query = file.prepare(sql)
    return () => query.all(...parameters).length
  }
}

function postgresRunner(url: string): Runner {
  // A slower query would continue in the server and affect the measurements of the following cases.
  const pool = new pg.Pool({ connectionString: url, max: 10, statement_timeout: 3_000 })
  return ({ sql, parameters }, n) => {
    let at = 0
    const text = sql.replace(/\?/g, () => `$${++at}`)
    return async () => (await pool.query({ name: `page${n}`, text, values: [...parameters] })).rows.length
  }
}
