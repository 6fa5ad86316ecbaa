import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { foreignSamples, namelessSamples, readableSamples } from '#test/manifests/file-samples.ts'
import { bareRepository, type CommittedFile } from '#test/repositories/git-repository.ts'
import { type ImportApp, importAndWait, importOf, startImportApp } from '#test/repositories/imports.ts'
import { onAnyEngine } from '#test/servers/engines.ts'
import { sampleOf } from '#test/volume.ts'

/** The names that imports look for, with kinds of content that cannot be told from the right one. */
const names: Readonly<Record<string, readonly string[]>> = {
  'package.json': ['package.json'],
  'pom.xml': ['pom.xml'],
  'build.gradle': ['build.gradle', 'settings.gradle'],
  'requirements.txt': ['requirements.txt'],
  'Gemfile.lock': ['Gemfile.lock'],
  'vendor/vendor.json': ['vendor.json'],
  'poetry.lock': ['poetry.lock'],
  'uv.lock': ['uv.lock'],
  'Pipfile.lock': ['Pipfile.lock'],
  'pylock.toml': ['pylock.toml'],
  'build.sbt': ['build.sbt', 'plugins.sbt', 'project/*.scala'],
}

interface Imported {
  readonly targetFile: string
  readonly success: boolean
  readonly projectId?: string
  readonly userMessage?: string
}

onAnyEngine('imports of files with foreign content', (engine) => {
  let app: ImportApp
  before(async () => {
    app = await startImportApp(engine)
  })
  after(() => app.close())

  async function importFiles(files: readonly CommittedFile[]): Promise<Imported[]> {
    using repository = bareRepository()
    repository.commit(files)
    const job = await importAndWait(app, importOf(repository.path))
    return job.logs[0].projects
  }

  test('manifest with the content of another kind of file: fails alone with a message that names the kind', async () => {
    // npm accepts any object as a package.json, so only contradictory content is refused there.
    const nameless = namelessSamples
      .slice(0, 24)
      .filter(({ name, text }) => text.trim() !== '' && text !== '{}' && !name.startsWith('settings of'))
    const samples = [...readableSamples, ...foreignSamples, ...nameless]
    const files = sampleOf(
      Object.entries(names).flatMap(([name, own], folder) =>
        samples
          .filter(({ kind }) => !own.includes(kind ?? ''))
          .map(({ text }, number) => ({ path: `${folder}/${number}/${name}`, content: text })),
      ),
    )
    const imported = await importFiles(files)
    assert.equal(imported.length, files.length)
    for (const { targetFile, success, projectId, userMessage } of imported) {
      const { content } = files.find(({ path }) => path === targetFile)!
      assert.deepEqual([success, projectId], [false, undefined], `${targetFile}: ${content}`)
      assert.match(userMessage ?? '', /This is|The file is|Git LFS|no text/, `${targetFile}: ${content}`)
    }
  })

  test('empty manifest: accepted if its tool accepts it, as one without dependencies', async () => {
    const imported = await importFiles([
      { path: 'a/requirements.txt', content: '' },
      { path: 'b/build.gradle', content: '\n' },
      { path: 'c/package.json', content: '{}' },
      { path: 'd/package.json', content: '' },
      { path: 'e/Gemfile.lock', content: '' },
      { path: 'f/pom.xml', content: '' },
    ])
    const outcomes = imported.map(({ targetFile, success }) => [targetFile, success])
    assert.deepEqual(outcomes.sort(), [
      ['a/requirements.txt', true],
      ['b/build.gradle', true],
      ['c/package.json', true],
      ['d/package.json', false],
      ['e/Gemfile.lock', false],
      ['f/pom.xml', false],
    ])
  })
})
