import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADMIN_KEY, startApp } from '#test/servers/app.ts'
import { readMetrics, unknownSettings, weakServices } from '../verification/deployment/files.ts'

test('deployment files: every setting that they use exists', () => assert.deepEqual(unknownSettings(), []))

test('deployment files: services reachable from the network are sandboxed', () => assert.deepEqual(weakServices(), []))

test('dashboard and alerts: every metric that they query is exported', async () => {
  const app = await startApp('sqlite')
  try {
    await app.call('GET', '/v1/orgs', { key: ADMIN_KEY })
    const exported = (await app.parts.metrics.registry.metrics()).matchAll(/^# TYPE (\w+)/gm)
    const names = new Set([...exported].flatMap(([, name]) => [name!, `${name}_bucket`]))
    const missing = [...readMetrics()].filter((name) => !names.has(name))
    assert.deepEqual(missing, [])
    assert.ok(readMetrics().size > 12)
  } finally {
    await app.close()
  }
})
