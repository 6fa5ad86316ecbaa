import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { purgeObjects } from '#features/integrations/purge-objects.job.ts'
import { createKeyring } from '#foundation/secrets/keyring.ts'
import { npmProject } from '#test/repositories/imports.ts'
import { toTar } from '#test/repositories/tar.ts'
import { runCommand } from '#test/servers/command-line.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { freePort } from '#test/servers/free-port.ts'
import {
  lacksObjectStore,
  SECRET_ACCESS_KEY,
  startObjectStore,
  type TestObjectStore,
} from '#test/servers/object-store.ts'
import { type ServerProcess, startServer } from '#test/servers/server-process.ts'
import { type StoragePlace, storagePlaces } from '#test/servers/storage-places.ts'
import { openStorage } from '../../src/commands/storage.ts'
import { createServices } from '../../src/composition/create-services.ts'
import { createConfiguredObjects } from '../../src/composition/object-storage.ts'

const KEY = '2d0c41e2-91f4-4d57-8a8b-0f6b8a6c2f10'
const MB = 1024 * 1024
const MARKER = 'gatehouse-installation'
const HOST_SETTINGS = [
  'GATEHOUSE_ADVISORIES_URL',
  'GATEHOUSE_MAVEN_REPOSITORIES',
  'GATEHOUSE_NPM_REGISTRY',
  'GATEHOUSE_PYPI_URL',
  'GATEHOUSE_RUBYGEMS_URL',
]
const headers = { authorization: `token ${KEY}` }
const json = { ...headers, 'content-type': 'application/json' }
const project = (name: string) => toTar(npmProject(name).map((file) => ({ name: file.path, content: file.content })))

