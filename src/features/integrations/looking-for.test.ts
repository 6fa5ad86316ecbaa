import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createRepositories, type RepositoryServices } from './repositories.ts'
import type { StoredIntegration } from './store.ts'

test('repositories.find: unresponsive sources of one organization do not block other organizations', async () => {
  const urls: string[] = []
  const never = Promise.withResolvers<never>()
  const find = async ({ url }: { url: string }) => {
    urls.push(url)
    return url.includes('slow') ? never.promise : { branch: 'main', commit: 'c', isPrivate: false }
  }
  const repositories = createRepositories({ git: { find } } as unknown as RepositoryServices)
  const integration = (orgId: string) =>
    ({ id: orgId, orgId, kind: 'git', baseUrl: null, sealedCredentials: null }) as unknown as StoredIntegration
  const stop = new AbortController()
  const slow = Array.from({ length: 20 }, (_, n) =>
    repositories.find(integration('one'), { url: `https://slow.example/${n}` }, { signal: stop.signal }),
  )
  const ended = Promise.allSettled(slow)
  for (let turn = 0; turn < 20; turn++) await nextTurn()
  assert.equal(urls.length, 2)
  const resolved = await repositories.find(integration('other'), { url: 'https://git.example/a' })
  assert.equal(resolved.revision, 'c')
  stop.abort()
  never.reject(new Error('ended'))
  assert.deepEqual(new Set((await ended).map(({ status }) => status)), new Set(['rejected']))
})
