import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { findProjects } from '#analysis/discovery/projects-in-tree/find-projects.ts'
import type { TreeProject } from '#analysis/discovery/projects-in-tree/tree.ts'
import { bareRepository } from '#test/repositories/git-repository.ts'
import { type ImportApp, importAndWait, importOf, startImportApp } from '#test/repositories/imports.ts'
import {
  emptyRegistries,
  largeTree,
  sharedIsMissing,
  smallTree,
  type TreeFiles,
  toTestBody,
  toTree,
} from '#test/repositories/manifest-trees.ts'
import { onAnyEngine } from '#test/servers/engines.ts'
import { volume } from '#test/volume.ts'

/** Number of generated manifests in a large repository, besides real ones. */
const MADE = volume(500)

interface Job {
  readonly status: string
  readonly logs: readonly {
    readonly status: string
    readonly projects: readonly { targetFile: string; success: boolean; projectId?: string; userMessage?: string }[]
  }[]
}

/** Imports whole repositories and compares each manifest's result with a test of the same files. */
onAnyEngine('import results', (engine) => {
  let app: ImportApp
  let registries: Awaited<ReturnType<typeof emptyRegistries>>
  before(async () => {
    registries = await emptyRegistries()
    app = await startImportApp(engine, registries.environment)
  })
  after(async () => {
    await app.close()
    await registries.close()
  })

  async function importTree(files: TreeFiles): Promise<{ job: Job; projects: readonly TreeProject[] }> {
    using repository = bareRepository()
    repository.commit([...files].map(([path, content]) => ({ path, content })))
    const job = (await importAndWait(app, importOf(repository.path, { exclusionGlobs: '' }))) as Job
    return { job, projects: await findProjects(toTree(files)) }
  }

  /** Compares an outcome with a separate test of the same files. */
  async function assertSame(outcome: Job['logs'][0]['projects'][0], project: TreeProject, files: TreeFiles) {
    const body = await toTestBody(project, files)
    const query = { acceptPartial: 'true' }
    const answer = await app.call('POST', `/v1/test/${project.ecosystem}`, { body, query })
    const what = `${project.ecosystem} ${project.path}: ${outcome.userMessage} / ${answer.body.slice(0, 300)}`
    assert.equal(outcome.success, answer.statusCode === 200, what)
    if (!outcome.success) return
    const result = answer.json()
    const path = `/v1/org/${app.orgId}/project/${outcome.projectId}`
    const shown = (await app.call('GET', path)).json()
    const issues = (await app.call('POST', `${path}/aggregated-issues`, { body: {} })).json().issues
    const affected = (list: { id: string; package: string; version: string }[]) =>
      [...new Set(list.map(({ id, package: name, version }) => `${id} ${name}@${version}`))].sort()
    const stored = issues.flatMap((issue: { id: string; pkgName: string; pkgVersions: string[] }) =>
      issue.pkgVersions.map((version) => ({ id: issue.id, package: issue.pkgName, version })),
    )
    // Imports treat modules as separate projects; requests lack the names of build files, so that a script may be taken
    // for settings, or a plugin's dependency for the product's.
    const isModule = project.ecosystem === 'gradle' && project.path.split('/').length > 3
    if (
      isModule ||
      project.ecosystem === 'sbt' ||
      (project.ecosystem === 'maven' && result.coverage.unresolved.length > 0)
    )
      return
    assert.deepEqual(affected(stored), affected(result.issues.vulnerabilities), what)
    assert.equal(shown.totalDependencies, result.dependencyCount, what)
  }

  test('an import of ten manifests, one broken, has the results of separate tests', async () => {
    const files = smallTree()
    const { job, projects } = await importTree(files)
    const outcomes = job.logs[0]!.projects
    assert.deepEqual(
      outcomes.map(({ targetFile }) => targetFile),
      projects.map(({ path }) => path),
    )
    assert.equal(outcomes.length, 10)
    assert.deepEqual(
      outcomes.filter(({ success }) => !success).map(({ targetFile }) => targetFile),
      ['broken/package.json'],
    )
    for (const [index, outcome] of outcomes.entries()) await assertSame(outcome, projects[index]!, files)
    const vulnerable = outcomes.find(({ targetFile }) => targetFile === 'app/package.json')!
    const project = (await app.call('GET', `/v1/org/${app.orgId}/project/${vulnerable.projectId}`)).json()
    assert.ok(project.issueCountsBySeverity.high > 0, 'something is found at all')
  })

  describe('imports of many manifests', { skip: sharedIsMissing }, () => {
    test('each of many manifests has an outcome; samples equal the results of separate tests', async () => {
      const files = largeTree(MADE)
      const { job, projects } = await importTree(files)
      const outcomes = job.logs[0]!.projects
      assert.deepEqual([job.status, job.logs[0]!.status, outcomes.length], ['complete', 'complete', projects.length])
      assert.deepEqual(
        outcomes.map(({ targetFile }) => targetFile),
        projects.map(({ path }) => path),
      )
      const made = outcomes.filter(({ targetFile }) => targetFile.startsWith('made/'))
      const broken = made.filter(({ success }) => !success)
      assert.equal(broken.length, Math.ceil(MADE / 20))
      for (const { userMessage } of broken) assert.match(userMessage!, /package\.json/)
      for (const [index, outcome] of outcomes.entries()) {
        if (index % Math.ceil(outcomes.length / 40) === 0) await assertSame(outcome, projects[index]!, files)
      }
    })
  })
})
