import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { orgCollaborator } from '#foundation/access/built-in-roles.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { createPostgresDatabase } from '#test/servers/postgres.ts'
import { type ServerProcess, startServer } from '#test/servers/server-process.ts'
import { volume } from '#test/volume.ts'

const ROUNDS = volume(20)
const STREAMS = 8
const KEY = '5f0f3f5e-7f0e-4a53-8a53-6d0f3a1c9e77'
const headers = { authorization: `token ${KEY}`, 'content-type': 'application/vnd.api+json' }

onEveryEngine('servers killed while creating accounts', (engine) => {
  let dataDir: string
  let postgres: Awaited<ReturnType<typeof createPostgresDatabase>> | undefined
  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-kill-'))
    postgres = engine === 'postgres' ? await createPostgresDatabase() : undefined
  })
  after(async () => {
    await postgres?.drop()
    rmSync(dataDir, { recursive: true })
  })

  const start = () =>
    startServer({
      GATEHOUSE_DATA_DIR: dataDir,
      GATEHOUSE_ADMIN_API_KEY: KEY,
      GATEHOUSE_LOG_LEVEL: 'error',
      ...(postgres && { DATABASE_URL: postgres.url }),
    })

  async function read(server: ServerProcess, path: string) {
    const answer = await fetch(`${server.baseUrl}${path}`, { headers })
    assert.equal(answer.status, 200, path)
    return (await answer.json()) as {
      data: { id: string; attributes: Record<string, never> }[]
      links: { next?: string }
    }
  }

  async function readAll(server: ServerProcess, path: string) {
    const all = []
    for (let next: string | undefined = path; next; ) {
      const page: Awaited<ReturnType<typeof read>> = await read(server, next)
      all.push(...page.data)
      next = page.links.next
    }
    return all
  }

  test(`after ${ROUNDS} kills, every acknowledged account exists with its audit event, and the server restarts`, async () => {
    const acknowledged = new Map<string, string>()
    let orgId = ''
    for (let round = 0; round < ROUNDS; round++) {
      const server = await start()
      orgId ||= (await read(server, '/rest/orgs?version=2024-10-15')).data[0]!.id
      let killed = false
      const stream = async (number: number) => {
        for (let n = 0; !killed; n++) {
          const name = `${round}-${number}-${n}`
          const body = JSON.stringify({
            data: { type: 'service_account', attributes: { name, auth_type: 'api_key', role_id: orgCollaborator.id } },
          })
          try {
            const answer = await fetch(`${server.baseUrl}/rest/orgs/${orgId}/service_accounts?version=2024-10-15`, {
              method: 'POST',
              headers,
              body,
            })
            assert.equal(answer.status, 201)
            const { data } = (await answer.json()) as { data: { id: string } }
            acknowledged.set(name, data.id)
          } catch (error) {
            if (!killed) throw error
          }
        }
      }
      const streams = Array.from({ length: STREAMS }, (_, number) => stream(number))
      await sleep(Math.random() * 260)
      // On a slow machine no account may exist yet, which would prove nothing.
      while (acknowledged.size <= round) await Promise.race([sleep(5), ...streams])
      killed = true
      await server.end('SIGKILL')
      await Promise.all(streams)
    }

    const server = await start()
    const accounts = new Map(
      (await readAll(server, `/rest/orgs/${orgId}/service_accounts?version=2024-10-15&limit=100`)).map(
        ({ id, attributes }) => [id, String(attributes['name'])],
      ),
    )
    for (const [name, id] of acknowledged) assert.equal(accounts.get(id), name)
    // Killed between commit and response: at most one per stream and round.
    assert.ok(accounts.size - acknowledged.size <= ROUNDS * STREAMS)
    const events = await readAll(
      server,
      `/rest/orgs/${orgId}/audit_logs?version=2024-10-15&limit=100&action=service_account.create`,
    )
    assert.equal(events.length, accounts.size, 'each account has its audit event, and no event is without account')
    assert.equal(await server.end('SIGTERM'), 0)
  })
})
