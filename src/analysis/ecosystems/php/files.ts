import { jsonKind } from '#analysis/discovery/file-kinds/make-kinds.ts'
import { lockLayout, pathsOf } from '#analysis/discovery/projects-in-tree/lock-layout.ts'
import type { Layout, TreeProject } from '#analysis/discovery/projects-in-tree/tree.ts'
import { folderOf } from '#analysis/discovery/projects-in-tree/tree-paths.ts'
import { isObject, ownValue } from '#analysis/documents/json-document.ts'
import type { EcosystemFiles } from '../ecosystem-files.ts'

const usual = lockLayout({
  ecosystem: 'composer',
  lock: pathsOf('composer.lock'),
  manifest: pathsOf('composer.json'),
  covers: 'folder',
  isProject: (text) => /"require(?:-dev)?"\s*:\s*\{/.test(text),
})

const FOLDER = /"type"\s*:\s*"path",\s*"url"\s*:\s*"(?:\.\/)?([^"\n]+?)\/?"/g

/** A lock covers the manifest beside it, and those of the folders that it has packages from. */
const layout: Layout = {
  ...usual,
  async find(tree) {
    const projects = await usual.find(tree)
    const isLocked = ({ path }: TreeProject) => path.endsWith('.lock')
    const texts = await tree.read(projects.filter(isLocked).map(({ path }) => path))
    const owners = new Map<string, string>()
    for (const [path, text] of texts) {
      const folder = folderOf(path)
      for (const [, inner] of text.matchAll(FOLDER)) {
        owners.set([...(folder === '' ? [] : [folder]), inner!.replaceAll('\\/', '/'), 'composer.json'].join('/'), path)
      }
    }
    const isMember = ({ path }: TreeProject) => owners.has(path)
    const byOwner = Map.groupBy(projects.filter(isMember), ({ path }) => owners.get(path))
    return projects
      .filter((project) => !isMember(project))
      .map((project) => ({
        ...project,
        covers: [...project.covers, ...(byOwner.get(project.path) ?? []).map(({ path }) => path)],
      }))
  },
  async filesBeside(project, tree) {
    const files = await usual.filesBeside(project, tree)
    return files.filter(({ path }) => folderOf(path) === folderOf(project.path))
  },
}

/** Members of composer.json that no other format has. */
const OWN_MEMBERS = ['require-dev', 'autoload', 'autoload-dev', 'minimum-stability', 'prefer-stable']
const FOREIGN_MEMBERS = ['dependencies', 'devDependencies', 'peerDependencies', 'packages', 'lockfileVersion']

export const composerFiles: EcosystemFiles = {
  ecosystem: 'composer',
  kinds: [
    jsonKind({
      id: 'composer.lock',
      label: 'a composer.lock (Composer)',
      names: /^composer\.lock$/,
      notation: 'json',
      is: (document) =>
        Array.isArray(ownValue(document, 'packages')) &&
        ['content-hash', '_readme', 'packages-dev', 'minimum-stability'].some((key) => Object.hasOwn(document, key)),
    }),
    jsonKind({
      id: 'composer.json',
      label: 'a composer.json (Composer)',
      names: /^composer\.json$/,
      notation: 'json',
      is: (document) =>
        !FOREIGN_MEMBERS.some((key) => Object.hasOwn(document, key)) &&
        (OWN_MEMBERS.some((key) => Object.hasOwn(document, key)) || isObject(ownValue(document, 'require'))),
      isPlausible: (document) => !FOREIGN_MEMBERS.some((key) => Object.hasOwn(document, key)),
    }),
  ],
  target: ['composer.lock', 'composer.json'],
  additional: ['composer.json', 'composer.lock'],
  renewal: {
    'composer.lock': {
      all: 'composer update',
      only: (names) => `composer update ${names.join(' ')} --with-dependencies`,
    },
  },
  example: [
    '{"_readme":["This file locks the dependencies of your project to a known state"],"packages":[{"name":"twig/twig","version":"v3.3.7","notification-url":"https://packagist.example/downloads/","license":["BSD-3-Clause"]}],"packages-dev":[]}',
    '{"name":"shop/web","require":{"php":">=8.1","twig/twig":"^3.3"}}',
  ],
  layout,
}
