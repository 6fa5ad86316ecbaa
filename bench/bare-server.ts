import { DatabaseSync } from 'node:sqlite'
import Fastify from 'fastify'

/**
 * The baseline for a list: a bare Fastify route that sends the same bytes as the server's list of ten service accounts,
 * read with one prepared query from a copy of the same database. No credential, no version, no validation.
 */
const [path, orgId, linksAsJson] = process.argv.slice(2) as [string, string, string]
const links = JSON.parse(linksAsJson) as object
const file = new DatabaseSync(path, { readOnly: true })
const query = file.prepare(
  `select s.*, m.role_id from service_accounts s join memberships m on m.principal_id = s.id
   where m.principal_kind = 'service_account' and s.org_id = ? order by s.created_at, s.id limit 10`,
)

interface Row {
  id: string
  name: string
  auth_type: string
  role_id: string
  created_at: number
}

const server = Fastify()
server.get('/', (_request, reply) => {
  const data = (query.all(orgId) as unknown as Row[]).map((row) => ({
    id: row.id,
    type: 'service_account',
    attributes: {
      name: row.name,
      auth_type: row.auth_type,
      level: 'Org',
      role_id: row.role_id,
      created_at: new Date(row.created_at).toISOString(),
    },
  }))
  reply.type('application/vnd.api+json').send(JSON.stringify({ jsonapi: { version: '1.0' }, data, links }))
})
await server.listen({ host: '127.0.0.1', port: 0 })
console.log(`listening http://127.0.0.1:${(server.server.address() as { port: number }).port}`)
process.on('SIGTERM', () => process.exit(0))
