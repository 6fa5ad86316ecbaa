import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { bareRepository } from '#test/repositories/git-repository.ts'
import { serveGit } from '#test/repositories/git-server.ts'
import { importAndWait, npmProject, startImportApp } from '#test/repositories/imports.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

onEveryEngine('imports that share one disk limit', (engine) => {
  test('concurrent imports: complete although they exceed the shared disk limit together', async () => {
    const app = await startImportApp(engine, {
      gitDiskMb: 1,
      gitReceivedMb: 1,
      importCheckSeconds: 0,
      GATEHOUSE_OUTGOING_ALLOW: '127.0.0.0/8',
    })
    try {
      using repository = bareRepository()
      const padding = { name: 'padding', version: '1.0.0', description: randomBytes(1_500_000).toString('base64') }
      repository.commit([...npmProject('web'), { path: 'padding/package.json', content: JSON.stringify(padding) }])
      await using server = await serveGit(repository.path)
      const integration = await app.addIntegration(app.orgId, { kind: 'git', baseUrl: server.url })
      const body = { target: { url: `${server.url}/repository.git` } }
      const jobs = await Promise.all([1, 2, 3].map(() => importAndWait(app, body, integration)))
      for (const job of jobs) {
        assert.equal(job.status, 'complete')
        assert.deepEqual(
          job.logs[0].projects.map(({ targetFile, success }: Record<string, unknown>) => [targetFile, success]),
          [
            ['padding/package.json', true],
            ['web/package.json', true],
          ],
          JSON.stringify(job),
        )
      }
    } finally {
      await app.close()
    }
  })
})
