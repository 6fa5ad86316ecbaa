import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startApp, type TestApp } from '#test/app.ts'
import { onEveryEngine } from '#test/engines.ts'
import { readAll } from '#test/git-reader.ts'
import { bareRepository } from '#test/git-repository.ts'
import { getIntegration } from './store.ts'

onEveryEngine('repositories of this machine', (engine) => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-local-')))
  const [root, second, outside] = ['root', 'second', 'outside'].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ]
  let app: TestApp
  before(async () => {
    for (const folder of [root, second, outside]) mkdirSync(folder)
    app = await startApp(engine, { GATEHOUSE_LOCAL_REPOSITORIES: `${root},${second},${join(base, 'missing')}` })
  })
  after(async () => {
    await app.close()
    rmSync(base, { recursive: true })
  })

  async function integrate(from = app) {
    const body = { data: { type: 'integration', attributes: { kind: 'local', name: `l-${Math.random()}` } } }
    const answer = await from.call('POST', `/rest/orgs/${from.orgId}/integrations`, { body })
    assert.equal(answer.statusCode, 201, answer.body)
    return getIntegration(from.parts.services.db, from.orgId, answer.json().data.id)
  }

  async function read(path: string) {
    const { found, source } = await app.parts.sources.open(await integrate(), { path })
    const contents = await readAll(source)
    await source.close()
    return { ...found, contents }
  }

  /** A bare repository, moved to a place. */
  function place(path: string, content: string): string {
    using repository = bareRepository()
    const commit = repository.commit([{ path: 'pom.xml', content }])
    mkdirSync(join(path, '..'), { recursive: true })
    renameSync(repository.path, path)
    return commit
  }

  const notThere = { code: 'repository-unreadable', message: /no such folder below those/ }

  test('bare repositories, clones and folders are found by relative and absolute paths', async () => {
    const commit = place(join(root, 'team/bare.git'), 'bare')
    place(join(root, 'clone/.git'), 'clone')
    mkdirSync(join(second, 'plain'))
    writeFileSync(join(second, 'plain/pom.xml'), 'plain')
    const bare = await read('team/bare.git/')
    assert.deepEqual(bare, {
      origin: 'local',
      sourceKey: `local ${root}/team/bare.git`,
      displayName: 'team/bare.git',
      url: null,
      isPrivate: true,
      reference: 'main',
      revision: commit,
      contents: { 'pom.xml': 'bare' },
    })
    assert.equal((await read(`${root}/team/bare.git`)).sourceKey, bare.sourceKey)
    assert.deepEqual((await read('clone')).contents, { 'pom.xml': 'clone' })
    const plain = await read('plain')
    assert.deepEqual([plain.displayName, plain.reference, plain.revision], ['plain', null, null])
    assert.deepEqual(plain.contents, { 'pom.xml': 'plain' })
    assert.equal(await app.parts.sources.test(await integrate()), 'The folders that the operator named can be read')
  })

  test('nothing outside of the folders is there, by whatever way', async () => {
    place(join(outside, 'secret.git'), 'secret')
    mkdirSync(join(outside, 'folder'))
    writeFileSync(join(outside, 'folder/pom.xml'), 'secret')
    symlinkSync(outside, join(root, 'away'))
    symlinkSync(join(second, 'plain'), join(root, 'near'))
    writeFileSync(join(root, 'file'), 'x')
    const paths = [
      '/etc',
      outside,
      '..',
      '../outside',
      'away',
      'away/secret.git',
      'away/folder',
      'file',
      'nowhere',
      '/',
    ]
    for (const path of paths) await assert.rejects(read(path), notThere, path)
    assert.deepEqual((await read('near')).contents, { 'pom.xml': 'plain' })
  })

  test('repositories that keep their objects elsewhere', async () => {
    const elsewhere = { code: 'repository-unreadable', message: /keeps its objects outside/ }
    place(join(root, 'linked.git'), 'x')
    rmSync(join(root, 'linked.git/objects'), { recursive: true })
    symlinkSync(join(outside, 'secret.git/objects'), join(root, 'linked.git/objects'))
    await assert.rejects(read('linked.git'), elsewhere)

    place(join(root, 'fork.git'), 'x')
    const alternates = join(root, 'fork.git/objects/info/alternates')
    for (const borrowed of [join(outside, 'secret.git/objects'), '../../../outside/secret.git/objects', '/nowhere']) {
      writeFileSync(alternates, `# comment\n${borrowed}\n`)
      await assert.rejects(read('fork.git'), elsewhere, borrowed)
    }
    writeFileSync(alternates, '../../team/bare.git/objects\n')
    assert.deepEqual((await read('fork.git')).contents, { 'pom.xml': 'x' })
    writeFileSync(join(root, 'team/bare.git/objects/info/alternates'), `${outside}/secret.git/objects\n`)
    await assert.rejects(read('fork.git'), elsewhere)
    rmSync(join(root, 'team/bare.git/objects/info/alternates'))
    writeFileSync(alternates, '../../fork.git/objects\n')
    await assert.rejects(read('fork.git'), elsewhere)

    place(join(root, 'tree.git'), 'x')
    writeFileSync(join(root, 'tree.git/commondir'), `${outside}/secret.git\n`)
    await assert.rejects(read('tree.git'), elsewhere)

    // a file that says where the repository is makes no repository here
    mkdirSync(join(root, 'pointing'))
    writeFileSync(join(root, 'pointing/.git'), `gitdir: ${outside}/secret.git\n`)
    writeFileSync(join(root, 'pointing/pom.xml'), 'here')
    const pointing = await read('pointing')
    assert.deepEqual([pointing.revision, pointing.contents['pom.xml']], [null, 'here'])
  })

  test('what a repository configures is not run', async () => {
    const path = join(root, 'evil.git')
    place(path, 'fine')
    const touch = (name: string) => `touch ${join(base, name)}`
    mkdirSync(join(path, 'hooks'), { recursive: true })
    for (const hook of ['post-checkout', 'reference-transaction', 'pre-auto-gc'])
      writeFileSync(join(path, 'hooks', hook), `#!/bin/sh\n${touch('hook')}\n`, { mode: 0o755 })
    writeFileSync(
      join(path, 'config'),
      `[core]\n\tbare = true\n\tfsmonitor = "${touch('fsmonitor')}"\n\tsshCommand = "${touch('ssh')}"\n\tpager = "${touch('pager')}"\n` +
        `[uploadpack]\n\tpackObjectsHook = "${touch('pack')}"\n[filter "evil"]\n\tsmudge = "${touch('smudge')}"\n[alias]\n\tls-tree = "!${touch('alias')}"\n`,
    )
    assert.deepEqual((await read('evil.git')).contents, { 'pom.xml': 'fine' })
    for (const name of ['hook', 'fsmonitor', 'ssh', 'pager', 'pack', 'smudge', 'alias'])
      assert.throws(() => realpathSync(join(base, name)), { code: 'ENOENT' }, name)
  })

  test('without folders that the operator named there is none of this', async () => {
    const other = await startApp(engine)
    try {
      const integration = await integrate(other)
      const off = { code: 'integration-unsupported', message: /GATEHOUSE_LOCAL_REPOSITORIES/ }
      await assert.rejects(other.parts.sources.find(integration, { path: '.' }), off)
      await assert.rejects(other.parts.sources.test(integration), off)
    } finally {
      await other.close()
    }
  })
})
