import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '#foundation/config.ts'
import { getDefaultRegistryUrl } from './default-registries.ts'
import { ownRegistryUrls } from './registries.ts'

/** Removes trailing slashes and sorts. */
const plain = (urls: readonly string[]) => urls.map((url) => url.replace(/\/$/, '')).sort()

test('registry URLs: the public ones, each unless another is configured', () => {
  const publicOnes = (['npm', 'gem', 'maven', 'pypi'] as const).map(getDefaultRegistryUrl)
  assert.deepEqual(plain(ownRegistryUrls(readConfig({}))), plain(publicOnes))
  const configured = readConfig({
    GATEHOUSE_NPM_REGISTRY: 'https://npm.registry.example',
    GATEHOUSE_RUBYGEMS_URL: 'https://gems.registry.example',
    GATEHOUSE_MAVEN_REPOSITORIES: 'https://one:word@maven.registry.example/a,https://maven.registry.example/b',
    GATEHOUSE_PYPI_URL: 'https://pypi.registry.example/simple',
    GATEHOUSE_GO_PROXY: 'https://go.registry.example/,https://other.registry.example,direct',
    GATEHOUSE_PYPI_INDEXES: 'https://more.registry.example/simple',
  })
  assert.deepEqual(plain(ownRegistryUrls(configured)), [
    'https://gems.registry.example',
    'https://go.registry.example',
    'https://maven.registry.example/a',
    'https://maven.registry.example/b',
    'https://more.registry.example/simple',
    'https://npm.registry.example',
    'https://pypi.registry.example/simple',
  ])
})
