import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_EXCLUSIONS } from '#analysis/discovery/projects-in-tree/exclusions.ts'
import { chooseProjects } from '#scanning/reading/choose-projects.ts'
import { openSourceTree } from '#scanning/reading/source-tree.ts'
import { openWorkTree } from '../src/client/work-tree.ts'

test("the repository's own policy file excludes test data and samples, and has no rule without effect", async () => {
  const { signal } = new AbortController()
  const source = await openWorkTree('.', { environment: process.env, signal })
  const tree = await openSourceTree(source, { more: new Set(), signal })
  const { projects, excludedByPolicy, policyNotes } = await chooseProjects(tree, {
    exclusions: DEFAULT_EXCLUSIONS,
    files: [],
  })
  assert.deepEqual(policyNotes, [])
  assert.ok(projects.some(({ path }) => path === 'package.json'))
  const samples = ['docs/example/package.json', 'src/analysis/ecosystems/python/pip/golden/requirements.txt']
  assert.deepEqual(excludedByPolicy.map(({ path }) => path).sort(), samples)
})
