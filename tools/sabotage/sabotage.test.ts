import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startApp, type TestApp } from '#test/app.ts'
import { startNpmRegistry } from '#test/npm-registry.ts'
import { sabotages } from './ecosystems.ts'
import { type Send, trySpelling } from './judge.ts'

describe('a vulnerable dependency hidden in every documented spelling', () => {
  let app: TestApp
  let npm: Awaited<ReturnType<typeof startNpmRegistry>>
  before(async () => {
    npm = await startNpmRegistry({ lodash: { '4.17.3': {}, '4.17.4': {}, '4.17.21': {} } })
    app = await startApp('sqlite', { GATEHOUSE_NPM_REGISTRY: npm.url })
  })
  after(async () => {
    await app.close()
    await npm.close()
  })

  const send: Send = async (ecosystem, body) => {
    const answer = await app.call('POST', `/v1/test/${ecosystem}`, { body })
    return { status: answer.statusCode, body: answer.json() }
  }

  for (const sabotage of sabotages) {
    for (const spelling of sabotage.spellings) {
      test(`${sabotage.ecosystem}: ${spelling.name}`, async () => {
        const trial = await trySpelling(send, sabotage, { project: 'smallest', files: sabotage.base, spelling })
        assert.ok(trial, 'the smallest project has a place for every spelling')
        // A refusal is honest in any case; a finding of what the tool does not install is a false alarm.
        assert.notEqual(trial.verdict, spelling.tool === 'installs' ? 'silent' : 'found')
      })
    }
  }
})
