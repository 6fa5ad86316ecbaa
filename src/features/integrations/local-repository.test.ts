import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { readAll } from '#test/repositories/git-reader.ts'
import { bareRepository } from '#test/repositories/git-repository.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'
import { getIntegration } from './store.ts'

onAnyEngine('local repositories', (engine) => {
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
    const { resolved, source } = await app.parts.sources.open(await integrate(), { path })
    const contents = await readAll(source)
    await source.close()
    return { ...resolved, contents }
  }

  /** Moves a bare repository to a path and returns its commit. */
  function place(path: string, content: string): string {
    using repository = bareRepository()
    const commit = repository.commit([{ path: 'pom.xml', content }])
    mkdirSync(join(path, '..'), { recursive: true })
    renameSync(repository.path, path)
    return commit
  }

  /** Returns a function that runs git on a moved repository, with standard input only if the arguments ask for it. */
  const bareGit =
    (path: string) =>
    (...args: string[]) =>
      execFileSync('git', ['--git-dir', path, ...args], {
        stdio: [args.includes('--stdin') ? 'pipe' : 'ignore', 'pipe', 'ignore'],
        ...(args.includes('--stdin') && { input: 'mine' }),
      })
        .toString()
        .trim()

  const notThere = { code: 'repository-unreadable', message: /No such folder below those/ }

  test('local repository: bare repositories, clones and folders are found by relative and absolute paths', async () => {
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
    assert.equal(
      await app.parts.sources.test(await integrate()),
      'The folders in GATEHOUSE_LOCAL_REPOSITORIES can be read',
    )
  })

  test('local repository: paths and links outside the allowed folders are not found', async () => {
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

  const outsideOf = (part: string) => ({
    code: 'repository-unreadable',
    message: `"${part}" of the repository cannot be read: it leads outside the folders of GATEHOUSE_LOCAL_REPOSITORIES, or the server lacks permission. Replace links with what they point to.`,
  })

  test('local repository: objects and alternates outside the allowed folders are refused by name', async () => {
    place(join(root, 'linked.git'), 'x')
    rmSync(join(root, 'linked.git/objects'), { recursive: true })
    symlinkSync(join(outside, 'secret.git/objects'), join(root, 'linked.git/objects'))
    await assert.rejects(read('linked.git'), outsideOf('objects'))

    place(join(root, 'fork.git'), 'x')
    const alternates = join(root, 'fork.git/objects/info/alternates')
    for (const borrowed of [join(outside, 'secret.git/objects'), '../../../outside/secret.git/objects', '/nowhere']) {
      writeFileSync(alternates, `# comment\n${borrowed}\n`)
      await assert.rejects(read('fork.git'), outsideOf('objects/info/alternates'), borrowed)
    }
    writeFileSync(alternates, '../../team/bare.git/objects\n')
    assert.deepEqual((await read('fork.git')).contents, { 'pom.xml': 'x' })
    writeFileSync(join(root, 'team/bare.git/objects/info/alternates'), `${outside}/secret.git/objects\n`)
    await assert.rejects(read('fork.git'), outsideOf('objects/info/alternates'))
    rmSync(join(root, 'team/bare.git/objects/info/alternates'))
    writeFileSync(alternates, '../../fork.git/objects\n')
    assert.deepEqual((await read('fork.git')).contents, { 'pom.xml': 'x' })

    place(join(root, 'tree.git'), 'x')
    writeFileSync(join(root, 'tree.git/commondir'), `${outside}/secret.git\n`)
    await assert.rejects(read('tree.git'), { code: 'repository-unreadable', message: /a linked work tree/ })

    // a .git file that points to a repository elsewhere is ignored
    mkdirSync(join(root, 'pointing'))
    writeFileSync(join(root, 'pointing/.git'), `gitdir: ${outside}/secret.git\n`)
    writeFileSync(join(root, 'pointing/pom.xml'), 'here')
    const pointing = await read('pointing')
    assert.deepEqual([pointing.revision, pointing.contents['pom.xml']], [null, 'here'])
  })

  test('local repository: a link out of the allowed folders is refused, whatever part of the repository it is', async () => {
    const secret = join(outside, 'parts.git')
    place(secret, 'secret')
    const inSecret = bareGit(secret)
    inSecret('repack', '-adq')
    const commit = inSecret('rev-parse', 'main')
    // The only file of each repository below.
    const loose = inSecret('hash-object', '-w', '--stdin')
    inSecret('pack-refs', '--all')
    mkdirSync(join(secret, 'refs/heads'), { recursive: true })
    writeFileSync(join(secret, 'refs/heads/loose'), `${commit}\n`)
    const pack = readdirSync(join(secret, 'objects/pack')).find((name) => name.endsWith('.pack'))!
    const parts: [part: string, kept: string][] = [
      ['objects/pack', 'objects/pack'],
      [`objects/pack/${pack}`, `objects/pack/${pack}`],
      [`objects/${loose.slice(0, 2)}`, `objects/${loose.slice(0, 2)}`],
      [`objects/${loose.slice(0, 2)}/${loose.slice(2)}`, `objects/${loose.slice(0, 2)}/${loose.slice(2)}`],
      ['objects/info/alternates', 'config'],
      ['refs', 'refs'],
      ['refs/heads', 'refs/heads'],
      ['refs/heads/stolen', 'refs/heads/loose'],
      ['packed-refs', 'packed-refs'],
      ['HEAD', 'HEAD'],
      ['shallow', 'HEAD'],
      ['config', 'config'],
      ['reftable', 'refs'],
    ]
    for (const [index, [part, kept]] of parts.entries()) {
      const path = join(root, `parts-${index}.git`)
      place(path, 'mine')
      rmSync(join(path, part), { recursive: true, force: true })
      mkdirSync(join(path, part, '..'), { recursive: true })
      symlinkSync(join(secret, kept), join(path, part))
      await assert.rejects(read(`parts-${index}.git`), outsideOf(part), part)
    }
    // a link to an allowed folder is followed
    place(join(root, 'packs.git'), 'mine')
    bareGit(join(root, 'packs.git'))('repack', '-adq')
    renameSync(join(root, 'packs.git/objects/pack'), join(second, 'packs'))
    symlinkSync(join(second, 'packs'), join(root, 'packs.git/objects/pack'))
    assert.deepEqual((await read('packs.git')).contents, { 'pom.xml': 'mine' })
  })

  test('local repository: its configuration can neither include nor borrow anything from outside', async () => {
    place(join(root, 'settings.git'), 'mine')
    place(join(outside, 'borrowed.git'), 'secret')
    const commit = bareGit(join(outside, 'borrowed.git'))('rev-parse', 'main')
    writeFileSync(join(root, 'settings.git/refs/heads/stolen'), `${commit}\n`)
    const included = join(outside, 'included.config')
    const origin = `[remote "origin"]\n\turl = ${outside}/borrowed.git\n\tpromisor = true\n\tpartialclonefilter = blob:none\n`
    writeFileSync(included, origin)
    writeFileSync(
      join(root, 'settings.git/config'),
      `[core]\n\tbare = true\n\trepositoryformatversion = 1\n\tworktree = ${outside}\n[extensions]\n\tpartialClone = origin\n` +
        `[include]\n\tpath = ${included}\n[includeIf "gitdir:**"]\n\tpath = ${included}\n${origin}` +
        `[url "${outside}/borrowed.git"]\n\tinsteadOf = file://\n[protocol]\n\tallow = always\n`,
    )
    const { resolved, source } = await app.parts.sources.open(await integrate(), { path: 'settings.git' })
    assert.deepEqual([resolved.reference, await readAll(source)], ['main', { 'pom.xml': 'mine' }])
    await source.close()
    await assert.rejects(app.parts.sources.open(await integrate(), { path: 'settings.git', branch: 'stolen' }), {
      code: 'repository-unreadable',
    })
  })

  test('local repository: hooks and commands in its configuration do not run', async () => {
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

  test('local repository without allowed folders: refused (integration-unsupported)', async () => {
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