describe('installations with an object store', { skip: lacksObjectStore }, () => {
  let store: TestObjectStore
  before(async () => {
    store = await startObjectStore()
  })
  after(() => store[Symbol.asyncDispose]())

  onEveryEngine('object storage', (engine) => {
    const start = ({ environment }: StoragePlace, more: Record<string, string> = {}) =>
      startServer({ ...environment, GATEHOUSE_ADMIN_API_KEY: KEY, GATEHOUSE_TEST_WORKERS: '1', ...more })
    const run = async ({ environment }: StoragePlace, more: Record<string, string>, ...args: string[]) => {
      // Requests only loopback hosts.
      const hosts = Object.fromEntries(HOST_SETTINGS.map((name) => [name, store.origin]))
      const { code, output, errors } = await runCommand(args, { environment: { ...environment, ...hosts, ...more } })
      assert.ok(!(output + errors).includes(SECRET_ACCESS_KEY))
      return { code, output: output + errors }
    }

    async function ask(url: string, body?: object) {
      const answer = await fetch(url, { headers: json, ...(body && { method: 'POST', body: JSON.stringify(body) }) })
      const text = await answer.text()
      assert.ok(answer.ok, `${url}: ${answer.status} ${text}`)
      return { body: text === '' ? undefined : JSON.parse(text), location: answer.headers.get('location') }
    }

    /** Archives of the organization, which the first call for an installation creates. */
    async function archivesOf({ baseUrl }: ServerProcess) {
      const [{ id: orgId }] = (await ask(`${baseUrl}/v1/orgs`)).body.orgs
      const list = `${baseUrl}/rest/orgs/${orgId}/integrations?version=2024-10-15`
      const body = { data: { type: 'integration', attributes: { kind: 'archive', name: 'archives' } } }
      const [existing] = (await ask(list)).body.data
      const { id } = existing ?? (await ask(list, body)).body.data
      const path = `${baseUrl}/rest/orgs/${orgId}/integrations/${id}/archives`
      return {
        url: (name: string) => `${path}?version=2024-10-15&name=${name}`,
        async send(name: string, content: Buffer): Promise<string> {
          const binary = { ...headers, 'content-type': 'application/octet-stream' }
          const answer = await fetch(this.url(name), { method: 'POST', headers: binary, body: new Uint8Array(content) })
          const text = await answer.text()
          assert.equal(answer.status, 201, text)
          return JSON.parse(text).data.id
        },
        async remove(id: string): Promise<void> {
          const answer = await fetch(`${path}/${id}?version=2024-10-15`, { method: 'DELETE', headers })
          assert.equal(answer.status, 204)
        },
        /** Imports the newest archive of this name and returns the outcome. */
        async import(name: string): Promise<{ state: string; message: string | null }> {
          const begun = await ask(`${baseUrl}/v1/org/${orgId}/integrations/${id}/import`, { target: { name } })
          const importId = begun.location!.split('/').at(-1)!
          for (;;) {
            const { body } = await ask(`${baseUrl}/rest/orgs/${orgId}/imports/${importId}?version=2024-10-15`)
            if (body.data.attributes.state !== 'pending') return body.data.attributes
            await sleep(50)
          }
        },
      }
    }

    /** Runs the purge as a server would some days later. Returns the keys that remain recorded. */
    async function purgeLater({ environment }: StoragePlace, more: Record<string, string>, days: number) {
      const { config, database, close } = openStorage({ ...environment, ...more })
      const log = pino({ level: 'silent' })
      const { services, lastUses } = createServices(config, database, log, createKeyring(randomBytes(32)))
      const objects = createConfiguredObjects(services)
      const now = () => Date.now() + days * 86_400_000
      const context = { log, attempt: 1, signal: new AbortController().signal }
      await purgeObjects({ ...services, now }, objects).run({}, context)
      const rows = await services.db.selectFrom('stored_objects').select('key').orderBy('key').execute()
      await objects?.close()
      await lastUses.close()
      await close()
      return rows.map(({ key }) => key)
    }

    test('object storage switched on, off and on: every archive can be imported; new ones go where configured', async () => {
      await using places = storagePlaces()
      const place = await places.make(engine)
      const prefix = randomUUID()
      const on = store.environment(prefix)
      const keys = () => store.keys(prefix).filter((key) => key !== MARKER)
      const phases: [name: string, environment: Record<string, string>, objects: number][] = [
        ['before', {}, 0],
        ['on', on, 1],
        ['off', { ...on, GATEHOUSE_ARCHIVE_STORAGE: 'database' }, 1],
        ['again', on, 2],
      ]
      const names: string[] = []
      for (const [name, environment, objects] of phases) {
        const server = await start(place, environment)
        const archives = await archivesOf(server)
        await archives.send(name, project(name))
        names.push(name)
        assert.equal(keys().length, objects, name)
        for (const archive of names)
          assert.equal((await archives.import(archive)).state, 'complete', `${archive} while ${name}`)
        assert.equal(await server.end('SIGTERM'), 0)
        assert.ok(!(server.logged() + server.printed()).includes(SECRET_ACCESS_KEY))
      }
      const without = await start(place)
      assert.equal(await without.end('SIGTERM'), 0)
      assert.match(without.logged(), /"archives":2,.*not configured \(GATEHOUSE_OBJECT_STORE\)/)
      const examined = await run(place, {}, 'doctor', '--offline')
      assert.match(examined.output, /ERROR +object store: 2 archives .* Set GATEHOUSE_OBJECT_STORE/)
    })

    test('kill -9 around storing an object leaves no unknown object in the store', async () => {
      await using places = storagePlaces()
      const place = await places.make(engine)
      const prefix = randomUUID()
      const environment = store.environment(prefix)
      const keys = () => store.keys(prefix).filter((key) => key !== MARKER)
      const content = toTar([{ name: 'noise', content: randomBytes(12 * MB) }])
      for (const moment of ['before the object', 'after the object'] as const) {
        const stored = keys().length
        const server = await start(place, environment)
        const archives = await archivesOf(server)
        if (moment === 'before the object') store.pause()
        const sending = httpRequest(archives.url('killed'), {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/octet-stream', 'content-length': content.length },
        })
        sending.on('error', () => {})
        // The first piece of 8 MiB and part of the second, which never ends.
        sending.write(content.subarray(0, 9 * MB))
        if (moment === 'after the object') while (keys().length === stored) await sleep(10)
        else await store.untilAsked()
        await server.end('SIGKILL')
        sending.destroy()
        store.resume()
      }
      const recorded = await purgeLater(place, environment, 0)
      const unknown = keys().filter((key) => !recorded.includes(key))
      assert.deepEqual([recorded.length, unknown], [2, []])
      const server = await start(place, environment)
      const archives = await archivesOf(server)
      await archives.send('later', project('later'))
      assert.equal((await archives.import('later')).state, 'complete')
      assert.equal(await server.end('SIGTERM'), 0)
      await purgeLater(place, environment, 1.1)
      const left = await purgeLater(place, environment, 9)
      assert.equal(left.length, 1)
      assert.deepEqual(keys(), left)
    })

    test('a restored backup finds its archives, also those deleted since', async () => {
      await using places = storagePlaces()
      const place = await places.make(engine)
      const environment = store.environment(randomUUID())
      const server = await start(place, environment)
      const archives = await archivesOf(server)
      const id = await archives.send('first', project('first'))
      const file = join(places.root, 'copy.sqlite')
      assert.equal((await run(place, environment, 'backup', file, '--with-key')).code, 0)
      await archives.remove(id)
      assert.equal(await server.end('SIGTERM'), 0)
      await purgeLater(place, environment, 0)
      const restored = await run(place, environment, 'restore', file, '--replace')
      assert.equal(restored.code, 0, restored.output)
      const again = await start(place, environment)
      assert.equal((await (await archivesOf(again)).import('first')).state, 'complete')
      assert.equal(await again.end('SIGTERM'), 0)
      const examined = await run(place, environment, 'doctor')
      assert.match(examined.output, /OK +object store: .* belongs to this installation/)
    })

    test('start and doctor report wrong credentials, bucket, prefix or installation, and a store that is down', async () => {
      await using places = storagePlaces()
      const place = await places.make(engine)
      const other = await places.make(engine)
      const prefix = randomUUID()
      const environment = store.environment(prefix)
      const examined = await run(place, environment, 'migrate')
      assert.equal(examined.code, 0, examined.output)
      assert.match((await run(place, environment, 'doctor')).output, /OK +object store: .*next start claims it/)
      assert.deepEqual(store.keys(prefix), [], 'doctor only reads')
      const server = await start(place, environment)
      await (await archivesOf(server)).send('one', project('one'))
      assert.equal(await server.end('SIGTERM'), 0)

      const wrong: [place: StoragePlace, change: Record<string, string>, message: RegExp][] = [
        [place, { AWS_SECRET_ACCESS_KEY: 'a wrong secret'.replaceAll(' ', '-') }, /SignatureDoesNotMatch/],
        [place, { GATEHOUSE_OBJECT_STORE: `${store.origin}/no-such-bucket` }, /NoSuchBucket/],
        [place, { GATEHOUSE_OBJECT_STORE: `${store.origin}/archives/elsewhere` }, /is not where this installation/],
        [other, {}, /Another installation|another installation/],
      ]
      const port = String(await freePort())
      await run(other, {}, 'migrate')
      for (const [where, change, message] of wrong) {
        const settings = { ...environment, GATEHOUSE_ADMIN_API_KEY: KEY, GATEHOUSE_PORT: port, ...change }
        const refused = await run(where, settings, 'serve')
        assert.equal(refused.code, 78, refused.output)
        assert.match(refused.output, message)
        const report = await run(where, settings, 'doctor')
        assert.equal(report.code, 1)
        assert.match(report.output, message)
      }
      const { AWS_ACCESS_KEY_ID: _, ...keyless } = environment
      assert.match((await run(place, keyless, 'serve')).output, /needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/)

      await store.stop()
      const down = await start(place, environment)
      const archives = await archivesOf(down)
      await assert.rejects(archives.send('two', project('two')), /503/)
      const importing = archives.import('one')
      await sleep(100)
      await store.start()
      assert.equal((await importing).state, 'complete', 'the import waits for the store')
      await archives.send('two', project('two'))
      assert.equal(await down.end('SIGTERM'), 0)
      assert.match(down.logged(), /until the object store answers/)
    })
  })
})
