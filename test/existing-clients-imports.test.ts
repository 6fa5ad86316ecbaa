import assert from 'node:assert/strict'
import { basename, dirname } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type BareRepository, bareRepository } from '#test/repositories/git-repository.ts'
import { type GitServer, serveGit } from '#test/repositories/git-server.ts'
import { type ImportApp, npmProject, startImportApp } from '#test/repositories/imports.ts'
import { onAnyEngine } from '#test/servers/engines.ts'

interface Project {
  readonly targetFile: string
  readonly success: boolean
  readonly projectUrl: string
  readonly userMessage?: string
}

/** Requests of published clients, and how they process the responses. */
onAnyEngine('existing clients that import repositories', (engine) => {
  let app: ImportApp
  let repository: BareRepository
  let server: GitServer
  let integrationId: string
  let target: { owner: string; name: string }
  before(async () => {
    app = await startImportApp(engine, { GATEHOUSE_OUTGOING_ALLOW: '127.0.0.1' })
    repository = bareRepository()
    repository.commit([...npmProject(''), ...npmProject('lib'), { path: 'broken/package.json', content: '{' }])
    const folder = dirname(repository.path)
    server = await serveGit(folder)
    integrationId = await app.addIntegration(app.orgId, { kind: 'github', baseUrl: server.url })
    target = { owner: basename(folder), name: 'repository' }
  })
  after(async () => {
    repository[Symbol.dispose]()
    await server[Symbol.asyncDispose]()
    await app.close()
  })

  const send = (method: 'GET' | 'POST', url: string, body?: object) =>
    app.server.inject({
      method,
      url,
      headers: { authorization: `token ${app.adminKey}`, 'content-type': 'application/json' },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    })

  describe('the import tool', () => {
    /** Builds the polling path as the client does: the part of Location after `/api/v1/`, below `/v1`. */
    function toPollingPath(location: string | undefined): string {
      assert.ok(location, 'it throws without a Location')
      const [, rest] = new URL(location).pathname.split('/api/v1/')
      assert.ok(rest, 'nothing else is understood')
      return rest
    }

    test('import tool: requests files of a target, polls until "complete", and logs the results', async () => {
      const accepted = await send('POST', `/v1/org/${app.orgId}/integrations/${integrationId}/import`, {
        target: { ...target, branch: 'main' },
        exclusionGlobs: 'fixtures, tests, __tests__, node_modules',
      })
      assert.equal(accepted.statusCode, 201, 'anything else is thrown')
      const location = accepted.headers.location as string
      const path = toPollingPath(location)
      assert.match(location.split('import/')[1]!, /^[0-9a-f-]{36}$/)
      assert.equal(location.split('/').at(-5), app.orgId)

      let status = 'pending'
      const projects: Project[] = []
      for (let polls = 0; status !== 'complete' && polls < 200; polls++) {
        const answer = await send('GET', `/v1/${path}`)
        assert.equal(answer.statusCode, 200)
        const job = answer.json()
        assert.ok(['pending', 'complete'].includes(job.status), 'it would go on polling for hours')
        assert.ok(job.id && job.created)
        for (const log of job.logs) {
          assert.ok(Array.isArray(log.projects), 'they are spread')
          if (job.status === 'complete') projects.push(...log.projects)
        }
        status = job.status
        if (status !== 'complete') await sleep(50)
      }
      assert.equal(status, 'complete')
      const imported = projects.filter(({ success }) => success)
      assert.deepEqual(
        imported.map(({ targetFile }) => targetFile),
        ['lib/package.json', 'package.json'],
      )
      for (const { projectUrl } of imported) {
        const id = projectUrl.split('/').slice(-1)[0]!
        assert.equal((await send('GET', `/v1/org/${app.orgId}/project/${id}`)).statusCode, 200)
      }
      const [failed] = projects.filter(({ success }) => !success)
      assert.equal(failed!.targetFile, 'broken/package.json')
      assert.ok(failed!.userMessage)
    })

    test('import tool: a missing or empty branch means the default one', async () => {
      for (const branch of [undefined, '']) {
        const accepted = await send('POST', `/v1/org/${app.orgId}/integrations/${integrationId}/import`, {
          target: { ...target, ...(branch === undefined ? {} : { branch }) },
          files: [{ path: 'lib/package.json' }],
        })
        assert.equal(accepted.statusCode, 201, accepted.body)
      }
    })

    test('import tool: a refusal has a code and a message', async () => {
      const refused = await send('POST', `/v1/org/${app.orgId}/integrations/${integrationId}/import`, {
        target: { owner: 'nobody', name: 'nothing', branch: 'main' },
      })
      const { code, message } = refused.json()
      assert.deepEqual([refused.statusCode, code], [422, 422])
      assert.ok(message.length > 10)
    })
  })

  describe('the Python client', () => {
    test('Python client: empty files mean all of them, and any success is accepted', async () => {
      const accepted = await send('POST', `/v1/org/${app.orgId}/integrations/${integrationId}/import`, {
        target: { ...target, branch: 'main' },
        files: [],
      })
      assert.ok(accepted.statusCode < 400, accepted.body)
      accepted.json()
    })

    test('Python client: paths work with and without /api', async () => {
      for (const base of ['/v1', '/api/v1']) {
        const accepted = await send('POST', `${base}/org/${app.orgId}/integrations/${integrationId}/import`, {
          target: { ...target, branch: 'main' },
          files: [{ path: 'package.json' }],
        })
        assert.equal(accepted.statusCode, 201, accepted.body)
      }
    })
  })
})
