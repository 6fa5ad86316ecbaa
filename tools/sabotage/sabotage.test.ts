import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startGemServer } from '#test/registries/gem-server.ts'
import { startMavenRepository } from '#test/registries/maven-repository.ts'
import { startNpmRegistry } from '#test/registries/npm-registry.ts'
import { startPyPiIndex } from '#test/registries/pypi-index.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { sabotages } from './ecosystems.ts'
import { type Send, trySpelling } from './judge.ts'

/** The hidden releases and their neighbors, on loopback. */
async function startRegistries() {
  const npm = await startNpmRegistry({
    lodash: { '4.17.3': {}, '4.17.4': {}, '4.17.21': {} },
    async: { '2.6.0': { dependencies: { lodash: '^4.14.0' } } },
    ms: { '2.0.0': {} },
  })
  const pypi = await startPyPiIndex({
    django: { '2.0': {}, '2.0.1': {}, '2.0.2': {}, '4.2': {} },
    pytz: { '2018.3': {} },
    certifi: { '2024.2.2': {} },
    'sentry-sdk': { '1.0.0': { requires: ['certifi', 'django (>=1.8) ; extra == "django"'], extras: ['django'] } },
  })
  const log4j = 'org.apache.logging.log4j:log4j-core'
  const maven = await startMavenRepository({
    [`${log4j}:2.14.0`]: {},
    [`${log4j}:2.14.1`]: {},
    [`${log4j}:2.17.1`]: {},
    'org.apache.logging.log4j:log4j-api:2.17.1': {},
    'org.apache.logging.log4j:log4j-slf4j-impl:2.14.1': { dependencies: [`${log4j}:2.14.1`] },
    'org.apache.logging.log4j:log4j-slf4j-impl:2.17.1': { dependencies: [`${log4j}:2.17.1`] },
    'org.apache.logging.log4j:log4j-bom:2.14.1': { managed: [`${log4j}:2.14.1`] },
    'org.scala-lang:scala-library:2.12.20': {},
    'org.scala-lang:scala-library:2.13.12': {},
    'junit:junit:4.12': {},
  })
  const rubygems = await startGemServer({ rack: ['2.0.1', '2.0.9', '3.1.8'], other: ['1.0'] })
  return {
    environment: {
      GATEHOUSE_NPM_REGISTRY: npm.url,
      GATEHOUSE_PYPI_URL: pypi.url,
      // The Python version whose pip was compared.
      GATEHOUSE_PYTHON_VERSION: '3.11',
      GATEHOUSE_MAVEN_REPOSITORIES: maven.url,
      GATEHOUSE_RUBYGEMS_URL: rubygems.url,
    },
    close: () => Promise.all([npm, pypi, maven, rubygems].map((each) => each.close())),
  }
}

describe('a vulnerable dependency hidden in every documented spelling', () => {
  let app: TestApp
  let registries: Awaited<ReturnType<typeof startRegistries>>
  before(async () => {
    registries = await startRegistries()
    app = await startApp('sqlite', registries.environment)
  })
  after(async () => {
    await app.close()
    await registries.close()
  })

  const send: Send = async (ecosystem, body, query = {}) => {
    const answer = await app.call('POST', `/v1/test/${ecosystem}`, { body, query: { ...query } })
    return { status: answer.statusCode, body: answer.json() }
  }

  for (const sabotage of sabotages) {
    for (const spelling of sabotage.spellings) {
      test(`${sabotage.ecosystem}, ${spelling.name}: found, refused, or ignored as by the package manager`, async () => {
        const outcome = await trySpelling(send, sabotage, { project: 'smallest', files: sabotage.base, spelling })
        assert.ok(outcome, 'the smallest project has a place for every spelling')
        // A refusal is always allowed. A finding in a package that the tool does not install is a false alarm.
        if (spelling.tool === 'installs') assert.notEqual(outcome.verdict, 'silent')
        if (spelling.tool === 'ignores') assert.notEqual(outcome.verdict, 'found')
      })
    }
  }
})
